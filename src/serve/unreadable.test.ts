import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { trackResponses } from './open-responses.ts'
import { refuseUnreadable } from './unreadable.ts'

/** Everything that comes back for these bytes until the connection is closed. */
async function exchange(bytes: string, listener: RequestListener, ms?: number): Promise<string> {
  const server = createServer(ms === undefined ? {} : { headersTimeout: ms, connectionsCheckingInterval: 20 }, listener)
  refuseUnreadable(server, trackResponses(server))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let answer = ''
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        answer += chunk
      })
    socket.write(bytes)
    await once(socket, 'close')
    return answer
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const HEAD = 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n'
const silent: RequestListener = () => {}

// biome-ignore format: a table reads by columns
test.each([
  ['no HTTP',            '{"jsonrpc":"2.0"}\r\n\r\n',                                  400, 'The request is not valid HTTP'],
  ['a bad length',       `${HEAD}content-length: x\r\n\r\n`,                           400, 'The request is not valid HTTP'],
  ['a bad chunk',        `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`,            400, 'The request is not valid HTTP'],
  ['long headers',       `${HEAD}x: ${'y'.repeat(20_000)}\r\n\r\n`,                    431, 'The headers are too long'],
  ['an odd expectation', `${HEAD}expect: wonders\r\nconnection: close\r\n\r\n`,        417, 'The only expectation that can be met is 100-continue'],
])('MCP-01 MCP-06 %s is refused with a JSON-RPC error', async (_, bytes, status, message) => {
  const answer = await exchange(bytes, silent)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message },
  })
})

test('MCP-01 MCP-06 headers that do not come are refused with a JSON-RPC error', async () => {
  const answer = await exchange(HEAD, silent, 50)
  expect(answer).toContain('HTTP/1.1 408 Request Timeout')
  expect(answer).toContain('"message":"The request took too long to arrive"')
})

test.each([
  ['', ''],
  ['the second of two', `${HEAD}content-length: 0\r\n\r\n`],
])('MCP-06 nothing is written into an answer that has begun %s', async (_, more) => {
  const answer = await exchange(`${HEAD}content-length: 0\r\n\r\n${more}nonsense\r\n\r\n`, (_, res) => {
    res.writeHead(200, { 'content-length': 10 })
    res.write('begun')
  })
  expect(answer).not.toContain('400')
})

test('MCP-01 MCP-06 nonsense behind an answer that is complete is refused by itself', async () => {
  const answer = await exchange(`${HEAD}content-length: 0\r\n\r\n`, (_, res) => {
    res.end('done', () => setTimeout(() => res.req.socket.emit('data', Buffer.from('nonsense\r\n\r\n')), 20))
  })
  expect(answer).toContain('done')
  expect(answer).toContain('HTTP/1.1 400 Bad Request')
})

test.each([
  ['answered', '', 'HTTP/1.1 200 OK'],
  ['refused', 'expect: wonders\r\n', 'HTTP/1.1 417 Expectation Failed'],
])('MCP-06 whoever asks for another protocol is %s, and told that the connection ends', async (_, more, status) => {
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\ncontent-length: 2\r\n\r\n{}'
  const answer = await exchange(`${HEAD}${more}${upgrade}${HEAD}content-length: 0\r\n\r\n`, (_, res) => res.end('done'))
  expect(answer).toContain(status)
  expect(answer).toContain('Connection: close')
})
