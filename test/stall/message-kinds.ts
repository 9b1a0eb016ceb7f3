import type { Kind } from './kinds.ts'
import { anything, letters, type Pick } from './shapes.ts'

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stall', version: '1' } }

const ask = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const large = (room: number, pick: Pick) =>
  pick.of([() => anything(room - 600, pick), () => letters(room - 600, pick), () => arrays(room - 600)])()

/** As many empty objects as there is room for. */
function arrays(room: number): unknown {
  return Array.from({ length: Math.floor(room / 30_000) }, () => Array.from({ length: 9_999 }, () => ({})))
}

/** Whole messages, as a client of either era sends them. */
export const MESSAGE_KINDS: readonly Kind[] = [
  {
    name: 'a client that says much of itself',
    make: (room, pick) => {
      const it = large(room, pick)
      return ask('initialize', {
        ...HELLO,
        ...pick.of([
          { capabilities: { experimental: { it } } },
          { capabilities: { experimental: it } },
          { clientInfo: { name: it, version: '1' } },
          { clientInfo: { ...HELLO.clientInfo, it } },
          { it },
        ]),
      })
    },
  },
  {
    name: 'a request with much beside its arguments',
    make: (room, pick) => {
      const it = large(room, pick)
      const meta = { [PROTOCOL_VERSION]: '2026-07-28', [CAPABILITIES]: {} }
      return ask(pick.of(['tools/list', 'tools/call', 'server/discover', 'completion/complete']), {
        name: 'tracker_mcpaql',
        ...pick.of([
          { _meta: { ...meta, [CAPABILITIES]: { experimental: { it } } } },
          { _meta: { ...meta, it } },
          { _meta: meta, it },
          { _meta: meta, inputResponses: it },
        ]),
      })
    },
  },
  {
    name: 'a notification or an answer that holds much',
    make: (room, pick) => {
      const it = large(room, pick)
      return pick.of([
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: it } },
        { jsonrpc: '2.0', method: 'notifications/progress', params: it },
        { jsonrpc: '2.0', id: 1, result: it },
        { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no', data: it } },
      ])
    },
  },
]
