import { Buffer } from 'node:buffer'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OpenResponses } from './open-responses.ts'
import { rpcError } from './receive.ts'

/**
 * MCP-06. What Node refuses before a handler sees it (bytes that are no HTTP, headers that are too long, a sender that
 * is too slow, an expectation that nobody can meet) gets a JSON-RPC error like any other refusal, where Node itself
 * says nothing.
 */
export function refuseUnreadable(server: Server, responses: OpenResponses): void {
  server.prependListener('request', endIfUpgrade)

  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Duplex) => {
    if (socket.writable && isFree(responses.latestOn(socket))) socket.write(refusal(code))
    socket.destroy()
  })

  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    endIfUpgrade(req, res)
    const body = bodyOf('The only expectation that can be met is 100-continue')
    res.writeHead(417, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  })
}

/** Nobody here upgrades, but Node drops what it reads together with the end of a request that asks for it. */
function endIfUpgrade({ headers }: IncomingMessage, res: ServerResponse): void {
  if (headers.upgrade !== undefined) res.shouldKeepAlive = false
}

/** Nothing may be written into the middle of an answer; one without a socket waits behind such a one. */
function isFree(res: ServerResponse | undefined): boolean {
  return res === undefined || res.writableFinished || (res.socket !== null && !res.headersSent)
}

const REFUSALS: ReadonlyMap<string, readonly [status: number, reason: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers are too long']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The extensions of a chunk are too long']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request took too long to arrive']],
])

function refusal(code: string): string {
  const [status, reason] = REFUSALS.get(code) ?? [400, 'The request is not valid HTTP']
  const body = bodyOf(reason)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

function bodyOf(reason: string): string {
  return JSON.stringify(rpcError(null, -32000, reason))
}
