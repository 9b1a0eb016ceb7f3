import { connect as dial } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenRef } from '../../src/core/audit/token-ref.ts'
import { executionRef } from '../../src/core/execution/lifecycle.ts'
import { requestRef } from '../../src/core/gatekeeper/request.ts'
import { clientRef, clientTokenRef, hashClientToken } from '../../src/core/operator/client-record.ts'
import { blockAgent } from '../../src/core/verification/block.ts'
import { initialize, META, MODERN, post, toolCall } from '../e2e/raw-client.ts'
import { bearer, connect, type IdentityWorld, openIdentityWorld, TOOL } from './identity-world.ts'

const EXPORT = { operation: 'run_export', params: { ms: 60_000 } }
const LIST = { operation: 'list_executions' }

let world: IdentityWorld
beforeAll(async () => {
  world = await openIdentityWorld()
})
afterAll(() => world.close())

const modernHeaders = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': TOOL }

/** By hand, since no client library sends a header twice. */
function rawStatus(lines: readonly string[]): Promise<string> {
  const { port } = world.server
  const body = JSON.stringify(toolCall(1, TOOL, LIST, META))
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...Object.entries(modernHeaders).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    'Connection: close',
    ...lines,
  ]
  return new Promise((resolve, reject) => {
    const socket = dial(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('decision 10: a token names its bearer', () => {
  test.each(['legacy', 'modern'] as const)('over the %s era it is the principal', async (era) => {
    const caller = await connect(world.server.url, era, await world.token(`who-${era}`))
    await caller.ask({ operation: 'create_thing', params: { thing: era } })
    await expect
      .poll(async () => (await world.store.trail.read({ principal: `who-${era}` })).map(({ entry }) => entry.operation))
      .toEqual(['create_thing'])
  })

  test('it has 256 bits and a prefix, and the store holds its hash alone', async () => {
    const token = await world.token('hashed')
    expect(token).toMatch(/^mcpaql_[\w-]{43}$/)
    const record = await world.store.get(clientRef('hashed'))
    expect(record?.tokenHash).toBe(hashClientToken(token))
    for (const { entry } of await world.store.trail.read({ limit: 100 }))
      expect(JSON.stringify(entry)).not.toContain(token)
    expect(JSON.stringify([record, await world.store.get(clientTokenRef(hashClientToken(token)))])).not.toContain(token)
  })

  test('when it was last used is noted', async () => {
    const token = await world.token('noted')
    await connect(world.server.url, 'legacy', token)
    const used = async () => (await world.clients.list()).find(({ name }) => name === 'noted')?.lastUsedAt
    await expect.poll(used).toBeGreaterThan(Date.now() - 60_000)
  })
})

describe('a wrong token is refused and never makes an anonymous caller', () => {
  const good = 'x'.repeat(43)
  test.each([
    ['unknown', [`Authorization: Bearer mcpaql_${good}`]],
    ['of another make', ['Authorization: Bearer sk-123']],
    ['empty', ['Authorization:']],
    ['without a token', ['Authorization: Bearer']],
    ['of another scheme', ['Authorization: Basic dXNlcjpwYXNz']],
    ['with two words', [`Authorization: Bearer mcpaql_${good} more`]],
    ['with a list', [`Authorization: Bearer mcpaql_${good}, Bearer mcpaql_${good}`]],
  ])('%s', async (_, lines) => {
    const answer = await rawStatus(lines)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toMatch(/\r\nwww-authenticate: Bearer realm="mcpaql"/i)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: expect.stringMatching(/Bearer|token/) } })
  })

  test('sent twice, though both are right', async () => {
    const token = await world.token('doubled')
    const line = `Authorization: Bearer ${token}`
    expect(await rawStatus([line])).toMatch(/^HTTP\/1\.1 200 /)
    expect(await rawStatus([line, line])).toMatch(/^HTTP\/1\.1 401 /)
    expect(await rawStatus([line, 'authorization: Bearer other'])).toMatch(/^HTTP\/1\.1 401 /)
    expect(await rawStatus(['Authorization: Bearer other', line])).toMatch(/^HTTP\/1\.1 401 /)
  })

  test.each(['GET', 'POST', 'DELETE'])('%s', async (method) => {
    const { status } = await fetch(world.server.url, { method, headers: bearer(`mcpaql_${good}`) })
    expect(status).toBe(401)
  })

  test('where no clients are known at all', async () => {
    const other = await world.again({ clients: undefined as never })
    expect((await post(other.server.url, initialize(), bearer(`mcpaql_${good}`))).status).toBe(401)
    expect((await post(other.server.url, initialize())).status).toBe(200)
  })
})

test('--require-client refuses callers without a token and says what to do', async () => {
  const strict = await world.again({ requireClient: true })
  const token = await world.token('strict')
  for (const [body, headers] of [
    [initialize(), {}],
    [toolCall(1, TOOL, LIST, META), modernHeaders],
  ] as const) {
    const refused = await post(strict.server.url, body, headers)
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="mcpaql"')
    expect(refused.body).toContain('mcpaql client add NAME')
    expect((await post(strict.server.url, body, { ...headers, ...bearer(token) })).status).toBe(200)
  }
})

describe('a revocation', () => {
  test.each(['legacy', 'modern'] as const)('holds at the next request on every process, in the %s era', async (era) => {
    const other = await world.again()
    const name = `gone-${era}`
    const token = await world.token(name)
    const callers = await Promise.all([world, other].map(({ server }) => connect(server.url, era, token)))
    for (const caller of callers) expect(await caller.status(LIST)).toBe(200)
    expect(await world.clients.revoke({ name, by: 'operator', channel: 'terminal' })).toBe('revoked')
    for (const caller of callers) expect(await caller.status(LIST)).toBe(401)
    expect(await world.clients.revoke({ name, by: 'operator', channel: 'terminal' })).toBe('unknown')
  })

  test('ends open streams, sessions and what they started', async () => {
    const token = await world.token('stopped')
    const opened = await post(world.server.url, initialize(), bearer(token))
    const id = opened.headers['mcp-session-id'] ?? ''
    const headers = { ...bearer(token), 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' }
    const stream = await fetch(world.server.url, { headers: { ...headers, accept: 'text/event-stream' } })
    expect(stream.status).toBe(200)
    const listening = fetch(world.server.url, {
      method: 'POST',
      headers: {
        ...bearer(token),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'l',
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: META },
      }),
    }).then((response) => response.text())
    const started = [
      await (await connect(world.server.url, 'legacy', token)).ask(EXPORT),
      await (await connect(world.server.url, 'modern', token)).ask(EXPORT),
    ].map(({ data }) => data.execution_id)
    await world.clients.revoke({ name: 'stopped', by: 'operator', channel: 'console' })
    await expect(stream.text()).rejects.toThrow()
    await listening.catch(() => {})
    const statusOf = async (id: string) => (await world.store.get(executionRef('things', id)))?.status
    for (const each of started) await expect.poll(() => statusOf(each), { timeout: 5_000 }).toBe('cancelled')
  }, 20_000)

  test('takes back what waits for a human', async () => {
    const token = await world.token('asking')
    const caller = await connect(world.server.url, 'legacy', token)
    const { error } = await caller.ask({ operation: 'delete_thing', params: { thing: 'a' } })
    await world.clients.revoke({ name: 'asking', by: 'operator', channel: 'terminal' })
    const refused = await world.runtime.decide(error.details.approval_id, {
      decision: 'approve',
      scope: 'once',
      maxUses: 1,
      manipulated: false,
      by: { subject: 'operator', channel: 'terminal', role: 'admin' },
    } as never)
    expect(refused).toMatchObject({ kind: 'refused', why: 'already' })
  })

  test('the name can be given again: with a new token, and the old one stays dead', async () => {
    const first = await world.token('again')
    expect(await world.clients.add({ name: 'again', elicitation: false, by: 'o', channel: 'terminal' })).toEqual({
      kind: 'exists',
    })
    const before = await connect(world.server.url, 'legacy', first)
    await world.clients.revoke({ name: 'again', by: 'operator', channel: 'terminal' })
    const second = await world.token('again')
    expect(second).not.toBe(first)
    expect((await post(world.server.url, initialize(), bearer(first))).status).toBe(401)
    const headers = {
      ...bearer(second),
      'mcp-session-id': before.session() ?? '',
      'mcp-protocol-version': '2025-06-18',
    }
    expect((await post(world.server.url, toolCall(1, TOOL, LIST), headers)).status).toBe(404)
    expect((await post(world.server.url, initialize(), bearer(second))).status).toBe(200)
  })

  describe.each(['legacy', 'modern'] as const)('whoever is given the name again, in the %s era,', (era) => {
    const openHeir = async () => {
      const name = `heir-${crypto.randomUUID()}`
      const before = await connect(world.server.url, era, await world.token(name))
      const { data } = await before.ask(EXPORT)
      await world.clients.revoke({ name, by: 'operator', channel: 'terminal' })
      const heir = await connect(world.server.url, era, await world.token(name))
      return { name, heir, execution_id: data.execution_id as string, handle: before.session() ?? '' }
    }

    test('finds nothing of the one before', async () => {
      const { heir, execution_id, handle } = await openHeir()
      expect((await heir.ask(LIST)).data.items).toEqual([])
      for (const operation of ['get_execution', 'cancel_execution'])
        expect((await heir.ask({ operation, params: { execution_id } })).error.code).toBe('NOT_FOUND_RESOURCE')
      if (era === 'modern')
        expect((await heir.ask({ ...LIST, _session: handle })).error.code).toBe('NOT_FOUND_RESOURCE')
    })

    test('keeps its own work and questions when those of the one before end', async () => {
      const { heir, execution_id } = await openHeir()
      const { data } = await heir.ask(EXPORT)
      const { error } = await heir.ask({ operation: 'delete_thing', params: { thing: 'a' } })
      const old = async () => (await world.store.get(executionRef('things', execution_id)))?.status
      await expect.poll(old, { timeout: 10_000 }).toBe('cancelled')
      expect((await heir.ask(LIST)).data.items).toMatchObject([{ execution_id: data.execution_id, status: 'running' }])
      const id = error.details.approval_id ?? tokenRef(error.details.confirmation_token)
      expect(await world.store.get(requestRef(id))).toMatchObject({ state: 'pending' })
    }, 20_000)

    test('is stopped by a block on the name', async () => {
      const { name, heir } = await openHeir()
      const block = { agentKey: name, name, principal: name, reason: 'test', by: 'operator', channel: 'terminal' }
      await blockAgent(world.store, { now: Date.now }, crypto.randomUUID(), block)
      await expect.poll(async () => (await heir.ask(LIST)).error?.code).toBe('PERMISSION_AGENT_BLOCKED')
      await world.clients.revoke({ name, by: 'operator', channel: 'terminal' })
      const next = await connect(world.server.url, era, await world.token(name))
      expect((await next.ask(LIST)).error.code).toBe('PERMISSION_AGENT_BLOCKED')
    })
  })

  test('who added and who revoked stands in the trail', async () => {
    await world.token('told', true)
    await world.clients.revoke({ name: 'told', by: 'operator', channel: 'console' })
    const entries = await world.store.trail.read({ events: ['CLIENT_ADDED', 'CLIENT_REVOKED'], text: '"told"' })
    expect(entries.map(({ entry }) => entry)).toMatchObject([
      { event: 'CLIENT_REVOKED', client_name: 'told', operator: 'operator', channel: 'console' },
      { event: 'CLIENT_ADDED', client_name: 'told', elicitation: true, operator: 'operator', channel: 'terminal' },
    ])
  })
})

test.each(['', 'A', 'Ab', '1a', '-a', 'a b', 'a.b', 'ä', 'а', 'a\n', 'x'.repeat(64), 'anonymous', 'stdio', 'operator'])(
  'the name %j is refused',
  async (name) => {
    expect(await world.clients.add({ name, elicitation: false, by: 'o', channel: 'terminal' })).toMatchObject({
      kind: 'refused',
    })
  },
)

describe('sessions', () => {
  test('MCP-09 one that another caller opened is unknown, byte for byte', async () => {
    const tokens = [await world.token('one'), await world.token('two'), undefined]
    const answers = new Set<string>()
    const owner = await connect(world.server.url, 'legacy', tokens[0])
    for (const token of tokens.slice(1)) {
      for (const id of [owner.session() ?? '', 'never-there']) {
        const headers = { ...bearer(token), 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' }
        const { status, body } = await post(world.server.url, toolCall(7, TOOL, LIST), headers)
        answers.add(`${status} ${body}`)
      }
    }
    expect([...answers]).toEqual([expect.stringMatching(/^404 /)])
    expect(await owner.status(LIST)).toBe(200)
  })

  test('S7: one process that opens sessions without end locks out neither a named client nor other callers', async () => {
    const small = await world.again({ maxSessions: 20 })
    const { url } = small.server
    const named = await connect(url, 'legacy', await world.token('named'))
    const other = await connect(url, 'legacy')
    expect(await other.status(LIST)).toBe(200)
    for (let i = 0; i < 60; i++) expect((await post(url, initialize())).status).toBe(200)
    expect(await other.status(LIST)).toBe(200)
    expect(await named.status(LIST)).toBe(200)
    expect((await post(url, initialize(), bearer(await world.token('late')))).status).toBe(200)
    expect((await post(url, initialize())).status).toBe(200)
  })
})
