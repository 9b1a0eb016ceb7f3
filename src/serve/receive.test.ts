import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ByteLimits } from '../core/pipeline/bytes.ts'
import { createLineReader } from './lines.ts'
import { checkMessage, type Received, receive, refuseOversized } from './receive.ts'

const junk = fc.oneof(
  fc.constantFrom(undefined, null, true, 0, 1, -1, 1.5, 1e300, '', 'a', '2.0', 'ping', 'tools/call', 'initialize'),
  fc.constantFrom([], {}, [1], { a: 1 }, { _meta: 1 }, { _meta: {} }, { _meta: { progressToken: 1.5 } }),
  fc.constantFrom({ _meta: { 'io.modelcontextprotocol/related-task': {} } }, { name: 'a', arguments: {} }),
)
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant('2.0') }, junk),
    id: fc.oneof({ weight: 3, arbitrary: fc.integer() }, junk),
    method: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('ping', 'tools/list', 'notifications/x') }, junk),
    params: junk,
    result: junk,
    error: junk,
    extra: junk,
  },
  { requiredKeys: [] },
)

test('MCP-01 whatever passes is JSON-RPC for the SDK too, so that no id is dropped', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: message }, junk), (given) => {
      const value = given === undefined ? null : JSON.parse(JSON.stringify(given))
      const received = checkMessage(value)
      if (received.kind === 'request') expect(isJSONRPCRequest(received.message)).toBe(true)
      if (received.kind === 'notification') expect(isJSONRPCNotification(received.message)).toBe(true)
      if (isJSONRPCRequest(value) && received.kind !== 'refused') expect(received.kind).toBe('request')
      if (isJSONRPCNotification(value)) expect(received.kind).toBe('notification')
      if (isJSONRPCResponse(value)) expect(['response', 'ignored']).toContain(received.kind)
      if (received.kind === 'refused' && received.answer.id !== null) expect(received.answer.id).toBe(value.id)
    }),
    { numRuns: 5_000 },
  )
})

const LIMITS: ByteLimits = { maxBytes: 1_000, maxDepth: 32, maxString: 5_000, maxArray: 100 }
const INFO = { name: 'mcpaql', version: '0' }
const long = 'x'.repeat(3_000)

// biome-ignore format: a table reads by columns
test.each([
  ['null, then a string',       '{"id":null,"id":"7","method":"tools/call"}',                     null],
  ['null in front of a number', '{"id":null,"jsonrpc":"2.0","id":7,"method":"tools/call"}',       null],
  ['true, then a string',       '{"id":true,"method":"x","params":{},"method":"x","id":"7"}',     null],
  ['an object, then a number',  '{"id":{},"id":7,"method":"x"}',                                  null],
  ['twice, in a notification',  '{"id":1,"id":2,"method":"notifications/x"}',                     null],
  ['invalid, in a faulty notification', '{"id":1.5,"method":"notifications/x","a":1,"a":2}',      null],
  ['cut off',                   '{"method":"x","id":12',                                          null],
  ['before the fault',          '{"id":7,"method":"x","method":"x"}',                             7],
  ['after the fault',           '{"method":"x","method":"x","id":"7"}',                           '7'],
])('MCP-01 a faulty message whose id is %s is answered once', (_, text, id) => {
  expect(idOf(receive(Buffer.from(text), LIMITS, INFO))).toBe(id)
})

// biome-ignore format: a table reads by columns
test.each([
  ['at the end',               `{"method":"tools/call","params":{"arguments":{"a":"${long}"}},"id":7}`,               7],
  ['before the last member',   `{"params":{"arguments":{"a":"${long}"}},"method":"tools/call","id":7,"jsonrpc":"2.0"}`, 7],
  ['between two long members', `{"a":"${long}","id":"é","b":"${long}"}`,                                              'é'],
  ['written twice',            `{"id":7,"a":"${long}","id":7}`,                                                       null],
  ['that of another object',   `{"a":"${long}","x":{"id":7}`,                                                         null],
])('MCP-01 DATA-08 a message too long to be kept is answered once, its id being %s', (_, text, id) => {
  const answers: unknown[] = []
  const reader = createLineReader({
    most: 2_000,
    mayGoOn: () => true,
    onLine: () => {},
    onOversized: (line) => answers.push(idOf(refuseOversized(line, LIMITS, INFO))),
  })
  reader.push(Buffer.from(`${text}\n`))
  expect(answers).toEqual([id])
})

test('MCP-01 a faulty notification stays unanswered', () => {
  const text = '{"method":"notifications/x","params":{},"params":{}}'
  expect(receive(Buffer.from(text), LIMITS, INFO)).toEqual({ kind: 'ignored' })
})

const many = Array.from({ length: 501 }, () => ({}))
const text = 'x'.repeat(33_000)

test.each<[string, object, string]>([
  [
    'what a client says of itself',
    { id: 1, method: 'initialize', params: { capabilities: { experimental: { many } } } },
    'refused',
  ],
  ['a long name', { id: 1, method: 'initialize', params: { clientInfo: { name: text, version: '1' } } }, 'refused'],
  ['a long id', { id: text, method: 'ping' }, 'refused'],
  ['_meta', { id: 1, method: 'tools/call', params: { name: 'a', _meta: { many } } }, 'refused'],
  ['a member beside the arguments', { id: 1, method: 'tools/call', params: { name: 'a', many } }, 'refused'],
  [
    'the arguments of another method',
    { id: 1, method: 'prompts/get', params: { name: 'a', arguments: { many } } },
    'refused',
  ],
  ['long keys', { id: 1, method: 'ping', params: { [text]: 1 } }, 'refused'],
  ['what has no method', { id: 1, method: 5, params: { text } }, 'refused'],
  ['a notification', { method: 'notifications/x', params: { many } }, 'ignored'],
  ['an answer', { id: 1, result: { many } }, 'ignored'],
  [
    'the arguments of a tool',
    { id: 1, method: 'tools/call', params: { name: 'a', arguments: { many, text } } },
    'request',
  ],
])('MCP-01 DATA-08 of a message only the arguments of a tool may be large: %s', (_, members, kind) => {
  const received = checkMessage({ jsonrpc: '2.0', ...members })
  expect(received.kind).toBe(kind)
  if (received.kind === 'refused') expect(received.answer.error?.message).toContain('500 values')
})

function idOf(received: Received): unknown {
  return received.kind === 'refused' ? received.answer.id : received.kind
}
