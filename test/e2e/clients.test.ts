import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { record } from '../../src/core/ports/store.ts'
import { openStore } from '../../src/store/open.ts'
import { checkIntrospection, checkResult } from '../schemas.ts'
import { BIN, plainEnvironment, type Serving, serveOverHttp } from './bin.ts'
import { post } from './raw-client.ts'
import { type Connected, type Place, REAL_CLIENTS, type ToolResult } from './real-clients.ts'

const TRANSPORTS = ['stdio', 'HTTP'] as const
type Transport = (typeof TRANSPORTS)[number]

const root = mkdtempSync(join(tmpdir(), 'mcpaql-clients-'))
const servers: Serving[] = []

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')))
  rmSync(root, { recursive: true, force: true })
})

/** A demo that nobody has used before, on disk: a question is asked only where somebody can answer it (SELF-10). */
async function freshDemo(transport: Transport): Promise<Place> {
  const env = plainEnvironment(mkdtempSync(join(root, 'state-')))
  if (transport === 'stdio') return { args: [BIN, 'serve', 'demo', '--no-console'], env }
  const server = await serveOverHttp(['demo', '--no-console'], env)
  servers.push(server)
  return { url: server.url }
}

interface Step {
  readonly what: string
  readonly endpoint: 'create' | 'read' | 'update' | 'delete' | 'execute'
  readonly request: Readonly<Record<string, unknown>>
  readonly expected: Readonly<Record<string, unknown>>
}

/** The demo's rows are always the same, and so are the ids that it gives. */
const CONVERSATION: readonly Step[] = [
  {
    what: 'the list of operations',
    endpoint: 'read',
    request: { operation: 'introspect', params: { query: 'operations' } },
    expected: { success: true, data: { _protocol: { adapter: 'tracker', mode: 'semantic', session_id: '<session>' } } },
  },
  {
    what: 'one operation',
    endpoint: 'read',
    request: { operation: 'introspect', params: { query: 'operations', name: 'create_issue' } },
    expected: { data: { operation: { name: 'create_issue', mcpTool: 'tracker_mcpaql_create' } } },
  },
  {
    what: 'the types',
    endpoint: 'read',
    request: { operation: 'introspect', params: { query: 'types' } },
    expected: { data: { types: expect.arrayContaining([expect.objectContaining({ name: 'Issue', kind: 'object' })]) } },
  },
  {
    what: 'a search',
    endpoint: 'read',
    request: { operation: 'introspect', params: { query: 'search', text: 'open a new ticket' } },
    expected: { data: { matches: expect.arrayContaining([expect.objectContaining({ operation: 'create_issue' })]) } },
  },
  {
    what: 'a READ',
    endpoint: 'read',
    request: {
      operation: 'list_issues',
      params: { first: 2, filter: { project: 'WEB' }, sort: { field: 'due_date' } },
    },
    expected: {
      data: { items: [{ project: 'WEB' }, { project: 'WEB' }], pageInfo: { hasNextPage: true, endCursor: '<cursor>' } },
    },
  },
  {
    what: 'a CREATE',
    endpoint: 'create',
    request: {
      operation: 'create_issue',
      params: { project: 'WEB', title: 'Grüße, 日本 🙂', external_id: '9007199254740993' },
    },
    expected: {
      data: {
        id: 'iss_61',
        title: 'Grüße, 日本 🙂',
        external_id: '9007199254740993',
        created_at: '<now>',
        _version: 1,
      },
    },
  },
  {
    what: 'an UPDATE',
    endpoint: 'update',
    request: { operation: 'update_issue', params: { issue_id: 'iss_61', if_match: 1, input: { state: 'closed' } } },
    expected: { data: { id: 'iss_61', state: 'closed', closed_at: '<now>', _version: 2 } },
  },
  {
    what: 'a batch in which one entry refers to another',
    endpoint: 'create',
    request: {
      operations: [
        { _id: 'new', operation: 'create_issue', params: { project: 'API', title: 'From a batch' } },
        { operation: 'create_comment', params: { issue_id: { $ref: 'new.data.id' }, body: 'Seen.' } },
        { operation: 'create_comment', params: { issue_id: { $ref: 'nobody.data.id' }, body: 'Seen.' } },
      ],
    },
    expected: {
      results: [
        { result: { data: { id: 'iss_62' } } },
        { result: { data: { issue_id: 'iss_62', body: 'Seen.' } } },
        { result: { success: false } },
      ],
      summary: { total: 3, succeeded: 2, failed: 1 },
    },
  },
  {
    what: 'a DELETE',
    endpoint: 'delete',
    request: { operation: 'delete_relation', params: { relation_id: 'rel_3' } },
    expected: { success: true, data: { id: 'rel_3', deleted: true } },
  },
  {
    what: 'a DELETE that waits for a human',
    endpoint: 'delete',
    request: { operation: 'delete_issue', params: { issue_id: 'iss_61' } },
    expected: {
      success: false,
      error: { code: 'CONFIRMATION_REQUIRED', details: { danger_level: 'destructive', confirmation_token: '<token>' } },
      confirmation: { token: '<token>' },
    },
  },
  {
    what: 'a failure of the operation',
    endpoint: 'read',
    request: { operation: 'get_issue', params: { issue_id: 'iss_9999' } },
    expected: { success: false, error: { code: 'NOT_FOUND_RESOURCE', details: { resource_id: 'iss_9999' } } },
  },
  {
    what: 'a request that is wrong',
    endpoint: 'read',
    request: { operation: 'get_isue', params: {} },
    expected: { success: false, error: { code: 'NOT_FOUND_OPERATION', details: { operation: 'get_isue' } } },
  },
]

/** For a client that starts a process for each request. */
const BRIEF = ['a READ', 'a CREATE', 'a DELETE that waits for a human', 'a request that is wrong']

interface Heard {
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  readonly raw: readonly ToolResult[]
  readonly answers: readonly unknown[]
}

async function converse(connected: Connected, steps = CONVERSATION): Promise<Heard> {
  const tools = await connected.listTools()
  const raw: ToolResult[] = []
  for (const { endpoint, request } of steps) {
    raw.push(await connected.callTool(`tracker_mcpaql_${endpoint}`, request))
  }
  return { tools, raw, answers: raw.map((result) => normalised(answerIn(result))) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
function answerIn({ content }: ToolResult): any {
  return JSON.parse(content[0]?.text ?? 'null')
}

const since = Date.now()
const SESSION_OR_APPROVAL = /^(session|approval)_id$/

/** What must differ from one run to the next; dates of the demo's own rows stay. */
function normalised(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => normalised(each))
  if (typeof value === 'object' && value !== null) {
    if (isOnlySlow(value)) return normalised({ ...value, warnings: undefined }, key)
    // A call without a session is told the one that its question is bound to (MCP-25), in place of the approval's id.
    const members = Object.entries(value).filter(([name]) => !(key === 'details' && SESSION_OR_APPROVAL.test(name)))
    return Object.fromEntries(members.map(([name, each]) => [name, normalised(each, name)]))
  }
  if (typeof value !== 'string') return value
  if (key === 'confirmation_token' || key === 'token') return '<token>'
  if (key === 'waiting_for') return '<waiting>'
  if (key === 'session_id') return '<session>'
  if (key === 'execution_id') return '<execution>'
  if (key.endsWith('Cursor')) return '<cursor>'
  return /^\d{4}-\d\d-\d\dT/.test(value) && Date.parse(value) >= since ? '<now>' : value
}

/** A busy machine makes any answer slow, which is one warning more. */
function isOnlySlow(value: object): boolean {
  const warnings: unknown = 'warnings' in value ? value.warnings : undefined
  if (!Array.isArray(warnings)) return false
  return warnings.every((warning) => warning.code === 'PERFORMANCE_SLOW_QUERY_WARNING')
}

const MATRIX = TRANSPORTS.flatMap((transport) => REAL_CLIENTS.map((client) => ({ ...client, transport })))

describe('real clients', () => {
  let reference: Heard | undefined

  beforeAll(async () => {
    expect(existsSync(BIN), 'dist is missing: run npm run build first (npm test does it)').toBe(true)
    const [first] = REAL_CLIENTS
    const connected = await first?.connect(await freshDemo('stdio'))
    if (connected) reference = await converse(connected)
    await connected?.close()
  })

  test.each(CONVERSATION.map((step, index) => ({ ...step, index })))('the conversation has $what', (step) => {
    const result = reference?.raw[step.index]
    expect(reference?.answers[step.index]).toMatchObject(step.expected)
    const isIntrospection = step.request.operation === 'introspect'
    expect((isIntrospection ? checkIntrospection : checkResult)(result && answerIn(result))).toEqual([])
  })

  test('MCP-14 every tool has name, title, description, schema and annotations', () => {
    expect(reference?.tools.map(({ name }) => name)).toEqual([
      'tracker_mcpaql_create',
      'tracker_mcpaql_read',
      'tracker_mcpaql_update',
      'tracker_mcpaql_delete',
      'tracker_mcpaql_execute',
    ])
    for (const tool of reference?.tools ?? []) {
      expect(tool).toMatchObject({
        title: expect.stringContaining('Issue tracker'),
        description: expect.stringContaining('operation'),
        inputSchema: { type: 'object', properties: { operation: { type: 'string' }, params: { type: 'object' } } },
        annotations: { readOnlyHint: tool.name === 'tracker_mcpaql_read' },
      })
    }
  })

  test.each(MATRIX)(
    'MCP-20 MCP-14 RES-05 $name over $transport gets the same tools and the same answers',
    async (client) => {
      const steps = client.follows ? CONVERSATION : CONVERSATION.filter(({ what }) => BRIEF.includes(what))
      const connected = await client.connect(await freshDemo(client.transport))
      const heard = await converse(connected, steps)
      await connected.close()
      expect(heard.tools).toEqual(reference?.tools)
      for (const [index, step] of steps.entries()) {
        const { what } = step
        expect(heard.answers[index], what).toEqual(reference?.answers[CONVERSATION.indexOf(step)])
        expect(heard.raw[index], what).toMatchObject({ content: [{ type: 'text' }], isError: false })
        expect(heard.raw[index]?.content, what).toHaveLength(1)
      }
    },
    120_000,
  )
})

describe.each(MATRIX.filter(({ follows }) => follows))('$name over $transport', (client) => {
  const EXECUTE = 'tracker_mcpaql_execute'
  const importing = (count: number, delay_ms: number) => ({
    operation: 'import_issues',
    params: { project: 'API', api_key: 'key_demo1234', count, delay_ms },
    ...session,
  })
  let place: Place
  let connected: Connected
  /** Over HTTP without a handshake the session is a handle (MCP-25). */
  let session: { readonly _session?: string } = {}

  beforeAll(async () => {
    place = await freshDemo(client.transport)
    connected = await client.connect(place)
    if (client.transport !== 'HTTP' || client.era !== 'modern') return
    const asked = { operation: 'introspect', params: { query: 'operations' } }
    const { data } = answerIn(await connected.callTool('tracker_mcpaql_read', asked))
    session = { _session: data._protocol.session_id }
  })
  afterAll(() => connected.close())

  only(client.era === 'legacy')('MCP-02 MCP-03 shakes hands on the newest revision it knows', async () => {
    expect(connected.revision).toBe('2025-11-25')
    expect(connected.capabilities).toMatchObject({ tools: {}, logging: {} })
    expect(await connected.ping?.()).toEqual({})
  })

  only(client.era === 'modern')('MCP-21 asks with server/discover and needs no handshake', () => {
    expect(connected.revision).toBe('2026-07-28')
    expect(connected.capabilities).toMatchObject({
      tools: {},
      extensions: { 'dev.mcpaql/core': { version: '1.0.0-draft', modes: ['semantic'] } },
    })
    expect(connected.sessionId).toBeUndefined()
  })

  test('MCP-02 MCP-21 learns who answers and how to begin', () => {
    expect(connected.server).toMatchObject({ name: 'mcpaql', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(connected.instructions).toContain('"operation":"introspect"')
  })

  test('PROG-01 PROG-03 PROG-04 follows the progress of an import', async () => {
    const seen: number[] = []
    const result = await connected.callTool(EXECUTE, importing(5, 60), {
      onprogress: ({ progress }) => seen.push(progress),
    })
    expect(normalised(answerIn(result))).toEqual({
      success: true,
      data: {
        execution_id: '<execution>',
        status: 'completed',
        operation: 'import_issues',
        started_at: '<now>',
        finished_at: '<now>',
        progress: { current: 5, total: 5, message: 'Fetched 5 of 5' },
        result: {
          project: 'API',
          imported: 5,
          skipped: 0,
          issue_ids: ['iss_61', 'iss_62', 'iss_63', 'iss_64', 'iss_65'],
        },
      },
    })
    // The SDK's clients lose what arrives together with the answer, so not every step can be asked for.
    expect(seen.length).toBeGreaterThanOrEqual(2)
    for (const progress of seen) expect([0, 26, 42, 58, 74, 90, 100]).toContain(progress)
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
  })

  test('MCP-12 cancels an import, which leaves nothing behind', async () => {
    const read = async (operation: string, params: object) =>
      answerIn(await connected.callTool('tracker_mcpaql_read', { operation, params, ...session })).data
    const total = async () => (await read('list_issues', { first: 1 })).pageInfo.totalCount
    const before = await total()
    const stop = new AbortController()
    const onprogress = ({ progress }: { readonly progress: number }) => {
      if (progress > 0) stop.abort('enough')
    }
    await expect(
      connected.callTool(EXECUTE, importing(500, 100), { signal: stop.signal, onprogress }),
    ).rejects.toThrow()
    const unfinished = async () => {
      const { items } = await read('list_executions', { filter: { status: { ne: 'completed' } } })
      return items.map(({ status }: { readonly status: string }) => status)
    }
    await expect.poll(unfinished, { timeout: 5_000 }).toEqual(['cancelled'])
    expect(await total()).toBe(before)
  })

  test('MCP-15 an unknown tool is refused by the protocol', async () => {
    await expect(connected.callTool('no_such_tool', { operation: 'introspect' })).rejects.toMatchObject({
      code: -32602,
    })
  })

  only(client.transport === 'stdio')('X-32 MCP-05 the process ends with the connection', async () => {
    const other = await client.connect(place)
    const { pid } = other
    expect(isAlive(pid)).toBe(true)
    await other.close()
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
  })

  only(client.transport === 'HTTP' && client.era === 'legacy')(
    'X-32 MCP-09 the session ends when the client says so',
    async () => {
      const other = await client.connect(place)
      const headers = { 'mcp-session-id': other.sessionId ?? '', 'mcp-protocol-version': '2025-11-25' }
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const { url } = place as { readonly url: string }
      expect((await post(url, list, headers)).status).toBe(200)
      await other.endSession?.()
      expect((await post(url, list, headers)).status).toBe(404)
      await other.close()
    },
  )
})

test('X-32 SES-03 the end of the input ends the session: what it left running is cancelled', async () => {
  const env = plainEnvironment(mkdtempSync(join(root, 'state-')))
  const place = { args: [BIN, 'serve', 'demo'], env }
  const client = REAL_CLIENTS.find(({ era, follows }) => era === 'legacy' && follows)
  const first = await client?.connect(place)
  const started = await first?.callTool('tracker_mcpaql_execute', {
    operation: 'import_issues',
    params: { project: 'API', api_key: 'key_demo1234', count: 500, delay_ms: 1_000 },
  })
  const { execution_id, status } = started ? answerIn(started).data : {}
  expect(status).toBe('running')
  await first?.close()

  const second = await client?.connect(place)
  const found = await second?.callTool('tracker_mcpaql_read', { operation: 'get_execution', params: { execution_id } })
  expect(found && answerIn(found).error).toMatchObject({ code: 'NOT_FOUND_RESOURCE' }) // another process is another session
  await second?.close()
  const store = await openStore('default', { stateFolder: env.XDG_STATE_HOME ?? '' })
  expect(await store.get(record('execution:tracker', execution_id))).toMatchObject({ status: 'cancelled' })
  await store.close()
})

/** No test at all, rather than a skipped one, where there is nothing to show. */
function only(condition: boolean): (name: string, work: () => unknown) => void {
  return condition ? test : () => {}
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}
