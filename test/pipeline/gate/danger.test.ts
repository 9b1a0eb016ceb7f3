import { describe, expect, test } from 'vitest'
import { requestRef } from '../../../src/core/gatekeeper/request.ts'
import { ADMIN, decide, withToken } from '../../approve.ts'
import type { RuntimeOptions } from '../../support.ts'
import { asking, DELETING, openGateWorld } from './gate-world.ts'

const CERTIFIED = { trust: 'certified' } satisfies Partial<RuntimeOptions>
const CHANGING = asking('change_thing')
const RUNNING = asking('run_thing')

describe('what needs a human', () => {
  // biome-ignore format: one row a case
  test.each([
    ['READ', { name: 'get_one', category: 'READ' }, 'done'],
    ['CREATE', { name: 'create_one', category: 'CREATE' }, 'done'],
    ['EXECUTE', { name: 'start_one', category: 'EXECUTE' }, 'done'],
    ['DELETE', { name: 'delete_one', category: 'DELETE' }, 'CONFIRMATION_REQUIRED'],
    ['a CREATE that says so', { name: 'create_one', requires_confirmation: true }, 'CONFIRMATION_REQUIRED'],
    ['a READ that says so', { name: 'get_one', category: 'READ', requires_confirmation: true }, 'CONFIRMATION_REQUIRED'],
    ['a DELETE that denies it', { name: 'delete_one', category: 'DELETE', requires_confirmation: false }, 'CONFIRMATION_REQUIRED'],
    ['a DELETE that is reversible', { name: 'delete_one', category: 'DELETE', danger: 'reversible' }, 'done'],
    ['a READ that destroys', { name: 'get_one', category: 'READ', danger_level: 'destructive' }, 'CONFIRMATION_REQUIRED'],
    ['DNG-15 a dangerous name', { name: 'force_sync', category: 'EXECUTE' }, 'CONFIRMATION_REQUIRED'],
    ['DNG-15 a forbidden name', { name: 'wipe_disk', category: 'EXECUTE' }, 'CONFIRMATION_REQUIRED'],
    ['VAL-09 the dangerous mark', { name: 'create_one', dangerous: true }, 'CONFIRMATION_REQUIRED'],
  ] as const)('DNG-06 DNG-13 %s', async (_, operation, expected) => {
    const world = await openGateWorld(CERTIFIED, [operation])
    expect(await world.outcome(asking(operation.name))).toBe(expected)
    expect(world.ran).toHaveLength(expected === 'done' ? 1 : 0)
  })

  test('DNG-15 a name alone: the level and its reason are told, asked about, and recorded', async () => {
    const world = await openGateWorld(CERTIFIED, [{ name: 'wipe_disk', category: 'EXECUTE' }])
    const { danger_level, reasons } = await world.demand(asking('wipe_disk'))
    expect([danger_level, reasons]).toEqual(['forbidden', ['its name matches wipe_*: it erases without trace']])
    expect(await world.trail('CONFIRMATION_REQUIRED')).toMatchObject([{ operation: 'wipe_disk', danger_level: 4 }])
  })

  test('DNG-11 R-15 a level below what the name says counts only when the operator trusts or pins it', async () => {
    const declared = { name: 'force_sync', category: 'EXECUTE', danger: 'safe' } as const
    const at = async (options: Partial<RuntimeOptions>) =>
      (await openGateWorld(options, [declared])).outcome(asking('force_sync'))
    expect(await at({ trust: 'generated' })).toBe('PERMISSION_DANGER_LEVEL_DENIED')
    expect(await at({ trust: 'validated' })).toBe('done')
    expect(await at({ trust: 'generated', dangerLevels: { force_sync: 'safe' } })).toBe('done')
  })

  test('DNG-12 the operator adds names and removes built-in ones', async () => {
    const operations = [
      { name: 'nuke_thing', category: 'EXECUTE' },
      { name: 'reset_counter', category: 'EXECUTE' },
    ] as const
    const dangerPatterns = { dangerous: ['nuke_*'], remove: ['reset_*'] }
    const { outcome } = await openGateWorld({ ...CERTIFIED, dangerPatterns }, operations)
    expect([await outcome(asking('nuke_thing')), await outcome(asking('reset_counter'))]).toEqual([
      'CONFIRMATION_REQUIRED',
      'done',
    ])
  })
})

describe('DNG-14 SELF-14 who may approve what', () => {
  const by = { ...ADMIN }

  // biome-ignore format: one row a case
  test.each([
    ['level 2 by an approver', DELETING, { by: { ...by, role: 'approver' } }, undefined],
    ['level 2 by elicitation', DELETING, { by: { ...by, channel: 'elicitation', role: 'approver' } }, undefined],
    ['level 2 for the session', DELETING, { scope: 'session', maxUses: 5 }, undefined],
    ['level 2 by a viewer', DELETING, { by: { ...by, role: 'viewer' } }, 'role'],
    ['level 2 denied by a viewer', DELETING, { decision: 'deny', by: { ...by, role: 'viewer' } }, 'role'],
    ['level 3 by an approver', CHANGING, { by: { ...by, role: 'approver' } }, undefined],
    ['level 3 by elicitation', CHANGING, { by: { ...by, channel: 'elicitation' } }, 'channel'],
    ['level 3 for the session', CHANGING, { scope: 'session', maxUses: 2 }, 'scope'],
    ['level 4 by an admin', RUNNING, {}, undefined],
    ['level 4 by an approver', RUNNING, { by: { ...by, role: 'approver' } }, 'role'],
    ['level 4 by elicitation', RUNNING, { by: { ...by, channel: 'elicitation' } }, 'channel'],
    ['level 4 by another principal', RUNNING, { by: { ...by, subject: 'other', channel: 'principal' } }, 'channel'],
    ['level 4 for the session', RUNNING, { scope: 'session', maxUses: 2 }, 'scope'],
    ['level 4 without a new proof', RUNNING, { by: { ...by, authenticatedAt: 0 } }, 'reauth'],
    ['level 4 denied by an approver', RUNNING, { decision: 'deny', by: { ...by, role: 'approver', authenticatedAt: 0 } }, undefined],
  ] as const)('%s', async (_, args, parts, why) => {
    const world = await openGateWorld(CERTIFIED)
    const { approval_id, confirmation_token } = await world.demand(args)
    const decided = await decide(world.runtime, approval_id, parts)
    expect(decided.kind === 'refused' ? decided.why : undefined).toBe(why)
    const after = { undefined: 'done', deny: 'PERMISSION_DENIED' }[String(why === undefined ? ('decision' in parts ? parts.decision : undefined) : 'x')] ?? 'CONFIRMATION_REQUIRED'
    expect(await world.outcome(withToken(args, confirmation_token))).toBe(after)
  })
})

describe('DNG-17 the message', () => {
  const world = openGateWorld({}, [
    {
      name: 'delete_named',
      category: 'DELETE',
      danger: { level: 'destructive', confirmation_message: 'Delete {thing} with {password}? {nothing}' },
      params: { thing: { type: 'string', required: true }, password: { type: 'string', sensitive: true } },
    },
  ])

  test.each([
    ['plain', 'report', 'Delete report with {password}? {nothing}'],
    ['a placeholder as a value', '{password}', 'Delete {password} with {password}? {nothing}'],
  ])('%s', async (_, thing, message) => {
    const demand = await (await world).demand({ operation: 'delete_named', params: { thing } })
    expect(demand.confirmation_message).toBe(message)
  })

  test.each(['a\nb', 'a\u202eb', 'a\u200bb', 'a\u0007b', 'a\u2028b'])('%j is shown, not obeyed', async (thing) => {
    const { confirmation_message } = await (await world).demand({ operation: 'delete_named', params: { thing } })
    expect(confirmation_message).not.toContain(thing)
    for (const character of '\n\u0007\u200b\u202e\u2028') expect(confirmation_message).not.toContain(character)
  })

  test('secrets are masked, and long values cut', async () => {
    const params = { thing: 'x'.repeat(300), password: 'hunter22' }
    const { text } = await (await world).ask({ operation: 'delete_named', params })
    expect(text).not.toContain('hunter22')
    expect(text).not.toContain('x'.repeat(201))
  })
})

test('DNG-17 REQ-11 R-44 message and preview know a parameter by the name that the caller sends', async () => {
  const world = await openGateWorld({}, [
    { name: 'get_named', category: 'READ', params: { thing: { type: 'string', required: true } } },
    {
      name: 'delete_named',
      category: 'DELETE',
      preview_with: 'get_named',
      danger: { level: 'destructive', confirmation_message: 'Delete {thing}?' },
      params: { thing: { type: 'string', required: true, mapTo: 'inner' } },
    },
  ])
  const asked = await world.demand({ operation: 'delete_named', params: { thing: 'report' } })
  expect(asked.confirmation_message).toBe('Delete report?')
  const { preview } = (await world.store.get(requestRef(asked.approval_id))) ?? {}
  expect(await world.runtime.preview('get_named', preview?.params ?? {})).toMatchObject({ success: true })
  expect(world.ran).toEqual([['get_named', { thing: 'report' }]])
})

test('VAL-10 R-44 a preview tells no sensitive field of what it shows', async () => {
  const field = (more: object = {}) => ({ type: 'string', ...more })
  const types = [
    { kind: 'object', name: 'Key', fields: { hint: field(), value: field({ sensitive: true }) } },
    {
      kind: 'object',
      name: 'Account',
      fields: {
        id: field(),
        pass: field({ sensitive: true }),
        keys: { type: 'Key[]' },
        inner: { type: 'object', fields: { pin: { type: 'integer', sensitive: true }, open: field() } },
        spare: field({ sensitive: true }),
      },
    },
  ] as const
  const account = {
    id: 'a',
    pass: 'hunter22',
    keys: [{ hint: 'h', value: 'k1' }],
    inner: { pin: 7, open: 'o' },
    spare: null,
  }
  const world = await openGateWorld(
    {},
    [{ name: 'get_account', category: 'READ', returns: 'Account', params: {}, handler: () => account }],
    { types },
  )
  expect(await world.runtime.preview('get_account', {})).toEqual({
    success: true,
    data: {
      id: 'a',
      pass: { $masked: 'string' },
      keys: [{ hint: 'h', value: { $masked: 'string' } }],
      inner: { pin: { $masked: 'number' }, open: 'o' },
      spare: null,
    },
  })
})

describe('DNG-18 a cooldown', () => {
  const cool = {
    name: 'delete_coolly',
    category: 'DELETE',
    danger: { level: 'destructive', cooldown_seconds: 60 },
  } as const
  const args = asking('delete_coolly')

  test('an approval rests before it is used, and is not lost by trying', async () => {
    const world = await openGateWorld({}, [cool])
    const { approval_id, confirmation_token } = await world.demand(args)
    world.pass(10)
    await decide(world.runtime, approval_id)
    world.pass(20)
    const early = await world.demand(withToken(args, confirmation_token))
    expect([early.confirmation_token, early.cooldown_remaining_seconds]).toEqual([confirmation_token, 40])
    world.pass(39)
    expect((await world.demand(withToken(args, confirmation_token))).cooldown_remaining_seconds).toBe(1)
    expect(world.ran).toEqual([])
    world.pass(1)
    expect(await world.outcome(withToken(args, confirmation_token))).toBe('done')
  })

  test.each([
    [{}, 300],
    [{ tokenLifetimes: { confirmation: 60 } }, 60],
  ])('one that outlasts the token stops the start: %j', async (options, cooldown_seconds) => {
    const danger = { level: 'destructive', cooldown_seconds } as const
    await expect(openGateWorld(options, [{ ...cool, danger }])).rejects.toThrow(
      'must be shorter than the token lifetime',
    )
  })
})

describe('DNG-19 proving again who one is', () => {
  const careful = {
    name: 'delete_carefully',
    category: 'DELETE',
    danger: { level: 'destructive', requires_reauth: true },
  } as const
  const args = asking('delete_carefully')
  const reach = () => ({ channels: ['console'] })

  test('only a proof after the token was issued counts', async () => {
    const world = await openGateWorld({ reach }, [careful])
    const { approval_id, confirmation_token } = await world.demand(args)
    const issued = Date.parse('2026-11-16T00:00:00Z')
    const at = (authenticatedAt: number) => decide(world.runtime, approval_id, { by: { ...ADMIN, authenticatedAt } })
    expect(await at(issued - 1)).toMatchObject({ kind: 'refused', why: 'reauth' })
    expect(await world.outcome(withToken(args, confirmation_token))).toBe('CONFIRMATION_REQUIRED')
    expect(await at(issued)).toMatchObject({ kind: 'decided' })
    expect(await world.outcome(withToken(args, confirmation_token))).toBe('done')
  })

  test.each([[[]], [['elicitation']], [['principal']]])(
    'with the channels %j it is refused, and says so',
    async (channels) => {
      const world = await openGateWorld({ reach: () => ({ channels }) }, [careful])
      const { error } = await world.call(args)
      expect(error?.code).toBe('PERMISSION_DENIED')
      expect(error?.details?.reason).toBe(
        'no channel is set up that can authenticate the approver again (console, terminal)',
      )
      expect(await world.store.list('request')).toEqual([])
    },
  )
})

describe('DNG-20 INT-19 what introspection tells', () => {
  const ask = { operation: 'introspect', params: { query: 'danger' } }

  test('every operation, one, or none', async () => {
    const danger = { level: 'destructive', reasons: ['gone'], confirmation_message: 'Delete {thing}?' } as const
    const { call } = await openGateWorld({}, [{ name: 'delete_named', category: 'DELETE', danger }])
    const named = { level: 'destructive', reasons: ['gone'], confirmation_message: 'Delete {thing}?' }
    const { danger: all } = (await call(ask)).data as { danger: Record<string, unknown> }
    expect(all.delete_named).toEqual(named)
    expect(all.get_thing).toEqual({ level: 'safe' })
    expect(all.run_thing).toEqual({ level: 'forbidden', reasons: ['its definition declares forbidden'] })
    const one = (name: string) => call({ ...ask, params: { query: 'danger', name } })
    expect((await one('delete_named')).data).toEqual({ danger: named })
    expect((await one('nothing')).data).toEqual({ danger: null })
  })

  test('the list of operations has what is not safe', async () => {
    const { call } = await openGateWorld()
    const { data } = await call({ operation: 'introspect', params: { query: 'operations' } })
    const { _protocol } = data as { _protocol: { danger: unknown; capabilities: unknown } }
    expect(_protocol.danger).toEqual({
      create_thing: 'reversible',
      delete_thing: 'destructive',
      change_thing: 'dangerous',
      run_thing: 'forbidden',
      revoke_token: 'reversible',
    })
    expect(_protocol.capabilities).toMatchObject({ confirmation: true, dangerous_operations: true })
  })
})

describe('REQ-10 a dry run', () => {
  const dry = { name: 'delete_dryly', category: 'DELETE', dryRun: true } as const

  test('is not asked about, but denied like any other', async () => {
    const world = await openGateWorld({}, [dry])
    expect(await world.outcome(asking('delete_dryly', { dry_run: true }))).toBe('done')
    expect(await world.outcome(asking('delete_dryly'))).toBe('CONFIRMATION_REQUIRED')
    expect(await world.outcome(asking('delete_dryly', { dry_run: false }))).toBe('CONFIRMATION_REQUIRED')
    const policies = [{ operation: 'delete_dryly', permission: 'deny' }] as const
    expect(await (await openGateWorld({ policies }, [dry])).outcome(asking('delete_dryly', { dry_run: true }))).toBe(
      'PERMISSION_DENIED',
    )
    const asked = [{ operation: 'delete_dryly', permission: 'confirm' }] as const
    expect(
      await (await openGateWorld({ policies: asked }, [dry])).outcome(asking('delete_dryly', { dry_run: true })),
    ).toBe('CONFIRMATION_REQUIRED')
  })

  test('AUDIT-03 AUDIT-08 is recorded before it runs, as every attempt from level 2 on', async () => {
    const world = await openGateWorld({}, [dry])
    await world.call(asking('delete_dryly', { dry_run: true }))
    expect(await world.trail('OPERATION_INTENT', 'OPERATION_OUTCOME')).toMatchObject([
      { event: 'OPERATION_INTENT', operation: 'delete_dryly', danger_level: 2 },
      { event: 'OPERATION_OUTCOME', outcome: 'success' },
    ])
  })

  test('its parameter is bound like any other: what was approved wet stays wet', async () => {
    const world = await openGateWorld({}, [dry])
    const { approval_id, confirmation_token } = await world.demand(asking('delete_dryly'))
    await decide(world.runtime, approval_id)
    await world.outcome(withToken(asking('delete_dryly', { dry_run: true }), confirmation_token))
    expect(await world.outcome(withToken(asking('delete_dryly'), confirmation_token))).toBe('done')
  })
})
