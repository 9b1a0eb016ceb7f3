import { Buffer, isUtf8 } from 'node:buffer'
import { type Envelope, type Survey, shortened, surveyMessage } from './survey.ts'

export type { Envelope } from './survey.ts'

/** Spec §4.7.5. `maxBytes` is of the whole message, the rest of a tool call's `arguments`, whose root is level 1. */
export interface ByteLimits {
  readonly maxBytes: number
  readonly maxDepth: number
  readonly maxString: number
  readonly maxArray: number
}

export type ByteFault =
  | { readonly kind: 'encoding'; readonly byteOffset?: number; readonly location?: string }
  | {
      readonly kind: 'limit'
      readonly limit: 'request_size' | 'string_length' | 'array_elements' | 'nesting_depth'
      readonly limitValue: number
      readonly actualValue: number
    }
  | { readonly kind: 'syntax'; readonly reason: string; readonly byteOffset: number }
  | { readonly kind: 'duplicate_key'; readonly key: string; readonly byteOffset: number }

export type Scanned =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: ByteFault; readonly envelope: Envelope }

/**
 * Spec §4.7.1 and §4.7.5. From bytes to a JSON value, or to what is wrong with them.
 * A quick sweep clears nearly every message; only what it will not vouch for is surveyed with care.
 */
export function readMessage(bytes: Uint8Array, limits: ByteLimits): Scanned {
  const swept = bytes.length > limits.maxBytes ? CAREFUL : sweep(bytes, limits)
  if (swept === CAREFUL || (swept === WIDE && !isUtf8(bytes))) return readWithCare(bytes, limits)
  try {
    return { ok: true, value: JSON.parse(text(bytes, swept === WIDE ? 'utf8' : 'latin1')) }
  } catch {
    return readWithCare(bytes, limits)
  }
}

/** Spec §4.7.1 and §4.7.5, for a value that was never bytes: the same limits with `value` as level 1. */
export function scanValue(value: unknown, limits: ByteLimits): ByteFault | undefined {
  return weighValue(value, limits).fault
}

export interface Weighed {
  readonly fault?: ByteFault
  /** So many values or so much text that looking through it takes a while: others get a turn in between. */
  readonly isLarge: boolean
}

/** The same, and whether it is much. */
export function weighValue(value: unknown, limits: ByteLimits): Weighed {
  const budget: Budget = { left: limits.maxBytes, values: 0, limits }
  if (isClean(value, 1, budget)) return isMuch(budget) ? LARGE : SMALL
  const fault = findValueFault(value, limits)
  return fault ? { fault, isLarge: isMuch(budget) } : LARGE
}

const SMALL: Weighed = { isLarge: false }
const LARGE: Weighed = { isLarge: true }
const MANY_VALUES = 2_000
const MANY_BYTES = 65_536

function isMuch({ values, left, limits }: Budget): boolean {
  return values > MANY_VALUES || limits.maxBytes - left > MANY_BYTES
}

function findValueFault(value: unknown, limits: ByteLimits): ByteFault | undefined {
  const { maxBytes, maxDepth, maxString, maxArray } = limits

  const found: Findings = { size: 0, string: 0, array: 0, depth: 0, location: undefined, maxBytes, maxDepth }
  weigh(value, 1, '', found)
  if (found.location !== undefined) return { kind: 'encoding', ...place(found.location) }
  if (found.string > maxString) return crossed('string_length', maxString, found.string)
  if (found.array > maxArray) return crossed('array_elements', maxArray, found.array)
  if (found.depth > maxDepth) return crossed('nesting_depth', maxDepth, found.depth)
  if (found.size > maxBytes) return crossed('request_size', maxBytes, found.size)
  return undefined
}

/** How much deeper than a tool's arguments any message may nest: the protocol's own levels around them. */
const EXTRA_DEPTH = 8
/** `arguments` lies in `params`, which lies in the message. */
const LEVELS_ABOVE_ARGUMENTS = 2

function readWithCare(bytes: Uint8Array, limits: ByteLimits): Scanned {
  const survey = surveyMessage(bytes, limits.maxDepth + EXTRA_DEPTH)
  const fault = findFault(bytes, limits, survey)
  if (fault) return { ok: false, fault, envelope: survey.envelope }
  try {
    return { ok: true, value: JSON.parse(text(bytes, 'utf8')) }
  } catch {
    const fault: ByteFault = { kind: 'syntax', reason: 'not a JSON text', byteOffset: bytes.length }
    return { ok: false, fault, envelope: survey.envelope }
  }
}

/** Limits come before syntax, since a message over its size may have been cut off by whoever buffered it. */
function findFault(bytes: Uint8Array, limits: ByteLimits, survey: Survey): ByteFault | undefined {
  const oversized = bytes.length > limits.maxBytes
  if (!oversized && !isUtf8(bytes)) return { kind: 'encoding', byteOffset: firstBadByte(bytes) }

  const limit = findCrossedLimit(limits, survey)
  if (limit) return limit
  if (oversized) return crossed('request_size', limits.maxBytes, bytes.length)

  if (survey.syntax) return { kind: 'syntax', ...survey.syntax }
  if (survey.loneSurrogate) {
    const { byteOffset, location } = survey.loneSurrogate
    return { kind: 'encoding', byteOffset, ...place(location) }
  }
  if (survey.duplicate) return { kind: 'duplicate_key', ...survey.duplicate }
  return undefined
}

/** The most specific first. A message cut off before its method counts as the tool call that it seems to be. */
function findCrossedLimit(limits: ByteLimits, survey: Survey): ByteFault | undefined {
  const { maxString, maxArray, maxDepth } = limits
  const { inArguments: found, depth, envelope } = survey
  if (envelope.method === undefined || envelope.method === 'tools/call') {
    if (found.string > maxString) return crossed('string_length', maxString, found.string)
    if (found.array > maxArray) return crossed('array_elements', maxArray, found.array)
    if (found.depth > maxDepth) return crossed('nesting_depth', maxDepth, found.depth)
  }
  const most = maxDepth + EXTRA_DEPTH
  return depth > most ? crossed('nesting_depth', most, depth) : undefined
}

/** The root has no path. */
function place(location: string): { readonly location?: string } {
  return location === '' ? {} : { location }
}

function crossed(
  limit: (ByteFault & { kind: 'limit' })['limit'],
  limitValue: number,
  actualValue: number,
): ByteFault & { kind: 'limit' } {
  return { kind: 'limit', limit, limitValue, actualValue }
}

function text(bytes: Uint8Array, encoding: 'utf8' | 'latin1'): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.toString(encoding)
}

/** What the sweep says: all ASCII, some UTF-8 to be checked, or something that needs the survey. */
const PLAIN = 0
const WIDE = 1
const CAREFUL = 2

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const LOWER_U = 117

/** Beyond these the survey takes over, so that comparing keys stays cheap and the scratch arrays stay small. */
const MOST_LEVELS = 128
const MOST_KEYS = 48

/** Scratch for `sweep`, which is synchronous and leaves nothing behind in them that a later call would read. */
const KEY_HASHES = new Int32Array(MOST_LEVELS * MOST_KEYS)
const SAVED_FIRST = new Int32Array(MOST_LEVELS)
const SAVED_COMMAS = new Int32Array(MOST_LEVELS)
const IN_ARRAY = -1

/**
 * One pass without allocation. On well-formed JSON it never overlooks a limit, a repeated key or a lone surrogate;
 * on anything else it may say what it likes, because `JSON.parse` refuses the text.
 */
function sweep(bytes: Uint8Array, { maxString, maxArray, maxDepth }: ByteLimits): number {
  const length = bytes.length
  const most = Math.min(maxDepth + LEVELS_ABOVE_ARGUMENTS, MOST_LEVELS)
  let seen = 0 // every byte or-ed together: its high bit tells whether all is ASCII
  let depth = 0
  let first = IN_ARRAY // where the open object's keys begin in KEY_HASHES
  let last = 0 // where they end
  let commas = 0
  let keyIsNext = false

  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number
    if (byte === QUOTE) {
      const start = i + 1
      if (keyIsNext) {
        keyIsNext = false
        let hash = 0
        let at = start
        for (; at < length; at++) {
          const c = bytes[at] as number
          if (c === QUOTE) break
          if (c === BACKSLASH) return CAREFUL // it may be another spelling of a key that was seen
          seen |= c
          hash = (Math.imul(hash, 31) + c) | 0
        }
        if (last - first >= MOST_KEYS) return CAREFUL
        for (let k = first; k < last; k++) if (KEY_HASHES[k] === hash) return CAREFUL
        KEY_HASHES[last++] = hash
        i = at
      } else {
        let at = start
        for (; at < length; at++) {
          const c = bytes[at] as number
          if (c === QUOTE) break
          seen |= c
          if (c === BACKSLASH) {
            at++
            if (bytes[at] === LOWER_U && isSurrogate(bytes, at)) {
              if (!isPair(bytes, at)) return CAREFUL
              at += 10
            }
          }
        }
        i = at
      }
      if (i - start > maxString) return CAREFUL
    } else if (byte === COMMA) {
      if (first !== IN_ARRAY) keyIsNext = true
      else if (++commas >= maxArray) return CAREFUL
    } else if (byte === 123 || byte === 91) {
      if (depth >= most) return CAREFUL
      SAVED_FIRST[depth] = first
      SAVED_COMMAS[depth] = commas
      depth++
      keyIsNext = byte === 123
      first = keyIsNext ? last : IN_ARRAY
      commas = 0
    } else if (byte === 125 || byte === 93) {
      if (depth === 0) return CAREFUL
      if (first !== IN_ARRAY) last = first
      depth--
      first = SAVED_FIRST[depth] as number
      commas = SAVED_COMMAS[depth] as number
      keyIsNext = false
    } else {
      seen |= byte
    }
  }
  return seen < 128 ? PLAIN : WIDE
}

/** `at` is the `u` of an escape: is it one of \ud800 to \udfff? */
function isSurrogate(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at + 1] as number) | 32) === 100 && nibble(bytes[at + 2]) >= 8
}

/** A high surrogate with a low one right behind it. */
function isPair(bytes: Uint8Array, at: number): boolean {
  return (
    nibble(bytes[at + 2]) < 12 &&
    bytes[at + 5] === BACKSLASH &&
    bytes[at + 6] === LOWER_U &&
    isSurrogate(bytes, at + 6) &&
    nibble(bytes[at + 8]) >= 12
  )
}

function nibble(byte = 0): number {
  return byte <= 57 ? byte - 48 : (byte | 32) - 87
}

/** Where the first bad UTF-8 sequence begins; ever smaller steps keep a long valid beginning cheap. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0
  for (const step of [4096, 64, 1]) {
    while (good < bytes.length) {
      const end = characterEnd(bytes, good + step)
      if (!isUtf8(bytes.subarray(good, end))) break
      good = end
    }
  }
  const behindIt = [3, 2, 1].find((size) => isUtf8(bytes.subarray(good, good + size))) // continuation bytes too many
  return good + (behindIt ?? 0)
}

function characterEnd(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < at + 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++
  return end
}

interface Budget {
  /** Bytes that the value may still take up as JSON; it bounds shared and circular values too. */
  left: number
  values: number
  readonly limits: ByteLimits
}

/** May doubt a clean value, never clears a faulty one. Recursion ends at the depth limit. */
function isClean(value: unknown, level: number, budget: Budget): boolean {
  const { limits } = budget
  budget.values++
  if (typeof value === 'string') {
    budget.left -= value.length + 2
    return value.length * 3 <= limits.maxString && value.isWellFormed()
  }
  budget.left -= 2
  if (typeof value !== 'object' || value === null) return true
  if (level > limits.maxDepth || budget.left < 0) return false
  if (Array.isArray(value)) {
    if (value.length > limits.maxArray) return false
    for (let i = 0; i < value.length; i++) if (!isClean(value[i], level + 1, budget)) return false
  } else {
    for (const key of Object.keys(value)) {
      budget.left -= key.length
      if (key.length * 3 > limits.maxString || !key.isWellFormed()) return false
      if (!isClean((value as Record<string, unknown>)[key], level + 1, budget)) return false
    }
  }
  return budget.left >= 0
}

interface Findings {
  /** A lower bound of the value's JSON: at least the characters of its texts and one for everything else. */
  size: number
  string: number
  array: number
  depth: number
  /** Path of the first lone surrogate. */
  location: string | undefined
  readonly maxBytes: number
  readonly maxDepth: number
}

/** The largest of everything, for the fault's numbers. Stops one level below the depth limit, and at the size limit. */
function weigh(value: unknown, level: number, path: string, found: Findings): void {
  if (found.size > found.maxBytes) return
  if (typeof value === 'string') weighText(value, path, found)
  found.size += 1
  if (typeof value !== 'object' || value === null) return
  found.depth = Math.max(found.depth, level)
  if (level > found.maxDepth) return
  if (Array.isArray(value)) {
    found.array = Math.max(found.array, value.length)
    for (let i = 0; i < value.length && found.size <= found.maxBytes; i++) {
      weigh(value[i], level + 1, `${path}[${i}]`, found)
    }
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    const location = path === '' ? key : `${path}.${key}`
    weighText(key, location, found)
    weigh(inner, level + 1, location, found)
  }
}

function weighText(value: string, path: string, found: Findings): void {
  const size = Buffer.byteLength(value)
  found.size += size
  found.string = Math.max(found.string, size)
  if (found.location === undefined && !value.isWellFormed()) found.location = shortened(path.toWellFormed())
}
