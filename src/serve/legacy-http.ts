import { randomBytes } from 'node:crypto'
import { type EventStore, type RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { SessionUse } from '../core/session.ts'
import type { Identity } from './identity.ts'
import type { ServerFactory } from './mcp.ts'
import { INVALID_REQUEST, type Message, rpcError } from './receive.ts'
import { placeToGiveUp } from './session-places.ts'
import { createConnectionSessions } from './sessions.ts'

export interface LegacyHttpOptions {
  readonly servers: ServerFactory
  /** Of each named client, and of all unnamed callers together. */
  readonly maxSessions: number
  readonly idleMs: number
  readonly now: () => number
  readonly onError: (error: Error) => void
  /** Both let a client come back to a stream that broke off. */
  readonly eventStore?: EventStore
  readonly retryInterval?: number
}

export interface LegacyExchange {
  readonly request: Request
  readonly identity: Identity
  /** The body of a POST. */
  readonly message?: Message
}

export interface LegacyHttp {
  /** Is it an open session of this caller? */
  has(id: string, identity: Identity): boolean
  handle(exchange: LegacyExchange): Promise<Response>
  /** The response to the exchange has been sent in full, or nobody wants it any more. */
  finished(exchange: LegacyExchange): void
  sweep(): void
  /** Ends the sessions of a caller. */
  end(identity: Identity): Promise<void>
  close(): Promise<void>
}

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Whose it is (MCP-09): another caller does not find it. */
  readonly key: string
  readonly inFlight: Set<RequestId>
  readonly use: () => SessionUse
  /** Exchanges under way, streams included: a session that listens is not idle. */
  busy: number
  /** Requests since the handshake. */
  calls: number
  seen: number
}

/**
 * Handshake revisions over HTTP (MCP-06, MCP-08, MCP-09). The SDK's transport does the talking; which session exists,
 * for how long, and whose it is, is decided here, because the transport checks none of it.
 */
export function createLegacyHttp(options: LegacyHttpOptions): LegacyHttp {
  const { servers, maxSessions, idleMs, now, onError } = options
  const sessions = new Map<string, HttpSession>()
  const exchanges = new WeakMap<LegacyExchange, HttpSession>()
  const ending = new Set<Promise<void>>()

  const counts = new Map<string, number>()

  const count = (key: string, by: number): void => {
    const next = (counts.get(key) ?? 0) + by
    if (next > 0) counts.set(key, next)
    else counts.delete(key)
  }

  async function open(identity: Identity): Promise<HttpSession> {
    const { key, mayElicit } = identity
    const own = createConnectionSessions(identity)
    const session: HttpSession = {
      key,
      inFlight: new Set(),
      use: () => atLeastRead(own.use(), session.calls),
      busy: 0,
      calls: 0,
      seen: now(),
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomBytes(24).toString('base64url'),
        onsessioninitialized: (id) => {
          sessions.set(id, session)
          count(key, 1)
        },
        ...(options.eventStore && { eventStore: options.eventStore }),
        ...(options.retryInterval !== undefined && { retryInterval: options.retryInterval }),
      }),
    }
    session.transport.onclose = () => {
      if (sessions.delete(session.transport.sessionId ?? '')) count(key, -1)
      const ended = own.close().catch(onError)
      ending.add(ended)
      void ended.then(() => ending.delete(ended))
    }
    session.transport.onerror = onError
    await servers({ era: 'legacy', sessions: own, mayElicit }).connect(session.transport)
    return session
  }

  function handleIn(session: HttpSession, exchange: LegacyExchange): Promise<Response> {
    const { request, message } = exchange
    if (message?.kind === 'request' && message.id !== undefined) {
      if (session.inFlight.has(message.id)) return Promise.resolve(idInUse(message.id))
      session.inFlight.add(message.id)
      if (message.method !== 'initialize') session.calls++
    }
    exchanges.set(exchange, session)
    session.busy++
    session.seen = now()
    return session.transport.handleRequest(request, message && { parsedBody: message.message })
  }

  /** False when every session of the caller is in use. */
  function makeRoom(key: string): boolean {
    if ((counts.get(key) ?? 0) < maxSessions) return true
    const least = placeToGiveUp(sessions.values(), key, now())
    least?.transport.close().catch(onError)
    return least !== undefined
  }

  return {
    has: (id, { key }) => sessions.get(id)?.key === key,
    async handle(exchange) {
      const { request, identity, message } = exchange
      const id = request.headers.get('mcp-session-id')
      if (id !== null) {
        const session = sessions.get(id)
        if (session?.key !== identity.key) return error(404, -32001, 'Session not found', message?.id)
        const response = await handleIn(session, exchange)
        await endCancelled(session, message)
        return response
      }
      if (message?.kind !== 'request' || message.method !== 'initialize') {
        return error(400, -32000, 'Mcp-Session-Id header is required; initialize opens a session', message?.id)
      }
      if (!makeRoom(identity.key)) {
        return error(429, -32000, identity.isNamed ? NO_PLACE : NO_SHARED_PLACE, message.id, { 'retry-after': '30' })
      }
      return await handleIn(await open(identity), exchange)
    },
    finished(exchange) {
      const session = exchanges.get(exchange)
      if (!session) return
      exchanges.delete(exchange)
      session.busy--
      session.seen = now()
      if (exchange.message?.kind === 'request' && exchange.message.id !== undefined) {
        session.inFlight.delete(exchange.message.id)
      }
    },
    sweep() {
      for (const session of sessions.values()) {
        // also with work under way, for which nobody has asked in all that time.
        if (session.busy === 0 && now() - session.seen > idleMs) session.transport.close().catch(onError)
      }
    },
    async end({ key }) {
      const theirs = [...sessions.values()].filter((session) => session.key === key)
      await Promise.all(theirs.map((session) => session.transport.close()))
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.transport.close()))
      await Promise.all(ending)
    },
  }
}

const NO_PLACE = 'Too many sessions: all have work or a request under way. End one, or try again later'
const NO_SHARED_PLACE =
  'Too many sessions of callers without a token: all have work or a request under way. Try again later, or use a named client, which has sessions of its own: mcpaql client add NAME'

/** Requests that reach no adapter count as well. */
function atLeastRead(use: SessionUse, calls: number): SessionUse {
  return use === 'opened' && calls > 0 ? 'read' : use
}

/**
 * The answer of a cancelled request never comes, so its stream has nothing to wait for (MCP-12). The transport forgets
 * the request when it is answered: by this answer, which has no stream to go to any more.
 */
async function endCancelled({ transport, inFlight }: HttpSession, message: Message | undefined): Promise<void> {
  if (message?.kind !== 'notification' || message.method !== 'notifications/cancelled') return
  const { requestId: id } = (message.message as { params?: { requestId?: RequestId } }).params ?? {}
  if (id === undefined || !inFlight.has(id)) return
  transport.closeSSEStream(id)
  const answer = { jsonrpc: '2.0', id, error: { code: -32000, message: 'The request was cancelled' } } as const
  await transport.send(answer).catch(() => {}) // the request had its answer already
}

function idInUse(id: RequestId): Response {
  return error(400, INVALID_REQUEST, `The id ${JSON.stringify(id)} belongs to a request in flight`, id)
}

function error(status: number, code: number, text: string, id: RequestId | undefined, headers = {}): Response {
  return Response.json(rpcError(id ?? null, code, text), { status, headers })
}
