import { describe, expect, test } from 'vitest'
import { adding, echo, openWorld } from '../notes.ts'
import { defineOperation, fail, warn } from '../support.ts'

const READ = 'note_book_mcpaql_read'
const CREATE = 'note_book_mcpaql_create'

describe('VAL-01 the order of the checks', () => {
  /** Wrong in every way there is; each step below repairs the fault that was reported. */
  const FAULTS = {
    operation: 'create_notes',
    size: 'large',
    color: 'green',
    colour: 'green',
    tags: ['\0'],
    due_date: '2026-13-01',
    params: { note: '\ud800' },
  }
  const readable = { ...FAULTS, params: {} }
  const named = { ...readable, operation: 'create_note' }
  const encoded = { ...named, tags: ['ok'] }
  const titled = { ...encoded, title: 'A' }
  const typed = { ...titled, size: 3 }
  const { colour: _, ...known } = typed
  const right = { ...known, color: 'red', due_date: '2026-12-01' }

  // biome-ignore format: a table reads by columns
  test.each([
    ['VAL-01 encoding',          FAULTS,   READ,   'VALIDATION_INVALID_ENCODING',  { location: 'params.note' }],
    ['VAL-01 shape',             { ...readable, operation: undefined }, READ, 'VALIDATION_MISSING_PARAM', { param_name: 'operation' }],
    ['VAL-01 operation exists',  readable, READ,   'NOT_FOUND_OPERATION',          { operation: 'create_notes' }],
    ['VAL-01 family',            named,    READ,   'VALIDATION_ENDPOINT_MISMATCH', { expected_endpoint: 'CREATE' }],
    ['VAL-01 U+0000',            named,    CREATE, 'VALIDATION_INVALID_ENCODING',  { location: 'tags[0]' }],
    ['VAL-01 required',          encoded,  CREATE, 'VALIDATION_MISSING_PARAM',     { param_name: 'title' }],
    ['VAL-01 types',             titled,   CREATE, 'VALIDATION_INVALID_TYPE',      { param_name: 'size' }],
    ['VAL-01 unknown',           typed,    CREATE, 'VALIDATION_UNKNOWN_PARAM',     { unknown_params: ['colour'] }],
    ['VAL-01 constraints',       known,    CREATE, 'VALIDATION_INVALID_VALUE',     { param_name: 'color' }],
    ['VAL-01 gates',             right,    CREATE, 'PERMISSION_DENIED',            { operation: 'create_note' }],
  ])('%s', async (_, args, tool, code, details) => {
    const { call, calls } = await openWorld({ policies: [{ operation: 'create_*', permission: 'deny' }] })
    const { error } = await call(JSON.parse(JSON.stringify(args)), tool)
    expect([error?.code, error?.details]).toEqual([code, expect.objectContaining(details)])
    expect(calls).toEqual([])
  })

  test('VAL-01 and the handler last', async () => {
    const { call, calls } = await openWorld()
    expect((await call(right, CREATE)).success).toBe(true)
    expect(calls).toEqual(['create_note'])
  })

  test('VAL-01 limits come before the shape', async () => {
    const { call } = await openWorld()
    expect((await call({ operation: 7, text: 'x'.repeat(1_048_577) })).error?.code).toBe('VALIDATION_PAYLOAD_TOO_LARGE')
  })

  test('VAL-01 the other faults are told in the same order', async () => {
    const { call } = await openWorld()
    const { error } = await call(encoded, CREATE)
    expect(error?.details?.other_faults).toEqual([
      "Parameter 'size' expected 'integer', got 'string'",
      "Unknown parameter 'colour' for operation 'create_note'. Valid parameters: title, color, size, ratio, tags, due_date, parent_id, secret_word, old_name",
      "Parameter 'color' has an invalid value. Expected: one of red, blue",
      "Parameter 'due_date' has an invalid value. Expected: a calendar date such as 2026-02-04",
    ])
    expect(error?.details?.example).toEqual({ operation: 'create_note', params: { title: '…', tags: ['ok'] } })
    expect((await call(error?.details?.example, CREATE)).success).toBe(true)
  })

  const purge = echo(
    'delete_old',
    { folder: { type: 'string', required: true }, older_than: { type: 'integer' }, words: { type: 'string' } },
    { category: 'DELETE', dryRun: true },
  )

  // biome-ignore format: a table reads by columns
  test.each([
    [{ folder: 'a', dry_run: 'true' },                  { folder: 'a', dry_run: true }],
    [{ folder: 'a', dry_run: false, older_than: '7' },  { folder: 'a', dry_run: false, older_than: '…' }],
    [{ folder: 1, words: 'x'.repeat(300) },             { folder: '…', words: '…' }],
    [{ folder: 'a', olderThan: 7, foldr: 'b' },         { folder: 'a', older_than: 7 }],
  ])('VAL-02 the example for %o reaches no further than what was sent', async (params, meant) => {
    const { call } = await openWorld({}, adding(purge))
    const { error } = await call({ operation: 'delete_old', params }, 'note_book_mcpaql_delete')
    expect(error?.details?.example).toEqual({ operation: 'delete_old', params: meant })
  })

  test('VAL-02 nor does that of an update forget its version', async () => {
    const { call } = await openWorld()
    const params = { note_id: 'n1', if_match: null, input: { title: 'B' } }
    const { error } = await call({ operation: 'update_note', params }, 'note_book_mcpaql_update')
    expect(error?.details?.example).toEqual({
      operation: 'update_note',
      params: { note_id: 'n1', if_match: '…', input: { title: 'B' } },
    })
  })

  // biome-ignore format: a table reads by columns
  test.each([
    [{},                                          { query: 'search', text: 'what I want to do' }],
    [{ query: 'everything' },                     { query: 'search', text: 'what I want to do' }],
    [{ query: 'everything', text: 'my own' },     { query: 'search', text: 'my own' }],
    [{ query: 'Operations', name: 'get_note' },   { query: 'operations', name: 'get_note' }],
    [{ query: 'operations', category: 'read ' },  { query: 'operations', category: 'READ' }],
  ])('INT-22 the example for introspect %o passes, not only its binding', async (params, meant) => {
    const { call } = await openWorld()
    const { error } = await call({ operation: 'introspect', params })
    expect(error?.details?.example).toEqual({ operation: 'introspect', params: meant })
    expect((await call(error?.details?.example)).success).toBe(true)
  })
})

const KINDS = echo('get_back', {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  tags: { type: 'string[]' },
  grid: { type: 'integer[][]' },
  either: { type: 'string | string[]' },
  nullable: { type: 'string | null', description: 'Null: none. Absent: the default.' },
  person: { type: 'object', fields: { name: { type: 'string', required: true }, age: { type: 'integer' } } },
  choice: { type: 'string', enum: ['a', 'b'] },
  choices: { type: 'string[]', enum: ['a', 'b'] },
  level: { type: 'integer', minimum: 1, maximum: 9 },
  title: { type: 'string', minLength: 2, maxLength: 4 },
  code: { type: 'string', pattern: '^[a-z]+$' },
  codes: { type: 'string[]', items: { type: 'string', pattern: '^[a-z]+$', maxLength: 3 } },
  levels: { type: 'array', items: { type: 'integer', minimum: 1 } },
  day: { type: 'string', format: 'date' },
  schema: {
    type: 'object',
    schema: {
      type: 'object',
      properties: { mail: { type: 'string', format: 'email' }, n: { type: 'integer' } },
      required: ['mail'],
    },
  },
})
const kinds = await openWorld({}, adding(KINDS))

describe('types', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['text', 5], ['text', true], ['text', null], ['text', ['a']], ['text', {}],
    ['number', '5'], ['number', true], ['number', null], ['number', []],
    ['integer', 1.5], ['integer', '1'], ['integer', null],
    ['flag', 'true'], ['flag', 1], ['flag', 0], ['flag', null],
    ['object', []], ['object', null], ['object', '{}'],
    ['array', {}], ['array', 'a'], ['array', null],
    ['tags', 'a'], ['tags', { 0: 'a' }], ['grid', [1]], ['either', 5], ['either', null], ['nullable', 5],
    ['person', 'Ada'], ['choice', 1], ['schema', []],
  ])('VAL-04 X-35 %s does not take %j', async (name, value) => {
    const { error } = await kinds.call({ operation: 'get_back', params: { [name]: value } })
    expect(error?.code).toBe('VALIDATION_INVALID_TYPE')
    expect(String(error?.details?.param_name).startsWith(name)).toBe(true)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['text', ''], ['number', 0], ['number', 1.5], ['number', -1], ['integer', 0], ['integer', 9007199254740991], ['flag', false],
    ['object', {}], ['array', []], ['array', [1, 'a', null]], ['tags', []], ['grid', [[1], []]], ['either', 'a'], ['either', ['a']],
    ['nullable', null], ['nullable', 'a'], ['person', { name: 'Ada' }], ['schema', { mail: 'a@b.de' }],
  ])('VAL-04 %s takes %j as it is', async (name, value) => {
    const answer = await kinds.call({ operation: 'get_back', params: { [name]: value } })
    expect(answer).toEqual({ success: true, data: { [name]: value } })
  })
})

describe('constraints', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['VAL-07 enum',                 { choice: 'c' },              'VALIDATION_INVALID_VALUE', 'choice',        'one of a, b'],
    ['VAL-07 enum of an element',   { choices: ['a', 'c'] },      'VALIDATION_INVALID_VALUE', 'choices[1]',    'one of a, b'],
    ['VAL-07 minimum',              { level: 0 },                 'VALIDATION_INVALID_VALUE', 'level',         '1 or more'],
    ['VAL-07 maximum',              { level: 10 },                'VALIDATION_INVALID_VALUE', 'level',         '9 or less'],
    ['VAL-07 minLength',            { title: 'a' },               'VALIDATION_INVALID_VALUE', 'title',         '2 or more characters'],
    ['VAL-07 minLength counts characters', { title: '🙂' },       'VALIDATION_INVALID_VALUE', 'title',         '2 or more characters'],
    ['VAL-07 maxLength',            { title: 'abcde' },           'VALIDATION_INVALID_VALUE', 'title',         'no more than 4 characters'],
    ['VAL-07 pattern',              { code: 'A' },                'VALIDATION_INVALID_VALUE', 'code',          'text matching ^[a-z]+$'],
    ['VAL-07 format',               { day: '2026-02-30' },        'VALIDATION_INVALID_VALUE', 'day',           'a calendar date such as 2026-02-04'],
    ['VAL-07 pattern of an item',   { codes: ['a', 'b', 'C'] },   'VALIDATION_INVALID_VALUE', 'codes[2]',      'text matching ^[a-z]+$'],
    ['VAL-07 length of an item',    { codes: ['abcd'] },          'VALIDATION_INVALID_VALUE', 'codes[0]',      'no more than 3 characters'],
    ['VAL-07 minimum of an item',   { levels: [1, 0] },           'VALIDATION_INVALID_VALUE', 'levels[1]',     '1 or more'],
    ['VAL-07 a member is missing',  { person: { age: 1 } },       'VALIDATION_INVALID_VALUE', 'person.name',   'to be present'],
    ['VAL-07 a strange member',     { person: { name: 'A', x: 1 } }, 'VALIDATION_INVALID_VALUE', 'person.x',   'no such field; there are name, age'],
    ['VAL-07 a nested schema',      { schema: { mail: 'nobody' } }, 'VALIDATION_INVALID_VALUE', 'schema.mail', 'a value of the kind "email"'],
    ['VAL-07 a prototype key',      { object: { constructor: 1 } }, 'VALIDATION_INVALID_VALUE', 'object.constructor', 'another key'],
    ['VAL-07 X-23 an element of the wrong type', { tags: ['a', 'b', 3] }, 'VALIDATION_INVALID_TYPE', 'tags[2]', 'string'],
    ['VAL-07 an item of the wrong type', { levels: ['1'] },       'VALIDATION_INVALID_TYPE',  'levels[0]',     'integer'],
    ['VAL-07 an alternative',       { either: ['a', 1] },         'VALIDATION_INVALID_TYPE',  'either[1]',     'string'],
    ['VAL-07 a type in a schema',   { schema: { mail: 'a@b.de', n: 'x' } }, 'VALIDATION_INVALID_TYPE', 'schema.n', 'integer'],
  ])('%s', async (_, params, code, name, expected) => {
    const { error } = await kinds.call({ operation: 'get_back', params })
    expect([error?.code, error?.details?.param_name]).toEqual([code, name])
    expect(error?.details?.constraint ?? error?.details?.expected_type).toBe(expected)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['VAL-07 the bounds belong to it', { level: 1 }], ['VAL-07 the bounds belong to it', { level: 9 }],
    ['VAL-07 lengths too', { title: 'ab' }], ['VAL-07 lengths too', { title: 'abcd' }], ['VAL-07 lengths count characters', { title: '🙂🙂🙂🙂' }],
    ['VAL-07 an empty list has no wrong element', { codes: [] }], ['VAL-07 enum', { choices: ['a', 'b', 'a'] }],
  ])('%s: %j', async (_, params) => {
    expect(await kinds.call({ operation: 'get_back', params })).toEqual({ success: true, data: params })
  })
})

describe('required, unknown and defaults', () => {
  const PARTS = echo('get_parts', {
    later: { type: 'string' },
    second: { type: 'string', required: true, description: 'The second.' },
    first: { type: 'string', required: true },
    count: { type: 'integer', default: 3 },
    list: { type: 'string[]', default: ['a'] },
    none: { type: 'string | null', default: null },
  })

  test('VAL-02 a failure is an answer, and nothing has happened', async () => {
    const { ask, calls, notes } = await openWorld()
    const { result } = await ask({ operation: 'create_note', params: { title: 5 } })
    expect(result).toMatchObject({ success: false, error: { code: 'VALIDATION_INVALID_TYPE' } })
    expect([calls, notes.size]).toEqual([[], 0])
  })

  test('VAL-03 the first missing one in the order of declaration', async () => {
    const { call } = await openWorld({}, adding(PARTS))
    const { error } = await call({ operation: 'get_parts', params: { later: 'x' } })
    expect(error?.message).toBe(
      "Missing required parameter 'second' for operation 'get_parts'. Expected: string (The second)",
    )
    const next = await call({ operation: 'get_parts', params: { second: 'x' } })
    expect(next.error?.message).toBe("Missing required parameter 'first' for operation 'get_parts'. Expected: string")
  })

  test.each([
    ['in params', { params: { second: 'a', first: 'b', thrid: 'c' } }],
    ['beside the operation', { params: { second: 'a', first: 'b' }, thrid: 'c' }],
    ['named like a prototype’s', { params: { second: 'a', first: 'b', constructor: 'c' } }],
    ['that would be a prototype', { params: JSON.parse('{"second": "a", "first": "b", "__proto__": {"x": 1}}') }],
    ['that would be one, beside it', JSON.parse('{"params": {"second": "a", "first": "b"}, "__proto__": {"x": 1}}')],
  ])('VAL-05 X-09 an undeclared one %s is refused', async (_, args) => {
    const { call } = await openWorld({}, adding(PARTS))
    const { error } = await call(Object.assign(args, { operation: 'get_parts' }))
    expect(error?.code).toBe('VALIDATION_UNKNOWN_PARAM')
  })

  test('VAL-05 before defaults: the handler never ran', async () => {
    const { call, calls } = await openWorld()
    expect((await call({ operation: 'create_note', params: { title: 'A', colr: 'red' } })).error?.code).toBe(
      'VALIDATION_UNKNOWN_PARAM',
    )
    expect(calls).toEqual([])
  })

  test('VAL-06 X-09 a lenient server leaves it out, warns and logs its name', async () => {
    const { call, logged } = await openWorld({ strict: false }, adding(PARTS))
    const answer = await call({ operation: 'get_parts', params: { second: 'a', first: 'b', thrid: 'c' } })
    expect(answer).toEqual({
      success: true,
      data: { second: 'a', first: 'b', count: 3, list: ['a'], none: null },
      warnings: [
        {
          code: 'VALIDATION_UNKNOWN_PARAM',
          message: "Unknown parameter 'thrid' was ignored",
          details: { param_name: 'thrid' },
          severity: 'high',
        },
      ],
    })
    expect(logged).toEqual([
      {
        level: 'warning',
        message: 'Unknown parameters were ignored',
        operation: 'get_parts',
        unknown_params: ['thrid'],
      },
    ])
  })

  test('VAL-06 lenient about names only', async () => {
    const { call } = await openWorld({ strict: false }, adding(PARTS))
    const { error } = await call({ operation: 'get_parts', params: { first: 'b', thrid: 'c' } })
    expect(error?.code).toBe('VALIDATION_MISSING_PARAM')
  })

  test('VAL-06 introspection does not show it', async () => {
    const list = async (strict: boolean) => {
      const { call } = await openWorld({ strict })
      const { data } = await call({ operation: 'introspect', params: { query: 'operations' } })
      return JSON.stringify(data, (key, value) => (key === 'session_id' ? '' : value))
    }
    expect(await list(false)).toBe(await list(true))
  })

  test('VAL-08 a default stands for what is absent, and only for that', async () => {
    const { call } = await openWorld({}, adding(PARTS))
    const given = { second: 'a', first: 'b' }
    const all = { ...given, count: 3, list: ['a'], none: null }
    expect((await call({ operation: 'get_parts', params: given })).data).toEqual(all)
    expect((await call({ operation: 'get_parts', params: all })).data).toEqual(all)
    expect((await call({ operation: 'get_parts', params: { ...given, count: 0, list: [] } })).data).toEqual({
      ...all,
      count: 0,
      list: [],
    })
    expect((await call({ operation: 'get_parts', params: { ...given, count: null } })).error?.code).toBe(
      'VALIDATION_INVALID_TYPE',
    )
  })

  test('VAL-08 no handler can change a default for the next call', async () => {
    const greedy = echo(
      'get_greedy',
      { list: { type: 'string[]', default: ['a'] } },
      {
        handler: (params) => {
          const { list } = params as { list: string[] }
          list.push('b')
          return list
        },
      },
    )
    const { call } = await openWorld({}, adding(greedy, PARTS))
    expect((await call({ operation: 'get_greedy' })).error?.code).toBe('INTERNAL_ERROR')
    expect((await call({ operation: 'get_greedy', params: { list: ['x'] } })).data).toEqual(['x', 'b'])
    expect((await call({ operation: 'get_greedy' })).error?.code).toBe('INTERNAL_ERROR')
  })
})

describe('VAL-10 sensitive values', () => {
  const SECRET = 'hunter2-"quoted"'
  const LOCK = (handler: (secret: string, warned: (text: string) => void) => unknown) =>
    defineOperation({
      name: 'execute_lock',
      category: 'EXECUTE',
      description: 'Lock.',
      params: {
        word: { type: 'string', sensitive: true, mapTo: 'internal_word', maxLength: 40 },
        pin: { type: 'integer', sensitive: true },
        key: { type: 'object', fields: { private: { type: 'string', sensitive: true }, size: { type: 'integer' } } },
        other: { type: 'string' },
      },
      returns: 'object',
      handler: (params, context) => {
        const { internal_word, pin, key } = params as unknown as {
          internal_word?: string
          pin?: number
          key?: { private: string }
        }
        const secret = internal_word ?? key?.private ?? String(pin)
        return handler(secret, (text) => context.warn({ ...warn('VALIDATION_UNKNOWN_FIELD', { field: text }, 'low') }))
      },
    })

  const GIVEN = [
    ['a parameter, renamed', { word: SECRET }],
    ['a member of an object', { key: { private: SECRET } }],
    ['a number', { pin: 86_420_975 }],
  ] as const
  const texts = [SECRET, JSON.stringify(SECRET).slice(1, -1), '86420975']

  function expectHidden(...where: unknown[]): void {
    const text = JSON.stringify(where)
    for (const secret of texts) expect(text).not.toContain(secret)
  }

  test.each(GIVEN)('VAL-10 %s: not in a failure of the handler', async (_, params) => {
    const refuse = LOCK((secret) =>
      fail('PERMISSION_DENIED', { reason: `not with ${secret}`, tried: [{ secret, pin: Number(secret) }] }),
    )
    const { call, logged } = await openWorld({}, adding(refuse))
    const { error } = await call({ operation: 'execute_lock', params })
    expect(error).toMatchObject({ code: 'PERMISSION_DENIED', message: "Permission denied: 'not with ***'" })
    expectHidden(error, logged)
  })

  test.each(GIVEN)('VAL-10 %s: not in a log line', async (_, params) => {
    const explode = LOCK((secret) => {
      throw new Error(`cannot use ${secret}`)
    })
    const { call, logged } = await openWorld({}, adding(explode))
    expect((await call({ operation: 'execute_lock', params })).error?.code).toBe('INTERNAL_ERROR')
    expect(logged).toMatchObject([{ level: 'error', message: 'Error: cannot use ***' }])
    expectHidden(logged)
  })

  test.each(GIVEN)('VAL-10 %s: not in a warning', async (_, params) => {
    const warning = LOCK((secret, warned) => {
      warned(secret)
      return {}
    })
    const { call } = await openWorld({}, adding(warning))
    const { warnings } = await call({ operation: 'execute_lock', params })
    expect(warnings).toMatchObject([{ message: "Unknown field '***' was left out", details: { field: '***' } }])
  })

  test.each(GIVEN)('VAL-10 %s: not in a validation failure, its other faults and its example', async (_, params) => {
    const { call } = await openWorld({}, adding(LOCK(() => ({}))))
    const { error } = await call({ operation: 'execute_lock', params: { ...params, other: 7, more: 1 } })
    expect(error?.code).toBe('VALIDATION_INVALID_TYPE')
    expectHidden(error)
  })

  test('VAL-10 not when the sensitive value itself is wrong', async () => {
    const { call } = await openWorld({}, adding(LOCK(() => ({}))))
    const { error } = await call({ operation: 'execute_lock', params: { word: SECRET.repeat(5) } })
    expect(error?.details?.constraint).toBe('no more than 40 characters')
    expectHidden(error)
  })

  test('VAL-10 not in a field of an update', async () => {
    const change = (adapter: Parameters<ReturnType<typeof adding>>[0]) => ({
      ...adapter,
      types: [
        ...(adapter.types ?? []),
        {
          name: 'Vault',
          kind: 'object',
          fields: { word: { type: 'string', sensitive: true }, size: { type: 'integer' } },
        } as const,
      ],
      operations: [
        defineOperation({
          name: 'update_vault',
          category: 'UPDATE',
          description: 'Update.',
          params: { vault_id: { type: 'string', required: true } },
          updates: 'Vault',
          returns: 'object',
          handler: (params) => fail('PERMISSION_DENIED', { reason: JSON.stringify(params) }),
        }),
      ],
    })
    const { call } = await openWorld({}, change)
    const update = (params: object) => call({ operation: 'update_vault', params }, 'note_book_mcpaql_update')
    expectHidden(await update({ vault_id: 'v', input: { word: 'hunter2' } }))
    const refused = await update({ vault_id: 'v', input: { word: 'hunter2' } })
    expect(JSON.stringify(refused)).not.toContain('hunter2')
    const wrong = await update({ vault_id: 7, input: { word: 'hunter2' } })
    expect(JSON.stringify(wrong)).not.toContain('hunter2')
  })

  test.each([
    ['that fails', (secret: string) => fail('PERMISSION_DENIED', { reason: `not with ${secret}` })],
    ['that throws', (secret: string) => Promise.reject(new Error(`cannot use ${secret}`))],
  ])('VAL-10 not in the error of an execution %s', async (_, work) => {
    const run = defineOperation({
      name: 'execute_run',
      category: 'EXECUTE',
      description: 'Run.',
      lifecycle: {},
      params: { word: { type: 'string', sensitive: true, required: true } },
      returns: 'Execution',
      handler: ({ word }, context) => context.run(async () => work(word)),
    })
    const { call, logged } = await openWorld({}, adding(run))
    const { data } = await call({ operation: 'execute_run', params: { word: SECRET } })
    const { execution_id } = data as { execution_id: string }
    const state = async () => (await call({ operation: 'get_execution', params: { execution_id } })).data
    await expect.poll(state, { timeout: 10_000 }).toMatchObject({ status: 'failed' })
    expectHidden(await state(), logged)
  })

  test.each([
    ['as JSON', (secret: string) => JSON.stringify({ secret })],
    ['in an address', (secret: string) => `https://api.example/?key=${encodeURIComponent(secret)}`],
    ['in a form', (secret: string) => String(new URLSearchParams({ key: secret }))],
  ])('VAL-10 not where a message quotes the request %s', async (_, quote) => {
    const secret = 'KEY\nMIIB/"x"\\+= (y)!\nEND'
    const refuse = LOCK((word) => fail('PERMISSION_DENIED', { reason: `sent ${quote(word)}` }))
    const throwing = { ...LOCK((word) => Promise.reject(new Error(quote(word)))), name: 'execute_throw' }
    const { call, logged } = await openWorld({}, (adapter) => adding(throwing)(adding(refuse)(adapter)))
    const { error } = await call({ operation: 'execute_lock', params: { word: secret } })
    expect(error?.details?.reason).toBe(`sent ${quote('SECRET')}`.replace('SECRET', '***'))
    await call({ operation: 'execute_throw', params: { word: secret } })
    expect(JSON.stringify([error, logged])).not.toContain('MIIB')
  })

  test('VAL-10 not in the progress of a call or of an execution, to whoever it is told', async () => {
    const params = { word: { type: 'string', sensitive: true, required: true } } as const
    const slow = defineOperation({
      name: 'execute_slowly',
      category: 'EXECUTE',
      description: 'Work.',
      params,
      returns: 'object',
      handler: ({ word }, context) => {
        context.progress({ current: 1, total: 2, message: `with ${word}` })
        return {}
      },
    })
    const run = defineOperation({
      name: 'execute_run',
      category: 'EXECUTE',
      description: 'Run.',
      lifecycle: { progress_reporting: true },
      params,
      returns: 'Execution',
      handler: ({ word }, context) =>
        context.run(async ({ progress }) => {
          progress({ current: 1, total: 2, message: `with ${word}` })
          return {}
        }),
    })
    const { ask, call } = await openWorld({}, (adapter) => adding(run)(adding(slow)(adapter)))
    const notices: unknown[] = []
    const following = { onProgress: (notice: unknown) => void notices.push(notice) }
    await ask({ operation: 'execute_slowly', params: { word: SECRET } }, undefined, following)
    await ask({ operation: 'execute_run', params: { word: SECRET } }, undefined, following)
    expect(JSON.stringify(notices).match(/with \*\*\*/g)).toHaveLength(2)
    const { data } = await call({ operation: 'list_executions', params: { fields: ['progress'] } })
    expect(JSON.stringify(data)).toContain('with ***')
    expectHidden(notices, data)
  })

  test('VAL-10 a secret that is a word of the protocol leaves the answer an answer', async () => {
    const refuse = LOCK((secret) => fail('PERMISSION_DENIED', { reason: `not ${secret}` }))
    const { call } = await openWorld({}, adding(refuse))
    expect((await call({ operation: 'execute_lock', params: { word: 'code' } })).error).toEqual({
      code: 'PERMISSION_DENIED',
      message: "Permission denied: 'not ***'",
      details: { reason: 'not ***' },
    })
  })
})

describe('VAL-11 fields that may not be written', () => {
  test.each([
    ['VAL-11 read-only', { created_at: '2026-01-01T00:00:00Z' }, 'VALIDATION_READ_ONLY_FIELD', { field: 'created_at' }],
    ['VAL-11 the version', { _version: 9 }, 'VALIDATION_READ_ONLY_FIELD', { field: '_version' }],
    ['VAL-11 append-only', { log: [] }, 'VALIDATION_APPEND_ONLY', { field: 'log', alternative: 'append_log' }],
  ])('%s', async (_, input, code, details) => {
    const { call, notes } = await openWorld()
    await call({ operation: 'create_note', params: { title: 'A' } })
    const before = structuredClone(notes.get('n1'))
    const { error } = await call({ operation: 'update_note', params: { note_id: 'n1', input } })
    expect(error?.code).toBe(code)
    expect(error?.details).toMatchObject({ ...details, operation: 'update_note' })
    expect(notes.get('n1')).toEqual(before)
  })

  test('VAL-11 introspection states both', async () => {
    const { call } = await openWorld()
    const { data } = await call({ operation: 'introspect', params: { query: 'types', name: 'Note' } })
    const { fields } = (data as { type: { fields: { name: string; description?: string }[] } }).type
    const descriptionOf = (name: string) => fields.find((field) => field.name === name)?.description
    expect(descriptionOf('created_at')).toBe('Read-only.')
    expect(descriptionOf('log')).toBe('Append-only; use append_log.')
  })
})
