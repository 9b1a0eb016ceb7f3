import { expect, test } from 'vitest'
import type { Counters } from './counters.ts'
import { parseReset, parseRetryAfter } from './header-times.ts'
import { observeHeaders, type ResponseHeaders } from './observe-headers.ts'
import { readRateLimits } from './read-rate-limits.ts'
import { reserve } from './reserve.ts'

const NOW = Date.parse('2026-01-28T12:29:13.500Z')
const READ = { operation: 'get_user', category: 'READ' }
const DELETE = { operation: 'delete_user', category: 'DELETE' }

const read = readRateLimits({
  api_limits: [
    {
      scope: 'category',
      category: 'read',
      limit: 10,
      window: 'hour',
      remaining_header: 'X-RateLimit-Remaining',
      reset_header: 'X-RateLimit-Reset',
    },
    { scope: 'category', category: 'delete', limit: 10, window: 'hour' },
  ],
})
if (read.errors) throw new Error(read.errors.join('\n'))
const limits = read

const observe = (headers: ResponseHeaders, counters?: Counters, now = NOW) =>
  observeHeaders(counters, limits, READ, headers, now)

/** How many requests still pass. */
const room = (counters: Counters | undefined, now = NOW, call = READ): number => {
  let at = counters
  for (let sent = 0; sent < 100; sent++) {
    const { next, held } = reserve(at, limits, call, now)
    if (!held) return sent
    at = next
  }
  return 100
}

const used = (times: number): Counters | undefined => {
  let counters: Counters | undefined
  for (let i = 0; i < times; i++) counters = reserve(counters, limits, READ, NOW).next
  return counters
}

test.each([
  ['the reported remaining, when it is lower', { 'X-RateLimit-Remaining': '3' }, used(2), 3],
  ['our own, when it is lower', { 'X-RateLimit-Remaining': '9' }, used(5), 5],
  ['nothing, when nothing remains', { 'x-ratelimit-remaining': '0' }, undefined, 0],
  ['our own, when the report is no number', { 'x-ratelimit-remaining': '-1' }, used(2), 8],
  ['our own, when the report is empty', { 'x-ratelimit-remaining': '' }, used(2), 8],
  ['the first of several values', { 'x-ratelimit-remaining': ['4', '9'] }, undefined, 4],
  ['our own, for a header nobody declared', { 'RateLimit-Remaining': '1' }, used(2), 8],
])('RATE-05 what is left is %s', (_, headers, counters, expected) => {
  expect(room(observe(headers, counters))).toBe(expected)
})

test('RATE-05 a report holds until its reset, also past our own window', () => {
  const reset = Date.parse('2026-01-28T13:10:00Z')
  const counters = observe({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset / 1000) })
  expect(room(counters, reset - 1)).toBe(0)
  expect(room(counters, reset)).toBe(10)
  expect(reserve(counters, limits, READ, NOW).verdict).toMatchObject({
    status: 'limited',
    details: {
      limit: 10,
      remaining: 0,
      window: 'hour',
      resets_at: '2026-01-28T13:10:00.000Z',
      retry_after_seconds: 2447,
    },
  })
})

test('RATE-05 a report without reset holds for the window', () => {
  const counters = observe({ 'x-ratelimit-remaining': '0' })
  expect(room(counters, Date.parse('2026-01-28T13:00:00Z'))).toBe(10)
})

test('RATE-05 of two reports for one reset the lower one counts, in either order', () => {
  const [low, high] = ['2', '5'].map((remaining) => ({ 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': '60' }))
  if (!low || !high) throw new Error('two reports')
  expect(room(observe(low, observe(high)))).toBe(2)
  expect(room(observe(high, observe(low)))).toBe(2)
})

test('RATE-05 a report for a later reset replaces an earlier one', () => {
  const first = observe({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '10' })
  expect(room(observe({ 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '70' }, first))).toBe(7)
})

test('RATE-05 a report for an earlier reset is old, and does not replace a later one', () => {
  const later = observe({ 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '70' })
  expect(room(observe({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '10' }, later))).toBe(7)
})

test('RATE-05 requests sent after a report count against it', () => {
  const counters = observe({ 'x-ratelimit-remaining': '3' })
  expect(room(reserve(counters, limits, READ, NOW).next)).toBe(2)
})

test.each([
  ['seconds', '120', NOW + 120_000],
  ['a date', 'Wed, 28 Jan 2026 12:40:00 GMT', Date.parse('2026-01-28T12:40:00Z')],
])('RATE-05 Retry-After as %s holds back the scope until then', (_, value, until) => {
  const counters = observe({ 'Retry-After': value })
  expect(room(counters, until - 1)).toBe(0)
  expect(room(counters, until)).toBe(10)
  expect(room(counters, NOW, DELETE)).toBe(10)
  expect(reserve(counters, limits, READ, NOW).verdict).toMatchObject({
    status: 'limited',
    details: { remaining: 0, resets_at: new Date(until).toISOString() },
  })
})

test('RATE-05 a shorter Retry-After does not lift a longer one', () => {
  const counters = observe({ 'Retry-After': '1' }, observe({ 'Retry-After': '600' }))
  expect(room(counters, NOW + 599_000)).toBe(0)
})

test('RATE-05 a Retry-After outlives the window of its limit', () => {
  const counters = observe({ 'Retry-After': '7200' })
  expect(room(counters, NOW + 7_199_000)).toBe(0)
})

test('RATE-05 an answer that says nothing changes nothing, which the caller can see', () => {
  const counters = used(2)
  expect(observe({ 'content-type': 'text/plain' }, counters)).toBe(counters)
  expect(observe({ 'retry-after': 'soon' }, counters)).toBe(counters)
})

const IN_A_MINUTE = Math.ceil((NOW + 60_000) / 1000) * 1000
test.each([
  ['seconds from now', '60', NOW + 60_000],
  ['seconds since 1970', String(IN_A_MINUTE / 1000), IN_A_MINUTE],
  ['milliseconds since 1970', String(IN_A_MINUTE), IN_A_MINUTE],
  ['a date of HTTP', 'Wed, 28 Jan 2026 12:40:00 GMT', Date.parse('2026-01-28T12:40:00Z')],
  ['a date of RFC 850', 'Wednesday, 28-Jan-26 12:40:00 GMT', Date.parse('2026-01-28T12:40:00Z')],
  ['a date of C', 'Wed Jan 28 12:40:00 2026', Date.parse('2026-01-28T12:40:00Z')],
  ['ISO 8601', '2026-01-28T13:40:00+01:00', Date.parse('2026-01-28T12:40:00Z')],
  ['the far future, cut off', 'Fri, 31 Dec 9999 23:59:59 GMT', NOW + 31 * 86_400_000],
  ['the past', '1700000000', undefined],
  ['now', '0', undefined],
  ['a word', 'tomorrow 5', undefined],
  ['a date that is none', 'Wed, 99 Jan 2026 12:40:00 GMT', undefined],
  ['a fraction', '1.5', undefined],
])('RATE-05 a reset header may hold %s', (_, text, expected) => {
  expect(parseReset(text, NOW)).toBe(expected)
})

test('RATE-05 Retry-After is never a time since 1970', () => {
  expect(parseRetryAfter('1769604000', NOW)).toBe(NOW + 31 * 86_400_000)
})
