import {
  ALIKE,
  ALIKE_SIGNS,
  BLANKS,
  NAMED_RANGES,
  NAMES,
  OWN_MARKS,
  RIGHT_TO_LEFT,
  SCRIPTS,
  TYPOGRAPHY,
} from './display-tables.ts'

/** `U+202E`, the way Unicode writes it. */
export function codeOf(letter: string): string {
  return `U+${pointOf(letter).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The name of a character that cannot be seen for what it is; undefined for all others. */
export function hiddenName(letter: string): string | undefined {
  if (isPrintableAscii(letter)) return undefined
  const point = pointOf(letter)
  const blank = BLANKS.get(point)
  if (blank !== undefined) return blank
  if (!HIDDEN.test(letter)) return undefined
  return NAMES.get(point) ?? rangeName(point)
}

/** The name of a character that only `display()` itself may write plainly. */
export function ownMarkName(letter: string): string | undefined {
  return OWN_MARKS.get(pointOf(letter))
}

/** What a sign or a number passes for whatever stands beside it; undefined when it is what it looks like. */
export function standInName(letter: string): string | undefined {
  if (isPrintableAscii(letter) || !is(STAND_IN, pointOf(letter))) return undefined
  const sign = SIGNS.get(letter)
  if (sign !== undefined) return `looks like ${sign}`
  if (/\p{Nd}/u.test(letter)) return 'a digit of another script'
  if (CONJOINING.test(letter)) return 'part of a Korean syllable'
  const folded = letter.normalize('NFKC')
  return `another form of ${isPrintableAscii(folded) ? folded : [...folded].map(codeOf).join(' ')}`
}

export interface Alike {
  readonly script: string
  readonly like: string
  readonly inProse: boolean
}

export function alikeOf(point: number): Alike | undefined {
  return ALIKE_LETTERS.get(point)
}

/** True for letters of a script that has letters in the table: beside ASCII, none of them is above suspicion. */
export function isOfAlikeScript(script: string | undefined): boolean {
  return script !== undefined && ALIKE_SCRIPTS.has(script)
}

/** The script of a letter; undefined for what all scripts share. */
export function scriptOf(point: number): string | undefined {
  if (isAscii(point)) return isAsciiLetter(point) ? 'Latin' : undefined
  const known = scripts[point]
  if (known) return SCRIPT_NAMES[known]
  scripts[point] = scriptNumber(String.fromCodePoint(point))
  return SCRIPT_NAMES[scripts[point] ?? 0]
}

export function isRightToLeft(point: number): boolean {
  return point >= 0x590 && is(FROM_RIGHT, point)
}

/** Letters, digits, marks and the underscore: what makes up one word. Whatever is hidden ends it. */
export function isWordPart(point: number): boolean {
  return is(WORD_PART, point)
}

export function isMark(point: number): boolean {
  return point >= 0x300 && is(COMBINING, point)
}

/** Marks that attach to any letter of any script and pile up at will. */
export function isSharedMark(letter: string): boolean {
  return SHARED.test(letter)
}

export function isPrintableAscii(letter: string): boolean {
  return letter.length === 1 && letter >= ' ' && letter <= '~'
}

export function isAscii(point: number): boolean {
  return point < 0x80
}

function isAsciiLetter(point: number): boolean {
  const lower = point | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** What a character is, worked out when it is first met: a long text in one script would ask the same again and again. */
const KNOWN = 1
const WORD_PART = 2
const COMBINING = 4
const FROM_RIGHT = 8
const STAND_IN = 16
const kinds = new Uint8Array(0x11_0000)
const scripts = new Uint8Array(0x11_0000)

function is(kind: number, point: number): boolean {
  const known = kinds[point]
  if (known) return (known & kind) !== 0
  kinds[point] = kindsOf(point)
  return is(kind, point)
}

function kindsOf(point: number): number {
  const letter = String.fromCodePoint(point)
  return (
    KNOWN |
    (WORD.test(letter) && hiddenName(letter) === undefined ? WORD_PART : 0) |
    (MARK.test(letter) ? COMBINING : 0) |
    (RIGHT_TO_LEFT.some(([first, last]) => point >= first && point <= last) ? FROM_RIGHT : 0) |
    (isStandIn(letter) ? STAND_IN : 0)
  )
}

function isStandIn(letter: string): boolean {
  if (isPrintableAscii(letter)) return false
  if (SIGNS.has(letter) || /\p{Nd}/u.test(letter) || CONJOINING.test(letter)) return true
  return !TYPOGRAPHY.has(letter) && letter.normalize('NFKC') !== letter
}

function scriptNumber(letter: string): number {
  if (SHARED.test(letter)) return NO_SCRIPT
  const at = SCRIPT_TESTS.findIndex((test) => test.test(letter))
  return at < 0 ? OTHER_SCRIPT : FIRST_SCRIPT + at
}

/** Zero is what has not been worked out yet. */
const NO_SCRIPT = 1
const OTHER_SCRIPT = 2
const FIRST_SCRIPT = 3
const SCRIPT_NAMES: readonly (string | undefined)[] = [undefined, undefined, 'Other', ...SCRIPTS]

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/u
const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u
const WORD = /[\p{L}\p{M}\p{N}_]/u
const MARK = /\p{M}/u
const CONJOINING = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/

const SIGNS: ReadonlyMap<string, string> = new Map(
  ALIKE_SIGNS.flatMap(([signs, like]) => [...signs].map((sign) => [sign, like] as const)),
)

const ALIKE_LETTERS: ReadonlyMap<number, Alike> = new Map(
  ALIKE.flatMap(({ script, letters, like, inProse }) => {
    const looks = [...like]
    return [...letters].map((letter, at) => [pointOf(letter), { script, inProse, like: looks[at] ?? '' }] as const)
  }),
)

/** Latin is the alphabet of ASCII itself: only the letters of the table are marked. */
const ALIKE_SCRIPTS: ReadonlySet<string> = new Set(
  ALIKE.filter(({ script, inProse }) => inProse && script !== 'Latin').map(({ script }) => script),
)

const SCRIPT_TESTS = SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))

function rangeName(point: number): string {
  if ((point & 0xfffe) === 0xfffe) return 'NONCHARACTER'
  const range = NAMED_RANGES.find(([first, last]) => point >= first && point <= last)
  if (!range) return OTHER_NAMES.find(([test]) => test.test(String.fromCodePoint(point)))?.[1] ?? 'INVISIBLE'
  const [first, , name] = range
  return name === 'TAG' && point >= 0xe0020 && point < 0xe007f ? `TAG ${String.fromCodePoint(point - first)}` : name
}

const OTHER_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\p{Cn}/u, 'UNASSIGNED'],
  [/\p{Zs}/u, 'SPACE'],
  [/\p{Cf}/u, 'FORMAT CONTROL'],
]

function pointOf(letter: string): number {
  return letter.codePointAt(0) ?? 0
}
