import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { HookVerdict } from '../core/hook/case.ts'
import type { HookKey } from '../core/hook/hook-key.ts'
import type { Judge } from '../core/hook/judge.ts'
import { readQuestion } from '../core/hook/tool-call.ts'
import { type Log, SILENT } from '../core/ports/log.ts'
import { createBodyReader } from './body.ts'
import { limitConnections } from './connections.ts'

export interface HookOptions {
  readonly judge: Judge
  readonly key: HookKey
  /** 127.0.0.1 or ::1; nobody else is asked by a hook. */
  readonly host?: string
  /** 0 lets the system choose. */
  readonly port?: number
  readonly log?: Log
}

export interface HookServer {
  readonly port: number
  /** Where hooks ask: `http://127.0.0.1:7422/hook`. */
  readonly url: string
  close(): Promise<void>
}

export const HOOK_PORT = 7422

/**
 * Security, section 6: a client's hook asks here before a tool runs. Nothing can be decided here, only asked, and every
 * answer is signed over its request, so that whoever sits between or in place of this server can only refuse.
 */
export async function serveHooks(options: HookOptions): Promise<HookServer> {
  const { host = '127.0.0.1', port = HOOK_PORT } = options
  if (!HOSTS.has(host)) throw new Error(`Hooks are answered on this computer only: 127.0.0.1 or ::1, not ${host}`)
  const server = createServer(TIMEOUTS, (req, res) => {
    if (!req.socket.destroyed) void handle(req, res).finally(connections.answering(req.socket))
  })
  const connections = limitConnections(server, { most: MOST_CONNECTIONS })
  server.maxHeadersCount = 32
  const actualPort = await listen(server, port, host)
  const handle = createHookHandler(actualPort, options)
  return {
    port: actualPort,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/hook`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** For a server that has other routes as well. */
export function createHookHandler(
  port: number,
  { judge, key, log = SILENT }: Pick<HookOptions, 'judge' | 'key' | 'log'>,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const readBody = createBodyReader(MOST_BODY, MOST_BODY * 16)

  const answer = async (bytes: Buffer): Promise<Reply> => {
    const question = readQuestion(parsed(bytes))
    if (!question) return refusal(400, 'The question cannot be read')
    let verdict: HookVerdict
    try {
      verdict = await judge(question.call)
    } catch (cause) {
      log.write({ level: 'error', message: `A tool call could not be judged: ${String(cause)}` })
      verdict = FAILED
    }
    const request = createHash('sha256').update(bytes).digest('base64url')
    const body = JSON.stringify({ version: 1, nonce: question.nonce, request, ...verdict })
    return { status: 200, body, signature: key.sign(body) }
  }

  return async (req, res) => {
    const refused = refusalOf(req, port)
    if (refused) return send(res, refused)
    const body = await readBody(req)
    if (body.kind === 'gone') return
    send(res, body.kind === 'whole' ? await answer(body.bytes) : REFUSALS[body.kind])
  }
}

const HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 1_000, maxHeaderSize: 8_192 }
const MOST_BODY = 1_048_576
const MOST_CONNECTIONS = 64

const FAILED: HookVerdict = Object.freeze({
  continue: false,
  reason: 'The safety server could not judge the call',
  factors: Object.freeze(['the judgement failed']),
})

interface Reply {
  readonly status: number
  readonly body: string
  readonly signature?: string
}

/** No page in a browser has business here: it sends an Origin, or a Host that is not ours. */
function refusalOf({ method, url = '', headers }: IncomingMessage, port: number): Reply | undefined {
  const [, name = ''] = /^(\[[\d:]+\]|[^:]+):(\d+)$/.exec(headers.host ?? '') ?? []
  const isOurs = HOSTS.has(name.replace(/^\[|\]$/g, '')) && headers.host?.endsWith(`:${port}`) === true
  if (!isOurs) return refusal(403, 'This is not the host that you asked for')
  if (headers.origin !== undefined) return refusal(403, 'Pages are not answered here')
  if (url !== '/hook') return refusal(404, 'Hooks ask at /hook')
  if (method !== 'POST') return refusal(405, 'Hooks ask by POST')
  const isJson = /^application\/json(?:;|$)/.test(headers['content-type'] ?? '') && !headers['content-encoding']
  return isJson ? undefined : refusal(415, 'The question must be application/json')
}

/** Not signed: to a hook it means no, like everything that is not signed. */
function refusal(status: number, error: string): Reply {
  return { status, body: JSON.stringify({ error }) }
}

const REFUSALS = {
  'too large': refusal(413, 'The question is too long'),
  'no room': refusal(503, 'Too many long questions arrive at once. Ask again'),
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function send(res: ServerResponse, { status, body, signature }: Reply): void {
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(signature !== undefined && { 'mcpaql-signature': `ed25519=${signature}` }),
  })
  res.end(body)
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
