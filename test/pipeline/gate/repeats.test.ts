import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite.ts'
import { decide, withToken } from '../../approve.ts'
import { asking, DELETING, openGateWorld } from './gate-world.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openOnDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'mcpaql-repeats-'))
  closing.push(() => rm(folder, { recursive: true }))
  const file = join(folder, 'state.db')
  const store = await openSqliteStore(file)
  closing.push(() => store.close())
  const world = await openGateWorld({ store })
  closing.push(() => world.runtime.close())
  const bytes = () =>
    [file, `${file}-wal`].reduce((sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0)
  return { ...world, bytes }
}

describe('S3 AUDIT-03 repeats of one gated call cost nothing', () => {
  test('246 calls with long parameters take less than 1 MiB', async () => {
    const world = await openOnDisk()
    const before = world.bytes()
    const args = asking('delete_thing', { how: { text: 'x'.repeat(500_000) } })
    for (let i = 0; i < 246; i++) expect(await world.outcome(args)).toBe('CONFIRMATION_REQUIRED')
    await world.runtime.close()
    expect(world.bytes() - before).toBeLessThan(1_048_576)
  })

  test('they are counted, and the trail says how many there were', async () => {
    const world = await openGateWorld()
    for (let i = 0; i < 100; i++) await world.outcome(DELETING)
    const before = await world.trail('CONFIRMATION_REQUIRED')
    expect(before).toHaveLength(13)
    expect(before.at(-1)?.reason).toMatch(/; from here on repeats of this call are counted/)
    await world.runtime.close()
    const asked = await world.trail('CONFIRMATION_REQUIRED')
    expect(asked).toHaveLength(14)
    expect(asked.at(-1)).toMatchObject({ operation: 'delete_thing', danger_level: 2, user_id: 'tester', calls: 87 })
    expect(asked.at(-1)).not.toHaveProperty('parameters')
    expect(asked.at(-1)?.params_hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('the same with a token that nobody has approved, and after a denial', async () => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    for (let i = 0; i < 50; i++) await world.outcome(withToken(DELETING, confirmation_token))
    await decide(world.runtime, approval_id, { decision: 'deny' })
    for (let i = 0; i < 50; i++) await world.outcome(DELETING)
    await world.runtime.close()
    const trail = await world.trail('CONFIRMATION_REQUIRED', 'OPERATION_DENIED')
    expect(trail.length).toBeLessThan(20)
    const calls = (event: string) =>
      trail.filter((entry) => entry.event === event).reduce((sum, entry) => sum + Number(entry.calls ?? 1), 0)
    expect([calls('CONFIRMATION_REQUIRED'), calls('OPERATION_DENIED')]).toEqual([51, 50])
  })

  test('in the next minute the first ones are recorded again', async () => {
    const world = await openGateWorld()
    for (let i = 0; i < 20; i++) await world.outcome(DELETING)
    world.pass(61)
    await world.outcome(DELETING)
    await world.runtime.close()
    const asked = await world.trail('CONFIRMATION_REQUIRED')
    expect(asked.map(({ calls }) => calls ?? 1)).toEqual([...Array(13).fill(1), 1, 7].toSorted((a, b) => a - b))
    expect(asked.filter(({ parameters }) => parameters !== undefined)).toHaveLength(14)
  })
})

describe('S3 a flood of different calls is bounded', () => {
  test('what is refused is recorded one by one sixty times a minute, then counted', async () => {
    const world = await openGateWorld({ policies: [{ operation: 'delete_*', permission: 'deny' }] })
    for (let count = 0; count < 500; count++) {
      expect(await world.outcome(asking('delete_thing', { count }))).toBe('PERMISSION_DENIED')
    }
    await world.runtime.close()
    const denied = await world.trail('OPERATION_DENIED')
    expect(denied).toHaveLength(61)
    expect(denied[59]?.reason).toMatch(/; from here on attempts of this session at this operation are counted/)
    expect(denied.reduce((sum, { calls }) => sum + Number(calls ?? 1), 0)).toBe(500)
  })

  test.each([
    ['of the same session at another operation', 'change_thing', false],
    ['of another session of the principal', 'delete_thing', true],
  ])('AUDIT-03 and it hides no attempt %s, which is on disk before its answer', async (_, operation, isOther) => {
    const world = await openGateWorld({ policies: [{ operation: '*_thing', permission: 'deny' }] })
    for (let count = 0; count < 400; count++) await world.outcome(asking('delete_thing', { count }))
    const session = isOther ? world.runtime.openSession(world.session.principal) : world.session
    await world.outcome(asking(operation, { count: 7 }), { session })
    const trail = await world.trail('OPERATION_DENIED')
    const found = trail.filter((entry) => entry.session_id === session.id && entry.operation === operation)
    expect(found).toMatchObject([{ parameters: { count: 7 } }])
  })

  test('and one for each operation, however many sessions ask', async () => {
    const world = await openGateWorld()
    for (let session = 0; session < 40; session++) {
      const more = { session: world.runtime.openSession('tester') }
      for (let i = 0; i < 20; i++) await world.outcome(withToken(DELETING, `conf_${'0'.repeat(64)}`), more)
    }
    await world.runtime.close()
    const trail = await world.trail()
    expect(trail.length).toBeLessThan(800)
    const refused = trail.filter(({ event }) => event === 'OPERATION_DENIED')
    expect(refused.reduce((sum, { calls }) => sum + Number(calls ?? 1), 0)).toBe(800)
  })

  test.each(['left open', 'ended'])(
    'long questions of unnamed sessions that were %s leave room for a short one of another',
    async (end) => {
      const world = await openGateWorld()
      const honest = world.runtime.openSession('anonymous')
      for (let count = 0; count < 12; count++) {
        const session = world.runtime.openSession('anonymous')
        const text = 'x'.repeat(900_000)
        await world.outcome(asking('delete_thing', { count, how: { text } }), { session })
        if (end === 'ended') await world.runtime.closeSession(session)
      }
      const ask = (length: number) =>
        world.outcome(asking('delete_thing', { how: { text: 'y'.repeat(length) } }), { session: honest })
      expect(await ask(2_000)).toBe('CONFIRMATION_REQUIRED')
      expect(await ask(300_000)).toBe(end === 'ended' ? 'CONFIRMATION_REQUIRED' : 'RATE_LIMIT_EXCEEDED')
      const kept = await world.store.list<{ readonly params: object }>('request')
      expect(kept.filter(({ value }) => JSON.stringify(value.params).length > 200_000)).toHaveLength(
        end === 'ended' ? 1 : 9,
      )
    },
  )

  test('one unnamed session reaches its own limit before that of all', async () => {
    const world = await openGateWorld()
    const session = world.runtime.openSession('anonymous')
    const ask = (count: number) =>
      world.ask(asking('delete_thing', { count, how: { text: 'x'.repeat(900_000) } }), undefined, { session })
    for (let count = 0; count < 2; count++) expect((await ask(count)).result.error?.code).toBe('CONFIRMATION_REQUIRED')
    expect((await ask(3)).result.error?.details).toMatchObject({ limit: 2_097_152, window: 'hour' })
  })

  test('long questions of one principal are kept up to 8 MiB an hour, in whatever session it asks', async () => {
    const world = await openOnDisk()
    const ask = (count: number) =>
      world.ask(asking('delete_thing', { count, how: { text: 'x'.repeat(900_000) } }), undefined, {
        session: world.runtime.openSession('tester'),
      })
    const before = world.bytes()
    const codes: unknown[] = []
    let last: Awaited<ReturnType<typeof ask>>['result'] | undefined
    for (let count = 0; count < 30; count++) {
      last = (await ask(count)).result
      codes.push(last.error?.code)
    }
    expect(codes.filter((code) => code === 'CONFIRMATION_REQUIRED')).toHaveLength(9)
    expect(last?.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retry_after_seconds: 3_660, window: 'hour' },
    })
    expect(world.bytes() - before).toBeLessThan(20 * 1_048_576)
    expect(await world.outcome(DELETING)).toBe('CONFIRMATION_REQUIRED')
    world.pass(3_700)
    expect((await ask(99)).result.error?.code).toBe('CONFIRMATION_REQUIRED')
  })
})
