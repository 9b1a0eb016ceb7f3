import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { cpuTime } from '../cpu-time.ts'
import { createRandom, type Random } from '../fuzz/random.ts'

/** A text that an expression takes long to look through. */
export interface Attack {
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
  readonly length: number
  readonly ms: number
}

/**
 * A text that an expression takes longer to look through than it may: what stands before a repetition, then what the repetition takes, many times over,
 * then something that nothing expects. The text grows step by step, so that no expression takes long to be found out.
 */
export function slowText(source: string, flags: string, limits: Limits): Attack | undefined {
  const tree = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u') })
  const repeats = repeatsIn(tree)
  if (repeats.length === 0) return undefined
  const letters = lettersOf(tree, flags)
  const random = createRandom(7)
  const search = createSearch(source, flags)
  const until = performance.now() + MOST_MS
  for (const [prefix, pump] of distinct(attemptsOf(tree, repeats, letters, random)))
    for (const suffix of SUFFIXES) {
      const found = grow(search, { prefix, pump, suffix }, limits)
      if (found || performance.now() > until) return found
    }
  return undefined
}

export interface Limits {
  /** The longest text that is searched. */
  readonly longest: number
  /** How long the search may take. */
  readonly ms: number
}

/** One that is slow and may be takes this long at most; the others take a few milliseconds. */
const MOST_MS = 2_000

const SUFFIXES = ['\u0001', '', '!'] as const

type Search = (text: string) => number

/** As the expression is used: once, at one place, or for all that there is. */
function createSearch(source: string, flags: string): Search {
  const once = new RegExp(source, flags.replace(/[gy]/g, ''))
  const all = flags.includes('g') ? new RegExp(source, flags) : undefined
  const sticky = flags.includes('y') ? new RegExp(source, flags) : undefined
  return (text) => {
    const started = performance.now()
    if (sticky) {
      sticky.lastIndex = 0
      sticky.test(text)
    } else {
      if (all) text.replace(all, '')
      else once.test(text)
    }
    return performance.now() - started
  }
}

/**
 * A few more repetitions each time find what grows exponentially before it takes minutes; the longer texts are for what
 * grows with a power, and most expressions are so fast with the second longest that there is no need for the longest.
 */
function grow(search: Search, { prefix, pump, suffix }: Omit<Attack, 'length' | 'ms'>, { longest, ms }: Limits) {
  const room = longest - prefix.length - suffix.length
  const counts = [6, 9, 12, 15, 18, 21, 24, 27, 30, 40, 60, 120, 400, 2_000, longest].map((count, at) =>
    at < FIRST_LENGTH ? count : Math.floor(Math.min(count, room) / pump.length),
  )
  let last = 0
  for (const count of counts) {
    if (count <= last || count * pump.length > room) continue
    last = count
    const text = prefix + pump.repeat(count) + suffix
    const took = search(text)
    if (took > ms && leastOf(search, text) > ms) return { prefix, pump, suffix, length: text.length, ms: took }
    if (text.length >= LONG_ENOUGH && took < SO_FAST_MS) return undefined
  }
  return undefined
}

/** Where lengths follow upon numbers of repetitions. */
const FIRST_LENGTH = 11
const LONG_ENOUGH = 1_500
/** What takes the square of this length takes a million steps, and ten times as long. */
const SO_FAST_MS = 0.15

/** A busy machine makes some of the rounds slower. */
function leastOf(search: Search, text: string): number {
  return Math.min(...Array.from({ length: 4 }, () => cpuTime(() => search(text))))
}

interface Repeat {
  readonly node: AST.Quantifier
  /** What stands before it, from the outside to the inside. */
  readonly before: readonly AST.Element[]
}

function repeatsIn(tree: AST.Pattern): readonly Repeat[] {
  const found: Repeat[] = []
  const walk = (alternatives: readonly AST.Alternative[], before: readonly AST.Element[]): void => {
    for (const { elements } of alternatives)
      for (const [at, element] of elements.entries()) {
        const there = [...before, ...elements.slice(0, at)]
        if (element.type === 'Quantifier' && element.max > MANY) found.push({ node: element, before: there })
        const inner = element.type === 'Quantifier' ? element.element : element
        if ('alternatives' in inner) walk(inner.alternatives, there)
      }
  }
  walk(tree.alternatives, [])
  return found
}

const MANY = 20

function* attemptsOf(
  tree: AST.Pattern,
  repeats: readonly Repeat[],
  letters: readonly string[],
  random: Random,
): Generator<readonly [string, string]> {
  const prefixes = [...new Set(['', ...repeats.map(({ before }) => sampleOf(before, letters, random))])].slice(0, 4)
  for (const letter of letters) for (const prefix of prefixes) yield [prefix, letter]
  for (const { node, before } of repeats)
    for (let round = 0; round < ROUNDS; round++) {
      const prefix = sampleOf(before, letters, random)
      const once = sampleOf([node.element], letters, random)
      yield [prefix, once]
      yield [prefix, once + sampleOf([node.element], letters, random)]
      yield ['', prefix + once]
    }
  for (let round = 0; round < ROUNDS; round++)
    for (const { elements } of tree.alternatives)
      yield ['', sampleOf(elements.slice(0, 1 + random.below(elements.length)), letters, random)]
}

const ROUNDS = 3

function* distinct(attempts: Iterable<readonly [string, string]>): Generator<readonly [string, string]> {
  const seen = new Set<string>()
  for (const [prefix, pump] of attempts) {
    const key = JSON.stringify([prefix, pump])
    if (pump === '' || pump.length > 60 || seen.has(key)) continue
    seen.add(key)
    yield [prefix, pump]
  }
}

/** A text that these elements match, nearly always: nothing is done about lookarounds. */
function sampleOf(elements: readonly AST.Element[], letters: readonly string[], random: Random): string {
  return elements.map((element) => sample(element, letters, random)).join('')
}

function sample(element: AST.Element, letters: readonly string[], random: Random): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const fitting = lettersIn(element.raw, letters)
      return fitting.length === 0 ? 'a' : random.pick(fitting)
    }
    case 'Quantifier': {
      const most = Math.min(element.max, element.min + 2)
      const count = Math.min(40, element.min + random.below(most - element.min + 1))
      return Array.from({ length: count }, () => sample(element.element, letters, random)).join('')
    }
    case 'Group':
    case 'CapturingGroup':
      return sampleOf(random.pick(element.alternatives).elements, letters, random)
    default:
      return ''
  }
}

const LETTERS = [
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ...['\t', '\n', '\r', '\u0000', 'é', 'ж', '漢', '\u200b', '…', '：'],
]

/** One letter of each kind that the expression tells apart. */
function lettersOf(tree: AST.Pattern, flags: string): readonly string[] {
  const sets = [...new Set(setsIn(tree))].map((raw) => new RegExp(`^${raw}$`, flags.replace(/[gym]/g, '')))
  const kinds = new Map<string, string>()
  for (const letter of LETTERS) {
    const kind = sets.map((set) => (set.test(letter) ? 1 : 0)).join('')
    if (!kinds.has(kind)) kinds.set(kind, letter)
  }
  return [...kinds.values()]
}

function setsIn(tree: AST.Pattern): string[] {
  const found: string[] = []
  const walk = (elements: readonly AST.Element[]): void => {
    for (const element of elements) {
      const inner = element.type === 'Quantifier' ? element.element : element
      if (inner.type === 'Character' || inner.type === 'CharacterSet' || inner.type === 'CharacterClass')
        found.push(inner.raw)
      if ('alternatives' in inner) for (const each of inner.alternatives) walk(each.elements as AST.Element[])
    }
  }
  for (const { elements } of tree.alternatives) walk(elements)
  return found
}

function lettersIn(raw: string, letters: readonly string[]): readonly string[] {
  const set = new RegExp(`^${raw}$`, raw.includes('\\p') || raw.includes('\\u{') ? 'u' : '')
  return letters.filter((letter) => set.test(letter))
}
