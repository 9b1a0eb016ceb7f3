import type { IncomingMessage, ServerResponse } from 'node:http'

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

/** Whoever reads nothing for so long has gone, or wants us to hold what it never fetches. */
const STALLED_MS = 60_000

/**
 * Writes as fast as the client reads, and no faster. Whether the connection stays open is Node's to say: the SDK
 * promises it with every stream, also to a client that asked for its end.
 */
export async function sendResponse(response: Response, res: ServerResponse, stalledMs = STALLED_MS): Promise<void> {
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
  for (;;) {
    const { done, value } = await reader.read()
    clearImmediate(flush)
    if (done) break
    if (!res.write(value) && !res.destroyed) await drained(res, stalledMs)
  }
  res.end()
}

function drained(res: ServerResponse, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    res.setTimeout(stalledMs) // without progress Node closes the connection
    const done = () => {
      res.setTimeout(0)
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.on('drain', done)
    res.on('close', done)
  })
}
