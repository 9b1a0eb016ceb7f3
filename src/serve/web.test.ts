import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
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
