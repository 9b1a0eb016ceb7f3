import { describe, expect, test } from 'vitest'
import { reveal } from '../../../src/core/verification/reveal.ts'
import type { AutonomyDirective } from '../../../src/protocol/directive.ts'
import { decide } from '../../approve.ts'
import { createMemoryStore, type RuntimeOptions, type Session } from '../../support.ts'
import { type Acting, asking, type GateWorld, openGateWorld, START } from '../gate/gate-world.ts'

const SAFETY: Partial<RuntimeOptions> = {
  safety: { mode: 'enforcing', channels: [{ kind: 'console', name: 'console', where: 'the web console' }] },
  mode: 'single',
}
const REFUSED = 'PERMISSION_DENIED'
const WRITING = asking('create_thing')
const ENDINGS = ['abort_execution', 'complete_execution'] as const

/** One adapter as one session of one connection sees it. */
interface Place {
  readonly world: GateWorld
  readonly session: Session
  outcome(args: object): Promise<string>
  start(element_name?: string): Promise<void>
  report(hint: string, more?: object): Promise<AutonomyDirective>
  end(operation: (typeof ENDINGS)[number]): Promise<string>
}

async function placeIn(world: GateWorld, id: string): Promise<Place> {
  const session = world.runtime.openSession('tester', { id })
  const outcome = (args: object) => world.outcome(args, { session })
  return {
    world,
    session,
    outcome,
    async start(element_name = 'bot') {
      const args = { operation: 'execute_agent', params: { element_name } }
      const { approval_id, confirmation_token } = await world.demand(args, { session })
      await decide(world.runtime, approval_id)
      expect(await outcome({ ...args, params: { ...args.params, confirmation_token } })).toBe('done')
    },
    async report(next_action_hint, more = {}) {
      const params = { element_name: 'bot', next_action_hint, ...more }
      const { result } = await world.ask({ operation: 'record_execution_step', params }, undefined, { session })
      expect(result.error).toBeUndefined()
      return (result.data as { autonomy: AutonomyDirective }).autonomy
    },
    end: (operation) => outcome({ operation, params: { element_name: 'bot' } }),
  }
}

/** `serve A B`: two runtimes on one store, and one connection to both. */
async function twoAdapters(options: Partial<RuntimeOptions> = {}) {
  const store = createMemoryStore()
  const open = (name: string) => openGateWorld({ ...SAFETY, ...options, store }, [], { name })
  const worlds = { one: await open('one'), two: await open('two') }
  const connection = async (id: string) => ({
    a: await placeIn(worlds.one, id),
    b: await placeIn(worlds.two, id),
  })
  return { ...worlds, store, ...(await connection('first')), connection }
}

const approvalIn = ({ notifications = [] }: AutonomyDirective) =>
  notifications.find(({ metadata }) => metadata?.approvalId !== undefined)?.metadata?.approvalId
const challengeIn = ({ notifications = [] }: AutonomyDirective) =>
  String(notifications.find(({ metadata }) => metadata?.verificationId !== undefined)?.metadata?.verificationId)

async function verifyIn({ outcome, world }: Place, challenge_id: string): Promise<string> {
  const shown = await reveal(world.store, { now: () => START }, challenge_id, 'operator')
  if (shown.kind !== 'shown') throw new Error(shown.why)
  return outcome({ operation: 'verify_challenge', params: { challenge_id, code: shown.code.use((text) => text) } })
}

/** Reports a write and has it approved, so that it can be called once. */
async function announce(place: Place): Promise<void> {
  const hint = 'create_thing a'
  await decide(place.world.runtime, approvalIn(await place.report(hint)))
  expect(await place.report(hint)).toMatchObject({ continue: true })
}

const PAUSES = [
  ['a pause', { risk_score: 45 }],
  ['a verification pause', { risk_score: 70 }],
] as const

describe('LOOP-24, LOOP-16 what holds a session at one adapter of a server holds it at all of them', () => {
  test('an execution: writes have to be announced everywhere, READs and other sessions do not', async () => {
    const { a, b, connection } = await twoAdapters()
    expect(await b.outcome(WRITING)).toBe('done')
    await a.start()
    for (const place of [a, b]) expect(await place.outcome(WRITING)).toBe(REFUSED)
    expect(await b.outcome(asking('get_thing'))).toBe('done')
    expect(await (await connection('second')).b.outcome(WRITING)).toBe('done')
    await a.end('complete_execution')
    expect(await b.outcome(WRITING)).toBe('done')
  })

  test('a report covers one call of the adapter that has judged it', async () => {
    const { a, b } = await twoAdapters()
    await a.start()
    await announce(a)
    expect(await b.outcome(WRITING)).toBe(REFUSED)
    expect(await a.outcome(WRITING)).toBe('done')
    await announce(b)
    expect(await a.outcome(WRITING)).toBe(REFUSED)
    expect(await b.outcome(WRITING)).toBe('done')
    expect(await b.outcome(WRITING)).toBe(REFUSED)
  })

  test.each(PAUSES)('%s', async (_, more) => {
    const { a, b } = await twoAdapters()
    await a.start()
    expect(await a.report('think about it', more)).toMatchObject({ continue: false })
    for (const place of [a, b]) expect(await place.outcome(WRITING)).toBe(REFUSED)
    expect(await b.report('think about something else')).toMatchObject({ continue: false })
    expect(await b.outcome(WRITING)).toBe(REFUSED)
  })

  test.each(PAUSES)('%s of one agent, also while another one runs in the session', async (_, more) => {
    const { a, b } = await twoAdapters()
    await a.start()
    await a.report('think about it', more)
    for (const ends of [false, true]) {
      if (ends) expect(await a.end('abort_execution')).toBe('done')
      const helper = `helper ${ends}`
      await b.start(helper)
      const told = await b.report('create_thing a', { element_name: helper })
      expect(told).toMatchObject({
        continue: false,
        reason: expect.stringContaining("what agent 'bot' of this session waits for"),
      })
      expect(await b.outcome(WRITING)).toBe(REFUSED)
    }
    expect(b.world.ran.map(([operation]) => operation)).not.toContain('create_thing')
  })

  test('R-25 with the scope `all`, an execution at one is one at the other', async () => {
    const { a, b } = await twoAdapters({ safety: { mode: 'enforcing', scope: 'all' } })
    expect(await b.outcome(WRITING)).toBe(REFUSED)
    await a.start()
    expect(await b.outcome(WRITING)).toBe(REFUSED)
  })

  test('SESS-02 it ends with the session of the adapter where it began, and with no other', async () => {
    const { a, b, two, one } = await twoAdapters()
    await a.start()
    await two.runtime.closeSession(b.session)
    expect(await a.outcome(WRITING)).toBe(REFUSED)
    const again = await placeIn(two, 'first')
    expect(await again.outcome(WRITING)).toBe(REFUSED)
    await one.runtime.closeSession(a.session)
    expect(await again.outcome(WRITING)).toBe('done')
  })
})

describe('LOOP-20, R-29 the end of an execution lifts no pause', () => {
  test.each(PAUSES.flatMap(([name, more]) => ENDINGS.map((ending) => [name, ending, more] as const)))(
    '%s holds the session after %s, at every adapter',
    async (_, ending, more) => {
      const { a, b, connection } = await twoAdapters()
      await a.start()
      await a.report('think about it', more)
      expect(await a.end(ending)).toBe('done')
      for (const place of [a, b]) expect(await place.outcome(WRITING)).toBe(REFUSED)
      expect(await a.outcome(asking('get_thing'))).toBe('done')
      expect(await (await connection('second')).a.outcome(WRITING)).toBe('done')
    },
  )

  test.each(['approve', 'deny'] as const)('until a human decides: %s', async (decision) => {
    const { a, b } = await twoAdapters()
    await a.start()
    const id = approvalIn(await a.report('think about it', { risk_score: 45 }))
    await a.end('abort_execution')
    expect(await b.outcome(WRITING)).toBe(REFUSED)
    await decide(a.world.runtime, id, { decision })
    for (const place of [a, b]) expect(await place.outcome(WRITING)).toBe('done')
  })

  test('until the code is passed on, from whichever session', async () => {
    const { a, connection } = await twoAdapters()
    await a.start()
    const id = challengeIn(await a.report('think about it', { risk_score: 70 }))
    await a.end('abort_execution')
    expect(await a.outcome(WRITING)).toBe(REFUSED)
    expect(await verifyIn((await connection('second')).b, id)).toBe('done')
    expect(await a.outcome(WRITING)).toBe('done')
  })

  test('until the code has expired, and a wrong one changes nothing', async () => {
    const { a, one } = await twoAdapters()
    await a.start()
    const challenge_id = challengeIn(await a.report('think about it', { risk_score: 70 }))
    await a.end('abort_execution')
    await a.outcome({ operation: 'verify_challenge', params: { challenge_id, code: 'AAAA' } })
    expect(await a.outcome(WRITING)).toBe(REFUSED)
    one.pass(301)
    expect(await a.outcome(WRITING)).toBe('done')
  })

  test('the refusal names the agent and is recorded; a new execution is held by the same pause', async () => {
    const { a, one } = await twoAdapters()
    await a.start()
    await a.report('think about it', { risk_score: 45 })
    await a.end('abort_execution')
    const { result } = await one.ask(WRITING, undefined, { session: a.session })
    expect(result.error?.details).toMatchObject({ reason: expect.stringContaining("'bot'") })
    await a.start()
    expect(await a.report('get_thing')).toMatchObject({ continue: false })
    expect(await a.outcome(WRITING)).toBe(REFUSED)
    await one.runtime.close()
    expect((await one.trail('PROTOCOL_VIOLATION')).map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining("yet to decide about agent 'bot'"),
    )
  })
})

describe('R-25, LOOP-24 what an adapter names like an operation of the product is its own all the same', () => {
  const NAMES = ['revoke_token', 'cancel_execution', 'retry_execution', 'get_execution', 'list_executions'] as const
  const named = NAMES.map((name): Acting => ({ name, category: 'EXECUTE' }))

  test.each(NAMES)('%s is refused outside of an execution, and unannounced within one', async (name) => {
    const world = await openGateWorld({ ...SAFETY, safety: { mode: 'enforcing', scope: 'all' } }, named)
    const place = await placeIn(world, 'only')
    expect(await place.outcome(asking(name))).toBe(REFUSED)
    await place.start()
    expect(await place.outcome(asking(name))).toBe(REFUSED)
    expect(world.ran).toEqual([])
  })

  test('TOK-16 the product’s own revoke_token takes back whatever runs or waits', async () => {
    const world = await openGateWorld({ ...SAFETY, safety: { mode: 'enforcing', scope: 'all' } })
    const place = await placeIn(world, 'only')
    const revoking = { operation: 'revoke_token', params: { token: 'conf_none' } }
    expect(await place.outcome(revoking)).toBe('TOKEN_INVALID')
    await place.start()
    expect(await place.outcome(revoking)).toBe('TOKEN_INVALID')
  })
})
