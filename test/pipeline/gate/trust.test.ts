import { describe, expect, test } from 'vitest'
import type { RuntimeOptions } from '../../support.ts'
import { asking, LEVELS, openGateWorld } from './gate-world.ts'

const TRUSTS = ['untested', 'generated', 'validated', 'community_reviewed', 'certified'] as const

const RUNS = 'done'
const ASKS = 'CONFIRMATION_REQUIRED'
const DENIED = 'PERMISSION_DANGER_LEVEL_DENIED'
const CLOSED = 'PERMISSION_TRUST_LEVEL_INSUFFICIENT'

/** Danger levels document §4.1, with DNG-13 over its `allow` cells. */
// biome-ignore format: a table reads by columns
const MATRIX = [
  ['TRUST-13', 'safe',        'get_thing',    [CLOSED, RUNS,   RUNS,   RUNS,   RUNS]],
  ['TRUST-14', 'reversible',  'create_thing', [DENIED, DENIED, RUNS,   RUNS,   RUNS]],
  ['TRUST-15', 'destructive', 'delete_thing', [DENIED, DENIED, ASKS,   ASKS,   ASKS]],
  ['TRUST-16', 'dangerous',   'change_thing', [DENIED, DENIED, DENIED, ASKS,   ASKS]],
  ['TRUST-17', 'forbidden',   'run_thing',    [DENIED, DENIED, DENIED, DENIED, ASKS]],
] as const

describe.each(MATRIX)('%s the row of %s', (_, level, operation, row) => {
  test.each(TRUSTS.map((trust, at) => [trust, row[at]] as const))('DNG-13 at trust %s: %s', async (trust, expected) => {
    const world = await openGateWorld({ trust })
    const { success, error } = await world.call(asking(operation))
    expect(success ? RUNS : error?.code).toBe(expected)
    expect(world.ran).toHaveLength(expected === RUNS ? 1 : 0)
    expect(world.runtime.explain(operation, {})).toMatchObject({ danger_level: level, trust })
  })
})

test('every level has its row', () => {
  expect(MATRIX.map(([, , operation]) => operation)).toEqual(LEVELS.map(({ name }) => name))
})

describe('refusals', () => {
  test('DNG-16 ERR-34 a cell that denies', async () => {
    const { call } = await openGateWorld({ trust: 'validated' })
    expect(await call(asking('run_thing'))).toEqual({
      success: false,
      error: {
        code: 'PERMISSION_DANGER_LEVEL_DENIED',
        message: "Operation 'run_thing' (danger: forbidden) denied for adapter trust level 'validated'",
        details: {
          operation: 'run_thing',
          danger_level: 'forbidden',
          adapter_trust: 'validated',
          minimum_trust_required: 'certified',
          reasons: ['its definition declares forbidden'],
        },
      },
    })
  })

  test.each([
    ['create_thing', 'validated'],
    ['delete_thing', 'validated'],
    ['change_thing', 'community_reviewed'],
    ['run_thing', 'certified'],
  ])('DNG-16 what %s needs is %s', async (operation, minimum) => {
    const { call } = await openGateWorld({ trust: 'generated' })
    expect((await call(asking(operation))).error?.details?.minimum_trust_required).toBe(minimum)
  })

  test('TRUST-18 TRUST-20 ERR-33 an untested adapter can only be introspected', async () => {
    const world = await openGateWorld({ trust: 'untested' })
    expect(await world.call(asking('get_thing'))).toEqual({
      success: false,
      error: {
        code: 'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
        message: "Operation 'get_thing' requires trust level 'generated', adapter has 'untested'",
        details: { operation: 'get_thing', required_trust: 'generated', actual_trust: 'untested', danger_level: 0 },
      },
    })
    expect((await world.call({ operation: 'introspect', params: { query: 'operations' } })).success).toBe(true)
    expect(world.ran).toEqual([])
  })
})

describe('TRUST-19 the operator tightens the matrix', () => {
  // biome-ignore format: one row a case
  test.each([
    ['writes', { minimum_trust_for_writes: 'community_reviewed' }, { get_thing: RUNS, create_thing: CLOSED, delete_thing: CLOSED }],
    ['deletes', { minimum_trust_for_deletes: 'community_reviewed' }, { get_thing: RUNS, create_thing: RUNS, delete_thing: CLOSED }],
    ['confirmation', { require_confirmation_below: 'certified' }, { get_thing: ASKS, create_thing: ASKS, delete_thing: ASKS }],
    ['never loosens', { minimum_trust_for_writes: 'untested', require_confirmation_below: 'untested' }, { create_thing: RUNS, delete_thing: ASKS, change_thing: DENIED }],
  ] as const)('%s', async (_, trustPolicy, expected) => {
    const { outcome } = await openGateWorld({ trustPolicy } satisfies Partial<RuntimeOptions>)
    for (const [operation, code] of Object.entries(expected)) expect([operation, await outcome(asking(operation))]).toEqual([operation, code])
  })

  test('TRUST-20 the details of a minimum', async () => {
    const { call } = await openGateWorld({ trustPolicy: { minimum_trust_for_deletes: 'certified' } })
    expect((await call(asking('delete_thing'))).error?.details).toEqual({
      operation: 'delete_thing',
      required_trust: 'certified',
      actual_trust: 'validated',
      danger_level: 2,
    })
  })

  test('introspection of an untested adapter can be closed too', async () => {
    const { call } = await openGateWorld({ trust: 'untested', trustPolicy: { allow_untested_introspection: false } })
    const { error } = await call({ operation: 'introspect', params: { query: 'operations' } })
    expect(error?.code).toBe(CLOSED)
  })
})

test('trust differs by operation', async () => {
  const trust = (operation: string) => (operation === 'create_thing' ? 'validated' : 'generated')
  const { outcome } = await openGateWorld({ trust })
  expect([await outcome(asking('create_thing')), await outcome(asking('delete_thing'))]).toEqual([RUNS, DENIED])
})

describe('INT-18 TRUST-21 adapter_info', () => {
  const info = { operation: 'introspect', params: { query: 'adapter_info' } }

  test('what holds, and what the adapter claims', async () => {
    const trust = { level: 'certified', validated_at: '2026-01-01T00:00:00Z', validation_report: { tests_passed: 3 } }
    const { call } = await openGateWorld({ trust: 'generated' }, [], { trust, version: '2.1.0' })
    expect((await call(info)).data).toEqual({
      name: 'note-book',
      version: '2.1.0',
      trust: {
        level: 'generated',
        claimed: 'certified',
        validated_at: '2026-01-01T00:00:00Z',
        validation_report: { tests_passed: 3 },
      },
    })
  })

  test('without a claim', async () => {
    const { call } = await openGateWorld()
    expect((await call(info)).data).toMatchObject({ trust: { level: 'validated' } })
  })

  test('R-18 the claim alone lifts nothing', async () => {
    const { outcome } = await openGateWorld({ trust: 'generated' }, [], { trust: { level: 'certified' } })
    expect(await outcome(asking('delete_thing'))).toBe(DENIED)
  })
})
