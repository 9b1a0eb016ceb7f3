import { call, type Kind } from './kinds.ts'
import { PARAMS } from './lab.mjs'
import { anything, largeValue, letters, list, map, type Pick, times } from './shapes.ts'

const OPERATIONS = ['get_thing', 'create_thing', 'delete_thing', 'execute_thing'] as const

/** What a row takes beyond what its type tells. */
const EXACT: Readonly<Record<string, (room: number, pick: Pick) => unknown>> = {
  patterned: (room) => 'abc-'.repeat(room / 4),
  base64: (room) => 'aaaa'.repeat(room / 4),
  choices: (room) => list(room, () => 'b'),
  shape: (room, pick) => ({ a: letters(room - 50, pick), b: { c: 1 } }),
  tree: (_, pick) => expression(pick),
  only: (_, pick) => expression(pick),
  maze: (_, pick) => expression(pick),
  followed: (_, pick) => expression(pick),
  codes: (room) => list(room, () => LAST_CODE),
  matched: (room, pick) => rows(room, pick, () => LAST_CODE),
  address: (room, pick) =>
    pick.of(['http://a.com/', 'http://', 'http://a.com ']) + pick.of(['::', 'a.b@', 'a-', '1.', '/@']).repeat(room / 5),
  addresses: (room, pick) => list(room, () => `http://a.com/${pick.of(['::', '%41', 'a'])}`.repeat(2)),
  table: (room, pick) => ({
    ['k'.repeat(room / 2)]: list(room / 2, pick.of<() => unknown>([() => 1, () => 'a', () => true])),
  }),
  wide: (room, pick) => rows(room, pick, pick.of([() => 199, () => 'a'])),
  chosen: (room, pick) =>
    list(
      pick.of([room, room / 20]),
      pick.of<(at: number) => unknown>([
        () => ({ code: LAST_CODE, pin: 'p' }),
        () => ({ code: 'x19', text: 'a' }),
        () => ({ code: 'x19', text: 'a', pin: 'p' }),
      ]),
    ),
}

const LAST_CODE = `C${(8_999).toString(36)}`

/** Deeper than alternatives in alternatives could be followed one by one. */
function expression(pick: Pick): unknown {
  const leaf = pick.of<unknown>([{ field: 'a' }, { field: 1 }])
  return times(pick.int(12, 24), () => pick.of(['floor', 'not'])).reduce((arg, op) => ({ arg, op }), leaf)
}

function rows(room: number, pick: Pick, make: (at: number) => unknown): unknown {
  const count = pick.of([1, 15, 100])
  return times(count, () => list(room / count - 10, make))
}

const SHORT = 'it takes a short text'
const REFUSED: Readonly<Record<string, string>> = {
  short: SHORT,
  date: SHORT,
  mail: SHORT,
  followed: 'it would have to be followed through all alternatives',
}

/** A parameter of each type, filled with what it accepts and with what it does not. */
const DECLARED: readonly Kind[] = Object.entries(PARAMS).map(([name, row]) => ({
  name: `a parameter of type ${row.type}, ${name}`,
  ...(REFUSED[name] !== undefined && { refused: REFUSED[name] }),
  make: (room: number, pick: Pick) => {
    const fill = EXACT[name] ?? ((left: number) => largeValue(row, left, pick))
    return call(pick.of(OPERATIONS), { [name]: pick.of([fill, anything])(room - 200, pick) })
  },
}))

/** For each field that can be filtered by, values that it takes. */
const VALUES = {
  id: (at: number) => `i${at}`,
  group: (at: number) => `g${at}`,
  text: (at: number) => `row ${at}`,
  size: (at: number) => at,
  tags: (at: number) => `t${at}`,
} as const

const items = (params: unknown) => call('list_items', params)

/** What the query room does with five thousand rows of its own. */
const QUERIES: readonly Kind[] = [
  {
    name: 'a list filtered by large lists',
    make: (room) => {
      const each = room / Object.keys(VALUES).length - 50
      const lists = Object.entries(VALUES).map(([field, value]) => [field, { in: list<unknown>(each, value) }])
      return items({ filter: Object.fromEntries(lists), first: 100 })
    },
  },
  {
    name: 'a list filtered by many conditions',
    make: (room, pick) => {
      const text = letters(pick.of([10, room / 5]), pick)
      const conditions = { contains: text, starts_with: text, ne: text, in: list(room / 5, (at) => `row ${at}`) }
      return items({ filter: { text: pick.of<unknown>([conditions, { ne: text, exists: true }]), size: { gte: 0 } } })
    },
  },
  {
    name: 'a list filtered in ways that there are not',
    refused: 'the query language has neither',
    make: (room, pick) => {
      const wide = list(room - 100, (at) => ({ text: { contains: `q${at}` } }))
      const deep = (left: number): unknown => (left === 0 ? { size: 1 } : { or: [deep(left - 1), { size: left }] })
      const pattern = pick.of(['(?:a?){900}b', '(a*)*'.repeat(room / 8), times(room / 8, (at) => `w${at}`).join('|')])
      return items({
        filter: pick.of<unknown>([{ or: wide }, { and: wide }, deep(13), { text: { matches: pattern } }]),
      })
    },
  },
  {
    name: 'a list searched for long words',
    make: (room, pick) =>
      items({
        query: pick.of([
          times(30, (at) => `${'x'.repeat(room / 32)}${at}`).join(' '),
          times(30, (at) => `w${at}`).join(' '),
          `"${letters(room / 2, pick)}"`,
          times(30, (at) => `"${' '.repeat(room / 40)}${at}"`).join(' '),
        ]),
      }),
  },
  {
    name: 'a list sorted, grouped and summed up',
    make: (room, pick) => {
      const expression = () => ({ count: true, group_by: pick.of(['group', 'text', 'size']), sum: 'size', max: 'size' })
      const labels = times(20, (at) => [letters(pick.of([1, room / 30]), pick) + at, expression()])
      return items({
        sort: { field: pick.of(['id', 'group', 'text', 'size', 'at', '_computed.double']), order: 'desc' },
        ...(pick.of([true, false]) && { aggregate: Object.fromEntries(labels) }),
      })
    },
  },
  {
    name: 'a list of chosen fields',
    make: (room, pick) =>
      items({
        first: 100,
        fields: pick.of<unknown>([
          list(room, (at) => `field_${at}`),
          list(room, () => '_computed.double'),
          list(room, (at) => `inner.${'a.'.repeat(10)}a${at}`),
          list(room, () => 'inner.name'),
        ]),
      }),
  },
  {
    name: 'a list that has to fit',
    make: (_, pick) => items({ first: 100, max_tokens: pick.int(1, 3_000), fields: 'full' }),
  },
  {
    name: 'lists that refer to each other',
    make: (room, pick) => ({
      operations: [
        items({ first: 100, fields: 'full' }),
        ...times(49, (at) =>
          call('get_thing', { list: times(pick.int(1, room / 1_000), () => ({ $ref: `${pick.int(0, at)}.data` })) }),
        ),
      ],
    }),
  },
  {
    name: 'an update of every field',
    make: (room, pick) =>
      call('update_item', {
        id: 'i1',
        input: pick.of<unknown>([
          { open: map(room - 200, (at) => `k${at}`, pick.of<unknown>([null, 1, {}])) },
          { tags: list(room - 200, (at) => `t${at}`) },
          { open: { a: anything(room - 300, pick) } },
          map(room - 200, (at) => `tex${at}`),
          { secret: letters(room - 200, pick) },
        ]),
      }),
  },
]

export const LAB_KINDS: readonly Kind[] = [...DECLARED, ...QUERIES]
