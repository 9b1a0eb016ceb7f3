import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decide } from '../approve.ts'
import { type Caller, connect, type Era, type IdentityWorld, openIdentityWorld } from './identity-world.ts'

let world: IdentityWorld
beforeAll(async () => {
  world = await openIdentityWorld()
})
afterAll(() => world.close())

const EXPORT = { operation: 'run_export', params: { ms: 60_000 } }
const LONG = { operation: 'list_things', params: { max_tokens: 120, fields: ['id', 'text'], first: 60 } }

/** Everything that a caller can come by: its execution, question, rest and page. */
interface Seen {
  readonly execution: string
  readonly token: string
  readonly rest: string
  readonly session: string | undefined
}

async function look(caller: Caller, thing: string): Promise<Seen> {
  const { data } = await caller.ask(EXPORT)
  const { error } = await caller.ask({ operation: 'delete_thing', params: { thing } })
  const { warnings } = await caller.ask(LONG)
  const rest = warnings.find((each: { details?: { rest?: string } }) => each.details?.rest)?.details.rest
  expect([data.execution_id, error.details.confirmation_token, rest]).toEqual([
    expect.stringMatching(/^exec_/),
    expect.stringMatching(/^conf_/),
    expect.stringMatching(/^rest_/),
  ])
  return { execution: data.execution_id, token: error.details.confirmation_token, rest, session: caller.session() }
}

/** Every operation that takes an id. */
const USES: readonly [name: string, of: keyof Seen, use: (id: string) => object][] = [
  ['get_execution', 'execution', (execution_id) => ({ operation: 'get_execution', params: { execution_id } })],
  ['cancel_execution', 'execution', (execution_id) => ({ operation: 'cancel_execution', params: { execution_id } })],
  ['revoke_token', 'token', (token) => ({ operation: 'revoke_token', params: { token } })],
  ['redeem', 'token', (token) => ({ operation: 'delete_thing', params: { thing: 'a' }, _confirmation: token })],
  ['rest', 'rest', (name) => ({ operation: 'introspect', params: { query: 'rest', name } })],
  ['rest, a later page', 'rest', (name) => ({ operation: 'introspect', params: { query: 'rest', name: `${name}.3` } })],
]

/** Of the same make and length, and nobody's. */
function unknown(id: string): string {
  const [, prefix = '', rest = ''] = /^(\w+_)(.*)$/s.exec(id) ?? []
  const random = randomBytes(64)
  return (
    prefix + (/^[\da-f]+$/.test(rest) ? random.toString('hex') : random.toString('base64url')).slice(0, rest.length)
  )
}

const nameless = (said: string, id: string) => said.replaceAll(id, 'ID').replaceAll(/"[\d-]+T[\d:.]+Z"/g, 'TIME')

const STRANGERS: readonly [string, Era, Era, (string | undefined)?, (string | undefined)?][] = [
  ['two unnamed callers, legacy', 'legacy', 'legacy'],
  ['two unnamed callers, modern', 'modern', 'modern'],
  ['two unnamed callers of both eras', 'legacy', 'modern'],
  ['two named clients', 'legacy', 'modern', 'ann', 'ben'],
  ['a named client and an unnamed caller', 'legacy', 'modern', 'cleo', undefined],
  ['an unnamed caller and a named client', 'modern', 'legacy', undefined, 'dora'],
]

describe.each(STRANGERS)('%s', (_, eraA, eraB, nameA, nameB) => {
  test('what one made is unknown to the other, byte for byte', async () => {
    const tokenOf = (name: string | undefined) => (name === undefined ? undefined : world.token(name))
    const a = await connect(world.server.url, eraA, await tokenOf(nameA))
    const b = await connect(world.server.url, eraB, await tokenOf(nameB))
    const [seenByA, seenByB] = [await look(a, 'a'), await look(b, 'a')]
    for (const [mine, theirs] of [
      [a, seenByB],
      [b, seenByA],
    ] as const) {
      for (const [name, of, use] of USES) {
        const id = theirs[of] ?? ''
        const other = unknown(id)
        const said = nameless(await mine.say(use(id)), id)
        expect(said, name).toBe(nameless(await mine.say(use(other)), other))
        expect(said, name).toContain('"success":false')
      }
    }
    // Nothing of it has harmed the owners.
    for (const [mine, seen] of [
      [a, seenByA],
      [b, seenByB],
    ] as const) {
      const { data } = await mine.ask({ operation: 'list_executions' })
      expect(data.items.map((each: { execution_id: string }) => each.execution_id)).toEqual([seen.execution])
      expect((await mine.ask(USES[0]?.[2](seen.execution) ?? {})).data.status).toBe('running')
      expect((await mine.ask({ operation: 'introspect', params: { query: 'rest', name: seen.rest } })).success).toBe(
        true,
      )
      expect((await mine.ask({ operation: 'revoke_token', params: { token: seen.token } })).success).toBe(true)
    }
  }, 30_000)
})

test('MCP-25 the handle of another principal is unknown, byte for byte', async () => {
  const owner = await connect(world.server.url, 'modern', await world.token('erna'))
  await look(owner, 'a')
  const handle = owner.session() ?? ''
  for (const token of [undefined, await world.token('fred')]) {
    const stranger = await connect(world.server.url, 'modern', token)
    const other = randomBytes(16).toString('base64url')
    const said = await stranger.say({ operation: 'list_executions', _session: handle })
    expect(nameless(said, handle)).toBe(
      nameless(await stranger.say({ operation: 'list_executions', _session: other }), other),
    )
    expect(said).toContain('NOT_FOUND_RESOURCE')
  }
})

test('MCP-25 an unnamed caller without a handle gets one with the answer that needs it, the same within a batch', async () => {
  const caller = await connect(world.server.url, 'modern')
  const { _meta } = await caller.ask({ operations: [EXPORT, EXPORT, { operation: 'list_things' }] })
  expect(_meta).toEqual({ session_id: expect.stringMatching(/^[\w-]{22}$/) })
  const { halted_at } = await (await connect(world.server.url, 'modern')).ask({
    operations: [EXPORT, { operation: 'delete_thing', params: { thing: 'a' } }],
  })
  const lost = await connect(world.server.url, 'modern')
  expect((await lost.ask({ operation: 'list_executions' })).data.items).toEqual([])
  const found = await lost.ask({ operation: 'list_executions', _session: _meta.session_id })
  expect(found.data.items).toHaveLength(2)
  const { session_id } = halted_at.result.error.details
  expect((await lost.ask({ operation: 'list_executions', _session: session_id })).data.items).toHaveLength(1)
  expect((await lost.ask({ operation: 'list_things', params: { first: 1 } }))._meta).toBeUndefined()
})

test('AUDIT-07 what an unnamed caller without a handle starts is recorded under the handle that it gets', async () => {
  const { _meta } = await (await connect(world.server.url, 'modern')).ask(EXPORT)
  const trail = (await world.store.trail.read()).map(({ entry }) => entry)
  const its = trail.filter(({ session_id }) => session_id === _meta.session_id)
  expect(its.map(({ event, outcome }) => [event, outcome])).toEqual(
    expect.arrayContaining([
      ['OPERATION_INTENT', 'allowed'],
      ['OPERATION_CALLED', 'started'],
    ]),
  )
  const strange = trail.filter(({ operation }) => operation === 'run_export').map(({ session_id }) => session_id)
  expect(strange).not.toContain('none')
  expect(strange).not.toContain('principal:anonymous')
})

test('sessions of one named client see and control its executions, but not its rests and questions', async () => {
  const token = await world.token('gina')
  const [a, b] = [await connect(world.server.url, 'legacy', token), await connect(world.server.url, 'modern', token)]
  const seen = await look(a, 'a')
  const { data } = await b.ask({ operation: 'list_executions' })
  expect(data.items.map((each: { execution_id: string }) => each.execution_id)).toEqual([seen.execution])
  const stopped = await b.ask({ operation: 'cancel_execution', params: { execution_id: seen.execution } })
  expect(stopped.data.status).toBe('cancelled')
  expect((await b.ask({ operation: 'introspect', params: { query: 'rest', name: seen.rest } })).success).toBe(false)
  expect((await b.ask({ operation: 'revoke_token', params: { token: seen.token } })).error.code).toBe('TOKEN_INVALID')
})

test('cursors carry positions and no rights', async () => {
  const [a, b] = [await connect(world.server.url, 'legacy'), await connect(world.server.url, 'legacy')]
  for (let i = 0; i < 3; i++) await a.ask(EXPORT)
  const page = { operation: 'list_executions', params: { first: 1 } }
  const { data } = await a.ask(page)
  const after = data.pageInfo?.endCursor ?? data.next_cursor ?? data.endCursor
  expect(after).toEqual(expect.any(String))
  const stolen = await b.ask({ operation: 'list_executions', params: { first: 5, after } })
  expect(stolen.data.items).toEqual([])
})

test('approving the request of one caller runs nothing for another', async () => {
  const [a, b] = [await connect(world.server.url, 'legacy'), await connect(world.server.url, 'legacy')]
  const { error } = await a.ask({ operation: 'delete_thing', params: { thing: 'mine' } })
  await decide(world.runtime, error.details.approval_id)
  const redeem = {
    operation: 'delete_thing',
    params: { thing: 'mine' },
    _confirmation: error.details.confirmation_token,
  }
  expect((await b.ask(redeem)).error.code).toBe('TOKEN_INVALID')
  expect((await a.ask(redeem)).success).toBe(true)
  expect(world.runs.filter((each) => each === 'mine')).toHaveLength(1)
})
