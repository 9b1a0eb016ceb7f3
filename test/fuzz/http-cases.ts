import { Buffer } from 'node:buffer'
import { MODERN } from '../e2e/raw-client.ts'
import type { Case } from './generate.ts'
import type { Random } from './random.ts'

/** One request as bytes. */
export interface HttpCase {
  readonly bytes: Buffer
  /** Nothing about the request but its body is odd, so the body decides what must be answered. */
  readonly isSound: boolean
  /** The server cannot know where the request ends, or answers with a stream that does not end. */
  readonly isOpenEnded: boolean
}

type Header = readonly [name: string, value: string]

/** The POST that a client would make of the message. */
export function post(sent: Case, sessionId: string): HttpCase {
  return {
    bytes: render('POST /mcp HTTP/1.1', headersOf(sent, sessionId), sent.bytes),
    isSound: true,
    isOpenEnded: false,
  }
}

/** The same with something wrong around the body. */
export function spoiltPost(random: Random, sent: Case, sessionId: string): HttpCase {
  if (random.chance(40)) return spoiltFraming(random, sent, sessionId)
  const line = random.chance(85) ? 'POST /mcp HTTP/1.1' : random.pick(REQUEST_LINES)
  const sound = headersOf(sent, sessionId)
  const headers = random.chance(60)
    ? sound.map((header) => spoiltHeader(random, header))
    : sound.filter(() => random.chance(75))
  for (let more = random.below(3); more > 0; more--) headers.push(random.pick(ODD_HEADERS))
  const isOpenEnded = line.startsWith('GET') || line.startsWith('CONNECT')
  return { bytes: render(line, headers, sent.bytes), isSound: false, isOpenEnded }
}

export function headersOf({ era, method, tool }: Case, sessionId: string): Header[] {
  const common: Header[] = [
    ['host', '127.0.0.1'],
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ]
  if (era === 'legacy') return method === 'initialize' ? common : [...common, ['mcp-session-id', sessionId]]
  return [
    ...common,
    ['mcp-protocol-version', MODERN],
    ...(method === undefined ? [] : [['mcp-method', asHeader(method)] as const]),
    ...(tool === undefined ? [] : [['mcp-name', asHeader(tool)] as const]),
  ]
}

export function render(line: string, headers: readonly Header[], body: Buffer): Buffer {
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const length = headers.some(([name]) => name === 'transfer-encoding') ? '' : `content-length: ${body.length}\r\n`
  return Buffer.concat([Buffer.from(`${line}\r\n${head}${length}\r\n`, 'latin1'), body])
}

/** A header cannot carry everything that JSON can. */
function asHeader(value: string): string {
  return value.replace(/[^\x21-\x7e]/g, '?')
}

function spoiltHeader(random: Random, header: Header): Header {
  if (random.chance(60)) return header
  const [name, value] = header
  const values = ODD_VALUES.get(name) ?? []
  if (values.length > 0 && random.chance(80)) return [name, random.pick(values)]
  return random.pick([
    [name, `${value}, ${value}`],
    [name, value.toUpperCase()],
    [name, ''],
    [name.toUpperCase(), value],
    [`${name}x`, value],
    [name, `${value}\t`],
  ] as const)
}

function spoiltFraming(random: Random, sent: Case, sessionId: string): HttpCase {
  const headers = headersOf(sent, sessionId)
  const head = (more: string) =>
    Buffer.from(
      `POST /mcp HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}${more}\r\n`,
      'latin1',
    )
  const { bytes } = sent
  // A chunk of nothing would end the body, and what follows would be the beginning of another request.
  const chunk = (body: Buffer) =>
    body.length === 0
      ? body
      : Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
  const last = Buffer.from('0\r\n\r\n')
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  const rest = bytes.subarray(half.length)
  const made = (isOpenEnded: boolean, ...parts: readonly Buffer[]): HttpCase => ({
    bytes: Buffer.concat(parts),
    isSound: false,
    isOpenEnded,
  })
  switch (random.below(10)) {
    case 0:
      return {
        ...made(false, head('transfer-encoding: chunked\r\n'), chunk(half), chunk(rest), last),
        isSound: true,
      }
    case 1:
      return made(true, head('transfer-encoding: chunked\r\n'), chunk(half), Buffer.from('zz\r\n'), rest)
    case 2:
      return made(true, head('transfer-encoding: chunked\r\n'), Buffer.from('fffffffffffffffff\r\n'), bytes)
    case 3:
      return made(true, head('transfer-encoding: chunked\r\n'), chunk(half))
    case 4:
      return made(true, head(`content-length: ${bytes.length + 5}\r\n`), bytes)
    case 5:
      return made(true, head(`content-length: ${half.length}\r\n`), bytes)
    case 6:
      return made(
        true,
        head(`content-length: ${random.pick(['-1', 'x', '1e3', '99999999999999999999', '+5', '5, 6'])}\r\n`),
        bytes,
      )
    case 7:
      return made(true, head('content-length: 3\r\ntransfer-encoding: chunked\r\n'), chunk(bytes), last)
    case 8:
      return made(true, head(`x: ${'y'.repeat(20_000)}\r\n`), bytes)
    default:
      return made(true, Buffer.from(random.pick(NOT_HTTP), 'latin1'))
  }
}

const REQUEST_LINES = [
  ...['POST /mcp?x=%00 HTTP/1.1', 'POST /mcp/ HTTP/1.1', 'POST //mcp HTTP/1.1', 'POST http://127.0.0.1/mcp HTTP/1.1'],
  ...['POST /../mcp HTTP/1.1', 'POST /%6dcp HTTP/1.1', 'POST /mcp HTTP/1.0', 'POST * HTTP/1.1', 'POST /mcp#a HTTP/1.1'],
  ...['GET /mcp HTTP/1.1', 'PUT /mcp HTTP/1.1', 'OPTIONS /mcp HTTP/1.1', 'TRACE /mcp HTTP/1.1', 'PATCH /mcp HTTP/1.1'],
  ...[
    'CONNECT /mcp HTTP/1.1',
    'GET /healthz HTTP/1.1',
    'POST /healthz HTTP/1.1',
    `POST /${'a'.repeat(4_000)} HTTP/1.1`,
  ],
]

const NOT_HTTP = [
  ...[
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'POST /mcp HTTP/9.9\r\n\r\n',
    'POST /mcp\r\n\r\n',
    '\r\n\r\n\r\n',
    '\x16\x03\x01',
  ],
  ...[
    'POST /mcp HTTP/1.1\nhost: 127.0.0.1\n\n',
    'POST /mcp HTTP/1.1\r\nhost : 127.0.0.1\r\n\r\n',
    '{"jsonrpc":"2.0"}\r\n\r\n',
  ],
  ...['POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n folded: x\r\n\r\n', 'POST /m\x00cp HTTP/1.1\r\n\r\n', 'G\r\n\r\n'],
]

const ODD_VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['host', ['evil.example', '', 'localhost:99999', '[::1]', '127.0.0.1.evil.example', 'a b', '127.0.0.1:x', '\xff']],
  [
    'content-type',
    [
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;',
      'APPLICATION/JSON',
      'multipart/form-data',
      '\xe9',
      ';',
    ],
  ],
  ['accept', ['*/*', 'text/html', 'application/json', 'text/event-stream', '', ',,,', 'application/json;q=0']],
  ['mcp-session-id', ['garbage', '', 'a'.repeat(5_000), '\xff\xfe', '../../', '__proto__', 'null', 'a, b']],
  [
    'mcp-protocol-version',
    ['1999-01-01', '', '2025-06-18', 'x'.repeat(3_000), '\xff', '2026-07-28, 2026-07-28', '__proto__'],
  ],
  ['mcp-method', ['tools/list', '', 'nope', '=?base64?eA==?=', '__proto__', '\xe9']],
  ['mcp-name', ['nope', '', '=?base64?!!?=', '=?base64?77+9?=', '__proto__', '\xe9']],
])

const ODD_HEADERS: readonly Header[] = [
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['origin', 'http://localhost:3000'],
  ['origin', '\xff'],
  ['expect', '100-continue'],
  ['expect', 'something'],
  ['upgrade', 'websocket'],
  ['connection', 'upgrade'],
  ['connection', 'close'],
  ['connection', 'keep-alive, x'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'identity'],
  ['last-event-id', '1'],
  ['last-event-id', '\xff'],
  ['mcp-session-id', 'second'],
  ['mcp-protocol-version', '2025-03-26'],
  ['mcp-protocol-version', MODERN],
  ['mcp-param-operation', 'x'],
  ['x-forwarded-host', 'evil.example'],
  ['x-http-method-override', 'DELETE'],
  ['authorization', 'Bearer x'],
  ['cookie', '__proto__=1'],
  ['__proto__', 'x'],
  ['te', 'trailers'],
]
