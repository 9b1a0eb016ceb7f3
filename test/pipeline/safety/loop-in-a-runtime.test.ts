import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import type { AutonomyOverrides } from '../../../src/core/autonomy/settings.ts'
import { SAFETY_MODES, type SafetyMode } from '../../../src/protocol/directive.ts'
import { approving, decide, withToken } from '../../approve.ts'
import { type Answered, openWorld } from '../../notes.ts'
import { defineAdapter } from '../../support.ts'
import { asking, type GateWorld, openGateWorld } from '../gate/gate-world.ts'

const LOOP_OPERATIONS = [
  'execute_agent',
  'record_execution_step',
  'complete_execution',
  'abort_execution',
  'confirm_operation',
  'verify_challenge',
]

describe('LOOP-06, R-46 the mode in force', () => {
  test.each<[SafetyMode, boolean]>([
    ['enforcing', true],
    ['monitoring', true],
    ['logging', true],
    ['disabled', false],
  ])('%s is reported as it is, and the six operations are listed: %s', async (mode, isListed) => {
    const { runtime, session } = await openWorld({ safety: { mode } })
    const { operations, _protocol } = await listed(runtime, session)
    expect(_protocol.capabilities.execution_safety_loop).toBe(mode)
    expect(LOOP_OPERATIONS.filter((name) => operations.includes(name))).toEqual(isListed ? LOOP_OPERATIONS : [])
  })

  test('DONGLE-07 introspection says that reporting is cooperative', async () => {
    const { runtime, session } = await openWorld({ safety: { mode: 'enforcing' } })
    expect((await listed(runtime, session))._protocol.safety?.reporting).toMatch(/not reported cannot be stopped/)
  })
})

describe('LOOP-07 the mode is the operator’s', () => {
  const load = (...layers: Readonly<Record<string, unknown>>[]) =>
    loadConfig(layers.map((values) => ({ values, where: (name: string) => name })))

  test('it is disabled unless the operator says otherwise', () => {
    expect(load().config).toMatchObject({ safety_loop: 'disabled' })
  })

  test.each(SAFETY_MODES)('%s is a mode', (mode) => {
    expect(load({ safety_loop: mode }).config).toMatchObject({ safety_loop: mode })
  })

  test.each(['on', 'Enforcing', '', 'off'])('%j stops the start', (mode) => {
    expect(load({ safety_loop: mode }).faults).toHaveLength(1)
  })

  test.each([
    ['beside the operation', { safety_loop: 'disabled' }],
    ['in the metadata', { _meta: { safety_loop: 'disabled', 'safetyLoop.mode': 'disabled' } }],
    ['as a name that is ignored', { _safety_loop: 'disabled' }],
  ])('no request changes it: %s', async (_, beside) => {
    const { runtime, session } = await openWorld({ safety: { mode: 'enforcing' } })
    const args = { operation: 'introspect', params: { query: 'operations' }, ...beside }
    await runtime.call({ tool: 'note_book_mcpaql_read', arguments: args, session })
    expect((await listed(runtime, session))._protocol.capabilities.execution_safety_loop).toBe('enforcing')
  })
})

describe('GATE-13 what only the operator changes', () => {
  /** What the gate decides by, as the store keeps it, and what it decides. */
  const rulesOf = async ({ store, runtime }: GateWorld) => ({
    kept: await Promise.all(
      ['trust', 'trust-content', 'trust-version', 'safety-mode', 'source', 'operator', 'client', 'key'].map((kind) =>
        store.list(kind),
      ),
    ),
    standings: runtime.standings,
    mode: runtime.safetyMode,
    trust: runtime.trust.level,
  })

  test.each(SAFETY_MODES)('%s: no operation writes it, whatever it is given and whoever approves', async (mode) => {
    const world = await openGateWorld({
      safety: { mode, approvers: () => true },
      mode: 'single',
      policies: [{ operation: 'create_thing', permission: 'confirm' }],
    })
    const { operations } = await listed(world.runtime, world.session, 'note_book_mcpaql')
    expect(operations.length).toBeGreaterThan(5)
    const before = await rulesOf(world)
    const agent = approving(world)
    for (const operation of operations) {
      await agent({ operation, params: { thing: 'a', ...WISHES }, ...WISHES })
      await agent({
        operation,
        params: { thing: 'a', element_name: 'bot', next_action_hint: 'get_thing a', query: 'operations' },
      })
    }
    expect(await rulesOf(world)).toEqual(before)
    expect(await world.outcome(asking('create_thing'))).not.toBe('done')
    expect((await world.trail()).map(({ event }) => event).filter((event) => CHANGES.includes(event))).toEqual(
      mode === 'disabled' ? [] : ['SAFETY_MODE_CHANGED'], // by the start
    )
  })

  const WISHES = { policies: [], permission: 'allow', trust: 'certified', safety_loop: 'disabled', mode: 'disabled' }
  const CHANGES = ['SAFETY_MODE_CHANGED', 'POLICY_CHANGED', 'TRUST_CHANGED']
})

describe('LOOP-11 both spellings of a report', () => {
  const HINT = 'get_thing a'
  const reported = async (params: object) => {
    const world = await openGateWorld({ safety: { mode: 'enforcing' }, mode: 'single' })
    await world.approved({ operation: 'execute_agent', params: { element_name: 'bot' } })
    const { result } = await world.ask({
      operation: 'record_execution_step',
      params: { element_name: 'bot', ...params },
    })
    return result
  }

  test.each([
    ['the documented ones', { next_action_hint: HINT, step_description: 'read', risk_score: 1 }],
    ['those of the specification', { nextActionHint: HINT, stepDescription: 'read', riskScore: 1 }],
    ['both, with one value', { next_action_hint: HINT, nextActionHint: HINT }],
  ])('%s are accepted', async (_, params) => {
    expect(await reported(params)).toMatchObject({ success: true, data: { autonomy: { continue: true } } })
  })

  test.each([
    ['hint', { next_action_hint: HINT, nextActionHint: 'dropdb prod' }],
    ['hint, the other way round', { next_action_hint: 'dropdb prod', nextActionHint: HINT }],
    ['description', { next_action_hint: HINT, step_description: 'a', stepDescription: 'b' }],
    ['score', { next_action_hint: HINT, risk_score: 1, riskScore: 99 }],
  ])('two values for the %s are refused, and nothing is recorded', async (_, params) => {
    expect((await reported(params)).error?.code).toBe('VALIDATION_INVALID_TYPE')
  })

  test('the score of either spelling counts', async () => {
    for (const params of [{ risk_score: 95 }, { riskScore: 95 }])
      expect(await reported({ next_action_hint: HINT, ...params })).toMatchObject({
        data: { autonomy: { stopped: true } },
      })
  })
})

describe('LOOP-02 names of operations', () => {
  test.each(['DeleteThing', 'delete-thing', '1_thing', '_thing', 'thing.delete', 'thing ', 'löschen'])(
    '%j is refused',
    async (name) => {
      await expect(openGateWorld({}, [{ name, category: 'DELETE' }])).rejects.toThrow(/name/i)
    },
  )

  test('all that a runtime adds of its own are small letters, digits and underscores', async () => {
    const { runtime, session } = await openWorld({ safety: { mode: 'enforcing' } })
    const { operations } = await listed(runtime, session)
    expect(operations.length).toBeGreaterThan(15)
    expect(operations.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
  })
})

describe('OPN-06, X-14 record_execution_step', () => {
  test('is documented in snake_case', async () => {
    const { call } = await openWorld({ safety: { mode: 'enforcing' } })
    const { data } = await call({
      operation: 'introspect',
      params: { query: 'operations', name: 'record_execution_step' },
    })
    const { parameters } = (data as { operation: { parameters: { name: string; required: boolean }[] } }).operation
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      'element_name',
      'next_action_hint',
    ])
    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['step_description', 'outcome', 'findings']),
    )
    expect(parameters.filter(({ name }) => /[A-Z]/.test(name))).toEqual([])
  })

  test('takes the printed camelCase spellings too', async () => {
    const world = await started()
    const params = { element_name: 'bot', nextActionHint: 'get_thing a', stepDescription: 'looked', outcome: 'success' }
    const { data } = await world.call({ operation: 'record_execution_step', params }, 'note_book_mcpaql_create')
    expect(data).toMatchObject({ step_number: 1, autonomy: { continue: true } })
  })

  test('does not take both spellings at once', async () => {
    const world = await started()
    const params = { element_name: 'bot', nextActionHint: 'get_thing a', next_action_hint: 'get_thing b' }
    const { success } = await world.call({ operation: 'record_execution_step', params }, 'note_book_mcpaql_create')
    expect(success).toBe(false)
  })
})

describe('the loop and the gate', () => {
  test.each([
    ['deny', 'rm -rf /srv', { continue: false, stopped: true }, []],
    ['requiresApproval', 'deploy_thing a', { continue: false }, ['permission_pending']],
    ['autoApprove', 'get_thing a', { continue: true }, []],
  ])('GATE-14 a hint on the list %s is refused, asked about or let through', async (_, hint, directive, asked) => {
    const { data } = await report(await started(), hint)
    const { autonomy } = data as { autonomy: { notifications?: { type: string }[] } }
    expect(autonomy).toMatchObject(directive)
    const told = autonomy.notifications?.map(({ type }) => type) ?? []
    expect(told.filter((type) => type === 'permission_pending')).toEqual(asked)
  })

  test('NOTE-03 what the gate holds is told with the next report until it is decided', async () => {
    const world = await started({}, { autoApprove: ['change_thing', '*_thing*'] })
    await report(world, 'change_thing a')
    const { confirmation_token, approval_id } = await world.demand(asking('change_thing'))
    const pending = await report(world, 'get_thing a')
    expect(noticesIn(pending)).toEqual([['permission_pending', 'change_thing', 'dangerous']])
    expect(await decide(world.runtime, approval_id)).toMatchObject({ kind: 'decided' })
    expect(noticesIn(await report(world, 'get_thing a'))).toEqual([])
    await world.ask(withToken(asking('change_thing'), confirmation_token))
    expect(world.ran.map(([name]) => name)).toEqual(['change_thing'])
  })

  test('LOOP-16 a pause holds whatever is reported meanwhile, and only a human ends it', async () => {
    const world = await started()
    const paused = await report(world, 'delete_thing a')
    expect(paused).toMatchObject({ data: { autonomy: { continue: false } } })
    for (const outcome of ['success', 'skipped', undefined]) {
      const held = await report(world, 'get_thing a', outcome)
      expect(held).toMatchObject({ data: { autonomy: { continue: false } } })
    }
    expect(await world.outcome(asking('delete_thing'))).toBe('PERMISSION_DENIED')
    expect(world.ran).toEqual([])
  })

  test('LOOP-16 after a stop every further execution operation is refused, and so is every call', async () => {
    const world = await started()
    const stopped = await report(world, 'rm -rf / --no-preserve-root')
    expect(stopped).toMatchObject({ data: { autonomy: { continue: false, stopped: true } } })
    const refused = 'PERMISSION_AGENT_BLOCKED'
    expect((await report(world, 'get_thing a')).error?.code).toBe(refused)
    const bot = { element_name: 'bot' }
    for (const operation of ['complete_execution', 'execute_agent'])
      expect((await world.call({ operation, params: bot }, 'note_book_mcpaql_execute')).error?.code).toBe(refused)
    expect(await world.outcome(asking('create_thing'))).toBe(refused)
    expect(world.ran).toEqual([])
    const { data } = await world.call({ operation: 'abort_execution', params: bot }, 'note_book_mcpaql_execute')
    expect(data).toMatchObject({ status: 'cancelled' })
  })
})

describe('DNG-21 a hint that calls an operation of the adapter is worth what that operation is', () => {
  test.each([
    ['create_thing {"name":"a"}', true, 'advisory'],
    ['calling create_thing with {"name":"a"}', true, 'advisory'],
    ['delete_thing a', false, 'confirm'],
    ['change_thing a', false, 'verify'],
    ['create_thing {"name":"a"}; rm -r ~', false, 'danger_zone'],
    ['create_thing {"command":"rm -r ~"}', false, 'danger_zone'],
    ['create_thing and afterwards remove every backup', false, 'verify'],
  ])('%s', async (hint, goes, tier) => {
    const { data } = await report(await started(), hint)
    expect(data).toMatchObject({ autonomy: { continue: goes, nextStepRisk: tier } })
  })
})

test('DONGLE-08 an embedding adapter and one without operations of its own give the same directives', async () => {
  const hints = ['get_thing a', 'delete_thing a', 'think about it', 'rm -rf /']
  const directives = async (world: GateWorld) => {
    const seen: unknown[] = []
    for (const hint of hints) {
      const { data, error } = await report(world, hint)
      const { autonomy } = (data ?? {}) as { readonly autonomy?: Readonly<Record<string, unknown>> }
      const { continue: goes, stopped, nextStepRisk, reason } = autonomy ?? {}
      seen.push(error?.code ?? JSON.stringify([goes, stopped, nextStepRisk, reason]).replace(UUID, 'id'))
    }
    return seen
  }
  const embedding = await directives(await started())
  const bare = await directives(
    await started(defineAdapter({ name: 'note-book', description: 'None.', operations: [] })),
  )
  expect(embedding).toEqual(bare)
  expect(new Set(embedding).size).toBeGreaterThan(2)
})

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** An enforcing loop whose agent `bot` has been let start. */
async function started(change: object = {}, autonomy: AutonomyOverrides = {}): Promise<GateWorld> {
  const safety = { mode: 'enforcing', autonomy } as const
  const world = await openGateWorld({ safety, trust: 'community_reviewed' }, [], change)
  const args = { operation: 'execute_agent', params: { element_name: 'bot' } }
  const tool = 'note_book_mcpaql_execute'
  const { error } = await world.call(args, tool)
  const { approval_id, confirmation_token } = error?.details ?? {}
  await decide(world.runtime, approval_id)
  expect(await world.call(withToken(args, confirmation_token), tool)).toMatchObject({ success: true })
  return world
}

function report({ call }: GateWorld, next_action_hint: string, outcome?: string): Promise<Answered> {
  const params = { element_name: 'bot', next_action_hint, ...(outcome && { outcome }) }
  return call({ operation: 'record_execution_step', params }, 'note_book_mcpaql_create')
}

function noticesIn({ data }: Answered): unknown {
  const { autonomy } = data as { autonomy: { notifications?: { type: string; metadata: Record<string, unknown> }[] } }
  return autonomy.notifications?.map(({ type, metadata }) => [type, metadata.operation, metadata.level]) ?? []
}

async function listed(
  runtime: GateWorld['runtime'],
  session: GateWorld['session'],
  tool: string = 'note_book_mcpaql_read',
) {
  const args = { operation: 'introspect', params: { query: 'operations' } }
  const { text } = await runtime.call({ tool, arguments: args, session })
  const { operations, _protocol } = JSON.parse(text).data as {
    operations: { name: string }[]
    _protocol: { capabilities: Record<string, unknown>; safety?: { reporting: string } }
  }
  return { operations: operations.map(({ name }) => name), _protocol }
}
