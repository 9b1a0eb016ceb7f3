import { asciiOf, isAscii } from './risk/confusables.ts'

/** AUTO-09, AUTO-10: globs over hints. The work is counted, so that no list and no hint can take long. */

/** A hint as patterns see it: NFKC and case folded; without invisible characters and spare white space; as ASCII. */
export interface ReadHint {
  readonly source: string
  readonly texts: readonly HintText[]
  /** One action, all of it visible: only such a hint can be approved by a pattern. */
  readonly isPlain: boolean
  /** What is left for comparing this hint with patterns; below zero nothing can be said about it. */
  readonly work: { left: number }
}

interface HintText {
  readonly text: string
  /** Where words and commands begin, and which of them begin with a character. */
  readonly starts: readonly number[]
  readonly byFirst: ReadonlyMap<number, readonly number[]>
}

/** Comparisons of two characters that one hint may cost, over all lists: some milliseconds. */
export const PATTERN_WORK = 3_000_000

/** What a try costs beside its comparisons. */
const ATTEMPT = 8

/** Some characters are many once their case is folded. */
const LONGEST_TEXT = 20_000

export function readHint(hint: string): ReadHint {
  const whole = foldCase(hint)
  const folded = whole.slice(0, LONGEST_TEXT)
  const visible = PRINTABLE.test(folded) ? folded : folded.replace(INVISIBLE, '')
  const tidy = visible.replace(/\s+/g, ' ').trim()
  return {
    source: hint,
    texts: [...new Set([folded, tidy, foldCase(asciiOf(tidy))])].map((text) => ({ text, ...wordStarts(text) })),
    isPlain: !SEPARATOR.test(hint) && !SEPARATOR.test(folded) && visible === folded,
    work: { left: whole.length > LONGEST_TEXT ? -1 : PATTERN_WORK },
  }
}

/** The first pattern that matches at the start of the hint or of any word in it; it need not reach the end. */
export function findInside(patterns: readonly string[], { texts, work }: ReadHint): string | undefined {
  const at = piecesOf(patterns).findIndex((pieces) => texts.some((text) => matchesInside(pieces, text, work)))
  return patterns[at]
}

/** True when the work did not suffice: what was not found may be there. */
export function isOverwhelmed({ work }: ReadHint): boolean {
  return work.left < 0
}

/** NFKC, then upper and lower: `ß` and `SS`, `ſ` and `s` meet in the same text. */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/** AUTO-10 and, beyond it, what redirects or runs beside. */
const SEPARATOR = /[;&|`<>\n\r\u2028\u2029]|\$\(/

const PRINTABLE = /^[ -~]*$/
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** What stands between the stars of each pattern, folded; lists are frozen and live long. */
function piecesOf(patterns: readonly string[]): readonly Pieces[] {
  const known = PIECES.get(patterns)
  if (known) return known
  const pieces = patterns.map((pattern) => foldCase(pattern).split('*'))
  PIECES.set(patterns, pieces)
  return pieces
}

type Pieces = readonly string[]
type Work = ReadHint['work']
const PIECES = new WeakMap<readonly string[], readonly Pieces[]>()

/**
 * The pieces have to occur in their order, the first at the start of a word. Taking each as early as possible leaves
 * the most room for the next, so nothing is ever tried twice.
 */
function matchesInside([first = '', ...rest]: Pieces, { text, starts, byFirst }: HintText, work: Work): boolean {
  const code = first.charCodeAt(0)
  const places = first === '' ? [0] : code === QUESTION_MARK ? starts : (byFirst.get(code) ?? [])
  const start = work.left < 0 ? undefined : places.find((at) => work.left < 0 || hasPiece(first, text, at, work))
  if (work.left < 0) return false
  let at = start === undefined ? -1 : start + first.length
  for (const piece of rest) if (at >= 0) at = endOf(piece, text, at, work)
  return at >= 0
}

/** True where the pattern, folded, matches all of the text. */
export function matchesWhole(pattern: string, text: string, work: Work): boolean {
  const pieces = pattern.split('*')
  const [first = ''] = pieces
  const last = pieces.at(-1) ?? ''
  if (pieces.length === 1) return text.length === first.length && hasPiece(first, text, 0, work)
  let at = hasPiece(first, text, 0, work) ? first.length : -1
  for (const piece of pieces.slice(1, -1)) if (at >= 0) at = endOf(piece, text, at, work)
  return at >= 0 && at + last.length <= text.length && hasPiece(last, text, text.length - last.length, work)
}

/** Where the first occurrence at or behind `from` ends, or -1. */
function endOf(piece: string, text: string, from: number, work: Work): number {
  let wild = 0
  while (piece.charCodeAt(wild) === QUESTION_MARK) wild++
  if (wild === piece.length) return from + wild <= text.length ? from + wild : -1
  const sure = piece[wild] ?? ''
  for (let at = from; work.left >= 0; at++) {
    const found = text.indexOf(sure, at + wild)
    if (found < 0) return -1
    work.left -= (found - wild - at) >> 4
    at = found - wild
    if (hasPiece(piece, text, at, work)) return at + piece.length
  }
  return -1
}

function hasPiece(piece: string, text: string, start: number, work: Work): boolean {
  if (start + piece.length > text.length || work.left < 0) return false
  for (let i = 0; i < piece.length; i++) {
    const wanted = piece.charCodeAt(i)
    if (wanted === QUESTION_MARK || wanted === text.charCodeAt(start + i)) continue
    work.left -= ATTEMPT + i
    return false
  }
  work.left -= ATTEMPT + piece.length
  return work.left >= 0
}

/** Behind everything that is no letter, digit or underscore something new may begin. */
function wordStarts(text: string): Pick<HintText, 'starts' | 'byFirst'> {
  const starts = [0]
  for (let at = 1; at < text.length; at++) if (!isWord(text, at - 1)) starts.push(at)
  const byFirst = new Map<number, number[]>()
  for (const at of starts) {
    const code = text.charCodeAt(at)
    const same = byFirst.get(code)
    if (same) same.push(at)
    else byFirst.set(code, [at])
  }
  return { starts, byFirst }
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? ASCII_WORD[code] === true : WORD.test(text[at] ?? '')
}

const QUESTION_MARK = 63
const ASCII_WORD = Array.from({ length: 128 }, (_, code) => /\w/.test(String.fromCharCode(code)))

const WORD = /[\p{L}\p{N}_]/u
