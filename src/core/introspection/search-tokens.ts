import { fold, stem } from './search-text.ts'
import { OBJECT_WORDS, PHRASAL_VERBS, type PhrasalVerb, SEPARABLE_VERBS } from './search-vocabulary.ts'

/** A question's length beyond which nothing is read. */
export const LONGEST_TEXT = 2_000

/** A longer piece without blanks is somebody's data. */
const LONGEST_TOKEN = 200

/** Words that a quotation may have before its end mark is given up. */
const LONGEST_QUOTATION = 40

/** Words that may stand between a separable verb and its particle. */
const WIDEST_GAP = 4

/** What stands between two blanks, without the marks around it. */
export interface Token {
  readonly text: string
  readonly lower: string
  /** What ends with this token. */
  readonly ends: 'sentence' | 'clause' | 'nothing'
  /** The number of the quotation it stands in. */
  readonly quotation?: number
}

/** A question taken apart at its blanks, with phrasal verbs put as plain ones. */
export function tokensOf(text: string): readonly Token[] {
  const pieces = fold(text.slice(0, LONGEST_TEXT)).slice(0, LONGEST_TEXT).split(/\s+/).filter(Boolean).map(pieceOf)
  return withPlainVerbs(markQuotations(pieces))
}

export function isTooLong(token: Token): boolean {
  return token.text.length > LONGEST_TOKEN
}

interface Piece extends Token {
  readonly opens: string
  readonly closes: string
}

function pieceOf(raw: string): Piece {
  if (raw.length > LONGEST_TOKEN) return { text: raw, lower: '', ends: 'nothing', opens: '', closes: '' }
  const before = /^[^\p{L}\p{N}]*/u.exec(raw)?.[0] ?? ''
  const rest = raw.slice(before.length)
  const after = /[^\p{L}\p{N}]*$/u.exec(rest)?.[0] ?? ''
  const text = rest.slice(0, rest.length - after.length)
  return {
    text,
    lower: text.toLowerCase(),
    ends: /[.!?]/.test(after) ? 'sentence' : /[,:;]/.test(after) ? 'clause' : 'nothing',
    opens: /["'`]/.exec(before)?.[0] ?? '',
    closes: after,
  }
}

function markQuotations(pieces: readonly Piece[]): Token[] {
  const tokens: Token[] = []
  let quotation = 0
  for (let at = 0; at < pieces.length; ) {
    const last = endOfQuotation(pieces, at)
    if (last >= at) quotation++
    for (const stop = Math.max(last, at); at <= stop; at++) {
      const { text, lower, ends } = pieces[at] ?? NO_PIECE
      tokens.push(last < 0 ? { text, lower, ends } : { text, lower, ends, quotation })
    }
  }
  return tokens
}

const NO_PIECE: Piece = { text: '', lower: '', ends: 'nothing', opens: '', closes: '' }

/** Where the quotation that begins here ends, or -1. */
function endOfQuotation(pieces: readonly Piece[], from: number): number {
  const mark = pieces[from]?.opens ?? ''
  if (mark === '') return -1
  for (let at = from; at < Math.min(pieces.length, from + LONGEST_QUOTATION); at++) {
    if (pieces[at]?.closes.includes(mark)) return at
  }
  return -1
}

const BY_VERB = groupByVerb(PHRASAL_VERBS)
const SEPARABLE_BY_VERB = groupByVerb(SEPARABLE_VERBS)

function withPlainVerbs(tokens: readonly Token[]): readonly Token[] {
  const plain: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? NO_PIECE
    const found = token.quotation === undefined ? phraseAt(tokens, at) : undefined
    if (found === undefined) {
      plain.push(token)
      continue
    }
    const { meaning, from, to } = found
    const ends = tokens[to]?.ends ?? 'nothing'
    const between = tokens.slice(at + 1, from)
    const verbs = meaning.map((word) => ({ text: word, lower: word, ends: 'nothing' as const }))
    const replaced: Token[] = [...verbs, ...between]
    const last = replaced.pop() ?? NO_PIECE
    plain.push(...replaced, { ...last, ends })
    at = to
  }
  return plain
}

interface Phrase {
  readonly meaning: readonly string[]
  /** The first and the last particle. */
  readonly from: number
  readonly to: number
}

function phraseAt(tokens: readonly Token[], at: number): Phrase | undefined {
  const verb = tokens[at]
  if (verb === undefined || verb.ends !== 'nothing') return undefined
  const root = stem(verb.lower)
  for (const { particles, meaning } of BY_VERB.get(root) ?? []) {
    const from = OBJECT_WORDS.has(tokens[at + 1]?.lower ?? '') ? [at + 1, at + 2] : [at + 1]
    for (const start of from) {
      if (standAt(tokens, start, particles)) return { meaning, from: start, to: start + particles.length - 1 }
    }
  }
  for (const { particles, meaning } of SEPARABLE_BY_VERB.get(root) ?? []) {
    for (let start = at + 2; start <= at + 1 + WIDEST_GAP && tokens[start - 1]?.ends === 'nothing'; start++) {
      if (standAt(tokens, start, particles)) return { meaning, from: start, to: start + particles.length - 1 }
    }
  }
  return undefined
}

function standAt(tokens: readonly Token[], start: number, words: readonly string[]): boolean {
  return words.every((word, offset) => {
    const token = tokens[start + offset]
    return token?.lower === word && token.quotation === undefined
  })
}

function groupByVerb(phrases: readonly PhrasalVerb[]): ReadonlyMap<string, readonly PhrasalVerb[]> {
  const grouped = new Map<string, PhrasalVerb[]>()
  for (const phrase of phrases) {
    const root = stem(phrase.verb)
    grouped.set(root, [...(grouped.get(root) ?? []), phrase])
  }
  return grouped
}
