import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paces, parseSchedule } from './schedule.ts'
import { secondsUntil, spanAt, type Window } from './windows.ts'

const NOW = Date.parse('2026-02-28T12:34:56.789Z')
const shown = ({ from, until }: { from: number; until: number }) =>
  [from, until].map((at) => new Date(at).toISOString())

test.each<[Window, string, string]>([
  ['second', '2026-02-28T12:34:56.000Z', '2026-02-28T12:34:57.000Z'],
  ['minute', '2026-02-28T12:34:00.000Z', '2026-02-28T12:35:00.000Z'],
  ['hour', '2026-02-28T12:00:00.000Z', '2026-02-28T13:00:00.000Z'],
  ['day', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['month', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
])('R-21 the %s is a fixed window in UTC', (window, from, until) => {
  expect(shown(spanAt(window, NOW))).toEqual([from, until])
})

test.each<[string, Window, string, string, string]>([
  ['later today', 'day', '0 18 * * *', '2026-02-27T18:00:00.000Z', '2026-02-28T18:00:00.000Z'],
  ['earlier today', 'day', '0 6 * * *', '2026-02-28T06:00:00.000Z', '2026-03-01T06:00:00.000Z'],
  ['the middle of the month', 'month', '0 0 15 * *', '2026-02-15T00:00:00.000Z', '2026-03-15T00:00:00.000Z'],
  ['the first Monday of a month', 'month', '0 0 * * 1', '2026-02-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  [
    'only once a month, though it fires daily',
    'month',
    '0 6 * * *',
    '2026-02-01T06:00:00.000Z',
    '2026-03-01T06:00:00.000Z',
  ],
  ['the half hour', 'hour', '30 * * * *', '2026-02-28T12:30:00.000Z', '2026-02-28T13:30:00.000Z'],
])('RATE-07 with a schedule the window begins at %s', (_, window, text, from, until) => {
  const schedule = parseSchedule(text)
  if (typeof schedule === 'string') throw new Error(schedule)
  expect(shown(spanAt(window, NOW, schedule))).toEqual([from, until])
})

test('RATE-07 windows follow one another without gap or overlap, whatever the schedule', () => {
  const texts = ['30 * * * *', '0 6 * * *', '15,45 3 * * *', '0 0 15 * *', '0 12 * * 1-5', '59 23 28 * *']
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.constantFrom<Window>('hour', 'day', 'month'),
      fc.integer({ min: 0, max: 4e12 }),
      (text, window, now) => {
        const schedule = parseSchedule(text)
        if (typeof schedule === 'string' || !paces(schedule, window)) return
        const span = spanAt(window, now, schedule)
        expect(span.from <= now && now < span.until).toBe(true)
        expect(spanAt(window, span.from, schedule)).toEqual(span)
        expect(spanAt(window, span.until - 1, schedule)).toEqual(span)
        expect(spanAt(window, span.until, schedule).from).toBe(span.until)
      },
    ),
  )
})

test.each([
  [0, 1],
  [1, 1],
  [1000, 1],
  [1001, 2],
  [-5000, 1],
])('RATE-04 %i ms are %i seconds to wait', (ms, seconds) => {
  expect(secondsUntil(5_000 + ms, 5_000)).toBe(seconds)
})
