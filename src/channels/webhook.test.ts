import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { LogEntry } from '../core/ports/log.ts'
import { Secret } from '../core/ports/secret.ts'
import { createWebhook, type WebhookOptions, webhookFault } from './webhook.ts'

const SECRET = 'canary-of-the-bell'
const NOTICE = { kind: 'approval', level: 'dangerous', link: 'http://127.0.0.1:7421/requests/0123' } as const
const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test('SELF-02 a bell says what kind, how grave, where and when, and signs it', async () => {
  const server = await listen((_, res) => res.writeHead(204).end())
  expect(await ring(server.url)).toBe('rung')
  const [call] = server.calls
  expect(JSON.parse(call?.body ?? '')).toEqual({ ...NOTICE, at: '2026-11-16T00:00:00.000Z' })
  const mac = createHmac('sha256', SECRET).update(`1794787200.${call?.body}`).digest('hex')
  expect(call?.headers).toMatchObject({ 'mcpaql-timestamp': '1794787200', 'mcpaql-signature': `sha256=${mac}` })
  expect(JSON.stringify(call)).not.toContain(SECRET)
})

test('whatever else a notice holds stays here', async () => {
  const server = await listen((_, res) => res.end())
  const chatty = { ...NOTICE, hint: 'rm -rf /', params: { id: 1 }, code: 'ABCD' }
  await createWebhook(options(server.url)).ring(chatty)
  expect(Object.keys(JSON.parse(server.calls[0]?.body ?? ''))).toEqual(['kind', 'level', 'link', 'at'])
})

test('a redirect is not followed and not tried again', async () => {
  const target = await listen((_, res) => res.end())
  const server = await listen((_, res) => res.writeHead(307, { location: target.url }).end())
  expect(await ring(server.url)).toBe('failed')
  expect([server.calls.length, target.calls.length]).toEqual([1, 0])
})

test.each([
  [500, 3],
  [429, 3],
  [404, 1],
  [401, 1],
])('an answer %i makes %i tries', async (status, tries) => {
  const server = await listen((_, res) => res.writeHead(status).end())
  expect(await ring(server.url)).toBe('failed')
  expect(server.calls.length).toBe(tries)
})

test('the second try may succeed', async () => {
  let calls = 0
  const server = await listen((_, res) => res.writeHead(++calls === 1 ? 503 : 200).end())
  expect(await ring(server.url)).toBe('rung')
})

test('a server that does not answer in time is left', async () => {
  const server = await listen(() => {})
  const began = performance.now()
  expect(await ring(server.url, { timeoutMs: 100, backOffMs: [] })).toBe('failed')
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('a name that never resolves is left in time', async () => {
  const resolve = () => new Promise<never>(() => {})
  expect(await ring('https://bell.example/', { resolve, timeoutMs: 100, backOffMs: [] })).toBe('failed')
})

test.each([
  ['10.0.0.7'],
  ['127.0.0.1'],
  ['169.254.169.254'],
  ['192.168.1.1'],
  ['0.0.0.0'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['::ffff:a9fe:a9fe'],
  ['fd00::1'],
  ['fe80::1'],
])('security SSRF: a name that means %s is not called', async (address) => {
  const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 } as const]
  const said: LogEntry[] = []
  const log = { write: (entry: LogEntry) => said.push(entry) }
  expect(await ring('https://bell.example/', { resolve, log })).toBe('failed')
  expect(said.map(({ message }) => message)).toEqual([
    'The webhook did not ring: its host lies in a private or reserved network, and the operator has not allowed it',
  ])
})

test.each(['https://[::]/', 'https://0177.0.0.1.nip.invalid@10.0.0.1/', 'https://10.1/', 'https://0x7f.1/'])(
  'security SSRF: %s reaches nobody',
  async (url) => {
    const reach = async () => {
      const fault = webhookFault(url)
      return fault === undefined
        ? createWebhook(options(url, { timeoutMs: 200, backOffMs: [] })).ring(NOTICE)
        : 'failed'
    }
    expect(await reach()).toBe('failed')
  },
)

test('security SSRF: one private address among public ones is refused', async () => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 } as const,
    { address: '10.0.0.7', family: 4 } as const,
  ]
  const said: string[] = []
  const log = { write: ({ message }: LogEntry) => void said.push(message) }
  expect(await ring('https://bell.example/', { resolve, log, backOffMs: [], timeoutMs: 300 })).toBe('failed')
  expect(said).toEqual([expect.stringContaining('private or reserved network')])
})

test('security SSRF: a name that changes its meaning is asked once, and the checked address is called', async () => {
  const server = await listen((_, res) => res.end())
  let asked = 0
  const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '203.0.113.9', family: 4 } as const]
  const url = server.url.replace('127.0.0.1', 'localhost')
  expect(await ring(url, { resolve })).toBe('rung')
  expect([asked, server.calls[0]?.headers.host]).toEqual([1, `localhost:${new URL(url).port}`])
})

test('security SSRF: localhost that means something else is refused', async () => {
  const resolve = async () => [{ address: '10.0.0.7', family: 4 } as const]
  expect(await ring('http://localhost:1/', { resolve, backOffMs: [] })).toBe('failed')
})

test('a host that the operator has allowed may be private', async () => {
  const server = await listen((_, res) => res.end())
  const { port } = new URL(server.url)
  const resolve = async () => [{ address: '127.0.0.1', family: 4 } as const]
  const given = { resolve, backOffMs: [], allowedHosts: ['bell.internal'] }
  // The test server speaks no TLS: that a connection was made is what is asked here.
  expect(await ring(`https://bell.internal:${port}/`, given)).toBe('failed')
  expect(server.connections()).toBe(1)
  expect(await ring(`https://other.internal:${port}/`, given)).toBe('failed')
  expect(server.connections()).toBe(1)
})

test.each([
  ['https://example.org/bell', undefined],
  ['http://127.0.0.1:8080/', undefined],
  ['http://[::1]/', undefined],
  ['http://localhost/', undefined],
  ['http://example.org/', 'must be https, or http on this computer'],
  ['ftp://127.0.0.1/', 'must be https, or http on this computer'],
  ['https://ann:pw@example.org/', 'must not hold a user name or a password'],
  ['bell', 'must be an address such as https://example.org/bell'],
])('%s', (url, fault) => {
  expect(webhookFault(url)).toBe(fault)
})

function ring(url: string, given: Partial<WebhookOptions> = {}) {
  return createWebhook(options(url, given)).ring(NOTICE)
}

function options(url: string, given: Partial<WebhookOptions> = {}): WebhookOptions {
  const clock = { now: () => Date.parse('2026-11-16T00:00:00Z') }
  return { url, secret: new Secret(SECRET), clock, backOffMs: [1, 1], timeoutMs: 2_000, ...given }
}

interface Call {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

async function listen(answer: (req: IncomingMessage, res: ServerResponse) => void) {
  const calls: Call[] = []
  let connections = 0
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const piece of req.setEncoding('utf8')) body += piece
    calls.push({ headers: req.headers, body })
    answer(req, res)
  })
  server.on('connection', () => {
    connections++
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/bell`, calls, connections: () => connections }
}
