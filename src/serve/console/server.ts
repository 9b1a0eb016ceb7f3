import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Operator } from '../../core/operator/operator.ts'
import { createBodyReader } from '../body.ts'
import { limitConnections } from '../connections.ts'
import type { Account } from './account.ts'
import { createEventStreams } from './events.ts'
import { createFlags } from './flags.ts'
import { createGuard, newHostName } from './guard.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { listenOnLoopback } from './loopback.ts'
import { loadPages } from './pages.ts'
import { createReauths } from './reauth.ts'
import { type Answer, type ConsoleDesk, refusal } from './route.ts'
import { createRouter, type Router } from './router.ts'
import { createSecretDoor } from './secret-door.ts'
import { createSignIns } from './sign-ins.ts'
import { SIGNPOST, SIGNPOST_HEADERS } from './signpost.ts'

export interface ConsoleOptions {
  readonly operator: Operator
  readonly account: Account
  /** Default 7421; 0 lets the system choose. */
  readonly port?: number
  /** Where a fault of our own goes; never to the page. */
  readonly onError?: (error: unknown) => void
}

export interface Console {
  readonly port: number
  /** For the operator: new at every start, and the only address where the console is. */
  readonly url: string
  /** For an agent to pass on: leads to a page that says how to open the console. */
  readonly plainUrl: string
  close(): Promise<void>
}

export const CONSOLE_PORT = 7421

/**
 * SELF-08: own port, own origin, own router, own sign-in; nothing is shared with the MCP endpoint. It listens on this
 * computer alone: there is no sign-in for others.
 */
export async function openConsole(options: ConsoleOptions): Promise<Console> {
  const server = createServer(LIMITS)
  server.maxHeadersCount = 64
  const connections = limitConnections(server, { most: MOST_CONNECTIONS })
  let serve: Serve = (_, res) => res.destroy() // Until both addresses are ours.
  server.on('request', (req, res) => {
    if (!req.socket.destroyed) void serve(req, res)
  })
  const { port, close } = await listenOnLoopback(server, options.port ?? CONSOLE_PORT)

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
  const host = `${newHostName()}:${port}`
  serve = createHandler(router, createGuard(host), options)

  return {
    port,
    url: `http://${host}/`,
    plainUrl: `http://127.0.0.1:${port}/`,
    close() {
      streams.close()
      const done = close()
      server.closeAllConnections()
      return done
    },
  }
}

type Serve = (req: IncomingMessage, res: ServerResponse) => unknown

const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
}
const MOST_BODY = 65_536
const MOST_CONNECTIONS = 512
const FAULT = 'Something went wrong here. Look again before you go on: it is not known how far it came.'

function createHandler(router: Router, guard: ReturnType<typeof createGuard>, { operator, onError }: ConsoleOptions) {
  const pages = loadPages()

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<Answer | undefined> => {
    const { method = '', url = '', headers, rawHeaders } = req
    const [path = '', search = ''] = url.split('?', 2)
    const passed = guard({ method, path, headers, rawHeaders })
    if (typeof passed === 'object') return refusal(passed.status, passed.code, passed.message)
    if (passed === 'signpost') {
      res.writeHead(200, SIGNPOST_HEADERS).end(SIGNPOST)
      return undefined
    }
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
