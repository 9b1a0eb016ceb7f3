import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Counters } from './counters.ts'
import { readRateLimits } from './read-rate-limits.ts'
import { type Reservation, reserve } from './reserve.ts'
import { settle, type Usage } from './settle.ts'

const NOW = Date.parse('2026-01-28T12:29:13.500Z')
const LATER = NOW + 3_600_000
const CALL = { operation: 'complete', category: 'EXECUTE', tokens: { input: 100, output: 50 } }

const read = readRateLimits(
  {
    requests_per_hour: 100,
    quotas: {
      enabled: true,
      limits: [
        { metric: 'requests_per_hour', warn: 1000, pause: 1000 },
        { metric: 'tokens_per_hour', warn: 1e6, pause: 1e6 },
        { metric: 'cost_per_hour', warn: 1000, pause: 1000, currency: 'USD' },
      ],
    },
    cost: {
      model: 'per_token',
      currency: 'USD',
      pricing: [{ endpoint: '*', cost_per_call: 0.01, cost_per_token: { input: 0.00001, output: 0.00003 } }],
    },
  },
  { measuresTokens: true },
)
if (read.errors) throw new Error(read.errors.join('\n'))
const limits = read

/** API requests, requests, tokens, millionths. */
const usedIn = (counters: Counters | undefined) =>
  ['global:hour', 'quota:requests_per_hour', 'quota:tokens_per_hour', 'quota:cost_per_hour:USD'].map(
    (key) => counters?.counters[key]?.used,
  )

const EMPTY: Counters = { version: 1, counters: {} }
const reserved = reserve(EMPTY, limits, CALL, NOW)

test('RATE-06 the estimate is reserved', () => {
  expect(usedIn(reserved.next)).toEqual([1, 1, 150, 12_500])
})

test.each<[string, Usage, readonly number[]]>([
  ['RATE-03 as reserved when nothing is said', {}, [1, 1, 150, 12_500]],
  ['RATE-03 retries count', { requests: 3 }, [3, 3, 150, 32_500]],
  ['RATE-03 what was not sent is given back', { requests: 0 }, [0, 0, 0, 0]],
  ['RATE-09 the tokens that were used', { tokens: { input: 1000, output: 0 } }, [1, 1, 1000, 20_000]],
  ['RATE-09 fewer tokens than estimated', { tokens: { input: 10, output: 10 } }, [1, 1, 20, 10_400]],
  ['RATE-09 a negative report lowers nothing', { requests: -5, tokens: { input: -9, output: 0 } }, [1, 1, 150, 12_500]],
  ['RATE-09 nor does a broken one', { requests: Number.NaN, tokens: { input: 1.5, output: 0 } }, [1, 1, 150, 12_500]],
])('%s', (_, usage, used) => {
  expect(usedIn(settle(reserved.next, reserved, usage, NOW))).toEqual(used)
})

test('RATE-09 when the window has ended, more counts in the present one', () => {
  const usage = { requests: 2, tokens: { input: 1100, output: 50 } }
  expect(usedIn(settle(reserved.next, reserved, usage, LATER))).toEqual([1, 1, 1000, 20_000])
})

test('RATE-09 when the window has ended, nothing is given back', () => {
  const { next } = reserve(reserved.next, limits, CALL, LATER)
  expect(settle(next, reserved, { requests: 0 }, LATER)).toBe(next)
})

test('RATE-03 settling as reserved changes nothing, which the caller can see', () => {
  expect(settle(reserved.next, reserved, {}, NOW)).toBe(reserved.next)
})

test('RATE-03 a refused reservation settles to nothing', () => {
  const refused: Reservation = { next: EMPTY, verdict: { status: 'broken' } }
  expect(settle(reserved.next, refused, { requests: 5 }, NOW)).toBe(reserved.next)
})

test('RATE-15 after a reset by the operator, a late settlement does not turn a count negative', () => {
  expect(usedIn(settle(undefined, reserved, { requests: 0 }, NOW))).toEqual([0, 0, 0, 0])
})

test('RATE-09 a count never passes what a number can hold', () => {
  const usage = { tokens: { input: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER } }
  const [, , tokens, cost] = usedIn(settle(reserved.next, reserved, usage, NOW))
  expect([tokens, cost]).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
})

test('RATE-09 the order in which requests are settled does not matter', () => {
  const usage = fc.record({
    requests: fc.nat({ max: 5 }),
    tokens: fc.record({ input: fc.nat({ max: 10_000 }), output: fc.nat({ max: 10_000 }) }),
  })
  const jobs = fc.array(usage, { minLength: 1, maxLength: 20 }).chain((usages) =>
    fc.record({
      usages: fc.constant(usages),
      order: fc.shuffledSubarray([...usages.keys()], { minLength: usages.length, maxLength: usages.length }),
    }),
  )
  fc.assert(
    fc.property(jobs, ({ usages, order }) => {
      let counters: Counters | undefined
      const open: { readonly reservation: Reservation; readonly usage: Usage }[] = []
      for (const usage of usages) {
        const reservation = reserve(counters, limits, CALL, NOW)
        counters = reservation.next
        open.push({ reservation, usage })
      }
      const settleIn = (indices: readonly number[]) =>
        indices.reduce((counters, index) => {
          const job = open[index]
          return job ? settle(counters, job.reservation, job.usage, NOW) : counters
        }, counters)
      expect(usedIn(settleIn(order))).toEqual(usedIn(settleIn([...usages.keys()])))
    }),
  )
})
