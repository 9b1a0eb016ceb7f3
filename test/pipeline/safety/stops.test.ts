import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createOperator, type Operator } from '../../../src/core/operator/operator.ts'
import { humanDecision } from '../../../src/core/ports/human.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { agentKey } from '../../../src/core/verification/agent-key.ts'
import { blockAgent } from '../../../src/core/verification/block.ts'
import { reveal } from '../../../src/core/verification/reveal.ts'
import { SAFETY_MODES, type SafetyMode } from '../../../src/protocol/directive.ts'
import { openSqliteStore } from '../../../src/store/sqlite.ts'
import { decide, withToken } from '../../approve.ts'
import { createMemoryStore } from '../../support.ts'
import { type Acting, asking, DELETING, type GateWorld, openGateWorld, START } from '../gate/gate-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-stops-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const BY = { by: 'operator', channel: 'terminal', reason: 'acts on text from a ticket' } as const
const BLOCKED = 'PERMISSION_AGENT_BLOCKED'
const READING = asking('get_thing')
const WRITING = asking('create_thing')

function operatorOf(store: Store): Operator {
  return createOperator({ store, clock: { now: () => START } } as Parameters<typeof createOperator>[0])
}

/** `mcpaql block --principal`, or of an agent by its name. */
async function block(store: Store, principal: string, name?: string): Promise<void> {
  const key = name === undefined ? principal : agentKey(principal, name)
  await operatorOf(store).blocks.block({ ...BY, agentKey: key, name: name ?? principal, principal })
}

function lift(store: Store, key: string) {
  return operatorOf(store).blocks.lift({ ...BY, agentKey: key })
}

const MODES = SAFETY_MODES.map((mode) => [mode] as const)
const inMode = (mode: SafetyMode, more: readonly Acting[] = [], store: Store = createMemoryStore()) =>
  openGateWorld({ store, safety: { mode }, auditReads: true, mode: 'single' }, more)

describe.each(MODES)('R-25, BLOCK-10 a stop by the operator holds while the loop is %s', (mode) => {
  test.each([
    ['a principal', undefined],
    ['an agent by a name that is only its own word', 'deploy-bot'],
  ])('of %s: reads, writes, batches and rests are refused, introspection is not', async (_, name) => {
    const world = await inMode(mode)
    const { store, outcome, ask, session, ran } = world
    expect(await outcome(READING)).toBe('done')
    await block(store, session.principal, name)
    for (const args of [READING, WRITING, DELETING]) expect(await outcome(args)).toBe(BLOCKED)
    const batch = (await ask({ operations: [READING, WRITING] })).result as { results?: readonly { error?: object }[] }
    expect(JSON.stringify(batch.results?.[0])).toContain(BLOCKED)
    const parallel = (await ask({ operations: [READING, READING], parallel: true })).result as typeof batch
    expect(JSON.stringify(parallel.results)).not.toContain('did')
    expect(await outcome({ operation: 'introspect', params: { query: 'operations' } })).toBe('done')
    expect(await outcome({ operation: 'introspect', params: { query: 'rest', name: 'x' } })).toBe(BLOCKED)
    expect(ran.map(([operation]) => operation)).toEqual(['get_thing'])
  })

  test('another session and no session of the principal are stopped too, another principal is not', async () => {
    const { store, runtime, outcome, session } = await inMode(mode)
    await block(store, session.principal)
    const next = runtime.openSession(session.principal)
    expect(await outcome(READING, { session: next })).toBe(BLOCKED)
    expect(await outcome(READING, { session: runtime.anonymous(session.principal) })).toBe(BLOCKED)
    expect(await outcome(READING, { session: runtime.openSession('somebody else') })).toBe('done')
  })

  test('the refusal is recorded, says who stopped it and what to do, and ends with the block', async () => {
    const { store, ask, outcome, session, trail, runtime } = await inMode(mode)
    await block(store, session.principal)
    const { error } = (await ask(READING)).result
    expect(error?.details).toMatchObject({ reason: BY.reason, element_name: session.principal })
    expect(String(error?.details?.next)).toContain('only the operator')
    expect(await lift(store, session.principal)).toBe('lifted')
    expect(await outcome(READING)).toBe('done')
    await runtime.close()
    expect(await trail('OPERATION_DENIED')).toContainEqual(
      expect.objectContaining({ operation: 'get_thing', reason: expect.stringContaining('is blocked') }),
    )
  })

  test('TOK-15, BLOCK-07 what was approved before runs neither during the block nor after it', async () => {
    const { store, demand, outcome, session, runtime, ran } = await inMode(mode)
    const { approval_id, confirmation_token } = await demand(DELETING)
    await decide(runtime, approval_id)
    await block(store, session.principal)
    expect(await outcome(withToken(DELETING, confirmation_token))).toBe(BLOCKED)
    await lift(store, session.principal)
    expect(await outcome(withToken(DELETING, confirmation_token))).toBe('TOKEN_INVALID')
    expect(ran).toEqual([])
  })

  test('a denial as manipulated is such a stop', async () => {
    const { store, demand, outcome, session } = await inMode(mode)
    const { approval_id } = await demand(DELETING)
    const by = { subject: 'operator', channel: 'console', role: 'admin' } as const
    const decision = humanDecision({ decision: 'deny', manipulated: true, by })
    expect(await operatorOf(store).decide(approval_id, decision)).toMatchObject({ kind: 'decided' })
    expect(session.principal).toBe((await operatorOf(store).blocks.list())[0]?.principal)
    expect(await outcome(READING)).toBe(BLOCKED)
  })

  test('a call that waits for a human ends refused', async () => {
    const { store, demand, ask, session } = await openGateWorld({
      store: createMemoryStore(),
      safety: { mode },
      clock: { now: Date.now },
    })
    const { confirmation_token } = await demand(DELETING)
    const waiting = ask({ ...withToken(DELETING, confirmation_token), _wait_seconds: 30 })
    await new Promise((wake) => setTimeout(wake, 50))
    await block(store, session.principal)
    expect((await waiting).result.error?.code).toBe(BLOCKED)
  })

  test('a handler that runs is told to stop, and its effect is recorded as unknown', async () => {
    let begun = () => {}
    const running = new Promise<void>((resolve) => {
      begun = resolve
    })
    let wasAborted = false
    const slow: Acting = {
      name: 'slow_thing',
      category: 'DELETE',
      handler: (_, { signal }) =>
        new Promise((resolve) => {
          begun()
          signal.addEventListener('abort', () => {
            wasAborted = true
            resolve({ done: true })
          })
        }),
    }
    const { store, demand, ask, runtime, session, trail } = await inMode(mode, [slow])
    const { approval_id, confirmation_token } = await demand(asking('slow_thing'))
    await decide(runtime, approval_id)
    const going = ask(withToken(asking('slow_thing'), confirmation_token))
    await running
    await block(store, session.principal)
    const { error } = (await going).result
    expect(error).toMatchObject({ code: BLOCKED, details: { effect: expect.stringContaining('not known') } })
    expect(wasAborted).toBe(true)
    expect(await trail('OPERATION_OUTCOME')).toContainEqual(expect.objectContaining({ outcome: 'unknown' }))
  })

  test('a call in the queue behind another is never run', async () => {
    let free = () => {}
    const held = new Promise<void>((resolve) => {
      free = resolve
    })
    const slow: Acting = { name: 'slow_thing', handler: () => held.then(() => ({})) }
    const { store, ask, session, ran } = await inMode(mode, [slow])
    const first = ask(asking('slow_thing'))
    const second = ask(WRITING)
    await block(store, session.principal)
    free()
    expect((await second).result.error?.code).toBe(BLOCKED)
    expect((await first).result.error?.code).toBe(BLOCKED)
    expect(ran).toEqual([])
  })

  test('work under way is cancelled', async () => {
    let aborted: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      aborted = resolve
    })
    const long: Acting = {
      name: 'start_thing',
      category: 'EXECUTE',
      lifecycle: { states: ['pending', 'running', 'completed', 'failed', 'cancelled'], supports_cancel: true },
      handler: (_, { run }) =>
        run(
          ({ signal }) =>
            new Promise((_, reject) =>
              signal.addEventListener('abort', () => {
                reject(signal.reason)
                aborted()
              }),
            ),
        ),
    }
    const { store, ask, session, outcome, runtime } = await inMode(mode, [long])
    const started = await ask(asking('start_thing'))
    const id = (started.result.data as { execution_id: string }).execution_id
    await block(store, session.principal)
    await ended
    expect(await outcome({ operation: 'get_execution_state', params: { execution_id: id } })).not.toBe('done')
    await lift(store, session.principal)
    const statuses = async () =>
      (await store.list<{ status: string }>(`execution:${runtime.adapter.name}`)).map(({ value }) => value.status)
    await expect.poll(statuses).toEqual(['cancelled'])
  })
})

describe('at the next request of every process of the store', () => {
  test.each(MODES)('%s: the very next call after the commit of another connection is refused', async (mode) => {
    const file = join(folder, `${mode}.db`)
    const [here, there] = [await openSqliteStore(file), await openSqliteStore(file)]
    const { outcome, session, runtime } = await inMode(mode, [], here)
    for (let round = 0; round < 5; round++) {
      expect(await outcome(READING)).toBe('done')
      await block(there, session.principal)
      expect(await outcome(READING)).toBe(BLOCKED)
      expect(await outcome(READING)).toBe(BLOCKED)
      await lift(there, session.principal)
    }
    expect(await outcome(READING)).toBe('done')
    await runtime.close()
    await here.close()
    await there.close()
  })

  test('work that makes no request is cancelled as well', async () => {
    const file = join(folder, 'running.db')
    const [here, there] = [await openSqliteStore(file), await openSqliteStore(file)]
    let aborted: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      aborted = resolve
    })
    const slow: Acting = {
      name: 'slow_thing',
      handler: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(aborted()))),
    }
    const { ask, session, runtime } = await inMode('disabled', [slow], here)
    const going = ask(asking('slow_thing'))
    await block(there, session.principal)
    await ended
    expect((await going).result.error?.code).toBe(BLOCKED)
    await runtime.close()
    await here.close()
    await there.close()
  })

  test('a call that gets its turn right after the commit of another process is not run', async () => {
    const file = join(folder, 'turn.db')
    const [here, there] = [await openSqliteStore(file), await openSqliteStore(file)]
    let free = () => {}
    const held = new Promise<void>((resolve) => {
      free = resolve
    })
    const slow: Acting = { name: 'slow_thing', handler: () => held.then(() => ({})) }
    const { ask, session, runtime, ran } = await inMode('disabled', [slow], here)
    const first = ask(asking('slow_thing'))
    const second = ask(WRITING)
    const { principal } = session
    await blockAgent(there, { now: () => START }, 'b1', { ...BY, agentKey: principal, name: principal, principal })
    free()
    expect((await second).result.error?.code).toBe(BLOCKED)
    await first
    expect(ran).toEqual([])
    await runtime.close()
    await here.close()
    await there.close()
  })

  test('TOK-13 a block that is committed while a token is redeemed wins, or comes after the effect', async () => {
    const store = createMemoryStore()
    let isArmed = false
    const racing: Store = {
      ...store,
      async update(refs, change) {
        if (isArmed && 'intent' in refs) {
          isArmed = false
          const { principal } = session
          await blockAgent(store, { now: () => START }, 'b1', {
            ...BY,
            agentKey: principal,
            name: principal,
            principal,
          })
        }
        return store.update(refs, change)
      },
    }
    const { demand, outcome, runtime, session, ran } = await inMode('disabled', [], racing)
    const { approval_id, confirmation_token } = await demand(DELETING)
    await decide(runtime, approval_id)
    isArmed = true
    expect(await outcome(withToken(DELETING, confirmation_token))).toBe(BLOCKED)
    expect(ran).toEqual([])
  })

  test('GATE-11 blocks that cannot be read refuse reads too', async () => {
    const store = createMemoryStore()
    let isBroken = false
    const broken: Store = {
      ...store,
      follow: (ref, onChange) => {
        const followed = store.follow(ref, onChange)
        return {
          ...followed,
          current() {
            if (isBroken) throw new Error('unreadable')
            return followed.current()
          },
        }
      },
    }
    const { outcome } = await inMode('disabled', [], broken)
    isBroken = true
    expect(await outcome(READING)).toBe('INTERNAL_ERROR')
    isBroken = false
    expect(await outcome(READING)).toBe('done')
  })
})

describe('R-25, BLOCK-06 what the loop itself has set', () => {
  const stopItself = async (world: GateWorld) => {
    const start = { operation: 'execute_agent', params: { element_name: 'bot' } }
    await world.approved(start)
    const step = {
      operation: 'record_execution_step',
      params: { element_name: 'bot', next_action_hint: 'rm -rf / --no-preserve-root' },
    }
    const { result } = await world.ask(step)
    expect(result.data).toMatchObject({ autonomy: { stopped: true } })
  }

  test('8.6.4, BLOCK-02 a hard-blocked agent reads no more', async () => {
    const world = await inMode('enforcing')
    await stopItself(world)
    expect(await world.outcome(READING)).toBe(BLOCKED)
    expect(await world.outcome(WRITING)).toBe(BLOCKED)
  })

  test('holds where it is enforcing, stays stored in weaker modes, and applies again afterwards', async () => {
    const store = createMemoryStore()
    const first = await inMode('enforcing', [], store)
    await stopItself(first)
    for (const mode of ['monitoring', 'logging', 'disabled'] as const)
      expect(await (await inMode(mode, [], store)).outcome(READING)).toBe('done')
    const again = await inMode('enforcing', [], store)
    expect(await again.outcome(READING)).toBe(BLOCKED)
    await block(store, again.session.principal, 'bot')
    expect(await (await inMode('disabled', [], store)).outcome(READING)).toBe(BLOCKED)
  })

  const startCat = { operation: 'execute_agent', params: { element_name: 'cat' } }
  const reportAsCat = {
    operation: 'record_execution_step',
    params: { element_name: 'cat', next_action_hint: 'get_thing a' },
  }

  test('BLOCK-02, BLOCK-06, LOOP-20 a name held in reserve, aborts and completions free nobody', async () => {
    const world = await inMode('enforcing')
    const { outcome, ask, ran } = world
    await world.approved(startCat)
    world.pass(1)
    await stopItself(world)
    const isStopped = async () => {
      const { result } = await ask(reportAsCat)
      expect(JSON.stringify(result)).not.toContain('"continue":true')
      for (const args of [READING, WRITING, DELETING]) expect(await outcome(args)).toBe(BLOCKED)
      expect(JSON.stringify((await ask({ operations: [READING] })).result)).toContain(BLOCKED)
    }
    await isStopped()
    expect(await outcome({ operation: 'abort_execution', params: { element_name: 'bot' } })).toBe('done')
    await isStopped()
    expect(await outcome({ operation: 'complete_execution', params: { element_name: 'cat' } })).toBe('done')
    await isStopped()
    for (const name of ['bot', 'cat', 'dog'])
      expect(await outcome({ operation: 'execute_agent', params: { element_name: name } })).toBe(BLOCKED)
    expect(ran).toEqual([])
    await lift(world.store, agentKey(world.session.principal, 'bot'))
    expect(await outcome(READING)).toBe('done')
  })

  test('BLOCK-02 another session of the principal is stopped too, whatever it runs, and one without a session', async () => {
    const world = await inMode('enforcing')
    const { runtime, session, outcome } = world
    const other = runtime.openSession(session.principal)
    await startIn(world, other)
    world.pass(1)
    await stopItself(world)
    expect(await outcome(READING, { session: other })).toBe(BLOCKED)
    expect(await outcome(READING, { session: runtime.anonymous(session.principal) })).toBe(BLOCKED)
    expect(await outcome(READING, { session: runtime.openSession('somebody else') })).toBe('done')
  })

  test('OOB-14, BLOCK-02, BLOCK-05 a refused call of the adapter names a challenge that can be answered', async () => {
    const world = await openGateWorld({
      store: createMemoryStore(),
      safety: { mode: 'enforcing', channels: [{ kind: 'console', name: 'console', where: 'the console' }] },
      mode: 'single',
    })
    const { ask, outcome, store } = world
    await stopItself(world)
    const idOf = async (args: object) => String((await ask(args)).result.error?.details?.verificationId)
    const first = await idOf(READING)
    expect(await idOf(WRITING)).toBe(first)
    const wrong = { operation: 'verify_challenge', params: { challenge_id: first, code: 'AAAA' } }
    expect(await outcome(wrong)).toBe('PERMISSION_VERIFICATION_FAILED')
    const second = await idOf(READING)
    expect(second).not.toBe(first)
    const shown = await reveal(store, { now: () => START }, second, 'operator')
    if (shown.kind !== 'shown') throw new Error(shown.why)
    const code = shown.code.use((text) => text)
    expect(await outcome({ operation: 'verify_challenge', params: { challenge_id: second, code } })).toBe('done')
    expect(await outcome(READING)).toBe('done')
  })

  const startIn = async ({ ask, runtime }: GateWorld, session: GateWorld['session']) => {
    const { result } = await ask(startCat, undefined, { session })
    const { approval_id, confirmation_token } = (result.error?.details ?? {}) as Record<string, string>
    await decide(runtime, String(approval_id))
    await ask(withToken(startCat, String(confirmation_token)), undefined, { session })
  }

  test('BLOCK-04 an execution under another name in another session goes on being evaluated, but not after a stop by the operator', async () => {
    const world = await inMode('enforcing')
    const { runtime, session, outcome, ask, store } = world
    const other = runtime.openSession(session.principal)
    const start = startCat
    const step = reportAsCat
    await startIn(world, other)
    world.pass(1)
    await stopItself(world)
    const { result } = await ask(step, undefined, { session: other })
    expect(result.data).toMatchObject({ autonomy: { continue: true } })
    await block(store, session.principal, 'bot')
    expect(await outcome(READING, { session: other })).toBe(BLOCKED)
    expect(await outcome(step, { session: other })).toBe(BLOCKED)
    expect(await outcome(start, { session: other })).toBe(BLOCKED)
    const abort = { operation: 'abort_execution', params: { element_name: 'cat' } }
    expect(await outcome(abort, { session: other })).toBe('done')
  })
})
