import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { sendResponse } from './web.ts'

test.each([
  ['close', 'close'],
  ['keep-alive', 'keep-alive'],
])('MCP-06 a client that asks for connection: %s is told so, whatever the response promises', async (asked, told) => {
  const server = createServer((_, res) => {
    const headers = { connection: asked === 'close' ? 'keep-alive' : 'close', 'content-type': 'text/event-stream' }
    void sendResponse(new Response('data: {}\n\n', { headers }), res)
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
async function sendTo(read: (client: Socket) => void, stalledMs: number): Promise<'sent' | 'cut off'> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  read(client)
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
  void sendResponse(new Response(new Uint8Array(30_000_000)), res, stalledMs)
  await once(res, 'close')
  client.destroy()
  server.close()
  return res.writableFinished ? 'sent' : 'cut off'
}

test('MCP-06 a client that does not read its answer is cut off', async () => {
  expect(await sendTo((client) => client.pause(), 200)).toBe('cut off')
})

test('MCP-06 a client that reads slowly gets all of it', async () => {
  const slowly = (client: Socket) =>
    client.on('data', () => {
      client.pause()
      setTimeout(() => client.resume(), 6)
    })
  expect(await sendTo(slowly, 1_500)).toBe('sent')
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
  await sendResponse(new Response(endless), res)
  expect(isCancelled).toBe(true)
  server.close()
})
