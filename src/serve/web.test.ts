import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'
import { sendResponse, toWebRequest } from './web.ts'

const ROOMY = createByteBudget(1_000_000_000)

test.each([
  ['close', 'close'],
  ['keep-alive', 'keep-alive'],
])('MCP-06 a client that asks for connection: %s is told so, whatever the response promises', async (asked, told) => {
  const server = createServer((_, res) => {
    const headers = { connection: asked === 'close' ? 'keep-alive' : 'close', 'content-type': 'text/event-stream' }
    void sendResponse(new Response('data: {}\n\n', { headers }), res, 'unnamed', ROOMY)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(`POST /mcp HTTP/1.1\r\nhost: a\r\nconnection: ${asked}\r\ncontent-length: 0\r\n\r\n`)
  while (!answer.endsWith('0\r\n\r\n')) await once(socket, 'data')
  socket.destroy()
  server.close()
  const promised = answer.split('\r\n').filter((line) => line.toLowerCase().startsWith('connection:'))
  expect(promised).toEqual([`Connection: ${told}`])
})

/** A response of many megabytes, more than the system holds, to a client that reads as it likes. */
async function sendTo(read: (client: Socket) => void, patienceMs: number): Promise<'sent' | 'cut off'> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  read(client)
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
  void sendResponse(new Response(new Uint8Array(30_000_000)), res, 'unnamed', ROOMY, patienceMs)
  await once(res, 'close')
  await once(client.removeAllListeners('data').resume(), 'close')
  server.close()
  return client.bytesRead > 30_000_000 ? 'sent' : 'cut off'
}

test('MCP-06 a client that does not read its answer is cut off', async () => {
  expect(await sendTo((client) => client.pause(), 200)).toBe('cut off')
})

test('MCP-06 a client that reads slowly gets all of it', async () => {
  const slowly = (client: Socket) =>
    client.on('data', () => {
      client.pause()
      setTimeout(() => client.resume(), 3)
    })
  expect(await sendTo(slowly, 1_500)).toBe('sent')
})

test('MCP-06 a client that reads hardly anything, though something, is cut off', async () => {
  const hardly = (client: Socket) =>
    client.on('data', () => {
      client.pause()
      setTimeout(() => client.resume(), 50)
    })
  expect(await sendTo(hardly, 100)).toBe('cut off')
})

/** Answers of 8 MB to so many clients that read nothing; which of them were still held in the end. */
async function leaveUnread(keys: readonly string[], most: number): Promise<boolean[]> {
  const budget = createByteBudget(most)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const held: ServerResponse[] = []
  const clients: Socket[] = []
  for (const key of keys) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
      .on('error', () => {})
      .pause()
    clients.push(client)
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
    held.push(res)
    await sendResponse(new Response(new Uint8Array(8_000_000)), res, key, budget)
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  const isHeld = held.map((res) => !res.closed)
  for (const client of clients) client.destroy()
  server.close()
  return isHeld
}

test('answers that nobody reads are held up to so many bytes; the oldest of equals goes', async () => {
  expect(await leaveUnread(['a', 'a', 'a', 'a', 'a'], 25_000_000)).toEqual([false, false, true, true, true])
})

test('answers that nobody reads go from whoever leaves most unread', async () => {
  expect(await leaveUnread(['named', 'a', 'a', 'a', 'a'], 25_000_000)).toEqual([true, false, false, true, true])
})

test('small answers that wait behind one that is not made are counted as well', async () => {
  const budget = createByteBudget(50_000)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.resume().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(8))
  let count = 0
  server.on('request', (_, res) => {
    if (count++ > 0) void sendResponse(new Response(new Uint8Array(10_000)), res, 'unnamed', budget)
  })
  await once(client, 'close')
  expect(count).toBe(8)
  server.close()
})

test('an answer that is made and not read counts as written to its end', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
  await sendResponse(new Response(new Uint8Array(30_000_000)), res, 'unnamed', ROOMY)
  expect([res.writableEnded, res.writableFinished]).toEqual([true, false])
  client.destroy()
  server.close()
})

test('MCP-06 a stream for a client that has gone is not read', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
  client.destroy()
  await once(res, 'close')
  let isCancelled = false
  const endless = new ReadableStream({
    cancel() {
      isCancelled = true
    },
  })
  await sendResponse(new Response(endless), res, 'unnamed', ROOMY)
  expect(isCancelled).toBe(true)
  server.close()
})

test('MCP-06 a stream is not read to its end for a client that goes while it is sent', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
  let pulled = 0
  /** It goes on, whoever has gone: a `cancel` that does not end it at once. */
  const reader = {
    async read() {
      if (pulled++ === 1) {
        client.destroy()
        await once(res, 'close')
      }
      return { done: pulled > 100, value: new Uint8Array(10) }
    },
    cancel: async () => {},
  }
  const body = { getReader: () => reader }
  await sendResponse({ status: 200, headers: new Headers(), body } as unknown as Response, res, 'unnamed', ROOMY)
  expect(pulled).toBe(2)
  server.close()
})

test('SELF-04 what shows who sends a request is not handed on with its head', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.write('POST /mcp HTTP/1.1\r\nhost: a\r\nAuthorization: Bearer secret\r\nmcp-method: ping\r\n\r\n')
  const [req, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const { method, headers, signal } = toWebRequest(req, res)
  expect([method, Object.fromEntries(headers)]).toEqual(['POST', { host: 'a', 'mcp-method': 'ping' }])
  expect(signal.aborted).toBe(false)
  client.destroy()
  await once(res, 'close')
  expect(signal.aborted).toBe(true)
  server.close()
})
