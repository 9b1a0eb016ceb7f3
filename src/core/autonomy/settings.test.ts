import { describe, expect, test } from 'vitest'
import { autonomyFaults, tighten, withDefaults } from './settings.ts'

const base = withDefaults({ deny: ['drop_*'], requiresApproval: ['delete_*'], autoApprove: ['read_*', 'get_*'] })

describe('AUTO-15, LOOP-08 an agent can only tighten', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['fewer steps',          { maxAutonomousSteps: 3 },          { maxAutonomousSteps: 3 }],
    ['more steps',           { maxAutonomousSteps: 99 },         { maxAutonomousSteps: 10 }],
    ['no limit',             { maxAutonomousSteps: null },       { maxAutonomousSteps: 10 }],
    ['none at all',          { maxAutonomousSteps: 0 },          { maxAutonomousSteps: 0 }],
    ['stricter tolerance',   { riskTolerance: 'conservative' },  { riskTolerance: 'conservative' }],
    ['looser tolerance',     { riskTolerance: 'aggressive' },    { riskTolerance: 'moderate' }],
    ['another prohibition',  { deny: ['x_*'] },                  { deny: ['drop_*', 'x_*'] }],
    ['no prohibition',       { deny: [] },                       { deny: ['drop_*'] }],
    ['another question',     { requiresApproval: ['y'] },        { requiresApproval: ['delete_*', 'y'] }],
    ['fewer permissions',    { autoApprove: ['get_*'] },         { autoApprove: ['get_*'] }],
    ['no permission',        { autoApprove: [] },                { autoApprove: [] }],
    ['another permission',   { autoApprove: ['*'] },             { autoApprove: [] }],
  ] as const)('%s', (_, wishes, expected) => {
    expect(tighten(base, wishes)).toEqual({ ...base, ...expected })
  })

  test('a limit where the operator set none', () => {
    expect(tighten(withDefaults({ maxAutonomousSteps: null }), { maxAutonomousSteps: 5 }).maxAutonomousSteps).toBe(5)
  })
})

describe('DONGLE-03 settings from outside are checked strictly', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    [{},                                     0],
    [{ maxAutonomousSteps: 0 },              0],
    [{ maxAutonomousSteps: null },           0],
    [{ maxAutonomousSteps: -1 },             1],
    [{ maxAutonomousSteps: 1.5 },            1],
    [{ maxAutonomousSteps: '10' },           1],
    [{ riskTolerance: 'moderate' },          0],
    [{ riskTolerance: 'toString' },          1],
    [{ deny: ['a'], autoApprove: [] },       0],
    [{ deny: 'a' },                          1],
    [{ deny: [''] },                         1],
    [{ deny: ['x'.repeat(201)] },            1],
    [{ allow: ['a'], extra: 1 },             2],
    [JSON.parse('{"__proto__": 1}'),         1],
    [[],                                     1],
    [null,                                   1],
  ])('%j has %i faults', (value, count) => {
    expect(autonomyFaults(value)).toHaveLength(count)
  })
})
