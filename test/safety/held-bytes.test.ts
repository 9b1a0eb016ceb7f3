import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHookKey } from '../../src/core/hook/hook-key.ts'
import { createClientDirectory } from '../../src/core/operator/client-directory.ts'
import { serveHooks } from '../../src/serve/hook-endpoint.ts'
import { type HttpServer, serveHttp } from '../../src/serve/http.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { initialize, META, MODERN, post, toolCall } from '../e2e/raw-client.ts'
import { createRuntime, defineAdapter, defineOperation, type Runtime } from '../support.ts'
import { bearer, type IdentityWorld, openIdentityWorld, TOOL } from './identity-world.ts'

const MIB = 1_048_576
const LARGEST = 65_536
const CLOCK = { now: () => Date.now() }

const opened = new Set<Socket>()
afterEach(() => {
  for (const socket of opened) socket.destroy()
  opened.clear()
})

async function open(port: number): Promise<Socket> {
  const socket = dial(port, '127.0.0.1').on('error', () => {})
  opened.add(socket)
  await once(socket, 'connect')
  return socket
}

/** Connections that send so many bytes of a body that never ends, and then one more byte now and again. */
async function trickle(port: number, count: number, bytes: number, path = '/mcp', more = ''): Promise<Socket[]> {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n${more}`
  const words = `${head}Content-Length: ${bytes + 1_000}\r\n\r\n${' '.repeat(bytes)}`
  const join = async () => {
    const socket = await open(port)
    await new Promise((sent) => socket.write(words, sent))
    const timer = setInterval(() => socket.write(' '), 100)
    socket.on('close', () => clearInterval(timer))
    return socket
  }
  return await Promise.all(Array.from({ length: count }, join))
}

const headersOf = (token?: string) => ({
  ...bearer(token),
  'mcp-protocol-version': MODERN,
  'mcp-method': 'tools/call',
  'mcp-name': TOOL,
})

/** A server with the least limits, so that little fills them: 4 MiB of bodies and 16 MiB of answers. */
let runtime: Runtime
let server: HttpServer
let world: IdentityWorld
beforeEach(async () => {
  world = await openIdentityWorld()
  const text = 'x'.repeat(1_000_000)
  const read = (name: string, result: object) =>
    defineOperation({ name, category: 'READ', description: 'Read.', returns: 'object', handler: () => result })
  const operations = [read('get_big', { text }), read('get_small', {})]
  runtime = await createRuntime(defineAdapter({ name: 'things', description: 'Things.', operations }), {
    store: createMemoryStore(),
    clock: CLOCK,
    mode: 'single',
    limits: { max_request_size: LARGEST, max_response_size: MIB },
  })
  const clients = createClientDirectory(world.store, CLOCK, () => {})
  server = await serveHttp([runtime], { version: '0.0.0', graceMs: 200, clients })
  return async () => {
    await server.close()
    await runtime.close()
    await world.close()
  }
})

async function statusOf(args: object, token?: string): Promise<number> {
  return (await post(server.url, toolCall(1, TOOL, args, META), headersOf(token))).status
}

const READ = { operation: 'get_small' }
const LONG_READ = { operation: 'get_small', params: { text: 'x'.repeat(LARGEST - 1_000) } }

describe('bodies that never end', () => {
  test.each([
    ['unnamed callers', 34, 0],
    ['unnamed callers and a named one', 18, 18],
  ])('of %s, as large as may be, keep nobody out', async (_, unnamed, named) => {
    const [own, hostile] = [await world.token('uninvolved'), await world.token('hostile')]
    await trickle(server.port, unnamed, 2 * LARGEST)
    await trickle(server.port, named, 2 * LARGEST, '/mcp', `Authorization: Bearer ${hostile}\r\n`)
    await sleep(150)
    for (const args of [READ, LONG_READ]) expect([await statusOf(args), await statusOf(args, own)]).toEqual([200, 200])
    expect((await post(server.url, initialize())).status).toBe(200)
  })

  test('on many connections keep no small body and no named client out, and a large one for two seconds', async () => {
    const own = await world.token('uninvolved')
    await trickle(server.port, 120, 40_000)
    expect([await statusOf(READ), await statusOf(READ, own), await statusOf(LONG_READ, own)]).toEqual([200, 200, 200])
    await sleep(2_000)
    expect(await statusOf(LONG_READ)).toBe(200)
  })
})

test('questions that never end keep no hook from asking, and are told why they are refused', async () => {
  const key = await openHookKey(createMemoryStore())
  const judge = async () => ({ continue: true, reason: 'yes', factors: [] })
  const { port, close } = await serveHooks({ judge, key, port: 0 })
  const crowd = await trickle(port, 17, MIB, '/hook')
  const words = new Promise<string>((resolve) => {
    for (const socket of crowd) socket.once('data', (data) => resolve(String(data)))
  })
  const question = {
    nonce: 'a'.repeat(24),
    client: 'claude',
    event: 'PreToolUse',
    tool: 'Bash',
    session: 's',
    cwd: '/',
  }
  for (const length of [10, 900_000]) {
    const body = JSON.stringify({ ...question, input: { command: 'x'.repeat(length) } })
    expect((await post(`http://127.0.0.1:${port}/hook`, body)).status).toBe(200)
  }
  expect(await words).toMatch(/^HTTP\/1.1 503 [\s\S]*arrive at once/)
  await close()
})

describe('answers that nobody reads', () => {
  /** So many calls on one connection, and nothing is read for now. */
  async function ask(count: number, own?: string): Promise<Socket> {
    const socket = (await open(server.port)).pause()
    const body = JSON.stringify(toolCall(1, TOOL, { operation: 'get_big' }, META))
    const headers = { ...headersOf(own), accept: 'application/json, text/event-stream', host: '127.0.0.1' }
    const lines = Object.entries({ ...headers, 'content-type': 'application/json', 'content-length': body.length })
    const head = `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    socket.write(`${head}${body}`.repeat(count))
    return socket
  }

  /** Reads what there is to read; how many megabytes that was. */
  async function megabytesOf(socket: Socket): Promise<number> {
    socket.resume()
    for (let before = -1; before !== socket.bytesRead; ) {
      before = socket.bytesRead
      await sleep(300)
    }
    return Math.floor(socket.bytesRead / 1_000_000)
  }

  test('are held up to a limit; those of a named client stay, and others are answered', async () => {
    const own = await ask(7, await world.token('uninvolved'))
    await sleep(500)
    const crowd = [await ask(30), await ask(30), await ask(30)]
    await sleep(1_000)
    expect(await statusOf({ operation: 'get_big' })).toBe(200)
    const read = await Promise.all(crowd.map(megabytesOf))
    expect(read.reduce((sum, each) => sum + each)).toBeLessThan(50)
    expect(await megabytesOf(own)).toBe(7)
  }, 20_000)
})
