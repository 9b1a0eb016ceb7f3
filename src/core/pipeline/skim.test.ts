import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSkim } from './skim.ts'
import { type Envelope, surveyMessage } from './survey.ts'

function skim(message: Uint8Array | string, size = 7): Envelope {
  const bytes = Buffer.from(message)
  const reading = createSkim()
  for (let at = 0; at < bytes.length; at += size) reading.push(bytes.subarray(at, at + size))
  return reading.envelope()
}

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'
const long = 'x'.repeat(5_000)

// biome-ignore format: a table reads by columns
test.each([
  ['the id first',                 `{"id":7,"method":"tools/call","params":{"a":"${long}"}}`,               { id: 7, method: 'tools/call', modern: false }],
  ['the id before the last member', `{"params":{"a":"${long}"},"method":"tools/call","id":7,"jsonrpc":"2.0"}`, { id: 7, method: 'tools/call', modern: false }],
  ['the id in the middle',         `{"a":"${long}","id":"x-1","b":"${long}"}`,                              { id: 'x-1', modern: false }],
  ['the modern era',               `{"params":{"a":"${long}",${META}},"id":7}`,                             { id: 7, modern: true }],
  ['the id of an inner object',    `{"params":{"a":"${long}","id":9},"x":{"id":8}}`,                        { modern: false }],
  ['the id of an inner object at the end', `{"a":"${long}","x":{"id":8}`,                                   { modern: false }],
  ['an id in a string',            `{"a":"${long}\\",\\"id\\":8}`,                                          { modern: false }],
  ['two ids',                      `{"id":null,"a":"${long}","id":8}`,                                      { id: null, modern: false }],
  ['two ids, one an object',       `{"id":{},"a":"${long}","id":8}`,                                        { id: null, modern: false }],
  ['two spellings of id',          `{"\\u0069d":7,"a":"${long}","id":8}`,                                   { id: null, modern: false }],
  ['a boolean id',                 `{"a":"${long}","id":true}`,                                             { id: null, modern: false }],
  ['an id that is too long',       `{"id":"${long}","a":1}`,                                                { id: null, modern: false }],
  ['an id cut off',                `{"a":"${long}","id":12`,                                                { id: null, modern: false }],
  ['an id behind a structural fault', `{"a":"${long}"],"id":12}`,                                           { modern: false }],
  ['an id behind 4,096 levels',    `{"a":${'['.repeat(4_095)}${']'.repeat(4_095)},"id":1}`,                 { id: 1, modern: false }],
  ['an id behind more than these', `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)},"id":1}`,                 { modern: false }],
  ['a byte order mark',            '\ufeff{"id":7}',                                                        { id: 7, modern: false }],
  ['a batch',                      `[{"id":1},"${long}"]`,                                                  { modern: false }],
])('MCP-01 DATA-08 the envelope of a message that is not kept: %s', (_, message, envelope) => {
  expect(skim(message)).toEqual(envelope)
  expect(skim(message, 100_000)).toEqual(envelope)
})

test('MCP-01 piece by piece or whole, the same envelope is read from any bytes', () => {
  const member = fc.constantFrom(
    ...['"id":7', '"id":"a\\u0062"', '"id":null', '"\\u0069d":-1', '"id":1.5', '"id":{"id":1}', '"id":[1,{}]'],
    ...[
      '"method":"tools/call"',
      '"method":5',
      '"jsonrpc":"2.0"',
      `"params":{${META},"arguments":{"id":3,"é":"\\ud800"}}`,
    ],
    ...['"params":{"a":[1,2,{"b":"\\\\"}]}', '"":""', '"x":[[[{"y":[{}]}]]]', `${META}`],
  )
  const change = fc.record({
    at: fc.nat(),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]",:\\ 1'))),
  })
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 6 }),
      fc.array(change, { maxLength: 3 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(),
      (members, changes, size, cut) => {
        const whole = Buffer.from(`{${members.join(', ')}}`)
        for (const { at, byte } of changes) whole[at % whole.length] = byte
        const message = cut % 4 === 0 ? whole.subarray(0, cut % whole.length) : whole
        expect(skim(message, size)).toEqual(surveyMessage(message, 64).envelope)
      },
    ),
    { numRuns: 10_000 },
  )
})
