import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { defineType, type ObjectType, type TypeDefinition } from '../registry/type.ts'
import type { CollectionDefinition } from './collection.ts'
import { compileCollection } from './compile-collection.ts'
import { PAGING_PARAMS } from './shared-params.ts'

const Issue = defineType({
  name: 'Issue',
  kind: 'object',
  key: 'id',
  fields: {
    id: { type: 'string', sortable: true },
    number: { type: 'integer', filterable: true, sortable: true },
    title: { type: 'string', filterable: true, sortable: true, searchable: true },
    state: { type: 'string', enum: ['open', 'closed'], filterable: true, groupable: true },
    priority: { type: 'Priority', filterable: true, groupable: true },
    assignee: { type: 'string | null', filterable: true, groupable: true },
    labels: { type: 'string[]', filterable: true },
    estimate: { type: 'number', filterable: true, sortable: true },
    created_at: { type: 'string', format: 'date-time', filterable: true, sortable: true },
    author: { type: 'object', fields: { name: { type: 'string' } } },
  },
  computed: {
    age: { type: 'integer', description: 'In days.', filterable: true, sortable: true, compute: () => 0 },
    mood: { type: 'string', compute: () => '' },
  },
})

const settings = { maxPageSize: 100, operationName: 'list_issues' }
const compile = (change: Partial<CollectionDefinition> = {}, more = {}, type: ObjectType = Issue) =>
  compileCollection({ of: 'Issue', ...change }, type, { ...settings, ...more })

test('REQ-09 COLL-01 COLL-07 the shared parameters of a collection', () => {
  expect(compile().params).toEqual({
    query: { type: 'string', description: 'Any word, every "phrase"' },
    filter: {
      type: 'object',
      description:
        '{key: value, list or {op: value}}: state, priority, labels: ne in exists; ' +
        'title, assignee: also contains starts_with; number, estimate, created_at: also gt gte lt lte',
    },
    sort: { type: 'object', description: '{field, order: asc|desc}: id, number, title, estimate, created_at' },
    first: { type: 'integer', default: 20, description: 'Cursor pages, most 100' },
    after: { type: 'string' },
    last: { type: 'integer' },
    before: { type: 'string' },
    fields: { type: 'string | string[]', description: 'minimal, standard, full or paths' },
    aggregate: { type: 'object', description: '{label: {count: true, group_by: field}}' },
    include_items: { type: 'boolean' },
  })
})

test('COLL-07 the shared parameters of eight filter keys cost no more than 230 tokens', () => {
  const rows = Object.entries(compile().params).map(([name, { type, description, default: fallback }]) => ({
    name,
    type,
    description,
    default: fallback,
  }))
  expect(encode(JSON.stringify(rows)).length).toBeLessThanOrEqual(230)
})

test.each([
  ['COLL-02 search_* needs query', { operationName: 'search_issues' }, {}, 'query', { required: true }],
  ['COLL-02 list_* does not', {}, {}, 'query', { type: 'string' }],
  [
    'PAGE-04 the maximum is told, not enforced',
    { maxPageSize: 50 },
    {},
    'first',
    { description: 'Cursor pages, most 50' },
  ],
  ['PAGE-02 X-24 25 for limit', {}, { paging: ['offset'] }, 'limit', { default: 25 }],
  ['PAGE-02 X-24 25 for page_size', {}, { paging: ['page'] }, 'page_size', { default: 25 }],
  ['PAGE-02 a page size of its own', {}, { pageSize: 5 }, 'first', { default: 5 }],
  ['PAGE-02 the default is never above the maximum', { maxPageSize: 10 }, {}, 'first', { default: 10 }],
] as const)('%s', (_, more, change, name, expected) => {
  expect(compile(change, more).params[name]).toMatchObject(expected)
})

test('X-25 no parameter has a maximum', () => {
  const params = compile({ paging: ['cursor', 'offset', 'page'] }).params
  expect(Object.values(params).filter(({ maximum }) => maximum !== undefined)).toEqual([])
})

test('PAGE-02 the paging parameters whose defaults the binder leaves alone', () => {
  const params = compile({ paging: ['cursor', 'offset', 'page'] }).params
  expect([...PAGING_PARAMS]).toEqual(['first', 'after', 'last', 'before', 'limit', 'offset', 'page', 'page_size'])
  expect([...PAGING_PARAMS].filter((name) => !params[name])).toEqual([])
})

test.each([
  ['search', { search: [] }, ['query']],
  ['filter', { filter: [] }, ['filter']],
  ['sort', { sort: [] }, ['sort']],
  ['aggregate', { aggregate: false }, ['aggregate', 'include_items']],
  ['cursors', { paging: ['page'] }, ['first', 'after', 'last', 'before', 'limit', 'offset']],
] as const)('COLL-01 a collection without %s does not offer it', (_, change, absent) => {
  const offered = Object.keys(compile(change).params)
  expect(absent.filter((name) => offered.includes(name))).toEqual([])
})

test('AGG-06 what can be aggregated', () => {
  expect(compile().aggregationSupport).toEqual({
    supported: true,
    default_mode: 'summary_only',
    functions: ['count', 'sum', 'avg', 'min', 'max'],
    groupable_fields: ['state', 'priority', 'assignee'],
    numeric_fields: ['number', 'estimate'],
  })
  expect(compile({ aggregate: false }).aggregationSupport).toEqual({ supported: false })
})

test('COMP-02 computed fields, with what can be done with them here', () => {
  expect(compile({ sort: ['title'] }).computedFields).toEqual([
    { name: 'age', type: 'integer', description: 'In days.', filterable: true },
    { name: 'mood', type: 'string' },
  ])
  expect(compile().computedFields).toEqual([
    { name: 'age', type: 'integer', description: 'In days.', filterable: true, sortable: true },
    { name: 'mood', type: 'string' },
  ])
})

test('PAGE-06 the type of the answer', () => {
  expect(compile({ paging: ['cursor', 'page'] }).listType).toEqual({
    name: 'IssueList',
    kind: 'object',
    fields: {
      items: { type: 'Issue[]' },
      pageInfo: { type: 'PageInfo' },
      pagination: { type: 'Pagination' },
      aggregations: { type: 'object', description: 'Results of aggregate, by label.' },
    },
  })
  expect(Object.keys(compile({ paging: ['page'], aggregate: false }).listType.fields)).toEqual(['items', 'pagination'])
})

test('COLL-07 an example combines several controls', () => {
  expect(compile().example).toEqual({
    filter: { state: 'open' },
    sort: { field: 'id', order: 'desc' },
    first: 5,
    fields: ['id', 'title'],
  })
})

test('COLL-04 a field of a listed enum type takes its values, and dotted paths reach inside', () => {
  const types = new Map<string, TypeDefinition>([
    ['Priority', { name: 'Priority', kind: 'enum', values: ['low', 'high'] }],
  ])
  const { kinds } = compile({ filter: ['priority', 'author.name'] }, { types })
  expect(kinds.get('priority')).toEqual({ of: 'text', list: false, values: ['low', 'high'] })
  expect(kinds.get('author.name')).toEqual({ of: 'text', list: false })
})

test('a collection is frozen', () => {
  const made = compile()
  expect([made, made.params, made.filterKeys, made.listType].map(Object.isFrozen)).toEqual([true, true, true, true])
})

test.each([
  ['a filter key that is not there', { filter: ['colour'] }, /filter names 'colour'.*Issue does not have/],
  ['a sort field that is not there', { sort: ['colour'] }, /sort names 'colour'/],
  ['a search field that is not there', { search: ['colour'] }, /search names 'colour'/],
  ['an order that is not there', { order: { field: 'colour' } }, /order names 'colour'/],
  ['a prototype as filter key', { filter: ['constructor'] }, /filter names 'constructor'/],
  ['a computed field that is not there', { filter: ['_computed.none'] }, /filter names '_computed.none'/],
  [
    'COMP-03 a computed field that is not filterable',
    { filter: ['_computed.mood'] },
    /'_computed.mood' of type Issue is not filterable/,
  ],
  [
    'COMP-03 a computed field that is not sortable',
    { sort: ['_computed.mood'] },
    /'_computed.mood' of type Issue is not sortable/,
  ],
  ['a filter on an object', { filter: ['author'] }, /'author', which holds objects/],
  ['a sort by a list', { sort: ['labels'] }, /'labels' holds a list/],
  ['a search in numbers', { search: ['number'] }, /'number', which is not text/],
  ['no paging style', { paging: [] }, /paging must be a list of cursor, offset, page/],
  ['a paging style twice', { paging: ['page', 'page'] }, /paging must be/],
  ['PAGE-04 a maximum above 1,000', { maxPageSize: 1001 }, /from 1 to 1000/],
  ['PAGE-02 a page size above the maximum', { pageSize: 101 }, /from 1 to the maximum, 100/],
  ['a page size of nothing', { pageSize: 0 }, /from 1/],
] as const)('%s is refused', (_, change, reason) => {
  expect(() => compile(change as Partial<CollectionDefinition>)).toThrow(reason)
})

test.each([
  ['PAGE-07 no key', { ...Issue, key: undefined }, /type Issue needs a key/],
  ['a key that is not a field', { ...Issue, key: 'uuid' }, /the key names 'uuid'/],
  [
    'a preset with a field that is not there',
    { ...Issue, presets: { card: ['colour'] } },
    /preset 'card' of type Issue names 'colour'/,
  ],
  [
    'a field called constructor',
    { ...Issue, fields: { ...Issue.fields, constructor: { type: 'string' } } },
    /'constructor'/,
  ],
])('%s is refused', (_, type, reason) => {
  expect(() => compile({}, {}, type as ObjectType)).toThrow(reason)
})
