import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { approving } from '../approve.ts'
import { adding, echo, openWorld, type World } from '../notes.ts'
import { type AdapterDefinition, defineType } from '../support.ts'

interface Row {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly default?: unknown
  readonly description?: string
  readonly [key: string]: unknown
}

interface Details {
  readonly name: string
  readonly parameters: readonly Row[]
  readonly examples?: readonly { readonly request: object }[]
  readonly returns: { readonly name: string }
  readonly [key: string]: unknown
}

const introspect = (world: World, params: object) => world.call({ operation: 'introspect', params })
const world = await openWorld()
const list = async (from = world) =>
  (await introspect(from, { query: 'operations' })).data as { _protocol: Record<string, unknown>; operations: Row[] }
const details = async (name: string, from = world) =>
  ((await introspect(from, { query: 'operations', name })).data as { operation: Details }).operation
const types = async (from = world) => ((await introspect(from, { query: 'types' })).data as { types: Row[] }).types
const type = async (name: string, from = world) =>
  ((await introspect(from, { query: 'types', name })).data as { type: Record<string, unknown> }).type

describe('introspect itself', () => {
  test.each(['semantic', 'single', 'all'] as const)(
    'INT-01 in mode %s it is a READ on the READ family and the unified tool',
    async (mode) => {
      const { call, runtime } = await openWorld({ mode })
      const fitting = runtime.tools.map(({ name }) => name).filter((name) => /_(?:read|mcpaql)$/.test(name))
      expect(fitting).toHaveLength(mode === 'all' ? 2 : 1)
      for (const tool of fitting) {
        const { data } = await call(
          { operation: 'introspect', params: { query: 'operations', name: 'introspect' } },
          tool,
        )
        expect((data as { operation: object }).operation).toMatchObject({ semantic_category: 'READ', endpoint: 'read' })
      }
    },
  )

  test('INT-02 X-38 its parameters', async () => {
    const { parameters } = await details('introspect')
    expect(parameters.slice(0, 2)).toEqual([
      {
        name: 'query',
        type: 'string',
        required: true,
        description: expect.any(String),
        enum: ['operations', 'types', 'search', 'danger', 'adapter_info', 'rest'],
      },
      { name: 'name', type: 'string', required: false, description: expect.any(String) },
    ])
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['query'])
  })

  test('INT-22 X-28 a missing query', async () => {
    expect((await introspect(world, {})).error).toMatchObject({
      code: 'VALIDATION_MISSING_PARAM',
      message: "Missing required parameter 'query' for operation 'introspect'. Expected: string (The kind of answer)",
      details: { param_name: 'query' },
    })
  })

  test.each(['dangers', 'revoke_token', 'quota_status', 'Operations', ''])(
    'INT-21 INT-22 X-38 the query %j is not supported',
    async (query) => {
      expect((await introspect(world, { query })).error).toMatchObject({
        code: 'VALIDATION_INVALID_VALUE',
        details: { param_name: 'query', allowed: ['operations', 'types', 'search', 'danger', 'adapter_info', 'rest'] },
      })
    },
  )

  test('INT-21 INT-23 INT-24 asking changes nothing: the same answer again, success and data alone', async () => {
    const asked = [
      { query: 'operations' },
      { query: 'operations', name: 'get_note' },
      { query: 'types' },
      { query: 'types', name: 'Note' },
      { query: 'search', text: 'make a note' },
      { query: 'operations', name: 'nobody' },
    ]
    for (const params of asked) {
      const first = await world.ask({ operation: 'introspect', params })
      const again = await world.ask({ operation: 'introspect', params, _request_id: 'r', _meta: { tokens: true } })
      expect(again.text).toBe(first.text)
      expect(Object.keys(again.result)).toEqual(['success', 'data'])
    }
    expect(world.calls).toEqual([])
  })

  test('INT-24 a lenient server does not warn there either', async () => {
    const lenient = await openWorld({ strict: false })
    expect(Object.keys(await introspect(lenient, { query: 'types', more: 1 }))).toEqual(['success', 'data'])
  })
})

describe('the list of operations', () => {
  test('INT-03 INT-04 INT-14 X-26 every one, with four keys', async () => {
    const data = await list()
    expect(Object.keys(data)).toEqual(['_protocol', 'operations'])
    expect(data.operations.map(({ name }) => name)).toEqual([
      'introspect',
      'create_note',
      'get_note',
      'list_notes',
      'update_note',
      'delete_note',
      'export_notes',
      'explode_note',
      'get_everything',
      'get_slowly',
      'find_notes',
      'get_execution',
      'list_executions',
      'cancel_execution',
      'retry_execution',
      'revoke_token',
    ])
    for (const operation of data.operations) {
      expect(Object.keys(operation)).toEqual(['name', 'semantic_category', 'endpoint', 'description'])
    }
    expect(data.operations[1]).toEqual({
      name: 'create_note',
      semantic_category: 'CREATE',
      endpoint: 'create',
      description: 'Create a note.',
    })
  })

  test('INT-04 the endpoint is the family in every mode', async () => {
    const single = await openWorld({ mode: 'single' })
    expect((await list(single)).operations).toEqual((await list()).operations)
  })

  test('INT-03 above the limit it is paged, and `after` continues', async () => {
    const paged = await openWorld({ listPage: 4 })
    const names: string[] = []
    let after: string | undefined
    let pages = 0
    do {
      const { data } = await introspect(paged, { query: 'operations', ...(after !== undefined && { after }) })
      const { _protocol, operations } = data as {
        _protocol: { page: { total: number; next?: string; hint: string } }
        operations: Row[]
      }
      expect(_protocol.page.total).toBe(16)
      expect(_protocol.page.hint).toContain('"query":"search"')
      names.push(...operations.map(({ name }) => name))
      after = _protocol.page.next
      pages++
    } while (after !== undefined)
    expect(pages).toBe(4)
    expect(names).toEqual((await list()).operations.map(({ name }) => name))
    expect((await introspect(paged, { query: 'operations', after: 'nobody' })).error?.code).toBe(
      'VALIDATION_INVALID_VALUE',
    )
  })

  test('INT-03 200 are one page, 201 are two', async () => {
    const having = async (count: number) => {
      const many = Array.from({ length: count - 1 }, (_, at) => echo(`get_thing_${at}`))
      return list(await openWorld({}, (adapter) => ({ ...adapter, operations: many })))
    }
    expect((await having(200))._protocol).not.toHaveProperty('page')
    expect((await having(201))._protocol.page).toMatchObject({ total: 201, next: 'get_thing_198' })
  })

  test('INT-25 the list can be narrowed to a category', async () => {
    const { data } = await introspect(world, { query: 'operations', category: 'EXECUTE' })
    expect((data as { operations: Row[] }).operations.map(({ name }) => name)).toEqual([
      'export_notes',
      'explode_note',
      'cancel_execution',
      'retry_execution',
    ])
  })
})

describe('_protocol', () => {
  test('INT-05 INT-06 INT-07 INT-08 X-29 what the server says of itself', async () => {
    expect((await list())._protocol).toEqual({
      version: '1.0.0-draft',
      conformance: 'level-2',
      mode: 'semantic',
      profile: 'crude',
      adapter: 'note-book',
      display_name: 'Note Book',
      capabilities: {
        batch: true,
        field_selection: true,
        aggregations: true,
        computed_fields: false,
        pagination: true,
        relationship_queries: false,
        warnings: true,
        confirmation: true,
        dangerous_operations: true,
        execution_safety_loop: 'disabled',
      },
      danger: {
        create_note: 'reversible',
        update_note: 'reversible',
        delete_note: 'destructive',
        export_notes: 'reversible',
        explode_note: 'reversible',
        cancel_execution: 'reversible',
        retry_execution: 'reversible',
        revoke_token: 'reversible',
      },
      limits: expect.any(Object),
      concurrency: 'read-concurrent',
      supports_etag: true,
      max_concurrent_requests: 1_000,
      session_id: world.session.id,
    })
  })

  test('INT-07 a capability is claimed only where something has it', async () => {
    const bare = await openWorld({ batch: false }, (adapter) => ({
      ...adapter,
      types: [],
      operations: [echo('get_back')],
    }))
    const { capabilities, supports_etag } = (await list(bare))._protocol as {
      capabilities: object
      supports_etag: boolean
    }
    expect(Object.entries(capabilities).filter(([, has]) => has)).toEqual([
      ['warnings', true],
      ['confirmation', true],
      ['dangerous_operations', true], // the gate stands before every adapter (DNG-20)
      ['execution_safety_loop', 'disabled'], // LOOP-06
    ])
    expect(supports_etag).toBe(false)
  })

  test('INT-07 computed fields', async () => {
    const counted = defineType({
      name: 'Counted',
      kind: 'object',
      key: 'id',
      fields: { id: { type: 'string', required: true } },
      computed: { length: { type: 'integer', compute: ({ id }) => String(id).length } },
    })
    const change = (adapter: AdapterDefinition): AdapterDefinition => ({
      ...adapter,
      types: [...(adapter.types ?? []), counted],
      operations: [{ ...echo('list_counted'), collection: { of: 'Counted' }, handler: () => [] }],
    })
    const opened = await openWorld({}, change)
    expect((await list(opened))._protocol.capabilities).toMatchObject({ computed_fields: true })
    expect((await details('list_counted', opened)).computed_fields).toEqual([{ name: 'length', type: 'integer' }])
  })
})

describe('one operation', () => {
  const REQUIRED = [
    'name',
    'semantic_category',
    'endpoint',
    'description',
    'mcpTool',
    'permissions',
    'parameters',
    'returns',
  ]
  const OPTIONAL = ['examples', 'computed_fields', 'aggregation_support', 'relationship_capabilities', 'lifecycle']
  const PARAMETER =
    'name type required description default enum minimum maximum minLength maxLength pattern format items sensitive'.split(
      ' ',
    )

  test('INT-09 INT-12 INT-13 INT-14 X-26 exactly these keys', async () => {
    for (const { name } of (await list()).operations) {
      const { ...operation } = await details(name)
      expect(Object.keys(operation).slice(0, 8)).toEqual(REQUIRED)
      expect(
        Object.keys(operation)
          .slice(8)
          .filter((key) => !OPTIONAL.includes(key)),
      ).toEqual([])
      for (const row of operation.parameters)
        expect(Object.keys(row).filter((key) => !PARAMETER.includes(key))).toEqual([])
      expect(Object.keys(operation.returns).filter((key) => !['name', 'kind', 'description'].includes(key))).toEqual([])
    }
  })

  test('INT-12 a deprecated parameter says so in its description, with what to use instead', async () => {
    const deprecated = { replacement: 'word', removal: '2027-01-31' }
    const params = {
      term: { type: 'string', description: 'What to look for.', deprecated },
      bare: { type: 'string', deprecated: {} },
    }
    const from = await openWorld({}, adding(echo('get_word', params)))
    expect((await details('get_word', from)).parameters.slice(0, 2)).toEqual([
      {
        name: 'term',
        type: 'string',
        required: false,
        description: 'Deprecated; use word, goes on 2027-01-31. What to look for.',
      },
      { name: 'bare', type: 'string', required: false, description: 'Deprecated.' },
    ])
  })

  test('INT-09 INT-13 an example of each kind of row', async () => {
    const { parameters, returns, examples, ...rest } = await details('create_note')
    expect(rest).toEqual({
      name: 'create_note',
      semantic_category: 'CREATE',
      endpoint: 'create',
      description: 'Create a note.',
      mcpTool: 'note_book_mcpaql_create',
      permissions: { readOnly: false, destructive: false },
    })
    expect(returns).toEqual({ name: 'Note', kind: 'object', description: 'A note.' })
    expect(examples).toEqual([{ request: { operation: 'create_note', params: { title: 'A' } } }])
    // biome-ignore format: one row a parameter
    expect(parameters).toEqual([
      { name: 'title', type: 'string', required: true, description: 'Its title.', minLength: 1, maxLength: 40 },
      { name: 'color', type: 'string', required: false, description: 'Its colour.', default: 'red', enum: ['red', 'blue'] },
      { name: 'size', type: 'integer', required: false, minimum: 1, maximum: 9 },
      { name: 'ratio', type: 'number', required: false },
      { name: 'tags', type: 'string[]', required: false, items: { type: 'string', pattern: '^[a-z]+$' } },
      { name: 'due_date', type: 'string', required: false, format: 'date' },
      { name: 'parent_id', type: 'string | null', required: false, description: 'Null: no parent. Absent: the default parent.' },
      { name: 'secret_word', type: 'string', required: false, sensitive: true },
      { name: 'old_name', type: 'string', required: false, description: 'Deprecated; use title, goes on 2030-01-01.' },
    ])
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['INT-10', 'semantic', 'note_book_mcpaql_create'],
    ['INT-10', 'all',      'note_book_mcpaql_create'],
    ['INT-10', 'single',   'note_book_mcpaql'],
  ] as const)('%s in mode %s mcpTool takes the call', async (_, mode, tool) => {
    const opened = await openWorld({ mode })
    expect((await details('create_note', opened)).mcpTool).toBe(tool)
    expect((await opened.call({ operation: 'create_note', params: { title: 'A' } }, tool)).success).toBe(true)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['create_note',  false, false],
    ['get_note',     true,  false],
    ['update_note',  false, true],
    ['delete_note',  false, true],
    ['export_notes', false, true],
  ])('INT-11 X-02 the permissions of %s', async (name, readOnly, destructive) => {
    expect((await details(name)).permissions).toEqual({ readOnly, destructive })
  })

  test('INT-13 the examples run', async () => {
    const opened = await openWorld()
    await opened.call({ operation: 'create_note', params: { title: 'A' } })
    for (const { name } of opened.runtime.adapter.operations) {
      if (name === 'get_slowly') continue
      for (const { request } of (await details(name, opened)).examples ?? [])
        expect((await approving(opened)(request)).success, name).toBe(true)
    }
  })

  test('INT-16 X-06 an unknown name is a success with null', async () => {
    for (const name of ['nobody', 'constructor', '__proto__', '']) {
      expect(await introspect(world, { query: 'operations', name })).toEqual({
        success: true,
        data: { operation: null },
      })
      expect(await introspect(world, { query: 'types', name })).toEqual({ success: true, data: { type: null } })
    }
  })
})

describe('INT-17 what is shown is what is checked', () => {
  const FORMS = echo('get_forms', {
    text: { type: 'string', minLength: 2, maxLength: 5 },
    code: { type: 'string', pattern: '^[a-c]+$' },
    level: { type: 'integer', minimum: 1, maximum: 9, default: 4 },
    ratio: { type: 'number', minimum: -1, maximum: 1 },
    choice: { type: 'string', enum: ['a', 'b'], default: 'b' },
    choices: { type: 'string[]', enum: ['a', 'b'] },
    flag: { type: 'boolean', default: true },
    tags: { type: 'string[]', items: { type: 'string', maxLength: 3 }, default: ['x'] },
    either: { type: 'string | integer' },
    nothing: { type: 'string | null', default: null },
    open: { type: 'object' },
    list: { type: 'array' },
    day: { type: 'string', format: 'date' },
    must: { type: 'boolean', required: true },
  })
  let forms: World
  let shown: readonly Row[] = []
  beforeAll(async () => {
    forms = await openWorld({}, adding(FORMS))
    shown = (await details('get_forms', forms)).parameters
  })
  const call = (params: object) => forms.call({ operation: 'get_forms', params: { must: true, ...params } })

  test('INT-17 every listed parameter is accepted with a value made from what is listed', async () => {
    const given = fc.record({ row: fc.nat(), seed: fc.nat() })
    await fc.assert(
      fc.asyncProperty(given, async ({ row, seed }) => {
        const chosen = shown[row % shown.length] as Row
        const [value] = fc.sample(valueFor(chosen), { numRuns: 1, seed })
        const answer = await call({ [chosen.name]: value })
        expect(answer.error, `${chosen.name}: ${JSON.stringify(value)}`).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  test('INT-17 a value outside of what is listed is refused', async () => {
    const given = fc.record({ row: fc.nat(), value: fc.jsonValue({ maxDepth: 2 }) })
    await fc.assert(
      fc.asyncProperty(given, async ({ row, value }) => {
        const chosen = shown[row % shown.length] as Row
        fc.pre(!fits(chosen, value))
        const answer = await call({ [chosen.name]: value })
        expect(answer.error?.code, `${chosen.name}: ${JSON.stringify(value)}`).toMatch(
          /^VALIDATION_INVALID_(?:TYPE|VALUE|ENCODING)$/,
        )
      }),
      { numRuns: 300 },
    )
  })

  test('INT-17 a name that is not listed is refused', async () => {
    const names = new Set(shown.map(({ name }) => name))
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/), async (name) => {
        fc.pre(!names.has(name) && !['operation', 'params', 'operations'].includes(name))
        expect((await call({ [name]: 1 })).error?.code).toBe('VALIDATION_UNKNOWN_PARAM')
      }),
      { numRuns: 200 },
    )
  })

  test('INT-17 required is what is shown as required', async () => {
    const { error } = await forms.call({ operation: 'get_forms' })
    expect([error?.code, error?.details?.param_name]).toEqual(['VALIDATION_MISSING_PARAM', 'must'])
    expect(shown.filter(({ required }) => required).map(({ name }) => name)).toEqual(['must'])
  })

  test('INT-17 a default that is shown is what happens without', async () => {
    const without = await call({})
    const defaults = Object.fromEntries(
      shown.filter((row) => Object.hasOwn(row, 'default')).map((row) => [row.name, row.default]),
    )
    expect(defaults).toEqual({ level: 4, choice: 'b', flag: true, tags: ['x'], nothing: null })
    expect(without.data).toEqual({ must: true, ...defaults })
    expect(await call(defaults)).toEqual(without)
  })

  test('INT-17 for every operation of the world: the listed names are the valid ones', async () => {
    for (const { name } of (await list()).operations) {
      const listed = (await details(name)).parameters.map((row) => row.name)
      const { error } = await world.call({ operation: name, params: { ...REQUIRED_VALUES, no_such_parameter: 1 } })
      expect(error?.details?.valid_params, name).toEqual(listed)
    }
  })
})

describe('types', () => {
  test('INT-15 X-27 the list has the short form', async () => {
    for (const row of await types())
      expect(Object.keys(row).filter((key) => !['name', 'kind', 'description'].includes(key))).toEqual([])
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['SemanticCategory',    'enum',   { values: ['CREATE', 'READ', 'UPDATE', 'DELETE', 'EXECUTE'] }],
    ['OperationInput',      'object', { fields: ['operation', 'params'] }],
    ['OperationResult',     'union',  { members: ['OperationSuccess', 'OperationFailure'] }],
    ['OperationSuccess',    'object', { fields: ['success', 'data', 'warnings'] }],
    ['OperationFailure',    'object', { fields: ['success', 'error'] }],
    ['EndpointPermissions', 'object', { fields: ['readOnly', 'destructive'] }],
  ])('TYPE-01 %s is always there', async (name, kind, inner) => {
    const bare = await openWorld({}, (adapter) => ({ ...adapter, types: [], operations: [echo('get_back')] }))
    const shown = await type(name, bare)
    const fields = (shown.fields as Row[] | undefined)?.map((field) => field.name)
    expect({ ...shown, ...(fields && { fields }) }).toEqual({ name, kind, description: expect.any(String), ...inner })
    expect((await types(bare)).map((each) => each.name)).toContain(name)
  })

  const OWN = [
    defineType({ name: 'Colour', kind: 'enum', values: ['red', 'blue'] }),
    defineType({ name: 'Empty', kind: 'object', fields: {} }),
    defineType({ name: 'Shape', kind: 'union', description: 'One of two.', members: ['Empty', 'Colour'] }),
    defineType({ name: 'Money', kind: 'scalar', description: 'An amount.' }),
    defineType({
      name: 'Box',
      kind: 'object',
      fields: {
        colour: { type: 'Colour' },
        shapes: { type: 'Shape[]' },
        price: { type: 'Money | null', required: true },
      },
    }),
  ] as const
  const withOwn = (adapter: AdapterDefinition): AdapterDefinition => ({
    ...adapter,
    types: [...(adapter.types ?? []), ...OWN],
    operations: [
      ...adapter.operations,
      echo('get_box', {}, { returns: 'Box' }),
      echo('list_boxes', {}, { returns: 'Box[]' }),
    ],
  })

  // biome-ignore format: one row a kind
  test.each([
    ['TYPE-02 an enum', 'Colour', { name: 'Colour', kind: 'enum', values: ['red', 'blue'] }],
    ['TYPE-02 an object without fields', 'Empty', { name: 'Empty', kind: 'object', fields: [] }],
    ['TYPE-02 a union', 'Shape', { name: 'Shape', kind: 'union', description: 'One of two.', members: ['Empty', 'Colour'] }],
    ['TYPE-02 a scalar', 'Money', { name: 'Money', kind: 'scalar', description: 'An amount.' }],
    ['TYPE-02 an object', 'Box', { name: 'Box', kind: 'object', fields: [
      { name: 'colour', type: 'Colour', required: false },
      { name: 'shapes', type: 'Shape[]', required: false },
      { name: 'price', type: 'Money | null', required: true },
    ] }],
  ])('%s', async (_, name, shown) => {
    expect(await type(name, await openWorld({}, withOwn))).toEqual(shown)
  })

  test('TYPE-03 TYPE-04 every type that is named anywhere is built in or listed', async () => {
    const opened = await openWorld({}, withOwn)
    const listed = new Set((await types(opened)).map(({ name }) => name))
    for (const { name } of OWN) expect(listed).toContain(name)
    const known = (written: string) =>
      written
        .split(' | ')
        .every(
          (part) =>
            /^(?:string|number|integer|boolean|object|array|null)(?:\[\])*$/.test(part) ||
            listed.has(part.replace(/(?:\[\])+$/, '')),
        )
    for (const name of listed) {
      const { fields = [], members = [] } = (await type(name, opened)) as { fields?: Row[]; members?: string[] }
      for (const written of [...fields.map((field) => field.type), ...members])
        expect(known(written), `${name}: ${written}`).toBe(true)
    }
    for (const { name } of (await list(opened)).operations) {
      const { returns, parameters } = await details(name, opened)
      expect(known(returns.name), `${name} returns ${returns.name}`).toBe(true)
      for (const row of parameters) expect(row.type, `${name}.${row.name}`).toMatch(TYPE_GRAMMAR)
    }
  })

  test.each([
    [
      'TYPE-03 in a field',
      { types: [{ name: 'Box', kind: 'object', fields: { lid: { type: 'Lid' } } }] },
      "Type 'Box' names 'Lid', which is not listed",
    ],
    [
      'TYPE-03 in a member',
      { types: [{ name: 'Box', kind: 'union', members: ['Lid'] }] },
      "Type 'Box' names 'Lid', which is not listed",
    ],
    [
      'TYPE-03 in returns',
      { operations: [echo('get_lid', {}, { returns: 'Lid' })] },
      "Operation 'get_lid': returns 'Lid' is not a listed type",
    ],
    [
      'TYPE-03 in a list',
      { operations: [echo('get_lid', {}, { returns: 'Lid[]' })] },
      "Operation 'get_lid': returns 'Lid[]' is not a listed type",
    ],
    [
      'TYPE-04 a field',
      { types: [{ name: 'Box', kind: 'object', fields: { lid: { type: 'list<string>' } } }] },
      "Type 'Box', field 'lid': 'list<string>' is not a type",
    ],
    [
      'TYPE-03 twice',
      { types: [{ name: 'OperationInput', kind: 'scalar' }] },
      "Type 'OperationInput' is defined twice",
    ],
  ] as const)('%s: a type that nobody knows stops the start', async (_, change, message) => {
    await expect(openWorld({}, (adapter) => ({ ...adapter, types: [], operations: [], ...change }))).rejects.toThrow(
      message,
    )
  })

  // biome-ignore format: a table reads by columns
  test.each(['string', 'number', 'integer', 'boolean', 'object', 'array', 'string[]', 'integer[][]', 'string | string[]', 'string | null'])(
    'TYPE-04 %s is a type', async (written) => {
      const opened = await openWorld({}, adding(echo('get_back', { value: { type: written } })))
      expect((await details('get_back', opened)).parameters[0]?.type.replaceAll(' ', '')).toBe(written.replaceAll(' ', ''))
    })
})

describe('names of operations', () => {
  test('OPN-03 the operations of the protocol follow the grammar', async () => {
    for (const { name } of (await list()).operations) expect(name).toMatch(/^(?:introspect|[a-z]+_[a-z0-9_]+)$/)
  })
})

const TYPE_GRAMMAR =
  /^(?:string|number|integer|boolean|object|array|null)(?:\[\])*(?: \| (?:string|number|integer|boolean|object|array|null)(?:\[\])*)*$/
const REQUIRED_VALUES = {
  token: 'conf_0',
  note_id: 'n1',
  title: 'A',
  input: {},
  query: 'operations',
  execution_id: 'e',
}

/** A value as the row promises to accept it. */
function valueFor(row: Row): fc.Arbitrary<unknown> {
  const {
    minimum = -1_000,
    maximum = 1_000,
    minLength = 0,
    maxLength = 8,
  } = row as { minimum?: number; maximum?: number; minLength?: number; maxLength?: number }
  const of = (base: string): fc.Arbitrary<unknown> => {
    if (base.endsWith('[]')) {
      const items = (row.items ?? {}) as Partial<Row>
      return fc.array(
        valueFor({
          ...items,
          name: '',
          required: false,
          type: base.slice(0, -2),
          ...(row.enum ? { enum: row.enum } : {}),
        }),
        { maxLength: 4 },
      )
    }
    if (row.enum) return fc.constantFrom(...(row.enum as unknown[]))
    if (row.format === 'date') return fc.constantFrom('2026-02-04', '2024-02-29')
    if (row.pattern) return fc.stringMatching(/^[a-c]{1,5}$/)
    switch (base) {
      case 'string':
        return fc.string({ minLength, maxLength, unit: fc.constantFrom('a', 'Z', '7', ' ', 'é', '🙂') })
      case 'integer':
        return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
      case 'number':
        return fc.double({ min: minimum, max: maximum, noNaN: true })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(fc.integer({ min: -9, max: 9 }))
      default:
        return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.boolean())
    }
  }
  return fc.oneof(...row.type.split(' | ').map(of))
}

/** Would somebody who reads the row expect the value to pass? */
function fits(row: Row, value: unknown): boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = row as {
    minimum?: number
    maximum?: number
  }
  return row.type.split(' | ').some((base) => {
    if (base.endsWith('[]')) {
      const inner = {
        name: '',
        required: false,
        ...(row.items as object),
        type: base.slice(0, -2),
        ...(row.enum ? { enum: row.enum } : {}),
      }
      return Array.isArray(value) && value.every((item) => fits(inner, item))
    }
    if (row.enum && !(row.enum as unknown[]).includes(value)) return false
    if (base === 'null') return value === null
    if (base === 'array') return Array.isArray(value)
    if (base === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
    if (base === 'boolean') return typeof value === 'boolean'
    if (base === 'string') {
      if (typeof value !== 'string') return false
      const length = [...value].length
      if (row.format === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(value)
      if (row.pattern && !new RegExp(row.pattern as string).test(value)) return false
      return length >= Number(row.minLength ?? 0) && length <= Number(row.maxLength ?? 1_000_000)
    }
    return (
      typeof value === 'number' &&
      value >= minimum &&
      value <= maximum &&
      (base === 'number' || Number.isInteger(value))
    )
  })
}
