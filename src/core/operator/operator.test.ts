import { describe, expect, test } from 'vitest'
import { aRequest, aSource, ask, block, record } from '../../../test/e2e/console-seed.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { attentionRef, withPrompt } from '../gatekeeper/attention.ts'
import { humanDecision } from '../ports/human.ts'
import { findConsole, publishConsole, withdrawConsole } from './console-record.ts'
import { createOperator } from './operator.ts'
import { sourceRef } from './source-record.ts'
import type { Happening } from './watch.ts'

const NOW = Date.UTC(2026, 4, 1, 12)
const iso = (ago: number) => new Date(NOW - ago).toISOString()

function stage() {
  const store = createMemoryStore()
  const time = { now: NOW }
  const operator = createOperator({ store, clock: { now: () => time.now }, pollMs: 10 })
  return { store, operator, time }
}

const CALL = { operation: 'delete_row', adapter_name: 'db', danger_level: 2, user_id: 'svc', session_id: 's1' } as const
const ADMIN = { subject: 'operator', channel: 'console', role: 'admin' } as const

test('SELF-10 health names the clients that may answer forms as they are now', async () => {
  const { store, operator } = stage()
  const source = aSource(NOW, { channels: [] })
  await store.update({ source: sourceRef(source.adapter) }, () => ({ next: { source }, result: undefined }))
  const forms = async () => (await operator.health()).channels.filter(({ name }) => name === 'elicitation')
  expect(await forms()).toEqual([])
  const by = { by: 'operator', channel: 'terminal' }
  await operator.clients.add({ ...by, name: 'plain', elicitation: false })
  expect(await forms()).toEqual([])
  await operator.clients.add({ ...by, name: 'late', elicitation: true })
  expect(await forms()).toMatchObject([{ adapter: source.adapter, classes: ['C1'], note: 'a form in late, over HTTP' }])
  await operator.clients.revoke({ ...by, name: 'late' })
  expect(await forms()).toEqual([])
})

describe('the inbox', () => {
  test('SELF-13 open requests stand by expiry, held ones are counted, old ones fold away', async () => {
    const { store, operator } = stage()
    const late = await ask(store, aRequest(NOW, { params: { n: 1 }, expiresAt: NOW + 200_000 }))
    const soon = await ask(store, aRequest(NOW, { params: { n: 2 }, expiresAt: NOW + 100_000 }))
    const third = await ask(store, aRequest(NOW, { params: { n: 3 }, shown: false }))
    const fourth = await ask(store, aRequest(NOW, { params: { n: 4 }, shown: false, operation: 'drop' }))
    const old = await ask(store, aRequest(NOW, { params: { n: 5 }, expiresAt: NOW - 1 }))
    await ask(store, aRequest(NOW, { params: { n: 6 }, expiresAt: NOW - 4_000_000 }))
    const inbox = await operator.inbox()
    expect(inbox.open.map(({ id }) => id)).toEqual([soon.id, late.id])
    expect(inbox.recent.map(({ id }) => id)).toEqual([old.id])
    expect(inbox.held).toEqual([
      {
        principal: 'svc-release@acme',
        count: 2,
        operations: [
          { operation: 'delete_branch', count: 1 },
          { operation: 'drop', count: 1 },
        ],
        first: expect.arrayContaining([third, fourth].map(({ id }) => expect.objectContaining({ id }))),
      },
    ])
    const by = { subject: 'operator', channel: 'console', role: 'admin' } as const
    expect(await operator.decide(third.id, humanDecision({ decision: 'deny', by }))).toMatchObject({ kind: 'decided' })
    expect((await operator.inbox()).held).toMatchObject([{ count: 1 }])
  })

  test('SELF-13 a request that time has let through is shown, though nobody has written it', async () => {
    const { store, operator, time } = stage()
    const waits = await ask(store, aRequest(NOW, { shown: false, expiresAt: NOW + 900_000 }))
    let attention = undefined as ReturnType<typeof withPrompt> | undefined
    for (const id of ['a', 'b', 'c', 'd', 'e']) attention = withPrompt(attention, { id, expiresAt: NOW + 60_000 }, NOW)
    attention = withPrompt(attention, { id: waits.id, expiresAt: waits.expiresAt }, NOW)
    await store.update({ it: attentionRef(waits.principal) }, () => ({ next: { it: attention }, result: undefined }))
    expect((await operator.inbox()).open).toEqual([])
    time.now = NOW + 60_001
    expect((await operator.inbox()).open.map(({ id }) => id)).toEqual([waits.id])
  })

  test('an unknown outcome waits until somebody has recorded what they found', async () => {
    const { store, operator } = stage()
    await record(store, { ...CALL, timestamp: iso(9), event: 'OPERATION_OUTCOME', outcome: 'success' })
    await record(store, { ...CALL, timestamp: iso(8), event: 'OPERATION_OUTCOME', outcome: 'unknown' })
    expect(await operator.unknownOutcomes()).toMatchObject([{ seq: 2, operation: 'delete_row' }])
    const finding = { happened: true, note: 'The row is gone', by: 'operator', channel: 'console' }
    expect(await operator.recordFinding(1, finding)).toBe('unknown')
    expect(await operator.recordFinding(2, finding)).toBe('recorded')
    expect(await operator.unknownOutcomes()).toEqual([])
    expect((await operator.entry(3))?.entry).toMatchObject({
      event: 'OUTCOME_FINDING',
      outcome: 'happened',
      finding_for: 2,
      operator: 'operator',
      reason: 'The row is gone',
    })
  })
})

describe('one request', () => {
  test('reading parameters is recorded, once for each looking and version', async () => {
    const { store, operator } = stage()
    const { id } = await ask(store, aRequest(NOW))
    const viewer = { subject: 'operator', channel: 'console', view: 'v1' }
    await operator.request(id, viewer)
    await operator.request(id, viewer)
    expect(await store.trail.read({ events: ['REQUEST_VIEWED'] })).toHaveLength(1)
    await operator.request(id, { ...viewer, view: 'v2' })
    const viewed = await store.trail.read({ events: ['REQUEST_VIEWED'] })
    expect(viewed).toHaveLength(2)
    expect(viewed[0]?.entry).toMatchObject({ approval_id: id, operator: 'operator', channel: 'console' })
    expect(await operator.request('nothing', viewer)).toBeUndefined()
  })

  test.each([
    ['destructive', 'C1', 'operation', true],
    ['dangerous', 'C2', 'operation', false],
    ['destructive', 'C3', 'operation', false],
    ['destructive', 'C1', 'pause', false],
  ] as const)('TOK-14 %s %s %s: for the session %s', async (level, cls, kind, allowed) => {
    const { store, operator } = stage()
    const { id } = await ask(store, aRequest(NOW, { level, class: cls, kind }))
    const view = await operator.request(id, { subject: 'operator', channel: 'console', view: 'v' })
    expect(view?.session.allowed).toBe(allowed)
  })

  test('BLOCK-10 a denial as manipulated stops the agent, another denial does not', async () => {
    const { store, operator } = stage()
    const first = await ask(store, aRequest(NOW, { params: { n: 1 } }))
    await operator.decide(first.id, humanDecision({ decision: 'deny', by: ADMIN }))
    expect(await operator.blocks.list()).toEqual([])
    const second = await ask(store, aRequest(NOW, { params: { n: 2 } }))
    await operator.decide(second.id, humanDecision({ decision: 'deny', manipulated: true, by: ADMIN }))
    expect(await operator.blocks.list()).toMatchObject([{ agentKey: 'svc-release@acme', trigger: 'operator' }])
  })
})

test('the agents of a day: who waits, who is blocked, what they did', async () => {
  const { store, operator } = stage()
  await record(
    store,
    { ...CALL, timestamp: iso(90_000_000), event: 'OPERATION_CALLED', user_id: 'long-ago' },
    { ...CALL, timestamp: iso(5_000_000), event: 'CONFIRMATION_REQUIRED' },
    { ...CALL, timestamp: iso(4_000_000), event: 'CONFIRMATION_GRANTED', operator: 'operator' },
    { ...CALL, timestamp: iso(3_000_000), event: 'OPERATION_OUTCOME', outcome: 'success' },
  )
  await ask(store, aRequest(NOW))
  await block(store, NOW, 'scout', 'rm -rf /')
  const agents = await operator.agents()
  expect(agents.map(({ name, state, day }) => [name, state, day])).toEqual([
    ['scout', 'blocked', { asked: 0, approved: 0, denied: 0, ran: 0 }],
    ['svc-release@acme', 'waiting', { asked: 1, approved: 0, denied: 0, ran: 0 }],
    ['svc', 'idle', { asked: 1, approved: 1, denied: 0, ran: 1 }],
  ])
})

describe('policies', () => {
  const stageWithCalls = async () => {
    const { store, operator } = stage()
    await record(
      store,
      { ...CALL, timestamp: iso(9_000), event: 'CONFIRMATION_REQUIRED' },
      { ...CALL, timestamp: iso(8_000), event: 'CONFIRMATION_REQUIRED', operation: 'delete_table' },
      { ...CALL, timestamp: iso(7_000), event: 'OPERATION_DENIED', operation: 'delete_database' },
      { ...CALL, timestamp: iso(6_000), event: 'OPERATION_CALLED', operation: 'update_row' },
      {
        ...CALL,
        timestamp: iso(5_000),
        event: 'OPERATIONS_COUNTED',
        operation: 'list_rows',
        danger_level: 0,
        calls: 40,
      },
      { ...CALL, timestamp: iso(700_000_000), event: 'CONFIRMATION_REQUIRED', operation: 'delete_long_ago' },
    )
    return { store, operator }
  }

  test.each([
    ['delete_*', 'deny', 3, 2],
    ['delete_*', 'confirm', 3, 0],
    ['*', 'confirm', 44, 41],
    ['*', 'allow', 44, 0],
    ['drop_*', 'deny', 0, 0],
  ] as const)(
    'what %s %s would have changed: a draft only tightens',
    async (operation, permission, matched, changed) => {
      const { operator } = await stageWithCalls()
      expect(await operator.replay({ operation, permission }, 7)).toMatchObject({
        total: 44,
        matched,
        changed,
        isWhole: true,
      })
    },
  )

  test('records in force, with the calls of a week that they name', async () => {
    const { store, operator } = await stageWithCalls()
    const policies = [{ operation: 'delete_*', permission: 'confirm' as const, place: 'policies.yaml:3' }]
    await store.update({ it: sourceRef('db') }, () => ({
      next: { it: aSource(NOW, { adapter: 'db', policies }) },
      result: undefined,
    }))
    expect(await operator.policies()).toEqual([
      { adapter: 'db', operation: 'delete_*', permission: 'confirm', place: 'policies.yaml:3', calls: 3 },
    ])
  })
})

test('AUDIT-09 the state of the chain', async () => {
  const { store, operator } = stage()
  await record(store, { ...CALL, timestamp: iso(1), event: 'OPERATION_CALLED' })
  expect(await operator.chain()).toEqual({ head: 1, verifiedTo: 1, verifiedAt: NOW, isRunning: false })
  const read = store.trail.read.bind(store.trail)
  const forged = {
    ...store,
    trail: {
      ...store.trail,
      read: async (query = {}) => (await read(query)).map((each) => ({ ...each, hash: 'f'.repeat(64) })),
    },
  }
  const watcher = createOperator({ store: forged, clock: { now: () => NOW } })
  expect(await watcher.chain()).toMatchObject({ verifiedTo: 0, brokenAt: 1 })
})

test('what another process writes is noticed, by ids alone', async () => {
  const { store, operator } = stage()
  const heard: Happening[] = []
  const stop = operator.watch.subscribe((happening) => heard.push(happening))
  await new Promise((resolve) => setTimeout(resolve, 30))
  const { id } = await ask(store, aRequest(NOW))
  await record(store, { ...CALL, timestamp: iso(1), event: 'OPERATION_CALLED', approval_id: '<img src=x>' })
  await expect
    .poll(() => heard)
    .toEqual([
      { seq: 1, kind: 'request', id },
      { seq: 2, kind: 'trail', id: '' },
    ])
  stop()
  expect(await operator.watch.since(1)).toEqual([{ seq: 2, kind: 'trail', id: '' }])
  operator.close()
})

test('a console is found while whoever opened it still runs', async () => {
  const { store } = stage()
  expect(await findConsole(store)).toBeUndefined()
  await publishConsole(store, 'http://127.0.0.1:7421/', NOW)
  expect(await findConsole(store)).toMatchObject({ url: 'http://127.0.0.1:7421/' })
  await withdrawConsole(store)
  expect(await findConsole(store)).toBeUndefined()
})
