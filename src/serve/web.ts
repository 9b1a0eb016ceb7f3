import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ByteBudget, UNCOUNTED_BYTES } from './byte-budget.ts'

/** The head of a request as the SDK reads it; its body has been read already, and so was who sends it. Aborted when the client goes away. */
export function toWebRequest(req: IncomingMessage, res: ServerResponse): Request {
  const aborted = new AbortController()
  res.on('close', () => {
    if (!res.writableFinished) aborted.abort()
  })
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && name !== 'authorization') headers[name] = value
  }
  return new RequestHead({ method: req.method ?? 'GET', headers }, aborted.signal)
}

/** `Request` follows the signal that it is given with one of its own, which takes four times as long as all the rest. */
class RequestHead extends Request {
  override readonly signal: AbortSignal

  constructor(init: RequestInit, signal: AbortSignal) {
    super('http://localhost/mcp', init)
    this.signal = signal
  }
}

/** Whoever takes longer has gone, or wants us to hold what it never fetches: so long, and again for each so many bytes. */
const PATIENCE_MS = 60_000
const PATIENCE_BYTES = 4_194_304

/**
 * Everything is written as it comes: what the client does not read is then in one place, where it is counted, and limited
 * once the answer is made. Whether the connection stays open is Node's to say: the SDK promises it with every stream,
 * also to a client that asked for its end.
 */
export async function sendResponse(
  response: Response,
  res: ServerResponse,
  key: string,
  unread: ByteBudget,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  if (res.destroyed) return await response.body?.cancel()
  const { connection: _, ...headers } = Object.fromEntries(response.headers)
  res.writeHead(response.status, headers)
  if (response.body === null) {
    res.end()
    return
  }
  const reader = response.body.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  res.on('close', stop)
  const flush = setImmediate(() => res.flushHeaders()) // a stream may have nothing to say for long
  let isBehind = false
  for (;;) {
    const { done, value } = await reader.read()
    clearImmediate(flush)
    if (done || res.destroyed) break
    if (res.write(value) || isBehind) continue
    isBehind = true
    untilRead(res, patienceMs, () => {
      isBehind = false
    })
  }
  res.end()
  const isWaiting = res.socket === null // for the answers of earlier requests on its connection, so there may be many
  if (isWaiting || (isBehind && res.writableLength > UNCOUNTED_BYTES)) hold(res, key, unread)
}

/** Cuts off a client that takes too long to read what is written. A response that waits for others is not its fault. */
function untilRead(res: ServerResponse, patienceMs: number, onRead: () => void): void {
  const allowed = patienceMs * (1 + res.writableLength / PATIENCE_BYTES)
  const timer = setTimeout(() => (res.socket ? res.destroy() : timer.refresh()), allowed)
  const read = () => {
    clearTimeout(timer)
    res.off('drain', read)
    res.off('close', read)
    onRead()
  }
  res.on('drain', read)
  res.on('close', read)
}

/** The whole connection ends where there is no room: a response that waits for others could not be dropped by itself. */
function hold(res: ServerResponse, key: string, unread: ByteBudget): void {
  if (res.destroyed) return
  const share = unread(key, () => res.req.socket.destroy())
  res.on('close', share.release)
  share.grow(res.writableLength)
}
