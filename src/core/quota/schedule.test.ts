import { expect, test } from 'vitest'
import { firstFiring, paces, parseSchedule, type Schedule } from './schedule.ts'

const scheduleOf = (text: string): Schedule => {
  const schedule = parseSchedule(text)
  if (typeof schedule === 'string') throw new Error(schedule)
  return schedule
}

test.each([
  ['the same moment', '0 6 * * *', '2026-03-10T06:00:00Z', '2026-03-10T06:00:00.000Z'],
  ['a millisecond later', '0 6 * * *', '2026-03-10T06:00:00.001Z', '2026-03-11T06:00:00.000Z'],
  ['every quarter', '*/15 * * * *', '2026-03-10T06:16:00Z', '2026-03-10T06:30:00.000Z'],
  ['a list and a range', '5,10 8-9 * * *', '2026-03-10T08:11:00Z', '2026-03-10T09:05:00.000Z'],
  ['from a number on', '40/10 * * * *', '2026-03-10T08:00:00Z', '2026-03-10T08:40:00.000Z'],
  ['a stepped range', '0 0-12/6 * * *', '2026-03-10T07:00:00Z', '2026-03-10T12:00:00.000Z'],
  ['the 31st', '0 0 31 * *', '2026-04-01T00:00:00Z', '2026-05-31T00:00:00.000Z'],
  ['a leap day', '0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['Sunday is 7', '0 0 * * 7', '2026-03-10T00:00:00Z', '2026-03-15T00:00:00.000Z'],
  ['the 13th or a Friday', '0 0 13 * 5', '2026-03-03T00:00:00Z', '2026-03-06T00:00:00.000Z'],
  ['the end of a year', '0 0 1 1 *', '2026-01-01T00:00:01Z', '2027-01-01T00:00:00.000Z'],
])('RATE-07 a schedule fires: %s', (_, text, from, expected) => {
  const firing = firstFiring(scheduleOf(text), Date.parse(from))
  expect(firing === undefined ? undefined : new Date(firing).toISOString()).toBe(expected)
})

test.each([
  ['', 'must be five fields'],
  ['0 0 * *', 'must be five fields'],
  ['0 0 * * * *', 'must be five fields'],
  ['@daily', 'must be five fields'],
  [`0 0 * * ${'1,'.repeat(200)}1`, 'must be five fields'],
  ['60 0 * * *', 'has a bad minute'],
  ['0 24 * * *', 'has a bad hour'],
  ['0 0 0 * *', 'has a bad day'],
  ['0 0 * 13 *', 'has a bad month'],
  ['0 0 * * 8', 'has a bad weekday'],
  ['0 0 * * MON', 'has a bad weekday'],
  ['5-2 0 * * *', 'has a bad minute'],
  ['*/0 0 * * *', 'has a bad minute'],
  ['1/2/3 0 * * *', 'has a bad minute'],
  ['1-2-3 0 * * *', 'has a bad minute'],
  ['-1 0 * * *', 'has a bad minute'],
  ['1, 0 * * *', 'has a bad minute'],
  ['1.5 0 * * *', 'has a bad minute'],
  ['0 0 30 2 *', 'names a day that no month has'],
])('RATE-07 %j is no schedule', (text, message) => {
  expect(parseSchedule(text)).toContain(message)
})

test.each([
  ['* * * * *', ['minute', 'hour', 'day', 'month']],
  ['30 * * * *', ['hour', 'day', 'month']],
  ['0 6 * * *', ['day', 'month']],
  ['0 0 1 * *', ['month']],
  ['0 0 31 * *', []],
  ['0 0 * * 1', ['month']],
  ['0 0 1 */3 *', []],
])('RATE-07 %s paces %j', (text, windows) => {
  const schedule = scheduleOf(text)
  expect(['second', 'minute', 'hour', 'day', 'month'].filter((window) => paces(schedule, window))).toEqual(windows)
})
