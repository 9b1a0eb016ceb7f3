import { expect, test } from 'vitest'
import { isFailure } from '../../protocol/result.ts'
import { defineType } from '../registry/type.ts'
import type { CollectionDefinition } from './collection.ts'
import { compileCollection } from './compile-collection.ts'
import { createCursorCodec } from './cursor.ts'
import { parseQuery } from './parse-query.ts'

const Task = defineType({
  name: 'Task',
  kind: 'object',
  key: 'id',
  fields: {
    id: { type: 'string', sortable: true },
    title: { type: 'string', filterable: true, sortable: true, searchable: true },
    state: { type: 'string', enum: ['open', 'closed'], filterable: true, groupable: true },
    count: { type: 'integer', filterable: true, sortable: true },
    cost: { type: 'number | null', filterable: true },
    done: { type: 'boolean', filterable: true },
    due: { type: 'string', format: 'date', filterable: true },
    made_at: { type: 'string', format: 'date-time', filterable: true, sortable: true },
    big: { type: 'string', format: 'bigint', filterable: true },
    tags: { type: 'string[]', filterable: true, groupable: true },
    secret: { type: 'string' },
  },
  computed: {
    age: { type: 'integer', filterable: true, sortable: true, compute: () => 0 },
    mood: { type: 'string', compute: () => '' },
  },
})

const cursors = createCursorCodec(new Uint8Array(32).fill(1))
const collectionOf = (change: Partial<CollectionDefinition> = {}, operationName = 'list_tasks') =>
  compileCollection({ of: 'Task', ...change }, Task, { maxPageSize: 100, operationName })

function parse(params: Record<string, unknown>, collection = collectionOf()) {
  const parsed = parseQuery(collection, params, cursors)
  if (isFailure(parsed)) throw new Error(parsed.error.message)
  return parsed.query
}

function refusal(params: Record<string, unknown>, collection = collectionOf()) {
  const parsed = parseQuery(collection, params, cursors)
  if (!isFailure(parsed)) throw new Error('accepted')
  expect(parsed.error.message, 'ERR-05').not.toMatch(/at\s+\S/i)
  expect(JSON.stringify(parsed.error), 'no value of the caller').not.toContain('bogus')
  return parsed.error
}

test('PAGE-01 PAGE-02 without controls: the first default page, by key, standard fields', () => {
  expect(parse({})).toEqual({
    filter: [],
    sort: [{ field: 'id', order: 'asc' }],
    page: { style: 'cursor', limit: 20, backward: false },
    aggregate: [],
    wantsItems: true,
    fields: {
      paths: ['id', 'title', 'state', 'count', 'cost', 'done', 'due', 'made_at', 'big', 'tags', 'secret'],
      computed: [],
    },
  })
})

test('FIELD-03 search operations answer with the minimal preset', () => {
  expect(parse({ query: 'x' }, collectionOf({}, 'search_tasks')).fields).toEqual({
    paths: ['id', 'title'],
    computed: [],
  })
})

test.each([
  ['words', 'Fix Login', { words: ['fix', 'login'], phrases: [] }],
  ['phrases', '"Log In" now "again"', { words: ['now'], phrases: ['log in', 'again'] }],
  ['an open quote', 'say "hello world', { words: ['say', 'hello', 'world'], phrases: [] }],
  ['repeated words', 'a A a', { words: ['a'], phrases: [] }],
])('COLL-03 text: %s', (_, query, expected) => {
  expect(parse({ query }).text).toEqual({ ...expected, fields: ['title'] })
})

test.each(['', '   ', '""', '" "'])('COLL-03 the blank text %j asks for nothing', (query) => {
  expect(parse({ query }).text).toBeUndefined()
})

test.each([
  ['equals', { state: 'open' }, [['state', 'eq', 'open']]],
  ['any of', { state: ['open', 'closed'] }, [['state', 'in', ['open', 'closed']]]],
  ['any of, or none', { state: ['open', null] }, [['state', 'in', ['open', null]]]],
  ['none', { cost: null }, [['cost', 'eq', null]]],
  ['not none', { cost: { ne: null } }, [['cost', 'ne', null]]],
  ['not', { state: { ne: 'open' } }, [['state', 'ne', 'open']]],
  [
    'a range',
    { count: { gte: 1, lt: 5 } },
    [
      ['count', 'gte', 1],
      ['count', 'lt', 5],
    ],
  ],
  [
    'text',
    { title: { contains: 'a', starts_with: 'b' } },
    [
      ['title', 'contains', 'a'],
      ['title', 'starts_with', 'b'],
    ],
  ],
  ['existence', { due: { exists: false } }, [['due', 'exists', false]]],
  ['an element', { tags: 'a' }, [['tags', 'eq', 'a']]],
  ['an element, spelled out', { tags: { contains: 'a' } }, [['tags', 'contains', 'a']]],
  ['a fraction', { cost: 1.5 }, [['cost', 'eq', 1.5]]],
  ['false', { done: false }, [['done', 'eq', false]]],
  ['a day', { due: '2026-02-04' }, [['due', 'eq', '2026-02-04']]],
  [
    'DATA-05 a day among moments is its midnight in UTC',
    { made_at: { gte: '2026-02-04' } },
    [['made_at', 'gte', '2026-02-04T00:00:00.000Z']],
  ],
  [
    'DATA-05 a moment is told in UTC',
    { made_at: { lt: '2026-02-04T10:30:00+05:30' } },
    [['made_at', 'lt', '2026-02-04T05:00:00.000Z']],
  ],
  ['a large integer', { big: { gt: '9007199254740993' } }, [['big', 'gt', '9007199254740993']]],
  ['COMP-03 a computed field', { '_computed.age': { gt: 3 } }, [['_computed.age', 'gt', 3]]],
  ['nothing', {}, []],
])('COLL-04 filter: %s', (_, filter, expected) => {
  expect(parse({ filter }).filter).toEqual(expected.map(([field, op, value]) => ({ field, op, value })))
})

const KEYS = ['title', 'state', 'count', 'cost', 'done', 'due', 'made_at', 'big', 'tags', '_computed.age']
const EQUALITY = ['eq', 'ne', 'in', 'exists']

test.each([
  ['an unknown key', { bogus: 1 }, KEYS],
  ['a stored field that is no key', { secret: 'bogus' }, KEYS],
  ['a sort field that is no key', { id: 'bogus' }, KEYS],
  ['COMP-03 a computed field that is not filterable', { '_computed.mood': 'bogus' }, KEYS],
  ['a prototype', JSON.parse('{"__proto__": {"x": 1}}'), KEYS],
  ['a constructor', { constructor: 'bogus' }, KEYS],
  ['an unknown operator', { title: { like: 'bogus' } }, [...EQUALITY, 'contains', 'starts_with']],
  ['an operator of prototypes', { state: JSON.parse('{"__proto__": 1}') }, EQUALITY],
  ['an operator that does not fit', { state: { gt: 'bogus' } }, EQUALITY],
  ['no operator', { state: {} }, EQUALITY],
  ['a value outside the enum', { state: 'bogus' }, ['open', 'closed']],
  ['a list with one outside the enum', { state: ['open', 'bogus'] }, ['open', 'closed']],
  ['text for an integer', { count: '5' }, undefined],
  ['a fraction for an integer', { count: 1.5 }, undefined],
  ['a number for text', { title: 5 }, undefined],
  ['text for a boolean', { done: 'true' }, undefined],
  ['a day that does not exist', { due: '2026-02-30' }, undefined],
  ['another spelling of a date', { due: '04.02.2026' }, undefined],
  ['a moment without zone', { made_at: '2026-02-04T10:30:00' }, undefined],
  ['a number for a large integer', { big: 5 }, undefined],
  ['null to be more than', { count: { gt: null } }, undefined],
  ['a list to equal', { count: { eq: [1] } }, undefined],
  ['one value as a list', { count: { in: 1 } }, undefined],
  ['a list in a list', { tags: [['a']] }, undefined],
  ['existence that is no boolean', { due: { exists: 'yes' } }, undefined],
  ['a part that is no text', { title: { contains: 1 } }, undefined],
])('COLL-04 filter: %s is refused', (_, filter, allowed) => {
  const error = refusal({ filter })
  expect(error.code).toBe('VALIDATION_INVALID_VALUE')
  expect(error.details).toMatchObject({ param_name: 'filter', operation: 'list_tasks' })
  expect(error.details?.allowed).toEqual(allowed)
})

test.each([
  [
    'ascending by default',
    { field: 'count' },
    [
      { field: 'count', order: 'asc' },
      { field: 'id', order: 'asc' },
    ],
  ],
  [
    'descending',
    { field: 'title', order: 'desc' },
    [
      { field: 'title', order: 'desc' },
      { field: 'id', order: 'asc' },
    ],
  ],
  ['by the key alone', { field: 'id', order: 'desc' }, [{ field: 'id', order: 'desc' }]],
  [
    'COMP-03 by a computed field',
    { field: '_computed.age' },
    [
      { field: '_computed.age', order: 'asc' },
      { field: 'id', order: 'asc' },
    ],
  ],
])('COLL-05 PAGE-07 sort: %s', (_, sort, expected) => {
  expect(parse({ sort }).sort).toEqual(expected)
})

test('COLL-05 PAGE-07 the declared order applies without sort', () => {
  expect(parse({}, collectionOf({ order: { field: 'made_at', order: 'desc' } })).sort).toEqual([
    { field: 'made_at', order: 'desc' },
    { field: 'id', order: 'asc' },
  ])
})

const SORTABLE = ['id', 'title', 'count', 'made_at', '_computed.age']

test.each([
  ['an unsupported field', { field: 'state' }, SORTABLE],
  ['COMP-03 a computed field that is not sortable', { field: '_computed.mood' }, SORTABLE],
  ['no field', { order: 'asc' }, SORTABLE],
  ['a list of fields', { field: ['id'] }, SORTABLE],
  ['another order', { field: 'id', order: 'bogus' }, ['asc', 'desc']],
  ['another key', { field: 'id', bogus: 1 }, ['field', 'order']],
  ['a text', 'id', ['field', 'order']],
])('COLL-05 sort: %s is refused', (_, sort, allowed) => {
  expect(refusal({ sort })).toMatchObject({
    code: 'VALIDATION_INVALID_VALUE',
    details: { param_name: 'sort', allowed, operation: 'list_tasks' },
  })
})

const at = (id: string, scope = 'list_tasks\nid asc') => cursors.encode([id], scope)

test.each([
  ['PAGE-01 first', { first: 3 }, { style: 'cursor', limit: 3, backward: false }],
  [
    'PAGE-01 first and after',
    { first: 3, after: at('b') },
    { style: 'cursor', limit: 3, backward: false, position: ['b'] },
  ],
  ['PAGE-01 last', { last: 3 }, { style: 'cursor', limit: 3, backward: true }],
  [
    'PAGE-01 last and before',
    { last: 3, before: at('b') },
    { style: 'cursor', limit: 3, backward: true, position: ['b'] },
  ],
  ['PAGE-04 more than the maximum is reduced', { first: 5000 }, { style: 'cursor', limit: 100, backward: false }],
  ['PAGE-04 backward too', { last: 101 }, { style: 'cursor', limit: 100, backward: true }],
])('%s', (_, params, page) => {
  expect(parse(params).page).toEqual(page)
})

const everyStyle = collectionOf({ paging: ['offset', 'page', 'cursor'] })

test.each([
  ['PAGE-09 none: the first style', {}, { style: 'offset', limit: 25, offset: 0 }],
  ['PAGE-09 limit', { limit: 5 }, { style: 'offset', limit: 5, offset: 0 }],
  ['PAGE-09 offset', { offset: 50 }, { style: 'offset', limit: 25, offset: 50 }],
  ['PAGE-09 page', { page: 3 }, { style: 'page', page: 3, limit: 25, offset: 50 }],
  ['PAGE-09 page_size', { page_size: 10, page: 2 }, { style: 'page', page: 2, limit: 10, offset: 10 }],
  ['PAGE-04 limit above the maximum', { limit: 101 }, { style: 'offset', limit: 100, offset: 0 }],
  ['PAGE-04 page_size above the maximum', { page_size: 101 }, { style: 'page', page: 1, limit: 100, offset: 0 }],
  ['PAGE-01 cursors', { last: 2 }, { style: 'cursor', limit: 2, backward: true }],
])('%s', (_, params, page) => {
  expect(parse(params, everyStyle).page).toEqual(page)
})

// biome-ignore format: one row a case
test.each([
  ['PAGE-03 first and last', { first: 1, last: 1 }, ['first', 'last'], 'Use first to page forward or last to page backward.'],
  ['PAGE-03 after alone', { after: at('b') }, ['after'], 'Send first together with after.'],
  ['PAGE-03 before alone', { before: at('b') }, ['before'], 'Send last together with before.'],
  ['PAGE-03 first and before', { first: 1, before: at('b') }, ['first', 'before'], 'Use after with first; before goes with last.'],
  ['PAGE-03 last and after', { last: 1, after: at('b') }, ['after', 'last'], 'Use before with last; after goes with first.'],
  ['PAGE-03 everything', { first: 1, last: 1, after: at('b'), before: at('b') }, ['first', 'after', 'last', 'before'], 'Use first to page forward or last to page backward.'],
  ['PAGE-10 first and limit', { first: 1, limit: 1 }, ['first', 'limit'], 'Use one of: limit, offset; first, after, last, before.'],
  ['PAGE-10 offset and page', { offset: 1, page: 1 }, ['offset', 'page'], 'Use one of: limit, offset; page, page_size.'],
  ['PAGE-10 after and page_size', { after: at('b'), page_size: 1 }, ['after', 'page_size'], 'Use one of: page, page_size; first, after, last, before.'],
] as const)('%s clash', (_, params, provided, hint) => {
  const error = refusal(params, everyStyle)
  expect(error).toEqual({
    code: 'VALIDATION_INVALID_TYPE',
    message: "Parameter 'pagination' expected 'valid pagination combination', got 'conflicting parameters'",
    details: {
      param_name: 'pagination',
      expected_type: 'valid pagination combination',
      actual_type: 'conflicting parameters',
      provided,
      hint,
    },
  })
})

test.each([
  ['first', { first: 0 }],
  ['first', { first: -1 }],
  ['last', { last: 0 }],
  ['limit', { limit: 0 }],
  ['offset', { offset: -1 }],
  ['page', { page: 0 }],
  ['page_size', { page_size: 0 }],
])('PAGE-04 %s below its least value is refused: %j', (param_name, params) => {
  expect(refusal(params, everyStyle)).toMatchObject({ code: 'VALIDATION_INVALID_VALUE', details: { param_name } })
})

test.each([
  ['damaged', { first: 1, after: `${at('b')}x` }, 'after'],
  ['invented', { last: 1, before: 'bogus' }, 'before'],
  ['of another operation', { first: 1, after: at('b', 'list_notes\nid asc') }, 'after'],
  ['of another sort', { first: 1, after: at('b'), sort: { field: 'id', order: 'desc' } }, 'after'],
])('PAGE-08 a cursor that is %s is refused', (_, params, param_name) => {
  expect(refusal(params)).toMatchObject({ code: 'VALIDATION_INVALID_VALUE', details: { param_name } })
})

test.each([
  ['one function', { total: { count: true } }, [{ label: 'total', functions: [{ name: 'count' }] }]],
  [
    'a group',
    { by: { group_by: 'state', count: true } },
    [{ label: 'by', groupBy: 'state', functions: [{ name: 'count' }] }],
  ],
  [
    'several functions and labels',
    { a: { sum: 'cost', max: 'count' }, b: { avg: 'count', min: 'cost', count: false } },
    [
      {
        label: 'a',
        functions: [
          { name: 'sum', field: 'cost' },
          { name: 'max', field: 'count' },
        ],
      },
      {
        label: 'b',
        functions: [
          { name: 'avg', field: 'count' },
          { name: 'min', field: 'cost' },
        ],
      },
    ],
  ],
])('AGG-01 %s', (_, aggregate, expected) => {
  expect(parse({ aggregate }).aggregate).toEqual(expected)
})

test.each([
  [{}, true],
  [{ aggregate: {} }, true],
  [{ aggregate: { n: { count: true } } }, false],
  [{ aggregate: { n: { count: true } }, include_items: false }, false],
  [{ aggregate: { n: { count: true } }, include_items: true }, true],
])('AGG-02 %j: items %s', (params, wantsItems) => {
  expect(parse(params).wantsItems).toBe(wantsItems)
})

test.each([
  ['AGG-01 another key', { a: { median: 'count' } }, ['count', 'group_by', 'sum', 'avg', 'min', 'max']],
  ['AGG-01 no expression', { a: true }, ['count', 'group_by', 'sum', 'avg', 'min', 'max']],
  ['AGG-01 count that is no boolean', { a: { count: 'bogus' } }, undefined],
  ['AGG-05 a group alone', { a: { group_by: 'state' } }, ['count', 'sum', 'avg', 'min', 'max']],
  ['AGG-05 an empty expression', { a: {} }, ['count', 'sum', 'avg', 'min', 'max']],
  ['AGG-05 nothing counted', { a: { count: false, group_by: 'state' } }, ['count', 'sum', 'avg', 'min', 'max']],
  ['AGG-05 a field that is not groupable', { a: { count: true, group_by: 'title' } }, ['state', 'tags']],
  ['AGG-05 a field that is not numeric', { a: { sum: 'title' } }, ['count', 'cost']],
  ['AGG-05 a computed field', { a: { avg: '_computed.age' } }, ['count', 'cost']],
  ['AGG-05 a prototype as field', { a: { avg: 'constructor' } }, ['count', 'cost']],
  ['AGG-01 a prototype as label', JSON.parse('{"__proto__": {"count": true}}'), undefined],
  ['AGG-01 an empty label', { '': { count: true } }, undefined],
  [
    'AGG-01 too many labels',
    Object.fromEntries(Array.from({ length: 21 }, (__, i) => [`l${i}`, { count: true }])),
    undefined,
  ],
])('%s is refused', (_, aggregate, allowed) => {
  const error = refusal({ aggregate })
  expect(error.code).toBe('VALIDATION_INVALID_VALUE')
  expect(error.details?.param_name).toBe('aggregate')
  expect(error.details?.allowed).toEqual(allowed)
})

test('COLL-03 more words than anyone types are refused', () => {
  const query = Array.from({ length: 33 }, (_, i) => `w${i}`).join(' ')
  expect(refusal({ query })).toMatchObject({ code: 'VALIDATION_INVALID_VALUE', details: { param_name: 'query' } })
})

test('FIELD-06 unknown fields are reported, with low severity', () => {
  const parsed = parseQuery(collectionOf(), { fields: ['title', 'colour'] }, cursors)
  if (isFailure(parsed)) throw new Error(parsed.error.message)
  expect(parsed.query.fields).toEqual({ paths: ['title'], computed: [] })
  expect(parsed.warnings).toEqual([
    {
      code: 'VALIDATION_UNKNOWN_FIELD',
      message: "Unknown field 'colour' was left out",
      details: { field: 'colour' },
      severity: 'low',
    },
  ])
})

test('FIELD-08 malformed fields are refused', () => {
  expect(refusal({ fields: ['A'] })).toMatchObject({
    code: 'VALIDATION_INVALID_VALUE',
    details: { param_name: 'fields' },
  })
})
