import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'

export interface ConsoleInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** `fetch` for the address of the console: browsers know names below `localhost` by themselves, Node does not. */
export async function consoleFetch(url: string | URL, { method, headers, body, signal }: ConsoleInit = {}) {
  const { host, port, pathname, search } = new URL(url)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = pathname + search
    const options = { host: '127.0.0.1', port, path, headers: { host, ...headers }, agent: false as const }
    const req = request({ ...options, ...(method && { method }), ...(signal && { signal }) }, resolve)
    req.on('error', reject)
    req.end(body)
  })
  return new Response(Readable.toWeb(answer) as ReadableStream, { status: answer.statusCode ?? 0 })
}
