import { Buffer } from 'node:buffer'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createMcpHandler,
  type EventStore,
  isJsonContentType,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type ServerNotifier,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import type { ClientDirectory } from '../core/operator/client-directory.ts'
import { type Log, SILENT } from '../core/ports/log.ts'
import type { Runtime } from '../core/runtime.ts'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { type Body, createBodyReader } from './body.ts'
import { createByteBudget } from './byte-budget.ts'
import { type Connections, limitConnections } from './connections.ts'
import type { ElicitationSettings } from './elicit.ts'
import { ANONYMOUS, createIdentify, type Identity, isUnidentified, type Unidentified } from './identity.ts'
import { createLegacyHttp, type LegacyExchange } from './legacy-http.ts'
import { createServerFactory, type ServerFactory } from './mcp.ts'
import { type ExchangeKind, trackUnderWay } from './named-clients.ts'
import { trackResponses } from './open-responses.ts'
import {
  byteLimits,
  INVALID_REQUEST,
  type Message,
  type Received,
  type RpcAnswer,
  receive,
  refuseOversized,
  rpcError,
} from './receive.ts'
import { createHandleSessions, ownValue } from './sessions.ts'
import { refuseUnreadable } from './unreadable.ts'
import { sendResponse, toWebRequest } from './web.ts'

export interface HttpOptions {
  readonly version: string
  readonly host?: string
  /** 0 takes any that is free. */
  readonly port?: number
  /** Names, without port, that `Host` and `Origin` may carry besides those of this computer. */
  readonly hosts?: readonly string[]
  readonly origins?: readonly string[]
  readonly log?: Log
  /** Whom the operator has named; without it every token is a wrong one. */
  readonly clients?: ClientDirectory
  /** Refuse callers that bring no token. */
  readonly requireClient?: boolean
  /** Of each named client, and of all unnamed callers together. */
  readonly maxSessions?: number
  /** A session that nobody uses for so long ends. */
  readonly idleMs?: number
  /** How long requests in flight may take once `close` was called. */
  readonly graceMs?: number
  /** How the user may approve inside the client; not at all unless it is said. */
  readonly elicitation?: ElicitationSettings
  /** In place of the runtimes' own server. */
  readonly servers?: ServerFactory
  readonly eventStore?: EventStore
  readonly retryInterval?: number
}

export interface HttpServer {
  readonly url: string
  readonly port: number
  /** Announces changes to whoever listens on the stateless revision. */
  readonly notify: ServerNotifier
  /** Accepts nothing more, answers what is in flight, ends the sessions. */
  close(): Promise<void>
}

/** MCP-06, MCP-07. One endpoint, `/mcp`, for both eras. */
export async function serveHttp(runtimes: readonly Runtime[], options: HttpOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', port = 0, graceMs = 5_000 } = options
  checkHost(host)
  // A missing `Host` is refused by `createGuard`: Node's own refusal says nothing.
  const server = createServer({ ...TIMEOUTS, connectionsCheckingInterval: 5_000, requireHostHeader: false })
  const responses = trackResponses(server)
  refuseUnreadable(server, responses)
  const connections = limitConnections(server, { most: MOST_CONNECTIONS, mayPipeline: true })
  const face = createFace(runtimes, options, connections)
  server.on('request', (req, res) =>
    responses.countOn(req.socket) > MOST_AT_ONCE ? tooMany(res) : void face.handle(req, res),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port

  async function end(): Promise<void> {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    await face.close(graceMs)
    server.closeAllConnections()
    await stopped
  }
  let ending: Promise<void> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/mcp`,
    port: actualPort,
    notify: face.notify,
    close() {
      ending ??= end()
      return ending
    },
  }
}

/** Slow senders are cut off; idle connections stay, since a client calls again soon. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 } as const

/** More than all unnamed callers may have under way, so that what they wait for leaves room for named clients. */
const MOST_CONNECTIONS = 1_024

/** Requests under way on one connection: what a client does not read of their answers has to be held. */
const MOST_AT_ONCE = 32

/** So many of the largest answers wait at a time for somebody to read them. */
const MOST_UNREAD = 16

interface Face {
  readonly notify: ServerNotifier
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
  close(graceMs: number): Promise<void>
}

function createFace(runtimes: readonly Runtime[], options: HttpOptions, connections: Connections): Face {
  const { version, log = SILENT, maxSessions = 1_000, idleMs = 30 * 60_000 } = options
  const info = { name: 'mcpaql', version }
  const limits = byteLimits(runtimes.map((runtime) => runtime.limits))
  const readBody = createBodyReader(limits.maxBytes * 2, limits.maxBytes * 64)
  const unread = createByteBudget(largestAnswer(runtimes) * MOST_UNREAD)
  const servers = options.servers ?? createServerFactory(runtimes, info, options.elicitation)
  const refusalOf = createGuard(options)
  const now = () => performance.now()
  const onError = (error: Error) => log.write({ level: 'debug', message: error.message, transport: 'http' })
  const legacy = createLegacyHttp({
    servers,
    maxSessions,
    idleMs,
    now,
    onError,
    ...(options.eventStore && { eventStore: options.eventStore }),
    ...(options.retryInterval !== undefined && { retryInterval: options.retryInterval }),
  })
  const identify = createIdentify(options.clients, options.requireClient ?? false)
  const modern = createMcpHandler(
    ({ authInfo }) => {
      const identity = (authInfo?.extra?.identity as Identity | undefined) ?? ANONYMOUS
      return servers({ era: 'modern', sessions: createHandleSessions(identity), mayElicit: identity.mayElicit })
    },
    { legacy: 'reject', onerror: onError },
  )
  const underWay = trackUnderWay({
    clients: options.clients,
    onError: (error) => onError(asError(error)),
    async onRevoked(identity) {
      await legacy.end(identity)
      await Promise.all(runtimes.map((runtime) => runtime.closeSessionsOf(identity.principal, identity.client)))
    },
  })

  const sweep = setInterval(() => legacy.sweep(), Math.min(idleMs / 2, 30_000))
  sweep.unref()

  const inFlight = new Set<ServerResponse>()
  let onIdle: (() => void) | undefined
  let isClosing = false

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (isClosing)
        return reply(res, 503, rpcError(null, -32000, 'The server is shutting down'), { connection: 'close' })
      const refused = refusalOf(req)
      if (refused) return reply(res, req.headers.host === undefined ? 400 : 403, rpcError(null, -32000, refused))
      await route(req, res)
    } catch (cause) {
      onError(asError(cause))
      if (!res.headersSent) reply(res, 500, rpcError(null, -32603, 'Internal server error'))
      else res.destroy()
    }
  }

  function route(req: IncomingMessage, res: ServerResponse): Promise<void> | void {
    const path = (req.url ?? '').split('?', 1)[0]
    if (path === '/mcp') return METHODS.has(req.method ?? '') ? exchange(req, res) : notAllowed(res, ALLOWED)
    if (path !== '/healthz') return text(res, 404, 'Not found. The MCP endpoint is /mcp\n')
    return req.method === 'GET' || req.method === 'HEAD' ? text(res, 200, 'ok\n') : notAllowed(res, 'GET, HEAD')
  }

  async function exchange(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const identifying = identify(req)
    const identity = identifying instanceof Promise ? await identifying : identifying
    if (isUnidentified(identity)) return refuseCaller(identity, res)
    underWay.watch(identity, res)
    if (identity.isNamed) connections.keep(req.socket, identity.key)
    if (req.method !== 'POST') {
      if (req.headers['mcp-protocol-version'] === MODERN) return notAllowed(res, 'POST')
      if (!begin(identity, req, res)) return tooMany(res, identity)
      return await serveLegacy({ request: toWebRequest(req, res), identity }, res)
    }
    if (!isJsonContentType(req.headers['content-type']) || isEncoded(req)) {
      return reply(res, 415, rpcError(null, -32000, 'Content-Type must be application/json, without Content-Encoding'))
    }
    const body = await readBody(req, identity.key)
    const received = readMessageOf(body)
    if (!received) return refuseBody(body, res, limits.maxBytes, identity)
    if (received.kind === 'ignored') return reply(res, 400, rpcError(null, INVALID_REQUEST, 'Not a JSON-RPC message'))
    if (received.kind === 'refused') {
      const status = body.kind === 'too large' ? 413 : 400
      return reply(res, received.isResult ? 200 : status, received.answer)
    }
    if (!begin(identity, req, res, received)) return tooMany(res, identity)
    await serve(received, identity, req, res)
  }

  /** From here on its connection is in use. False when the caller has too much under way. */
  function begin(identity: Identity, req: IncomingMessage, res: ServerResponse, message?: Message): boolean {
    const exchange = { of: holderOf(identity, req, message), kind: kindOf(req, message, runtimes) }
    if (!underWay.take(identity, res, exchange)) return false
    res.once('close', connections.answering(req.socket))
    return true
  }

  /** A session that exists and is the caller's own; a name that the caller made up counts for its connection. */
  function holderOf(identity: Identity, { headers, socket }: IncomingMessage, message?: Message): unknown {
    const handle = ownValue(argumentsOf(message), '_session')
    const { principal, client } = identity
    if (typeof handle === 'string' && runtimes.some((each) => each.findSession(handle, principal, client)))
      return handle
    const id = headers['mcp-session-id']
    return typeof id === 'string' && legacy.has(id, identity) ? id : socket
  }

  /** A body that is too large is refused by its own id where that can be read. */
  function readMessageOf(body: Body): Received | undefined {
    if (body.kind === 'whole') return receive(body.bytes, limits, info)
    return body.kind === 'too large' && body.parts ? refuseOversized(body.parts, limits, info) : undefined
  }

  async function serve(message: Message, identity: Identity, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = toWebRequest(req, res)
    const parsedBody = message.message
    if (message.method !== 'subscriptions/listen') watch(res)
    if (await isLegacyRequest(request, parsedBody)) {
      return await serveLegacy({ request, identity, message }, res)
    }
    await sendResponse(
      await modern.fetch(request, { parsedBody, ...(identity.isNamed && authOf(identity)) }),
      res,
      identity.key,
      unread,
    )
  }

  async function serveLegacy(exchange: LegacyExchange, res: ServerResponse): Promise<void> {
    res.on('close', () => legacy.finished(exchange))
    await sendResponse(await legacy.handle(exchange), res, exchange.identity.key, unread)
  }

  function watch(res: ServerResponse): void {
    inFlight.add(res)
    res.on('close', () => {
      inFlight.delete(res)
      if (inFlight.size === 0) onIdle?.()
    })
  }

  async function close(graceMs: number): Promise<void> {
    isClosing = true
    clearInterval(sweep)
    underWay.close()
    if (inFlight.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve
        setTimeout(resolve, graceMs).unref()
      })
    }
    await Promise.all([modern.close(), legacy.close()])
  }

  return { handle, close, notify: modern.notify }
}

function largestAnswer(runtimes: readonly Runtime[]): number {
  const all = runtimes.length > 0 ? runtimes.map(({ limits }) => limits) : [DEFAULT_LIMITS]
  return Math.max(...all.map((limits) => limits.max_response_size))
}

const MODERN = '2026-07-28'
const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE'])
const ALLOWED = 'GET, POST, DELETE'

/** MCP-07, and against DNS rebinding the same for `Host`. Says why a request is refused. */
function createGuard({ host, hosts = [], origins = [] }: HttpOptions): (req: IncomingMessage) => string | undefined {
  const own = host === undefined ? [] : [host.includes(':') ? `[${host}]` : host]
  const allowedHosts = [...localhostAllowedHostnames(), ...own, ...hosts]
  const allowedOrigins = [...localhostAllowedOrigins(), ...own, ...origins]
  return ({ headers }) => {
    const byHost = validateHostHeader(headers.host, allowedHosts)
    if (!byHost.ok) return byHost.message
    const byOrigin = validateOriginHeader(headers.origin, allowedOrigins)
    return byOrigin.ok ? undefined : byOrigin.message
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

/** Throws for an address that other computers reach; asked also before anything else is opened. */
export function checkHost(host: string): void {
  if (isLoopback(host)) return
  throw new Error(
    `Refusing to listen on ${host}: without authentication only this computer may connect. Use 127.0.0.1 or ::1.`,
  )
}

/** The way by which the SDK hands on who is asking; the token itself stays here. */
function authOf(identity: Identity) {
  return { authInfo: { token: '', clientId: identity.principal, scopes: [], extra: { identity } } }
}

function refuseCaller({ refused, challenge }: Unidentified, res: ServerResponse): void {
  reply(res, 401, rpcError(null, -32001, refused), { 'www-authenticate': challenge })
}

/** Whatever is not plainly a READ of one operation, or needs none, is taken for work. */
function kindOf({ method }: IncomingMessage, message: Message | undefined, runtimes: readonly Runtime[]): ExchangeKind {
  if (method === 'GET' || message?.method === 'subscriptions/listen') return 'stream'
  if (message?.method !== 'tools/call') return 'short'
  const args = argumentsOf(message)
  if (mayWait(args)) return 'wait'
  const [operation, tool] = [ownValue(args, 'operation'), ownValue(ownValue(message.message, 'params'), 'name')]
  if (typeof operation !== 'string' || ownValue(args, 'operations') !== undefined) return 'work'
  const runtime = runtimes.find(({ tools }) => tools.some(({ name }) => name === tool))
  return runtime?.isRead(operation) ? 'short' : 'work'
}

function argumentsOf(message: Message | undefined): unknown {
  return message?.method === 'tools/call' ? ownValue(ownValue(message.message, 'params'), 'arguments') : undefined
}

/** Design §5. A batch, or parameters, as a text are not looked into: such a call is taken for one that waits. */
function mayWait(args: unknown): boolean {
  const operations = ownValue(args, 'operations')
  if (typeof operations === 'string') return true
  const entries = Array.isArray(operations) ? operations : []
  return [args, ...entries].some((entry) => {
    const params = ownValue(entry, 'params')
    return (
      typeof params === 'string' || [entry, params].some((fields) => ownValue(fields, '_wait_seconds') !== undefined)
    )
  })
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']
  return encoding !== undefined && encoding !== 'identity'
}

function refuseBody({ kind }: Body, res: ServerResponse, most: number, identity: Identity): void {
  if (kind === 'too large')
    reply(res, 413, rpcError(null, -32000, `The request is larger than the limit of ${most} bytes`), {
      connection: 'close',
    })
  else if (kind === 'no room') tooMany(res, identity)
  else res.destroy()
}

function tooMany(res: ServerResponse, identity?: Identity): void {
  const why = identity?.isNamed === false ? SHARED_PLACES : 'Too many requests'
  reply(res, 429, rpcError(null, -32000, why), { connection: 'close', 'retry-after': '1' })
}

const SHARED_PLACES =
  'Too many requests of callers without a token are under way. Try again, or use a named client, which has places of its own: mcpaql client add NAME'

function notAllowed(res: ServerResponse, allow: string): void {
  reply(res, 405, rpcError(null, -32000, 'Method not allowed'), { allow })
}

function reply(
  res: ServerResponse,
  status: number,
  answer: RpcAnswer,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(res, status, { 'content-type': 'application/json', ...headers }, JSON.stringify(answer))
}

function text(res: ServerResponse, status: number, body: string): void {
  send(res, status, { 'content-type': 'text/plain; charset=utf-8' }, body)
}

function send(res: ServerResponse, status: number, headers: Readonly<Record<string, string>>, body: string): void {
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}
