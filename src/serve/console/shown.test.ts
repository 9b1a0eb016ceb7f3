import { expect, test } from 'vitest'
import { shownValue } from './shown.ts'

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
