import { describe, expect, test } from 'vitest'
import { createOperator } from '../../../src/core/operator/operator.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { decide, withToken } from '../../approve.ts'
import { createMemoryStore } from '../../support.ts'
import { asking, DELETING, type GateWorld, openGateWorld, readableWhile, START } from './gate-world.ts'

const WRITING = asking('create_thing')
const READING = asking('get_thing')

function operatorOf(store: Store) {
  return createOperator({ store, clock: { now: () => START } } as Parameters<typeof createOperator>[0])
}

async function trust(store: Store, level: 'generated' | 'untested'): Promise<void> {
  const { trusts } = operatorOf(store)
  const [known] = await trusts.list()
  const order = {
    adapter: 'note-book',
    level,
    hash: known?.source.hash ?? '',
    reason: 'r',
    by: 'o',
    channel: 'console',
  }
  expect(await trusts.set(order)).toMatchObject({ kind: 'set' })
}

/** A world whose lock is held until `release`. */
async function heldWorld(
  more: {
    readonly store?: Store
    readonly timeoutMs?: number
    readonly rate_limits?: Readonly<Record<string, unknown>>
  } = {},
) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { store = createMemoryStore(), timeoutMs = 30_000, ...change } = more
  const slow = { name: 'create_slowly', handler: () => held.then(() => ({})) }
  const world = await openGateWorld({ store, timeoutMs, auditReads: true, mode: 'single' }, [slow], {
    concurrency: 'serialized',
    ...change,
  })
  const holding = world.outcome(asking('create_slowly'))
  return { ...world, release, holding }
}

const policy = (operation: string, permission: 'deny' | 'confirm') => ({ operation, permission })
const deny = (operation: string) => (world: GateWorld) => world.runtime.addPolicies([policy(operation, 'deny')])
const block = ({ store, session: { principal } }: GateWorld) =>
  operatorOf(store).blocks.block({
    agentKey: principal,
    name: principal,
    principal,
    by: 'operator',
    channel: 'terminal',
    reason: 'acts on text from a ticket',
  })

describe('GATE-07 a call that waited for its turn runs only if it may when its turn comes', () => {
  test.each<[string, object, (world: GateWorld) => Promise<unknown>, string, RegExp]>([
    ['a policy denies a write', WRITING, deny('create_thing'), 'PERMISSION_DENIED', /policy 'create_thing' says deny/],
    ['a policy denies a READ', READING, deny('get_thing'), 'PERMISSION_DENIED', /policy 'get_thing' says deny/],
    ['a policy denies what was approved', DELETING, deny('delete_*'), 'PERMISSION_DENIED', /policy 'delete_\*' says/],
    [
      'a policy wants a human for it',
      WRITING,
      ({ runtime }) => runtime.addPolicies([policy('create_thing', 'confirm')]),
      'PERMISSION_DENIED',
      /came to need the approval of a human/,
    ],
    [
      'its source is trusted less',
      WRITING,
      ({ store }) => trust(store, 'generated'),
      'PERMISSION_DANGER_LEVEL_DENIED',
      /nothing was run/,
    ],
    [
      'its source is trusted less than an approval can make good',
      DELETING,
      ({ store }) => trust(store, 'untested'),
      'PERMISSION_DANGER_LEVEL_DENIED',
      /nothing was run/,
    ],
    ['its agent is blocked', WRITING, block, 'PERMISSION_AGENT_BLOCKED', /nothing was run/],
  ])('%s', async (_, args, change, code, reason) => {
    const world = await heldWorld()
    let waiting: Promise<string>
    if (args === DELETING) {
      const { approval_id, confirmation_token } = await world.demand(DELETING)
      await decide(world.runtime, approval_id)
      waiting = world.outcome(withToken(DELETING, confirmation_token))
      const intents = async () => (await world.trail('OPERATION_INTENT')).map(({ operation }) => operation)
      await expect.poll(intents).toContain('delete_thing')
    } else waiting = world.outcome(args)
    await new Promise(setImmediate)
    await change(world)
    await new Promise((resolve) => setTimeout(resolve, 300)) // a plain call knows the trust of a moment ago
    world.release()
    expect(await waiting).toBe(code)
    expect(world.ran).toEqual([])
    await world.runtime.close()
    const { operation } = args as { operation: string }
    const told = (await world.trail()).filter((entry) => entry.operation === operation && entry.reason !== undefined)
    const end = told.filter(({ event }) => event === 'OPERATION_OUTCOME' || event === 'OPERATION_DENIED')
    const outcome = args === DELETING ? { event: 'OPERATION_OUTCOME', outcome: 'failure' } : { outcome: 'denied' }
    expect(end).toMatchObject([{ ...outcome, error_code: code, reason: expect.stringMatching(reason) }])
    expect([await world.store.list('intent'), await world.store.list('unknown')]).toEqual([[], []])
    const requests = await world.store.list<{ outcome?: string }>('request')
    expect(requests.map(({ value }) => value.outcome)).toEqual(args === DELETING ? ['failure'] : [])
  })

  test('AUDIT-10 a write whose record could not be kept any more is not run', async () => {
    const memory = createMemoryStore()
    let isFull = false
    const world = await heldWorld({ store: { ...memory, hasRoom: () => !isFull } })
    const waiting = world.outcome(WRITING)
    await new Promise(setImmediate)
    isFull = true
    world.pass(1)
    world.release()
    expect(await waiting).toBe('INTERNAL_ERROR')
    expect(world.ran).toEqual([])
    isFull = false
    expect(await world.outcome(WRITING)).toBe('done')
  })

  test('GATE-11 where it cannot be decided, nothing is run, and the next one has its turn', async () => {
    let isBroken = false
    const world = await heldWorld({ store: readableWhile(createMemoryStore(), () => !isBroken) })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    const waiting = world.outcome(withToken(DELETING, confirmation_token))
    const intents = async () => (await world.trail('OPERATION_INTENT')).map(({ operation }) => operation)
    await expect.poll(intents).toContain('delete_thing')
    isBroken = true
    world.release()
    expect(await waiting).toBe('INTERNAL_ERROR')
    isBroken = false
    expect(world.ran).toEqual([])
    expect(await world.outcome(WRITING)).toBe('done')
  })

  test('RATE-03 what is refused then gives its place in the quota back', async () => {
    const world = await heldWorld({ rate_limits: { requests_per_minute: 2 } })
    const waiting = world.outcome(WRITING)
    await expect.poll(async () => (await world.outcome(READING)) === 'RATE_LIMIT_EXCEEDED').toBe(true)
    await world.runtime.addPolicies([policy('create_thing', 'deny')])
    world.release()
    expect([await world.holding, await waiting]).toEqual(['done', 'PERMISSION_DENIED'])
    expect(await world.outcome(READING)).toBe('done')
  })

  test('nothing else has changed: it runs, in its turn', async () => {
    const world = await heldWorld()
    const waiting = [world.outcome(READING), world.outcome(WRITING)]
    await new Promise(setImmediate)
    await world.runtime.addPolicies([policy('delete_thing', 'deny')])
    world.release()
    expect(await Promise.all(waiting)).toEqual(['done', 'done'])
    expect(world.ran.map(([operation]) => operation)).toEqual(['get_thing', 'create_thing'])
  })
})

describe('AUDIT-03 a call that leaves the queue is recorded with why nothing was run', () => {
  test.each<[string, (world: GateWorld, leaving: AbortController) => unknown, string]>([
    ['its caller leaves', (_, leaving) => leaving.abort(), 'its caller has left'],
    ['its session ends', ({ runtime, session }) => runtime.closeSession(session), 'its session has ended'],
    ['its queue does not move', () => {}, 'the call before it has not ended within 300 ms'],
  ])('%s', async (_, leave, reason) => {
    const world = await heldWorld({ timeoutMs: 300 })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    const leaving = new AbortController()
    const { signal } = leaving
    const waiting = [WRITING, READING, withToken(DELETING, confirmation_token)].map((args) =>
      world.outcome(args, { signal }),
    )
    const intents = async () => (await world.trail('OPERATION_INTENT')).map(({ operation }) => operation)
    await expect.poll(intents).toContain('delete_thing')
    await leave(world, leaving)
    expect(await Promise.all(waiting)).toEqual(Array(3).fill('INTERNAL_ERROR'))
    world.release()
    await world.holding
    await world.runtime.close()
    expect(world.ran).toEqual([])
    const told = (await world.trail('OPERATION_CALLED', 'OPERATION_OUTCOME')).map(({ operation, outcome, ...more }) => [
      operation,
      outcome,
      more.reason,
    ])
    const expected = ['get_thing', 'create_thing', 'delete_thing'].map((operation) => [
      operation,
      'failure',
      `nothing was run: ${reason}`,
    ])
    expect(told.filter(([operation]) => operation !== 'create_slowly')).toEqual(expect.arrayContaining(expected))
    const unknown = await world.store.list<{ operation: string }>('unknown')
    expect(unknown.filter(({ value }) => value.operation !== 'create_slowly')).toEqual([])
  })
})
