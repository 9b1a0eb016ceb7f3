import { describe, expect, test } from 'vitest'
import { approving } from '../approve.ts'
import { adding, echo, openWorld } from '../notes.ts'

const ANY = echo('get_back', {
  word: { type: 'string' },
  note_id: { type: 'string', description: 'Which.' },
  page_2: { type: 'integer' },
  page2: { type: 'integer' },
})

const world = await openWorld({}, adding(ANY))

describe('the shape of a request', () => {
  // biome-ignore format: one row a case
  test.each([
    ['REQ-01 an operation alone', { operation: 'list_notes' }, undefined],
    ['REQ-01 an operation with params', { operation: 'list_notes', params: {} }, undefined],
    ['REQ-01 names are compared by case', { operation: 'List_Notes' }, ['NOT_FOUND_OPERATION', false]],
    ['REQ-01 a name with a space around it', { operation: ' list_notes' }, ['NOT_FOUND_OPERATION', false]],
    ['REQ-01 a name of the prototype', { operation: 'constructor' }, ['NOT_FOUND_OPERATION', false]],
    ['REQ-01 an empty name', { operation: '' }, ['VALIDATION_INVALID_VALUE', true, 'operation']],
    ['REQ-02 neither operation nor operations', {}, ['VALIDATION_MISSING_PARAM', true, 'operation']],
    ['REQ-02 no arguments', undefined, ['VALIDATION_MISSING_PARAM', true, 'operation']],
    ['REQ-02 only params', { params: { query: 'operations' } }, ['VALIDATION_MISSING_PARAM', true, 'operation']],
    ['REQ-02 params that are a list', { operation: 'list_notes', params: [] }, ['VALIDATION_INVALID_TYPE', true, 'params']],
    ['REQ-02 params that are null', { operation: 'list_notes', params: null }, ['VALIDATION_INVALID_TYPE', true, 'params']],
    ['REQ-02 params that are a string', { operation: 'list_notes', params: '{}' }, ['VALIDATION_INVALID_TYPE', true, 'params']],
    ['REQ-02 an operation that is a number', { operation: 7 }, ['VALIDATION_INVALID_TYPE', true, 'operation']],
    ['REQ-02 an operation that is null', { operation: null }, ['VALIDATION_INVALID_TYPE', true, 'operation']],
    ['REQ-02 no object at all', ['list_notes'], ['VALIDATION_INVALID_TYPE', true, 'arguments']],
    ['REQ-02 nothing', null, ['VALIDATION_INVALID_TYPE', true, 'arguments']],
  ] as const)('%s', async (_, args, wanted) => {
    const { result, isError } = await world.ask(args)
    const { code, details } = result.error ?? {}
    expect(wanted === undefined ? result.success : [code, isError, details?.param_name].slice(0, wanted.length)).toEqual(
      wanted ?? true,
    )
  })
})

describe('where parameters stand', () => {
  // biome-ignore format: one row a case
  test.each([
    ['REQ-03 inside params', { params: { word: 'in' } }, { word: 'in' }],
    ['REQ-03 beside the operation', { word: 'out' }, { word: 'out' }],
    ['REQ-03 params win', { word: 'out', params: { word: 'in' } }, { word: 'in' }],
    ['REQ-03 some here, some there', { word: 'out', params: { note_id: 'n1' } }, { word: 'out', note_id: 'n1' }],
    ['REQ-04 metadata on both levels', { _meta: {}, _session: 's', _wait_seconds: 1, _x: 1, params: { _confirmation: 't', _y: 1 } }, {}],
    ['REQ-04 the fields of the protocol, one level down', { params: { operation: 'x', params: {}, operations: [], word: 'in' } }, { word: 'in' }],
    ['REQ-06 camelCase is renamed', { params: { noteId: 'n1' } }, { note_id: 'n1' }],
    ['REQ-06 camelCase beside the operation', { noteId: 'n1' }, { note_id: 'n1' }],
    ['REQ-06 snake_case wins', { params: { noteId: 'camel', note_id: 'snake' } }, { note_id: 'snake' }],
    ['REQ-06 snake_case wins from outside too', { note_id: 'snake', params: { noteId: 'camel' } }, { note_id: 'snake' }],
    ['REQ-06 a declared name is no other name’s alias', { params: { page2: 2 } }, { page2: 2 }],
    ['REQ-06 and keeps its own value', { params: { page2: 2, page_2: 3 } }, { page2: 2, page_2: 3 }],
  ] as const)('%s', async (_, args, given) => {
    expect(await world.call({ operation: 'get_back', ...args })).toEqual({ success: true, data: given })
  })

  test('REQ-04 `operations` beside an operation is no parameter where batches are off', async () => {
    const { call } = await openWorld({ batch: false }, adding(ANY))
    expect(await call({ operation: 'get_back', operations: [], word: 'a' })).toEqual({
      success: true,
      data: { word: 'a' },
    })
  })

  test('REQ-04 `parallel` belongs to batches: a single request may not carry it unknown', async () => {
    const { call } = await openWorld({}, adding(ANY, echo('get_parallel', { parallel: { type: 'integer' } })))
    expect((await call({ operation: 'get_back', parallel: true })).error?.details?.unknown_params).toEqual(['parallel'])
    expect((await call({ operation: 'get_parallel', parallel: 3 })).data).toEqual({ parallel: 3 })
  })

  test('REQ-06 errors and introspection know only the snake_case name', async () => {
    const { call } = await openWorld({}, adding(ANY))
    const wrong = await call({ operation: 'get_back', noteId: 7 })
    expect(wrong.error?.message).toBe("Parameter 'note_id' expected 'string', got 'number'")
    expect(JSON.stringify(wrong)).not.toContain('noteId')
    const shown = await call({ operation: 'introspect', params: { query: 'operations', name: 'get_back' } })
    expect(JSON.stringify(shown)).not.toContain('noteId')
  })

  test.each(['Word', 'two-words', 'two words', '_word', '1st', 'größe', ''])(
    'REQ-05 a parameter may not be called %j',
    async (name) => {
      const opening = openWorld({}, adding(echo('get_back', { [name]: { type: 'string' } })))
      await expect(opening).rejects.toThrow(`Operation 'get_back': parameter '${name}' must match ^[a-z][a-z0-9_]*$`)
    },
  )
})

describe('shared parameters', () => {
  test('REQ-09 each has one type and one default wherever it stands', async () => {
    const { call, runtime } = await openWorld(
      {},
      adding({ ...echo('list_all'), collection: { of: 'Note' }, handler: () => [] }),
    )
    const seen = new Map<string, Set<string>>()
    for (const { name } of runtime.adapter.operations) {
      const { data } = await call({ operation: 'introspect', params: { query: 'operations', name } })
      for (const row of (data as Details).operation.parameters) {
        if (!SHARED.includes(row.name)) continue
        const forms = seen.get(row.name) ?? new Set()
        seen.set(row.name, forms.add(JSON.stringify([row.type, row.required, row.default])))
      }
    }
    // biome-ignore format: a table reads by columns
    expect(Object.fromEntries([...seen].map(([name, forms]) => [name, [...forms]]))).toEqual({
      fields:        ['["string | string[]",false,null]'],
      query:         ['["string",false,null]'],
      filter:        ['["object",false,null]'],
      sort:          ['["object",false,null]'],
      aggregate:     ['["object",false,null]'],
      include_items: ['["boolean",false,null]'],
      first:         ['["integer",false,20]'],
      after:         ['["string",false,null]'],
      last:          ['["integer",false,null]'],
      before:        ['["string",false,null]'],
      max_tokens:    ['["integer",false,null]'],
      dry_run:       ['["boolean",false,false]'],
    })
  })

  test('REQ-09 a parameter of the adapter’s own keeps the adapter’s meaning', async () => {
    const own = echo('get_text', { max_tokens: { type: 'integer' }, fields: { type: 'integer' } }, { returns: 'Note' })
    const { call } = await openWorld({}, adding(own))
    expect(await call({ operation: 'get_text', params: { max_tokens: 1, fields: 2 } })).toEqual({
      success: true,
      data: { max_tokens: 1, fields: 2 },
    })
  })

  test('REQ-10 dry_run validates and previews, and nothing has changed', async () => {
    const world = await openWorld()
    const { call, notes } = world
    await call({ operation: 'create_note', params: { title: 'A' } })
    const before = structuredClone([...notes])
    expect((await call({ operation: 'delete_note', params: { note_id: 'n1', dry_run: true } })).data).toEqual({
      would_delete: true,
    })
    expect((await call({ operation: 'delete_note', params: { dry_run: true } })).error?.code).toBe(
      'VALIDATION_MISSING_PARAM',
    )
    expect((await call({ operation: 'delete_note', params: { note_id: 'n1', dry_run: 'yes' } })).error?.code).toBe(
      'VALIDATION_INVALID_TYPE',
    )
    expect([...notes]).toEqual(before)
    const deleted = await approving(world)({ operation: 'delete_note', params: { note_id: 'n1' } })
    expect(deleted.data).toEqual({ deleted: true })
    expect(notes.size).toBe(0)
  })
})

describe('mapped parameters', () => {
  const MAPPED = echo('get_mapped', {
    owner: { type: 'string', mapTo: 'org', sources: ['_meta.owner', 'params.login', 'filter.owner'] },
    login: { type: 'string', default: 'me', mapTo: 'owner' },
    filter: { type: 'object' },
  })

  // biome-ignore format: one row a case
  test.each([
    ['REQ-11 the handler gets the target', { owner: 'a', login: 'b' }, { org: 'a', owner: 'b' }],
    ['REQ-11 a default is renamed too', { owner: 'a' }, { org: 'a', owner: 'me' }],
    ['REQ-11 the first source', { _meta: { owner: 'm' }, params: { login: 'b' } }, { org: 'm', owner: 'b' }],
    ['REQ-11 the next source', { params: { login: 'b' } }, { org: 'b', owner: 'b' }],
    ['REQ-11 the last source', { filter: { owner: 'f' } }, { org: 'f', owner: 'me', filter: { owner: 'f' } }],
    ['REQ-11 the parameter itself wins', { owner: 'a', _meta: { owner: 'm' } }, { org: 'a', owner: 'me' }],
    ['REQ-11 no source has it', {}, { owner: 'me' }],
  ])('%s', async (_, args, given) => {
    const { call } = await openWorld({}, adding(MAPPED))
    expect((await call({ operation: 'get_mapped', ...args })).data).toEqual(given)
  })

  test('REQ-11 a value from a source is checked like any other', async () => {
    const { call } = await openWorld({}, adding(MAPPED))
    expect((await call({ operation: 'get_mapped', _meta: { owner: 7 } })).error?.details?.param_name).toBe('owner')
  })

  test('REQ-11 introspection shows neither target nor source', async () => {
    const { call } = await openWorld({}, adding(MAPPED))
    const { data } = await call({ operation: 'introspect', params: { query: 'operations', name: 'get_mapped' } })
    expect((data as Details).operation.parameters.slice(0, 3)).toEqual([
      { name: 'owner', type: 'string', required: false },
      { name: 'login', type: 'string', required: false, default: 'me' },
      { name: 'filter', type: 'object', required: false },
    ])
  })
})

interface Details {
  readonly operation: {
    readonly parameters: readonly { name: string; type: string; required: boolean; default?: unknown }[]
  }
}

const SHARED =
  'fields query filter sort aggregate include_items first after last before limit offset page page_size dry_run max_tokens'.split(
    ' ',
  )
