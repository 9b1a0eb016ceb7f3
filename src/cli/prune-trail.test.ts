import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import type { Terminal } from '../channels/read-secret.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import { verifyTrail } from '../core/audit/verify-trail.ts'
import { clientRef } from '../core/operator/client-record.ts'
import { createClients } from '../core/operator/clients.ts'
import { compareRecords } from '../core/operator/compare-records.ts'
import { createOperatorAccount, type Right } from '../core/operator/operator-account.ts'
import type { Store } from '../core/ports/store.ts'
import { createMemoryStore } from '../store/memory.ts'
import { storeFault } from '../store/sqlite-fault.ts'
import { readAnchors } from './audit-anchor.ts'
import { isStop } from './command.ts'
import { pruneTrail } from './prune-trail.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-prune-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DAY_MS = 86_400_000
const START = Date.parse('2026-01-01T00:00:00.000Z')
const at = (day: number) => new Date(START + day * DAY_MS).toISOString()
const SECRET = 'correct horse battery'
const COST = { N: 2 ** 4, r: 8, p: 1 }
const order = { name: 'ci', elicitation: false, by: 'operator', channel: 'terminal' }

let store: Store
let right: Right
let now: number
const clock = { now: () => now }
const append = (...audit: readonly AuditEntry[]) => store.update({}, () => ({ audit, result: undefined }))

beforeEach(async () => {
  store = createMemoryStore()
  now = START
  const account = createOperatorAccount({ store, clock, cost: COST })
  await account.set(SECRET, SECRET, 'terminal')
  await createClients(store, clock).add(order)
  for (let day = 1; day <= 20; day++) await append({ timestamp: at(day), event: 'SERVER_STARTED' })
  now = START + 30 * DAY_MS
  const checked = await account.check(SECRET, 'terminal')
  if (checked.kind !== 'right') throw new Error(checked.kind)
  right = checked
})

interface Course {
  readonly word?: string
  readonly exportTo?: string
  /** What happens while the operator is asked. */
  readonly meanwhile?: () => Promise<unknown>
  readonly on?: Store
}

async function prune(before: number, anchor: string, { word, exportTo, meanwhile, on = store }: Course = {}) {
  const shown: string[] = []
  const terminal = {
    write: (text: string) => void shown.push(text),
    readLine: async () => {
      await meanwhile?.()
      return word ?? (exportTo === undefined ? 'discard' : 'prune')
    },
  } as Partial<Terminal> as Terminal
  const order = { before: at(before), anchor, ...(exportTo !== undefined && { exportTo }) }
  const ended = await pruneTrail(on, order, right, terminal, fakeWorld(clock))
  return { ended, text: [...shown, ...(isStop(ended) ? [ended.message, ...ended.next] : [])].join('\n') }
}

test('AUDIT-09 what was pruned hides neither another secret nor a client, with anchors and without', async () => {
  const anchor = join(folder, 'kept.jsonl')
  expect((await prune(5, anchor)).ended).toBe(0)
  expect((await prune(10, anchor)).ended).toBe(0)
  const anchors = readAnchors(anchor)
  expect((await verifyTrail(store.trail, { anchors })).broken).toBeUndefined()
  expect((await compareRecords(store)).contradictions).toEqual([])
  const evil = { name: 'evil', tokenHash: 'f', elicitation: true, createdAt: START, createdBy: 'operator' }
  await store.update({ evil: clientRef('evil'), ci: clientRef('ci') }, () => ({
    next: { evil, ci: undefined },
    result: undefined,
  }))
  expect((await verifyTrail(store.trail, { anchors })).broken).toBeUndefined()
  expect((await compareRecords(store)).contradictions.map(({ what }) => what)).toEqual([
    'The trail has the client ci, but the store does not',
    'The store has the client evil, but the trail does not say that it was added',
    'The store takes a token for ci that is not the one of this client',
  ])
})

test('AUDIT-09 nothing is removed while the store contradicts the trail', async () => {
  await store.update({ ci: clientRef('ci') }, () => ({ next: { ci: undefined }, result: undefined }))
  const { ended, text } = await prune(10, join(folder, 'refused.jsonl'))
  expect(isStop(ended)).toBe(true)
  expect(text).toContain('The store contradicts the trail')
  expect(text).toContain('The trail has the client ci, but the store does not')
  expect(await store.trail.read({ events: ['TRAIL_PRUNED'] })).toEqual([])
})

test('AUDIT-09 contradictions within the trail are shown before what shows them is removed', async () => {
  const ran: AuditEntry = { timestamp: at(20), event: 'OPERATION_INTENT', result: 'confirmed', confirmation_token: 'r' }
  await append({ ...ran, operation: 'drop_it', adapter_name: 'db' })
  const { ended, text } = await prune(10, join(folder, 'shown.jsonl'), { word: '' })
  expect(isStop(ended)).toBe(true)
  expect(text).toContain('drop_it of db ran as confirmed, but no human has granted request r before')
  expect((await prune(10, join(folder, 'shown.jsonl'))).ended).toBe(0)
})

describe('AUDIT-09 a prune that can remove nothing leaves nothing behind', () => {
  let anchor: string
  let copy: string
  beforeEach(() => {
    const own = mkdtempSync(join(folder, 'prune-'))
    anchor = join(own, 'anchors.jsonl')
    copy = join(own, 'copy.jsonl')
  })
  const announced = () => readAnchors(anchor).flatMap(({ pruned }) => pruned?.seq ?? [])
  const isWhole = async () => {
    expect((await verifyTrail(store.trail, { anchors: readAnchors(anchor) })).broken).toBeUndefined()
    expect((await compareRecords(store)).contradictions).toEqual([])
  }

  /** Between its first look at the trail and the moment at which it would remove. */
  const lateFor = (other: () => Promise<unknown>): Store => ({
    ...store,
    async prune(...order) {
      await other()
      return store.prune(...order)
    },
  })

  test.each([
    ['more', 15],
    ['as much', 10],
    ['less', 5],
  ])('since another has removed %s while the operator was asked', async (_, days) => {
    const other = () => prune(days, anchor)
    const { ended, text } = await prune(10, anchor, { exportTo: copy, meanwhile: other })
    expect(isStop(ended)).toBe(true)
    expect(text).toContain('Another mcpaql audit prune has removed records meanwhile')
    expect(text).toContain('run it again')
    const [upTo, ...more] = announced()
    expect([more, existsSync(copy)]).toEqual([[upTo], false])
    expect(readAnchors(anchor)).toHaveLength(2) // those of the other
    await isWhole()
    expect((await prune(18, anchor, { exportTo: copy })).ended).toBe(0)
    await isWhole()
  })

  test.each([
    ['more', 15],
    ['as much', 10],
    ['less', 5],
  ])('since another has removed %s just before it', async (_, days) => {
    const on = lateFor(() => prune(days, anchor))
    const { ended, text } = await prune(10, anchor, { exportTo: copy, on })
    expect(isStop(ended)).toBe(true)
    expect(text).toContain('Another mcpaql audit prune has removed records meanwhile')
    const [upTo, ...more] = announced()
    expect([more, existsSync(copy)]).toEqual([[upTo], false])
    await isWhole()
    expect((await prune(18, anchor, { exportTo: copy })).ended).toBe(0)
    await isWhole()
  })

  test('since the store fails', async () => {
    const on = lateFor(() => Promise.reject(storeFault('Cannot prune the trail', new Error('the disk does not work'))))
    await expect(prune(10, anchor, { exportTo: copy, on })).rejects.toThrow('the disk does not work')
    expect([announced(), existsSync(copy)]).toEqual([[], false])
    expect(readAnchors(anchor).length).toBeGreaterThan(0) // what they say of the head is true
    await isWhole()
    expect((await prune(10, anchor, { exportTo: copy })).ended).toBe(0)
  })

  test('since the anchor cannot be written', async () => {
    mkdirSync(anchor)
    expect((await prune(10, anchor, { exportTo: copy })).text).toContain('is a folder, not a file')
    rmSync(anchor, { recursive: true })
    const meanwhile = async () => mkdirSync(anchor)
    const { ended, text } = await prune(10, anchor, { exportTo: copy, meanwhile })
    expect(isStop(ended)).toBe(true)
    expect(text).toMatch(/^The anchor cannot be written: .* is a folder, not a file$/m)
    expect(text).toContain('Nothing was removed')
    expect([await store.trail.read({ events: ['TRAIL_PRUNED'] }), existsSync(copy)]).toEqual([[], false])
  })

  test('nor is a file that was there before taken away', async () => {
    writeFileSync(copy, 'theirs')
    const { ended, text } = await prune(10, anchor, { exportTo: copy })
    expect(isStop(ended)).toBe(true)
    expect(text).toContain('The copy cannot be written')
    expect(readFileSync(copy, 'utf8')).toBe('theirs')
  })

  test('the copy that could not be finished does not stand in the way of the next', async () => {
    const read: Store['trail']['read'] = async (query) => {
      if (existsSync(copy)) throw storeFault('Cannot read the store', new Error('the disk does not work'))
      return store.trail.read(query)
    }
    const { ended } = await prune(10, anchor, { exportTo: copy, on: { ...store, trail: { ...store.trail, read } } })
    expect([isStop(ended), existsSync(copy)]).toEqual([true, false])
    expect((await prune(10, anchor, { exportTo: copy })).ended).toBe(0)
  })

  test('an anchor that fails after the removal is said, and the rest verifies', async () => {
    const lost: Store = {
      ...store,
      async prune(...order) {
        await store.prune(...order)
        renameSync(anchor, `${anchor}.kept`)
        mkdirSync(anchor)
      },
    }
    const { ended, text } = await prune(10, anchor, { exportTo: copy, on: lost })
    expect([ended, existsSync(copy)]).toEqual([0, true])
    expect(text).toContain('The anchor cannot be written')
    rmSync(anchor, { recursive: true })
    renameSync(`${anchor}.kept`, anchor)
    await isWhole()
  })
})
