import { expect, test } from 'vitest'
import { decide } from '../approve.ts'
import { createMemoryStore, createRuntime, defineAdapter, defineOperation } from '../support.ts'

/**
 * TOK-04, R-08: an approval is for exactly what was shown. Every value at every place of a call is changed in every way
 * that applies to it, each in a session of its own with an approval of its own.
 */
const GIVEN = {
  title: 'caf\u00e9 a1',
  size: 100,
  ratio: 0.1,
  urgent: true,
  tags: ['ab', 'ba', 'cd'],
  how: {
    word: 'scope',
    wide: 1,
    yes: false,
    none: null,
    list: [1, '1', [2, 3], { deep: 'x' }],
    empty: {},
    bare: [],
    _meta: { _confirmation: 'y', confirmation_token: 'z' },
    _request_id: 'r',
  },
} as const

type Path = readonly (string | number)[]
type Mutation = (value: unknown) => readonly unknown[]

/** What can be done to one value. Nothing here yields a value that is the same JSON value. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'another value': (value) => {
    if (typeof value === 'string')
      return [`${value}x`, value.slice(1), swapCase(value)].filter((other) => other !== value)
    if (typeof value === 'number') return [value + 1, -value, value / 2]
    return typeof value === 'boolean' ? [!value] : []
  },
  'another type': (value) => {
    if (typeof value === 'string') return [null, [value], { 0: value }]
    if (typeof value === 'number' || typeof value === 'boolean') return [String(value), [value], null]
    if (value === null) return ['null', 0, false, '', {}]
    if (Array.isArray(value)) return [{ ...value }, null, JSON.stringify(value)]
    return [Object.entries(value as object), null, JSON.stringify(value)]
  },
  'the order of items': (value) => {
    if (!Array.isArray(value) || value.length < 2) return []
    const [first, second, ...rest] = value
    return [[second, first, ...rest], value.toReversed()]
  },
  'an item more or less': (value) => {
    if (!Array.isArray(value)) return []
    return [[...value, 'more'], [...value, null], ...(value.length > 0 ? [value.slice(1), value.slice(0, -1)] : [])]
  },
  'a key more or less': (value) => {
    if (!isPlain(value)) return []
    const less = Object.keys(value).map((name) => without(value, name))
    return [{ ...value, more: 1 }, { ...value, _more: 1 }, { ...value, toString: null }, ...less]
  },
  'a look-alike': (value) =>
    typeof value === 'string' && /[aceox]/.test(value)
      ? [value.replace(/[aceox]/, (letter) => ALIKE[letter] ?? '')]
      : [],
  'another normal form': (value) =>
    typeof value === 'string' && value !== value.normalize('NFD') ? [value.normalize('NFD')] : [],
  'something invisible': (value) =>
    typeof value === 'string' ? [`${value}\u200b`, `\u202e${value}`, `${value} `, `${value}\u00ad`] : [],
  'the next number': (value) =>
    typeof value === 'number' ? [value + Math.max(Number.EPSILON, value * Number.EPSILON), value - 2 ** -40] : [],
}

const ALIKE: Readonly<Record<string, string>> = { a: '\u0430', c: '\u0441', e: '\u0435', o: '\u043e', x: '\u0445' }

let runs = 0
const adapter = defineAdapter({
  name: 'things',
  description: 'Things.',
  operations: [
    defineOperation({
      name: 'delete_thing',
      category: 'DELETE',
      description: 'Delete a thing.',
      params: {
        title: { type: 'string' },
        size: { type: 'number' },
        ratio: { type: 'number' },
        urgent: { type: 'boolean' },
        tags: { type: 'string[]' },
        how: { type: 'object' },
        speed: { type: 'string', default: 'slow' },
      },
      returns: 'object',
      handler: () => {
        runs++
        return { deleted: true }
      },
    }),
  ],
})
const runtime = await createRuntime(adapter, {
  store: createMemoryStore(),
  clock: { now: () => 1_790_000_000_000 },
  mode: 'single',
  tokenCapacity: 1_000_000,
})
const tool = runtime.tools[0]?.name ?? ''

/** Asks about one call and has it approved; what comes back sends another with its token. */
async function approve(given: object): Promise<(sent: object) => Promise<string>> {
  const session = runtime.openSession('agent')
  const send = async (params: object) => {
    const { result } = await runtime.call({ tool, arguments: { operation: 'delete_thing', params }, session })
    return result as { success: boolean; error?: { code: string; details?: Record<string, unknown> } }
  }
  const { details } = (await send(given)).error ?? {}
  expect(await decide(runtime, details?.approval_id)).toMatchObject({ kind: 'decided' })
  return async (sent) =>
    (await send({ ...sent, confirmation_token: details?.confirmation_token })).error?.code ?? 'done'
}

test.each(Object.keys(MUTATIONS))('TOK-04 R-08 after the approval: %s, at every place', async (name) => {
  const mutate = MUTATIONS[name] as Mutation
  const before = runs
  const seen: Record<string, number> = {}
  for (const path of pathsIn(GIVEN)) {
    for (const value of mutate(at(GIVEN, path))) {
      const sent = withAt(GIVEN, path, value) as object
      const outcome = await (await approve(GIVEN))(sent)
      seen[outcome] = (seen[outcome] ?? 0) + 1
      // What the definition itself refuses never gets as far as the token; it does not run either.
      const expected = isDeclared(path, value) ? /^TOKEN_SCOPE_MISMATCH$/ : /^(?:TOKEN_SCOPE_MISMATCH|VALIDATION_\w+)$/
      expect(outcome, `${path.join('.')} = ${JSON.stringify(value)}`).toMatch(expected)
    }
  }
  expect(runs).toBe(before)
  expect(seen.TOKEN_SCOPE_MISMATCH).toBeGreaterThan(0)
})

test('TOK-04 a parameter added at the top that has a default, and one left out', async () => {
  const before = runs
  expect(await (await approve(GIVEN))({ ...GIVEN, speed: 'fast' })).toBe('TOKEN_SCOPE_MISMATCH')
  for (const name of Object.keys(GIVEN))
    expect(await (await approve(GIVEN))(without(GIVEN, name)), name).toBe('TOKEN_SCOPE_MISMATCH')
  expect(runs).toBe(before)
})

test('TOK-04 RFC 8785 the order of keys alone, at every depth, and the spelling of numbers: still the same call', async () => {
  const before = runs
  expect(await (await approve(GIVEN))(turned(GIVEN) as object)).toBe('done')
  const respelt = JSON.parse(JSON.stringify(GIVEN).replace('"size":100', '"size":1.00e2').replace('0.1', '0.10'))
  expect(await (await approve(GIVEN))(respelt)).toBe('done')
  expect(await (await approve(GIVEN))({ ...GIVEN, speed: 'slow' })).toBe('done') // its default
  expect(runs).toBe(before + 3)
})

test('TOK-08 TOK-13 a refused swap does not spend the approval', async () => {
  const before = runs
  const send = await approve(GIVEN)
  expect(await send({ ...GIVEN, size: 101 })).toBe('TOKEN_SCOPE_MISMATCH')
  expect(await send(GIVEN)).toBe('done')
  expect(await send(GIVEN)).toBe('TOKEN_ALREADY_USED')
  expect(runs).toBe(before + 1)
})

/** Inside `how` everything goes; beside it, a value of the declared type. */
function isDeclared(path: Path, value: unknown): boolean {
  const [name, ...rest] = path
  if (name === 'how') return rest.length > 0 || isPlain(value)
  if (path.length === 0) return false
  const place = rest.length > 0 ? (GIVEN.tags[0] as unknown) : at(GIVEN, path)
  return Array.isArray(place)
    ? Array.isArray(value) && value.every((item) => typeof item === 'string')
    : typeof value === typeof place
}

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))].filter(
    (each) => each.length > 0,
  )
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value)
}

function withAt(value: unknown, [name, ...rest]: Path, put: unknown): unknown {
  if (name === undefined) return put
  const inner = withAt((value as Record<string, unknown>)[name], rest, put)
  if (Array.isArray(value)) return value.with(Number(name), inner)
  return { ...(value as object), [name]: inner }
}

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (!isPlain(value)) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([name, inner]) => [name, turned(inner)]))
}

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
}

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
