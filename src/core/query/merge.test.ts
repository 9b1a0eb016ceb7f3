import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeInput } from './merge.ts'

test.each([
  [
    'UPD-03 nested keys that are not named survive',
    { metadata: { author: 'ann', priority: 1 }, n: 1 },
    { metadata: { priority: 2 } },
    { metadata: { author: 'ann', priority: 2 }, n: 1 },
  ],
  ['UPD-03 at every depth', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3 } } }, { a: { b: { c: 3, d: 2 } } }],
  ['UPD-03 a new key is added', { a: 1 }, { b: { c: 2 } }, { a: 1, b: { c: 2 } }],
  ['UPD-04 a scalar replaces', { a: 1 }, { a: 'x' }, { a: 'x' }],
  ['UPD-04 a scalar replaces an object', { a: { b: 1 } }, { a: 2 }, { a: 2 }],
  ['UPD-04 an object replaces a scalar', { a: 2 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['UPD-04 an array replaces an array', { tags: ['a', 'b', 'c'] }, { tags: ['z'] }, { tags: ['z'] }],
  ['UPD-04 objects in arrays are not merged', { list: [{ a: 1, b: 2 }] }, { list: [{ a: 3 }] }, { list: [{ a: 3 }] }],
  ['UPD-04 an object replaces an array', { a: [1] }, { a: { 0: 2 } }, { a: { 0: 2 } }],
  ['UPD-05 null removes', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['UPD-05 null removes at depth', { a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
  ['UPD-05 null for what is not there changes nothing', { a: 1 }, { b: null }, { a: 1 }],
  ['UPD-05 null inside a new object is not stored', {}, { a: { b: null, c: { d: null } } }, { a: { c: {} } }],
  ['UPD-05 null inside an array is data', {}, { list: [null, { a: null }] }, { list: [null, { a: null }] }],
])('%s', (_, stored, input, expected) => {
  expect(mergeInput(stored, input)).toEqual(expected)
})

test.each(['__proto__', 'constructor', 'prototype'])('UPD-09 %s is never written, at any depth', (key) => {
  const hostile = JSON.parse(
    `{"${key}": {"polluted": true}, "a": {"${key}": {"polluted": true}}, "list": [{"${key}": 1}]}`,
  )
  const merged = mergeInput({ a: { b: 1 } }, hostile)
  expect(merged).toEqual({ a: { b: 1 }, list: [{}] })
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  expect(Object.getPrototypeOf(merged.a)).toBe(Object.prototype)
  expect(Object.hasOwn(merged, key)).toBe(false)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('UPD-09 what is stored under such a key goes no further', () => {
  expect(Object.keys(mergeInput(JSON.parse('{"__proto__": {"x": 1}, "a": 1}'), {}))).toEqual(['a'])
})

const FORBIDDEN = ['__proto__', 'constructor', 'prototype']
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') },
  { weight: 1, arbitrary: fc.constantFrom(...FORBIDDEN) },
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 0, 1, 'x', true),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) =>
      JSON.parse(`{${entries.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(',')}}`),
    ),
}))
const object = json.object as fc.Arbitrary<Record<string, unknown>>

test('UPD-05 UPD-09 merging twice is merging once, changes no argument and pollutes nothing', () => {
  fc.assert(
    fc.property(object, object, (stored, input) => {
      const before = JSON.stringify([stored, input])
      const once = mergeInput(stored, input)
      expect(mergeInput(once, input)).toEqual(once)
      expect(JSON.stringify([stored, input])).toBe(before)
      for (const name of FORBIDDEN) expect(keysOf(mergeInput({}, input))).not.toContain(name)
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('UPD-09 the outcome shares no object with the input', () => {
  const input = { a: { b: [{ c: 1 }] } }
  const merged = mergeInput({}, input) as typeof input
  input.a.b[0] = { c: 2 }
  expect(merged).toEqual({ a: { b: [{ c: 1 }] } })
})

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...keysOf(inner)])
}
