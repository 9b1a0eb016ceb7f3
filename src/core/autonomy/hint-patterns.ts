import { matchesGlob } from '../registry/glob.ts'
import { asciiOf, isAscii } from './risk/confusables.ts'

/** AUTO-09, AUTO-10: globs over hints. Every function is linear in the hint, whatever the pattern. */

/** A hint as patterns see it: NFKC and case folded; without invisible characters and spare white space; as ASCII. */
export interface ReadHint {
  readonly texts: readonly HintText[]
  /** One action, all of it visible: only such a hint can be approved by a pattern. */
  readonly isPlain: boolean
}

interface HintText {
  readonly text: string
  /** Where words and commands begin. */
  readonly starts: readonly number[]
}

export function readHint(hint: string): ReadHint {
  const folded = foldCase(hint)
  const visible = PRINTABLE.test(folded) ? folded : folded.replace(INVISIBLE, '')
  const tidy = visible.replace(/\s+/g, ' ').trim()
  return {
    texts: [...new Set([folded, tidy, foldCase(asciiOf(tidy))])].map((text) => ({ text, starts: wordStarts(text) })),
    isPlain: !SEPARATOR.test(hint) && !SEPARATOR.test(folded) && visible === folded,
  }
}

/** The first pattern that matches at the start of the hint or of any word in it; it need not reach the end. */
export function findInside(patterns: readonly string[], { texts }: ReadHint): string | undefined {
  return patterns.find((pattern) => texts.some((text) => matchesInside(foldCase(pattern), text)))
}

/** The first pattern that matches the whole hint, if the hint is one plain action. */
export function findWhole(patterns: readonly string[], { texts: [whole], isPlain }: ReadHint): string | undefined {
  return isPlain ? patterns.find((pattern) => matchesGlob(foldCase(pattern), whole?.text ?? '')) : undefined
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

/**
 * The pieces between the stars have to occur in their order, the first at the start of a word. Taking each as early as
 * possible leaves the most room for the next, so nothing is ever tried twice.
 */
function matchesInside(pattern: string, { text, starts }: HintText): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const start = starts.find((at) => hasPiece(first, text, at))
  let at = start === undefined ? -1 : start + first.length
  for (const piece of rest) if (at >= 0) at = endOf(piece, text, at)
  return at >= 0
}

/** Where the first occurrence at or behind `from` ends, or -1. */
function endOf(piece: string, text: string, from: number): number {
  if (!piece.includes('?')) {
    const found = text.indexOf(piece, from)
    return found < 0 ? -1 : found + piece.length
  }
  for (let start = from; start + piece.length <= text.length; start++) {
    if (hasPiece(piece, text, start)) return start + piece.length
  }
  return -1
}

function hasPiece(piece: string, text: string, start: number): boolean {
  if (start + piece.length > text.length) return false
  for (let i = 0; i < piece.length; i++) {
    const wanted = piece.charCodeAt(i)
    if (wanted !== QUESTION_MARK && wanted !== text.charCodeAt(start + i)) return false
  }
  return true
}

/** Behind everything that is no letter, digit or underscore something new may begin. */
function wordStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = 1; at < text.length; at++) if (!isWord(text, at - 1)) starts.push(at)
  return starts
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? ASCII_WORD[code] === true : WORD.test(text[at] ?? '')
}

const QUESTION_MARK = 63
const ASCII_WORD = Array.from({ length: 128 }, (_, code) => /\w/.test(String.fromCharCode(code)))

const WORD = /[\p{L}\p{N}_]/u
