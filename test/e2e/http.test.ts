import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type HttpOptions, type HttpServer, serveHttp } from '../../src/serve/http.ts'
import { createServerFactory, type ServerFactory } from '../../src/serve/mcp.ts'
import { openProbe, type Probe } from './probe-adapter.ts'
import {
  exchangeBytes,
  INITIALIZED,
  initialize,
  META,
  MODERN,
  modernHeaders,
  post,
  resultOf,
  runTypeScript,
  toolCall,
} from './raw-client.ts'

let probe: Probe
let server: HttpServer
const opened: HttpServer[] = []

beforeAll(async () => {
  probe = await openProbe()
  server = await serveHttp([probe.runtime], { version: '9.9.9' })
})
afterAll(() => server.close())
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function open(options: Partial<HttpOptions> = {}, limits = {}): Promise<HttpServer & { probe: Probe }> {
  const own = await openProbe({ limits })
  const made = await serveHttp([own.runtime], { version: '9.9.9', ...options })
  opened.push(made)
  return { ...made, probe: own }
}

async function openSession(url = server.url): Promise<Record<string, string>> {
  const answer = await post(url, initialize())
  const headers = { 'mcp-session-id': answer.headers['mcp-session-id'] ?? '' }
  await post(url, INITIALIZED, headers)
  return headers
}

const call = (id: string | number, operation: string, params = {}, extra = {}) =>
  toolCall(id, 'probe', { operation, params, ...extra })
const modernCall = (id: string | number, operation: string, params = {}, extra = {}) =>
  toolCall(id, 'probe', { operation, params, ...extra }, META)
const MODERN_CALL = modernHeaders('tools/call', 'probe')

test('MCP-06 a request is answered by JSON or a stream, a notification by 202 without body', async () => {
  const first = await post(server.url, initialize())
  expect(first.status).toBe(200)
  expect(first.messages[0]?.result).toMatchObject({ protocolVersion: '2025-06-18' })
  const session = { 'mcp-session-id': first.headers['mcp-session-id'] ?? '' }
  const noted = await post(server.url, INITIALIZED, session)
  expect([noted.status, noted.body]).toEqual([202, ''])
  const stray = await post(server.url, { jsonrpc: '2.0', id: 1, result: {} }, session)
  expect([stray.status, stray.body]).toEqual([202, ''])
  const answer = await post(server.url, call(1, 'echo', { text: 'hi' }), session)
  expect(answer.headers['content-type']).toMatch(/^(application\/json|text\/event-stream)/)
  expect(answer.messages.at(-1)?.result).toEqual({
    content: [{ type: 'text', text: '{"success":true,"data":{"text":"hi"}}' }],
    isError: false,
  })
})

test('MCP-06 GET opens a stream for a session, and 405 on the stateless revision and for other methods', async () => {
  const session = await openSession()
  const stop = new AbortController()
  const stream = await fetch(server.url, { headers: { accept: 'text/event-stream', ...session }, signal: stop.signal })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  stop.abort()
  const statusOf = async (method: string, headers: Record<string, string> = {}) =>
    (await fetch(server.url, { method, headers })).status
  expect(await statusOf('GET', { 'mcp-protocol-version': MODERN })).toBe(405)
  expect(await statusOf('GET', { accept: 'application/json', ...session })).toBe(406)
  expect(await statusOf('GET')).toBe(400)
  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD']) expect(await statusOf(method), method).toBe(405)
})

test('MCP-06 other paths say where the endpoint is; the health check answers', async () => {
  for (const path of ['/', '/mcp/', '/mcp2', '/favicon.ico']) {
    const answer = await fetch(new URL(path, server.url))
    expect(answer.status, path).toBe(404)
    expect(await answer.text()).toContain('/mcp')
  }
  const health = await fetch(new URL('/healthz', server.url))
  expect([health.status, await health.text()]).toEqual([200, 'ok\n'])
})

function statusWith(headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      server.url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (res) => resolve(res.resume().statusCode ?? 0),
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(initialize()))
  })
}

test.each([
  [{ origin: 'http://localhost:3000' }, 200],
  [{ origin: 'http://127.0.0.1' }, 200],
  [{}, 200],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'http://localhost.evil.example' }, 403],
  [{ host: 'evil.example' }, 403],
  [{ host: 'localhost.evil.example:80' }, 403],
])('MCP-07 %j gets %i', async (headers, status) => {
  expect(await statusWith(headers as Record<string, string>)).toBe(status)
})

test('MCP-07 more hosts and origins can be allowed', async () => {
  const { url } = await open({ origins: ['app.example'] })
  expect((await post(url, initialize(), { origin: 'https://app.example' })).status).toBe(200)
  expect((await post(url, initialize(), { origin: 'https://other.example' })).status).toBe(403)
})

test.each(['0.0.0.0', '::', '192.168.1.10', 'example.com', ''])(
  'MCP-07 %j is no address to listen on without authentication',
  async (host) => {
    await expect(serveHttp([probe.runtime], { version: '0', host })).rejects.toThrow(/authentication/)
  },
)

test('MCP-07 the default address is 127.0.0.1', () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
})

test('MCP-08 an unsupported protocol version gets 400, an absent or supported one passes', async () => {
  const session = await openSession()
  const status = async (version?: string) =>
    (await post(server.url, call(1, 'echo'), { ...session, ...(version && { 'mcp-protocol-version': version }) }))
      .status
  expect(await status('1999-01-01')).toBe(400)
  expect(await status('nonsense')).toBe(400)
  expect(await status()).toBe(200)
  expect(await status('2025-03-26')).toBe(200)
  expect(await status('2025-11-25')).toBe(200)
})

test('MCP-09 the session id is random; without it 400, with a wrong or ended one 404; DELETE ends it', async () => {
  const ids = await Promise.all([1, 2, 3].map(async () => (await openSession())['mcp-session-id'] ?? ''))
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{22,}$/)
  expect((await post(server.url, call(1, 'echo'))).status).toBe(400)
  expect((await post(server.url, call(1, 'echo'), { 'mcp-session-id': 'chosen-by-me' })).status).toBe(404)
  expect((await post(server.url, initialize(), { 'mcp-session-id': 'chosen-by-me' })).status).toBe(404)

  const session = { 'mcp-session-id': ids[0] ?? '' }
  expect((await fetch(server.url, { method: 'DELETE' })).status).toBe(400)
  expect((await fetch(server.url, { method: 'DELETE', headers: { 'mcp-session-id': 'x' } })).status).toBe(404)
  expect((await fetch(server.url, { method: 'DELETE', headers: session })).status).toBe(200)
  expect((await post(server.url, call(1, 'echo'), session)).status).toBe(404)
  expect((await fetch(server.url, { method: 'DELETE', headers: session })).status).toBe(404)
})

test('SES-01 SES-06 SES-07 a session is the Mcp-Session-Id, its own id another; DELETE ends both', async () => {
  const [one, two] = [await openSession(), await openSession()]
  const whoami = async (headers: Record<string, string>, id: number) =>
    resultOf((await post(server.url, call(id, 'whoami', {}, { _session: 'stolen' }), headers)).messages.at(-1)).data
  const first = await whoami(one, 1)
  expect(first).toEqual({ session: expect.any(String), principal: 'anonymous' })
  expect(first.session).not.toBe(one['mcp-session-id'])
  expect(await whoami(one, 2)).toEqual(first)
  expect((await whoami(two, 1)).session).not.toBe(first.session)

  const stop = new AbortController()
  await fetch(server.url, { headers: { accept: 'text/event-stream', ...one }, signal: stop.signal })
  stop.abort() // a stream that drops is not the end of the session
  expect(await whoami(one, 3)).toEqual(first)
  expect(probe.runtime.findSession(first.session, 'anonymous')).toBeDefined()
  await fetch(server.url, { method: 'DELETE', headers: one })
  await expect.poll(() => probe.runtime.findSession(first.session, 'anonymous')).toBeUndefined()
})

test('MCP-09 sessions are capped, and end when nobody uses them', async () => {
  const { url, probe } = await open({ maxSessions: 2, idleMs: 1_500 })
  const one = await openSession(url)
  const { session } = resultOf((await post(url, call(1, 'whoami'), one)).messages.at(-1)).data
  await openSession(url)
  expect((await post(url, initialize())).status).toBe(200)
  expect((await post(url, call(2, 'echo'), one)).status).toBe(200) // one that has done nothing gave way
  await expect.poll(() => probe.runtime.findSession(session, 'anonymous'), { timeout: 15_000 }).toBeUndefined()
  expect((await post(url, call(1, 'echo'), one)).status).toBe(404)
})

test('MCP-09 a session with a request under way does not give way; where all have one, the next is told to wait', async () => {
  const { url } = await open({ maxSessions: 2 })
  const sessions = [await openSession(url), await openSession(url)]
  const working = sessions.map((session) => post(url, call(1, 'work', { steps: 20, ms: 100 }), session))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const refused = await post(url, initialize())
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBeDefined()
  for (const each of working) expect(resultOf((await each).messages.at(-1)).data).toEqual({ done: 20 })
  expect((await post(url, initialize())).status).toBe(200)
})

test('MCP-09 a session at work is not idle', async () => {
  const { url } = await open({ idleMs: 500 })
  const session = await openSession(url)
  const answer = await post(url, call(1, 'work', { steps: 10, ms: 120 }), session)
  expect(resultOf(answer.messages.at(-1)).data).toEqual({ done: 10 })
})

test('MCP-01 an id that is in flight may not be used again', async () => {
  const session = await openSession()
  const slow = post(server.url, call('same', 'work', { steps: 3, ms: 60 }), session)
  await new Promise((resolve) => setTimeout(resolve, 60))
  const second = await post(server.url, call('same', 'echo'), session)
  expect([second.status, second.messages[0]?.error?.code]).toEqual([400, -32600])
  expect(resultOf((await slow).messages.at(-1)).data).toEqual({ done: 3 })
  expect((await post(server.url, call('same', 'echo'), session)).status).toBe(200)
})

test('PROG-02 PROG-03 progress comes on the stream of the request, in both eras', async () => {
  const args = { operation: 'work', params: { steps: 3, ms: 5 } }
  const old = await post(server.url, toolCall(1, 'probe', args, { progressToken: 'a' }), await openSession())
  const now = await post(server.url, toolCall(1, 'probe', args, { ...META, progressToken: 'a' }), MODERN_CALL)
  for (const { messages } of [old, now]) {
    expect(messages.slice(0, -1).map(({ params }) => params)).toEqual(
      [1, 2, 3].map((progress) => ({ progressToken: 'a', progress, total: 3, message: 'step' })),
    )
    expect(messages.at(-1)?.id).toBe(1)
  }
  const none = await post(server.url, toolCall(1, 'probe', args, META), MODERN_CALL)
  expect(none.headers['content-type']).toBe('application/json')
})

test('MCP-12 cancelling stops the work within 200 ms: a notification, or on the stateless revision the closed stream', {
  retry: 2,
}, async () => {
  const session = await openSession()
  const before = probe.events.length
  const slow = post(server.url, call('slow', 'work', { steps: 1_000, ms: 20 }), session)
  await expect.poll(() => probe.events.slice(before).at(-1)?.what).toBe('started')
  let sent = performance.now()
  await post(server.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } }, session)
  await expect.poll(() => probe.events.at(-1)?.what).toBe('aborted')
  expect((probe.events.at(-1)?.at ?? 0) - sent).toBeLessThan(200)
  expect((await slow).messages).toEqual([]) // the stream ends without an answer

  const stop = new AbortController()
  const gone = fetch(server.url, {
    method: 'POST',
    body: JSON.stringify(modernCall(1, 'work', { steps: 1_000, ms: 20 })),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...MODERN_CALL },
    signal: stop.signal,
  }).catch(() => 'gone')
  await expect.poll(() => probe.events.at(-1)?.what).toBe('started')
  sent = performance.now()
  stop.abort()
  await expect.poll(() => probe.events.at(-1)?.what).toBe('aborted')
  expect((probe.events.at(-1)?.at ?? 0) - sent).toBeLessThan(200)
  expect(await gone).toBe('gone')
})

test('MCP-12 of a cancelled request nothing is kept', async () => {
  const own = await openProbe()
  const made: ReturnType<ServerFactory>[] = []
  const servers: ServerFactory = (unit) => {
    const one = createServerFactory([own.runtime], { name: 'mcpaql', version: '0' })(unit)
    made.push(one)
    return one
  }
  const { url } = await open({ servers })
  const session = await openSession(url)
  const slow = post(url, call('slow', 'work', { steps: 1_000, ms: 20 }), session)
  await expect.poll(() => own.events.at(-1)?.what).toBe('started')
  const [transport] = made.map((one) => ('server' in one ? one.server : one).transport)
  const kept = (): ReadonlyMap<unknown, unknown> => Reflect.get(transport ?? {}, '_requestToStreamMapping')
  expect([...kept().keys()]).toEqual(['slow'])
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } }, session)
  expect((await slow).messages).toEqual([])
  expect(kept().size).toBe(0)
})

/** Requests that a client sends without waiting for an answer. */
const pipelined = (messages: readonly object[], headers: Record<string, string>) =>
  messages
    .map((message) => JSON.stringify(message))
    .map((body) => {
      const all = { host: 'localhost', 'content-type': 'application/json', accept: ACCEPT, ...headers }
      const head = Object.entries({ ...all, 'content-length': body.length }).map((header) => header.join(': '))
      return ['POST /mcp HTTP/1.1', ...head, '', body].join('\r\n')
    })
    .join('')
const ACCEPT = 'application/json, text/event-stream'

test('MCP-12 a connection that ends stops the calls too that wait on it behind another', async () => {
  const own = await open()
  const count = (wanted: string) => own.probe.events.filter(({ what }) => what === wanted).length
  const socket = connect(own.port, '127.0.0.1')
  const slow = [1, 2, 3].map((id) => modernCall(id, 'work', { steps: 1_000, ms: 20 }))
  socket.write(pipelined(slow, MODERN_CALL))
  await expect.poll(() => count('started')).toBe(3)
  socket.destroy()
  await expect.poll(() => count('aborted')).toBe(3)
})

test('MCP-01 MCP-09 the ids of a connection that ends are free again', async () => {
  const own = await open()
  const session = await openSession(own.url)
  const socket = connect(own.port, '127.0.0.1')
  const calls = [1, 2].map((id) => call(id, 'work', { steps: 5, ms: 20 }))
  socket.write(pipelined(calls, session))
  await expect.poll(() => own.probe.events.filter(({ what }) => what === 'started')).toHaveLength(2)
  socket.destroy()
  for (const id of [1, 2]) {
    await expect.poll(async () => (await post(own.url, call(id, 'echo'), session)).status).toBe(200)
  }
})

test('MCP-06 a connection with too many requests under way is refused more, and ends', async () => {
  const calls = Array.from({ length: 40 }, (_, id) => modernCall(id, 'work', { steps: 1, ms: 300 }))
  const answer = await exchangeBytes(server.port, pipelined(calls, MODERN_CALL), 10_000)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(32).fill('HTTP/1.1 200'), 'HTTP/1.1 429'])
})

test('MCP-20 MCP-21 MCP-24 server/discover and tools/list without a handshake', async () => {
  const discover = await post(
    server.url,
    { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } },
    modernHeaders('server/discover'),
  )
  expect(discover.messages[0]?.result).toMatchObject({
    supportedVersions: [MODERN],
    resultType: 'complete',
    ttlMs: 300_000,
  })
  expect(discover.headers['mcp-session-id']).toBeUndefined()
  const list = await post(
    server.url,
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } },
    modernHeaders('tools/list'),
  )
  expect(list.messages[0]?.result).toMatchObject({ tools: [{ name: 'probe' }], ttlMs: 300_000, cacheScope: 'private' })
})

test.each([
  ['MCP-22 another method in the header', { 'mcp-method': 'tools/list' }, 400, -32020],
  ['MCP-22 another name in the header', { 'mcp-name': 'other' }, 400, -32020],
  ['MCP-22 no method header', { 'mcp-method': '' }, 400, -32020],
  ['MCP-22 another version in the header', { 'mcp-protocol-version': '2025-06-18' }, 400, -32020],
])('%s is refused', async (_, headers, status, code) => {
  const given = Object.entries({ ...MODERN_CALL, ...headers }).filter(([, value]) => value !== '')
  const answer = await post(server.url, modernCall(1, 'echo'), Object.fromEntries(given))
  expect([answer.status, answer.messages[0]?.error?.code]).toEqual([status, code])
})

test('MCP-21 metadata that is missing, incomplete or of another version is refused', async () => {
  const { 'io.modelcontextprotocol/clientCapabilities': _, ...incomplete } = META
  const send = async (meta: Record<string, unknown> | undefined) => {
    const answer = await post(server.url, toolCall(1, 'probe', { operation: 'echo' }, meta), MODERN_CALL)
    return [answer.status, answer.messages[0]?.error?.code]
  }
  expect(await send(undefined)).toEqual([400, -32602])
  expect(await send(incomplete)).toEqual([400, -32602])
  const other = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  const answer = await post(server.url, toolCall(1, 'probe', {}, other), {
    ...MODERN_CALL,
    'mcp-protocol-version': '2099-01-01',
  })
  expect([answer.status, answer.messages[0]?.error?.code]).toEqual([400, -32022])
})

test('MCP-25 introspect mints a handle; `_session` carries it; a wrong one is explained; without one there is none', async () => {
  const ask = async (args: object) => {
    const answer = await post(server.url, toolCall(1, 'probe', args, META), MODERN_CALL)
    expect(answer.status).toBe(200)
    return { ...resultOf(answer.messages[0]), isError: answer.messages[0]?.result?.isError }
  }
  const minted = (await ask({ operation: 'introspect', params: { query: 'operations' } })).data._protocol.session_id
  expect(minted).toEqual(expect.stringMatching(/^[\w-]{22,}$/))
  expect((await ask({ operation: 'whoami', _session: minted })).data).toEqual({
    session: minted,
    principal: 'anonymous',
  })
  expect(
    (await ask({ operation: 'introspect', params: { query: 'operations' }, _session: minted })).data._protocol
      .session_id,
  ).toBe(minted)
  expect((await ask({ operation: 'whoami' })).data).toEqual({ session: null, principal: 'anonymous' })

  const unknown = await ask({ operation: 'whoami', _session: 'made-up' })
  expect(unknown).toMatchObject({
    success: false,
    isError: false,
    error: { code: 'NOT_FOUND_RESOURCE', details: { resource_type: 'session', resource_id: 'made-up' } },
  })
  expect(JSON.stringify(unknown)).toContain('introspect')
  expect((await ask({ operation: 'whoami', _session: 7 })).error.code).toBe('VALIDATION_INVALID_TYPE')
})

test('SES-05 MCP-18 what a client writes into _meta decides nothing', async () => {
  const minted = resultOf(
    (await post(server.url, modernCall(1, 'introspect', { query: 'operations' }), MODERN_CALL)).messages[0],
  ).data._protocol.session_id
  const meta = { ...META, _session: minted, session_id: minted, 'mcpaql.dev/session': minted, principal: 'root' }
  const answer = await post(server.url, toolCall(1, 'probe', { operation: 'whoami', _meta: meta }, meta), MODERN_CALL)
  expect(resultOf(answer.messages[0]).data).toEqual({ session: null, principal: 'anonymous' })
  const keys = Object.keys((answer.messages[0]?.result?._meta ?? {}) as object)
  expect(keys).toEqual(['io.modelcontextprotocol/serverInfo'])
})

const encoder = new TextEncoder()

test.each([
  ['legacy', undefined],
  ['modern', META],
])('DATA-01 DATA-08 ERR-06 a byte fault of a tool call is a tool result (%s)', async (_, meta) => {
  const { url } = await open({}, { max_request_size: 65_536, max_array_elements: 100 })
  const headers = meta ? MODERN_CALL : await openSession(url)
  const body = JSON.stringify(toolCall(7, 'probe', { operation: 'echo', text: 'Z' }, meta))
  const bad = encoder.encode(body).map((byte) => (byte === 90 ? 0xff : byte))
  const encoding = await post(url, bad, headers)
  expect(encoding.status).toBe(200)
  expect(encoding.messages[0]?.id).toBe(7)
  expect(encoding.messages[0]?.result).toMatchObject({ isError: false, ...(meta && { resultType: 'complete' }) })
  expect(resultOf(encoding.messages[0]).error.code).toBe('VALIDATION_INVALID_ENCODING')

  const long = Array.from({ length: 101 }, () => 1)
  const array = await post(url, toolCall(8, 'probe', { operation: 'echo', list: long }, meta), headers)
  expect(resultOf(array.messages[0]).error.details).toMatchObject({ limit_type: 'array_elements', limit_value: 100 })
  const size = await post(url, toolCall(9, 'probe', { operation: 'echo', text: 'x'.repeat(80_000) }, meta), headers)
  expect([size.status, size.messages[0]?.id]).toEqual([200, 9])
  expect(resultOf(size.messages[0]).error.details).toMatchObject({ limit_type: 'request_size', limit_value: 65_536 })
})

test('DATA-08 what is larger than is held gets 413, and the server goes on', async () => {
  const { url } = await open({}, { max_request_size: 65_536 })
  const session = await openSession(url)
  expect((await post(url, 'x'.repeat(200_000), session)).status).toBe(413)
  expect((await post(url, 'x'.repeat(2_000_000), session)).status).toBe(413)
  expect((await post(url, call(1, 'echo'), session)).status).toBe(200)
})

test('DATA-08 DATA-10 a call that is larger than is held is refused by its own id, wherever the client writes it', async () => {
  const { url } = await open({}, { max_request_size: 65_536 })
  const session = await openSession(url)
  const { id, ...rest } = toolCall(11, 'probe', { operation: 'echo', text: 'x'.repeat(200_000) }) as { id: number }
  for (const message of [
    { id, ...rest },
    { ...rest, id },
  ]) {
    const refused = await post(url, message, session)
    expect([refused.status, refused.messages[0]?.id]).toEqual([200, 11])
    expect(resultOf(refused.messages[0]).error.details).toMatchObject({
      limit_type: 'request_size',
      limit_value: 65_536,
    })
  }
})

test.each([
  ['MCP-01 no JSON', 'garbage', 400, null, -32700],
  ['MCP-01 an empty body', '', 400, null, -32700],
  ['MCP-01 a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, null, -32600],
  ['MCP-01 an unfinished message', '{"jsonrpc":"2.0","id":3,"method":"ping"', 400, 3, -32700],
  ['MCP-01 a key twice', '{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":1,"a":2}}', 400, 3, -32600],
  ['MCP-01 a bad id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, null, -32600],
  ['MCP-01 no method', '{"jsonrpc":"2.0","id":5}', 400, 5, -32600],
  ['MCP-01 a number', '42', 400, null, -32600],
  ['ERR-06 bad params', '{"jsonrpc":"2.0","id":6,"method":"ping","params":[]}', 400, 6, -32602],
  ['ERR-06 a bad handshake', '{"jsonrpc":"2.0","id":6,"method":"initialize","params":{}}', 400, 6, -32602],
])('%s gets 400 and says why', async (_, body, status, id, code) => {
  const answer = await post(server.url, body, {})
  expect([answer.status, answer.messages[0]?.id, answer.messages[0]?.error?.code]).toEqual([status, id, code])
})

test('MCP-06 415 for another content type or an encoded body', async () => {
  expect((await post(server.url, initialize(), { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post(server.url, initialize(), { 'content-type': 'application/jsonp' })).status).toBe(415)
  expect((await post(server.url, initialize(), { 'content-encoding': 'gzip' })).status).toBe(415)
  expect((await post(server.url, initialize(), { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200)
})

test('MCP-15 MCP-21 unknown tools and methods in both eras', async () => {
  const session = await openSession()
  const tool = await post(server.url, toolCall(1, 'nope', {}), session)
  expect(tool.messages[0]?.error?.code).toBe(-32602)
  const modern = await post(server.url, toolCall(1, 'nope', {}, META), modernHeaders('tools/call', 'nope'))
  expect(modern.messages[0]?.error?.code).toBe(-32602)
  const method = await post(
    server.url,
    { jsonrpc: '2.0', id: 1, method: 'nope', params: { _meta: META } },
    modernHeaders('nope'),
  )
  expect([method.status, method.messages[0]?.error?.code]).toEqual([404, -32601])
  const old = await post(server.url, { jsonrpc: '2.0', id: 2, method: 'nope' }, session)
  expect(old.messages[0]?.error?.code).toBe(-32601)
})

test.each([
  ['not HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['no Host', 'POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'],
  ['HTTP/1.0 without Host', 'POST /mcp HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'],
  ['two lengths', 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}'],
  [
    'length and chunks',
    'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'a wrong chunk',
    'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  ],
  ['an absolute target', 'GET http://localhost/mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'],
  ['a star', 'OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'],
])('MCP-06 %s is refused with 4xx, never 5xx', async (_, bytes) => {
  const answer = await exchangeBytes(server.port, Buffer.from(bytes, 'latin1'), 1_000)
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect((await fetch(new URL('/healthz', server.url))).status).toBe(200)
})

test('MCP-06 a client that hangs up in the middle of its body does no harm', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"json',
    )
    await new Promise((resolve) => setTimeout(resolve, 5))
    socket.destroy()
  }
  expect((await post(server.url, initialize())).status).toBe(200)
})

test('MCP-13 setLevel over HTTP is of the session', async () => {
  const [loud, quiet] = [await openSession(), await openSession()]
  const set = await post(
    server.url,
    { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'debug' } },
    loud,
  )
  expect(set.messages[0]?.result).toEqual({})
  const heard = await post(server.url, call(2, 'echo'), loud)
  expect(heard.messages.map(({ method }) => method)).toEqual(['notifications/message', undefined])
  expect((await post(server.url, call(2, 'echo'), quiet)).messages).toHaveLength(1)
})

test('MCP-06 close answers what is in flight, ends sessions and streams, and frees the port', async () => {
  const { url, port, close, probe } = await open()
  const session = await openSession(url)
  const id = resultOf((await post(url, call(0, 'whoami'), session)).messages.at(-1)).data.session
  const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...session } })
  const old = post(url, call(1, 'work', { steps: 4, ms: 50 }), session)
  const now = post(url, modernCall(1, 'work', { steps: 4, ms: 50 }), MODERN_CALL)
  await expect.poll(() => probe.events.filter(({ what }) => what === 'started')).toHaveLength(2)
  const started = performance.now()
  await close()
  expect(performance.now() - started).toBeLessThan(3_000)
  expect(resultOf((await old).messages.at(-1)).data).toEqual({ done: 4 })
  expect(resultOf((await now).messages.at(-1)).data).toEqual({ done: 4 })
  await stream.text().catch(() => '')
  expect(probe.runtime.findSession(id, 'anonymous')).toBeUndefined()
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
})

test('MCP-06 SIGTERM: what is in flight is answered, then the process ends', async () => {
  const child = runTypeScript('./probe-server.ts', ['http'])
  const [line] = await once(child.stdout ?? child, 'data')
  const url = String(line).trim()
  const answer = post(url, toolCall(1, 'probe', { operation: 'work', params: { steps: 6, ms: 50 } }, META), MODERN_CALL)
  await new Promise((resolve) => setTimeout(resolve, 100))
  child.kill('SIGTERM')
  expect(resultOf((await answer).messages.at(-1)).data).toEqual({ done: 6 })
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test.each([
  ['v2, handshake', undefined],
  ['v2, newest there is', { mode: 'auto' as const }],
  ['v2, 2026-07-28', { mode: { pin: MODERN } }],
])('MCP-20 the SDK client (%s) gets the same answers over HTTP', async (_, versionNegotiation) => {
  const client = new ModernClient({ name: 't', version: '1' }, versionNegotiation ? { versionNegotiation } : {})
  await client.connect(new ModernHttp(new URL(server.url)))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['probe'])
  const answer = await client.callTool({ name: 'probe', arguments: { operation: 'echo', params: { text: 'hello' } } })
  expect(answer).toMatchObject({
    content: [{ type: 'text', text: '{"success":true,"data":{"text":"hello"}}' }],
    isError: false,
  })
  const stop = new AbortController()
  const slow = client.callTool(
    { name: 'probe', arguments: { operation: 'work', params: { steps: 1_000, ms: 20 } } },
    { signal: stop.signal },
  )
  await expect.poll(() => probe.events.at(-1)?.what).toBe('started')
  stop.abort()
  await expect(slow).rejects.toThrow()
  await expect.poll(() => probe.events.at(-1)?.what).toBe('aborted')
  await client.close()
})

test('MCP-20 the v1 SDK client gets the same answers over HTTP', async () => {
  const client = new OldClient({ name: 't', version: '1' })
  const transport = new OldHttp(new URL(server.url))
  await client.connect(transport as OldTransport)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['probe'])
  const answer = await client.callTool({ name: 'probe', arguments: { operation: 'echo', params: { text: 'hello' } } })
  expect(answer.content).toEqual([{ type: 'text', text: '{"success":true,"data":{"text":"hello"}}' }])
  await transport.terminateSession()
  await client.close()
})

test('MCP-20 the same operation gives the same result in both eras', async () => {
  const session = await openSession()
  for (const [operation, params] of [
    ['echo', { text: 'x' }],
    ['echo', { number: 'x' }],
    ['nope', {}],
    ['introspect', { query: 'operations', name: 'echo' }],
  ] as const) {
    const old = resultOf((await post(server.url, call(1, operation, params), session)).messages.at(-1))
    const now = resultOf((await post(server.url, modernCall(1, operation, params), MODERN_CALL)).messages.at(-1))
    const plain = (value: unknown) => JSON.stringify(value).replace(/"session_id":"[^"]*"/, '')
    expect(plain(now)).toBe(plain(old))
  }
})
