import { describe, expect, test } from 'vitest'
import type { Note } from '../notes.ts'
import { openWorld } from '../notes.ts'
import { type AdapterDefinition, defineOperation, defineType, mergeInput } from '../support.ts'

const STORED: Note = {
  id: 'n1',
  title: 'Old',
  color: 'red',
  tags: ['a', 'b'],
  metadata: { author: 'ada', priority: 'low', deep: { left: 1, right: 2 } },
  _version: 1,
}

const world = await openWorld()

/** One update of the stored note; everything else is as it was. */
async function updating(params: unknown) {
  world.notes.clear()
  world.notes.set('n1', structuredClone(STORED))
  world.calls.length = 0
  const answer = await world.ask({ operation: 'update_note', params })
  return { ...world, ...answer, note: world.notes.get('n1') }
}

describe('the request', () => {
  test('UPD-01 changes stand in input, identifiers beside it', async () => {
    const { result, note } = await updating({ note_id: 'n1', input: { title: 'New' } })
    expect(result.success).toBe(true)
    expect(note).toEqual({ ...STORED, title: 'New', _version: 2 })
  })

  test('UPD-01 X-07 a changed field beside input is refused', async () => {
    const { result, note, calls } = await updating({ note_id: 'n1', title: 'New', input: {} })
    expect(result.error?.code).toBe('VALIDATION_UNKNOWN_PARAM')
    expect(result.error?.details?.unknown_params).toEqual(['title'])
    expect([note, calls]).toEqual([STORED, []])
  })

  test('UPD-02 X-07 input is missing', async () => {
    const { result, isError, calls } = await updating({ note_id: 'n1' })
    expect([result.error?.code, result.error?.details?.param_name, isError]).toEqual([
      'VALIDATION_MISSING_PARAM',
      'input',
      false,
    ])
    expect(calls).toEqual([])
  })

  test.each([
    ['null', null],
    ['array', []],
    ['string', 'title'],
    ['number', 7],
    ['boolean', true],
  ])('UPD-02 input is a %s', async (actual_type, input) => {
    const { result, note, calls } = await updating({ note_id: 'n1', input })
    expect(result.error?.code).toBe('VALIDATION_INVALID_TYPE')
    expect(result.error?.details).toMatchObject({ param_name: 'input', expected_type: 'object', actual_type })
    expect([note, calls]).toEqual([STORED, []])
  })
})

describe('the merge', () => {
  // biome-ignore format: one row a case
  test.each([
    ['UPD-03 X-08 stored keys survive', { metadata: { priority: 'high' } }, { metadata: { author: 'ada', priority: 'high', deep: { left: 1, right: 2 } } }],
    ['UPD-03 at every depth', { metadata: { deep: { left: 9 } } }, { metadata: { author: 'ada', priority: 'low', deep: { left: 9, right: 2 } } }],
    ['UPD-03 an object where a scalar was', { metadata: { author: { name: 'ada' } } }, { metadata: { author: { name: 'ada' }, priority: 'low', deep: { left: 1, right: 2 } } }],
    ['UPD-03 a new key', { size: 3 }, { size: 3 }],
    ['UPD-03 nothing', {}, {}],
    ['UPD-04 a scalar replaces', { title: 'New' }, { title: 'New' }],
    ['UPD-04 an array replaces as a whole', { tags: ['c'] }, { tags: ['c'] }],
    ['UPD-04 an empty array replaces', { tags: [] }, { tags: [] }],
    ['UPD-04 a scalar where an object was', { metadata: { deep: 1 } }, { metadata: { author: 'ada', priority: 'low', deep: 1 } }],
    ['UPD-05 X-35 null removes', { color: null }, { color: undefined }],
    ['UPD-05 null removes in the depth', { metadata: { deep: { left: null } } }, { metadata: { author: 'ada', priority: 'low', deep: { right: 2 } } }],
    ['UPD-05 null for a key that is not there', { size: null }, {}],
    ['UPD-05 nulls in a replacing array are data', { metadata: { deep: [null, 1] } }, { metadata: { author: 'ada', priority: 'low', deep: [null, 1] } }],
  ])('%s', async (_, input, changed) => {
    const { result, note } = await updating({ note_id: 'n1', input })
    expect(result.success).toBe(true)
    expect(note).toEqual(JSON.parse(JSON.stringify({ ...STORED, ...changed, _version: 2 })))
  })
})

describe('the checks of input', () => {
  // biome-ignore format: one row a case
  test.each([
    ['UPD-06 a value of the wrong type', { title: 7 }, 'VALIDATION_INVALID_TYPE', { param_name: 'input.title' }],
    ['UPD-06 a value that breaks a constraint', { color: 'green' }, 'VALIDATION_INVALID_VALUE', { param_name: 'input.color', allowed: ['red', 'blue'] }],
    ['UPD-06 an element of the wrong type', { tags: ['a', 1] }, 'VALIDATION_INVALID_TYPE', { param_name: 'input.tags[1]' }],
    ['UPD-06 a right field does not save a wrong one', { color: 'blue', title: [] }, 'VALIDATION_INVALID_TYPE', { param_name: 'input.title' }],
    ['UPD-06 a required field cannot be removed', { title: null }, 'VALIDATION_INVALID_VALUE', { param_name: 'input.title' }],
    ['UPD-07 a key that the resource does not know', { titel: 'x' }, 'VALIDATION_UNKNOWN_FIELD', { unknown_fields: ['titel'], operation: 'update_note' }],
    ['UPD-07 several of them', { titel: 'x', colour: 'x' }, 'VALIDATION_UNKNOWN_FIELD', { unknown_fields: ['titel', 'colour'] }],
    ['UPD-08 the identifier', { note_id: 'n2' }, 'VALIDATION_UNKNOWN_FIELD', { unknown_fields: ['note_id'] }],
    ['UPD-08 the key of the resource', { id: 'n2' }, 'VALIDATION_UNKNOWN_FIELD', { unknown_fields: ['id'] }],
    ['UPD-09 a constructor', { constructor: { prototype: 1 } }, 'VALIDATION_INVALID_VALUE', { param_name: 'input.constructor' }],
    ['UPD-09 a constructor in the depth', { metadata: { constructor: { a: 1 } } }, 'VALIDATION_INVALID_VALUE', { param_name: 'input.metadata.constructor' }],
    ['UPD-09 a prototype in the depth', { metadata: { a: { prototype: 1 } } }, 'VALIDATION_INVALID_VALUE', { param_name: 'input.metadata.a.prototype' }],
    ['UPD-09 __proto__', JSON.parse('{"__proto__":{"polluted":1}}'), 'VALIDATION_INVALID_VALUE', { param_name: 'input.__proto__' }],
    ['UPD-09 __proto__ in the depth', JSON.parse('{"metadata":{"__proto__":{"polluted":1}}}'), 'VALIDATION_INVALID_VALUE', { param_name: 'input.metadata.__proto__' }],
  ])('%s', async (_, input, code, details) => {
    const { result, note, calls } = await updating({ note_id: 'n1', input })
    expect(result.error?.code).toBe(code)
    expect(result.error?.details).toMatchObject(details)
    expect([note, calls]).toEqual([STORED, []])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('UPD-06 VAL-01 types come before unknown fields, unknown fields before constraints', async () => {
    const first = async (input: object) => (await updating({ note_id: 'n1', input })).result.error
    expect((await first({ color: 'green', titel: 1, size: 'x' }))?.code).toBe('VALIDATION_INVALID_TYPE')
    expect((await first({ _version: 9, size: 'x' }))?.code).toBe('VALIDATION_INVALID_TYPE')
    expect((await first({ color: 'green', titel: 1 }))?.code).toBe('VALIDATION_UNKNOWN_FIELD')
    expect((await first({ color: 'green', _version: 9, titel: 1 }))?.code).toBe('VALIDATION_READ_ONLY_FIELD')
    expect((await first({ color: 'green' }))?.code).toBe('VALIDATION_INVALID_VALUE')
    expect((await first({ color: 'green', titel: 1, size: 'x' }))?.details?.other_faults).toEqual([
      "Unknown field 'titel' in input for operation 'update_note'",
      "Parameter 'input.color' has an invalid value. Expected: one of red, blue",
    ])
  })

  // biome-ignore format: a table reads by columns
  test.each([
    [{ titel: 'New' },             { title: 'New' }],
    [{ titel: 'New', size: 2 },    { title: 'New', size: 2 }],
    [{ _version: 9, size: 2 },     { size: 2 }],
    [{ title: 7, color: 'blue' },  { color: 'blue' }],
    [{ log: [], titel: 'New' },    { title: 'New' }],
  ])('UPD-06 the corrected request of %o writes what was meant and nothing else, and passes', async (input, meant) => {
    const { result, call } = await updating({ note_id: 'n1', input })
    const example = { operation: 'update_note', params: { note_id: 'n1', input: meant } }
    expect(result.error?.details?.example).toEqual(example)
    expect((await call(example)).success).toBe(true)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    [{ title: 'New' },                                    { title: 'New' }],
    [{ title: 'New', input: { size: 2 } },                { title: 'New', size: 2 }],
    [{ title: 'New', input: { title: 'Newer' } },         { title: 'Newer' }],
    [{ title: 'New', size: 'x', _version: 9, foo: true }, { title: 'New' }],
  ])('UPD-01 X-07 fields beside `input` stand inside it in the corrected request: %o', async (given, meant) => {
    const { result, call } = await updating({ note_id: 'n1', ...given })
    const example = { operation: 'update_note', params: { note_id: 'n1', input: meant } }
    expect(result.error?.details?.example).toEqual(example)
    expect((await call(example)).success).toBe(true)
  })

  test.each([{ titel: 1 }, { _version: 9 }, { title: 7 }, { log: [] }, { color: 'green' }, {}])(
    'UPD-06 no change is invented for %o',
    async (input) => {
      const { result } = await updating({ note_id: 'n1', input })
      expect(result.error?.details?.example).toBeUndefined()
    },
  )

  test('UPD-09 the caller’s objects are left alone', async () => {
    const args = {
      operation: 'update_note',
      params: { note_id: 'n1', input: { metadata: { deep: { left: null } }, tags: ['x'] } },
    }
    const before = structuredClone(args)
    const { call, notes } = await updating({})
    await call(args)
    expect(args).toEqual(before)
    args.params.input.tags.push('y')
    expect(notes.get('n1')?.tags).toEqual(['x'])
  })
})

describe('fields that are objects of a listed type', () => {
  const ADDRESS = defineType({
    name: 'Address',
    kind: 'object',
    fields: {
      city: { type: 'string', required: true },
      street: { type: 'string', required: true },
      zip: { type: 'string' },
      area: { type: 'Area' },
    },
  })
  const AREA = defineType({
    name: 'Area',
    kind: 'object',
    fields: { name: { type: 'string' }, kind: { type: 'Kind' }, around: { type: 'Area' } },
  })
  const KIND = defineType({ name: 'Kind', kind: 'enum', values: ['town', 'land'] })
  const PERSON = defineType({
    name: 'Person',
    kind: 'object',
    key: 'id',
    fields: {
      id: { type: 'string' },
      home: { type: 'Address' },
      others: { type: 'Address[]' },
      kind: { type: 'Kind | null' },
    },
  })

  async function merged(input: object) {
    const stored = { id: 'p', home: { city: 'Bern', street: 'A', zip: '1' } }
    const change = (adapter: AdapterDefinition): AdapterDefinition => ({
      ...adapter,
      types: [...(adapter.types ?? []), PERSON, ADDRESS, AREA, KIND],
      operations: [
        defineOperation({
          name: 'update_person',
          category: 'UPDATE',
          description: 'Update a person.',
          updates: 'Person',
          params: { person_id: { type: 'string' } },
          returns: 'object',
          handler: (params) => mergeInput(stored, (params as unknown as { input: Record<string, unknown> }).input),
        }),
      ],
    })
    const { call } = await openWorld({}, change)
    return call({ operation: 'update_person', params: { input } })
  }

  // biome-ignore format: one row a case
  test.each([
    ['UPD-03 a part of it, without its required fields', { home: { street: 'B' } }, { id: 'p', home: { city: 'Bern', street: 'B', zip: '1' } }],
    ['UPD-05 an optional one removed', { home: { zip: null } }, { id: 'p', home: { city: 'Bern', street: 'A' } }],
    ['UPD-06 a type in a type in a type', { home: { area: { kind: 'town', around: { name: 'x', any: 1 } } } }, { id: 'p', home: { city: 'Bern', street: 'A', zip: '1', area: { kind: 'town', around: { name: 'x', any: 1 } } } }],
  ])('%s', async (_, input, data) => {
    expect(await merged(input)).toEqual({ success: true, data })
  })

  // biome-ignore format: one row a case
  test.each([
    ['UPD-05 a required one cannot be removed', { home: { city: null } }, 'input.home.city'],
    ['UPD-06 its fields are checked', { home: { city: 7 } }, 'input.home.city'],
    ['UPD-06 in the depth', { home: { area: { kind: 'sea' } } }, 'input.home.area.kind'],
    ['UPD-04 what replaces must be whole', { others: [{ city: 'Rome' }] }, 'input.others[0].street'],
    ['UPD-06 an enum with an alternative', { kind: 'sea' }, 'input.kind'],
  ])('%s', async (_, input, name) => {
    expect((await merged(input)).error?.details?.param_name).toBe(name)
  })
})
