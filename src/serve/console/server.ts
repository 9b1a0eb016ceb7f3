import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Operator } from '../../core/operator/operator.ts'
import { createBodyReader } from '../body.ts'
import type { Account } from './account.ts'
import { limitConnections } from './connections.ts'
import { createEventStreams } from './events.ts'
import { createFlags } from './flags.ts'
import { createGuard, hostNames } from './guard.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { loadPages } from './pages.ts'
import { createReauths } from './reauth.ts'
import { type Answer, type ConsoleDesk, refusal } from './route.ts'
import { createRouter, type Router } from './router.ts'
import { createSecretDoor } from './secret-door.ts'
import { createSignIns } from './sign-ins.ts'

export interface ConsoleOptions {
  readonly operator: Operator
  readonly account: Account
  /** Default 127.0.0.1. Only addresses of this computer: there is no sign-in for others yet. */
  readonly host?: string
  /** Default 7421; 0 lets the system choose. */
  readonly port?: number
  /** Names beside those of this computer under which it may be addressed, for example by a tunnel. */
  readonly hosts?: readonly string[]
  /** Where a fault of our own goes; never to the page. */
  readonly onError?: (error: unknown) => void
}

export interface Console {
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

export const CONSOLE_PORT = 7421

/** SELF-08: own port, own origin, own router, own sign-in; nothing is shared with the MCP endpoint. */
export async function openConsole(options: ConsoleOptions): Promise<Console> {
  const host = options.host ?? '127.0.0.1'
  if (!isLoopback(host)) {
    throw new Error(
      `The console does not listen on ${host}: without a company sign-in only this computer may reach it. Use 127.0.0.1 or ::1, and a tunnel from elsewhere.`,
    )
  }
  const server = createServer(LIMITS)
  server.maxHeadersCount = 64
  const connections = limitConnections(server)
  const port = await listen(server, options.port ?? CONSOLE_PORT, host)

  const { operator, account } = options
  const signIns = createSignIns(operator.clock)
  const desk: ConsoleDesk = {
    operator,
    account,
    signIns,
    reauths: createReauths(operator.clock),
    door: createSecretDoor(),
    flags: createFlags(),
  }
  const streams = createEventStreams(operator, signIns)
  const router = createRouter({ desk, streams, connections, readBody: createBodyReader(MOST_BODY, MOST_BODY * 32) })
  const serve = createHandler(router, createGuard(hostNames(port, options.hosts)), options)
  server.on('request', (req, res) => {
    if (!req.socket.destroyed) void serve(req, res)
  })

  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        streams.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
}
const MOST_BODY = 65_536
const FAULT = 'Something went wrong here. Look again before you go on: it is not known how far it came.'

function createHandler(router: Router, guard: ReturnType<typeof createGuard>, { operator, onError }: ConsoleOptions) {
  const pages = loadPages()

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<Answer | undefined> => {
    const { method = '', url = '', headers, rawHeaders } = req
    const [path = '', search = ''] = url.split('?', 2)
    const refused = guard({ method, path, headers, rawHeaders })
    if (refused) return refusal(refused.status, refused.code, refused.message)
    if (path.startsWith('/api/')) return router(req, res, path, new URLSearchParams(search))
    const page = pages.get(path)
    if (!page) return refusal(404, 'not_found', 'There is no such page.')
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'method', 'Pages can only be read.')
    res.writeHead(200, { ...SECURITY_HEADERS, 'content-type': page.type, 'content-length': page.bytes.length })
    res.end(method === 'HEAD' ? undefined : page.bytes)
    return undefined
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      const given = await answer(req, res)
      if (given) send(res, given, operator.clock.now())
    } catch (error) {
      onError?.(error)
      if (res.headersSent) res.destroy()
      else send(res, refusal(500, 'internal', FAULT), operator.clock.now())
    }
  }
}

function send(res: ServerResponse, { status, body, headers, download }: Answer, now: number): void {
  if (download) {
    res.writeHead(status, { ...SECURITY_HEADERS, ...headers, 'content-type': download.type })
    Readable.from(download.pieces)
      .on('error', () => res.destroy())
      .pipe(res)
    return
  }
  const text = JSON.stringify({ now, ...body })
  res.writeHead(status, {
    ...SECURITY_HEADERS,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  res.end(text)
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}
