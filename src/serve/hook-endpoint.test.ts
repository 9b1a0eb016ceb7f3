import { createHash, createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HookKey, openHookKey } from '../core/hook/hook-key.ts'
import { createJudge } from '../core/hook/judge.ts'
import { DEFAULT_AUTONOMY } from '../protocol/directive.ts'
import { createMemoryStore } from '../store/memory.ts'
import { type HookServer, serveHooks } from './hook-endpoint.ts'

const QUESTION = {
  nonce: 'abcdefghijklmnopqrstuvwx',
  client: 'claude',
  event: 'PreToolUse',
  tool: 'Bash',
  input: { command: 'ls' },
  session: 's',
  cwd: '/code/app',
}

const store = createMemoryStore()
let key: HookKey
let server: HookServer

beforeAll(async () => {
  key = await openHookKey(store)
  const judge = await createJudge({ store, clock: { now: Date.now }, settings: DEFAULT_AUTONOMY })
  server = await serveHooks({ judge, key, port: 0 })
})
afterAll(() => server.close())

test('section 6: an answer is signed over its nonce and its question', async () => {
  const sent = JSON.stringify(QUESTION)
  const { status, body, signature } = await post(sent)
  expect(status).toBe(200)
  expect(isSigned(body, signature)).toBe(true)
  expect(JSON.parse(body)).toMatchObject({
    version: 1,
    nonce: QUESTION.nonce,
    request: createHash('sha256').update(sent).digest('base64url'),
    continue: true,
    reason: expect.any(String),
    factors: expect.any(Array),
  })
})

test('section 6: a no is signed as well, with what is waited for', async () => {
  const { body, signature } = await post(JSON.stringify({ ...QUESTION, input: { command: 'git push' } }))
  expect(isSigned(body, signature)).toBe(true)
  expect(JSON.parse(body)).toMatchObject({ continue: false, approval_id: expect.stringMatching(/^[0-9a-f]{16}$/) })
})

test('connections that say nothing do not keep hooks from asking', async () => {
  const crowd = Array.from({ length: 80 }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
  await Promise.all(crowd.map((socket) => once(socket, 'connect')))
  expect((await post(JSON.stringify(QUESTION))).status).toBe(200)
  for (const socket of crowd) socket.destroy()
})

test('AUTO-19 a judge that fails says no', async () => {
  const broken = await serveHooks({ judge: () => Promise.reject(new Error('disk')), key, port: 0 })
  const { body } = await post(JSON.stringify(QUESTION), {}, broken)
  await broken.close()
  expect(JSON.parse(body)).toMatchObject({ nonce: QUESTION.nonce, continue: false })
  expect(body).not.toContain('disk')
})

test.each([
  ['no JSON', '{"nonce":', 400],
  ['no question', '{}', 400],
  ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400],
  ['too long', JSON.stringify({ ...QUESTION, input: { command: 'x'.repeat(1_100_000) } }), 413],
])('what cannot be read is refused without a signature: %s', async (_, body, status) => {
  const answer = await post(body)
  expect([answer.status, answer.signature]).toEqual([status, ''])
})

describe('CVE-2025-49596 and its kin: no page in a browser is answered', () => {
  test.each([
    ['another host', { host: 'evil.example' }, 403],
    ['another host with our port', { host: 'evil.example:PORT' }, 403],
    ['a host that begins like ours', { host: '127.0.0.1.evil.example:PORT' }, 403],
    ['another port', { host: '127.0.0.1:1' }, 403],
    ['an origin', { origin: 'https://evil.example' }, 403],
    ['the origin null', { origin: 'null' }, 403],
    ['our own origin', { origin: 'http://127.0.0.1:PORT' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
    ['an encoding', { 'content-encoding': 'gzip' }, 415],
  ])('%s', async (_, headers, status) => {
    const ours = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(server.port))]),
    )
    const answer = await post(JSON.stringify(QUESTION), ours)
    expect([answer.status, answer.signature]).toEqual([status, ''])
  })

  test('localhost is ours', async () => {
    expect((await post(JSON.stringify(QUESTION), { host: `localhost:${server.port}` })).status).toBe(200)
  })
})

test.each([
  ['GET', '/hook', 405],
  ['POST', '/mcp', 404],
  ['POST', '/hook?x', 404],
])('%s %s: %i', async (method, path, status) => {
  expect((await post('{}', {}, server, method, path)).status).toBe(status)
})

test('it listens on this computer only', async () => {
  await expect(serveHooks({ judge: async () => Promise.reject(), key, host: '0.0.0.0' })).rejects.toThrow(
    'on this computer only',
  )
})

test('the key is made once, kept in the store, and its private half leaves it never', async () => {
  const fresh = createMemoryStore()
  const keys = await Promise.all(Array.from({ length: 5 }, () => openHookKey(fresh)))
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
  expect(keys[0]?.publicKey).toMatch(/^[\w-]{43}$/)
  expect(Object.keys(keys[0] ?? {})).toEqual(['publicKey', 'sign'])
  expect((await openHookKey(store)).publicKey).toBe(key.publicKey)
})

interface Answer {
  readonly status: number
  readonly body: string
  readonly signature: string
}

function post(
  body: string | Buffer,
  headers: Record<string, string> = {},
  to = server,
  method = 'POST',
  path = '/hook',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: to.port,
      path,
      method,
      headers: { 'content-type': 'application/json', ...headers },
    })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      const [, signature = ''] = /^ed25519=(.*)$/.exec(String(response.headers['mcpaql-signature'] ?? '')) ?? []
      resolve({ status: response.statusCode ?? 0, body: text, signature })
    })
    sent.end(body)
  })
}

function isSigned(body: string, signature: string): boolean {
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey } })
  return verify(null, Buffer.from(`mcpaql hook answer 1\n${body}`), publicKey, Buffer.from(signature, 'base64url'))
}
