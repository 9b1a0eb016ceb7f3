import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { loadMatchers } from './matchers.ts'

const checkOf = async (schema: Readonly<Record<string, unknown>>) =>
  (await loadMatchers([{ type: 'array', schema }])).schema(schema)

const plain = new Ajv2020({ strict: false })
formats.default(plain)

const node = (keyword: string, alternatives: readonly unknown[]) => ({
  $ref: '#/$defs/node',
  $defs: { node: { [keyword]: alternatives } },
})
const unary = (op: string) => ({
  type: 'object',
  properties: { arg: { $ref: '#/$defs/node' }, op: { const: op } },
  required: ['arg', 'op'],
})
const LEAF = { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] }
const LOOSE = { type: 'object', properties: { arg: { $ref: '#/$defs/node' } }, required: ['arg'] }
const nested = (depth: number, op: string, leaf: unknown) => {
  let value = leaf
  for (let at = 0; at < depth; at++) value = { arg: value, op }
  return value
}

const SCHEMAS = {
  'anyOf by name': node('anyOf', [unary('not'), unary('neg'), LEAF]),
  'oneOf by name': node('oneOf', [unary('not'), unary('neg'), LEAF]),
  'anyOf of the same': node('anyOf', [LOOSE, LOOSE, LEAF]),
  'oneOf of the same': node('oneOf', [LOOSE, LOOSE, LEAF]),
  'nothing else': { ...node('anyOf', [unary('not'), LEAF]), unevaluatedProperties: false },
  'not itself': { $defs: { node: LEAF }, not: { $ref: '#/$defs/node' }, properties: { arg: { $ref: '#/$defs/node' } } },
  'itself twice': {
    allOf: [{ properties: { arg: { $ref: '#' } } }, { properties: { arg: { $ref: '#' } } }],
    not: LEAF,
  },
  'a long list of values': {
    properties: { op: { enum: ['not', 1, null, false, 'a', 'b', 'c', 'd', 'e', 'f'] }, arg: { const: null } },
  },
  'a list of values': { properties: { op: { enum: ['not', 1, null, { a: [1, { b: 2 }] }] }, arg: { const: [1] } } },
}

const VALUES = [
  ...['not', 'neg', 'none'].flatMap((op) => [0, 1, 2, 3].map((depth) => nested(depth, op, { field: 'a' }))),
  nested(3, 'not', { field: 1 }),
  { arg: nested(1, 'not', { field: 'a' }), op: 'neg', more: 1 },
  ...[{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, { a: [1, { b: 2, c: 1 }] }, [1], [1, 2], '1', null, 1].flatMap(
    (each) => [{ op: each }, { arg: each }, each],
  ),
]

describe.each(Object.entries(SCHEMAS))('VAL-04 a schema: %s', (_, schema) => {
  test.each(VALUES.map((value) => [JSON.stringify(value), value]))('%s is checked as Ajv does', async (_, value) => {
    const check = await checkOf(schema)
    expect(check(value) === undefined).toBe(plain.validate(schema, value))
    expect(check(value) === undefined).toBe(plain.validate(schema, value))
  })
})

test.each([
  ['anyOf', 'not', { field: 'a' }, undefined],
  ['oneOf', 'neg', { field: 'a' }, undefined],
  ['oneOf', 'neg', { field: 1 }, "must have required property 'arg'"],
  ['anyOf', 'none', { field: 'a' }, 'must be equal to constant'],
])('ATTACK-10 an expression of 30 levels in %s, %s, is checked at once', async (keyword, op, leaf, message) => {
  const check = await checkOf(node(keyword, [unary('not'), unary('abs'), unary('floor'), unary('neg'), LEAF]))
  expect(check(nested(30, op, leaf))?.message).toBe(message)
})

const TOO_DEAR = 'a smaller value, because of the schema: this one takes too many steps to check'

test.each([
  [
    'alternatives that leave no trace',
    { ...node('anyOf', [LOOSE, LOOSE, LOOSE, LEAF]), unevaluatedProperties: false },
    nested(24, 'not', 1),
    { field: 'a' },
  ],
  [
    'objects compared with objects',
    { items: { enum: Array.from({ length: 1_000 }, (_, at) => ({ a: at, b: [at] })) } },
    Array(9_999).fill({ a: 999, b: [999] }),
    [{ a: 1, b: [1] }],
  ],
  [
    'alternatives for each of many',
    { items: { anyOf: Array.from({ length: 500 }, (_, at) => ({ const: at })) } },
    Array(9_999).fill(499),
    [499],
  ],
  ['a pattern', { not: { pattern: '^(?:a?){200}b' } }, 'a'.repeat(900_000), 'a'],
  ['keys by pattern', { patternProperties: { '^(?:a?){200}b': false } }, { ['a'.repeat(900_000)]: 1 }, { a: 1 }],
])('ATTACK-10 a value is refused, and said to be too large for its schema: %s', async (_, schema, value, small) => {
  const check = await checkOf(schema)
  expect(check(value)).toEqual({ path: '', message: TOO_DEAR, isType: false })
  await Promise.resolve()
  expect(check(small)).toBeUndefined()
})

test.each([[{ $ref: '#' }], [{ anyOf: [{ type: 'string' }, { $ref: '#' }] }]])(
  'ATTACK-10 a schema that only refers to itself refuses what it cannot judge: %j',
  async (schema) => {
    const check = await checkOf(schema)
    expect(check(1)?.message).toBe(TOO_DEAR)
  },
)

test('ATTACK-10 the values of one request share what their schemas may take, and the next request has it all', async () => {
  const check = await checkOf({ items: { anyOf: Array.from({ length: 100 }, (_, at) => ({ const: at })) } })
  const value = Array(1_000).fill(99)
  const first = Array.from({ length: 10 }, () => check(value)?.message)
  expect(first[0]).toBeUndefined()
  expect(first.at(-1)).toBe(TOO_DEAR)
  await Promise.resolve()
  expect(check(value)).toBeUndefined()
})

test('ATTACK-10 a large schema is compiled whatever has been spent', async () => {
  const { schema } = await loadMatchers([{ type: 'array', schema: {} }])
  const used = schema({ items: { anyOf: Array.from({ length: 500 }, (_, at) => ({ const: at })) } })
  expect(used(Array(9_999).fill(499))?.message).toBe(TOO_DEAR)
  expect(() => schema({ enum: Array.from({ length: 9_000 }, (_, at) => `v${at}`) })).not.toThrow()
})

test.each([
  ['a.b', [{ 'a.b': ['x'] }], '[0].a.b[0]'],
  ['a/b~c', [{ 'a/b~c': ['x'] }], '[0].a/b~c[0]'],
  ['name', [{ name: ['x'] }], '[0].name[0]'],
  ["it's", [{ "it's": ['x'] }], "[0]['it's'][0]"],
])('VAL-10 the path of what is wrong under the key %s', async (_, value, path) => {
  const check = await checkOf({ items: { additionalProperties: { items: { type: 'integer' } } } })
  expect(check(value)?.path).toBe(path)
})

const URLS = [
  ...['http://a.com', 'https://a.com/', 'ftp://user:pass@a.com:8080/p?q#f', 'http://a@b@c.de/x@y', 'HTTP://A.COM'],
  ...[
    'http://-a.com',
    'http://a-.com',
    'http://a--b.com',
    'http://a-b.co',
    'http://a.c',
    'http://10.1.1.1',
    'http://x@10.1.1.1',
  ],
  ...[
    'http://8.8.8.8',
    'http://8.8.8.8/x',
    'http://192.168.1.1',
    'http://172.16.1.1',
    'http://localhost',
    'http://@a.com',
  ],
  ...[
    'http://:@a.com',
    'http://a.com:1',
    'http://a.com:99999',
    'http://a.com:999999',
    'http://a.com x',
    'http://a.com\n',
  ],
  ...[
    'http://ä.de/ü',
    'http://a.com?x',
    'http://a.com@',
    'gopher://a.com',
    'http://',
    'http://a.com/\u00a0',
    'http://😀.com',
  ],
  ...[
    'http://a.com./',
    'http://1.2.3.4.5/',
    'http://256.1.1.1',
    'http://0.0.0.0',
    'http://a.b.c.d.ef',
    'http://a.com:80@b.com',
  ],
]

test.each(URLS)('VAL-04 %j is a URL for the format where it is one for ajv-formats', async (text) => {
  const schema = { type: 'string', format: 'url' }
  expect((await checkOf(schema))(text) === undefined).toBe(plain.validate(schema, text))
})
