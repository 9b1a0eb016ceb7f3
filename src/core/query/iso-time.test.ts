import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeOf } from './iso-time.ts'

test('DATA-05 DATA-04 every moment is read as Date reads it', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
      fc.constantFrom('Z', '+05:30', '-08:00', '+00:00'),
      (date, zone) => {
        const text = date.toISOString()
        expect(timeOf(text)).toBe(Date.parse(text))
        expect(timeOf(text.slice(0, 19) + zone)).toBe(Date.parse(text.slice(0, 19) + zone))
        expect(timeOf(text.slice(0, 10))).toBe(Date.parse(text.slice(0, 10)))
      },
    ),
  )
})

test.each([
  ['a date is its midnight in UTC', '2026-02-04', '2026-02-04T00:00:00Z'],
  ['no zone is UTC', '2026-02-04T10:30:00', '2026-02-04T10:30:00Z'],
  ['no seconds', '2026-02-04T10:30Z', '2026-02-04T10:30:00Z'],
  ['tenths', '2026-02-04T10:30:00.5Z', '2026-02-04T10:30:00.500Z'],
  ['a leap day', '2024-02-29', '2024-02-29T00:00:00Z'],
])('DATA-05 %s', (_, text, same) => {
  expect(timeOf(text)).toBe(Date.parse(same))
})

test('DATA-05 digits beyond the millisecond still count', () => {
  expect(timeOf('2026-02-04T10:30:00.1239Z')).toBeGreaterThan(timeOf('2026-02-04T10:30:00.1231Z'))
})

test.each([
  '',
  'yesterday',
  '04.02.2026',
  '2026/02/04',
  '2026-2-4',
  '2026-02-04 10:30',
  '2026-02-04T1030Z',
  '2026-02-04T10:30:00+0530',
  '2026-02-04T10:30:00Zulu',
  'abcd-ef-gh',
])('DATA-04 %j is no time', (text) => {
  expect(timeOf(text)).toBeNaN()
})
