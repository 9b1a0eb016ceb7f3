import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { nextTick } from 'node:process'
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio'
import { type Log, SILENT } from '../core/ports/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { ElicitationSettings } from './elicit.ts'
import { createLineReader } from './lines.ts'
import { createServerFactory, type ServerFactory } from './mcp.ts'
import {
  byteLimits,
  INVALID_REQUEST,
  type Message,
  type Received,
  type RpcAnswer,
  receive,
  refuseOversized,
  rpcError,
  type ServerInfo,
} from './receive.ts'
import { createConnectionSessions } from './sessions.ts'

export interface StdioOptions {
  readonly input: Readable
  /** The real standard output; see `guardStdout`. */
  readonly output: Output
  readonly version: string
  readonly log?: Log
  /** How long requests in flight may take once the input has ended. */
  readonly graceMs?: number
  /** How the user may approve inside the client; not at all unless it is said. */
  readonly elicitation?: ElicitationSettings
  /** What the operator calls this process; it decides nothing. */
  readonly label?: string
  /** In place of the runtimes' own server. */
  readonly servers?: ServerFactory
}

export interface Output {
  write(text: string, written?: () => void): boolean
  on(event: 'error' | 'drain', listener: () => void): unknown
}

export interface StdioServer {
  /** Settles when the session is over: the input ended, the reader went away, or `close` was called. */
  readonly closed: Promise<void>
  /** Reads nothing more, answers what is in flight, ends the session. */
  close(): Promise<void>
}

/** MCP-05. One client on one pipe, of either era: its first message decides which. */
export function serveStdio(runtimes: readonly Runtime[], options: StdioOptions): StdioServer {
  const { version, log = SILENT, graceMs = 5_000 } = options
  const info = { name: 'mcpaql', version }
  const servers = options.servers ?? createServerFactory(runtimes, info, options.elicitation)
  const sessions = createConnectionSessions({
    principal: 'stdio',
    ...(options.label !== undefined && { label: options.label }),
  })
  const wire = createWire(runtimes, options, info)

  const connection = serveConnection(({ era }) => servers({ era, sessions, mayElicit: true }), {
    transport: wire.transport,
    onerror: (error) => log.write({ level: 'debug', message: error.message, transport: 'stdio' }),
  })

  async function end(): Promise<void> {
    wire.stopReading()
    await within(graceMs, wire.idle)
    wire.abandon()
    await connection.close()
    await Promise.all([sessions.close(), within(graceMs, wire.flush)])
  }

  let ending: Promise<void> | undefined
  const close = (): Promise<void> => {
    ending ??= end()
    return ending
  }
  return { close, closed: wire.ended.then(close) }
}

/**
 * MCP-05. From here on whatever anyone prints to `stdout` goes to `stderr`; only the returned writer, which the
 * transport holds, still reaches the client.
 */
export function guardStdout(stdout: Writable, stderr: Writable): Output {
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return {
    write: (text, written) => write(text, written),
    on: (event, listener) => stdout.on(event, listener),
  }
}

/** Beyond so many requests at work no more are read, since what they will answer has to be held. */
const MOST_IN_FLIGHT = 256

/**
 * The SDK counts its requests to the client from 0, so that an answer could be written before the question. On the wire
 * they have ids that nobody can know in advance.
 */
function createAskedIds() {
  const own = new Map<RequestId, RequestId>()
  const onWire = new Map<RequestId, RequestId>()

  function forget(wired: RequestId): RequestId | undefined {
    const id = own.get(wired)
    own.delete(wired)
    if (id !== undefined) onWire.delete(id)
    return id
  }

  return {
    out(message: JSONRPCMessage): JSONRPCMessage {
      if (!('method' in message)) return message
      if ('id' in message) {
        const id = randomUUID()
        own.set(id, message.id)
        onWire.set(message.id, id)
        return { ...message, id }
      }
      const requestId = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined
      const id = onWire.get(requestId as RequestId)
      if (id === undefined) return message
      forget(id)
      return { ...message, params: { ...message.params, requestId: id } }
    },
    /** Undefined where nothing was asked under the id of an answer. */
    in(message: JSONRPCMessage): JSONRPCMessage | undefined {
      if ('method' in message || message.id === undefined) return message
      const id = forget(message.id)
      return id === undefined ? undefined : { ...message, id }
    },
  }
}

interface Wire {
  readonly transport: Transport
  /** The input ended, the reader of the output went away, or the connection was closed. */
  readonly ended: Promise<void>
  stopReading(): void
  /** Calls back when every request has its answer. */
  idle(done: () => void): void
  /** Answers what is still in flight with an error: every id is answered once. */
  abandon(): void
  /** Calls back when the output has taken everything. */
  flush(done: () => void): void
}

function createWire(runtimes: readonly Runtime[], { input, output }: StdioOptions, info: ServerInfo): Wire {
  const limits = byteLimits(runtimes.map((runtime) => runtime.limits))
  const inFlight = new Map<RequestId, string>()
  const asked = createAskedIds()
  let opened: 'not yet' | Era = 'not yet'
  let isReading = true
  let isFull = false
  let isBroken = false
  let pending = ''
  let onIdle: (() => void) | undefined
  let finish: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })

  const mayGoOn = (): boolean => isReading && !isFull && inFlight.size < MOST_IN_FLIGHT
  const lines = createLineReader({
    most: limits.maxBytes * 2,
    mayGoOn,
    onLine: (line) => {
      if (!isBlank(line)) take(receive(line, limits, info))
    },
    onOversized: (line) => take(refuseOversized(line, limits, info)),
  })

  const transport: Transport = {
    async start() {
      output.on('error', breakOff)
      output.on('drain', goOn)
      input.on('data', onData)
      input.on('end', onEnd)
      input.on('error', breakOff)
      input.on('close', finish)
      if (input.readableEnded || input.destroyed) finish()
    },
    async send(message) {
      // To whoever does not read it is not told how far a call is: it would all have to be held.
      if (isFull && 'method' in message && message.method === 'notifications/progress') return
      write(asked.out(message))
      if (!('method' in message)) settle(message.id)
    },
    async close() {
      stopReading()
      transport.onclose?.()
      finish()
    },
  }

  function onData(chunk: Buffer | string): void {
    lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    if (!mayGoOn()) input.pause()
  }

  function onEnd(): void {
    lines.end()
    if (!lines.hasMore()) finish()
  }

  /** After a pause. */
  function goOn(): void {
    isFull = false
    if (!isReading) return
    lines.run()
    if (!mayGoOn()) return
    if (input.readableEnded) finish()
    else if (input.isPaused()) input.resume()
  }

  function take(received: Received): void {
    if (received.kind === 'ignored') return
    const answer = received.kind === 'refused' ? received.answer : answerAtOnce(received)
    if (answer) write(answer)
    else if (received.kind !== 'refused' && isHeard(received)) {
      const message = asked.in(received.message)
      if (message) transport.onmessage?.(message)
    }
  }

  function isHeard({ kind, id, method = '', modern, message }: Message): boolean {
    // `subscriptions/listen` is answered when the connection ends: nobody waits for it.
    if (kind === 'request' && id !== undefined && method !== 'subscriptions/listen') inFlight.set(id, method)
    if (kind !== 'notification') return true
    if (opened === 'not yet' && !modern) return false // it would settle the era
    return method !== 'notifications/cancelled' || takeCancellation(message)
  }

  /** MCP-01 and MCP-02: an id is used once at a time, and the handshake comes first in the era that has one. */
  function answerAtOnce({ kind, id, method, modern }: Message): RpcAnswer | undefined {
    if (kind !== 'request' || id === undefined) return undefined
    const refuse = (reason: string) => rpcError(id, INVALID_REQUEST, reason)
    if (inFlight.has(id)) return refuse(`The id ${JSON.stringify(id)} belongs to a request in flight`)
    if (opened === 'legacy') return method === 'initialize' ? refuse('The session is initialized already') : undefined
    if (opened === 'modern') return undefined
    if (modern) {
      if (method !== 'server/discover') opened = 'modern' // whoever only asks may still choose the other era
      return undefined
    }
    if (method === 'ping') return { jsonrpc: '2.0', id, result: {} }
    if (method !== 'initialize') return refuse('Send initialize first, or requests of revision 2026-07-28')
    opened = 'legacy'
    return undefined
  }

  /** MCP-12. False if it must not be heard: `initialize` cannot be cancelled. */
  function takeCancellation(message: JSONRPCMessage): boolean {
    const requestId = (message as { params?: { requestId?: RequestId } }).params?.requestId
    const method = requestId === undefined ? undefined : inFlight.get(requestId)
    if (method === 'initialize') return false
    if (method !== undefined) settle(requestId)
    return true
  }

  function settle(id: RequestId | undefined): void {
    if (id === undefined || !inFlight.delete(id)) return
    if (inFlight.size === 0) onIdle?.()
    if (inFlight.size === MOST_IN_FLIGHT - 1 && !isFull) goOn()
  }

  /** Answers that become ready together leave together: a system call costs more than the rest of this file. */
  function write(message: JSONRPCMessage | RpcAnswer): void {
    if (isBroken) return
    if (pending === '') nextTick(writePending)
    pending += `${JSON.stringify(message)}\n`
    if (pending.length > MOST_PENDING) writePending()
  }

  function writePending(): void {
    const text = pending
    pending = ''
    if (text !== '' && !isBroken && !output.write(text)) isFull = true
  }

  function breakOff(): void {
    isBroken = true
    finish()
  }

  function stopReading(): void {
    isReading = false
    input.off('data', onData)
    input.off('end', onEnd)
    input.pause()
  }

  return {
    transport,
    ended,
    stopReading,
    idle(done) {
      if (inFlight.size === 0 || isBroken) done()
      else onIdle = done
    },
    abandon() {
      for (const id of inFlight.keys()) write(rpcError(id, INTERNAL_ERROR, 'The server is shutting down'))
      inFlight.clear()
    },
    flush(done) {
      writePending()
      if (isBroken) done()
      else output.write('', done)
    },
  }
}

type Era = 'legacy' | 'modern'

const INTERNAL_ERROR = -32603

/** Characters that wait for others of the same moment; more go out at once, so that a slow reader is felt. */
const MOST_PENDING = 65_536

function isBlank(line: Buffer): boolean {
  return line.length < 8 && line.toString('latin1').trim() === ''
}

/** Waits for the call back, but no longer than so many milliseconds. */
function within(ms: number, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    start(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
