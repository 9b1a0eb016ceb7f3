import { Agent, request } from 'node:http'
import { connect as dial, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestRef } from '../../src/core/gatekeeper/request.ts'
import { initialize, META, MODERN, post, toolCall } from '../e2e/raw-client.ts'
import { bearer, connect, type IdentityWorld, openIdentityWorld, TOOL } from './identity-world.ts'

const EXPORT = { operation: 'run_export', params: { ms: 60_000 } }
const DELETE = { operation: 'delete_thing', params: { thing: 'a' } }
const READ = { operation: 'list_things', params: { first: 1 } }
const LIST = { operation: 'list_executions' }

let world: IdentityWorld
beforeAll(async () => {
  world = await openIdentityWorld()
})
afterAll(() => world.close())

const crowd = new Set<Socket>()
let isOver = false
afterEach(() => {
  isOver = true
  for (const socket of crowd) socket.destroy()
  crowd.clear()
})

/** Connections that say this, and come back when they are closed. */
async function occupy(port: number, count: number, words: string): Promise<void> {
  isOver = false
  const join = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = dial(port, '127.0.0.1', () => socket.write(words, () => resolve()))
      crowd.add(socket)
      socket.resume()
      socket.on('error', () => resolve())
      socket.on('close', () => {
        crowd.delete(socket)
        if (!isOver) setTimeout(() => void join(), 100)
      })
    })
  await Promise.all(Array.from({ length: count }, join))
}

/** On a connection of its own; 0 when there was none to have, or no answer within five seconds. */
function statusOn(port: number, token: string | undefined): Promise<number> {
  const body = JSON.stringify(toolCall(1, TOOL, READ, META))
  const headers = {
    ...bearer(token),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  }
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers, agent: false, timeout: 5_000 }
    const req = request(options, (res) => {
      res.resume()
      resolve(res.statusCode ?? 0)
    })
    req.on('timeout', () => req.destroy())
    req.on('error', () => resolve(0))
    req.end(body)
  })
}

const WORDS: Readonly<Record<string, string>> = {
  nothing: '',
  'half a header': 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
  'half a body':
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"',
  'a short question and then nothing': 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
}

describe('connections of one unnamed process keep nobody out', () => {
  test.each(Object.entries(WORDS))(
    '1,100 that say %s',
    async (_, words) => {
      const own = await world.again()
      const { port, url } = own.server
      const token = await own.token(`kept-${crypto.randomUUID()}`)
      const session = (await post(url, initialize(), bearer(token))).headers['mcp-session-id'] ?? ''
      const headers = { ...bearer(token), 'mcp-session-id': session, accept: 'text/event-stream' }
      const stream = await fetch(url, { headers })
      let isOpen = true
      const ended = stream.text().catch(() => {})
      void ended.then(() => {
        isOpen = false
      })
      await occupy(port, 1_100, words)
      for (let round = 0; round < 5; round++) {
        expect(await statusOn(port, token)).toBe(200)
        expect(await statusOn(port, undefined)).toBe(200)
      }
      expect(isOpen).toBe(true)
      await own.server.close()
      await ended
    },
    60_000,
  )
})

test('calls of one unnamed session that wait for a human leave the others their turn', async () => {
  const { url, port } = world.server
  const asking = await connect(url, 'modern')
  const { error } = await asking.ask(DELETE)
  const waiting = {
    ...DELETE,
    _confirmation: error.details.confirmation_token,
    _session: asking.session(),
    _wait_seconds: 20,
  }
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': TOOL }
  const leaving = new AbortController()
  const statuses: number[] = []
  const send = async (id: number) => {
    const body = JSON.stringify(toolCall(id, TOOL, waiting, META))
    const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const sent = { method: 'POST', body, headers: { ...headers, ...accept }, signal: leaving.signal }
    statuses.push((await fetch(url, sent)).status)
  }
  const sent = Array.from({ length: 140 }, (_, id) => send(id).catch(() => {}))
  await expect.poll(() => statuses, { timeout: 15_000 }).toEqual(Array(12).fill(429))
  expect(await statusOn(port, undefined)).toBe(200)
  leaving.abort()
  await Promise.all(sent)
}, 30_000)

const TOKEN_META = { ...META, progressToken: 1 }

/** One call on each of so many connections; the statuses of those that were answered, and those broken off as 0. */
function callAtOnce(port: number, count: number, argsOf: (at: number) => object, headersOf = (_: number) => ({})) {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const statuses: number[] = []
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  }
  for (let at = 0; at < count; at++) {
    const more = { ...headers, ...headersOf(at) }
    const options = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers: more, agent }
    const req = request(options, (res) => {
      res.resume()
      if (res.statusCode !== 200) statuses.push(res.statusCode ?? 0)
    })
    req.on('error', () => statuses.push(0))
    req.end(JSON.stringify(toolCall(at, TOOL, argsOf(at), TOKEN_META)))
  }
  return { statuses, leave: () => agent.destroy() }
}

describe('a crowd of unnamed calls, each on a connection of its own', () => {
  const WRITE = { operation: 'create_thing', params: { thing: 'a' } }

  async function openQuestion(own: IdentityWorld) {
    const asking = await connect(own.server.url, 'modern')
    const { error } = await asking.ask(DELETE)
    return { ...DELETE, _confirmation: error.details.confirmation_token, _session: asking.session() }
  }

  const CROWDS: Readonly<Record<string, (own: IdentityWorld) => Promise<(at: number) => object>>> = {
    'that run': async () => () => EXPORT,
    'that wait': async (own) => {
      const waiting = { ...(await openQuestion(own)), _wait_seconds: 20 }
      return () => waiting
    },
    'that wait inside a text in a batch': async (own) => {
      const { _session, _confirmation } = await openQuestion(own)
      const params = JSON.stringify({ ...DELETE.params, _confirmation, _wait_seconds: 20 })
      return () => ({ operations: [{ operation: 'delete_thing', params }], _session })
    },
  }

  test.each(Object.keys(CROWDS))(
    '%s, with made-up session ids, leaves reads and handshakes, a call that waits already, and named clients alone',
    async (kind) => {
      const own = await world.again()
      const { port, url } = own.server
      const token = await own.token(`busy-${crypto.randomUUID()}`)
      let before: unknown
      const asked = await openQuestion(own)
      const waiting = post(url, toolCall(1, TOOL, { ...asked, _wait_seconds: 20 }, META), {
        'mcp-protocol-version': MODERN,
        'mcp-method': 'tools/call',
        'mcp-name': TOOL,
      }).then(
        () => 'answered',
        () => 'broken off',
      )
      void waiting.then((end) => {
        before = end
      })
      const argsOf = await CROWDS[kind]?.(own)
      if (!argsOf) throw new Error(kind)
      const sent = callAtOnce(port, 540, argsOf, (at) => ({ 'mcp-session-id': `made-up-${at}` }))
      await expect.poll(() => sent.statuses.length, { timeout: 20_000 }).toBeGreaterThan(200)
      expect(new Set(sent.statuses)).toEqual(new Set([429]))
      for (let round = 0; round < 3; round++) {
        expect(await statusOn(port, undefined)).toBe(200)
        expect(await statusOn(port, token)).toBe(200)
        expect((await post(url, initialize())).status).toBe(200)
      }
      const named = await connect(url, 'legacy', token)
      expect(await named.ask(WRITE)).toMatchObject({ success: true })
      expect((await named.ask(EXPORT)).data).toMatchObject({ status: 'running' })
      expect(before).toBeUndefined()
      sent.leave()
      await own.server.close()
      await own.runtime.close()
      await waiting
    },
    60_000,
  )

  test('is told that a named client has places of its own', async () => {
    const own = await world.again()
    const { port, url } = own.server
    const sent = callAtOnce(port, 300, () => EXPORT)
    await expect.poll(() => sent.statuses.length, { timeout: 20_000 }).toBe(44)
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': TOOL }
    const refused = await post(url, toolCall(1, TOOL, WRITE, META), headers)
    expect([refused.status, refused.body]).toEqual([429, expect.stringContaining('mcpaql client add NAME')])
    sent.leave()
    await own.server.close()
    await own.runtime.close()
  }, 60_000)
})

describe('an unnamed caller that opens sessions without end', () => {
  test('ends neither the running work nor the open question of another', async () => {
    const small = await world.again({ maxSessions: 10 })
    const { url } = small.server
    const [working, asking] = [await connect(url, 'legacy'), await connect(url, 'legacy')]
    const { data } = await working.ask(EXPORT)
    const { error } = await asking.ask(DELETE)
    for (let i = 0; i < 30; i++) expect(await (await connect(url, 'legacy')).status(READ)).toBe(200)
    const { data: found } = await working.ask(LIST)
    expect(found.items).toMatchObject([{ execution_id: data.execution_id, status: 'running' }])
    expect(await small.store.get(requestRef(error.details.approval_id))).toMatchObject({ state: 'pending' })
    expect(await asking.status(READ)).toBe(200)
  }, 30_000)

  test('is refused and told when to come back where every session is in use', async () => {
    const small = await world.again({ maxSessions: 3 })
    const { url } = small.server
    const callers = [await connect(url, 'legacy'), await connect(url, 'legacy'), await connect(url, 'legacy')]
    for (const caller of callers) expect(await caller.status(EXPORT)).toBe(200)
    const refused = await post(url, initialize())
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30'])
    expect((await post(url, initialize(), bearer(await world.token('unhindered')))).status).toBe(200)
    for (const caller of callers) expect((await caller.ask(LIST)).data.items).toMatchObject([{ status: 'running' }])
    expect(refused.body).toContain('mcpaql client add NAME')
  })

  test('with an open question in each gives the one up that was silent longest, but none that listens', async () => {
    const small = await world.again({ maxSessions: 3 })
    const { url } = small.server
    const listening = await connect(url, 'legacy')
    await listening.ask(DELETE)
    const stream = await fetch(url, {
      headers: { 'mcp-session-id': listening.session() ?? '', accept: 'text/event-stream' },
    })
    const silent = await connect(url, 'legacy')
    await silent.ask(DELETE)
    for (let at = 0; at < 6; at++) {
      const { error } = await (await connect(url, 'legacy')).ask({ ...DELETE, params: { thing: `x${at}` } })
      expect(error.code).toBe('CONFIRMATION_REQUIRED')
      expect(error.details.waiting_for).not.toContain('yours')
    }
    expect([await listening.status(READ), await silent.status(READ)]).toEqual([200, 404])
    await stream.body?.cancel()
  })
})
