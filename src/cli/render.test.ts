import { expect, test } from 'vitest'
import { columnsWithRoom, counted, cut, plainLine, plainText, table, wantsColours, widthOf, wrap } from './render.ts'

const pipe = { columns: undefined, colours: false }

test('columns are aligned, numbers to the right', () => {
  expect(
    table(
      ['NAME', 'COUNT'],
      [
        ['a', 5],
        ['longer', 1200],
      ],
      pipe,
    ),
  ).toBe('NAME    COUNT\na           5\nlonger   1200')
})

test.each([
  [counted(0, 'operation'), '0 operations'],
  [counted(1, 'operation'), '1 operation'],
  [counted(2, 'operation'), '2 operations'],
  [counted(1, 'policy was', 'policies were'), '1 policy was'],
  [counted(3, 'policy was', 'policies were'), '3 policies were'],
])('one is singular: %s', (text, expected) => expect(text).toBe(expected))

test('in a pipe nothing is cut', () => {
  expect(table(['A'], [['x'.repeat(500)]], pipe)).toContain('x'.repeat(500))
})

test.each([50, 60, 80, 200])('a table fits into %i columns, the last column giving way first', (columns) => {
  const rows = [
    ['create_something', 'CREATE', 'words and '.repeat(40)],
    ['get', 'READ', '漢字'.repeat(60)],
  ]
  const text = table(['OPERATION', 'CATEGORY', 'WHAT IT DOES'], rows, { columns, colours: false })
  for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  expect(text).toContain('create_something')
  expect(text).toContain('…')
})

test('many wide columns shrink together', () => {
  const row = Array.from({ length: 6 }, () => 'y'.repeat(100))
  const lines = table(
    row.map((_, at) => `H${at}`),
    [row],
    { columns: 80, colours: false },
  ).split('\n')
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80)
})

test('the widest columns give way, not the first that is wide', () => {
  const row = ['id', 'y'.repeat(50), 'z'.repeat(24), 'short']
  const [, line = ''] = table(['A', 'B', 'C', 'D'], [row], { columns: 56, colours: false }).split('\n')
  expect(line).toBe(`id  ${'y'.repeat(20)}…  ${'z'.repeat(21)}…  short`)
})

test('a folded cell goes on below, word by word', () => {
  const rows = [
    ['a', 'one two three four five six'],
    ['b', 'abcdefghijklmnopqrstuvwxyz'],
  ]
  expect(table(['N', 'MEANING'], rows, { columns: 23, colours: false }, { folds: true })).toBe(
    ['N  MEANING', 'a  one two three four', '   five six', 'b  abcdefghijklmnopqrst', '   uvwxyz'].join('\n'),
  )
  expect(table(['N', 'MEANING'], rows, pipe, { folds: true }).split('\n')).toHaveLength(3)
})

// biome-ignore format: a table reads by columns
test.each<[number | undefined, number]>([
  [undefined, 4],
  [200,       4],
  [40,        3],
  [19,        1],
  [5,         1],
])('on %s columns there is room for so many: %i', (columns, count) => {
  const rows = [['id', 'y'.repeat(50), 'z'.repeat(24), 'short']]
  expect(columnsWithRoom(['A', 'B', 'C', 'D'], rows, { columns, colours: false })).toBe(count)
})

test('colours only where they are wanted', () => {
  expect(table(['A'], [['x']], pipe)).not.toContain('\u001b')
  expect(table(['A'], [['x']], { columns: 80, colours: true })).toContain('\u001b[1m')
})

// biome-ignore format: a table reads by columns
test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['漢字漢字', 5, '漢字…'],
])('%s cut to %i columns', (text, width, expected) => {
  expect(cut(text, width)).toBe(expected)
})

test('nothing that a terminal would obey gets through', () => {
  expect(plainLine('a\u001b[31mb\n\tc\u202e')).toBe('a\u{FFFD}[31mb c\u{FFFD}')
  expect(plainText('a\r\nb\u0007\tc')).toBe('a\nb\u{FFFD}\tc')
})

test('lines break between words', () => {
  expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
})

// biome-ignore format: a table reads by columns
test.each<[string, boolean, Readonly<Record<string, string>>, boolean]>([
  ['a terminal',          true,  { TERM: 'xterm' },                true],
  ['a pipe',              false, { TERM: 'xterm' },                false],
  ['NO_COLOR',            true,  { TERM: 'xterm', NO_COLOR: '1' }, false],
  ['NO_COLOR left empty', true,  { TERM: 'xterm', NO_COLOR: '' },  true],
  ['a dumb terminal',     true,  { TERM: 'dumb' },                 false],
])('colours on %s', (_, isTerminal, env, wanted) => {
  expect(wantsColours(isTerminal, env)).toBe(wanted)
})
