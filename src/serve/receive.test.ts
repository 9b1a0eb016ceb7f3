import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkMessage } from './receive.ts'

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
