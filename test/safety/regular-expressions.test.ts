// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a template in a text that is read as a file
import { expect, test } from 'vitest'
import { expressionsIn, expressionsOf } from './expressions.ts'
import { type Limits, slowText } from './pump.ts'

/**
 * A search in linear time looks through this much in far less. One that takes the square of the length needs more, and
 * one that tries all combinations needs it for a few dozen letters.
 */
const ANY_TEXT: Limits = { longest: 8_000, ms: 8 }

interface Bounded {
  /** How the name of the file begins, and, where it matters, how the expression does. */
  readonly of: string
  readonly begins?: string
  readonly limits: Limits
  readonly because: string
}

/** A path or an address, once it is cut: the square of its length is little. */
const A_PATH: Limits = { longest: 4_096, ms: 100 }

/** Where the length of what is searched is known. The first row that fits counts. */
const BOUNDED: readonly Bounded[] = [
  { of: 'src/cli/', limits: { longest: 400, ms: 50 }, because: 'a person wrote it, or a program of this machine' },
  {
    of: 'src/conformance/',
    limits: { longest: 400, ms: 50 },
    because: 'it runs by itself, for the one who started it',
  },
  { of: 'src/core/autonomy/secret-places.ts', limits: A_PATH, because: 'a path, cut in place-names.ts' },
  { of: 'src/core/autonomy/web-address.ts', limits: A_PATH, because: 'an address, LONGEST_ADDRESS in weigh-call.ts' },
  { of: 'src/core/autonomy/', limits: { longest: 20_000, ms: 200 }, because: 'LONGEST_FORM in normalise.ts' },
  { of: 'src/core/introspection/find-operations.ts', limits: A_PATH, because: 'the path of an operation in a source' },
  {
    of: 'src/core/introspection/search-tokens.ts',
    limits: { longest: 400, ms: 50 },
    because: 'one token, LONGEST_TOKEN',
  },
  { of: 'src/core/registry/group-tools.ts', limits: { longest: 400, ms: 50 }, because: 'the name of a tool' },
]

const expressions = [...new Map(expressionsOf().map((each) => [`/${each.source}/${each.flags}`, each])).values()]

test('the expressions of the source are found, and those that are put together of parts', () => {
  expect(expressions.length).toBeGreaterThan(1_500)
  const parts = "const A = 'a+'\nconst B = new RegExp(`^(${A}b)*$`, 'i')\nconst c = (d: string) => RegExp(d + A)"
  expect(expressionsIn('x.ts', parts)).toEqual([
    { file: 'x.ts', line: 2, source: '^(a+b)*$', flags: 'i' },
    { file: 'x.ts', line: 3, source: 'Latina+', flags: '' },
  ])
})

test('no text makes an expression slow', { timeout: 300_000 }, () => {
  const slow = expressions.flatMap(({ file, line, source, flags }) => {
    const found = slowText(source, flags, limitsOf(file, source))
    return found ? [`${file}:${line} ${told(found.prefix)} + ${told(found.pump)}… + ${told(found.suffix)}`] : []
  })
  expect(slow).toEqual([])
})

test('every row about a bound is needed', () => {
  const used = new Set(expressions.map(({ file, source }) => rowOf(file, source)))
  expect(BOUNDED.filter((row) => !used.has(row))).toEqual([])
})

test.each([
  String.raw`^[A-Za-z_$]+(?:[._:/-]+[A-Za-z_$]+)+[?!]?$`,
  String.raw`^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Za-z_]+(?:[._][A-Za-z_]+)+|[A-Z]+)(?:\[\S*|[.:!?…]*)$`,
  String.raw`^((?:[\w ./@%+=:,-]+&&[ \t]*)*((?:git|gh|glab)(?:[ \t]+(?:[\w@%+=:,./-]+))*)[ \t]*<<)`,
  String.raw`^(secrets?|credentials?)([._-][\w-]+)*\.(ya?ml|json)$`,
  String.raw`^--(settings|config([-_]\w+)*|profile)$`,
  String.raw`^(a|aa)+$`,
  String.raw`^(?:a?){30}b`,
  String.raw`^(?:ab|abab)*c`,
  String.raw`\s+$`,
  String.raw`^-[a-z]*e[a-z]*$`,
  String.raw`(?:x|y)+\.z`,
  String.raw`\{.*\}.*\}`,
  String.raw`^(ab)*(ab)*$`,
])('a text that makes %s slow is found', (source) => {
  expect(slowText(source, '', ANY_TEXT)).toBeDefined()
})

function limitsOf(file: string, source: string): Limits {
  return rowOf(file, source)?.limits ?? ANY_TEXT
}

function rowOf(file: string, source: string): Bounded | undefined {
  return BOUNDED.find(({ of, begins = '' }) => file.startsWith(of) && source.startsWith(begins))
}

function told(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
