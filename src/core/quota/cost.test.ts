import { expect, test } from 'vitest'
import { estimateCost } from './cost.ts'
import { toMicros, toPicos } from './money.ts'
import { readRateLimits } from './read-rate-limits.ts'

const limits = readRateLimits(
  {
    cost: {
      model: 'per_call',
      currency: 'USD',
      pricing: [
        { endpoint: '*', cost_per_call: 0.001 },
        { endpoint: 'POST /premium/*', cost_per_call: 0.01 },
        {
          endpoint: 'POST /completions',
          cost_per_call: 0.002,
          cost_per_token: { input: 0.00000015, output: 0.0000006 },
        },
      ],
    },
  },
  { measuresTokens: true },
)

const call = (method: string, path: string, tokens?: { input: number; output: number }) => ({
  operation: 'x',
  category: 'READ',
  method,
  path,
  ...(tokens && { tokens }),
})

test.each([
  ['the pattern for everything', call('GET', '/a'), 0.001],
  ['a more specific one', call('POST', '/premium/x'), 0.01],
  ['the exact one, without tokens', call('POST', '/completions'), 0.002],
  ['the exact one, with tokens', call('POST', '/completions', { input: 1000, output: 500 }), 0.00245],
  ['a token is rounded up to a millionth', call('POST', '/completions', { input: 1, output: 0 }), 0.002001],
  ['tokens that are no count are left out', call('POST', '/completions', { input: -1e9, output: 0.5 }), 0.002],
])('RATE-16 %s prices a call', (_, call, amount) => {
  if (limits.errors) throw new Error(limits.errors.join())
  expect(estimateCost(limits, call)).toEqual({ amount, currency: 'USD' })
})

test('RATE-16 without prices there is no estimate', () => {
  const limits = readRateLimits({ burst_limit: 1 })
  if (limits.errors) throw new Error(limits.errors.join())
  expect(estimateCost(limits, call('GET', '/a'))).toBeUndefined()
})

test.each([
  [0, 0],
  [0.1, 100_000],
  [1.1, 1_100_000],
  [0.000001, 1],
  [4_503_599_627.37, 4_503_599_627_370_000],
  [0.0000001, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [1e300, undefined],
])('RATE-07 %d is %s millionths', (amount, micros) => {
  expect(toMicros(amount)).toBe(micros)
})

test.each([
  [0.00000015, 150_000n],
  [1e-12, 1n],
  [1e-13, undefined],
  [-1, undefined],
])('RATE-16 %d a token is %s', (amount, picos) => {
  expect(toPicos(amount)).toBe(picos)
})
