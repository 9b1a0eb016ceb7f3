import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerQuery } from '../../src/core/query/answer-query.ts'
import { compileCollection } from '../../src/core/query/compile-collection.ts'
import { createCursorCodec } from '../../src/core/query/cursor.ts'
import { parseQuery } from '../../src/core/query/parse-query.ts'
import { isFailure } from '../../src/protocol/result.ts'
import { type Database, openDatabase } from './backend/database.ts'
import { createIssue, issueOf, SELECT_ISSUE, updateIssue } from './backend/issues.ts'
import { prepare } from './backend/schema.ts'
import { createUser } from './backend/users.ts'
import { queryIssues } from './pushdown.ts'
import { Issue, TYPES } from './types.ts'
import { PRIORITIES, STATES } from './vocabulary.ts'

const NOW = Date.parse('2026-11-16T10:00:00Z')
const types = new Map(TYPES.map((type) => [type.name, type]))
const settings = { maxPageSize: 100, types }
const list = compileCollection({ of: 'Issue', order: { field: 'updated_at', order: 'desc' } }, Issue, {
  ...settings,
  operationName: 'list_issues',
})
const cursors = createCursorCodec(Buffer.alloc(32, 7))

let db: Database
let all: readonly Readonly<Record<string, unknown>>[]

beforeAll(() => {
  db = openDatabase(':memory:')
  prepare(db)
  createUser(db, { handle: 'zoe', name: 'Zoë', role: 'guest' }, NOW)
  const odd = { project: 'LAB', reporter: 'zoe', assignee: null }
  createIssue(db, { ...odd, title: 'İSTANBUL % _ \\ ß', body: 'O\'Brien \u{1f600} "x"', external_id: '-0' }, NOW)
  createIssue(db, { ...odd, title: "'; DROP TABLE issues; --", due_date: '0001-01-01', estimate_hours: 0 }, NOW)
  createIssue(
    db,
    { ...odd, title: 'STRASSE', due_date: '9999-12-31', estimate_hours: 0.25, labels: ['bug', 'bug'] },
    NOW,
  )
  updateIssue(db, 'iss_1', { input: { state: 'closed', external_id: '12345678901234567890' }, now: NOW }, 'ada')
  all = db.all(`${SELECT_ISSUE} ORDER BY i.rowid DESC`).map(issueOf)
})
afterAll(() => db.close())

function answers(params: Readonly<Record<string, unknown>>) {
  const parsed = parseQuery(list, params, cursors)
  if (isFailure(parsed)) throw new Error(JSON.stringify(parsed))
  const rows = queryIssues(db, parsed.query)
  const answer = (given: Parameters<typeof answerQuery>[2]) => answerQuery(list, parsed.query, given, cursors, NOW).data
  return { done: [...rows.done], inSql: answer(rows), inMemory: answer(all) }
}

const ATTACKS = [
  "' OR 1=1 --",
  '"; DROP TABLE issues; --',
  "1'); DELETE FROM issues; --",
  '%',
  '_',
  '\\',
  '?',
  '$1',
  ':a',
  '\u0000',
  'iss_1',
]

const word = fc.constantFrom('bug', 'design', 'nothing', ...ATTACKS)
const textual = (values: readonly string[]) => {
  const value = fc.constantFrom(...values, ...ATTACKS)
  return fc.oneof(
    value,
    fc.constant(null),
    fc.array(fc.option(value), { maxLength: 4 }),
    fc.record({ ne: fc.option(value) }),
    fc.record({ exists: fc.boolean() }),
    fc.record({ contains: fc.oneof(value, fc.constantFrom('', 'A', 'RA', '_1', 'K')) }),
    fc.record({ starts_with: fc.oneof(value, fc.constantFrom('', 'G', 'ISS_', 'we')) }),
  )
}
const chosen = (values: readonly string[]) => {
  const value = fc.constantFrom(...values)
  return fc.oneof(value, fc.array(fc.option(value), { maxLength: 3 }), fc.record({ ne: fc.option(value) }))
}
const ordered = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    value,
    fc.constant(null),
    fc.array(fc.option(value), { maxLength: 3 }),
    fc.record({ ne: fc.option(value) }),
    fc.record({ exists: fc.boolean() }),
    fc.record({ gt: value }),
    fc.record({ gte: value, lt: value }),
    fc.record({ lte: value }),
  )
const labels = fc.oneof(
  word,
  fc.constant(null),
  fc.array(fc.option(word), { maxLength: 3 }),
  fc.record({ ne: fc.option(word) }),
  fc.record({ exists: fc.boolean() }),
  fc.record({ contains: word }),
)
const date = fc.constantFrom(
  '2026-12-01',
  '2026-11-20',
  '0001-01-01',
  '9999-12-31',
  '2026-12-01T00:00:00Z',
  '2026-12-01T05:30:00+05:30',
)
const moment = fc.constantFrom(
  '2026-03-01',
  '2026-11-16',
  '2026-11-16T10:00:00Z',
  '2026-11-16T11:00:00+01:00',
  '9999-12-31T23:59:59-12:00',
)
const big = fc.constantFrom('0', '-0', '007', '9007199254740993', '18446744073709551615', '12345678901234567890')
const FILTERS = {
  id: textual(['iss_1', 'iss_30']),
  ref: textual(['WEB-1', 'LAB-3']),
  project: textual(['WEB', 'LAB']),
  state: chosen(STATES),
  priority: chosen(PRIORITIES),
  assignee: textual(['ada', 'grace']),
  reporter: textual(['zoe', 'ada']),
  labels,
  estimate_hours: ordered(fc.constantFrom(0, 0.25, 2, 4, 1000)),
  due_date: ordered(date),
  external_id: ordered(big),
  comment_count: ordered(fc.integer({ min: 0, max: 4 })),
  created_at: ordered(moment),
  closed_at: ordered(moment),
  '_computed.age_days': ordered(fc.integer({ min: 0, max: 300 })),
}

const filterOf = (most: number) =>
  fc
    .uniqueArray(fc.constantFrom(...(Object.keys(FILTERS) as (keyof typeof FILTERS)[])), { maxLength: most })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, FILTERS[key]]))))
const sort = fc.record(
  {
    field: fc.constantFrom(
      'estimate_hours',
      'due_date',
      'comment_count',
      'created_at',
      'updated_at',
      '_computed.age_days',
    ),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: ['field'] },
)
const numeric = fc.constantFrom('estimate_hours', 'comment_count')
const expression = fc.oneof(
  fc.constant({ count: true }),
  fc.record({ count: fc.constant(true), group_by: fc.constantFrom('project', 'state', 'priority', 'assignee') }),
  fc.record({ sum: numeric, avg: numeric, min: numeric, max: numeric }),
  fc.record({ sum: numeric, group_by: fc.constantFrom('assignee', 'state') }),
)
const query = fc.constantFrom(
  ...['bug', 'MÜSLI', '"checkout button" voucher', 'strasse', 'i̇stanbul', "o'brien", '"%"', '\u{1f600}'],
  ...ATTACKS,
)
const page = fc.oneof(
  fc.record({ first: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ last: fc.integer({ min: 1, max: 30 }) }),
)
test('COLL-06 pushed down and in memory, every query has the same answer', () => {
  const request = fc.record(
    {
      query,
      filter: filterOf(2),
      sort,
      aggregate: fc.dictionary(fc.constantFrom('total', "a'; --", '__x'), expression, { minKeys: 1, maxKeys: 2 }),
      include_items: fc.boolean(),
      fields: fc.constantFrom('full', 'minimal', ['id', '_computed.age_days']),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(request, page, (controls, size) => {
      const { inSql, inMemory } = answers({ ...controls, ...size })
      expect(inSql).toEqual(inMemory)
    }),
    { numRuns: 600, seed: 20260216 },
  )
  expect(db.one('SELECT count(*) AS n FROM issues')?.n).toBe(63)
})

test('PAGE-07 walking all pages, forward and backward, yields each item once in both', () => {
  fc.assert(
    fc.property(
      filterOf(1),
      fc.option(sort, { nil: undefined }),
      fc.integer({ min: 1, max: 25 }),
      fc.boolean(),
      (keep, by, size, isForward) => {
        const controls = { filter: keep, ...(by && { sort: by }), fields: 'full' }
        const seen: unknown[] = []
        let cursor: unknown
        for (let pages = 0; pages < 70; pages++) {
          const move = isForward
            ? { first: size, ...(cursor ? { after: cursor } : {}) }
            : { last: size, ...(cursor ? { before: cursor } : {}) }
          const { inSql, inMemory } = answers({ ...controls, ...move })
          expect(inSql).toEqual(inMemory)
          const { items, pageInfo } = inSql as { items: { id: string }[]; pageInfo: Record<string, unknown> }
          seen.push(...(isForward ? items : items.toReversed()).map(({ id }) => id))
          if (!(isForward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break
          cursor = isForward ? pageInfo.endCursor : pageInfo.startCursor
        }
        const whole = answers({ ...controls, first: 100 }).inMemory as { items: { id: string }[] }
        const ids = whole.items.map(({ id }) => id)
        expect(seen).toEqual(isForward ? ids : ids.toReversed())
      },
    ),
    { numRuns: 60, seed: 20260216 },
  )
})

test.each([
  [{ filter: { state: 'open' }, sort: { field: 'due_date' } }, ['text', 'filter', 'sort', 'page', 'aggregate']],
  [{ filter: { state: 'open', '_computed.age_days': 5 } }, ['text']],
  [{ filter: { external_id: { gt: '5' } } }, ['text']],
  [{ sort: { field: '_computed.age_days' } }, ['text', 'filter', 'aggregate']],
])('%o is pushed down as far as SQL can say it', (params, done) => {
  expect(answers(params).done).toEqual(done)
})

test('a condition that SQL can say narrows the rows even beside one that it cannot', () => {
  const parsed = parseQuery(list, { filter: { project: 'LAB', '_computed.age_days': 0 } }, cursors)
  if (isFailure(parsed)) throw new Error('refused')
  expect(
    queryIssues(db, parsed.query)
      .items.map(({ id }) => id)
      .sort(),
  ).toEqual(['iss_61', 'iss_62', 'iss_63'])
})

test('the default page is read from an index', () => {
  const plan = db.all('EXPLAIN QUERY PLAN SELECT id FROM issues AS i ORDER BY i.updated_at DESC, i.id ASC LIMIT 21')
  expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
})
