import { expect, test } from 'vitest'
import { compilePatterns, matchesName, type PatternSettings } from './danger-patterns.ts'

const BUILT_IN = [
  ['force_*', 'dangerous'],
  ['*_permanently', 'dangerous'],
  ['bulk_delete*', 'dangerous'],
  ['override_*', 'dangerous'],
  ['bypass_*', 'dangerous'],
  ['*_without_backup', 'dangerous'],
  ['purge_*', 'dangerous'],
  ['drop_*', 'forbidden'],
  ['delete_all*', 'forbidden'],
  ['truncate_*', 'forbidden'],
  ['reset_*', 'forbidden'],
  ['destroy_*', 'forbidden'],
  ['wipe_*', 'forbidden'],
  ['*_production', 'forbidden'],
]

test('DNG-07 DNG-08 the built-in list, each row with a reason', () => {
  expect(compiled({}).map(({ pattern, level }) => [pattern, level])).toEqual(BUILT_IN)
  expect(compiled({}).every(({ reason }) => reason.length > 10)).toBe(true)
})

test('DNG-12 the entries of the operator add to the list', () => {
  const patterns = compiled({ dangerous: ['send_*'], forbidden: ['*_payroll'] })
  expect(patterns.map(({ pattern, level }) => [pattern, level])).toEqual([
    ...BUILT_IN,
    ['send_*', 'dangerous'],
    ['*_payroll', 'forbidden'],
  ])
})

test('DNG-12 listing a built-in pattern under a milder level does not remove it', () => {
  const rows = compiled({ dangerous: ['drop_*'] }).filter(({ pattern }) => pattern === 'drop_*')
  expect(rows.map(({ level }) => level)).toEqual(['forbidden', 'dangerous'])
})

test('DNG-12 only `remove` takes a built-in entry away, and another level may then be given', () => {
  const rows = compiled({ remove: ['reset_*'], dangerous: ['reset_*'] }).filter(({ pattern }) => pattern === 'reset_*')
  expect(rows.map(({ level }) => level)).toEqual(['dangerous'])
})

test.each([
  [{ remove: ['resett_*'] }, 'which is not built in; there are force_*'],
  [{ dangerous: ['Send_*'] }, '"Send_*" must hold only a-z'],
  [{ forbidden: [''] }, '"" must hold only a-z'],
  [{ forbidden: 'x_*' }, '`danger_patterns.forbidden` must be a list of strings'],
  [{ danger: ['x_*'] }, '"danger", which is unknown; use dangerous, forbidden, remove'],
  [null, '`danger_patterns` must be an object'],
])('DNG-12 %j is refused', (settings, part) => {
  expect(compilePatterns(settings as PatternSettings)).toEqual({ error: expect.stringContaining(part) })
})

test.each([
  ['force_*', 'force_x', false, true],
  ['force_*', 'my_force_x', false, false],
  ['force_*', 'my_force_x', true, true],
  ['force_*', 'enforce_x', true, false],
  ['*_production', 'x_production', false, true],
  ['*_production', 'production', true, false],
])('DNG-09 %s on %s, remainders %s: %s', (pattern, name, tryRemainders, matches) => {
  expect(matchesName(pattern, name, tryRemainders)).toBe(matches)
})

function compiled(settings: PatternSettings) {
  const compiledPatterns = compilePatterns(settings)
  if ('error' in compiledPatterns) throw new Error(compiledPatterns.error)
  return compiledPatterns.patterns
}
