import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'

/** HTTP by hand, so that what no library would send can be sent. */
export interface Connection {
  /** Sends the bytes and reads one response; `until` may end it early, by looking at what has come so far. */
  exchange(
    bytes: Buffer,
    options?: { readonly until?: (sofar: string) => boolean; readonly ms?: number },
  ): Promise<Reply>
  close(): void
}

export interface Reply {
  /** 0: the connection closed without a response. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly end: 'whole' | 'closed' | 'left' | 'timed out'
}

/** Kept alive from one exchange to the next; opened anew when the server has closed it. */
export function createConnection(port: number): Connection {
  let socket: Socket | undefined

  function open(): Socket {
    if (socket && !socket.destroyed && socket.writable) return socket
    socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => {}) // its end is seen by `close`
    return socket
  }

  return {
    exchange(bytes, { until, ms = 60_000 } = {}) {
      const own = open()
      return new Promise((resolve) => {
        const chunks: Buffer[] = []
        let size = 0
        const settle = (reply: Reply, keep: boolean) => {
          clearTimeout(timer)
          own.off('data', onData).off('close', onClose)
          if (!keep) own.destroy()
          resolve(reply)
        }
        const soFar = () => readReply(Buffer.concat(chunks, size))
        const onData = (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          const { reply, isWhole } = soFar()
          if (isWhole) settle({ ...reply, end: 'whole' }, reply.headers.get('connection') !== 'close')
          else if (until?.(reply.body)) settle({ ...reply, end: 'left' }, false)
        }
        const onClose = () => settle({ ...soFar().reply, end: 'closed' }, false)
        const timer = setTimeout(() => settle({ ...soFar().reply, end: 'timed out' }, false), ms)
        own.on('data', onData).on('close', onClose)
        own.write(bytes)
      })
    },
    close: () => socket?.destroy(),
  }
}

interface Read {
  readonly reply: Omit<Reply, 'end'>
  readonly isWhole: boolean
}

const NOTHING: Read = { reply: { status: 0, headers: new Map(), body: '' }, isWhole: false }

function readReply(bytes: Buffer): Read {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return NOTHING
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(first.split(' ')[1])
  const rest = bytes.subarray(headEnd + 4)
  if (status < 200) return readReply(rest)
  const headers = new Map(lines.map((line) => splitHeader(line)))
  const { body, isWhole } = readBody(rest, status, headers)
  return { reply: { status, headers, body: body.toString('utf8') }, isWhole }
}

function splitHeader(line: string): readonly [string, string] {
  const at = line.indexOf(':')
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
}

function readBody(rest: Buffer, status: number, headers: ReadonlyMap<string, string>) {
  if (status === 204 || status === 304) return { body: Buffer.alloc(0), isWhole: true }
  if (headers.get('transfer-encoding') === 'chunked') return unchunk(rest)
  const length = headers.get('content-length')
  return { body: rest, isWhole: length !== undefined && rest.length >= Number(length) }
}

function unchunk(rest: Buffer): { readonly body: Buffer; readonly isWhole: boolean } {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return { body: Buffer.concat(parts), isWhole: false }
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    if (size === 0) return { body: Buffer.concat(parts), isWhole: rest.length >= lineEnd + 4 }
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
