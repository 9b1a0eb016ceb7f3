import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type OpenResponses, trackResponses } from './open-responses.ts'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

async function open(
  listener: RequestListener,
): Promise<{ readonly responses: OpenResponses; readonly client: Socket }> {
  const server = createServer(listener)
  const responses = trackResponses(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  ended.push(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { responses, client }
}

const request = (path: string) => `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}`

test('MCP-12 when a connection ends, the responses that wait for their turn are closed too, each once', async () => {
  const [begun, closed]: string[][] = [[], []]
  const { client } = await open(({ url = '' }, res) => {
    begun?.push(url)
    res.on('close', () => closed?.push(url))
  })
  client.write(['/a', '/b', '/c'].map(request).join(''))
  await expect.poll(() => begun).toHaveLength(3)
  client.destroy()
  await expect.poll(() => closed).toHaveLength(3)
  expect(closed?.toSorted()).toEqual(['/a', '/b', '/c'])
})

test('MCP-06 a response is forgotten once it has been sent', async () => {
  const seen: [number, string | undefined][] = []
  let sockets: Socket[] = []
  const { responses, client } = await open(({ socket }, res) => {
    seen.push([responses.countOn(socket), responses.latestOn(socket)?.req.url])
    sockets = [socket]
    setTimeout(() => res.end('done'), 10)
  })
  client.resume().write(['/a', '/b'].map(request).join(''))
  await expect.poll(() => sockets.map((socket) => responses.countOn(socket))).toEqual([0])
  expect(seen).toEqual([
    [1, '/a'],
    [2, '/b'],
  ])
  expect(sockets.map((socket) => responses.latestOn(socket))).toEqual([undefined])
})
