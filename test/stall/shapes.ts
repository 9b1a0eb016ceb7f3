import { ENDS, HEADS, REPEATED } from '../safety/repeated-texts.ts'

/** Chooses among the shapes that the search tries. */
export interface Pick {
  of<T>(choices: readonly T[]): T
  int(least: number, most: number): number
}

/** Letters that are dear to look at, or that take much room once they are written out: of every script, and of none. */
export const ALPHABETS = [
  'a',
  'aB',
  'aB1',
  'fooBarBaz ',
  'Привет мир ',
  'ПриветМир',
  'שלום עולם ',
  'العربية ',
  'हिन्दी ',
  'ภาษาไทย',
  '\u1100\u1161\u11a8',
  '\u202e\u2066a',
  'pаypаl ',
  'a\u0301\u0302\u0303',
  '\u0315\u0300\u05ae\u0301',
  '\u200d\u0301',
  'ﷺ',
  'ﬀİ',
  '漢字',
  '😀😃',
  '👨‍👩‍👧‍👦',
  '\u{e0041}\u{e0042}',
  '\u{1d400}',
  '\\"',
  '\u0000\u0001',
  'a.b.',
  '...',
  "don't ",
  '"a" ',
  '1a',
  '1,000.5 ',
  'rm -rf / ; ',
  "$(echo '",
  '{"a":[',
  '{a,{b,',
  'http://аррlе.com/ ',
  'http://....a/ ',
  '../',
  '_',
  '-',
] as const

export function letters(bytes: number, pick: Pick): string {
  const alphabet = pick.of(ALPHABETS)
  const each = Buffer.byteLength(JSON.stringify(alphabet)) - 2
  return alphabet.repeat(Math.max(1, Math.floor(bytes / each)))
}

/** One of the texts that searches stop at, as often as there is room for. */
export function repeated(bytes: number, pick: Pick): string {
  const text = pick.of(REPEATED)
  const each = Buffer.byteLength(JSON.stringify(text)) - 2
  return text.repeat(Math.max(1, Math.floor(bytes / each)))
}

/** Short, and endless for a search that tries every way to read it. */
export function ambiguous(pick: Pick): string {
  return pick.of(HEADS) + pick.of(REPEATED).repeat(60) + pick.of(ENDS)
}

export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: Math.max(0, Math.floor(count)) }, (_, at) => make(at))
}

/** As many as a list may have. */
const MOST_ELEMENTS = 9_999

export function list<T>(room: number, make: (at: number) => T): T[] {
  const each = JSON.stringify(make(MOST_ELEMENTS)).length + 1
  return times(Math.min(MOST_ELEMENTS, room / each), make)
}

/** An object of as many keys as there is room for. */
export function map(room: number, name: (at: number) => string, value: unknown = 1): Record<string, unknown> {
  const each = name(99_999).length + JSON.stringify(value).length + 4
  return Object.fromEntries(times(room / each, (at) => [name(at), value]))
}

/** Names that are compared with what is declared, that collide, that look like a secret, that are not plain. */
const NAMES: readonly ((at: number) => string)[] = [
  (at) => `k${at}`,
  (at) => `titl${at}`,
  (at) => `keyName${at}`,
  (at) => `_k${at}`,
  (at) => `$$masked${at}`,
  (at) => `password${at}`,
  (at) => `Bearer abcdefgh12345${at}`,
  (at) => `ключ${at}`,
  (at) => `\u202e${at}`,
  (at) => String(at),
]

/** Something large of any type: many keys, many elements, many levels, long texts, and many of each in each other. */
export function anything(room: number, pick: Pick): unknown {
  const name = pick.of(NAMES)
  const tiny = pick.of([0, '', 'a', [], {}, null, true, -0, 1.5, [[]], { a: 1 }])
  return pick.of<() => unknown>([
    () => map(room, name, tiny),
    () => times(8, () => map(room / 8 - 10, name, tiny)),
    () => list(room, () => tiny),
    () => times(100, () => list(room / 100 - 10, () => tiny)),
    () => times(9_000, () => list(room / 9_000 - 4, () => tiny)),
    () => list(room, (at) => `item ${at}`),
    () => list(room, () => nested(pick.int(4, 24), pick)),
    () => nested(28, pick, map(room - 300, name, tiny)),
    () => letters(room - 300, pick),
    () => list(room, (at) => at),
    () => list(room, () => letters(90, pick)),
  ])()
}

export function nested(depth: number, pick: Pick, inner: unknown = 1): unknown {
  if (depth === 0) return inner
  return pick.of([true, false]) ? [nested(depth - 1, pick, inner)] : { a: nested(depth - 1, pick, inner) }
}

/** A large value that a row accepts, as far as its type tells. */
export function largeValue(row: { readonly type: string }, room: number, pick: Pick): unknown {
  const { type } = row
  if (type === 'integer[][]') return times(100, () => list(room / 100 - 10, (at) => at))
  if (type.endsWith('object[]')) return list(room, (at) => ({ a: `a${at}`, b: at }))
  if (type.endsWith('string[]')) return list(room, pick.of([(at: number) => `label${at}`, () => 'bug', () => 'a']))
  if (type.endsWith('[]')) return list(room, pick.of([(at: number) => at, () => 0, () => -0]))
  return type.startsWith('string') ? letters(room, pick) : anything(room, pick)
}
