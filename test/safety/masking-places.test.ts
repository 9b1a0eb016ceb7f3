import { describe, expect, test } from 'vitest'
import { requestRef } from '../../src/core/gatekeeper/request.ts'
import type { OperationDefinition, TypeDefinition } from '../../src/index.ts'
import { type Acting, openGateWorld } from '../pipeline/gate/gate-world.ts'
import { fail } from '../support.ts'

/**
 * VAL-10 — masking is by place: a place is sensitive by whatever way its declaration is reached, and wherever its value
 * is shown or kept.
 */
const SECRET = 'SECRETVALUE-9 "quoted"'
const OPEN = 'open-value'
const SENSITIVE = { type: 'string', sensitive: true } as const
const MASKED = { $masked: 'string' }

const object = (name: string, fields: object) => ({ name, kind: 'object', fields }) as TypeDefinition
const union = (name: string, ...members: string[]): TypeDefinition => ({ name, kind: 'union', members })

const TYPES: readonly TypeDefinition[] = [
  object('Key', { kid: { type: 'string' }, material: SENSITIVE, next: { type: 'Key' }, many: { type: 'Login[]' } }),
  object('Person', { email: { type: 'string' } }),
  union('Login', 'Person', 'Either', 'string'),
  union('Either', 'Login', 'Key'), // two unions that hold each other
  object('Holder', {
    key: { type: 'Key' },
    login: { type: 'Login' },
    logins: { type: 'Login[]' },
    grid: { type: 'Key[][]' },
    choice: { type: 'Person | Key | null' },
    inline: { type: 'object', open: true, fields: { material: SENSITIVE } },
    listed: { type: 'object[]', open: true, items: { type: 'object', open: true }, fields: { material: SENSITIVE } },
    words: { type: 'string[]', items: SENSITIVE },
  }),
]

/** The value of `input`, and where its secrets stand. */
const FORMS: readonly (readonly [string, (material: unknown) => object])[] = [
  ['a named type', (material) => ({ key: { kid: OPEN, material } })],
  ['a type inside itself', (material) => ({ key: { kid: OPEN, next: { next: { material } } } })],
  ['a union', (material) => ({ login: { kid: OPEN, material } })],
  ['a list of a union', (material) => ({ logins: [{ email: OPEN }, { kid: OPEN, material }] })],
  ['a union inside a member of a union', (material) => ({ logins: [{ many: [{ next: { material } }] }] })],
  ['a list of lists', (material) => ({ grid: [[{ kid: OPEN, material }], []] })],
  ['one of several types', (material) => ({ choice: { kid: OPEN, material } })],
  ['members of an object', (material) => ({ inline: { kid: OPEN, material } })],
  ['members of elements with a row of their own', (material) => ({ listed: [{ kid: OPEN, material }] })],
  ['elements of a list', (material) => ({ words: [material, material] })],
]

const UPDATE: Acting = {
  name: 'update_holder',
  category: 'UPDATE',
  updates: 'Holder',
  danger: { level: 'destructive', confirmation_message: 'Change {id} to {input}?' },
  params: { id: { type: 'string', required: true } },
  handler: (params) => fail('PERMISSION_DENIED', { reason: `not ${JSON.stringify(params)}`, tried: params }),
}

const READ: Acting = { name: 'get_holder', category: 'READ', returns: 'Holder', params: {} }

function expectHidden(...where: readonly unknown[]): void {
  expect(JSON.stringify(where)).not.toContain('SECRETVALUE')
}

describe('VAL-10 a sensitive field is masked in its place, and nothing beside it', () => {
  test.each(FORMS)('in %s: on the screen, in the question, in the trail and in a batch', async (_, inputOf) => {
    const world = await openGateWorld({}, [UPDATE], { types: TYPES })
    const args = { operation: 'update_holder', params: { id: OPEN, input: inputOf(SECRET) } }
    const { approval_id } = await world.demand(args)
    const request = await world.store.get(requestRef(approval_id))
    expect(request?.params).toEqual({ id: OPEN, input: inputOf(MASKED) })
    const trail = await world.trail('CONFIRMATION_REQUIRED')
    expect(trail[0]?.parameters).toEqual({ id: OPEN, input: inputOf(MASKED) })
    const pending = { operation: 'update_holder', params: { id: 'b', input: inputOf(SECRET) } }
    const { result } = await world.ask({ operations: [args, pending] }, 'note_book_mcpaql_update')
    expectHidden(request, trail, result)
    const halted = result as unknown as { pending_operations: readonly { params: object }[] }
    expect(halted.pending_operations.at(-1)?.params).toEqual({ id: 'b', input: inputOf('***') })
  })

  test.each(FORMS)('in %s: in a failure, the log and the store', async (_, inputOf) => {
    const world = await openGateWorld({}, [UPDATE], { types: TYPES })
    const { error } = await world.approved({ operation: 'update_holder', params: { id: OPEN, input: inputOf(SECRET) } })
    expect(error?.code).toBe('PERMISSION_DENIED')
    expect(error?.details?.tried).toMatchObject({ id: OPEN, input: inputOf('***') })
    const wrong = await world.ask({ operation: 'update_holder', params: { id: 7, input: inputOf(SECRET) } })
    expect(wrong.result.error?.code).toBe('VALIDATION_INVALID_TYPE')
    expectHidden(error, wrong, world.logged, await world.trail())
  })

  test.each(FORMS)(
    'in %s: in a preview, of one object, of a list, of a union and of a collection',
    async (_, answer) => {
      const operations: readonly Acting[] = [
        { ...READ, handler: () => answer(SECRET) },
        { ...READ, name: 'list_holders', returns: 'Holder[]', handler: () => [answer(SECRET)] },
        { ...READ, name: 'get_one_of', returns: 'Any', handler: () => answer(SECRET) },
        {
          ...READ,
          name: 'list_pages',
          collection: { of: 'Keyed' },
          handler: () => [{ id: OPEN, holder: answer(SECRET) }],
        },
      ]
      const more = [
        union('Any', 'Person', 'Holder'),
        { ...object('Keyed', { id: { type: 'string' }, holder: { type: 'Holder' } }), key: 'id' } as TypeDefinition,
      ]
      const { runtime } = await openGateWorld({}, operations, { types: [...TYPES, ...more] })
      expect(await runtime.preview('get_holder', {})).toMatchObject({ data: answer(MASKED) })
      expect(await runtime.preview('list_holders', {})).toMatchObject({ data: [answer(MASKED)] })
      expect(await runtime.preview('get_one_of', {})).toMatchObject({ data: answer(MASKED) })
      const page = await runtime.preview('list_pages', { fields: 'full' })
      expect(page).toMatchObject({ data: { items: [{ id: OPEN, holder: answer(MASKED) }] } })
    },
  )

  const SCHEMA = {
    $defs: {
      secret: { type: 'string', sensitive: true },
      tree: { $anchor: 'tree', properties: { pin: { $ref: '#/$defs/secret' }, down: { $ref: '#tree' } } },
    },
    properties: { tree: { $ref: '#/$defs/tree' }, list: { items: { anyOf: [{}, { $ref: '#/$defs/tree' }] } }, kid: {} },
    patternProperties: { '^x-': { $ref: '#/$defs/secret' } },
    additionalProperties: true,
  }

  test.each([
    ['a reference to itself', { tree: { down: { down: { pin: SECRET } } }, kid: OPEN }],
    ['alternatives in a list', { list: [{ pin: SECRET, kid: OPEN }], kid: OPEN }],
    ['a map', { 'x-token': SECRET, kid: OPEN }],
  ])('in a JSON Schema, by %s', async (_, conf) => {
    const operation: Acting = {
      name: 'delete_it',
      category: 'DELETE',
      params: { conf: { type: 'object', schema: SCHEMA } },
      handler: (params) => fail('PERMISSION_DENIED', { reason: JSON.stringify(params) }),
    }
    const world = await openGateWorld({}, [operation])
    const { error } = await world.approved({ operation: 'delete_it', params: { conf } })
    const trail = await world.trail()
    expectHidden(error, trail)
    expect(JSON.stringify(trail[0]?.parameters)).toContain(OPEN)
    expect(JSON.stringify(trail[0]?.parameters)).toContain('{"$masked":"string"}')
  })

  test('two parameters that swap their names, and one that is read from elsewhere in the request', async () => {
    const operation: Acting = {
      name: 'delete_it',
      category: 'DELETE',
      params: {
        first: { ...SENSITIVE, mapTo: 'second' },
        second: { type: 'string', mapTo: 'first' },
        third: { ...SENSITIVE, sources: ['credentials.word'] },
      },
    }
    const world = await openGateWorld({ strict: false }, [operation])
    const args = { operation: 'delete_it', params: { first: SECRET }, credentials: { word: SECRET, other: OPEN } }
    const { approval_id } = await world.demand(args)
    const { result } = await world.ask({ operations: [args, args] }, 'note_book_mcpaql_delete')
    expectHidden(await world.store.get(requestRef(approval_id)), await world.trail(), result)
    expect(JSON.stringify(result)).toContain(OPEN)
  })

  test('keys of a sensitive object are a part of it', async () => {
    const operation: Acting = {
      name: 'create_it',
      category: 'CREATE',
      params: { conf: { type: 'object', open: true, sensitive: true } },
      handler: (params) => fail('PERMISSION_DENIED', { reason: JSON.stringify(params), params }),
    }
    const { ask } = await openGateWorld({}, [operation])
    const failed = await ask({ operation: 'create_it', params: { conf: { [SECRET]: { 'SECRETVALUE-7': true } } } })
    expect(failed.result.error?.code).toBe('PERMISSION_DENIED')
    const wrong = await ask({ operation: 'create_it', params: { conf: { [SECRET]: 'a\0b' } } })
    expect(wrong.result.error?.code).toBe('VALIDATION_INVALID_ENCODING')
    expectHidden(failed, wrong)
  })
})

describe('VAL-10 an agent that picks the key, the place or the form of a value hides nothing by it', () => {
  const types: readonly TypeDefinition[] = [
    object('Account', { name: SENSITIVE, kind: { type: 'string' } }),
    object('Database', { name: { type: 'string' }, region: { type: 'string' } }),
    union('Target', 'Account', 'Database'),
    object('Holder', {
      target: { type: 'Target' },
      targets: { type: 'Target[]' },
      one: { type: 'Account | Database' },
    }),
  ]
  const database = { name: OPEN, region: 'eu' }
  const account = (name: unknown) => ({ name, kind: 'a' })

  test.each([
    ['a union', (name: unknown) => ({ target: database, one: account(name) })],
    ['a list of a union', (name: unknown) => ({ targets: [database, account(name), database] })],
    ['types that are named side by side', (name: unknown) => ({ one: database, target: account(name) })],
    [
      'what could be either, or is neither',
      (name: unknown) => ({ target: { name }, one: { name, region: 'eu', a: 1 } }),
    ],
  ])('in %s', async (_, inputOf) => {
    const world = await openGateWorld({}, [UPDATE], { types })
    const args = { operation: 'update_holder', params: { id: OPEN, input: inputOf(SECRET) } }
    const { approval_id } = await world.demand(args)
    const request = await world.store.get(requestRef(approval_id))
    expect(request?.params.input).toEqual(inputOf(MASKED))
    expectHidden(request, await world.trail())
  })

  const secret = { type: 'string', sensitive: true }
  test.each([
    [
      'a pattern of keys',
      { properties: { host: {}, secret_b: {} }, patternProperties: { '^secret_': secret } },
      (value: unknown) => ({ host: OPEN, drop_database: OPEN, secret_a: value, secret_b: value }),
    ],
    [
      'all other keys',
      { properties: { host: {} }, patternProperties: { '^x_': {} }, additionalProperties: secret },
      (value: unknown) => ({ host: OPEN, x_a: OPEN, other: value }),
    ],
    [
      'the place in a list',
      { properties: { argv: { prefixItems: [{}, secret], items: {} } } },
      (value: unknown) => ({ argv: [OPEN, value, OPEN, [OPEN, OPEN]] }),
    ],
    [
      'all but the first',
      { properties: { argv: { prefixItems: [{}], items: secret } } },
      (value: unknown) => ({ argv: [OPEN, value, value] }),
    ],
    [
      'a type',
      { additionalProperties: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^open' }, secret] } },
      (value: unknown) => ({ number: 7, secret: value }),
    ],
    [
      'a string, or an object that is a secret',
      { additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', sensitive: true }] } },
      (value: unknown) => ({ open: OPEN, list: value === SECRET ? [value] : { $masked: 'array' } }),
    ],
    [
      'a discriminator',
      {
        additionalProperties: {
          oneOf: [
            { properties: { kind: { const: 'account' }, name: secret } },
            { properties: { kind: { const: 'database' }, name: { type: 'string' } } },
          ],
        },
      },
      (value: unknown) => ({ a: { kind: 'account', name: value }, b: { kind: 'database', name: OPEN } }),
    ],
    [
      'a condition',
      {
        additionalProperties: {
          if: { properties: { kind: { const: 'account' } }, required: ['kind'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { properties: { name: secret } },
          else: { properties: { pin: secret } },
        },
      },
      (value: unknown) => ({ a: { kind: 'account', name: value, pin: OPEN }, b: { name: OPEN, pin: value } }),
    ],
    [
      'another key',
      { dependentSchemas: { login: { properties: { word: secret } } }, properties: { in: { $ref: '#' } } },
      (value: unknown) => ({ word: value, login: OPEN, in: { word: OPEN } }),
    ],
  ])('in a JSON Schema, by %s', async (_, schema, confOf) => {
    const params = { conf: { type: 'object', open: true, schema } } as const
    const world = await openGateWorld({}, [{ name: 'delete_it', category: 'DELETE', params }])
    const { approval_id } = await world.demand({ operation: 'delete_it', params: { conf: confOf(SECRET) } })
    const request = await world.store.get(requestRef(approval_id))
    expect(request?.params.conf).toEqual(confOf(MASKED))
    expectHidden(request, await world.trail())
  })
})

describe('VAL-10 what nobody sent is told to nobody', () => {
  const HELD = 'SECRETVALUE-DEFAULT'
  const types = [object('Login', { word: { ...SENSITIVE, default: HELD }, size: { type: 'integer', default: 7 } })]
  const params = {
    word: { ...SENSITIVE, default: 'SECRETVALUE-1', description: 'The word.' },
    words: { type: 'string[]', items: SENSITIVE, default: [HELD] },
    login: { type: 'object', fields: { word: SENSITIVE }, default: { word: HELD } },
    needed: { ...SENSITIVE, required: true },
    inner: { type: 'object', required: true, fields: { word: { ...SENSITIVE, required: true, default: HELD } } },
    size: { type: 'integer', default: 7 },
  } as const
  const example = { needed: 'a word', inner: { word: 'another' }, size: 3 }
  const operation: Acting = {
    name: 'get_vault',
    category: 'READ',
    weight: 1000,
    params: params as OperationDefinition['params'] & object,
    examples: [{ params: example }],
  }

  test('G7 INT-12 not the default of a sensitive parameter: introspection says that there is one', async () => {
    const { call } = await openGateWorld({}, [operation], { types })
    const details = await call({ operation: 'introspect', params: { query: 'operations', name: 'get_vault' } })
    const { parameters } = (details.data as { operation: { parameters: { name: string }[] } }).operation
    const row = (name: string) => parameters.find((each) => each.name === name)
    expect(row('word')).toEqual({
      name: 'word',
      type: 'string',
      required: false,
      description: 'The word. Has a default.',
      sensitive: true,
    })
    for (const name of ['words', 'login']) {
      expect(row(name)).not.toHaveProperty('default')
      expect(row(name)).toHaveProperty('description', expect.stringContaining('Has a default.'))
    }
    expect(row('size')).toMatchObject({ default: 7 })
    const type = await call({ operation: 'introspect', params: { query: 'types', name: 'Login' } })
    expect(JSON.stringify(type)).toContain('"default":7')
    const found = await call({ operation: 'introspect', params: { query: 'search', text: 'get vault' } })
    expect(JSON.stringify(found)).toContain('word: string = …')
    expectHidden(details, type, found)
  })

  test('INT-13 an example is shown as its author wrote it, and a corrected request leaves open what is sensitive', async () => {
    const { call } = await openGateWorld({}, [operation], { types })
    const details = await call({ operation: 'introspect', params: { query: 'operations', name: 'get_vault' } })
    const { examples } = (details.data as { operation: { examples: readonly unknown[] } }).operation
    expect(examples).toEqual([{ request: { operation: 'get_vault', params: example } }])
    const wrong = await call({ operation: 'get_vault', params: { size: 'many' } })
    expect(wrong.error?.details?.example).toMatchObject({ params: { needed: '…', inner: { word: '…' } } })
    expectHidden(wrong)
  })
})

describe('VAL-10 what a sensitive field is compared with is as sensitive', () => {
  const PERSON = {
    name: 'Person',
    kind: 'object',
    key: 'id',
    fields: {
      id: { type: 'string', filterable: true },
      ssn: { ...SENSITIVE, filterable: true, sortable: true, searchable: true, groupable: true },
      login: { type: 'Key' },
    },
    presets: { standard: ['id', 'ssn'] },
  } as const
  const types = [...TYPES.filter(({ name }) => name !== 'Person'), PERSON] as readonly TypeDefinition[]
  const LIST: Acting = {
    name: 'list_people',
    category: 'READ',
    collection: { of: 'Person', filter: ['id', 'ssn', 'login.material'] },
    params: {},
    handler: () => [
      { id: 'a', ssn: SECRET },
      { id: 'b', ssn: `${SECRET}2` },
    ],
  }
  const policies = [{ operation: 'list_people', permission: 'confirm' }] as const

  test.each([
    ['a value', { ssn: SECRET, id: OPEN }, { ssn: MASKED, id: OPEN }],
    ['a list', { ssn: [SECRET, OPEN], id: [OPEN] }, { ssn: { $masked: 'array' }, id: [OPEN] }],
    [
      'operators',
      { ssn: { ne: SECRET, exists: true }, id: { ne: OPEN } },
      { ssn: { ne: MASKED, exists: true }, id: { ne: OPEN } },
    ],
    ['a path', { 'login.material': { starts_with: SECRET } }, { 'login.material': { starts_with: MASKED } }],
    ['no value', { ssn: null }, { ssn: null }],
  ])(
    'G8 COLL-04 a filter by %s: on the screen, in the trail, in a batch and in a corrected request',
    async (_, filter, shown) => {
      const world = await openGateWorld({ policies }, [LIST], { types })
      const args = { operation: 'list_people', params: { filter } }
      const { approval_id } = await world.demand(args)
      const request = await world.store.get(requestRef(approval_id))
      expect(request?.params.filter).toEqual(shown)
      const trail = await world.trail('CONFIRMATION_REQUIRED')
      expect(trail[0]?.parameters).toMatchObject({ filter: shown })
      const batch = await world.ask({ operations: [args, args] })
      const wrong = await world.ask({ operation: 'list_people', params: { filter, first: 'many' } })
      expect(wrong.result.error?.code).toBe('VALIDATION_INVALID_TYPE')
      expectHidden(request, trail, batch, wrong)
    },
  )

  test('G8 COLL-03 PAGE-08 a text that is looked for in it, and a cursor that holds it', async () => {
    const world = await openGateWorld({}, [LIST], { types })
    const sort = { field: 'ssn' }
    const { data } = await world.call({ operation: 'list_people', params: { sort, first: 1 } })
    const { endCursor } = (data as { pageInfo: { endCursor: string } }).pageInfo
    const gated = await openGateWorld({ policies, store: world.store }, [LIST], { types })
    const params = { sort, first: 1, after: endCursor, query: SECRET }
    const { approval_id } = await gated.demand({ operation: 'list_people', params })
    const request = await gated.store.get(requestRef(approval_id))
    expect(request?.params).toMatchObject({ sort, first: 1, after: MASKED, query: MASKED })
    const aggregate = { people: { count: true, group_by: 'ssn' } }
    const preview = await world.runtime.preview('list_people', { sort, aggregate, include_items: true })
    expect(preview).toMatchObject({
      data: {
        items: [
          { id: 'a', ssn: MASKED },
          { id: 'b', ssn: MASKED },
        ],
      },
    })
    expectHidden(request, preview)
    expect(JSON.stringify([request, preview])).not.toContain(endCursor)
  })
})
