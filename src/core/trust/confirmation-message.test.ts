import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillMessage } from './confirmation-message.ts'

test.each([
  ['a placeholder', 'Delete {name}?', { name: 'draft' }, 'Delete draft?'],
  ['twice', '{name} and {name}', { name: 'a' }, 'a and a'],
  ['a number', '{n} mails', { n: 1 }, '1 mails'],
  ['a string that looks like a number', '{n} mails', { n: '1' }, '"1" mails'],
  ['a list', 'To {list}', { list: ['a', 'b'] }, 'To ["a","b"]'],
  ['a string that looks like a list', 'To {list}', { list: '["a","b"]' }, 'To "[\\"a\\",\\"b\\"]"'],
  ['null', '{x}', { x: null }, 'null'],
  ['a string that looks like null', '{x}', { x: 'null' }, '"null"'],
  ['an empty string', 'Delete {x}', { x: '' }, 'Delete ""'],
  ['an unknown placeholder', 'Delete {other}', { name: 'a' }, 'Delete {other}'],
  ['what every object has', 'Delete {constructor}', {}, 'Delete {constructor}'],
  ['no placeholder', 'Delete { name } {A}', { name: 'a' }, 'Delete { name } {A}'],
  ['a value is not searched again', '{a} {b}', { a: '{b}', b: 'x' }, '{b} x'],
  ['keys in one order', '{o}', { o: { b: 1, a: 2 } }, '{"a":2,"b":1}'],
])('DNG-17 %s', (_, template, params, message) => {
  expect(fillMessage(template, params)).toBe(message)
})

test.each(['\n', '\r', '\u0000', '\u001b', '\u007f', '\u200b', '\u202e', '\u2066', '\ufeff', '\u2028', '\u{e0041}'])(
  'DNG-17 R-32 %j is shown as a visible escape, in a value and in the template',
  (hidden) => {
    expect(fillMessage('Delete {x}', { x: `a${hidden}b` })).not.toContain(hidden)
    expect(fillMessage(`Delete ${hidden}{x}`, { x: 'a' })).not.toContain(hidden)
    expect(fillMessage('{x}', { x: `a${hidden}b` })).not.toBe(fillMessage('{x}', { x: 'ab' }))
  },
)

test.each([
  ['the whole value', { $masked: 'string' }, 'Use (hidden)'],
  ['inside a list', [{ $masked: 'string' }, 1], 'Use [{"$masked":"string"},1]'],
  ['a text that says so', '(hidden)', 'Use "(hidden)"'],
  ['a text that says so among others', 'a (hidden) b', 'Use "a (hidden) b"'],
  ['a literal mask', '***', 'Use ***'],
  ['an object that looks like one, as a record holds it', { $$masked: 'string' }, 'Use {"$$masked":"string"}'],
])('DNG-17 VAL-10 what is masked is seen to be: %s', (_, x, message) => {
  expect(fillMessage('Use {x}', { x })).toBe(message)
})

test('DNG-17 a value of 200 characters is shown whole, a longer one is cut with a mark', () => {
  expect(fillMessage('{x}', { x: 'a'.repeat(200) })).toBe('a'.repeat(200))
  expect(fillMessage('{x}', { x: 'a'.repeat(250) })).toBe(
    `${'a'.repeat(200)}⟨cut: 50 more characters, SHA-256 33658249b12eecfdc08635789bce3e88⟩`,
  )
})

test('DNG-17 a pair of surrogates is one character and is not torn', () => {
  expect(fillMessage('{x}', { x: '🦊'.repeat(200) })).toBe('🦊'.repeat(200))
  expect(fillMessage('{x}', { x: '🦊'.repeat(201) }).startsWith(`${'🦊'.repeat(200)}⟨cut: `)).toBe(true)
})

test('DNG-17 no value can forge the mark', () => {
  const long = fillMessage('{x}', { x: 'a'.repeat(250) })
  expect(fillMessage('{x}', { x: long.slice(150) })).not.toContain('⟨cut: 50')
})

test('DNG-17 values that differ only behind the cut do not look equal', () => {
  const [a, b] = ['x', 'y'].map((end) => fillMessage('{v}', { v: 'a'.repeat(300) + end }))
  expect(a).not.toBe(b)
})

test('DNG-17 R-32 two different values never look equal', () => {
  const letters = fc.constantFrom(
    'a',
    'а',
    '1',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '\n',
    '\u200b',
    '⟨',
    '⟩',
    '\ud800',
  )
  const texts = fc.string({ unit: letters, maxLength: 8 })
  const value = fc.oneof(
    texts,
    fc.string({ unit: 'binary' }),
    fc.integer({ min: -2, max: 12 }),
    fc.constantFrom(null, true, false),
    fc.array(fc.oneof(texts, fc.integer({ min: 0, max: 2 })), { maxLength: 2 }),
    fc.dictionary(texts, fc.integer({ min: 0, max: 1 }), { maxKeys: 2 }),
    fc.record({ text: texts, n: fc.integer({ min: 195, max: 205 }) }).map(({ text, n }) => 'b'.repeat(n) + text),
  )
  const similar = fc.oneof(
    fc.tuple(value, value),
    value.map((one) => [one, JSON.stringify(one)] as const),
    value.map((one) => [one, fillMessage('{x}', { x: one })] as const),
  )
  fc.assert(
    fc.property(similar, ([one, other]) => {
      const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
      expect(fillMessage('{x}', { x: one }) === fillMessage('{x}', { x: other })).toBe(isSame)
    }),
    { numRuns: 500 },
  )
})

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
