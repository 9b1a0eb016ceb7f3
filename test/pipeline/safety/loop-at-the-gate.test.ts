import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Reach } from '../../../src/core/gatekeeper/demand.ts'
import { formText } from '../../../src/core/gatekeeper/form-text.ts'
import type { PolicyRecord } from '../../../src/core/gatekeeper/policies.ts'
import type { ApprovalRequest } from '../../../src/core/gatekeeper/request.ts'
import { createOperator } from '../../../src/core/operator/operator.ts'
import { reveal } from '../../../src/core/verification/reveal.ts'
import { waitsFor } from '../../../src/core/waits-for.ts'
import type { AutonomyDirective } from '../../../src/protocol/directive.ts'
import { openSqliteStore } from '../../../src/store/sqlite.ts'
import { decide, withToken } from '../../approve.ts'
import { type Call, createMemoryStore, type RuntimeOptions } from '../../support.ts'
import { asking, DELETING, type GateWorld, openGateWorld, START } from '../gate/gate-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-loop-gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SAFETY: Partial<RuntimeOptions> = {
  safety: { mode: 'enforcing', channels: [{ kind: 'console', name: 'console', where: 'the web console' }] },
  mode: 'single',
}

async function supervised(options: Partial<RuntimeOptions> = {}): Promise<GateWorld> {
  const world = await openGateWorld({ ...SAFETY, ...options })
  await begin(world)
  return world
}

async function begin(world: GateWorld, params: object = {}): Promise<void> {
  await world.approved({ operation: 'execute_agent', params: { element_name: 'bot', ...params } })
}

function reporting(hint: string, more: object = {}) {
  return { operation: 'record_execution_step', params: { element_name: 'bot', next_action_hint: hint, ...more } }
}

async function directive(world: GateWorld, hint: string, more: object = {}, call: Partial<Call> = {}) {
  const { result } = await world.ask(reporting(hint, more), undefined, call)
  expect(result.error).toBeUndefined()
  return (result.data as { autonomy: AutonomyDirective }).autonomy
}

const pausedFor = ({ notifications = [] }: AutonomyDirective) =>
  notifications.find(({ type }) => type === 'autonomy_pause')

describe('8.6.2, GATE-14 the gate has a say about reports', () => {
  const policies = (...records: readonly PolicyRecord[]) => supervised({ policies: records })

  test.each([
    'create_thing a',
    'calling create_thing with {"thing":"a"}',
    'first create_thing, then look at it',
    'CREATE_THING a',
  ])('what a policy denies is refused without asking anybody: %s', async (hint) => {
    const world = await policies({ operation: 'create_thing', permission: 'deny' })
    const before = (await world.store.list('request')).length
    const refused = await directive(world, hint)
    expect(refused).toMatchObject({ continue: false, reason: expect.stringContaining("'create_thing' is denied") })
    expect(refused.stopped).toBeUndefined()
    expect(pausedFor(refused)?.metadata?.approvalId).toBeUndefined()
    expect(await world.store.list('request')).toHaveLength(before)
    expect(await directive(world, 'get_thing a')).toMatchObject({ continue: true })
  })

  test('what is denied by a pattern stops all the same', async () => {
    const world = await policies({ operation: 'create_thing', permission: 'deny' })
    expect(await directive(world, 'create_thing a; rm -rf /')).toMatchObject({ stopped: true })
  })

  test.each(['create_thing a', 'calling create_thing with thing=a'])(
    'one question for one action: %s',
    async (hint) => {
      const world = await policies({ operation: 'create_thing', permission: 'confirm' })
      expect(await directive(world, hint)).toMatchObject({ continue: true })
      const { approval_id, confirmation_token } = await world.demand(asking('create_thing'))
      await decide(world.runtime, approval_id)
      expect(await world.outcome(withToken(asking('create_thing'), confirmation_token))).toBe('done')
    },
  )

  test.each([
    'create_thing a and then remove the backups of all customers',
    'create_thing a; python3 deploy.py',
    'create_thing a, delete_thing b',
  ])('a hint with more in it than that call is asked about as a whole: %s', async (hint) => {
    const world = await policies({ operation: 'create_thing', permission: 'confirm' })
    expect(await directive(world, hint)).toMatchObject({ continue: false })
  })

  test('after a gate hold the next directive does not continue, until a human has decided', async () => {
    const world = await policies({ operation: 'create_thing', permission: 'confirm' })
    await directive(world, 'create_thing a')
    const { approval_id, confirmation_token } = await world.demand(asking('create_thing'))
    const held = await directive(world, 'get_thing b')
    expect(held).toMatchObject({ continue: false, reason: expect.stringContaining(String(approval_id)) })
    expect(held.notifications).toContainEqual(
      expect.objectContaining({
        type: 'permission_pending',
        metadata: expect.objectContaining({ approvalId: approval_id }),
      }),
    )
    await decide(world.runtime, approval_id)
    expect(await world.outcome(withToken(asking('create_thing'), confirmation_token))).toBe('done')
    expect(await directive(world, 'get_thing b')).toMatchObject({ continue: true })
  })
})

describe('LOOP-16 what a human has yet to decide about an agent holds every write of its session', () => {
  const THOUGHT = 'think about it'
  const wait = (world: GateWorld) => directive(world, THOUGHT, { risk_score: 45 })
  const ranIn = (world: GateWorld) => world.ran.map(([operation]) => operation)

  test('also one that was approved before the agent began, whose approval is not lost', async () => {
    const world = await openGateWorld(SAFETY)
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    await begin(world)
    const paused = await wait(world)
    expect(paused).toMatchObject({ continue: false })
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('PERMISSION_DENIED')
    expect(ranIn(world)).toEqual([])
    await decide(world.runtime, pausedFor(paused)?.metadata?.approvalId)
    expect(await wait(world)).toMatchObject({ continue: true })
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('done')
  })

  test('also one that waits for its turn', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = { name: 'get_slowly', category: 'READ', handler: () => held.then(() => ({})) } as const
    const world = await openGateWorld({ ...SAFETY, timeoutMs: 30_000 }, [slow], { concurrency: 'serialized' })
    await begin(world)
    const holding = world.outcome(asking('get_slowly'))
    expect(await directive(world, 'create_thing a')).toMatchObject({ continue: true })
    const waiting = world.outcome(asking('create_thing'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await wait(world)).toMatchObject({ continue: false })
    release()
    expect([await holding, await waiting]).toEqual(['done', 'PERMISSION_DENIED'])
    expect(ranIn(world)).toEqual([])
    await world.runtime.close()
    const told = await world.trail('PROTOCOL_VIOLATION')
    expect(told).toEqual([
      expect.objectContaining({ operation: 'create_thing', reason: expect.stringContaining("'bot'") }),
    ])
  })
})

describe('SELF-14, C1 a confirm-tier pause reaches every channel', () => {
  const HINT = 'edit the configuration of the mail server risk'
  const paused = async (reach: Reach, canElicit: boolean) => {
    let current: Reach = { channels: ['console'] } // for the start itself
    const world = await supervised({ reach: () => current })
    current = reach
    const { result } = await world.ask(reporting(HINT, { risk_score: 45 }), undefined, { canElicit } as Partial<Call>)
    return { world, result, directive: (result.data as { autonomy: AutonomyDirective }).autonomy }
  }

  test('the answer names a request that the channel of this connection finds', async () => {
    const { world, result, directive: said } = await paused({ channels: ['console', 'elicitation'] }, true)
    const id = waitsFor(result as never)
    expect(id).toBe(pausedFor(said)?.metadata?.approvalId)
    expect(await world.runtime.findRequest(String(id), world.session)).toMatchObject({ class: 'C1', kind: 'pause' })
    await decide(world.runtime, id)
    expect(await directive(world, HINT, { risk_score: 45 })).toMatchObject({ continue: true })
  })

  test('it says where a human decides', async () => {
    const { directive: said } = await paused(
      { channels: ['console', 'terminal', 'elicitation'], consoleUrl: 'http://127.0.0.1:7421/' },
      true,
    )
    const { message = '', metadata } = pausedFor(said) ?? {}
    expect(message).toContain('http://127.0.0.1:7421')
    expect(message).toContain(`mcpaql approve ${metadata?.approvalId}`)
    expect(message).toContain('form of this client')
    expect(message).toContain('report the same action again')
  })

  test('SELF-10 and that nobody can, where no channel is usable', async () => {
    const { directive: said } = await paused({ channels: ['elicitation'] }, false)
    expect(pausedFor(said)?.message).toContain('nobody can')
  })

  test('an adapter that returns something alike has no request', async () => {
    const fake = {
      autonomy: { continue: false, notifications: [{ type: 'autonomy_pause', metadata: { approvalId: 'x' } }] },
    }
    const world = await openGateWorld()
    const id = waitsFor({ success: true, data: fake } as never)
    expect(await world.runtime.findRequest(String(id), world.session)).toBeUndefined()
    for (const data of [null, 'x', [], { autonomy: null }, { autonomy: { continue: false, notifications: 'x' } }])
      expect(waitsFor({ success: true, data } as never)).toBeUndefined()
  })
})

describe('SELF-10 without a usable channel nobody is asked and no token is issued', () => {
  test.each<[string, Reach, boolean | undefined, string, string]>([
    ['no channel at all', { channels: [] }, undefined, 'delete_thing', 'PERMISSION_DENIED'],
    [
      'elicitation, but not with this client',
      { channels: ['elicitation'] },
      false,
      'delete_thing',
      'PERMISSION_DENIED',
    ],
    [
      'elicitation, unknown of the client',
      { channels: ['elicitation'] },
      undefined,
      'delete_thing',
      'PERMISSION_DENIED',
    ],
    ['elicitation with this client', { channels: ['elicitation'] }, true, 'delete_thing', 'CONFIRMATION_REQUIRED'],
    ['elicitation, level 3', { channels: ['elicitation'] }, true, 'change_thing', 'PERMISSION_DENIED'],
    ['a console', { channels: ['console'] }, undefined, 'change_thing', 'CONFIRMATION_REQUIRED'],
  ])('%s', async (_, reach, canElicit, operation, code) => {
    const { ask, store } = await openGateWorld({ reach: () => reach, trust: 'certified' })
    const { result } = await ask(asking(operation), undefined, { canElicit } as Partial<Call>)
    expect(result.error?.code).toBe(code)
    const isAsked = code === 'CONFIRMATION_REQUIRED'
    expect(await store.list('request')).toHaveLength(isAsked ? 1 : 0)
    if (!isAsked)
      expect(String(result.error?.details?.reason)).toMatch(
        /nobody can approve it here.*console.*terminal.*elicitation/,
      )
    expect(JSON.stringify(result).includes('conf_')).toBe(isAsked)
  })
})

describe('SELF-10, SELF-12 a form that cannot show the whole call approves nothing', () => {
  const LONG = asking('delete_thing', { thing: 'y'.repeat(4_001) })
  const BY_FORM = { canElicit: true } as Partial<Call>

  test.each<[string, Reach, object, string]>([
    ['where there is only the form', { channels: ['elicitation'] }, LONG, 'PERMISSION_DENIED'],
    ['unless it is short', { channels: ['elicitation'] }, asking('delete_thing'), 'CONFIRMATION_REQUIRED'],
    ['but a console does', { channels: ['console', 'elicitation'] }, LONG, 'CONFIRMATION_REQUIRED'],
  ])('%s', async (_, reach, args, code) => {
    const { ask, store } = await openGateWorld({ reach: () => reach })
    const { result } = await ask(args, undefined, BY_FORM)
    expect(result.error?.code).toBe(code)
    expect(await store.list('request')).toHaveLength(code === 'CONFIRMATION_REQUIRED' ? 1 : 0)
    if (code === 'PERMISSION_DENIED')
      expect(String(result.error?.details?.reason)).toMatch(/nobody can approve it here.*too long for the form/)
  })

  test('a pause about an action that is too long says that nobody can decide', async () => {
    let reach: Reach = { channels: ['console'] }
    const world = await supervised({ reach: () => reach })
    reach = { channels: ['elicitation'] }
    const long = `edit the configuration of the mail server ${'y'.repeat(4_001)}`
    const said = await directive(world, long, { risk_score: 45 }, BY_FORM)
    expect(pausedFor(said)?.message).toContain('nobody can')
  })
})

describe('LOOP-10, LOOP-12 nobody is asked about a start that can only be refused', () => {
  const starting = (params: object) => ({ operation: 'execute_agent', params })

  test.each([
    ['a second execution of a running agent', { element_name: 'bot' }, 'CONFLICT_INVALID_STATE'],
    ['the same in another spelling', { element_name: ' BOT ' }, 'CONFLICT_INVALID_STATE'],
    ['a blank name', { element_name: '  ' }, 'VALIDATION_MISSING_PARAM'],
    ['overrides that are none', { element_name: 'cat', autonomy: { deny: [''] } }, 'VALIDATION_INVALID_VALUE'],
  ])('%s', async (_, params, code) => {
    const world = await supervised()
    const before = (await world.store.list('request')).length
    expect(await world.outcome(starting(params))).toBe(code)
    expect(await world.store.list('request')).toHaveLength(before)
  })

  test('one that was approved before another began keeps its token', async () => {
    const world = await openGateWorld(SAFETY)
    const [first, second] = [starting({ element_name: 'bot' }), starting({ element_name: 'bot', goal: 'more' })]
    const { approval_id, confirmation_token } = await world.demand(second)
    await decide(world.runtime, approval_id)
    await world.approved(first)
    expect(await world.outcome(withToken(second, confirmation_token))).toBe('CONFLICT_INVALID_STATE')
    await world.ask({ operation: 'abort_execution', params: { element_name: 'bot' } })
    expect(await world.outcome(withToken(second, confirmation_token))).toBe('done')
  })
})

describe('SELF-06 a human is told what is really decided', () => {
  const requests = async ({ store }: GateWorld) =>
    (await store.list<ApprovalRequest>('request')).map(({ value }) => value).toSorted((a, b) => a.issuedAt - b.issuedAt)

  test.each([
    ['with a goal', { goal: 'tidy up' }, "Let agent 'bot' start working on 'tidy up' under supervision?"],
    ['without one', {}, "Let agent 'bot' start working under supervision?"],
  ])('LOOP-09 about a start %s', async (_, more, question) => {
    const world = await openGateWorld({ ...SAFETY, trust: 'validated' })
    const { result } = await world.ask({ operation: 'execute_agent', params: { element_name: 'bot', ...more } })
    expect(result.error?.details?.confirmation_message).toContain(question)
    expect(JSON.stringify(result.error)).not.toContain('unless declared otherwise')
    const [request] = await requests(world)
    if (!request) throw new Error('no request')
    const text = formText(request, request.expiresAt)
    expect(text).toContain(question)
    expect(text).toContain('execute_agent (EXECUTE, reversible)')
    expect(text).not.toMatch(/^Run |Runs once/m)
    expect(request.trust).toBe('validated')
  })

  test.each([
    ['AUTO-11 an action', 'edit the configuration of the mail server', {}, "Let agent 'bot' take this next action"],
    [
      'AUTO-05 a step that failed',
      'get_thing a',
      { outcome: 'failure' },
      "Let agent 'bot' go on? Its last step failed",
    ],
  ])('about %s', async (_, hint, more, question) => {
    const world = await supervised({ trust: 'validated' })
    world.pass(1)
    expect(await directive(world, hint, { risk_score: 45, ...more })).toMatchObject({ continue: false })
    const request = (await requests(world)).at(-1)
    if (!request) throw new Error('no request')
    const text = formText(request, request.expiresAt)
    expect(text).toContain(question)
    expect(text).toContain(JSON.stringify(hint))
    expect(text).not.toMatch(/Run record_execution_step|Runs once/)
    expect(request.trust).toBe('validated')
  })
})

describe('AUDIT-06 credentials in what an agent writes are kept nowhere', () => {
  const SECRETS = [
    'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
    'AKIAIOSFODNN7EXAMPLE',
    `conf_${'ab'.repeat(32)}`,
  ] as const
  const BEARER = 'c2VjcmV0LXRva2VuLXZhbHVl'
  const all = `${SECRETS.join(' ')} with Authorization: Bearer ${BEARER}`

  const everything = async (world: GateWorld) => {
    await world.runtime.close()
    const kinds = ['agent', 'request', 'challenge', 'block', 'blocks', 'intent', 'desk', 'attention']
    const records = await Promise.all(kinds.map((kind) => world.store.list(kind)))
    return JSON.stringify([records, await world.trail()])
  }
  const expectClean = (text: string) => {
    for (const secret of [...SECRETS.filter((each) => !each.startsWith('conf_')), BEARER])
      expect(text).not.toContain(secret)
    expect(text).not.toContain(SECRETS[2])
  }

  test.each([
    ['goes on', 'get_thing'],
    ['pauses', 'edit the mail server'],
    ['needs a code', 'dropdb customers'],
    ['stops', 'rm -rf /'],
  ])('hint, description, findings and summary of a step that %s', async (_, deed) => {
    const world = await openGateWorld({ ...SAFETY })
    await begin(world, { goal: 'publish it' })
    const more = { step_description: `used ${all}`, findings: `found ${all}`, outcome: 'success' }
    const { result } = await world.ask(reporting(`${deed} ${all}`, more))
    expectClean(JSON.stringify(result))
    const ending = { element_name: 'bot', summary: all, outcome: all, reason: all }
    await world.ask({ operation: 'abort_execution', params: ending })
    expectClean(await everything(world))
  })

  test('OOB-04 a code is masked where it is declared, also one of letters alone that looks like a word', async () => {
    const world = await openGateWorld({ ...SAFETY })
    const code = 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZAB'
    await world.ask({ operation: 'verify_challenge', params: { challenge_id: 'none', code } })
    const kept = await everything(world)
    expect(kept).toContain('verify_challenge')
    expect(kept).not.toContain(code)
  })

  test('what is approved is the text as it was reported, and no other with the same look', async () => {
    const world = await supervised()
    const hint = (letter: string) => `edit the m${letter}il server`
    const first = await directive(world, hint('a'), { risk_score: 45 })
    await decide(world.runtime, pausedFor(first)?.metadata?.approvalId)
    const other = await directive(world, hint('\u0430'), { risk_score: 45 }) // a Cyrillic a
    expect(other).toMatchObject({ continue: false })
    await decide(world.runtime, pausedFor(other)?.metadata?.approvalId, { decision: 'deny' })
    expect(await directive(world, hint('a'), { risk_score: 45 })).toMatchObject({ continue: true })
  })

  test.each([
    ['the first code', false],
    ['the next one, after a wrong code', true],
  ])('OOB-15 %s lifts the block and grants the hint', async (_, isSecond) => {
    const world = await supervised()
    const hint = 'rm -rf /'
    const stopped = await directive(world, hint)
    expect(stopped).toMatchObject({ stopped: true })
    const first = String(stopped.notifications?.find(({ type }) => type === 'danger_zone')?.metadata?.verificationId)
    const verify = (challenge_id: string, code: string) =>
      world.outcome({ operation: 'verify_challenge', params: { challenge_id, code } })
    let id = first
    if (isSecond) {
      expect(await verify(first, 'ABCD')).toBe('PERMISSION_VERIFICATION_FAILED')
      id = String((await world.ask(reporting('think'))).result.error?.details?.verificationId)
      expect(id).not.toBe(first)
    }
    const shown = await reveal(world.store, { now: () => START }, id, 'operator')
    if (shown.kind !== 'shown') throw new Error(shown.why)
    const code = shown.code.use((text) => text)
    expect(await verify(id, code)).toBe('done')
    expect(await directive(world, hint)).toMatchObject({ continue: true })
  })
})

describe('8.8.3, BLOCK-09 a verify pause ends with its process', () => {
  test.each([
    ['it was closed', true],
    ['it was killed', false],
  ])('%s: the agent goes on, and nobody speaks of a wrong code', async (_, isOrderly) => {
    const file = join(folder, `verify-${isOrderly}.db`)
    const first = await openSqliteStore(file)
    let isGone = false
    const watched = { ...first, isGone: async (opener: string) => isGone || first.isGone(opener) }
    const world = await supervised({ store: watched })
    const paused = await directive(world, 'think about it', { risk_score: 70 })
    expect(paused).toMatchObject({ continue: false, nextStepRisk: 'verify' })
    if (isOrderly) {
      await world.runtime.close()
      await first.close()
    }
    isGone = true
    const second = isOrderly ? await openSqliteStore(file) : watched
    const next = await openGateWorld({ ...SAFETY, store: second })
    await begin(next)
    const after = await directive(next, 'get_thing a')
    expect(after).toMatchObject({ continue: true })
    expect(JSON.stringify(after)).not.toContain('wrong code')
    expect(await directive(next, 'think about it', { risk_score: 70 })).toMatchObject({ continue: false })
    await next.runtime.close()
    await second.close()
  })

  test('a process that was there before finds the same', async () => {
    let isGone = false
    const store = createMemoryStore()
    const here = { ...store, opener: 'here' }
    const there = { ...store, opener: 'there', isGone: async (opener: string) => isGone && opener === 'here' }
    const other = await openGateWorld({ ...SAFETY, store: there })
    const world = await supervised({ store: here })
    expect(await directive(world, 'think about it', { risk_score: 70 })).toMatchObject({ continue: false })
    isGone = true
    await begin(other)
    const after = await directive(other, 'get_thing a')
    expect(after).toMatchObject({ continue: true })
    expect(after.notifications ?? []).not.toContainEqual(expect.objectContaining({ type: 'autonomy_pause' }))
  })
})

describe('BLOCK-07, TOK-15 a stop takes back what was granted to the loop', () => {
  const HINT = 'edit the configuration of the mail server'
  const stopAndLift = async ({ store, session: { principal } }: GateWorld) => {
    const { blocks } = createOperator({ store, clock: { now: () => START } } as Parameters<typeof createOperator>[0])
    const by = { by: 'operator', channel: 'terminal', reason: 'acts on text from a ticket' }
    await blocks.block({ ...by, agentKey: principal, name: principal, principal })
    expect(await blocks.lift({ ...by, agentKey: principal })).toBe('lifted')
  }

  test.each([
    ['an approval that was not yet used', false],
    ['a grant that waits for its report', true],
  ])('%s', async (_, isSettled) => {
    const world = await supervised()
    const paused = await directive(world, HINT, { risk_score: 45 })
    await decide(world.runtime, pausedFor(paused)?.metadata?.approvalId)
    if (isSettled) expect(await directive(world, 'get_thing a')).toMatchObject({ continue: true })
    await stopAndLift(world)
    expect(await directive(world, HINT, { risk_score: 45 })).toMatchObject({ continue: false })
  })

  test('what a code has granted', async () => {
    const world = await supervised()
    const id = String(pausedFor(await directive(world, HINT, { risk_score: 70 }))?.metadata?.verificationId)
    const shown = await reveal(world.store, { now: () => START }, id, 'operator')
    if (shown.kind !== 'shown') throw new Error(shown.why)
    const params = { challenge_id: id, code: shown.code.use((text) => text) }
    expect(await world.outcome({ operation: 'verify_challenge', params })).toBe('done')
    await stopAndLift(world)
    expect(await directive(world, HINT, { risk_score: 70 })).toMatchObject({ continue: false })
  })
})

describe('R-25 safety_loop_scope: all', () => {
  const open = (scope: 'all' | 'executions') => openGateWorld({ ...SAFETY, safety: { mode: 'enforcing', scope } })

  test('outside of an execution only READs run, and the refusal says how to start one', async () => {
    const world = await open('all')
    expect(await world.outcome(asking('get_thing'))).toBe('done')
    const { error } = (await world.ask(asking('create_thing'))).result
    expect(error).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { next: expect.stringContaining('execute_agent') },
    })
    expect(world.ran.map(([operation]) => operation)).toEqual(['get_thing'])
    await begin(world)
    const paused = await directive(world, 'create_thing a')
    await decide(world.runtime, pausedFor(paused)?.metadata?.approvalId)
    expect(await directive(world, 'create_thing a')).toMatchObject({ continue: true })
    expect(await world.outcome(asking('create_thing'))).toBe('done')
  })

  test('is not the default', async () => {
    expect(await (await open('executions')).outcome(asking('create_thing'))).toBe('done')
  })
})

test('R-35, 8.7.3 codes that were passed on do not count: the seventh verify directive has its id', async () => {
  const world = await supervised()
  for (let round = 0; round < 7; round++) {
    const said = await directive(world, `think about it ${round}`, { risk_score: 70 })
    const id = pausedFor(said)?.metadata?.verificationId
    expect(id).toBeDefined()
    const shown = await reveal(world.store, { now: () => START }, String(id), 'operator')
    if (shown.kind !== 'shown') throw new Error(shown.why)
    const code = shown.code.use((text) => text)
    expect(await world.outcome({ operation: 'verify_challenge', params: { challenge_id: id, code } })).toBe('done')
  }
})

test('OOB-12 guesses at unknown challenges count for the principal: no new session escapes the limit', async () => {
  const world = await openGateWorld({ ...SAFETY })
  const guess = (session = world.runtime.openSession(world.session.principal)) =>
    world.outcome(
      { operation: 'verify_challenge', params: { challenge_id: '0b0c7f5e-6a0e-4a3b-9d37-6f0f5c1f1a52', code: 'ABCD' } },
      { session },
    )
  for (let tried = 0; tried < 10; tried++) expect(await guess()).toBe('PERMISSION_VERIFICATION_FAILED')
  expect(await guess()).toBe('RATE_LIMIT_EXCEEDED')
  expect(await guess(world.runtime.openSession('somebody else'))).toBe('PERMISSION_VERIFICATION_FAILED')
})

test('TOK-05 the demand has a message also where the operation declares none', async () => {
  const world = await openGateWorld()
  const { result } = await world.ask(asking('delete_thing'))
  const { confirmation } = result as { readonly confirmation?: { readonly message?: string } }
  expect(result.error?.details?.confirmation_message).toBe('Run it?')
  expect(confirmation?.message).toBe('Run it?')
})

test('AUTO-13 the agent learns what became of its own estimate, and that it told no outcome', async () => {
  const world = await supervised()
  const { factors } = await directive(world, 'get_thing a', { risk_score: 1 })
  expect(factors).toContain('previous outcome: not reported')
  expect(factors.join()).toMatch(/your own estimate 1 (?:counts|does not count)/)
})
