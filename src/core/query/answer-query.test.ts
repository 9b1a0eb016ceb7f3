import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFailure } from '../../protocol/result.ts'
import { defineType } from '../registry/type.ts'
import { answerQuery } from './answer-query.ts'
import { type CollectionDefinition, type Item, type PushedRows, pushed } from './collection.ts'
import { compileCollection } from './compile-collection.ts'
import { createCursorCodec } from './cursor.ts'
import { parseQuery } from './parse-query.ts'

const NOW = 10_000
const cursors = createCursorCodec(new Uint8Array(32).fill(1))
let computations = 0

const Task = defineType({
  name: 'Task',
  kind: 'object',
  key: 'id',
  fields: {
    id: { type: 'string', sortable: true, filterable: true },
    title: { type: 'string', filterable: true, sortable: true, searchable: true },
    body: { type: 'string', searchable: true },
    state: { type: 'string', filterable: true, sortable: true, groupable: true },
    count: { type: 'integer | null', filterable: true, sortable: true },
    done: { type: 'boolean', filterable: true, sortable: true, groupable: true },
    made_at: { type: 'string', format: 'date-time', filterable: true, sortable: true },
    big: { type: 'string', format: 'bigint', filterable: true, sortable: true },
    tags: { type: 'string[]', filterable: true, searchable: true, groupable: true },
    owner: { type: 'object', fields: { name: { type: 'string' } } },
  },
  presets: { standard: ['id'] },
  computed: {
    double: {
      type: 'integer',
      filterable: true,
      sortable: true,
      compute: ({ count }) => {
        computations++
        return typeof count === 'number' ? count * 2 : undefined
      },
    },
    late: { type: 'integer', compute: (_, now) => now },
  },
})

const collectionOf = (change: Partial<CollectionDefinition> = {}) =>
  compileCollection({ of: 'Task', ...change }, Task, { maxPageSize: 100, operationName: 'list_tasks' })
const list = collectionOf({
  filter: ['id', 'title', 'state', 'count', 'done', 'made_at', 'big', 'tags', 'owner.name', '_computed.double'],
})

function ask(params: Record<string, unknown>, rows: readonly Item[] | PushedRows = TASKS, collection = list): Answer {
  const parsed = parseQuery(collection, params, cursors)
  if (isFailure(parsed)) throw new Error(parsed.error.message)
  return answerQuery(collection, parsed.query, rows, cursors, NOW).data as unknown as Answer
}

interface Answer {
  readonly items: readonly Item[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string
    readonly endCursor: string
    readonly totalCount?: number
  }
  readonly aggregations?: unknown
}

const ids = ({ items }: Answer) => items.map(({ id }) => id).join(' ')

const TASKS: readonly Item[] = [
  {
    id: 'd',
    title: 'Fix the Login page',
    state: 'open',
    count: 3,
    done: false,
    made_at: '2026-02-04T10:30:00+05:30',
    big: '9007199254740993',
    tags: ['ui', 'bug'],
    owner: { name: 'ann' },
  },
  {
    id: 'b',
    title: 'login fails',
    body: 'white PAGE',
    state: 'closed',
    count: 1,
    done: true,
    made_at: '2026-02-04T06:00:00Z',
    big: '9007199254740992',
    tags: [],
  },
  {
    id: 'a',
    title: 'Write docs',
    state: 'open',
    count: null,
    done: false,
    made_at: '2026-02-04T04:59:59.999Z',
    big: '-5',
    tags: ['docs'],
  },
  { id: 'c', title: 'zebra', state: 'open', count: 1, made_at: 'not a time', tags: ['ui'], owner: { name: 'bob' } },
]

test.each([
  ['COLL-03 any of the words', { query: 'fails zebra' }, 'b c'],
  ['COLL-03 whatever the case', { query: 'LOGIN' }, 'b d'],
  ['COLL-03 in every searchable field', { query: 'page docs' }, 'a b d'],
  ['COLL-03 a phrase as a whole', { query: '"login page"' }, 'd'],
  ['COLL-03 every phrase, any word', { query: '"login" fails' }, 'b'],
  ['COLL-03 each of two phrases', { query: '"login" "page"' }, 'b d'],
  ['COLL-03 nothing found', { query: 'unicorn' }, ''],
  ['COLL-04 equals', { filter: { state: 'open' } }, 'a c d'],
  ['COLL-04 minds the case', { filter: { state: 'Open' } }, ''],
  ['COLL-04 any of', { filter: { count: [1, 3] } }, 'b c d'],
  ['COLL-04 any of, or none', { filter: { count: [3, null] } }, 'a d'],
  ['COLL-04 any of nothing', { filter: { count: [] } }, ''],
  ['COLL-04 none', { filter: { count: null } }, 'a'],
  ['COLL-04 absent is none', { filter: { done: null } }, 'c'],
  ['COLL-04 an empty list is none', { filter: { tags: null } }, 'b'],
  ['COLL-04 exists', { filter: { done: { exists: true } } }, 'a b d'],
  ['COLL-04 does not exist', { filter: { done: { exists: false } } }, 'c'],
  ['COLL-04 ne takes those without a value', { filter: { done: { ne: true } } }, 'a c d'],
  ['COLL-04 ne null', { filter: { count: { ne: null } } }, 'b c d'],
  ['COLL-04 gt', { filter: { count: { gt: 1 } } }, 'd'],
  ['COLL-04 gte and lt', { filter: { count: { gte: 1, lt: 3 } } }, 'b c'],
  ['COLL-04 lte leaves out those without a value', { filter: { count: { lte: 9 } } }, 'b c d'],
  ['COLL-04 contains, whatever the case', { filter: { title: { contains: 'LOGIN' } } }, 'b d'],
  ['COLL-04 starts_with', { filter: { title: { starts_with: 'login' } } }, 'b'],
  ['COLL-04 an element', { filter: { tags: 'ui' } }, 'c d'],
  ['COLL-04 an element by contains', { filter: { tags: { contains: 'ui' } } }, 'c d'],
  ['COLL-04 part of an element is none', { filter: { tags: 'u' } }, ''],
  ['COLL-04 any of the elements', { filter: { tags: ['bug', 'docs'] } }, 'a d'],
  ['COLL-04 no such element', { filter: { tags: { ne: 'ui' } } }, 'a b'],
  ['COLL-04 inside an object', { filter: { 'owner.name': 'ann' } }, 'd'],
  ['COLL-04 moments, whatever the zone', { filter: { made_at: '2026-02-04T05:00:00Z' } }, 'd'],
  ['COLL-04 moments in order', { filter: { made_at: { gte: '2026-02-04T05:00:00Z' } } }, 'b d'],
  ['COLL-04 large integers', { filter: { big: { gt: '9007199254740992' } } }, 'd'],
  ['COMP-03 a computed value', { filter: { '_computed.double': { gte: 6 } } }, 'd'],
  ['COLL-06 text and filter together', { query: 'login', filter: { state: 'open' } }, 'd'],
  ['COLL-05 sort ascending, ties by key, none last', { sort: { field: 'count' } }, 'b c d a'],
  ['COLL-05 sort descending, ties by key, none first', { sort: { field: 'count', order: 'desc' } }, 'a d b c'],
  ['COLL-05 by code unit', { sort: { field: 'title' } }, 'd a b c'],
  ['COLL-05 by moment, what is none last', { sort: { field: 'made_at' } }, 'a d b c'],
  ['COLL-05 false before true', { sort: { field: 'done' } }, 'a d b c'],
  ['COLL-05 large integers', { sort: { field: 'big' } }, 'a b d c'],
  ['COMP-03 by a computed value', { sort: { field: '_computed.double' } }, 'b c d a'],
  ['COLL-06 by a field that is not selected', { sort: { field: 'count', order: 'desc' }, fields: ['id'] }, 'a d b c'],
])('%s', (_, params, expected) => {
  expect(ids(ask(params))).toBe(expected)
})

test('PAGE-05 PAGE-06 pages forward', () => {
  const first = ask({ first: 3 })
  expect(first).toEqual({
    items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    pageInfo: {
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: expect.any(String),
      endCursor: expect.any(String),
      totalCount: 4,
    },
  })
  const second = ask({ first: 3, after: first.pageInfo.endCursor })
  expect(ids(second)).toBe('d')
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true, totalCount: 4 })
})

test('PAGE-05 pages backward', () => {
  const last = ask({ last: 3 })
  expect(ids(last)).toBe('b c d')
  expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  const before = ask({ last: 3, before: last.pageInfo.startCursor })
  expect(ids(before)).toBe('a')
  expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
})

test('PAGE-05 an empty page has no cursors', () => {
  expect(ask({ filter: { state: 'none' } })).toEqual({
    items: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, totalCount: 0 },
  })
})

test('PAGE-08 a cursor keeps its place when its item is gone', () => {
  const { pageInfo } = ask({ first: 2 })
  const rest = TASKS.filter(({ id }) => id !== 'b')
  expect(ids(ask({ first: 2, after: pageInfo.endCursor }, rest))).toBe('c d')
  expect(ids(ask({ last: 2, before: pageInfo.endCursor }, rest))).toBe('a')
})

test.each([
  [
    'limit and offset',
    { limit: 2, offset: 1 },
    'b c',
    { limit: 2, offset: 1, returned: 2, total_items: 4, has_more: true },
  ],
  [
    'the last of them',
    { limit: 2, offset: 3 },
    'd',
    { limit: 2, offset: 3, returned: 1, total_items: 4, has_more: false },
  ],
  [
    'beyond the end',
    { limit: 2, offset: 9 },
    '',
    { limit: 2, offset: 9, returned: 0, total_items: 4, has_more: false },
  ],
  [
    'a page',
    { page: 2, page_size: 3 },
    'd',
    { page: 2, page_size: 3, total_items: 4, total_pages: 2, has_more: false },
  ],
  [
    'the first page',
    { page_size: 3 },
    'a b c',
    { page: 1, page_size: 3, total_items: 4, total_pages: 2, has_more: true },
  ],
  [
    'a page beyond the end',
    { page: 1e12 },
    '',
    { page: 1e12, page_size: 25, total_items: 4, total_pages: 1, has_more: false },
  ],
])('PAGE-09 %s', (_, params, expected, pagination) => {
  const answer = ask(params, TASKS, collectionOf({ paging: ['offset', 'page'] }))
  expect(ids(answer)).toBe(expected)
  expect(answer).toMatchObject({ pagination })
  expect(answer).not.toHaveProperty('pageInfo')
})

test.each([
  ['one function is a bare value', { n: { count: true } }, { n: 4 }],
  ['one function of each group', { n: { count: true, group_by: 'state' } }, { n: { closed: 1, open: 3 } }],
  [
    'several functions',
    { n: { count: true, sum: 'count', avg: 'count', min: 'count', max: 'count' } },
    { n: { count: 4, sum: 5, avg: 5 / 3, min: 1, max: 3 } },
  ],
  [
    'several functions of each group',
    { n: { count: true, sum: 'count', group_by: 'state' } },
    { n: { closed: { count: 1, sum: 1 }, open: { count: 3, sum: 4 } } },
  ],
  ['groups of booleans, and of none', { n: { count: true, group_by: 'done' } }, { n: { false: 2, true: 1, null: 1 } }],
  ['groups by element', { n: { count: true, group_by: 'tags' } }, { n: { bug: 1, docs: 1, ui: 2, null: 1 } }],
  ['several labels', { a: { max: 'count' }, b: { min: 'count' } }, { a: 3, b: 1 }],
])('AGG-03 %s', (_, aggregate, aggregations) => {
  expect(ask({ aggregate })).toEqual({ aggregations })
})

test('AGG-03 nothing to add up', () => {
  const aggregate = { n: { count: true, sum: 'count', avg: 'count', min: 'count', max: 'count' } }
  expect(ask({ aggregate }, [])).toEqual({ aggregations: { n: { count: 0, sum: 0, avg: null, min: null, max: null } } })
})

test('AGG-03 a group called like a prototype is a group', () => {
  const answer = ask({ aggregate: { n: { count: true, group_by: 'state' } } }, [{ id: 'x', state: '__proto__' }])
  expect(JSON.stringify(answer)).toBe('{"aggregations":{"n":{"__proto__":1}}}')
})

test('AGG-02 AGG-04 FIELD-05 COLL-06 aggregates cover all that match, beside the page and its fields', () => {
  const params = {
    filter: { state: 'open' },
    aggregate: { n: { count: true } },
    include_items: true,
    first: 1,
    fields: ['title'],
  }
  expect(ask(params)).toMatchObject({
    items: [{ title: 'Write docs' }],
    pageInfo: { hasNextPage: true, totalCount: 3 },
    aggregations: { n: 3 },
  })
})

test('COMP-01 a computed value is worked out once for each item that needs it', () => {
  computations = 0
  const params = {
    filter: { '_computed.double': { gt: 0 } },
    sort: { field: '_computed.double' },
    fields: ['id', '_computed.double', '_computed.late'],
    first: 1,
  }
  expect(ask(params).items).toEqual([{ id: 'b', _computed: { double: 2, late: NOW } }])
  expect(computations).toBe(4)
  computations = 0
  ask({ fields: ['_computed.double'], first: 2 })
  expect(computations).toBe(2)
})

test('what a handler returns is neither changed nor kept', () => {
  const rows = structuredClone(TASKS)
  ask({ sort: { field: 'title' }, fields: 'full' }, rows)
  expect(rows).toEqual(TASKS)
})

const sorted = TASKS.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
const after = (id: string) => cursors.encode([id], 'list_tasks\nid asc')

test.each([
  ['nothing', {}, pushed(TASKS, []), 'a b c d', { hasNextPage: false, totalCount: 4 }],
  ['filter', { filter: { state: 'open' } }, pushed([TASKS[1] as Item], ['filter']), 'b', { totalCount: 1 }],
  ['text', { query: 'nowhere' }, pushed([TASKS[1] as Item], ['text']), 'b', { totalCount: 1 }],
  ['sort: in the handler’s order', {}, pushed(TASKS, ['sort']), 'd b a c', { totalCount: 4 }],
  [
    'sort: after a cursor, in the handler’s order',
    { first: 1, after: after('b') },
    pushed(TASKS, ['sort']),
    'a',
    { hasPreviousPage: true, hasNextPage: true },
  ],
  [
    'sort: before a cursor',
    { last: 1, before: after('a') },
    pushed(TASKS, ['sort']),
    'b',
    { hasPreviousPage: true, hasNextPage: true },
  ],
  [
    'sort: after a cursor whose item is gone',
    { first: 9, after: after('bb') },
    pushed(sorted, ['sort']),
    'c d',
    { hasPreviousPage: true, hasNextPage: false },
  ],
  ['sort: the end', { last: 3 }, pushed(sorted, ['sort']), 'b c d', { hasPreviousPage: true, hasNextPage: false }],
  [
    'page: with one beyond',
    { first: 2 },
    pushed(sorted.slice(0, 3), ['sort', 'page']),
    'a b',
    { hasNextPage: true, hasPreviousPage: false },
  ],
  [
    'page: the last one',
    { first: 2, after: after('b') },
    pushed(sorted.slice(2), ['sort', 'page']),
    'c d',
    { hasNextPage: false, hasPreviousPage: true },
  ],
  [
    'page: backward with one beyond',
    { last: 2 },
    pushed(sorted.slice(1), ['sort', 'page']),
    'c d',
    { hasNextPage: false, hasPreviousPage: true },
  ],
  [
    'page: backward from a cursor',
    { last: 2, before: after('c') },
    pushed(sorted.slice(0, 2), ['sort', 'page']),
    'a b',
    { hasNextPage: true, hasPreviousPage: false },
  ],
  [
    'page: with its total',
    { first: 2 },
    pushed(sorted.slice(0, 3), ['sort', 'page'], { total: 77 }),
    'a b',
    { totalCount: 77 },
  ],
])('COLL-06 pushed %s', (_, params, rows, expected, pageInfo) => {
  const answer = ask(params, rows)
  expect(ids(answer)).toBe(expected)
  expect(answer.pageInfo).toMatchObject(pageInfo)
})

test('PAGE-05 no total is claimed that the handler did not count', () => {
  expect(ask({ first: 2 }, pushed(sorted.slice(0, 3), ['sort', 'page'])).pageInfo).not.toHaveProperty('totalCount')
})

test.each([
  [
    { offset: 2, limit: 2 },
    pushed(sorted.slice(2), ['sort', 'page']),
    { limit: 2, offset: 2, returned: 2, has_more: false },
  ],
  [{ limit: 2 }, pushed(sorted.slice(0, 3), ['sort', 'page']), { limit: 2, offset: 0, returned: 2, has_more: true }],
  [
    { limit: 2 },
    pushed(sorted.slice(0, 2), ['sort', 'page'], { total: 4 }),
    { limit: 2, offset: 0, returned: 2, total_items: 4, has_more: true },
  ],
])('PAGE-09 pushed pages by offset %#', (params, rows, pagination) => {
  expect(ask(params, rows, collectionOf({ paging: ['offset'] }))).toMatchObject({ pagination })
})

test('AGG-02 pushed aggregates are answered as they are', () => {
  const rows = pushed([], ['aggregate'], { aggregations: { n: 99 } })
  expect(ask({ aggregate: { n: { count: true } } }, rows)).toEqual({ aggregations: { n: 99 } })
})

test.each([
  ['a page before the text', { query: 'x' }, pushed([], ['filter', 'sort', 'page']), /'text'/],
  ['a page before the filter', { filter: { id: 'a' } }, pushed([], ['text', 'sort', 'page']), /'filter'/],
  ['a page before the sort', {}, pushed([], ['page']), /'sort'/],
  ['a page before the aggregates', { aggregate: { n: { count: true } } }, pushed([], ['sort', 'page']), /'aggregate'/],
  [
    'aggregates before the filter',
    { filter: { id: 'a' }, aggregate: { n: { count: true } } },
    pushed([], ['aggregate']),
    /'filter'/,
  ],
  ['no list', {}, { rows: [] } as unknown as PushedRows, /returns a list/],
])('COLL-06 a handler that answers with %s has a bug', (_, params, rows, reason) => {
  expect(() => ask(params, rows)).toThrow(reason)
})

const row = fc.record(
  {
    title: fc.constantFrom('a', 'b', 'B', 'ä', '', 'x'.repeat(5000), `${'x'.repeat(5000)}y`),
    count: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(null)),
    done: fc.boolean(),
    made_at: fc.constantFrom('2026-02-04T10:00:00Z', '2026-02-04T11:00:00+01:00', '2026-02-05', 'never', null),
    big: fc.constantFrom('1', '-1', '900719925474099312', null),
  },
  { requiredKeys: [] },
)
const rows = fc
  .array(row, { maxLength: 150 })
  .map((all) => all.map((each, i) => ({ ...each, id: `k${(i * 7) % 150}` })))
const sort = fc.record({
  field: fc.constantFrom('id', 'title', 'count', 'done', 'made_at', 'big', '_computed.double'),
  order: fc.constantFrom('asc', 'desc'),
})

test('PAGE-07 walking forward and backward yields each item once, in one order', () => {
  fc.assert(
    fc.property(rows, sort, fc.integer({ min: 1, max: 40 }), (items, by, size) => {
      const forward = walk(items, by, size, 'first', 'after')
      const backward = walk(items, by, size, 'last', 'before')
      expect(forward).toEqual(backward)
      expect(forward.toSorted()).toEqual(items.map(({ id }) => id).toSorted())
      expect(walk(items.toReversed(), by, size, 'first', 'after')).toEqual(forward)
    }),
    { numRuns: 150 },
  )
})

function walk(
  items: readonly Item[],
  by: object,
  size: number,
  count: 'first' | 'last',
  from: 'after' | 'before',
): unknown[] {
  const isForward = count === 'first'
  const seen: unknown[] = []
  let cursor: string | undefined
  for (let pages = 0; pages <= items.length; pages++) {
    const { items: page, pageInfo } = ask({ sort: by, [count]: size, ...(cursor && { [from]: cursor }) }, items)
    const found = page.map(({ id }) => id)
    if (isForward) seen.push(...found)
    else seen.unshift(...found)
    const hasMore = isForward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage
    expect(isForward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(cursor !== undefined && items.length > 0)
    if (!hasMore) return seen
    cursor = isForward ? pageInfo.endCursor : pageInfo.startCursor
    expect(cursor.length).toBeLessThan(2500)
  }
  throw new Error('the walk does not end')
}

test('PAGE-07 a page of 100,000 items, filtered and sorted, takes little time', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => ({
    id: `k${i}`,
    title: `Task ${(i * 7919) % 100_000}`,
    state: i % 3 === 0 ? 'closed' : 'open',
    count: (i * 104_729) % 1000,
    made_at: new Date(1_700_000_000_000 + ((i * 15_485_863) % 1_000_000_007)).toISOString(),
  }))
  const params = {
    filter: { state: 'open', count: { gte: 100 } },
    sort: { field: 'made_at', order: 'desc' },
    first: 20,
  }
  const times = Array.from({ length: 7 }, () => {
    const start = process.cpuUsage()
    expect(ask(params, many).items).toHaveLength(20)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  expect(Math.min(...times)).toBeLessThan(250)
})
