import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import { pressure } from '../../../test/stall/calibrate.ts'
import type { Counters } from './counters.ts'
import type { RateLimits } from './rate-limits.ts'
import { readRateLimits } from './read-rate-limits.ts'
import { reserve } from './reserve.ts'
import { QUOTA_PERMISSIONS } from './verdict.ts'

const NOW = Date.parse('2026-01-28T12:29:13.500Z')
const HOUR = 3_600_000
const READ = { operation: 'get_user', category: 'READ', method: 'GET', path: '/users/1' }
const DELETE = { operation: 'delete_user', category: 'DELETE', method: 'DELETE', path: '/users/1' }

const limitsOf = (block: unknown): RateLimits => {
  const limits = readRateLimits(block)
  if (limits.errors) throw new Error(limits.errors.join('\n'))
  return limits
}

const quotaOf = (limit: object, cost_per_call = 0.1): RateLimits =>
  limitsOf({
    quotas: { enabled: true, limits: [limit] },
    cost: { model: 'per_call', currency: 'USD', pricing: [{ endpoint: '*', cost_per_call }] },
  })

/** So many requests, one after the other; what became of each. */
const send = (limits: RateLimits, times: number, now = NOW, continued = false, start?: Counters) => {
  let counters = start
  const statuses: string[] = []
  for (let i = 0; i < times; i++) {
    const { next, verdict } = reserve(counters, limits, READ, now, { continued })
    statuses.push(verdict.status)
    counters = next
  }
  return { counters, statuses }
}

const THREE = limitsOf({ api_limits: [{ scope: 'global', limit: 3, window: 'hour' }] })

test('RATE-03 the request over the limit is refused, and does not count', () => {
  const { counters, statuses } = send(THREE, 5)
  expect(statuses).toEqual(['ok', 'ok', 'ok', 'limited', 'limited'])
  expect(counters?.counters['global:hour']?.used).toBe(3)
})

test('RATE-04 the refusal says what and until when', () => {
  const { counters } = send(THREE, 3)
  expect(reserve(counters, THREE, READ, NOW)).toEqual({
    next: counters,
    verdict: {
      status: 'limited',
      details: {
        limit: 3,
        remaining: 0,
        window: 'hour',
        resets_at: '2026-01-28T13:00:00.000Z',
        retry_after_seconds: 1847,
      },
    },
  })
})

test('R-21 the next window starts at zero', () => {
  const { counters } = send(THREE, 3)
  const end = Date.parse('2026-01-28T13:00:00Z')
  expect(reserve(counters, THREE, READ, end - 1).verdict.status).toBe('limited')
  expect(reserve(counters, THREE, READ, end).verdict.status).toBe('ok')
})

test('R-21 a clock that steps back does not start a window anew', () => {
  const { counters } = send(THREE, 3)
  expect(reserve(counters, THREE, READ, NOW - HOUR).verdict.status).toBe('limited')
})

test('RATE-03 every matching limit counts, and of two refusals the longer one is told', () => {
  const limits = limitsOf({
    api_limits: [
      { scope: 'global', limit: 2, window: 'day' },
      { scope: 'category', category: 'read', limit: 2, window: 'minute' },
      { scope: 'category', category: 'delete', limit: 1, window: 'minute' },
    ],
  })
  const { counters } = send(limits, 2)
  expect(reserve(counters, limits, READ, NOW).verdict).toMatchObject({ details: { window: 'day' } })
  expect(reserve(counters, limits, DELETE, NOW).verdict).toMatchObject({ details: { window: 'day' } })
  expect(Object.keys(counters?.counters ?? {})).toEqual(['global:day', 'category:read:minute'])
})

test('RATE-06 API limits come before quotas', () => {
  const limits = limitsOf({
    requests_per_hour: 1,
    quotas: { enabled: true, limits: [{ metric: 'requests_per_day', warn: 0, pause: 1, hard_stop: 1 }] },
  })
  expect(send(limits, 2).statuses).toEqual(['warn', 'limited'])
})

test('RATE-03 what a quota refuses takes no slot of an API limit', () => {
  const limits = limitsOf({
    requests_per_day: 9,
    quotas: { enabled: true, limits: [{ metric: 'requests_per_hour', warn: 1, pause: 1, hard_stop: 1 }] },
  })
  expect(send(limits, 4).counters?.counters['global:day']?.used).toBe(1)
})

test('RATE-09 R-22 thresholds are reached by >= on completed usage', () => {
  const limits = quotaOf({ metric: 'requests_per_hour', warn: 2, pause: 4, hard_stop: 6 })
  expect(send(limits, 5).statuses).toEqual(['ok', 'ok', 'warn', 'warn', 'paused'])
  expect(send(limits, 7, NOW, true).statuses).toEqual(['ok', 'ok', 'warn', 'warn', 'warn', 'warn', 'exhausted'])
})

test('RATE-10 the warning has the thresholds', () => {
  const limits = quotaOf({ metric: 'cost_per_hour', warn: 0.1, pause: 0.5, currency: 'USD' })
  const { counters } = send(limits, 3)
  expect(reserve(counters, limits, READ, NOW).verdict).toEqual({
    status: 'warn',
    warnings: [{ metric: 'cost_per_hour', current: 0.3, warn_threshold: 0.1, pause_threshold: 0.5 }],
  })
})

test('RATE-11 a pause has its details, and lets nothing pass', () => {
  const limits = quotaOf({ metric: 'requests_per_hour', warn: 1, pause: 2, hard_stop: 5 })
  const { counters } = send(limits, 2)
  expect(reserve(counters, limits, READ, NOW)).toEqual({
    next: counters,
    verdict: {
      status: 'paused',
      details: {
        metric: 'requests_per_hour',
        current: 2,
        pause_threshold: 2,
        hard_stop_threshold: 5,
        retry_after_seconds: 1847,
      },
    },
  })
})

test('RATE-11 a pause without hard stop names none', () => {
  const limits = quotaOf({ metric: 'requests_per_day', warn: 0, pause: 0 })
  expect(reserve(undefined, limits, READ, NOW).verdict).toEqual({
    status: 'paused',
    details: { metric: 'requests_per_day', current: 0, pause_threshold: 0, retry_after_seconds: 41_447 },
  })
})

test('RATE-12 a continuation lets one request pass and no other', () => {
  const limits = quotaOf({ metric: 'requests_per_hour', warn: 1, pause: 2 })
  const { counters } = send(limits, 2)
  const passed = reserve(counters, limits, READ, NOW, { continued: true })
  expect(passed.verdict.status).toBe('warn')
  expect(reserve(passed.next, limits, READ, NOW).verdict).toMatchObject({ status: 'paused', details: { current: 3 } })
})

test('RATE-13 no continuation lifts a hard stop', () => {
  const limits = quotaOf({ metric: 'requests_per_hour', warn: 1, pause: 2, hard_stop: 3 })
  const { counters } = send(limits, 3, NOW, true)
  for (const continued of [false, true]) {
    expect(reserve(counters, limits, READ, NOW, { continued }).verdict).toEqual({
      status: 'exhausted',
      details: {
        metric: 'requests_per_hour',
        current: 3,
        hard_stop_threshold: 3,
        resets_at: '2026-01-28T13:00:00.000Z',
        retry_after_seconds: 1847,
      },
    })
  }
})

test.each([
  [0.3, ['ok', 'ok', 'ok', 'exhausted']],
  [0.35, ['ok', 'ok', 'ok', 'exhausted']],
  [0.05, ['exhausted']],
])('RATE-09 a request whose estimate exceeds the hard stop of %d is not sent', (hard_stop, statuses) => {
  const limits = quotaOf({ metric: 'cost_per_month', warn: hard_stop, pause: hard_stop, hard_stop, currency: 'USD' })
  expect(send(limits, statuses.length).statuses).toEqual(statuses)
})

test('RATE-09 money does not drift', () => {
  const limits = quotaOf({ metric: 'cost_per_day', warn: 1000, pause: 1000, hard_stop: 1000, currency: 'USD' })
  const { counters, statuses } = send(limits, 10_001)
  expect(counters?.counters['quota:cost_per_day:USD']?.used).toBe(1_000_000_000)
  expect(statuses.indexOf('exhausted')).toBe(10_000)
})

test('GATE-07 what each state contributes', () => {
  expect(QUOTA_PERMISSIONS).toEqual({
    ok: 'allow',
    warn: 'allow',
    paused: 'confirm',
    limited: 'deny',
    exhausted: 'deny',
    broken: 'deny',
  })
})

test('RATE-06 however requests and windows fall, no limit is exceeded in its window', () => {
  const arrivals = fc.array(fc.tuple(fc.nat({ max: 3 * HOUR }), fc.boolean()), { maxLength: 200 })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      arrivals,
      (limit, hard_stop, times) => {
        const limits = limitsOf({
          api_limits: [{ scope: 'category', category: 'read', limit, window: 'minute' }],
          quotas: { enabled: true, limits: [{ metric: 'requests_per_hour', warn: 1, pause: 1, hard_stop }] },
        })
        let counters: Counters | undefined
        const sent = new Map<string, number>()
        const count = (name: string) => sent.set(name, (sent.get(name) ?? 0) + 1)
        for (const [offset, isRead] of times.toSorted((a, b) => a[0] - b[0])) {
          const now = NOW + offset
          const { next, held } = reserve(counters, limits, isRead ? READ : DELETE, now, { continued: true })
          counters = next
          if (!held) continue
          count(`hour ${Math.floor(now / HOUR)}`)
          if (isRead) count(`minute ${Math.floor(now / 60_000)}`)
        }
        for (const [name, count] of sent) expect(count).toBeLessThanOrEqual(name.startsWith('hour') ? hard_stop : limit)
      },
    ),
  )
})

test('RATE-06 a reservation against a handful of limits takes less than 5 µs', () => {
  const limits = limitsOf({
    api_limits: [
      { scope: 'global', limit: 1e9, window: 'hour' },
      { scope: 'endpoint', endpoint: 'GET /users/*', limit: 1e9, window: 'day' },
      { scope: 'category', category: 'read', limit: 1e9, window: 'day' },
    ],
    quotas: {
      enabled: true,
      reset_schedule: '0 6 * * *',
      limits: [
        { metric: 'requests_per_hour', warn: 1e9, pause: 1e9 },
        { metric: 'cost_per_day', warn: 1e9, pause: 1e9, currency: 'USD' },
      ],
    },
    cost: { model: 'per_call', currency: 'USD', pricing: [{ endpoint: '*', cost_per_call: 0.001 }] },
  })
  const times = 20_000
  const rounds = Array.from({ length: 15 }, () => cpuTime(() => send(limits, times)) / pressure())
  expect((Math.min(...rounds) * 1000) / times).toBeLessThan(5)
})
