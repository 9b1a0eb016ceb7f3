import { expect, test } from 'vitest'
import type { Counters } from './counters.ts'
import { quotaChanges, quotaStatus, quotaStops } from './quota-status.ts'
import { readRateLimits } from './read-rate-limits.ts'
import { reserve } from './reserve.ts'

const NOW = Date.parse('2026-01-28T12:29:13.500Z')
const READ = { operation: 'get_user', category: 'READ', method: 'GET', path: '/users/1' }

const read = readRateLimits({
  api_limits: [
    { scope: 'global', limit: 5000, window: 'hour' },
    { scope: 'global', limit: 100, window: 'minute' },
    { scope: 'category', category: 'read', limit: 50, window: 'day' },
    { scope: 'endpoint', endpoint: 'POST /search', limit: 30, window: 'minute' },
  ],
  quotas: {
    enabled: true,
    limits: [
      { metric: 'requests_per_hour', warn: 2, pause: 3, hard_stop: 4 },
      { metric: 'cost_per_day', warn: 5, pause: 10, currency: 'USD' },
    ],
  },
  cost: { model: 'per_call', currency: 'USD', pricing: [{ endpoint: '*', cost_per_call: 1.5 }] },
})
if (read.errors) throw new Error(read.errors.join('\n'))
const limits = read

const after = (times: number): Counters | undefined => {
  let counters: Counters | undefined
  for (let i = 0; i < times; i++) counters = reserve(counters, limits, READ, NOW, { continued: true }).next
  return counters
}

test('RATE-14 the status of every limit and quota', () => {
  expect(quotaStatus(after(2), limits, 'github-api', NOW)).toEqual({
    adapter: 'github-api',
    api_limits: {
      global: { limit: 5000, remaining: 4998, window: 'hour', resets_at: '2026-01-28T13:00:00.000Z' },
      'global:minute': { limit: 100, remaining: 98, window: 'minute', resets_at: '2026-01-28T12:30:00.000Z' },
      'category:read': { limit: 50, remaining: 48, window: 'day', resets_at: '2026-01-29T00:00:00.000Z' },
      'endpoint:POST /search': { limit: 30, remaining: 30, window: 'minute', resets_at: '2026-01-28T12:30:00.000Z' },
    },
    quotas: [
      { metric: 'requests_per_hour', current: 2, warn: 2, pause: 3, hard_stop: 4, status: 'warn' },
      { metric: 'cost_per_day', current: 3, warn: 5, pause: 10, status: 'ok', currency: 'USD' },
    ],
    next_reset: '2026-01-28T12:30:00.000Z',
  })
})

test.each([
  [0, 'ok'],
  [1, 'ok'],
  [2, 'warn'],
  [3, 'paused'],
  [4, 'exhausted'],
  [5, 'exhausted'],
])('RATE-09 after %i requests the status is %s', (times, status) => {
  expect(quotaStatus(after(times), limits, 'x', NOW)).toMatchObject({ quotas: [{ status }, {}] })
})

test('RATE-14 asking changes no counter', () => {
  const counters = after(2)
  const text = JSON.stringify(counters)
  quotaStatus(counters, limits, 'x', NOW)
  expect(JSON.stringify(counters)).toBe(text)
})

test('RATE-14 without limits nothing is reset', () => {
  const none = readRateLimits({})
  if (none.errors) throw new Error(none.errors.join('\n'))
  expect(quotaStatus(undefined, none, 'x', NOW)).toEqual({
    adapter: 'x',
    api_limits: {},
    quotas: [],
    next_reset: null,
  })
})

test('AUDIT-05 a change of state has the old and the new one', () => {
  expect(quotaChanges(after(2), after(3), limits, NOW)).toEqual([
    { metric: 'requests_per_hour', current: 3, old: 'warn', new: 'paused' },
  ])
  expect(quotaChanges(after(3), after(4), limits, NOW)).toEqual([
    { metric: 'requests_per_hour', current: 4, old: 'paused', new: 'exhausted' },
    { metric: 'cost_per_day', current: 6, old: 'ok', new: 'warn' },
  ])
  expect(quotaChanges(after(1), after(1), limits, NOW)).toEqual([])
})

test('AUDIT-05 a stop that the counters do not know of has the state that they do know', () => {
  const stop = { metric: 'requests_per_hour', current: 2 } as const
  expect(quotaStops(after(2), stop, limits, NOW)).toEqual([{ ...stop, old: 'warn', new: 'exhausted' }])
  expect(quotaStops(after(4), stop, limits, NOW)).toEqual([])
})
