import {
  alikeOf,
  hiddenName,
  isAscii,
  isMark,
  isOfAlikeScript,
  isPrintableAscii,
  isRightToLeft,
  isSharedMark,
  isWordPart,
  ownMarkName,
  scriptOf,
  standInName,
} from './display-character.ts'
import type { Sheet } from './display-sheet.ts'

/** A text, or a part of one: what stands before and behind the part is looked at, but not written. */
export interface Part {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Judges a text word by word and sign by sign. */
export function writeText(part: Part, sheet: Sheet): void {
  if (!isPlainLine(part)) {
    writeLetters(part, sheet)
    return
  }
  const plain = part.text.slice(part.from, part.to)
  sheet.plain(plain)
  if (/[a-z]/i.test(plain)) sheet.script('Latin')
}

/**
 * The place at or shortly before `to` where a text can be cut in two, and each part is written as it is in the whole:
 * not within a character, and not within a letter and its marks, unless these are marked one by one anyway.
 */
export function cutBefore(text: string, to: number): number {
  let at = to > 0 && pointAt(text, to - 1) > 0xffff ? to - 1 : to
  const earliest = at - 2 * (ORDINARY_MARKS + 2)
  while (at > 0 && at > earliest && isMark(pointAt(text, at)) && !followsMarks(text, at)) at = before(text, at)
  return at
}

/** Two of a script's own marks are writing; more are noise. */
const ORDINARY_MARKS = 2

function followsMarks(text: string, end: number): boolean {
  let at = end
  for (let count = 0; count <= ORDINARY_MARKS; count++) {
    if (at === 0) return false
    at = before(text, at)
    if (!isMark(pointAt(text, at))) return false
  }
  return true
}

/** Most texts are, and need no second look. */
function isPlainLine({ text, from, to }: Part): boolean {
  const part = text.slice(from, to)
  return /^[\x20-\x7e]*$/.test(part) && !/^ | $| {2}/.test(part)
}

function writeLetters({ text, from, to }: Part, sheet: Sheet): void {
  let at = from
  while (at < to) {
    const end = wordEnd(text, at, to)
    if (end === at) {
      writeSign(text, at, sheet)
      at = after(text, at)
      continue
    }
    const word = { text, from: at, to: end }
    writeScripts(word, sheet)
    writeWord(word, isSuspectPart(word), sheet)
    at = end
  }
}

function writeSign(text: string, at: number, sheet: Sheet): void {
  const letter = letterAt(text, at)
  if (letter === '\n') sheet.mark('↵', 'LINE FEED')
  else if (letter === '\t') sheet.mark('⇥', 'TAB')
  else if (letter === ' ' && !isBetweenVisible(text, at)) sheet.mark('␠', 'SPACE')
  else if (isPrintableAscii(letter)) sheet.plain(letter)
  else writeForeignSign(letter, sheet)
}

function writeForeignSign(letter: string, sheet: Sheet): void {
  const hidden = hiddenName(letter)
  const own = ownMarkName(letter)
  const standIn = standInName(letter)
  if (hidden !== undefined) sheet.escape(letter, hidden, 'hidden')
  else if (own !== undefined) sheet.escape(letter, own)
  else if (standIn !== undefined) sheet.alike(letter, standIn)
  else writePlain(letter, sheet)
}

function writePlain(letter: string, sheet: Sheet): void {
  sheet.plain(letter)
  if (isRightToLeft(pointAt(letter, 0))) sheet.mark(...RIGHT_TO_LEFT_END)
}

/** Spaces at an edge or in a row cannot be counted by eye. */
function isBetweenVisible(text: string, at: number): boolean {
  return at > 0 && at + 1 < text.length && !isBlank(text.charAt(at - 1)) && !isBlank(text.charAt(at + 1))
}

function isBlank(letter: string): boolean {
  return letter === ' ' || letter === '\t' || letter === '\n'
}

function wordEnd(text: string, start: number, to: number): number {
  let end = start
  while (end < to && isWordPart(pointAt(text, end))) end = after(text, end)
  return end
}

/** Whether a word deceives depends on all of its letters, also on those outside of the part that is written. */
function isSuspectPart(part: Part): boolean {
  const { text, from, to } = part
  if (longWord && longWord.word.text === text && longWord.word.from <= from && to <= longWord.word.to)
    return longWord.isSuspect
  const word = wholeWord(part)
  const isSuspect = isSuspectWord(word)
  if (word.to - word.from > to - from) longWord = { word, isSuspect }
  return isSuspect
}

/** The last word that was longer than a part: the next part is likely to be of the same one. */
let longWord: { readonly word: Part; readonly isSuspect: boolean } | undefined

function wholeWord({ text, from, to }: Part): Part {
  let start = from
  while (start > 0) {
    const earlier = before(text, start)
    if (!isWordPart(pointAt(text, earlier))) break
    start = earlier
  }
  return { text, from: start, to: wordEnd(text, to, text.length) }
}

function writeScripts({ text, from, to }: Part, sheet: Sheet): void {
  let last: string | undefined
  for (let at = from; at < to; at = after(text, at)) {
    const script = scriptOf(pointAt(text, at))
    if (script !== last) sheet.script(script)
    last = script
  }
}

function writeWord({ text, from, to }: Part, isSuspect: boolean, sheet: Sheet): void {
  let plainFrom = from
  let isRunRightToLeft = false
  const endRun = () => {
    if (isRunRightToLeft) sheet.mark(...RIGHT_TO_LEFT_END)
    isRunRightToLeft = false
  }
  const writePlainUpTo = (end: number) => {
    if (end > plainFrom) sheet.plain(text.slice(plainFrom, end))
  }
  for (let at = from; at < to; ) {
    const point = pointAt(text, at)
    const marksFrom = after(text, at)
    const end = marksEnd(text, marksFrom, to)
    const name = isMark(point) ? 'COMBINING' : letterName(point, isSuspect)
    const isPlain = name === undefined && marksAreOrdinary(text, at, marksFrom, end)
    if (isPlain) {
      isRunRightToLeft ||= isRightToLeft(point)
      at = end
      continue
    }
    writePlainUpTo(name === undefined ? marksFrom : at)
    if (name === undefined && isRightToLeft(point)) isRunRightToLeft = true
    endRun()
    if (name !== undefined && isMark(point)) sheet.escape(letterAt(text, at), name, 'alike')
    else if (name !== undefined) sheet.alike(letterAt(text, at), name)
    for (const mark of text.slice(marksFrom, end)) sheet.escape(mark, 'COMBINING', 'alike')
    plainFrom = end
    at = end
  }
  writePlainUpTo(to)
  endRun()
}

/** What keeps the screen from weaving what follows into a run of right-to-left letters: these letters are not. */
const RIGHT_TO_LEFT_END = ['⟨right-to-left⟩', 'END OF RIGHT-TO-LEFT TEXT'] as const

/** Why a letter must be marked here; undefined when it may stand as it is. */
function letterName(point: number, isSuspect: boolean): string | undefined {
  if (isAscii(point)) return undefined
  const standIn = standInName(String.fromCodePoint(point))
  if (standIn !== undefined) return standIn
  const alike = alikeOf(point)
  if (alike && (isSuspect || !alike.inProse)) return `${alike.script}, looks like ${alike.like}`
  const script = isSuspect ? scriptOf(point) : undefined
  return isOfAlikeScript(script) ? script : undefined
}

/**
 * A word of one alphabet with a letter of its own cannot be mistaken for ASCII, so prose stays readable. A word that
 * mixes alphabets can, and so can one in which every letter looks like another's.
 */
function isSuspectWord({ text, from, to }: Part): boolean {
  let hasAscii = false
  let hasForeign = false
  let hasOwnLetter = false
  let isMixed = false
  let script: string | undefined
  for (let at = from; at < to; at = after(text, at)) {
    const point = pointAt(text, at)
    const next = scriptOf(point)
    if (next !== undefined && next !== script) {
      isMixed ||= script !== undefined
      script = next
    }
    if (isAscii(point)) hasAscii ||= point !== UNDERSCORE
    else if (isOfAlikeScript(next)) {
      hasForeign = true
      hasOwnLetter ||= alikeOf(point) === undefined
    }
  }
  return hasForeign && (hasAscii || isMixed || !hasOwnLetter)
}

const UNDERSCORE = 0x5f

/** Two of a script's own marks are writing; more are noise, and one that composes makes an equal out of two texts. */
function marksAreOrdinary(text: string, from: number, marksFrom: number, to: number): boolean {
  if (to === marksFrom) return true
  if (to - marksFrom > 2 * ORDINARY_MARKS) return false
  const marks = [...text.slice(marksFrom, to)]
  if (marks.length > ORDINARY_MARKS || marks.some(isSharedMark)) return false
  const cluster = text.slice(from, to)
  return cluster.normalize('NFC') === cluster
}

function marksEnd(text: string, from: number, to: number): number {
  let end = from
  while (end < to && isMark(pointAt(text, end))) end = after(text, end)
  return end
}

function pointAt(text: string, at: number): number {
  return text.codePointAt(at) ?? 0
}

function letterAt(text: string, at: number): string {
  return text.slice(at, after(text, at))
}

function after(text: string, at: number): number {
  return at + (pointAt(text, at) > 0xffff ? 2 : 1)
}

function before(text: string, at: number): number {
  const isPair = at > 1 && isLowSurrogate(text.charCodeAt(at - 1)) && pointAt(text, at - 2) > 0xffff
  return at - (isPair ? 2 : 1)
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
