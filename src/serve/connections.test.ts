import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Connections, limitConnections } from './connections.ts'

const MOST = 4

let server: Server
let connections: Connections
/** Answers to `/wait` that were never sent. */
const waiting: ServerResponse[] = []
const opened: Client[] = []

interface Client {
  readonly socket: Socket
  isOpen: boolean
}

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy()
  for (const res of waiting.splice(0)) res.destroy()
  server.closeAllConnections()
  server.close()
})

/** `/as/NAME` proves a name; what ends with `/wait` is never answered. */
async function listen(mayPipeline = true): Promise<void> {
  server = createServer()
  connections = limitConnections(server, { most: MOST, mayPipeline })
  server.on('request', (req: IncomingMessage, res) => {
    const [, word = '', name = ''] = (req.url ?? '').split('/')
    if (word === 'as') connections.keep(req.socket, name)
    if (!req.url?.endsWith('/wait')) return void res.end('ok')
    res.once('close', connections.answering(req.socket))
    waiting.push(res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}

/** Returns when the server has seen the connection, and what is sent on it. */
async function open(path?: string): Promise<Client> {
  const seen = once(server, path === undefined ? 'connection' : 'request')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const client: Client = { socket, isOpen: true }
  socket.on('error', () => {})
  socket.on('close', () => {
    client.isOpen = false
  })
  socket.resume()
  opened.push(client)
  if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await seen
  return client
}

const openOnes = (clients: readonly Client[]) => clients.map(({ isOpen }) => isOpen)

test('a full house closes what was silent longest, never what comes new', async () => {
  await listen()
  const clients: Client[] = []
  for (let i = 0; i < MOST + 2; i++) clients.push(await open())
  await expect.poll(() => openOnes(clients)).toEqual([false, false, true, true, true, true])
})

test('who has proved a name, or waits for an answer, stays before those that did not', async () => {
  await listen()
  const clients = [await open('/as/alice'), await open('/wait'), await open(), await open('/healthz')]
  for (let i = 0; i < 6; i++) await open()
  await expect.poll(() => openOnes(clients)).toEqual([true, true, false, false])
})

test('one named caller with all the connections gives up its own for others', async () => {
  await listen()
  const greedy: Client[] = []
  for (let i = 0; i < MOST - 1; i++) greedy.push(await open(i === 0 ? '/as/greedy/wait' : '/as/greedy'))
  const modest = await open('/as/modest')
  const late = await open('/as/late')
  await expect.poll(() => openOnes(greedy)).toEqual([true, false, true])
  expect(openOnes([modest, late])).toEqual([true, true])
})

test.each([true, false])('requests on one connection may overlap: %s', async (mayPipeline) => {
  await listen(mayPipeline)
  const client = await open('/wait')
  const seen = once(server, 'request')
  client.socket.write('GET /wait HTTP/1.1\r\nHost: x\r\n\r\n')
  await seen
  await expect.poll(() => client.isOpen).toBe(mayPipeline)
})
