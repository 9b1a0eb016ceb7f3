import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ShownPart, shownRecorded, shownValue } from './shown.ts'

const text = (value: unknown) =>
  shownValue(value)
    .segments.map((segment) => segment.text)
    .join('')

test.each([
  ['a\nb', 'a↵b'],
  [7, '7'],
  [null, 'null'],
  [{}, '{}'],
  [[1, 'x"y'], '[\n  1,\n  "x\\"y"\n]'],
  [{ a: { b: [] } }, '{\n  "a": {\n    "b": []\n  }\n}'],
])('%j is shown whole as %j', (value, shown) => {
  expect(text(value)).toBe(shown)
})

test('line ends of a value cannot be taken for ours', () => {
  expect(text({ a: 'x",\n  "b": "y' })).toBe('{\n  "a": "x\\",↵␠␠\\"b\\": \\"y"\n}')
})

test.each([
  ['https://example.org/a', 'https://example.org/a'],
  ['http://0x7f.1/x', 'http://0x7f.1/x⟨host 127.0.0.1⟩'],
  [['http://2130706433:80'], '[\n  "http://2130706433:80"⟨host 127.0.0.1⟩\n]'],
])('DNG-17 behind the address %j stands the host that would really be called', (value, shown) => {
  expect(text(value)).toBe(shown)
})

test('deceptive characters are found anywhere, keys included', () => {
  expect(shownValue({ 'a\u200B': 1 })).toMatchObject({ hidden: true })
  expect(shownValue([['h\u043Etfix']])).toMatchObject({ alike: true })
})

const LETTERS = [
  'a',
  '1',
  '_',
  ' ',
  '\n',
  '"',
  '\\',
  'ж',
  'о',
  'ש',
  '\u0301',
  '\u05b0',
  '\u200b',
  '\u202e',
  '😀',
  '漢',
  '\ud800',
]
const foreign = fc.array(fc.constantFrom(...LETTERS), { maxLength: 40 }).map((letters) => letters.join(''))
const written = ({ segments }: Pick<ShownPart, 'segments'>) =>
  segments
    .map((segment) => segment.text)
    .join('')
    .replaceAll('⟨right-to-left⟩', '')

test('DNG-17 a long value is shown in parts that are the whole, word for word', () => {
  const value = fc.oneof(
    foreign,
    fc.array(foreign, { maxLength: 4 }),
    fc.dictionary(foreign, fc.oneof(foreign, fc.integer(), fc.constant({ $masked: 'string' })), { maxKeys: 4 }),
    fc.constant(['http://2130706433:80/', 'x']),
  )
  fc.assert(
    fc.property(value, fc.integer({ min: 16, max: 48 }), (each, length) => {
      const whole = shownRecorded(each, 0, Number.POSITIVE_INFINITY)
      const parts = [shownRecorded(each, 0, length)]
      for (let last = parts[0]; last && last.to < last.of; last = parts.at(-1)) {
        const next = shownRecorded(each, last.to, length)
        expect(next.to).toBeGreaterThan(last.to)
        parts.push(next)
      }
      expect(parts.map(written).join('')).toBe(written(whole))
      expect([...new Set(parts.flatMap(({ scripts }) => scripts))]).toEqual(whole.scripts)
      expect(parts.some(({ hidden }) => hidden)).toBe(whole.hidden)
      expect(parts.some(({ alike }) => alike)).toBe(whole.alike)
    }),
    { numRuns: 2_000 },
  )
})
