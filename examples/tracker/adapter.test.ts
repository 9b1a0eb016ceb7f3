import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/core/runtime.ts'
import type { Session } from '../../src/core/session.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { checkIntrospection, checkResult } from '../../test/schemas.ts'
import { openTracker, type Tracker } from './adapter.ts'

const NOW = Date.parse('2026-11-16T10:00:00Z')
const DEFINITIONS = definitions()
const OWN = DEFINITIONS.map(({ name }) => name)
const PROVIDED = [
  'introspect',
  'get_execution',
  'list_executions',
  'cancel_execution',
  'retry_execution',
  'revoke_token',
]

interface Outcome {
  readonly success: boolean
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely here, and compared with literals
  readonly data?: any
  readonly error?: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> }
  readonly warnings?: readonly Record<string, unknown>[]
}

let tracker: Tracker
let runtime: Runtime
let session: Session

beforeEach(() => start())
afterEach(() => runtime.close())

async function start(options: Partial<RuntimeOptions> = {}): Promise<void> {
  tracker = openTracker(':memory:')
  const clock = { now: () => NOW }
  runtime = await createRuntime(tracker.adapter, { store: createMemoryStore(), clock, mode: 'single', ...options })
  session = runtime.openSession('tester')
}

async function call(operation: string, params: Readonly<Record<string, unknown>> = {}): Promise<Outcome> {
  const [tool] = runtime.tools
  const { text } = await runtime.call({ tool: tool?.name ?? '', arguments: { operation, params }, session })
  const result = JSON.parse(text) as Outcome
  expect((operation === 'introspect' ? checkIntrospection : checkResult)(result), text).toEqual([])
  return result
}

async function textOf(params: Readonly<Record<string, unknown>>): Promise<string> {
  const [tool] = runtime.tools
  return (await runtime.call({ tool: tool?.name ?? '', arguments: { operation: 'introspect', params }, session })).text
}

async function settled(execution_id: string): Promise<Outcome> {
  for (let tries = 0; tries < 500; tries++) {
    const state = await call('get_execution', { execution_id })
    if (!['pending', 'running'].includes(state.data.status)) return state
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the execution did not end')
}

test.each([
  ['labels', { labels: Array(101).fill('bug') }, 'no more than 100 labels'],
  ['body', { body: 'x'.repeat(20_001) }, 'no more than 20000 characters'],
  ['metadata', { metadata: { a: 'x'.repeat(20_000) } }, 'no more than 20000 characters of JSON'],
])(
  'ATTACK-10 an issue holds a bounded %s, so that a page of them does not take long',
  async (name, given, constraint) => {
    const created = await call('create_issue', { project: 'WEB', title: 'Large', ...given })
    expect(created.error?.details).toMatchObject({ param_name: name, constraint })
    if (name === 'body') return // which the type bounds already
    const updated = await call('update_issue', { issue_id: 'iss_1', input: given })
    expect(updated.error?.details).toMatchObject({ param_name: `input.${name}`, constraint })
  },
)

test('labels keep their order and may repeat; the first that does not exist is named', async () => {
  const labels = ['docs', 'bug', 'docs']
  const { data } = await call('create_issue', { project: 'WEB', title: 'Labelled', labels })
  expect(data.labels).toEqual(labels)
  const { error } = await call('create_issue', { project: 'WEB', title: 'L', labels: ['bug', 'zz', 'aa'] })
  expect(error?.details).toMatchObject({ resource_type: 'label', resource_id: 'zz' })
})

test('every operation is there, and no family is crowded', async () => {
  const { data } = await call('introspect', { query: 'operations' })
  expect(data.operations.map(({ name }: { name: string }) => name).sort()).toEqual([...OWN, ...PROVIDED].sort())
  const size = (category: string) =>
    data.operations.filter(({ semantic_category }: Record<string, string>) => semantic_category === category).length
  expect(['CREATE', 'READ', 'UPDATE', 'DELETE', 'EXECUTE'].map(size)).toEqual([7, 12, 6, 8, 5])
})

const VERBS: Readonly<Record<string, readonly string[]>> = {
  CREATE: ['create'],
  READ: ['get', 'list'],
  UPDATE: ['update'],
  DELETE: ['delete'],
  EXECUTE: ['execute', 'cancel'],
}

test.each(DEFINITIONS)('OPN-01 OPN-03 OPN-04 $name has its category’s verb, or gives a reason', (definition) => {
  const { name, category, description } = definition
  expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/)
  const [verb = ''] = name.split('_')
  const canonical = VERBS[category] ?? []
  if (canonical.includes(verb) || name === 'query_relationships') return
  expect(description, 'the reason and the canonical counterpart').toMatch(new RegExp(`\`${verb}\`.*`))
  expect(
    canonical.some((word) => description.includes(word)),
    `one of ${canonical.join(', ')}`,
  ).toBe(true)
})

test.each(DEFINITIONS)('$name opens with a sentence of at most 80 characters', ({ description }) => {
  expect(description.split(/\.(?:\s|$)/)[0]?.length).toBeLessThanOrEqual(80)
})

test.each(DEFINITIONS)('INT-13 every example of $name runs', async ({ name, examples = [] }) => {
  expect(examples.length).toBeGreaterThan(0)
  for (const { params } of examples) {
    expect(await call(name, params)).toMatchObject({ success: true })
  }
})

test.each(DEFINITIONS.filter(({ category }) => category === 'READ'))(
  'INT-13 every example of $name finds something',
  async ({ name, examples = [] }) => {
    for (const { params } of examples) {
      const { data } = await call(name, params)
      const found = data.items ?? data.graph?.edges ?? [data]
      expect(found.length, JSON.stringify(params)).toBeGreaterThan(0)
    }
  },
)

test('introspection of an operation costs at most 400 tokens', async () => {
  for (const name of [...OWN, ...PROVIDED]) {
    const cost = tokens(await textOf({ query: 'operations', name }))
    expect(cost, name).toBeLessThanOrEqual(400)
  }
})

const SCRATCH = [
  [
    'issue',
    'create_issue',
    'get_issue',
    'issue_id',
    'id',
    {
      project: 'WEB',
      title: 'Ünïcode 😀',
      body: 'x',
      priority: 'high',
      assignee: null,
      reporter: 'ada',
      labels: ['docs', 'bug'],
      estimate_hours: 1.25,
      due_date: '2028-02-29',
      external_id: '123456789012345678901234567890',
      metadata: { a: { b: [1, null] } },
    },
  ],
  [
    'attachment',
    'create_attachment',
    'get_attachment',
    'attachment_id',
    'id',
    {
      issue_id: 'iss_1',
      file_name: 'x.bin',
      file_content: '/+8=',
      file_encoding: 'base64',
      file_mime_type: 'application/octet-stream',
    },
  ],
] as const

test.each(SCRATCH)(
  'CONF-06 DATA-06 DATA-07 an %s returns every submitted field',
  async (_, create, get, param, key, given) => {
    const made = await call(create, given)
    expect(made.data).toMatchObject(given)
    expect((await call(get, { [param]: made.data[key] })).data).toEqual(made.data)
  },
)

test.each([
  ['create_project', { key: 'NEW', name: 'New', description: 'd', lead: 'alan' }, 'list_projects', {}],
  ['create_label', { name: 'new', color: '#010203', description: 'd' }, 'list_labels', {}],
  ['create_user', { handle: 'new', name: 'New', email: 'n@x.example', role: 'guest' }, 'list_users', {}],
  ['create_comment', { issue_id: 'iss_1', body: 'b', author: 'alan' }, 'list_comments', { issue_id: 'iss_1' }],
] as const)('CONF-06 what %s was given is in the list', async (create, given, list, params) => {
  const made = await call(create, given)
  expect(made.data).toMatchObject(given)
  const { data } = await call(list, { ...params, fields: 'full' })
  expect(data.items).toContainEqual(made.data)
})

test('DATA-05 every time in an answer is UTC with Z', async () => {
  const { data } = await call('list_issues', { fields: 'full', first: 100 })
  const times = data.items.flatMap((item: Record<string, unknown>) =>
    Object.keys(item)
      .filter((key) => key.endsWith('_at'))
      .map((key) => item[key]),
  )
  expect(times.length).toBeGreaterThan(120)
  for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
})

test.each([
  ['due_date', '2026-02-30', 'VALIDATION_INVALID_VALUE'],
  ['due_date', '4.2.2026', 'VALIDATION_INVALID_VALUE'],
  ['external_id', 9007199254740991, 'VALIDATION_INVALID_TYPE'],
  ['external_id', '1.5', 'VALIDATION_INVALID_VALUE'],
  ['project', 'web', 'NOT_FOUND_RESOURCE'],
  ['priority', 'huge', 'VALIDATION_INVALID_VALUE'],
  ['estimate_hours', 1001, 'VALIDATION_INVALID_VALUE'],
  ['labels', ['bug', 1], 'VALIDATION_INVALID_TYPE'],
  ['title', '', 'VALIDATION_INVALID_VALUE'],
  ['reporter', null, 'VALIDATION_INVALID_TYPE'],
])('DATA-04 DATA-06 VAL-07 create_issue refuses %s = %o', async (name, value, code) => {
  const { error } = await call('create_issue', { project: 'WEB', title: 't', [name]: value })
  expect(error?.code).toBe(code)
})

test.each([
  [{ created_at: '2026-01-01T00:00:00Z' }, 'VALIDATION_READ_ONLY_FIELD'],
  [{ ref: 'WEB-5' }, 'VALIDATION_READ_ONLY_FIELD'],
  [{ _version: 5 }, 'VALIDATION_READ_ONLY_FIELD'],
  [{ activity: [] }, 'VALIDATION_APPEND_ONLY'],
  [{ issue_id: 'iss_2' }, 'VALIDATION_UNKNOWN_FIELD'],
  [{ colour: 'red' }, 'VALIDATION_UNKNOWN_FIELD'],
  [{ title: null }, 'VALIDATION_INVALID_VALUE'],
])('VAL-11 UPD-06 UPD-07 UPD-08 update_issue refuses %o and stores nothing', async (input, code) => {
  const before = await call('get_issue', { issue_id: 'iss_1' })
  const { error } = await call('update_issue', { issue_id: 'iss_1', input: { body: 'changed', ...input } })
  expect(error?.code).toBe(code)
  expect(await call('get_issue', { issue_id: 'iss_1' })).toEqual(before)
})

test('VAL-11 append-only names the operation that adds, and it does', async () => {
  const { error } = await call('update_issue', { issue_id: 'iss_1', input: { activity: [] } })
  expect(error?.details.alternative).toBe('create_comment')
  const before = (await call('get_issue', { issue_id: 'iss_1' })).data.activity
  await call('create_comment', { issue_id: 'iss_1', body: 'more' })
  const after = (await call('get_issue', { issue_id: 'iss_1' })).data.activity
  expect(after).toEqual([...before, { at: '2026-11-16T10:00:00.000Z', actor: 'bot', action: 'commented' }])
})

test('CONC-02 CONC-03 of twenty updates with one version, one wins', async () => {
  const race = Array.from({ length: 20 }, (_, index) =>
    call('update_issue', { issue_id: 'iss_1', if_match: 1, input: { title: `try ${index}` } }),
  )
  const outcomes = await Promise.all(race)
  expect(outcomes.filter(({ success }) => success)).toHaveLength(1)
  expect(new Set(outcomes.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['CONFLICT_VERSION_MISMATCH']))
  expect((await call('get_issue', { issue_id: 'iss_1' })).data._version).toBe(2)
})

test('REQ-10 a dry run previews and changes nothing', async () => {
  const before = (await call('list_issues', { aggregate: { n: { count: true } } })).data
  const preview = await call('create_issue', { project: 'WEB', title: 'Only a thought', dry_run: true })
  expect(preview.data).toMatchObject({ id: 'iss_61', title: 'Only a thought', assignee: 'grace' })
  expect((await call('delete_issue', { issue_id: 'iss_1', dry_run: true })).data).toEqual({
    id: 'iss_1',
    deleted: false,
  })
  expect((await call('create_issue', { project: 'LEG', title: 't', dry_run: true })).error?.code).toBe(
    'CONFLICT_PROJECT_ARCHIVED',
  )
  expect((await call('list_issues', { aggregate: { n: { count: true } } })).data).toEqual(before)
  expect((await call('get_issue', { issue_id: 'iss_61' })).error?.code).toBe('NOT_FOUND_RESOURCE')
})

test('LIFE-01 LIFE-03 LIFE-04 an import runs, reports and completes', async () => {
  const { data } = await call('import_issues', { project: 'API', api_key: 'key_abcd', count: 4, delay_ms: 20 })
  expect(data).toMatchObject({ execution_id: expect.any(String), status: 'running', operation: 'import_issues' })
  expect(data).not.toHaveProperty('finished_at')
  const end = await settled(data.execution_id)
  expect(end.data).toMatchObject({
    status: 'completed',
    progress: { current: 4, total: 4 },
    result: { project: 'API', imported: 4, skipped: 0, issue_ids: ['iss_61', 'iss_62', 'iss_63', 'iss_64'] },
  })
  expect(end.data.finished_at).toMatch(/Z$/)
  expect(JSON.stringify(end)).not.toContain('key_abcd')
})

test('LIFE-02 a cancelled import leaves nothing behind and cannot be cancelled twice', async () => {
  const { data } = await call('import_issues', { project: 'API', api_key: 'key_abcd', count: 500, delay_ms: 5 })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await call('cancel_execution', { execution_id: data.execution_id })).data.status).toBe('cancelled')
  expect((await call('cancel_execution', { execution_id: data.execution_id })).error?.code).toBe(
    'CONFLICT_INVALID_STATE',
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await call('get_execution', { execution_id: data.execution_id })).data.status).toBe('cancelled')
  expect((await call('list_issues', { aggregate: { n: { count: true } } })).data.aggregations).toEqual({ n: 60 })
})

test('LIFE-02 LIFE-03 a failed import says why, and can be tried again', async () => {
  const { data } = await call('import_issues', { project: 'API', api_key: 'key_expired9', count: 1 })
  const end = await settled(data.execution_id)
  expect(end.data).toMatchObject({ status: 'failed', error: { code: 'PERMISSION_DENIED' } })
  expect(JSON.stringify(end)).not.toContain('key_expired9')
  expect((await call('retry_execution', { execution_id: data.execution_id })).data.status).toBe('running')
  expect((await settled(data.execution_id)).data.status).toBe('failed')
})

test('LIFE-06 introspection says what the life cycle offers', async () => {
  const { data } = await call('introspect', { query: 'operations', name: 'import_issues' })
  expect(data.operation.lifecycle).toEqual({
    states: ['pending', 'running', 'completed', 'failed', 'cancelled'],
    supports_cancel: true,
    supports_retry: true,
    progress_reporting: true,
  })
})

test('VAL-10 a sensitive value appears in no failure', async () => {
  const outcome = await call('import_issues', { project: 'API', api_key: 'WRONG-secret-4711' })
  expect(outcome.error?.code).toBe('VALIDATION_INVALID_VALUE')
  expect(JSON.stringify(outcome)).not.toContain('4711')
})

test('ERR-49 the deprecated operation and parameter warn and work', async () => {
  const edited = await call('edit_comment', { comment_id: 'cmt_1', input: { body: 'new' } })
  expect(edited.data.body).toBe('new')
  expect(edited.warnings).toMatchObject([
    { code: 'DEPRECATION_WARNING', details: { type: 'operation', replacement: 'update_comment' } },
  ])
  const sent = await call('send_reminder', { issue_id: 'iss_1', text: 'old' })
  expect(sent.data.message).toBe('old')
  expect(sent.warnings).toMatchObject([
    { code: 'DEPRECATION_WARNING', details: { type: 'parameter', replacement: 'message' } },
  ])
})

test('FIELD-02 FIELD-03 COMP-01 presets, the own one, and computed fields', async () => {
  const keys = async (operation: string, params: object) =>
    Object.keys((await call(operation, { ...params })).data.items[0])
  expect(await keys('search_issues', { query: 'checkout' })).toEqual(['id', 'title', 'state'])
  expect(
    await keys('list_issues', {
      fields: 'planning',
      filter: { due_date: { exists: true } },
      sort: { field: 'due_date' },
    }),
  ).toEqual(['id', 'title', 'priority', 'assignee', 'estimate_hours', 'due_date'])
  const { data } = await call('get_issue', { issue_id: 'iss_1', fields: ['metadata.votes', '_computed.age_days'] })
  expect(data).toEqual({ _computed: { age_days: 312 } })
})

test('COMP-02 computed fields say what can be done with them, and nothing else', async () => {
  const computed = async (name: string) =>
    (await call('introspect', { query: 'operations', name })).data.operation.computed_fields
  expect(await computed('list_issues')).toEqual([{ name: 'age_days', type: 'integer', filterable: true }])
})

test('OPN-02 doubtful cases: what leaves the tracker is EXECUTE and says why, a search is a READ', async () => {
  const detailsOf = async (name: string) => (await call('introspect', { query: 'operations', name })).data.operation
  expect(await detailsOf('send_reminder')).toMatchObject({
    semantic_category: 'EXECUTE',
    description: expect.stringContaining('leaves the tracker, hence EXECUTE'),
  })
  expect(await detailsOf('search_issues')).toMatchObject({ semantic_category: 'READ' })
  expect(await detailsOf('execute_triage')).toMatchObject({ semantic_category: 'EXECUTE' })
})

test('REL-05 names understood everywhere, and one of its own that is listed', async () => {
  const { data } = await call('introspect', { query: 'operations', name: 'query_relationships' })
  expect(data.operation.relationship_capabilities.relationship_types).toEqual(['references', 'uses', 'blocks'])
  const walk = async (relationship: string) =>
    (
      await call('query_relationships', {
        root: { element_type: 'issue', element_name: 'iss_1' },
        direction: 'both',
        relationship,
        include: ['relationships'],
      })
    ).data.relationships.map(({ type }: { type: string }) => type)
  expect(new Set(await walk('blocks'))).toEqual(new Set(['blocks']))
  expect(new Set(await walk('uses'))).toEqual(new Set(['uses']))
})

test('PAGE-09 labels go by page, users by offset', async () => {
  const labels = await call('list_labels', { page: 2, page_size: 3 })
  expect(labels.data.pagination).toEqual({ page: 2, page_size: 3, total_items: 8, total_pages: 3, has_more: true })
  const users = await call('list_users', { limit: 4, offset: 4 })
  expect(users.data.pagination).toEqual({ limit: 4, offset: 4, returned: 2, total_items: 6, has_more: false })
})

test('AGG-03 groups and sums', async () => {
  const aggregate = { by_state: { count: true, group_by: 'state' }, hours: { sum: 'estimate_hours' } }
  const { data } = await call('list_issues', { filter: { project: 'LEG' }, aggregate })
  expect(data).toEqual({ aggregations: { by_state: { closed: 8, open: 2 }, hours: 72 } })
})

test('REL-04 the cycle ends', async () => {
  const root = { element_type: 'issue', element_name: 'iss_1' }
  const { data } = await call('query_relationships', { root, direction: 'outgoing', relationship: 'blocks', depth: 5 })
  expect(data.graph.edges).toEqual([
    { source: 'issue:iss_1', target: 'issue:iss_24', type: 'blocks' },
    { source: 'issue:iss_24', target: 'issue:iss_51', type: 'blocks' },
    { source: 'issue:iss_51', target: 'issue:iss_1', type: 'blocks' },
  ])
})

test('BATCH ids of creates feed later entries', async () => {
  const [tool] = runtime.tools
  const operations = [
    { operation: 'create_project', params: { key: 'NEW', name: 'New' } },
    { operation: 'create_issue', params: { project: { $ref: '0.data.key' }, title: 't' } },
    { operation: 'create_comment', params: { issue_id: { $ref: '1.data.id' }, body: 'b' } },
  ]
  const { result } = await runtime.call({ tool: tool?.name ?? '', arguments: { operations }, session })
  expect(result).toMatchObject({ summary: { total: 3, succeeded: 3, failed: 0 } })
})

test('MODE-05 the desk profile gives every operation one family', async () => {
  await runtime.close()
  await start({ mode: 'semantic', profile: 'desk' })
  expect(runtime.tools.map(({ name }) => name.split('_').at(-1))).toEqual(['discover', 'query', 'manage', 'operate'])
  const { data } = await call('introspect', { query: 'operations' })
  const family = Object.fromEntries(data.operations.map((each: Record<string, string>) => [each.name, each.endpoint]))
  expect(family).toMatchObject({
    introspect: 'discover',
    list_labels: 'discover',
    get_issue: 'query',
    delete_user: 'manage',
    import_issues: 'operate',
  })
})

const ATTACKS = ["' OR '1'='1", "'; DROP TABLE issues; --", '" OR 1=1', '\\', '%', '__proto__']

test.each(DEFINITIONS)('$name takes hostile text for what it is', async ({ name, params = {}, examples = [] }) => {
  const seeded = async () => {
    const { data } = await call('list_issues', { fields: ['id', 'title'], first: 100 })
    const rows = data.items as readonly { readonly id: string; readonly title: string }[]
    return rows
      .filter(({ id }) => Number(id.slice(4)) <= 60)
      .map(({ id, title }) => `${id} ${title}`)
      .sort()
  }
  const before = await seeded()
  expect(before).toHaveLength(60)
  for (const [param, { type }] of Object.entries(params)) {
    if (!/^string( \| null)?$/.test(type)) continue
    for (const attack of ATTACKS) {
      const { error } = await call(name, { ...examples[0]?.params, [param]: attack })
      expect(error?.code ?? '').not.toMatch(/INTERNAL/)
    }
  }
  expect(await seeded()).toEqual(before)
})

function definitions() {
  const { adapter, close } = openTracker(':memory:')
  close()
  return adapter.operations
}

function tokens(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() })
}
