import { describe, expect, test } from 'vitest'
import { echo, openWorld } from '../notes.ts'
import type { AdapterDefinition, OperationDefinition } from '../support.ts'

const RIGHT = echo('get_thing', { id: { type: 'string' } })
const starting = (change: Partial<AdapterDefinition>, options = {}) =>
  openWorld(options, (adapter) => ({ ...adapter, types: [], operations: [], ...change }))
const defining = (change: object) => starting({ operations: [{ ...RIGHT, ...change } as OperationDefinition] })

describe('operations', () => {
  test('VAL-09 a right one is registered, its parameters optional unless they say otherwise', async () => {
    const { call } = await defining({ dangerous: true })
    const { data } = await call({ operation: 'introspect', params: { query: 'operations', name: 'get_thing' } })
    expect((data as { operation: { parameters: object[] } }).operation.parameters[0]).toEqual({
      name: 'id',
      type: 'string',
      required: false,
    })
  })

  // biome-ignore format: one row a case
  test.each<[title: string, change: object, reason: string]>([
    ['VAL-09 no category', { category: undefined }, 'category must be one of CREATE, READ, UPDATE, DELETE, EXECUTE'],
    ['VAL-09 MODE-06 a category that does not exist', { category: 'QUERY' }, 'category must be one of CREATE, READ, UPDATE, DELETE, EXECUTE'],
    ['VAL-09 MODE-06 several categories', { category: ['READ', 'CREATE'] }, 'category must be one of CREATE, READ, UPDATE, DELETE, EXECUTE'],
    ['VAL-09 a category of the prototype', { category: 'constructor' }, 'category must be one of'],
    ['VAL-09 no description', { description: undefined }, 'a description is required'],
    ['VAL-09 an empty description', { description: ' ' }, 'a description is required'],
    ['VAL-09 no handler', { handler: undefined }, 'a handler is required'],
    ['VAL-09 a parameter without a type', { params: { id: {} } }, "parameter 'id' needs a type"],
    ['VAL-09 a parameter that is nothing', { params: { id: undefined } }, "parameter 'id' needs a type"],
    ['VAL-09 TYPE-04 a type that is none', { params: { id: { type: 'list<string>' } } }, "parameter 'id': type 'list<string>' does not follow the grammar"],
    ['VAL-09 TYPE-04 alternatives written otherwise', { params: { id: { type: 'string|integer' } } }, "parameter 'id': type 'string|integer' does not follow the grammar"],
    ['VAL-09 a parameter of a listed type', { params: { id: { type: 'Thing' } } }, "parameter 'id': 'Thing' is not a parameter type"],
    ['VAL-09 a default that its own row refuses', { params: { id: { type: 'integer', minimum: 5, default: 4 } } }, "parameter 'id': the default is not a valid value"],
    ['VAL-09 a format that nobody knows', { params: { id: { type: 'string', format: 'phone' } } }, "parameter 'id': format 'phone' is unknown"],
    ['VAL-09 a pattern that no linear engine takes', { params: { id: { type: 'string', pattern: '(a)\\1' } } }, "parameter 'id': "],
    ['REQ-05 a parameter in camelCase', { params: { thingId: { type: 'string' } } }, "parameter 'thingId' must match ^[a-z][a-z0-9_]*$"],
    ['REQ-04 REQ-05 a parameter named like the protocol’s own', { params: { operation: { type: 'string' } } }, "parameter 'operation' has a name of the protocol's own"],
    ['OPN-03 REQ-01 a name in camelCase', { name: 'getThing' }, 'the name must match ^[a-z][a-z0-9_]*$'],
    ['OPN-03 a name with a hyphen', { name: 'get-thing' }, 'the name must match ^[a-z][a-z0-9_]*$'],
    ['OPN-03 an empty name', { name: '' }, 'the name must match ^[a-z][a-z0-9_]*$'],
    ['OPN-05 introspect', { name: 'introspect' }, 'the name is taken'],
    ['OPN-05 execute_agent', { name: 'execute_agent' }, 'the name is reserved by the protocol'],
    ['OPN-05 record_execution_step', { name: 'record_execution_step' }, 'the name is reserved by the protocol'],
    ['OPN-05 complete_execution', { name: 'complete_execution' }, 'the name is reserved by the protocol'],
    ['OPN-05 abort_execution', { name: 'abort_execution' }, 'the name is reserved by the protocol'],
    ['OPN-05 confirm_operation', { name: 'confirm_operation' }, 'the name is reserved by the protocol'],
    ['OPN-05 verify_challenge', { name: 'verify_challenge' }, 'the name is reserved by the protocol'],
    ['MODE-06 a family of another category', { endpoint: 'create' }, "category READ does not belong to the family 'create' of the profile crude"],
    ['VAL-09 a lifecycle that does not run', { lifecycle: {} }, 'only an EXECUTE operation has a lifecycle'],
    ['VAL-09 updates that do not update', { updates: 'Thing' }, '`updates` belongs to an UPDATE operation'],
    ['VAL-09 a collection of nothing', { collection: { of: 'Thing' } }, "collection.of 'Thing' is not a listed object type"],
    ['VAL-09 a collection that writes', { category: 'CREATE', collection: { of: 'Thing' } }, 'only a READ operation is a collection'],
    ['UPD-01 an UPDATE without input', { category: 'UPDATE' }, 'an UPDATE takes its changes in `input`'],
    ['UPD-02 an UPDATE whose input may be missing', { category: 'UPDATE', params: { input: { type: 'object' } } }, 'an UPDATE takes its changes in `input`'],
    ['UPD-01 an UPDATE of an unknown type', { category: 'UPDATE', updates: 'Thing' }, "updates 'Thing' is not a listed object type"],
    ['REQ-10 a preview of what changes nothing', { dryRun: true }, 'a READ changes nothing and needs no `dryRun`'],
  ])('%s', async (_, change, reason) => {
    const { name = 'get_thing' } = change as { name?: string }
    await expect(defining(change)).rejects.toThrow(`Operation '${name}': ${reason}`)
  })

  test('UPD-02 an UPDATE may declare input itself', async () => {
    const { call } = await defining({
      name: 'update_thing',
      category: 'UPDATE',
      params: { input: { type: 'object', required: true } },
    })
    expect((await call({ operation: 'update_thing' })).error?.details?.param_name).toBe('input')
    expect((await call({ operation: 'update_thing', params: { input: { a: 1 } } })).data).toEqual({ input: { a: 1 } })
  })

  test('MODE-06 one name, one operation', async () => {
    await expect(starting({ operations: [RIGHT, { ...RIGHT, category: 'CREATE' }] })).rejects.toThrow(
      "Operation 'get_thing': the name is taken",
    )
  })

  test('MODE-06 none of the families takes the category', async () => {
    const profiles = [
      { name: 'few', introspection: 'look', families: [{ name: 'look', purpose: 'Look.', categories: ['READ'] }] },
    ] as const
    const operations = [RIGHT, { ...RIGHT, name: 'create_thing', category: 'CREATE' } as const]
    await expect(starting({ profiles, operations }, { profile: 'few' })).rejects.toThrow(
      "Operation 'create_thing': no family of the profile 'few' takes CREATE operations",
    )
  })

  test('MODE-06 several families take the category', async () => {
    const families = [
      { name: 'look', purpose: 'Look.', categories: ['READ'] },
      { name: 'seek', purpose: 'Seek.', categories: ['READ'] },
    ] as const
    const profiles = [{ name: 'two', introspection: 'look', families }]
    await expect(starting({ profiles, operations: [RIGHT] }, { profile: 'two' })).rejects.toThrow(
      "Operation 'get_thing': several families of the profile 'two' take READ (look, seek); name one with `endpoint`",
    )
    await expect(
      starting({ profiles, operations: [{ ...RIGHT, endpoint: 'seek' }] }, { profile: 'two' }),
    ).resolves.toBeDefined()
  })
})

describe('adapters', () => {
  const family = { name: 'look', purpose: 'Look.', categories: ['READ'] } as const

  // biome-ignore format: one row a case
  test.each<[title: string, change: object, reason: string]>([
    ['TOOL-01 a name that is none', { name: '1st!' }, "Adapter name '1st!' must begin with a letter"],
    ['VAL-09 no description', { description: '' }, "Adapter 'note-book': a description is required"],
    ['VAL-09 no operations', { operations: undefined }, "Adapter 'note-book': operations must be a list"],
    ['SESS-08 a concurrency that there is not', { concurrency: 'parallel' }, `Adapter 'note-book': concurrency must be one of serialized, read-concurrent, fully-concurrent, resource-locked; it is "parallel"`],
    ['MODE-04 a profile crude of its own', { profiles: [{ name: 'crude', introspection: 'look', families: [family] }] }, "Adapter 'note-book' may not redefine the profile crude"],
    ['MODE-05 INT-01 nobody introspects', { profiles: [{ name: 'own', introspection: 'seek', families: [family] }] }, "Profile 'own' names no family for introspect"],
    ['MODE-05 two families of one name', { profiles: [{ name: 'own', introspection: 'look', families: [family, family] }] }, "Profile 'own' has two families of one name"],
    ['MODE-05 INT-04 a family in capitals', { profiles: [{ name: 'own', introspection: 'Look', families: [{ ...family, name: 'Look' }] }] }, "Profile 'own': family 'Look' must match ^[a-z][a-z0-9_]*$"],
    ['TYPE-03 a type that is not written as types are', { types: [{ name: 'thing', kind: 'scalar' }] }, "Type 'thing' must be written in PascalCase"],
  ])('%s', async (_, change, reason) => {
    const options = JSON.stringify(change).includes('"own"') ? { profile: 'own' } : {}
    await expect(starting({ operations: [RIGHT], ...change }, options)).rejects.toThrow(reason)
  })
})

test.each([
  ['returns', { returns: { name: 'Note' } }, '`returns` is the name of a type'],
  ['description', { description: 5 }, 'a description is required'],
  ['params', { params: [] }, '`params` is an object of rows by name'],
])('VAL-09 a definition with an odd %s is told what it should be', async (_, odd, reason) => {
  const add = (adapter: AdapterDefinition) => ({
    ...adapter,
    operations: [...adapter.operations, { ...echo('get_odd', {}), ...odd } as unknown as OperationDefinition],
  })
  await expect(openWorld({}, add)).rejects.toThrow(`Operation 'get_odd': ${reason}`)
})

test.each([
  ['an unknown parameter', { id: 'a', other: 1 }, "an example has 'other', which is no parameter"],
  ['a wrong value', { id: 5 }, "an example has a wrong value for 'id'"],
  ['nothing for a required one', {}, "an example lacks 'id', which is required"],
  ['no object', null, 'an example needs `params`, an object'],
])('INT-13 VAL-09 an example with %s is refused', async (_, params, reason) => {
  const operation = { ...echo('get_odd', { id: { type: 'string', required: true } }), examples: [{ params }] }
  const add = (adapter: AdapterDefinition) => ({
    ...adapter,
    operations: [operation as unknown as OperationDefinition],
  })
  await expect(openWorld({}, add)).rejects.toThrow(`Operation 'get_odd': ${reason}`)
})

test('VAL-09 an operation that is none is named by its place', async () => {
  const add = (adapter: AdapterDefinition) => ({ ...adapter, operations: [null as unknown as OperationDefinition] })
  await expect(openWorld({}, add)).rejects.toThrow('operations[0] is no operation with a name')
})
