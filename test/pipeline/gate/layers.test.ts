import { describe, expect, test } from 'vitest'
import type { PolicyRecord } from '../../../src/core/gatekeeper/policies.ts'
import { createOperator } from '../../../src/core/operator/operator.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { decide, withToken } from '../../approve.ts'
import { createMemoryStore } from '../../support.ts'
import { asking, DELETING, openGateWorld, readableWhile, START } from './gate-world.ts'

const policy = (operation: string, permission: PolicyRecord['permission'], ...conditions: unknown[]): PolicyRecord => ({
  operation,
  permission,
  ...(conditions.length > 0 && { conditions: conditions as NonNullable<PolicyRecord['conditions']> }),
})

describe('the order of the layers', () => {
  test('GATE-01 the handler runs only after the fourth layer has passed', async () => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    expect(world.ran).toEqual([])
    await world.call(withToken(DELETING, confirmation_token))
    expect(world.ran).toEqual([])
    await decide(world.runtime, approval_id)
    expect(world.ran).toEqual([])
    expect((await world.call(withToken(DELETING, confirmation_token))).data).toEqual({ did: 'delete_thing' })
    expect(world.ran).toEqual([['delete_thing', { thing: 'a', speed: 'slow' }]])
  })

  // biome-ignore format: one row a case
  test.each([
    ['an unknown operation', { operation: 'delete_things', params: { thing: 'a' } }, undefined, 'NOT_FOUND_OPERATION'],
    ['another tool', DELETING, 'note_book_mcpaql_read', 'VALIDATION_ENDPOINT_MISMATCH'],
    ['a missing parameter', { operation: 'delete_thing' }, undefined, 'VALIDATION_MISSING_PARAM'],
    ['a wrong type', asking('delete_thing', { count: 'many' }), undefined, 'VALIDATION_INVALID_TYPE'],
    ['an unknown parameter', asking('delete_thing', { colour: 1 }), undefined, 'VALIDATION_UNKNOWN_PARAM'],
  ] as const)('GATE-02 %s is refused before any policy, and no token is issued, looked up or consumed', async (_, args, tool, code) => {
    const world = await openGateWorld({ policies: [policy('*', 'deny')] })
    expect((await world.call(args, tool)).error?.code).toBe(code)
    expect((await world.call(withToken(args, 'conf_x'), tool)).error?.code).toBe(code)
    await world.runtime.close()
    expect(await world.trail()).toEqual([])
  })

  test('GATE-02 ERR-27 a wrong tool is told, and the right one too', async () => {
    const { call } = await openGateWorld()
    const { error } = await call(DELETING, 'note_book_mcpaql_read')
    expect(error?.message).toBe("Operation 'delete_thing' must use DELETE endpoint, not READ")
    expect(error?.details).toMatchObject({
      actual_tool: 'note_book_mcpaql_read',
      expected_tool: 'note_book_mcpaql_delete',
    })
  })

  test('GATE-03 the tier flags, by category', async () => {
    const input = { type: 'object', required: true } as const
    const { call } = await openGateWorld({}, [{ name: 'update_thing', category: 'UPDATE', params: { input } }])
    const flags = async (name: string) => {
      const { data } = await call({ operation: 'introspect', params: { query: 'operations', name } })
      return (data as { operation: { permissions: unknown } }).operation.permissions
    }
    expect(await flags('create_thing')).toEqual({ readOnly: false, destructive: false })
    expect(await flags('get_thing')).toEqual({ readOnly: true, destructive: false })
    expect(await flags('update_thing')).toEqual({ readOnly: false, destructive: true })
    expect(await flags('delete_thing')).toEqual({ readOnly: false, destructive: true })
    expect(await flags('run_thing')).toEqual({ readOnly: false, destructive: true })
  })

  test('GATE-03 a read-only server denies whatever does not read', async () => {
    const world = await openGateWorld({ readOnly: true })
    const { error } = await world.call(asking('create_thing'))
    expect([error?.code, error?.details?.reason]).toEqual([
      'PERMISSION_DENIED',
      'the server is read-only, and this is a CREATE operation',
    ])
    expect(await world.outcome(DELETING)).toBe('PERMISSION_DENIED')
    expect(await world.outcome(asking('get_thing'))).toBe('done')
    expect(world.ran.map(([name]) => name)).toEqual(['get_thing'])
  })

  test.each(['semantic', 'single'] as const)('GATE-04 in %s mode the registered category decides', async (mode) => {
    const world = await openGateWorld({ mode })
    const claims = { category: 'READ', semantic_category: 'READ', _meta: { category: 'READ', admin: true } }
    expect(await world.outcome({ ...DELETING, _meta: claims._meta, _category: 'READ', _permission: 'allow' })).toBe(
      'CONFIRMATION_REQUIRED',
    )
    expect(await world.outcome(asking('get_thing'))).toBe('done')
    expect(world.ran).toHaveLength(1)
  })
})

describe('policies', () => {
  // biome-ignore format: one row a case
  test.each([
    ['no record', [], 'done', 'CONFIRMATION_REQUIRED'],
    ['deny', [policy('*', 'deny')], 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
    ['confirm', [policy('*_thing', 'confirm')], 'CONFIRMATION_REQUIRED', 'CONFIRMATION_REQUIRED'],
    ['allow removes nothing', [policy('*', 'allow'), policy('delete_thing', 'allow')], 'done', 'CONFIRMATION_REQUIRED'],
    ['deny after allow', [policy('create_thing', 'allow'), policy('*', 'deny')], 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
    ['deny before allow', [policy('*', 'deny'), policy('create_thing', 'allow')], 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
    ['confirm between allows', [policy('*', 'allow'), policy('create_*', 'confirm'), policy('create_thing', 'allow')], 'CONFIRMATION_REQUIRED', 'CONFIRMATION_REQUIRED'],
    ['another operation', [policy('update_*', 'deny')], 'done', 'CONFIRMATION_REQUIRED'],
  ] as const)('GATE-05 GATE-06 GATE-07 %s', async (_, policies, creating, deleting) => {
    const world = await openGateWorld({ policies })
    expect([await world.outcome(asking('create_thing')), await world.outcome(DELETING)]).toEqual([creating, deleting])
    expect(world.ran).toHaveLength(creating === 'done' ? 1 : 0)
  })

  const holds = (param: string, op: string, value: unknown) => ({ param, op, value })

  // biome-ignore format: one row a case
  test.each([
    ['eq', [holds('thing', 'eq', 'a')], {}, true],
    ['eq another', [holds('thing', 'eq', 'b')], {}, false],
    ['eq of a default', [holds('speed', 'eq', 'slow')], {}, true],
    ['eq of an object', [holds('how', 'eq', { by: 'hand' })], { how: { by: 'hand' } }, true],
    ['eq of an object in another order', [holds('how', 'eq', { by: 'hand', at: { b: 1, a: [2] } })], { how: { at: { a: [2], b: 1 }, by: 'hand' } }, true],
    ['in with such an object', [holds('how', 'in', [{ by: 'hand', at: 1 }])], { how: { at: 1, by: 'hand' } }, true],
    ['ne of such an object', [holds('how', 'ne', { by: 'hand', at: 1 })], { how: { at: 1, by: 'hand' } }, false],
    ['eq of null', [holds('how', 'eq', null)], { how: {} }, false],
    ['ne', [holds('thing', 'ne', 'b')], {}, true],
    ['ne of what is absent', [holds('count', 'ne', 1)], {}, true],
    ['in', [holds('thing', 'in', ['x', 'a'])], {}, true],
    ['in without it', [holds('thing', 'in', ['x'])], {}, false],
    ['gt', [holds('count', 'gt', 10)], { count: 11 }, true],
    ['gt at the border', [holds('count', 'gt', 10)], { count: 10 }, false],
    ['gt of what is absent', [holds('count', 'gt', -1)], {}, false],
    ['lt', [holds('count', 'lt', 10)], { count: 9.5 }, true],
    ['matches', [holds('thing', 'matches', '^a+$')], {}, true],
    ['matches not', [holds('thing', 'matches', '^b')], {}, false],
    ['a path', [holds('how.by', 'eq', 'hand')], { how: { by: 'hand' } }, true],
    ['a path through the prototype', [holds('how.constructor', 'ne', null)], { how: {} }, true],
    ['all must hold', [holds('thing', 'eq', 'a'), holds('count', 'gt', 1)], { count: 1 }, false],
    ['all hold', [holds('thing', 'eq', 'a'), holds('count', 'gt', 1)], { count: 2 }, true],
  ] as const)('GATE-05 R-31 a condition: %s', async (_, conditions, params, denies) => {
    const world = await openGateWorld({ policies: [policy('create_thing', 'deny', ...conditions)] })
    expect(await world.outcome(asking('create_thing', params))).toBe(denies ? 'PERMISSION_DENIED' : 'done')
  })

  test('GATE-05 REQ-11 a condition holds under the name that the agent knows, whatever the handler calls it', async () => {
    const renaming = {
      name: 'move_thing',
      params: { to: { type: 'string', mapTo: 'target', description: 'Where to.' } },
    } as const
    const denies = policy('move_thing', 'deny', { param: 'to', op: 'eq', value: 'production' })
    const world = await openGateWorld({ policies: [denies] }, [renaming])
    const moving = (to: string) => ({ operation: 'move_thing', params: { to } })
    expect(await world.outcome(moving('production'))).toBe('PERMISSION_DENIED')
    expect(await world.outcome(moving('test'))).toBe('done')
    expect(world.ran).toEqual([['move_thing', { target: 'test' }]])
  })

  test.each([
    ['a permission', { operation: '*', permission: 'DENY' }],
    ['an operator', { operation: '*', permission: 'deny', conditions: [{ param: 'a', op: 'is', value: 1 }] }],
    [
      'an operator of the prototype',
      { operation: '*', permission: 'deny', conditions: [{ param: 'a', op: 'toString', value: 1 }] },
    ],
    ['a key', { operation: '*', permission: 'deny', when: 'always' }],
    ['a pattern', { operation: '*', permission: 'deny', conditions: [{ param: 'a', op: 'matches', value: '(' }] }],
  ])('GATE-05 GATE-11 %s that does not exist stops the start', async (_, record) => {
    await expect(openGateWorld({ policies: [record as unknown as PolicyRecord] })).rejects.toThrow()
  })

  test('GATE-08 a denial issues no token, and says what denied it', async () => {
    const world = await openGateWorld({ policies: [policy('delete_thing', 'deny')] })
    const { error, ...rest } = await world.call(DELETING)
    expect([error, rest]).toEqual([
      {
        code: 'PERMISSION_DENIED',
        message: "Permission denied: 'an operation policy of this server denies it'",
        details: { reason: 'an operation policy of this server denies it', operation: 'delete_thing' },
      },
      { success: false },
    ])
    expect(await world.store.list('request')).toEqual([])
    expect(world.ran).toEqual([])
  })
})

describe('SELF-14 policies that join while the server runs', () => {
  test('AUDIT-05 hold at once, also for what an approval has opened; what the file no longer has stays', async () => {
    const world = await openGateWorld({ policies: [policy('create_thing', 'deny')] })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    const change = await world.runtime.addPolicies([policy('delete_thing', 'deny'), policy('get_thing', 'allow')])
    expect(change).toEqual({ added: 2, kept: 1 })
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('PERMISSION_DENIED')
    expect(await world.outcome(asking('create_thing'))).toBe('PERMISSION_DENIED')
    expect(await world.outcome(asking('get_thing'))).toBe('done')
    expect(await world.trail('POLICY_CHANGED')).toMatchObject([
      {
        operator: 'policy file',
        adapter_name: 'note-book',
        old: [expect.stringContaining('create_thing')],
        new: ['create_thing', 'delete_thing', 'get_thing'].map((name) => expect.stringContaining(name)),
      },
    ])
  })

  test('all of them, when files are read side by side', async () => {
    const world = await openGateWorld()
    const slow = policy('create_thing', 'deny', { param: 'thing', op: 'matches', value: '^a' })
    const changes = [slow, policy('get_thing', 'deny')].map((record) => world.runtime.addPolicies([record]))
    await Promise.all(changes)
    expect(await world.outcome(asking('create_thing'))).toBe('PERMISSION_DENIED')
    expect(await world.outcome(asking('get_thing'))).toBe('PERMISSION_DENIED')
  })

  test('GATE-11 one that is not valid changes nothing, and the next is taken in', async () => {
    const world = await openGateWorld()
    const wrong = policy('create_thing', 'deny', { param: 'thing', op: 'matches', value: '(' })
    await expect(world.runtime.addPolicies([policy('get_thing', 'deny'), wrong])).rejects.toThrow()
    expect(await world.outcome(asking('get_thing'))).toBe('done')
    await world.runtime.addPolicies([policy('get_thing', 'deny')])
    expect(await world.outcome(asking('get_thing'))).toBe('PERMISSION_DENIED')
  })

  test('GATE-01 a call that waits for a human is judged by them before it runs', async () => {
    const { now } = Date
    const world = await openGateWorld({ clock: { now } })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    const waiting = world.outcome({ ...withToken(DELETING, confirmation_token), _wait_seconds: 20 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    await world.runtime.addPolicies([policy('delete_thing', 'deny')])
    await decide(world.runtime, approval_id)
    expect([await waiting, world.ran]).toEqual(['PERMISSION_DENIED', []])
  })

  test('GATE-01 and one whose commit they overtake', async () => {
    const store = createMemoryStore()
    const before: (() => Promise<unknown>)[] = []
    const update: Store['update'] = async (refs, change) => {
      if (Object.hasOwn(refs, 'intent')) await before.pop()?.()
      return store.update(refs, change)
    }
    const world = await openGateWorld({ store: { ...store, update } })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    before.push(() => world.runtime.addPolicies([policy('delete_thing', 'deny')]))
    expect([await world.outcome(withToken(DELETING, confirmation_token)), world.ran]).toEqual(['PERMISSION_DENIED', []])
  })

  test('the operator sees them', async () => {
    const world = await openGateWorld()
    await world.runtime.addPolicies([{ ...policy('get_thing', 'deny'), place: 'policies.yaml:3' }])
    const operator = createOperator({ store: world.store, clock: { now: () => START } })
    expect(await operator.policies()).toMatchObject([{ operation: 'get_thing', place: 'policies.yaml:3' }])
    const [source] = await operator.sources()
    expect(source?.operations.find(({ name }) => name === 'get_thing')?.permission).toBe('deny')
    operator.close()
  })
})

describe('what is checked is what runs', () => {
  test('GATE-09 the handler gets the one frozen object that was hashed and shown', async () => {
    const world = await openGateWorld()
    const args = { ...asking('delete_thing', { count: 2 }), thing: 'top level', count: 9 }
    const { approval_id } = await world.demand(args)
    const request = await world.runtime.findRequest(approval_id, world.session)
    expect(request?.params).toEqual({ thing: 'a', count: 2, speed: 'slow' })
    await world.approved(args)
    expect(world.ran).toEqual([['delete_thing', { thing: 'a', count: 2, speed: 'slow' }]])
    expect(Object.isFrozen(world.ran[0]?.[1])).toBe(true)
  })

  test('GATE-10 the structured form, never a flat one', async () => {
    const { call } = await openGateWorld({ policies: [policy('create_thing', 'deny')] })
    for (const args of [DELETING, asking('create_thing'), asking('run_thing')]) {
      const answer = await call(args)
      expect(Object.keys(answer).filter((key) => !['success', 'error', 'confirmation'].includes(key))).toEqual([])
      expect(Object.keys(answer.error ?? {})).toEqual(['code', 'message', 'details'])
    }
  })

  test.each(['read', 'written'] as const)(
    'GATE-11 AUDIT-08 a store that cannot be %s refuses, and nothing runs',
    async (method) => {
      const memory = createMemoryStore()
      let isDown = false
      const store = readableWhile(memory, () => !isDown || method !== 'read')
      const broken = () => Promise.reject(new Error('the disk is gone'))
      const update: Store['update'] = (refs, change) =>
        isDown && method === 'written' ? broken() : memory.update(refs, change)
      const world = await openGateWorld({ store: { ...store, update } })
      const { approval_id, confirmation_token } = await world.demand(DELETING)
      await decide(world.runtime, approval_id)
      isDown = true
      expect(await world.outcome(DELETING)).toBe('INTERNAL_ERROR')
      const redeemed = await world.outcome(withToken(DELETING, confirmation_token))
      if (method === 'written') {
        expect([redeemed, world.ran]).toEqual(['INTERNAL_ERROR', []])
        isDown = false
        expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('done') // the token was not lost
      }
    },
  )

  test('GATE-13 no operation that an agent can call writes policies, trust or modes', async () => {
    const world = await openGateWorld()
    const { data } = await world.call({ operation: 'introspect', params: { query: 'operations' } })
    const { operations } = data as { operations: readonly { name: string }[] }
    expect(
      operations.map(({ name }) => name).filter((name) => /polic|trust|approv|confirm|mode|audit/.test(name)),
    ).toEqual([])
  })
})

test('the trace says which layer decided', async () => {
  const { runtime } = await openGateWorld({ policies: [policy('create_*', 'confirm')] })
  const explained = runtime.explain('create_thing', {})
  expect(explained).toMatchObject({ decision: 'confirm', danger_level: 'reversible', trust: 'validated' })
  const { trace } = explained as Exclude<typeof explained, { success: false }>
  expect(trace.filter(({ decisive }) => decisive).map(({ layer }) => layer)).toEqual(['policy'])
  expect(runtime.explain('create_thin', {})).toMatchObject({
    error: { code: 'NOT_FOUND_OPERATION', details: { suggestions: expect.arrayContaining(['create_thing']) } },
  })
})
