import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide, demandOf, withToken } from '../../approve.ts'
import { openWorld } from '../../notes.ts'
import { openGateWorld } from './gate-world.ts'

/** TOK-04, GATE-09: what a human approved is what runs. Whatever differs afterwards is another call. */

/** Larger integers are refused before the gate (DATA-02). */
const NUMBER = fc.double({ noNaN: true, min: -1e15, max: 1e15 })

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    NUMBER,
    fc.integer({ min: -5, max: 5 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(
      fc.string({ minLength: 1, maxLength: 4 }).map((key) => `_${key}`),
      tie('any'),
      { maxKeys: 3 },
    ),
  ),
})).any

const how = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 5 }).filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
  value,
  { maxKeys: 4, noNullPrototype: true },
)
const params = fc.record(
  {
    thing: fc.string({ minLength: 1, maxLength: 8 }),
    count: NUMBER,
    how,
    speed: fc.string({ maxLength: 4 }),
  },
  { requiredKeys: ['thing'], noNullPrototype: true },
)

const world = await openGateWorld({ tokenCapacity: 1_000_000, dangerLevels: { create_thing: 'destructive' } })

/** Each run is a session of its own, so that no limit of one reaches the next. */
async function approve(given: object): Promise<(sent: object) => Promise<string>> {
  const session = world.runtime.openSession('tester')
  const args = { operation: 'create_thing', params: given }
  const { approval_id, confirmation_token } = await world.demand(args, { session })
  await decide(world.runtime, approval_id)
  return (sent) =>
    world.outcome(withToken({ operation: 'create_thing', params: sent }, confirmation_token), { session })
}

test('TOK-04 TOK-08 any change of any parameter after the approval is a scope mismatch', async () => {
  await fc.assert(
    fc.asyncProperty(params, params, async (given, sent) => {
      fc.pre(canonical(given) !== canonical(sent))
      const before = world.ran.length
      expect(await (await approve(given))(sent)).toBe('TOKEN_SCOPE_MISMATCH')
      expect(world.ran.length).toBe(before)
    }),
    { numRuns: 60 },
  )
})

test('TOK-04 one more, one less, or one other parameter', async () => {
  await fc.assert(
    fc.asyncProperty(params, fc.constantFrom('thing', 'count', 'how', 'speed'), value, async (given, name, other) => {
      const changed = {
        ...given,
        [name]: name === 'how' ? { other } : name === 'count' ? 7.25 : `${JSON.stringify(other)}?`,
      }
      fc.pre(canonical(given) !== canonical(changed))
      expect(await (await approve(given))(changed)).toBe('TOKEN_SCOPE_MISMATCH')
    }),
    { numRuns: 60 },
  )
})

test('TOK-04 RFC 8785 the order of keys alone changes nothing, and the handler gets what was approved', async () => {
  await fc.assert(
    fc.asyncProperty(params, async (given) => {
      expect(await (await approve(given))(reversed(given) as object)).toBe('done')
      expect(canonical(world.ran.at(-1)?.[1] as object)).toBe(canonical(given))
    }),
    { numRuns: 60 },
  )
})

// biome-ignore format: one row a case
test.each([
  ['a nested underscore key', { how: { _meta: 1 } }, { how: { _meta: 2 } }],
  ['a nested token field', { how: { confirmation_token: 'a' } }, { how: { confirmation_token: 'b' } }],
  ['a key that is null instead of absent', { how: {} }, { how: { a: null } }],
  ['1 and "1"', { how: { a: 1 } }, { how: { a: '1' } }],
  ['true and "true"', { how: { a: true } }, { how: { a: 'true' } }],
  ['an array and its only item', { how: { a: ['x'] } }, { how: { a: 'x' } }],
  ['an array and an object', { how: { a: ['x'] } }, { how: { a: { 0: 'x' } } }],
  ['the order of an array', { how: { a: [1, 2] } }, { how: { a: [2, 1] } }],
  ['composed and decomposed', { thing: '\u00e9' }, { thing: 'e\u0301' }],
  ['a look-alike', { thing: 'a' }, { thing: '\u0430' }],
  ['an invisible character', { thing: 'a' }, { thing: 'a\u200b' }],
  ['a trailing space', { thing: 'a' }, { thing: 'a ' }],
  ['case', { thing: 'a' }, { thing: 'A' }],
  ['the last bit of a number', { count: 0.1 }, { count: 0.1 + 2 ** -56 }],
  ['two large integers', { count: 2 ** 53 - 1 }, { count: 2 ** 53 - 2 }],
  ['a default and another value', {}, { speed: 'fast' }],
  ['a key of the prototype', { how: {} }, { how: { toString: 'x' } }],
])('TOK-04 differ: %s', async (_, given, sent) => {
  expect(await (await approve({ thing: 'a', ...given }))({ thing: 'a', ...sent })).toBe('TOKEN_SCOPE_MISMATCH')
})

// biome-ignore format: one row a case
test.each([
  ['-0 and 0 (RFC 8785 writes both as 0)', { count: 0 }, { count: -0 }],
  ['1 and 1.0, 100 and 1e2', { count: 100 }, { count: 1e2 }],
  ['a default and its own value', {}, { speed: 'slow' }],
  ['an underscore key at the top, which no handler sees', {}, { _request_id: 'r', _meta: { a: 1 } }],
])('TOK-04 are the same: %s', async (_, given, sent) => {
  expect(await (await approve({ thing: 'a', ...given }))({ thing: 'a', ...sent })).toBe('done')
})

test('TOK-04 GATE-09 where -0 was sent the handler gets the 0 that was hashed, at every depth', async () => {
  const negative = { thing: 'a', count: -0, how: { a: -0, b: [1, -0], c: { d: -0 }, e: 'x' } }
  expect(await (await approve({ thing: 'a', count: 0, how: { a: 0, b: [1, 0], c: { d: 0 }, e: 'x' } }))(negative)).toBe(
    'done',
  )
  expect(world.ran.at(-1)?.[1]).toMatchObject({ count: 0, how: { a: 0, b: [1, 0], c: { d: 0 }, e: 'x' } })
  expect(negative.how.b).toEqual([1, -0])
})

test('TOK-04 DATA-06 what JSON would write as null is not what was approved as null', async () => {
  const approved = await approve({ thing: 'a', how: { a: null } })
  expect(await approved({ thing: 'a', how: JSON.parse('{"a":1e400}') })).toBe('VALIDATION_INVALID_VALUE')
})

/** What reaches the back-end of a collection is bound too, not only what the definition declares. */
// biome-ignore format: one row a case
test.each([
  ['a filter', 'list_notes', { filter: { title: 'A' } }, { filter: { title: 'B' } }],
  ['a dropped filter', 'list_notes', { filter: { title: 'A' } }, {}],
  ['another operator', 'list_notes', { filter: { size: { gt: 1 } } }, { filter: { size: { lt: 1 } } }],
  ['the size of a page', 'list_notes', { first: 1 }, { first: 2 }],
  ['an order', 'list_notes', { sort: { field: 'title' } }, { sort: { field: 'title', order: 'desc' } }],
  ['a selection', 'list_notes', { fields: ['id'] }, { fields: ['id', 'title'] }],
  ['an aggregation', 'list_notes', { aggregate: { n: { count: true } } }, { aggregate: { n: { count: true, group_by: 'color' } } }],
  ['the changes of an update', 'update_note', { note_id: 'n1', input: { title: 'A' } }, { note_id: 'n1', input: { title: 'B' } }],
  ['a field more', 'update_note', { note_id: 'n1', input: { title: 'A' } }, { note_id: 'n1', input: { title: 'A', size: 2 } }],
  ['a version', 'update_note', { note_id: 'n1', input: {}, if_match: 1 }, { note_id: 'n1', input: {}, if_match: 2 }],
  ['no version', 'update_note', { note_id: 'n1', input: {}, if_match: 1 }, { note_id: 'n1', input: {} }],
  ['a sensitive value', 'create_note', { title: 'A', secret_word: 'x' }, { title: 'A', secret_word: 'y' }],
])('TOK-04 of an operation with parameters that it did not declare: %s', async (_, operation, given, sent) => {
  const notes = await openWorld({ policies: [{ operation: '*', permission: 'confirm' }] })
  const demand = demandOf(await notes.call({ operation, params: given }))
  expect(await decide(notes.runtime, demand?.approval_id)).toMatchObject({ kind: 'decided' })
  const redeem = async (params: object) => (await notes.call(withToken({ operation, params }, demand?.confirmation_token))).error?.code
  expect(await redeem(sent)).toBe('TOKEN_SCOPE_MISMATCH')
  expect(await redeem(given)).not.toBe('TOKEN_SCOPE_MISMATCH')
})

/** Written here once more, so that a fault of the product's own does not hide itself. */
function canonical(given: object): string {
  return JSON.stringify(sorted({ speed: 'slow', ...given }))
}

function sorted(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(sorted)
  if (typeof given !== 'object' || given === null) return given
  const entries = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, inner]) => [name, sorted(inner)]).concat([['', 'object']])
}

function reversed(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(reversed)
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(
    Object.entries(given)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  )
}
