import type { Kind } from './kinds.ts'
import { anything, letters, type Pick } from './shapes.ts'

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stall', version: '1' } }

const ask = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

function large(room: number, pick: Pick): unknown {
  return pick.of([() => arrays(room - 600), () => arrays(room - 600), () => anything(room - 600, pick)])()
}

/** As many empty objects as there is room for. */
function arrays(room: number): unknown {
  return Array.from({ length: Math.floor(room / 30_000) }, () => Array.from({ length: 9_999 }, () => ({})))
}

/** Whole messages, as a client of either era sends them. */
export const MESSAGE_KINDS: readonly Kind[] = [
  {
    name: 'a client that can do much, it says',
    make: (room, pick) =>
      ask('initialize', { ...HELLO, capabilities: { experimental: { x: { y: large(room, pick) } } } }),
  },
  {
    name: 'a client of many words',
    make: (room, pick) =>
      ask('initialize', { ...HELLO, clientInfo: { name: letters(room - 600, pick), version: '1' } }),
  },
  {
    name: 'a request of a client that can do much, it says',
    make: (room, pick) => {
      const capabilities = { experimental: { x: { y: large(room, pick) } } }
      return ask('tools/list', { _meta: { [PROTOCOL_VERSION]: '2026-07-28', [CAPABILITIES]: capabilities } })
    },
  },
  {
    name: 'a request with much beside its arguments',
    make: (room, pick) => {
      const it = large(room, pick)
      const meta = { [PROTOCOL_VERSION]: '2026-07-28', [CAPABILITIES]: {} }
      return ask(pick.of(['tools/call', 'server/discover', 'completion/complete']), {
        name: 'tracker_mcpaql_read',
        ...pick.of([{ _meta: { ...meta, it } }, { _meta: meta, it }, { _meta: meta, inputResponses: { it } }]),
      })
    },
  },
  {
    name: 'a notification or an answer that holds much',
    make: (room, pick) => {
      const it = large(room, pick)
      return pick.of([
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: it } },
        { jsonrpc: '2.0', method: 'notifications/progress', params: { it } },
        { jsonrpc: '2.0', id: 1, result: { it } },
        { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no', data: it } },
      ])
    },
  },
]
