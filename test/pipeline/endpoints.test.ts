import { describe, expect, test } from 'vitest'
import type { Tool } from '../../src/core/introspection/tools.ts'
import type { EndpointProfile } from '../../src/protocol/endpoints.ts'
import { adding, echo, openWorld } from '../notes.ts'
import type { AdapterDefinition, OperationDefinition, RuntimeOptions } from '../support.ts'

const CRUDE_TOOLS = ['create', 'read', 'update', 'delete', 'execute'].map((family) => `note_book_mcpaql_${family}`)
const READ = 'note_book_mcpaql_read'

const DESK: EndpointProfile = {
  name: 'desk',
  introspection: 'look',
  families: [
    { name: 'look', purpose: 'See what is there.', categories: ['READ'] },
    { name: 'write', purpose: 'Add, change and remove.', categories: ['CREATE', 'UPDATE', 'DELETE'] },
    { name: 'operate', purpose: 'Run jobs.', categories: ['EXECUTE'] },
  ],
}
const withDesk = (adapter: AdapterDefinition): AdapterDefinition => ({ ...adapter, profiles: [DESK] })

async function toolsOf(
  options: Partial<RuntimeOptions> = {},
  change?: (adapter: AdapterDefinition) => AdapterDefinition,
) {
  const { runtime } = await openWorld(options, change)
  return runtime.tools
}

async function namesOf(
  options: Partial<RuntimeOptions> = {},
  change?: (adapter: AdapterDefinition) => AdapterDefinition,
) {
  return (await toolsOf(options, change)).map(({ name }) => name)
}

async function protocolOf(
  options: Partial<RuntimeOptions>,
  change?: (adapter: AdapterDefinition) => AdapterDefinition,
) {
  const { call, runtime } = await openWorld(options, change)
  const tool = runtime.tools.find(({ name }) => /_(?:read|look)$/.test(name))?.name ?? runtime.tools[0]?.name
  const { data } = await call({ operation: 'introspect', params: { query: 'operations' } }, tool)
  return data as {
    _protocol: Record<string, unknown>
    operations: { name: string; endpoint: string; semantic_category: string }[]
  }
}

describe('modes', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['MODE-01 semantic: one tool a family',   'semantic', CRUDE_TOOLS],
    ['MODE-01 single: one tool',              'single',   ['note_book_mcpaql']],
    ['MODE-01 MODE-02 all: both',             'all',      [...CRUDE_TOOLS, 'note_book_mcpaql']],
  ] as const)('%s', async (_, mode, names) => {
    expect(await namesOf({ mode })).toEqual(names)
  })

  test('MODE-03 without configuration semantic and crude', async () => {
    const { runtime } = await openWorld()
    expect([runtime.mode, runtime.profile, runtime.tools.map(({ name }) => name)]).toEqual([
      'semantic',
      'crude',
      CRUDE_TOOLS,
    ])
  })

  test('MODE-03 an unknown profile stops the start and names those there are', async () => {
    await expect(openWorld({ profile: 'dask' }, withDesk)).rejects.toThrow(
      "Adapter 'note-book' has no profile 'dask'; there are crude, desk",
    )
  })

  test('MODE-04 the profile crude has its five families, be they empty', async () => {
    const change = (adapter: AdapterDefinition) => ({ ...adapter, operations: [echo('get_back')] })
    const tools = await toolsOf({}, change)
    expect(tools.map(({ name }) => name)).toEqual(CRUDE_TOOLS)
    expect(tools[3]?.description).toContain('Supported operations: none')
    expect(tools[3]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['MODE-09 X-03', { mode: 'semantic' }, 'semantic', 'crude'],
    ['MODE-09 X-03', { mode: 'single' },   'single',   'crude'],
    ['MODE-09 X-03', { mode: 'all' },      'all',      'crude'],
    ['MODE-09',      { profile: 'desk' },  'semantic', 'desk'],
  ] as const)('%s %j is reported', async (_, options, mode, profile) => {
    expect((await protocolOf(options, withDesk))._protocol).toMatchObject({ mode, profile })
  })
})

describe('the family decides', () => {
  const OPERATIONS = {
    create: 'create_note',
    read: 'list_notes',
    update: 'update_note',
    delete: 'delete_note',
    execute: 'explode_note',
  }
  const rows = Object.entries(OPERATIONS).flatMap(([family, operation]) =>
    CRUDE_TOOLS.map((tool) => [operation, tool, tool.endsWith(`_${family}`)] as const),
  )
  const all = openWorld({ mode: 'all' })

  test.each(rows)('MODE-06 MODE-07 %s on %s', async (operation, tool, isOwn) => {
    const { call, calls } = await all
    const { error } = await call({ operation, params: {} }, tool)
    expect(error?.code === 'VALIDATION_ENDPOINT_MISMATCH').toBe(!isOwn)
    expect(calls).toEqual([])
  })

  test.each(Object.entries(OPERATIONS))(
    'MODE-08 the unified tool answers as %s does for %s',
    async (family, operation) => {
      const semantic = await openWorld()
      const single = await openWorld({ mode: 'single' })
      const own = await semantic.call({ operation, params: {} }, `note_book_mcpaql_${family}`)
      const answers = [
        await single.call({ operation, params: {} }, 'note_book_mcpaql'),
        await (await all).call({ operation, params: {} }, 'note_book_mcpaql'),
      ]
      for (const { success, error } of answers) expect([success, error?.code]).toEqual([own.success, own.error?.code])
      expect(own.error?.code).not.toBe('VALIDATION_ENDPOINT_MISMATCH')
      expect(own.error?.code).not.toBe('NOT_FOUND_OPERATION')
    },
  )

  test('MODE-08 single mode knows the same rules', async () => {
    const options = { mode: 'single', readOnly: true } as const
    const { call, calls } = await openWorld(options)
    expect((await call({ operation: 'create_note', params: { title: 5 } })).error?.code).toBe('VALIDATION_INVALID_TYPE')
    expect((await call({ operation: 'create_note', params: { title: 'A' } })).error?.message).toBe(
      "Permission denied: 'the server is read-only, and this is a CREATE operation'",
    )
    expect((await call({ operation: 'list_notes' })).success).toBe(true)
    expect(calls).toEqual([])
  })

  test('MODE-06 every operation has one category and one family', async () => {
    const { operations } = await protocolOf({})
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
    for (const { endpoint, semantic_category } of operations) expect(endpoint).toBe(semantic_category.toLowerCase())
  })
})

describe('a profile of the adapter’s own', () => {
  const desk = { profile: 'desk' }

  test('MODE-05 TOOL-01 TOOL-05 its families are the tools', async () => {
    const tools = await toolsOf(desk, withDesk)
    expect(tools.map(({ name, annotations }) => [name, annotations.title])).toEqual([
      ['note_book_mcpaql_look', 'Note Book — Look'],
      ['note_book_mcpaql_write', 'Note Book — Write'],
      ['note_book_mcpaql_operate', 'Note Book — Operate'],
    ])
  })

  test('TOOL-09 a family takes the hints of its riskiest operation', async () => {
    const hints = (await toolsOf(desk, withDesk)).map(({ annotations }) => [
      annotations.readOnlyHint,
      annotations.destructiveHint,
    ])
    expect(hints).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
    const additive = (adapter: AdapterDefinition) => ({
      ...withDesk(adapter),
      operations: adapter.operations.filter(({ category }) => category === 'CREATE'),
    })
    const [, write] = await toolsOf(desk, additive)
    expect(write?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  })

  test('MODE-05 MODE-07 operations go to their family, by their category', async () => {
    const { call } = await openWorld(desk, withDesk)
    const { error } = await call({ operation: 'create_note', params: { title: 'A' } }, 'note_book_mcpaql_look')
    expect(error).toEqual({
      code: 'VALIDATION_ENDPOINT_MISMATCH',
      message: "Operation 'create_note' must use write endpoint, not look",
      details: {
        operation: 'create_note',
        expected_endpoint: 'write',
        actual_endpoint: 'look',
        expected_tool: 'note_book_mcpaql_write',
        actual_tool: 'note_book_mcpaql_look',
      },
    })
    expect((await call({ operation: 'create_note', params: { title: 'A' } }, 'note_book_mcpaql_write')).success).toBe(
      true,
    )
  })

  test('MODE-05 MODE-06 an operation may name its family', async () => {
    const named = echo('get_job', {}, { endpoint: 'operate' })
    const { operations } = await protocolOf(desk, (adapter) => withDesk(adding(named)(adapter)))
    expect(operations.find(({ name }) => name === 'get_job')).toMatchObject({
      endpoint: 'operate',
      semantic_category: 'READ',
    })
  })

  test('TOOL-12 the description of a family', async () => {
    const [look, write] = await toolsOf({ ...desk, batch: false }, withDesk)
    expect(write?.description.split('\n')).toEqual([
      'Add, change and remove.',
      'Primary semantic categories: CREATE, UPDATE, DELETE',
      'Supported operations: create_note, update_note, delete_note, revoke_token',
      'Adds only. Overwrites values. Removes data. Use with caution.',
      'Quick start: {operation: "create_note", params: {title: "A"}}',
      'Parameters: {operation: "introspect", params: {query: "operations", name: "create_note"}} on note_book_mcpaql_look',
    ])
    expect(look?.description).toContain('Primary semantic categories: READ')
    expect(look?.description).toContain('{operation: "introspect", params: {query: "operations"}}')
  })
})

describe('names', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['TOOL-01 X-01', 'apple-mail',  'apple_mail_mcpaql_read', 'apple_mail_mcpaql'],
    ['TOOL-01',      'AppleMail',   'apple_mail_mcpaql_read', 'apple_mail_mcpaql'],
    ['TOOL-01',      'github',      'github_mcpaql_read',     'github_mcpaql'],
    ['TOOL-01',      'My Notes 2',  'my_notes_2_mcpaql_read', 'my_notes_2_mcpaql'],
  ])('%s %s', async (_, name, read, unified) => {
    const names = await namesOf({ mode: 'all' }, (adapter) => ({ ...adapter, name }))
    expect([names[1], names[5]]).toEqual([read, unified])
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['TOOL-02 X-01 classic',              { toolNames: 'classic' },                                  undefined,           'mcp_aql_read',       'mcp_aql'],
    ['TOOL-02 bare',                      { toolNames: 'bare' },                                     undefined,           'mcpaql_read',        'mcpaql'],
    ['TOOL-03 the adapter’s pattern',     {},                                                        'x_{adapter}_{endpoint}', 'x_note_book_read', 'x_note_book'],
    ['TOOL-03 configuration wins over it', { toolNames: 'y_{endpoint}' },                            'x_{adapter}_{endpoint}', 'y_read',         'y'],
    ['MULTI-02 X-01 a prefix',            { toolPrefix: 'mail_' },                                   undefined,           'mail_mcp_aql_read',  'mail_mcp_aql'],
    ['MULTI-02 a prefix wins over all',   { toolPrefix: 'mail_', toolNames: 'y_{endpoint}' },        'x_{endpoint}',      'mail_mcp_aql_read',  'mail_mcp_aql'],
  ])('%s', async (_, options, toolNames, read, unified) => {
    const change = (adapter: AdapterDefinition) => ({ ...adapter, ...(toolNames && { toolNames }) })
    const names = await namesOf({ mode: 'all', ...options }, change)
    expect([names[1], names[5]]).toEqual([read, unified])
  })

  test.each(['mail', 'Mail_', 'mail-', 'mäil_'])('MULTI-02 the prefix %j stops the start', async (toolPrefix) => {
    await expect(openWorld({ toolPrefix })).rejects.toThrow(
      `Tool prefix '${toolPrefix}' must be lower-case letters, digits and underscores, and end with one.`,
    )
  })

  test('TOOL-04 names that collide stop the start', async () => {
    await expect(openWorld({ toolNames: 'tool' })).rejects.toThrow('Tool names collide')
    await expect(openWorld({ toolNames: 'no spaces {endpoint}' })).rejects.toThrow('is not a tool name')
  })

  test('TOOL-04 names are unique, do not change, and are what mcpTool says', async () => {
    const { runtime, call } = await openWorld({ mode: 'all' })
    const names = runtime.tools.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(Object.isFrozen(runtime.tools)).toBe(true)
    for (const { name } of runtime.adapter.operations) {
      const { data } = await call({ operation: 'introspect', params: { query: 'operations', name } })
      expect(names).toContain((data as { operation: { mcpTool: string } }).operation.mcpTool)
    }
  })
})

describe('annotations', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    //                 title                  readOnly destructive idempotent
    ['create',  'Note Book — Create',  false,   false,      false],
    ['read',    'Note Book — Read',    true,    false,      true],
    ['update',  'Note Book — Update',  false,   true,       false],
    ['delete',  'Note Book — Delete',  false,   true,       false],
    ['execute', 'Note Book — Execute', false,   true,       false],
    ['',        'Note Book',           false,   true,       false],
  ])('TOOL-05 TOOL-06 TOOL-07 TOOL-08 TOOL-09 X-02 %s', async (family, title, readOnlyHint, destructiveHint, idempotentHint) => {
    const tools = await toolsOf({ mode: 'all' })
    const tool = tools.find(({ name }) => name === (family === '' ? 'note_book_mcpaql' : `note_book_mcpaql_${family}`))
    expect(tool?.annotations).toEqual({ title, readOnlyHint, destructiveHint, ...(idempotentHint && { idempotentHint }), openWorldHint: false })
  })

  test('TOOL-05 without a display name the name is shown', async () => {
    const [create] = await toolsOf({}, ({ displayName: _, ...adapter }) => adapter)
    expect(create?.annotations.title).toBe('note-book — Create')
  })

  test('TOOL-08 an adapter of a remote service is open to the world', async () => {
    const tools = await toolsOf({ mode: 'all' }, (adapter) => ({ ...adapter, openWorld: true }))
    expect(tools.map(({ annotations }) => annotations.openWorldHint)).toEqual(Array(6).fill(true))
  })
})

describe('descriptions', () => {
  const EFFECTS: Record<string, string> = {
    create: 'Adds only.',
    read: 'Never changes state.',
    update: 'Overwrites values.',
    delete: 'Removes data. Use with caution.',
    execute: 'Runtime state; potentially destructive, non-idempotent.',
  }

  test('TOOL-10 each holds a literal call to introspect the operations', async () => {
    for (const { description } of await toolsOf({ mode: 'all' })) {
      expect(description).toMatch(/\{operation: "introspect", params: \{query: "operations"(?:, name: "\w+")?\}\}/)
    }
  })

  test.each(Object.keys(EFFECTS))(
    'TOOL-11 TOOL-13 %s: purpose, operations, effect, quick start, introspection',
    async (family) => {
      const tool = (await toolsOf()).find(({ name }) => name.endsWith(`_${family}`))
      const { description = '' } = tool ?? {}
      const [purpose, ...rest] = description.split('\n')
      expect(purpose).toMatch(/^[A-Z].*\.$/)
      const order = [
        'Supported operations: ',
        EFFECTS[family] ?? '',
        'Quick start: {operation: "',
        '{operation: "introspect", params: {query: "operations"',
      ]
      const places = order.map((part) => rest.findIndex((line) => line.includes(part)))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(places).not.toContain(-1)
      expect(rest.at(-1)).toMatch(
        family === 'read' ? /params: \{query: "operations"\}\}$/ : /name: "\w+"\}\} on note_book_mcpaql_read$/,
      )
    },
  )

  test('TOOL-11 up to twelve operations are named, of more the most useful and how to search', async () => {
    const many = (count: number): OperationDefinition[] =>
      Array.from({ length: count }, (_, at) => echo(`create_thing_${at}`, {}, { category: 'CREATE', weight: at }))
    const only = (count: number) => (adapter: AdapterDefinition) => ({ ...adapter, operations: many(count) })
    const [twelve] = await toolsOf({}, only(12))
    expect(twelve?.description).toContain(
      `Supported operations: ${many(12)
        .map(({ name }) => name)
        .join(', ')}\n`,
    )
    expect(twelve?.description).not.toContain('search')
    const [thirteen] = await toolsOf({}, only(13))
    expect(thirteen?.description).toMatch(/Supported operations: create_thing_12, create_thing_11.* and \d+ more\n/)
    expect(thirteen?.description).toContain('others: query: "search"')
    const [thousand] = await toolsOf({}, only(1_000))
    expect(thousand?.description.length).toBeLessThan((thirteen?.description.length ?? 0) + 20)
  })

  test('TOOL-12 the unified tool: domain, routing, operations by category, introspection last', async () => {
    const [tool] = await toolsOf({ mode: 'single', batch: false })
    expect(tool?.description.split('\n')).toEqual([
      'Notes for tests. Every operation through one tool, routed by its category and family.',
      '- Create: create_note',
      expect.stringMatching(/^- Read: list_notes, /),
      '- Update: update_note',
      '- Delete: delete_note, revoke_token',
      expect.stringMatching(/^- Execute: export_notes/),
      expect.stringContaining('introspect {query: "search"'),
      'List all: {operation: "introspect", params: {query: "operations"}}',
    ])
  })

  test('TOOL-12 introspection stands last beside batches too', async () => {
    const [tool] = await toolsOf({ mode: 'single' })
    expect(tool?.description.split('\n').at(-1)).toBe(
      'List all: {operation: "introspect", params: {query: "operations"}}',
    )
  })

  test('the tool with introspect asks clients to load it at once, the others say what they are about', async () => {
    const metas = (tools: readonly Tool[]) => tools.map(({ _meta }) => _meta)
    expect(metas(await toolsOf())).toEqual([
      { 'anthropic/searchHint': 'note' },
      { 'anthropic/alwaysLoad': true },
      { 'anthropic/searchHint': 'note' },
      { 'anthropic/searchHint': expect.stringMatching(/^\w+$/) },
      { 'anthropic/searchHint': expect.stringMatching(/^\w+$/) },
    ])
    expect(metas(await toolsOf({ mode: 'single' }))).toEqual([{ 'anthropic/alwaysLoad': true }])
  })

  test('TOOL-13 the tool that is named takes introspect', async () => {
    const { runtime, call } = await openWorld()
    for (const { description } of runtime.tools) {
      const [, where] = / on (\w+)$/m.exec(description) ?? []
      const answer = await call({ operation: 'introspect', params: { query: 'operations' } }, where ?? READ)
      expect(answer.success).toBe(true)
    }
  })
})

describe('input schemas', () => {
  const PARTS = { operation: { type: 'string' }, params: { type: 'object', additionalProperties: true } }

  test('TOOL-14 X-15 without batches', async () => {
    for (const { inputSchema } of await toolsOf({ mode: 'all', batch: false })) {
      expect(inputSchema).toEqual({ type: 'object', properties: PARTS, required: ['operation'] })
    }
  })

  test('TOOL-15 X-15 with batches either key will do, and the root stays plain', async () => {
    for (const { inputSchema } of await toolsOf({ mode: 'all' })) {
      const { properties, ...root } = inputSchema as unknown as { properties: Record<string, object>; type: string }
      expect(root).toEqual({ type: 'object' })
      expect(properties).toMatchObject({ ...PARTS, operations: { type: 'array', items: { type: 'object' } } })
      expect(Object.keys(properties)).toEqual(['operation', 'params', 'operations'])
    }
  })

  test('TOOL-14 nothing at the root forbids parameters and metadata beside the operation', async () => {
    for (const { inputSchema } of await toolsOf({ mode: 'all' }))
      expect(inputSchema).not.toHaveProperty('additionalProperties')
    const { call } = await openWorld()
    expect((await call({ operation: 'get_note', note_id: 'n9', _meta: {} })).error?.code).toBe('NOT_FOUND_RESOURCE')
  })

  test('TOOL-16 operations are not enumerated: it would cost tokens', async () => {
    expect(JSON.stringify((await toolsOf({ mode: 'all' })).map(({ inputSchema }) => inputSchema))).not.toContain('enum')
  })
})

describe('several adapters', () => {
  test('MULTI-03 each introspects itself alone', async () => {
    const one = await protocolOf({}, (adapter) => ({ ...adapter, name: 'one', operations: [echo('get_one')] }))
    const two = await protocolOf({}, (adapter) => ({ ...adapter, name: 'two', operations: [echo('get_two')] }))
    const shown = [one, two].map(({ _protocol, operations }) => [_protocol.adapter, operations.map(({ name }) => name)])
    expect(shown).toEqual([
      ['one', ['introspect', 'get_one']],
      ['two', ['introspect', 'get_two']],
    ])
  })
})
