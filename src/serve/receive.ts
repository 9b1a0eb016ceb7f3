import {
  isInitializeRequest,
  type JSONRPCMessage,
  type RequestId,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import { type ByteFault, type ByteLimits, type Envelope, readMessage } from '../core/pipeline/bytes.ts'
import { byteFailure } from '../core/pipeline/decode.ts'
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts'
import type { OperationFailure } from '../protocol/result.ts'
import { isBounded, TOO_MUCH } from './bounded-message.ts'
import type { OversizedLine } from './lines.ts'

/** What arrived: a message for the SDK, an answer that needs no server, or something that nobody may answer. */
export type Received = Message | Refused | typeof IGNORED

export interface Message {
  readonly kind: 'request' | 'notification' | 'response'
  readonly message: JSONRPCMessage
  readonly id?: RequestId
  readonly method?: string
  readonly modern: boolean
}

export interface Refused {
  readonly kind: 'refused'
  /** True for a tool result: over HTTP it travels as an ordinary answer. */
  readonly isResult: boolean
  readonly answer: RpcAnswer
}

export interface RpcAnswer {
  readonly jsonrpc: '2.0'
  readonly id: RequestId | null
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export interface ServerInfo {
  readonly name: string
  readonly version: string
}

/** MCP-01. `server` is what the stateless revision wants to see on every result. */
export function receive(bytes: Uint8Array, limits: ByteLimits, server: ServerInfo): Received {
  const read = readMessage(bytes, limits)
  return read.ok ? checkMessage(read.value) : refuseFault(read.fault, read.envelope, server)
}

/** A message of which the transport kept only the beginning. */
export function refuseOversized(line: OversizedLine, limits: ByteLimits, server: ServerInfo): Received {
  const read = readMessage(line.beginning, { ...limits, maxBytes: line.beginning.length - 1 })
  const isSpecific = !read.ok && read.fault.kind === 'limit' && read.fault.limit !== 'request_size'
  const size: ByteFault = { kind: 'limit', limit: 'request_size', limitValue: limits.maxBytes, actualValue: line.size }
  return refuseFault(isSpecific ? read.fault : size, line.envelope, server)
}

/** The limits of the bytes of a message that may be meant for any of these tools: the widest of each. */
export function byteLimits(all: readonly Limits[]): ByteLimits {
  const widest = (key: keyof Limits) =>
    Math.max(...(all.length > 0 ? all : [DEFAULT_LIMITS]).map((limits) => limits[key]))
  return {
    maxBytes: widest('max_request_size'),
    maxString: widest('max_string_length'),
    maxArray: widest('max_array_elements'),
    maxDepth: widest('max_nesting_depth'),
  }
}

export function rpcError(id: RequestId | null, code: number, message: string): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602

const IGNORED = { kind: 'ignored' } as const
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion'
const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/**
 * The SDK drops what is not JSON-RPC to the letter and leaves its id unanswered, so the letter is checked here.
 * Members that JSON-RPC does not know are left out rather than refused.
 */
export function checkMessage(value: unknown): Received {
  if (Array.isArray(value)) return refuse(null, INVALID_REQUEST, 'JSON-RPC batches are not supported; send one message')
  if (!isObject(value)) return refuse(null, INVALID_REQUEST, 'A message must be a JSON object')

  const hasId = Object.hasOwn(value, 'id')
  const id = isId(value.id) ? value.id : null
  if (hasId && id === null && typeof value.method === 'string')
    return refuse(null, INVALID_REQUEST, 'id must be a string or an integer')
  if (!isBounded(value)) return hasId && !isAnswer(value) ? refuse(id, INVALID_REQUEST, TOO_MUCH) : IGNORED
  if (typeof value.method !== 'string') return checkResponse(value, id)
  const fault = findFault(value)
  if (fault) return hasId ? refuse(id, ...fault) : IGNORED

  const { method, params } = value as { method: string; params?: Readonly<Record<string, unknown>> }
  const members = 2 + (hasId ? 1 : 0) + (params === undefined ? 0 : 1)
  const message = Object.keys(value).length === members ? value : only(value, ['jsonrpc', 'id', 'method', 'params'])
  const modern = isObject(params?._meta) && Object.hasOwn(params._meta, PROTOCOL_VERSION)
  if (method === 'tools/call' && hasId) {
    if (typeof params?.name !== 'string') return refuse(id, INVALID_PARAMS, 'tools/call needs name, the name of a tool')
    if (params.arguments !== undefined && !isObject(params.arguments)) {
      return refuse(id, INVALID_PARAMS, 'arguments must be an object')
    }
  }
  if (method === 'initialize' && hasId && !modern && !isInitializeRequest(message)) {
    return refuse(id, INVALID_PARAMS, 'initialize needs protocolVersion, capabilities and clientInfo { name, version }')
  }
  const sent = message as unknown as JSONRPCMessage
  return id === null
    ? { kind: 'notification', message: sent, method, modern }
    : { kind: 'request', message: sent, id, method, modern }
}

function findFault({ jsonrpc, params }: Readonly<Record<string, unknown>>): readonly [number, string] | undefined {
  if (jsonrpc !== '2.0') return [INVALID_REQUEST, 'jsonrpc must be "2.0"']
  if (params === undefined) return undefined
  if (!isObject(params)) return [INVALID_PARAMS, 'params must be an object']
  const meta = params._meta
  if (meta === undefined) return undefined
  if (!isObject(meta)) return [INVALID_PARAMS, 'params._meta must be an object']
  if (meta.progressToken !== undefined && !isId(meta.progressToken)) {
    return [INVALID_PARAMS, 'params._meta.progressToken must be a string or an integer']
  }
  const task = meta[RELATED_TASK]
  if (task !== undefined && !(isObject(task) && typeof task.taskId === 'string')) {
    return [INVALID_PARAMS, `params._meta["${RELATED_TASK}"] must be an object with taskId`]
  }
  return undefined
}

function isAnswer({ method, ...value }: Readonly<Record<string, unknown>>): boolean {
  return typeof method !== 'string' && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'))
}

/** An answer to something that the server asked. One that cannot be understood is nobody's to answer. */
function checkResponse(value: Readonly<Record<string, unknown>>, id: RequestId | null): Received {
  const isResult = Object.hasOwn(value, 'result')
  const isError = Object.hasOwn(value, 'error')
  if (!isResult && !isError) return refuse(id, INVALID_REQUEST, 'method must be a string')
  if (isResult === isError || id === null || value.jsonrpc !== '2.0') return IGNORED
  const message = only(value, ['jsonrpc', 'id', isResult ? 'result' : 'error']) as unknown as JSONRPCMessage
  return { kind: 'response', message, id, modern: false }
}

/** Security of bytes: a fault of a tool call is a tool result, tied to its id; any other is a protocol error. */
function refuseFault(fault: ByteFault, { id, method, modern }: Envelope, server: ServerInfo): Received {
  if (id === undefined && method?.startsWith('notifications/')) return IGNORED
  if (id !== undefined && id !== null && method === 'tools/call') {
    const isOfArguments = fault.kind === 'encoding' || fault.kind === 'limit'
    if (isOfArguments)
      return { kind: 'refused', isResult: true, answer: toolResult(id, byteFailure(fault), modern, server) }
  }
  return refuse(id ?? null, ...protocolError(fault))
}

function protocolError(fault: ByteFault): readonly [number, string] {
  switch (fault.kind) {
    case 'encoding':
      return [PARSE_ERROR, `Parse error: the message is not valid UTF-8${at(fault.byteOffset)}`]
    case 'syntax':
      return [PARSE_ERROR, `Parse error: ${fault.reason}${at(fault.byteOffset)}`]
    case 'duplicate_key':
      return [
        INVALID_REQUEST,
        `Invalid request: the key ${JSON.stringify(fault.key)} occurs twice in one object${at(fault.byteOffset)}`,
      ]
    case 'limit':
      return [INVALID_REQUEST, `Invalid request: the message exceeds the ${fault.limit} limit of ${fault.limitValue}`]
  }
}

function at(byteOffset: number | undefined): string {
  return byteOffset === undefined ? '' : ` (byte ${byteOffset})`
}

function toolResult(id: RequestId, failure: OperationFailure, modern: boolean, server: ServerInfo): RpcAnswer {
  const result = { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: false }
  const frame = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: { ...server } } }
  return { jsonrpc: '2.0', id, result: modern ? { ...result, ...frame } : result }
}

function refuse(id: RequestId | null, code: number, message: string): Refused {
  return { kind: 'refused', isResult: false, answer: rpcError(id, code, message) }
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function only(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]]))
}
