import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { checkAnswer } from '../schemas.ts'

/** JSON-RPC by hand: what no well-behaved client would send can be sent. */
export interface RpcMessage {
  readonly jsonrpc: '2.0'
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>> & { readonly content?: readonly { readonly text: string }[] }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export const MODERN = '2026-07-28'

export const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export function initialize(id: string | number = 'init', protocolVersion = '2025-06-18') {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  return { jsonrpc: '2.0', id, method: 'initialize', params }
}

export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

export function toolCall(id: string | number, name: string, args: unknown, meta?: Readonly<Record<string, unknown>>) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } }
}

/** The MCP-AQL result inside a tool result, valid by the schemas; null where there is none. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export function resultOf(message: RpcMessage | undefined): any {
  const text = message?.result?.content?.[0]?.text
  if (text === undefined) return null
  const result = JSON.parse(text)
  const faults = checkAnswer(result)
  if (faults.length > 0) throw new Error(`${faults.join('; ')} in ${text.slice(0, 1_000)}`)
  return result
}

export function runTypeScript(file: string, args: readonly string[]): ChildProcess {
  const shim = new URL('./shim/typescript.mjs', import.meta.url).href
  const path = fileURLToPath(new URL(file, import.meta.url))
  return spawn(process.execPath, ['--import', shim, path, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly messages: readonly RpcMessage[]
}

/** One POST; an event stream is read to its end. */
export async function post(
  url: string,
  body: string | Uint8Array | object,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const response = await fetch(url, {
    method: 'POST',
    body: raw as string,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
    messages: messagesIn(text),
  }
}

/** The headers that the stateless revision wants beside the body. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) }
}

export function messagesIn(text: string): readonly RpcMessage[] {
  if (text.startsWith('{')) return [JSON.parse(text)]
  const data = text.split('\n').filter((line) => line.startsWith('data: {'))
  return data.map((line) => JSON.parse(line.slice('data: '.length)))
}

/** Writes bytes to a socket and returns everything that comes back until the other side, or the time, ends it. */
export async function exchangeBytes(port: number, bytes: string | Uint8Array, ms = 2_000): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(bytes)
  await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, ms))])
  socket.destroy()
  return text
}
