import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { type Era, MODERN, type TargetSpec } from './link.ts'
import { isObject } from './values.ts'

/** Bytes as they are, past every encoder: what the official client would never send. */
export interface RawPort {
  readonly era: Era
  /** One message. The reply is the message with this id, or with none where the server could not read it. */
  send(id: number, bytes: Uint8Array, headers?: Readonly<Record<string, string>>): Promise<RawReply>
  /** Every line of the server's output that was no JSON-RPC message. Stdio only. */
  readonly noise: readonly string[]
  /** HTTP only: a request of one's own making. */
  readonly http?: (asked: HttpRequest) => Promise<HttpReply>
  /** The `Mcp-Session-Id` of this connection, where there is one. */
  readonly session?: string
  /** What `initialize` answered. */
  readonly greeting: Readonly<Record<string, unknown>>
  close(): void
}

export interface RawReply {
  readonly status?: number
  /** The answering message, when one came in time. */
  readonly message?: Readonly<Record<string, unknown>>
  /** True when the connection ended instead. */
  readonly closed?: boolean
}

export interface HttpRequest {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** Opens a second connection and shakes hands by hand; falls back to the revision without a handshake. */
export async function openRaw(spec: TargetSpec, waitMs = 5_000): Promise<RawPort | { readonly reason: string }> {
  return 'command' in spec ? openStdio(spec, waitMs) : openHttp(spec, waitMs)
}

/** A `tools/call` whose arguments are given as JSON text, so that they may be anything. */
export function callBytes(era: Era, id: number, tool: string, argumentsText: string | Uint8Array): Uint8Array {
  const meta = era === 'modern' ? `,"_meta":${JSON.stringify(MODERN_META)}` : ''
  const head = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":`
  return Buffer.concat([Buffer.from(head), Buffer.from(argumentsText), Buffer.from(`${meta}}}`)])
}

/** The headers that the revision without a handshake wants to agree with the body. */
export function callHeaders(era: Era, tool: string): Readonly<Record<string, string>> {
  return era === 'modern' ? { 'Mcp-Method': 'tools/call', 'Mcp-Name': tool } : {}
}

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
}

const GREETING = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'mcpaql-conformance', version: '1.0.0' },
}

/** More than any limit that the specification allows, so that a wrong reply is still seen. */
const MAX_REPLY = 128 * 1024 * 1024

function message(id: number | undefined, method: string, params: object): Uint8Array {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params }))
}

async function openHttp(
  spec: Extract<TargetSpec, { url: string }>,
  waitMs: number,
): Promise<RawPort | { reason: string }> {
  const http = (asked: HttpRequest) => post(spec, asked, waitMs)
  const hello = await http({ method: 'POST', headers: ACCEPT, body: message(0, 'initialize', GREETING) })
  const greeted = messagesIn(hello).find((entry) => isObject(entry.result))
  const session = hello.headers['mcp-session-id']
  const era: Era = greeted ? 'legacy' : 'modern'
  const fixed: Record<string, string> = {
    ...ACCEPT,
    'MCP-Protocol-Version': era === 'legacy' ? GREETING.protocolVersion : MODERN,
  }
  if (typeof session === 'string') fixed['Mcp-Session-Id'] = session
  if (hello.status === 0) return { reason: hello.body }
  if (greeted) await http({ method: 'POST', headers: fixed, body: message(undefined, 'notifications/initialized', {}) })
  return {
    era,
    noise: [],
    greeting: isObject(greeted?.result) ? greeted.result : {},
    ...(typeof session === 'string' && { session }),
    http: (asked) => http({ ...asked, headers: { ...ACCEPT, ...asked.headers } }),
    async send(id, bytes, headers = {}) {
      const reply = await http({ method: 'POST', headers: { ...fixed, ...headers }, body: bytes })
      const found = messagesIn(reply).find((entry) => entry.id === id || entry.id === null || entry.id === undefined)
      return { status: reply.status, ...(found && { message: found }), ...(reply.status === 0 && { closed: true }) }
    },
    close: () => undefined,
  }
}

const ACCEPT = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' }

/** Never rejects: a connection that breaks is status 0 with the reason as its body. */
function post(spec: Extract<TargetSpec, { url: string }>, asked: HttpRequest, waitMs: number): Promise<HttpReply> {
  return new Promise((resolve) => {
    const broken = (reason: string) => resolve({ status: 0, headers: {}, body: reason })
    const url = new URL(spec.url)
    const open = url.protocol === 'https:' ? secureRequest : request
    const length = asked.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(asked.body)) }
    const headers = { ...spec.headers, ...asked.headers, ...length }
    const sent = open(url, { method: asked.method, headers, agent: false, timeout: waitMs }, (reply) => {
      const parts: Buffer[] = []
      let size = 0
      const done = () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts).toString('utf8') })
      reply.on('data', (part: Buffer) => {
        size += part.length
        parts.push(part)
        // A stream of events may stay open after the answer that was waited for.
        if (size > MAX_REPLY || isAnswered(reply.headers['content-type'], part)) {
          done()
          reply.destroy()
        }
      })
      reply.on('end', done)
      reply.on('error', done)
    })
    sent.on('timeout', () => sent.destroy(new Error('timed out')))
    sent.on('error', (error) => broken(error.message))
    if (asked.body !== undefined) sent.write(asked.body)
    sent.end()
  })
}

function isAnswered(type: string | undefined, part: Buffer): boolean {
  return (
    (type ?? '').includes('text/event-stream') &&
    part.includes('"jsonrpc"') &&
    /"(?:result|error)":/.test(part.toString())
  )
}

function messagesIn(reply: HttpReply): readonly Readonly<Record<string, unknown>>[] {
  const streamed = String(reply.headers['content-type'] ?? '').includes('text/event-stream')
  const texts = streamed
    ? reply.body
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5))
    : [reply.body]
  return texts.map(parsed).filter(isObject)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Child = ChildProcessWithoutNullStreams

async function openStdio(
  spec: Extract<TargetSpec, { command: string }>,
  waitMs: number,
): Promise<RawPort | { reason: string }> {
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
  const env = { ...getDefaultEnvironment(), ...spec.env }
  const child: Child = spawn(spec.command, [...(spec.args ?? [])], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.resume()
  child.stdin.on('error', () => undefined)
  const inbox = readLines(child)
  const ask = async (id: number, bytes: Uint8Array): Promise<RawReply> => {
    child.stdin.write(Buffer.concat([bytes, Buffer.from('\n')]))
    return inbox.wait(id, waitMs)
  }
  const hello = await ask(0, message(0, 'initialize', GREETING))
  if (!isObject(hello.message?.result)) {
    child.kill()
    return { reason: 'The command did not answer initialize.' }
  }
  child.stdin.write(Buffer.concat([message(undefined, 'notifications/initialized', {}), Buffer.from('\n')]))
  return {
    era: 'legacy',
    noise: inbox.noise,
    greeting: hello.message.result,
    send: (id, bytes) => ask(id, bytes),
    close: () => {
      child.stdin.end()
      child.kill()
    },
  }
}

function readLines(child: Child) {
  const noise: string[] = []
  const waiting = new Map<number, (reply: RawReply) => void>()
  let rest = Buffer.alloc(0)
  let closed = false
  child.on('error', () => end())
  child.on('close', () => end())
  child.stdout.on('data', (part: Buffer) => {
    rest = Buffer.concat([rest, part])
    for (let cut = rest.indexOf(10); cut >= 0; cut = rest.indexOf(10)) {
      take(rest.subarray(0, cut).toString('utf8'))
      rest = rest.subarray(cut + 1)
    }
  })
  return {
    noise: noise as readonly string[],
    wait: (id: number, waitMs: number) =>
      new Promise<RawReply>((resolve) => {
        if (closed) return resolve({ closed: true })
        const timer = setTimeout(() => settle(id, {}), waitMs)
        waiting.set(id, (reply) => {
          clearTimeout(timer)
          resolve(reply)
        })
      }),
  }

  function take(line: string): void {
    const found = parsed(line)
    if (!isObject(found) || found.jsonrpc !== '2.0') {
      if (line.trim() !== '') noise.push(line.slice(0, 200))
      return
    }
    if (found.method !== undefined) return
    const id = typeof found.id === 'number' ? found.id : [...waiting.keys()][0]
    if (id !== undefined) settle(id, { message: found })
  }

  function settle(id: number, reply: RawReply): void {
    const resolve = waiting.get(id)
    waiting.delete(id)
    resolve?.(reply)
  }

  function end(): void {
    closed = true
    for (const id of [...waiting.keys()]) settle(id, { closed: true })
  }
}
