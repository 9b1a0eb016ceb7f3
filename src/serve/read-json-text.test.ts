import { expect, test } from 'vitest'
import { readJsonTexts } from './read-json-text.ts'

const LIMITS = { maxBytes: 1_000_000, maxDepth: 32, maxString: 100_000, maxArray: 1_000 }

const read = (args: unknown) => {
  const { arguments: given, warnings = [] } = readJsonTexts(args, LIMITS)
  return [given, warnings.map(({ details }) => details?.param_name)]
}

// biome-ignore format: a table reads by columns
test.each<[string, unknown, unknown, string[]]>([
  ['params',                 { operation: 'a', params: '{"limit":1}' },              { operation: 'a', params: { limit: 1 } },                ['params']],
  ['params with space',      { operation: 'a', params: ' \n{"a":{"b":[1]}} ' },      { operation: 'a', params: { a: { b: [1] } } },           ['params']],
  ['operations',             { operations: '[{"operation":"a"}]' },                  { operations: [{ operation: 'a' }] },                    ['operations']],
  ['an entry',               { operations: ['{"operation":"a"}'] },                  { operations: [{ operation: 'a' }] },                    ['operations[0]']],
  ['params of an entry',     { operations: [{ operation: 'a', params: '{"b":1}' }] }, { operations: [{ operation: 'a', params: { b: 1 } }] }, ['operations[0].params']],
  ['everything',             { operations: '["{\\"operation\\":\\"a\\",\\"params\\":\\"{}\\"}"]' }, { operations: [{ operation: 'a', params: {} }] }, ['operations', 'operations[0]', 'operations[0].params']],
])('REQ-02 %s as JSON text is read as what it holds, with a warning', (_, sent, expected, names) => {
  expect(read(sent)).toEqual([expected, names])
})

// biome-ignore format: a table reads by columns
test.each<[string, unknown]>([
  ['no JSON',                           { operation: 'a', params: 'limit=1' }],
  ['an array for params',               { operation: 'a', params: '[1]' }],
  ['an object for operations',          { operations: '{"operation":"a"}' }],
  ['JSON in JSON in JSON',              { operation: 'a', params: '"{\\"limit\\":1}"' }],
  ['a key that occurs twice',           { operation: 'a', params: '{"id":"a","id":"b"}' }],
  ['a key that occurs twice, escaped',  { operation: 'a', params: '{"id":"a","\\u0069d":"b"}' }],
  ['a lone surrogate',                  { operation: 'a', params: '{"id":"\\ud800"}' }],
  ['cut off',                           { operation: 'a', params: '{"id":' }],
  ['too deep',                          { operation: 'a', params: `${'{"a":'.repeat(60)}1${'}'.repeat(60)}` }],
  ['a string parameter of any name',    { operation: 'a', params: { text: '{"a":1}' } }],
  ['a parameter beside the operation',  { operation: 'a', body: '{"a":1}' }],
  ['nothing',                           undefined],
  ['plain arguments',                   { operation: 'a', params: {} }],
])('REQ-02 %s stays as it was sent', (_, sent) => {
  const { arguments: given, warnings } = readJsonTexts(sent, LIMITS)
  expect([given, warnings]).toEqual([sent, undefined])
})
