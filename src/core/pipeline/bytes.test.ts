import { Buffer } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import { type ByteLimits, readMessage, type Scanned, scanValue } from './bytes.ts'

const limits: ByteLimits = { maxBytes: 1_048_576, maxDepth: 32, maxString: 1_048_576, maxArray: 10_000 }
const tight: ByteLimits = { maxBytes: 600, maxDepth: 8, maxString: 20, maxArray: 5 }

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
const call = (args: string) =>
  `{"method":"tools/call","params":{"name":"t","arguments":${args}},"jsonrpc":"2.0","id":7}`
const callEnvelope = { id: 7, method: 'tools/call', modern: false }
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const text = (length: number) => `"${'x'.repeat(length)}"`
const faultOf = (scanned: Scanned) => (scanned.ok ? undefined : scanned.fault)
const read = (message: string, within = limits) => readMessage(Buffer.from(message), within)

// biome-ignore format: a table reads by columns
test.each([
  ['continuation byte alone',       [0x80]],
  ['three of them',                 [0x80, 0x80, 0x80]],
  ['overlong slash, two bytes',     [0xc0, 0xaf]],
  ['overlong slash, three bytes',   [0xe0, 0x80, 0xaf]],
  ['overlong NUL',                  [0xc0, 0x80]],
  ['surrogate U+D800 as bytes',     [0xed, 0xa0, 0x80]],
  ['surrogate pair as bytes',       [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['beyond U+10FFFF',               [0xf4, 0x90, 0x80, 0x80]],
  ['truncated sequence',            [0xe2, 0x82]],
  ['bad continuation',              [0xe2, 0x28, 0xa1]],
  ['byte that never occurs',        [0xff]],
])('DATA-01 refuses %s with its offset, and still reads the id behind it', (_, bad) => {
  for (const lead of ['', 'é'.repeat(3000)]) {
    const start = `{"method":"tools/call","params":{"name":"t","arguments":{"a":"${lead}`
    const message = bytes(start, bad, '"}},"jsonrpc":"2.0","id":7}')
    const byteOffset = Buffer.byteLength(start)
    expect(readMessage(message, limits)).toEqual({
      ok: false,
      fault: { kind: 'encoding', byteOffset },
      envelope: callEnvelope,
    })
  }
})

test('DATA-01 refuses bad bytes in a key, outside of strings and at the very end', () => {
  expect(faultOf(readMessage(bytes('{"', [0xff], '":1}'), limits))).toEqual({ kind: 'encoding', byteOffset: 2 })
  expect(faultOf(readMessage(bytes('{}', [0xff]), limits))).toEqual({ kind: 'encoding', byteOffset: 2 })
  expect(faultOf(readMessage(bytes('"a', [0xe2, 0x82]), limits))).toEqual({ kind: 'encoding', byteOffset: 2 })
})

// biome-ignore format: a table reads by columns
test.each([
  // arguments                        location
  [String.raw`{"a":"\ud800"}`,        'params.arguments.a'],
  [String.raw`{"a":"\uDFFF"}`,        'params.arguments.a'],
  [String.raw`{"a":"x\ud83dx"}`,      'params.arguments.a'],
  [String.raw`{"a":"\ude00\ud83d"}`,  'params.arguments.a'],
  [String.raw`{"a":"\ud83d\ud83d"}`,  'params.arguments.a'],
  [String.raw`{"a":"\udc00\udc00"}`,  'params.arguments.a'],
  [String.raw`{"a":"\ud83d\\ude00"}`, 'params.arguments.a'],
  [String.raw`{"a":[1,["\udc00"]]}`,  'params.arguments.a[1][0]'],
  [String.raw`{"b":1,"\ud800":2}`,    'params.arguments'],
])('DATA-02 refuses the lone surrogate in %s', (args, location) => {
  const scanned = read(call(args))
  expect(scanned).toMatchObject({ ok: false, fault: { kind: 'encoding', location }, envelope: callEnvelope })
  expect(faultOf(scanned)).toHaveProperty('byteOffset', call(args).lastIndexOf('"', call(args).search(/\\u[dD]/)))
})

// biome-ignore format: a table reads by columns
test.each([
  [String.raw`"\ud83d\ude00"`, '😀'],
  [String.raw`"\uD83D\uDE00"`, '😀'],
  [String.raw`"\\ud800"`,      '\\ud800'],
  [String.raw`"\ud7ff\ue000"`, '\ud7ff\ue000'],
  [String.raw`"\u00e9"`,       'é'],
  ['"é😀 \u2028"',             'é😀 \u2028'],
])('DATA-02 accepts %s', (json, value) => {
  expect(read(json)).toEqual({ ok: true, value })
  expect(read(`{${json}:1}`)).toEqual({ ok: true, value: { [value]: 1 } })
})

// biome-ignore format: a table reads by columns
test.each([
  // what                          message                                        limit             allowed actual
  ['DATA-09 depth 9',              call(nested(9)),                               'nesting_depth',  8,  9],
  ['DATA-09 depth 16, in arrays',  call(`${'['.repeat(16)}${']'.repeat(16)}`),    'nesting_depth',  8,  16],
  ['DATA-08 string',               call(`{"a":${text(21)}}`),                     'string_length',  20, 21],
  ['DATA-09 string in bytes',      call(`{"a":"${'é'.repeat(11)}"}`),             'string_length',  20, 22],
  ['DATA-09 escapes as bytes',     call(`{"a":"${'\\u00e9'.repeat(11)}"}`),       'string_length',  20, 22],
  ['DATA-08 key',                  call(`{${text(21)}:1}`),                       'string_length',  20, 21],
  ['DATA-08 array',                call('{"a":[1,[2,3,4,5,6,7,8]]}'),             'array_elements', 5,  7],
  ['DATA-08 the largest counts',   call('[[1,2,3,4,5,6],[1,2,3,4,5,6,7]]'),       'array_elements', 5,  7],
  ['DATA-08 string before array',  call(`[1,2,3,4,5,6,${text(30)}]`),             'string_length',  20, 30],
  ['DATA-08 array before depth',   call(`[1,2,3,4,5,${nested(9)}]`),              'array_elements', 5,  6],
  ['DATA-08 string before size',   call(`{"a":${text(600)}}`),                    'string_length',  20, 600],
  ['DATA-08 array before size',    call(`{"a":[${'1,'.repeat(599)}1]}`),          'array_elements', 5,  600],
  ['DATA-08 depth before size',    call(nested(120)),                             'nesting_depth',  8,  120],
  ['DATA-08 size',                 call(`{"a":1}${' '.repeat(600)}`),             'request_size',   600, 688],
  ['DATA-09 escaped path',         call(nested(9)).replace('params', 'p\\u0061rams'), 'nesting_depth', 8, 9],
  ['guard for other messages',     nested(17),                                    'nesting_depth',  16, 17],
])('%s is refused', (_, message, limit, limitValue, actualValue) => {
  expect(faultOf(read(message, tight))).toEqual({ kind: 'limit', limit, limitValue, actualValue })
})

// biome-ignore format: a table reads by columns
test.each([
  ['DATA-09 depth 8',                        call(nested(8))],
  ['DATA-08 string of 20 bytes',             call(`{"a":${text(20)}}`)],
  ['DATA-09 escapes count as what they are', call(`{"a":"${'\\u0041'.repeat(20)}"}`)],
  ['DATA-08 array of 5',                     call('{"a":[1,2,3,4,5]}')],
  ['DATA-08 long strings elsewhere',         call('{}').replace('"t"', text(100))],
  ['DATA-08 arrays elsewhere',               '{"method":"x","params":[1,2,3,4,5,6]}'],
  ['DATA-08 arguments of no tool',           call(`{"a":${text(30)}}`).replace('tools/call', 'prompts/get')],
  ['guard for other messages',               nested(16)],
])('%s is accepted', (_, message) => {
  expect(read(message, tight)).toEqual({ ok: true, value: JSON.parse(message) })
})

test('DATA-08 a message that was cut off is measured by what there is of it', () => {
  const start = '{"jsonrpc":"2.0","id":"a","params":{"arguments":{"a":'
  const string = Buffer.from(`${start}"${'é'.repeat(400)}`).subarray(0, 700)
  expect(readMessage(string, tight)).toEqual({
    ok: false,
    fault: { kind: 'limit', limit: 'string_length', limitValue: 20, actualValue: 700 - start.length - 1 },
    envelope: { id: 'a', modern: false },
  })
  expect(faultOf(read(`${start}[${'1,'.repeat(400)}`, tight))).toMatchObject({
    limit: 'array_elements',
    actualValue: 400,
  })
  expect(faultOf(read(`${start}1${' '.repeat(700)}`, tight))).toMatchObject({ limit: 'request_size' })
})

const manyObjects = '{"a":1,"b":2,"c":3,"d":4,"e":5},'.repeat(2000)
const manyKeys = Array.from({ length: 100 }, (_, i) => `"k${i}":0`).join(',')

// biome-ignore format: a table reads by columns
test.each([
  ['{"a":1,"a":2}',                      'a',  7],
  ['{"a":{"b":1,"c":2,"b":3}}',          'b',  18],
  [String.raw`{"a":1,"\u0061":2}`,       'a',  7],
  ['[{"a":[{"x":1}],"a":2}]',            'a',  16],
  ['{"":1,"":2}',                        '',   6],
  [`{${manyKeys},"k5":1}`,               'k5', manyKeys.length + 2],
  ['{"é":1,"é":2}',                      'é',  8],
  [`[${manyObjects}{"a":1,"a":2}]`,       'a',  manyObjects.length + 8],
])('refuses a duplicate key, row %#', (message, key, byteOffset) => {
  expect(faultOf(read(message))).toEqual({ kind: 'duplicate_key', key, byteOffset })
})

// biome-ignore format: a table reads by columns
test.each([
  ['{"a":{"a":{"a":1}},"b":{"a":1}}'],
  ['[{"a":1},{"a":2}]'],
  ['{"a":"a","b":"a"}'],
  ['{"__proto__":1,"constructor":2}'],
  ['{"Aa":1,"BB":2}'], // the same hash
  [`{${manyKeys}}`],
])('accepts distinct keys, row %#', (message) => {
  expect(read(message)).toEqual({ ok: true, value: JSON.parse(message) })
})

// biome-ignore format: a table reads by columns
test.each([
  ['',                     0,  'the message is empty'],
  ['  ',                   2,  'the message ends too early'],
  ['\ufeff{}',             0,  'a byte order mark before the text'],
  ['{"a":1',               6,  'the message ends too early'],
  ['{"a":"x',              7,  'the message ends inside a string'],
  ["{'a':1}",              1,  'a property name in double quotes or } was expected'],
  ['{"a":1,}',             7,  'a property name in double quotes was expected'],
  ['{"a" 1}',              5,  'a colon was expected after the property name'],
  ['{"a":}',               5,  'a value was expected'],
  ['{"é":tru}',            6,  'a value must be a string, number, true, false, null, { or ['],
  ['[1 2]',                3,  'a comma or the end of the object or array was expected'],
  ['[1}',                  2,  'a comma or the end of the object or array was expected'],
  ['[01]',                 1,  'a value must be a string, number, true, false, null, { or ['],
  ['["a\tb"]',             3,  'a control character in a string must be escaped'],
  ['["\\x41"]',            2,  'a string has an escape that JSON does not know'],
  ['{} {}',                3,  'nothing may follow the message'],
  ['{}]',                  2,  'nothing may follow the message'],
])('MCP-01 %j is no JSON at byte %d', (message, byteOffset, reason) => {
  expect(faultOf(read(message))).toEqual({ kind: 'syntax', reason, byteOffset })
})

// biome-ignore format: a table reads by columns
test.each([
  ['id behind a depth bomb',     call(nested(5000)),                                            callEnvelope],
  ['id behind a bad number',     call('{"a":01}'),                                              callEnvelope],
  ['id before a structural fault', '{"id":7,"method":"tools/call","params":{"name":"t","arguments":{"a":]}}}', callEnvelope],
  ['no id behind one',           call('{"a":]}').replace('"t"', '"t"'),                         { method: 'tools/call', modern: false }],
  ['no id from the arguments',   '{"params":{"arguments":{"id":9,"method":"m","name":"n"',      { modern: false }],
  ['no id from a string',        '{"params":{"arguments":"\\"id\\":9',                          { modern: false }],
  ['a string id',                '{"id":"\\u0061b",',                                           { id: 'ab', modern: false }],
  ['a null id',                  '{"id":null,',                                                 { id: null, modern: false }],
  ['a fractional id is none',    '{"id":1.5,',                                                  { id: null, modern: false }],
  ['an inexact id is none',      '{"id":9007199254740993,',                                     { id: null, modern: false }],
  ['an object as id is none',    '{"id":{"id":1},',                                             { id: null, modern: false }],
  ['two ids are none',           '{"id":1,"id":2}',                                             { id: null, modern: false }],
  ['an invalid id, then another', '{"id":null,"id":"a",',                                       { id: null, modern: false }],
  ['an object as id, then another', '{"id":{},"id":5,',                                         { id: null, modern: false }],
  ['a boolean id, a valid one at the end', '{"id":true,"method":"x","params":{},"method":"x","id":"a"}', { id: null, method: 'x', modern: false }],
  ['a number cut off is none',   '{"method":"x","id":12',                                       { id: null, method: 'x', modern: false }],
  ['an ill-formed id is none',   '{"id":"\\ud800",',                                            { id: null, modern: false }],
  ['the modern era',             '{"id":1,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}},', { id: 1, modern: true }],
  ['not in the arguments',       '{"id":1,"params":{"arguments":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}},', { id: 1, modern: false }],
  ['not deeper',                 '{"id":1,"params":{"_meta":{"x":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}},', { id: 1, modern: false }],
  ['a batch has none',           '[{"id":1}',                                                   { modern: false }],
])('MCP-01 the envelope of a faulty message: %s', (_, message, envelope) => {
  expect(read(message)).toMatchObject({ ok: false })
  expect(read(message)).toHaveProperty('envelope', envelope)
})

test('MCP-01 an array is JSON; refusing it is the work of the transport', () => {
  expect(read('[{"id":1}]')).toEqual({ ok: true, value: [{ id: 1 }] })
})

test('DATA-06 numbers are left to the binder', () => {
  expect(read('[9007199254740993,1e400,-0]')).toMatchObject({ ok: true })
})

test('a message may be a view into a larger buffer', () => {
  const whole = Buffer.from('xxx{"é":[1]}yyy')
  const view = new Uint8Array(whole.buffer, whole.byteOffset + 3, whole.length - 6)
  expect(readMessage(view, limits)).toEqual({ ok: true, value: { é: [1] } })
  expect(faultOf(readMessage(view.subarray(0, 8), limits))).toMatchObject({ kind: 'syntax', byteOffset: 8 })
})

test('foreign text in a fault is cut short', () => {
  const key = 'k'.repeat(5000)
  expect(faultOf(read(`{"${key}":1,"${key}":2}`))).toMatchObject({ key: `${'k'.repeat(200)}…` })
  expect(faultOf(read(`{"${key}":"\\ud800"}`))).toMatchObject({ location: `${'k'.repeat(200)}…` })
})

describe('properties', () => {
  const wide: ByteLimits = { maxBytes: 1e7, maxDepth: 100, maxString: 1e6, maxArray: 1e6 }
  const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 })

  test('DATA-01 any JSON value is read back as JSON.parse reads it', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const message = JSON.stringify(value, null, indent)
        expect(readMessage(Buffer.from(message), wide)).toEqual({ ok: true, value: JSON.parse(message) })
      }),
      { numRuns: 500 },
    )
  })

  test('DATA-08 with any bytes changed it never throws, and accepts nothing that JSON.parse refuses', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.oneof(fc.integer({ min: 0, max: 255 }), structural) })
    fc.assert(
      fc.property(json, fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(), (value, changes, cut) => {
        const whole = Buffer.from(call(JSON.stringify(value)))
        for (const { at, byte } of changes) whole[at % whole.length] = byte
        const message = cut % 3 === 0 ? whole.subarray(0, cut % whole.length) : whole
        const scanned = readMessage(message, tight)
        if (scanned.ok) expect(scanned.value).toEqual(JSON.parse(message.toString()))
        else expect(scanned.fault.kind).toMatch(/^(encoding|limit|syntax|duplicate_key)$/)
      }),
      { numRuns: 3000 },
    )
  })

  test('a text that JSON.parse refuses has its fault found, one that it takes has none in its syntax', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'{}[]",:\\u01e-.tfn \t'), { maxLength: 12 }), (characters) => {
        const message = characters.join('')
        const fault = faultOf(readMessage(Buffer.from(message), wide))
        expect(fault?.kind === 'syntax').toBe(!isJson(message))
        if (fault) expect(fault).not.toHaveProperty('reason', 'not a JSON text')
      }),
      { numRuns: 5000 },
    )
  })

  test('DATA-08 bytes and value are judged alike', () => {
    const hostile = fc.jsonValue({ maxDepth: 12 })
    fc.assert(
      fc.property(hostile, (value) => {
        const fromBytes = faultOf(read(call(JSON.stringify(value)), { ...tight, maxBytes: 1e6 }))
        const fromValue = scanValue(JSON.parse(JSON.stringify(value)), { ...tight, maxBytes: 1e6 })
        expect(fromBytes?.kind).toBe(fromValue?.kind)
        if (fromBytes?.kind === 'limit') expect(fromValue).toMatchObject({ limit: fromBytes.limit })
      }),
      { numRuns: 500 },
    )
  })

  const structural = fc.constantFrom(...Buffer.from('{}[]",:\\u'))
})

describe('JSONTestSuite', () => {
  const file = new URL('../../../../shared/data/json/json-test-suite.json', import.meta.url)
  if (!existsSync(file)) {
    test.skip('SKIPPED: the JSONTestSuite data is not there', () => {})
    return
  }
  interface Case {
    readonly name: string
    readonly expect: 'accept' | 'reject' | 'either'
    readonly base64: string
  }
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }
  const DUPLICATES = ['object_duplicated_key', 'object_duplicated_key_and_value']
  const outcome = ({ base64 }: Case) => readMessage(Buffer.from(base64, 'base64'), { ...limits, maxDepth: 600 })

  test('is complete', () => {
    expect(cases).toHaveLength(317)
  })

  test.each(cases.filter((row) => row.expect === 'reject'))('DATA-01 refuses $name', (row) => {
    const fault = faultOf(outcome(row))
    expect(fault?.kind).toMatch(/^(syntax|encoding|limit)$/)
    expect(fault).not.toHaveProperty('reason', 'not a JSON text')
  })

  test.each(cases.filter((row) => row.expect === 'accept'))('DATA-01 accepts $name', (row) => {
    if (DUPLICATES.includes(row.name)) expect(faultOf(outcome(row))).toMatchObject({ kind: 'duplicate_key' })
    else expect(outcome(row)).toMatchObject({ ok: true })
  })

  test.each(cases.filter((row) => row.expect === 'either'))('survives $name', (row) => {
    expect(outcome(row)).toHaveProperty('ok')
  })
})

describe('DATA-08 hostile input takes time in proportion to its length', () => {
  const generous = { ...limits, maxBytes: 1e7 }
  const keys = (count: number, prefix = 'k') => Array.from({ length: count }, (_, i) => `"${prefix}${i}":0`).join(',')

  // biome-ignore format: a table reads by columns
  test.each([
    ['100,000 opening brackets',   '['.repeat(100_000),                          'limit'],
    ['100,000 nested objects',     '{"a":'.repeat(100_000),                      'limit'],
    ['a closed bomb in a call',    call(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'limit'],
    ['1 MB of lone surrogates',    `"${'\\ud800'.repeat(170_000)}"`,             'encoding'],
    ['170,000 strings of one',     `[${'"\\ud800",'.repeat(170_000)}1]`,         'encoding'],
    ['1 MB of backslashes',        `"${'\\'.repeat(1_000_000)}`,                 'syntax'],
    ['200,000 distinct keys',      `{${keys(200_000)}}`,                         undefined],
    ['200,000 escaped keys',       `{${keys(200_000, '\\u006b')}}`,              undefined],
    ['200,000 keys, then one again', `{${keys(200_000)},"k1":0}`,                'duplicate_key'],
    ['500,000 numbers',            `[${'1,'.repeat(500_000)}1]`,                 undefined],
    ['1 MB of digits',             '1'.repeat(1_000_000),                        undefined],
    ['2 MB of bad bytes at the end', `"${'é'.repeat(1_000_000)}\\`,              'syntax'],
  ])('%s', (_, message, kind) => {
    const cost = cpuTime(() => expect(faultOf(read(message, generous))?.kind).toBe(kind))
    expect(cost).toBeLessThan(3000)
  })

  test('a bad byte behind 2 MB of good ones', () => {
    const message = bytes('é'.repeat(1_000_000), [0xff])
    const cost = cpuTime(() =>
      expect(faultOf(readMessage(message, generous))).toEqual({ kind: 'encoding', byteOffset: 2_000_000 }),
    )
    expect(cost).toBeLessThan(3000)
  })
})

describe('scanValue', () => {
  const shared = Array.from({ length: 30 }).reduce<unknown>((inner) => [inner, inner], 'x')
  const circular: { self?: unknown } = {}
  circular.self = circular

  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-09 depth',              JSON.parse(nested(9)),       { limit: 'nesting_depth', limitValue: 8, actualValue: 9 }],
    ['DATA-09 a circle',           circular,                    { limit: 'nesting_depth', limitValue: 8, actualValue: 9 }],
    ['DATA-08 string',             { a: 'x'.repeat(21) },       { limit: 'string_length', limitValue: 20, actualValue: 21 }],
    ['DATA-09 string in bytes',    ['é'.repeat(11)],            { limit: 'string_length', limitValue: 20, actualValue: 22 }],
    ['DATA-08 key',                { ['x'.repeat(21)]: 1 },     { limit: 'string_length', limitValue: 20, actualValue: 21 }],
    ['DATA-08 array',              { a: [1, 2, 3, 4, 5, 6] },   { limit: 'array_elements', limitValue: 5, actualValue: 6 }],
    ['DATA-08 string before array', ['x'.repeat(21), 2, 3, 4, 5, 6], { limit: 'string_length' }],
    ['DATA-08 array before depth', [1, 2, 3, 4, 5, JSON.parse(nested(9))], { limit: 'array_elements' }],
    ['DATA-02 a value',            { a: [{ b: '\ud800' }] },    { kind: 'encoding', location: 'a[0].b' }],
    ['DATA-02 a key',              { a: { 'b\udc00': 1 } },     { kind: 'encoding', location: 'a.b\ufffd' }],
    ['DATA-02 a reversed pair',    ['\ude00\ud83d'],            { kind: 'encoding', location: '[0]' }],
    ['DATA-02 the root',           '\ud800',                    { kind: 'encoding' }],
  ])('%s is refused', (_, value, fault) => {
    expect(scanValue(value, tight)).toMatchObject(fault)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-09 depth',  JSON.parse(nested(8))],
    ['DATA-08 string', { a: 'x'.repeat(20), é: 'é'.repeat(10) }],
    ['DATA-08 array',  [1, 2, 3, 4, 5]],
    ['DATA-02 a pair', ['😀']],
    ['nothing',        undefined],
    ['null',           { a: null, b: undefined, c: 1n }],
  ])('%s is accepted', (_, value) => {
    expect(scanValue(value, tight)).toBeUndefined()
  })

  test('DATA-08 a value that is shared 2^30 times is refused for its size, soon', () => {
    const cost = cpuTime(() =>
      expect(scanValue(shared, limits)).toMatchObject({ limit: 'request_size', limitValue: 1_048_576 }),
    )
    expect(cost).toBeLessThan(1000)
  })
})

function isJson(message: string): boolean {
  try {
    JSON.parse(message)
    return true
  } catch {
    return false
  }
}
