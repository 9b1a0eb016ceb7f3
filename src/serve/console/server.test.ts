import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aRequest, ask, block, CHALLENGE } from '../../../test/e2e/console-seed.ts'
import { requestRef } from '../../core/gatekeeper/request.ts'
import { createOperator } from '../../core/operator/operator.ts'
import { createOperatorAccount, type OperatorAccount } from '../../core/operator/operator-account.ts'
import type { Store } from '../../core/ports/store.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { ROUTES } from './router.ts'
import { type Console, openConsole } from './server.ts'

const SECRET = 'a secret of the operator'
const START = Date.UTC(2026, 4, 1, 12)

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Record<string, unknown>
}

let store: Store
let account: OperatorAccount
let server: Console
let now = START

beforeEach(async () => {
  now = START
  store = createMemoryStore()
  const clock = { now: () => now }
  account = createOperatorAccount({ store, clock, cost: { N: 2, r: 8, p: 1 } })
  await account.set(SECRET, SECRET, 'terminal')
  server = await openConsole({ operator: createOperator({ store, clock }), account, port: 0 })
})

afterEach(async () => {
  await server.close()
  await store.close()
})

/** By `node:http`: `fetch` would not let us say what a hostile client says. */
function call(method: string, path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const own = {
      host: new URL(server.url).host,
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
    }
    const req = httpRequest(
      { port: server.port, host: '127.0.0.1', method, path, headers: { ...own, ...headers } },
      (res) => {
        let got = ''
        res.on('data', (chunk) => {
          got += String(chunk)
          if (path === '/api/events') finish()
        })
        const finish = () => {
          res.destroy()
          const isJson = res.headers['content-type']?.startsWith('application/json')
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text: got, json: isJson ? JSON.parse(got) : {} })
        }
        res.on('end', finish)
      },
    )
    req.on('error', reject)
    req.end(text)
  })
}

const origin = () => new URL(server.url).origin

async function link(): Promise<string> {
  const right = await account.check(SECRET, 'terminal')
  if (right.kind !== 'right') throw new Error(right.kind)
  return (await account.makeLink(right)) ?? ''
}

async function signIn(): Promise<Record<string, string>> {
  const reply = await call('POST', '/api/session', { origin: origin() }, { link: await link() })
  expect(reply.status).toBe(200)
  return { origin: origin(), authorization: `Bearer ${reply.json.bearer}` }
}

describe('every answer', () => {
  test.each(['/', '/main.js', '/css/tokens.css', '/api/session', '/nothing', '/api/nothing'])(
    'SELF-08 %s cannot be framed, sniffed, cached or shared',
    async (path) => {
      const { headers } = await call('GET', path)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
      )
      expect(headers['x-frame-options']).toBe('DENY')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )

  test('carries the time of the server', async () => {
    expect((await call('GET', '/api/session')).json.now).toBe(START)
  })
})

describe('SELF-08 who may ask', () => {
  test.each([
    ['evil.example', 421],
    ['evil.example:80', 421],
    ['127.0.0.1', 421],
    ['127.0.0.1:1', 421],
    ['127.0.0.1.evil.example', 421],
  ])('Host %s is refused', async (host, status) => {
    expect((await call('GET', '/', { host })).status).toBe(status)
    expect((await call('GET', '/api/session', { host })).status).toBe(status)
  })

  /** Byte by byte, for what no client would send. */
  const said = async (text: string) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.end(text)
    let got = ''
    for await (const chunk of socket) got += String(chunk)
    return got
  }

  test('a request that names no host is refused', async () => {
    expect(await said('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /)
  })

  test.each([
    ['two hosts', 'Host: OWN\r\nHost: OWN'],
    ['a foreign host behind our own', 'Host: OWN\r\nhOST: evil.example'],
    ['two origins', 'Host: OWN\r\nOrigin: http://OWN\r\nOrigin: http://OWN'],
    ['two bearers', 'Host: OWN\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b'],
  ])('%s are one too many', async (_, lines) => {
    const headers = lines.replaceAll('OWN', new URL(server.url).host)
    for (const path of ['/', '/api/session'])
      expect(await said(`GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('the address has 80 random bits or more and is new at every start', async () => {
    expect(server.url).toMatch(new RegExp(`^http://[0-9a-f]{20,}\\.localhost:${server.port}/$`))
    const other = await openConsole({
      operator: createOperator({ store, clock: { now: () => now } }),
      account,
      port: 0,
    })
    await other.close()
    expect(new URL(other.url).hostname).not.toBe(new URL(server.url).hostname)
  })

  test('the address of this start is served, in capitals too', async () => {
    const { host } = new URL(server.url)
    for (const name of [host, host.toUpperCase()]) {
      const { status, text } = await call('GET', '/', { host: name })
      expect([status, text.includes('/main.js')]).toEqual([200, true])
    }
  })

  const PLAIN = ['127.0.0.1', 'localhost', '[::1]', `${'0'.repeat(24)}.localhost`]

  test.each(PLAIN)('%s shows how to get to the console: no script, no form, nothing kept', async (name) => {
    const { status, headers, text } = await call('GET', '/', { host: `${name}:${server.port}` })
    expect(status).toBe(200)
    expect(text).toContain('<code>mcpaql console</code>')
    expect(text).toContain('Never type the operator secret')
    expect(text).not.toMatch(/<(script|form|input|style|link|img|a)\b|localhost/)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
    )
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['clear-site-data']).toBe('"cache", "storage", "executionContexts"')
  })

  test.each(PLAIN)('%s serves nothing else, and takes neither link nor secret nor bearer', async (name) => {
    const host = `${name}:${server.port}`
    const own = { host, origin: `http://${host}` }
    const { authorization = '' } = await signIn()
    for (const path of ['/index.html', '/main.js', '/icon.svg', '/sw.js', '/api/session', '/api/events', '//'])
      expect([path, (await call('GET', path, { host, authorization })).status]).toEqual([path, 421])
    for (const method of ['OPTIONS', 'PUT', 'POST']) expect((await call(method, '/', own)).status).toBe(421)
    const right = await link()
    for (const body of [{ link: right }, { secret: SECRET }])
      expect((await call('POST', '/api/session', own, body)).json).toMatchObject({ error: { code: 'wrong_host' } })
    expect((await call('POST', '/api/session', { origin: origin() }, { link: right })).status).toBe(200)
  })

  test.each([
    ['a foreign origin', () => ({ origin: 'http://evil.example' })],
    ['the null origin', () => ({ origin: 'null' })],
    ['no origin', () => ({})],
    ['the plain address', () => ({ origin: `http://127.0.0.1:${server.port}` })],
    ['our name on another port', () => ({ origin: `http://${new URL(server.url).hostname}:1` })],
    ['another scheme', () => ({ origin: 'file://' })],
  ])('%s cannot sign in, though the link is right', async (_, headersOf: () => Record<string, string>) => {
    const right = await link()
    expect((await call('POST', '/api/session', headersOf(), { link: right })).status).toBe(403)
    expect((await call('POST', '/api/session', { origin: origin() }, { link: right })).status).toBe(200)
  })

  test.each(['cross-site', 'same-site'])('Sec-Fetch-Site %s reaches neither the API nor a script', async (site) => {
    const headers = { ...(await signIn()), 'sec-fetch-site': site, 'sec-fetch-dest': 'script' }
    for (const path of ['/api/requests', '/api/events', '/main.js', '/']) {
      expect((await call('GET', path, headers)).status).toBe(403)
    }
  })

  test('a link from elsewhere opens the page, a frame does not', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await call('GET', '/', { ...headers, 'sec-fetch-dest': 'document' })).status).toBe(200)
    expect((await call('GET', '/', { ...headers, 'sec-fetch-dest': 'iframe' })).status).toBe(403)
  })

  const OUTSIDE = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)

  test.skipIf(OUTSIDE.length === 0)('it listens on no address that other computers can reach', async () => {
    for (const { address } of OUTSIDE)
      await expect(once(connect(server.port, address), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('SELF-08 signing in', () => {
  test('the bearer has 256 bits, is in one answer and in no header', async () => {
    const reply = await call('POST', '/api/session', { origin: origin() }, { link: await link() })
    expect(reply.json.bearer).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(reply.headers)).not.toContain(reply.json.bearer)
    const authorization = `Bearer ${reply.json.bearer}`
    const again = await call('GET', '/api/session', { authorization })
    expect([again.status, again.text.includes(String(reply.json.bearer))]).toEqual([200, false])
    expect(JSON.stringify(await store.trail.read())).not.toContain(reply.json.bearer)
    expect(reply.json).toMatchObject({
      operator: 'operator',
      role: 'admin',
      expires_at: START + 28_800_000,
      idle_at: START + 1_800_000,
    })
  })

  test('a link works once', async () => {
    const once = await link()
    expect((await call('POST', '/api/session', { origin: origin() }, { link: once })).status).toBe(200)
    expect((await call('POST', '/api/session', { origin: origin() }, { link: once })).status).toBe(401)
  })

  test('a link is void after 60 seconds', async () => {
    const late = await link()
    now += 60_000
    expect((await call('POST', '/api/session', { origin: origin() }, { link: late })).status).toBe(401)
  })

  test('wrong links of others, however many, delay neither the right one nor the secret', async () => {
    const guess = () =>
      call('POST', '/api/session', { origin: origin() }, { link: randomBytes(32).toString('base64url') })
    const guesses = await Promise.all(Array.from({ length: 200 }, guess))
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]))
    expect((await call('POST', '/api/session', { origin: origin() }, { link: await link() })).status).toBe(200)
    expect((await call('POST', '/api/session', { origin: origin() }, { secret: SECRET })).status).toBe(200)
    expect(await store.trail.read({ events: ['OPERATOR_LOGIN_FAILED'] })).toHaveLength(1)
  })

  test('wrong secrets of others lock neither the page, nor the terminal, nor the link', async () => {
    const guess = () => call('POST', '/api/session', { origin: origin() }, { secret: 'not the secret' })
    for (let tries = 0; tries < 6; tries++) expect((await guess()).json).toMatchObject({ error: { code: 'secret' } })
    const began = performance.now()
    expect((await call('POST', '/api/session', { origin: origin() }, { secret: SECRET })).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5_000)
    for (let tries = 0; tries < 6; tries++) await guess()
    expect(await account.check(SECRET, 'terminal')).toMatchObject({ kind: 'right' })
    expect((await call('POST', '/api/session', { origin: origin() }, { link: await link() })).status).toBe(200)
  })

  test('while a swarm guesses, a browser that has signed in before has its own turn', async () => {
    const first = await call('POST', '/api/session', { origin: origin() }, { link: await link() })
    let isOver = false
    let guesses = 0
    const swarm = Array.from({ length: 40 }, async () => {
      while (!isOver) {
        await call('POST', '/api/session', { origin: origin() }, { secret: 'not the secret', pass: 'x.y' })
        guesses++
      }
    })
    await vi.waitFor(() => expect(guesses).toBeGreaterThan(20), 20_000)
    const known = await call('POST', '/api/session', { origin: origin() }, { secret: SECRET, pass: first.json.pass })
    isOver = true
    expect([known.status, known.json.pass]).toEqual([200, first.json.pass])
    await Promise.all(swarm)
  }, 30_000)

  test('a session is never replaced: who is signed in signs out first, and the link stays good', async () => {
    const headers = await signIn()
    const other = await link()
    expect((await call('POST', '/api/session', headers, { link: other })).status).toBe(409)
    expect((await call('GET', '/api/session', headers)).status).toBe(200)
    expect((await call('POST', '/api/session', { origin: origin() }, { link: other })).status).toBe(200)
  })

  test('a bearer counts for the scheme where it was given', async () => {
    const { authorization = '' } = await signIn()
    const https = { authorization, origin: origin().replace('http:', 'https:') }
    expect((await call('GET', '/api/session', https)).status).toBe(401)
    expect((await call('GET', '/api/session', { authorization })).status).toBe(200)
  })

  test.each([
    ['a cookie', (bearer: string) => ({ cookie: `mcpaql_console=${bearer}; session=${bearer}` })],
    ['another scheme', (bearer: string) => ({ authorization: `Basic ${bearer}` })],
    ['a list', (bearer: string) => ({ authorization: `Bearer x, Bearer ${bearer}` })],
    ['less than all', (bearer: string) => ({ authorization: `Bearer ${bearer.slice(0, -1)}` })],
    ['what a page asks by its address', () => ({})],
  ])('%s is no session', async (_, headersOf) => {
    const bearer = (await signIn()).authorization?.slice('Bearer '.length) ?? ''
    const path = `/api/session?bearer=${bearer}&authorization=${bearer}`
    expect((await call('GET', path, headersOf(bearer))).status).toBe(401)
  })

  test('signing in always works: the tab that was left longest makes room', async () => {
    const first = await signIn()
    for (let at = 0; at < 50; at++) {
      now += 1_000
      await signIn()
    }
    expect((await call('GET', '/api/session', first)).status).toBe(401)
  })

  test('a session ends after 30 minutes without anybody, even when the page refreshes itself', async () => {
    const headers = await signIn()
    now += 29 * 60_000
    expect((await call('GET', '/api/requests', { ...headers, 'x-mcpaql-idle': '1' })).status).toBe(200)
    now += 2 * 60_000
    expect((await call('GET', '/api/requests', headers)).status).toBe(401)
  })

  test('a session ends after 8 hours of work', async () => {
    const headers = await signIn()
    for (let minutes = 0; minutes < 8 * 60; minutes += 20) {
      expect((await call('GET', '/api/requests', headers)).status).toBe(200)
      now += 20 * 60_000
    }
    expect((await call('GET', '/api/requests', headers)).status).toBe(401)
  })

  test('signing out ends it at once', async () => {
    const headers = await signIn()
    expect((await call('DELETE', '/api/session', headers, {})).status).toBe(200)
    expect((await call('GET', '/api/session', headers)).status).toBe(401)
  })
})

describe('SELF-08 without a session nothing is read or changed', () => {
  /** Every row of the API, so that none can be forgotten. */
  const PATHS = [
    ...ROUTES.filter(({ needs }) => needs !== 'none').map(
      ({ method, path }) => [method, path.replace(/:\w+/g, '1')] as const,
    ),
    ['GET', '/api/events'] as const,
  ]

  test.each(PATHS)('%s %s needs a session', async (method, path) => {
    const reply = await call(method, path, { origin: origin() }, method === 'GET' ? undefined : {})
    expect([reply.status, (reply.json.error as { code: string }).code]).toEqual([401, 'signed_out'])
  })

  test.each(PATHS.filter(([method]) => method !== 'GET'))('%s %s needs our own origin', async (method, path) => {
    const headers = await signIn()
    for (const foreign of ['http://evil.example', 'null', 'http://localhost:1', `https://evil.example#${origin()}`]) {
      const reply = await call(method, path, { ...headers, origin: foreign }, {})
      expect([reply.status, (reply.json.error as { code: string }).code]).toEqual([403, 'foreign_origin'])
    }
  })

  test('GET decides nothing', async () => {
    const asked = await ask(store, aRequest(now))
    const headers = await signIn()
    const query = `?decision=approve&version=1&params_hash=${asked.paramsHash}`
    expect((await call('GET', `/api/requests/${asked.id}/decision${query}`, headers)).status).toBe(405)
    expect((await call('GET', `/api/requests/${asked.id}${query}`, headers)).json.state).toBe('pending')
  })

  test('a form of another page cannot speak JSON', async () => {
    const headers = { ...(await signIn()), 'content-type': 'text/plain' }
    expect((await call('POST', '/api/policies/replay', headers, { operation: '*' })).status).toBe(415)
  })

  test('a body over 64 KiB, no object, or no JSON is refused', async () => {
    const headers = await signIn()
    expect((await call('POST', '/api/policies/replay', headers, { operation: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await call('POST', '/api/policies/replay', headers, [])).status).toBe(400)
  })

  test('files outside the page do not exist', async () => {
    for (const path of ['/../server.ts', '/%2e%2e/server.ts', '/server.ts', '/web/main.js', '//etc/passwd']) {
      expect((await call('GET', path)).status).toBe(404)
    }
  })
})

describe('decisions', () => {
  const decide = async (id: string, headers: Record<string, string>, body: Record<string, unknown>) => {
    const { status, json } = await call('POST', `/api/requests/${id}/decision`, headers, body)
    return [status, (json.error as { code?: string } | undefined)?.code ?? json.state]
  }

  test('SELF-11 a decision counts only for the version and the parameters that were shown', async () => {
    const { id, paramsHash: params_hash } = await ask(store, aRequest(now))
    const headers = await signIn()
    expect(await decide(id, headers, { decision: 'approve' })).toEqual([400, 'bad_request'])
    expect(await decide(id, headers, { decision: 'allow', version: 1, params_hash })).toEqual([400, 'bad_request'])
    expect(await decide(id, headers, { decision: 'approve', version: 2, params_hash })).toEqual([409, 'changed'])
    expect(await decide(id, headers, { decision: 'approve', version: 1, params_hash: 'x' })).toEqual([409, 'changed'])
    expect(await decide(id, headers, { decision: 'approve', version: 1, params_hash })).toEqual([200, 'approved'])
    expect(await decide(id, headers, { decision: 'deny', version: 2, params_hash })).toEqual([409, 'already'])
    expect(await decide('nothing', headers, { decision: 'deny', version: 1, params_hash })).toEqual([404, 'unknown'])
  })

  test('words for the agent go with a denial, and with nothing else', async () => {
    const { id, paramsHash: params_hash } = await ask(store, aRequest(now))
    const headers = await signIn()
    const order = { version: 1, params_hash, tell_agent: 'Ask me tomorrow' }
    expect(await decide(id, headers, { ...order, decision: 'approve' })).toEqual([400, 'bad_request'])
    expect(await decide(id, headers, { ...order, decision: 'deny', tell_agent: 7 })).toEqual([400, 'bad_request'])
    const long = { ...order, decision: 'deny', tell_agent: 'x'.repeat(501) }
    expect(await decide(id, headers, long)).toEqual([400, 'bad_request'])
    expect(await decide(id, headers, { ...order, decision: 'deny' })).toEqual([200, 'denied'])
    expect((await store.get(requestRef(id)))?.decisions).toMatchObject([{ tellAgent: 'Ask me tomorrow' }])
    const [entry] = await store.trail.read({ events: ['APPROVAL_DENIED'] })
    expect(entry?.entry).toMatchObject({ told_agent: 'Ask me tomorrow' })
  })

  test('an expired request is decided no more', async () => {
    const { id, paramsHash: params_hash, expiresAt } = await ask(store, aRequest(now))
    const headers = await signIn()
    now = expiresAt + 1
    expect(await decide(id, headers, { decision: 'approve', version: 1, params_hash })).toEqual([410, 'expired'])
  })

  test('TOK-14 level 3 cannot be allowed for a session', async () => {
    const { id, paramsHash: params_hash } = await ask(store, aRequest(now, { level: 'dangerous', class: 'C2' }))
    const order = { decision: 'approve', scope: 'session', version: 1, params_hash }
    expect(await decide(id, await signIn(), order)).toEqual([403, 'scope'])
  })

  test('SELF-14 C3: a proof is for one purpose, one session, once, and soon', async () => {
    const { id, paramsHash: params_hash } = await ask(store, aRequest(now, { class: 'C3', level: 'forbidden' }))
    const [headers, other] = [await signIn(), await signIn()]
    const prove = async (who: Record<string, string>, purpose: string) =>
      (await call('POST', '/api/reauth', who, { purpose, secret: SECRET })).json.reauth_id
    const order = { decision: 'approve', version: 1, params_hash }
    expect(await decide(id, headers, order)).toEqual([403, 'reauth'])
    const foreign = await prove(headers, 'request:another')
    expect(await decide(id, headers, { ...order, reauth_id: foreign })).toEqual([403, 'reauth'])
    const theirs = await prove(other, `request:${id}`)
    expect(await decide(id, headers, { ...order, reauth_id: theirs })).toEqual([403, 'reauth'])
    const late = await prove(headers, `request:${id}`)
    now += 120_000
    expect(await decide(id, headers, { ...order, reauth_id: late })).toEqual([403, 'reauth'])
    const right = await prove(headers, `request:${id}`)
    expect(await decide(id, headers, { ...order, reauth_id: right })).toEqual([200, 'approved'])
    const wrong = await call('POST', '/api/reauth', headers, { purpose: 'request:x', secret: 'not the secret' })
    expect([wrong.status, wrong.json.tries_left]).toEqual([401, 4])
  })

  test('whoever has a session and guesses the secret locks neither the terminal nor signing in', async () => {
    const headers = await signIn()
    const guess = () => call('POST', '/api/reauth', headers, { purpose: 'request:x', secret: 'not the secret' })
    for (let tries = 0; tries < 7; tries++) await guess()
    expect((await guess()).json).toMatchObject({ error: { code: 'locked' } })
    expect(await account.check(SECRET, 'terminal')).toMatchObject({ kind: 'right' })
    expect((await guess()).json).toMatchObject({ error: { code: 'locked' } })
    expect((await call('POST', '/api/session', { origin: origin() }, { secret: SECRET })).status).toBe(200)
  })

  test.each([
    ['viewer', 'C1', 'deny', [403, 'role']],
    ['approver', 'C1', 'approve', [200, 'approved']],
    ['approver', 'C3', 'approve', [403, 'role']],
    ['approver', 'C3', 'deny', [200, 'denied']],
  ] as const)('SELF-14 the role %s, class %s: %s', async (role, cls, decision, expected) => {
    const clock = { now: () => now }
    const redeemLink = async () => ({ subject: 'someone', role, channel: 'console' as const })
    await server.close()
    server = await openConsole({
      operator: createOperator({ store, clock }),
      account: { ...account, redeemLink },
      port: 0,
    })
    const { id, paramsHash: params_hash } = await ask(store, aRequest(now, { class: cls }))
    expect(await decide(id, await signIn(), { decision, version: 1, params_hash })).toEqual(expected)
  })

  test('AUDIT-06 the redeemable token is on no answer', async () => {
    const { id } = await ask(store, aRequest(now, { token: 'tok_that_the_agent_holds' }))
    const headers = await signIn()
    for (const path of [
      '/api/requests',
      `/api/requests/${id}`,
      `/api/requests/${id}/params`,
      '/api/audit',
      '/api/agents',
    ]) {
      const { status, text } = await call('GET', path, headers)
      expect(status).toBe(200)
      expect(text).not.toContain('tok_that_the_agent_holds')
    }
  })

  test('OOB-07 a code is in one answer, once, after the secret; BLOCK-07 unblocking needs reason and proof', async () => {
    await block(store, now, 'scout', 'rm -rf /')
    const headers = await signIn()
    const before = await call('GET', `/api/challenges/${CHALLENGE}`, headers)
    expect(before.json).toMatchObject({ state: 'waiting', score: 92, tier: 'danger_zone' })
    const prove = async (purpose: string) =>
      (await call('POST', '/api/reauth', headers, { purpose, secret: SECRET })).json.reauth_id
    const reveal = (body: object) => call('POST', `/api/challenges/${CHALLENGE}/reveal`, headers, body)
    const foreign = [{}, { reauth_id: 'x' }, { reauth_id: await prove('challenge:another') }]
    for (const body of foreign) expect((await reveal(body)).status).toBe(403)
    expect((await call('GET', `/api/challenges/${CHALLENGE}`, headers)).json.state).toBe('waiting')
    const shown = await reveal({ reauth_id: await prove(`challenge:${CHALLENGE}`) })
    expect(shown.json.shown_until).toBe(now + 60_000)
    expect((await reveal({ reauth_id: await prove(`challenge:${CHALLENGE}`) })).status).toBe(409)
    const after = await call('GET', `/api/challenges/${CHALLENGE}`, headers)
    expect(after.json.state).toBe('shown')
    expect(after.text).not.toContain((shown.json.groups as string[])[0])
    expect(after.text).not.toContain('"hash"')
    const [blocked] = (await call('GET', '/api/blocks', headers)).json.items as { id: string }[]
    const lift = async (body: object) => (await call('POST', `/api/blocks/${blocked?.id}/lift`, headers, body)).status
    expect(await lift({ reason: 'too short' })).toBe(400)
    expect(await lift({ reason: 'long enough a reason' })).toBe(403)
    const proof = await call('POST', '/api/reauth', headers, { purpose: `block:${blocked?.id}`, secret: SECRET })
    expect(await lift({ reason: 'long enough a reason', reauth_id: proof.json.reauth_id })).toBe(200)
  })

  test('events carry ids and nothing else', async () => {
    const headers = await signIn()
    await ask(store, aRequest(now))
    const { text, headers: got } = await call('GET', '/api/events', { ...headers, 'last-event-id': '0' })
    expect(got['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(text).toContain('retry: 2000')
    expect(text).not.toContain('delete_branch')
  })
})
