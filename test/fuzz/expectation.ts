import type { Buffer } from 'node:buffer'
import type { Case, Id } from './generate.ts'

/** What one line, or one body, must bring about. */
export interface Expectation {
  readonly kind: Case['expect']
  readonly id?: Id
  /** Ids that an answer may carry because they can be read in the text, though whose they are is not certain. */
  readonly candidates: readonly Id[]
}

export function expectationsOf(sent: Case, lines: readonly Buffer[]): readonly Expectation[] {
  if (sent.expect === 'anything') return lines.map(expectationOf)
  return [{ kind: sent.expect, candidates: [], ...(sent.id !== undefined && { id: sent.id }) }]
}

/** The lines of some bytes, without the last newline. */
export function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, at))
    start = at + 1
  }
  return [...lines, bytes.subarray(start)]
}

/** Judged without the product's own reader: by a strict decoder, `JSON.parse`, and the letter of JSON-RPC. */
export function expectationOf(line: Buffer): Expectation {
  const lenient = line.toString('latin1')
  if (lenient.trim() === '') return { kind: line.length < 8 ? 'silence' : 'anything', candidates: [] }
  const strict = decoded(line)
  const text = strict ?? lenient
  const value = parsed(text)
  if (value === undefined) return unreadable(line)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return REFUSAL

  const { id, method } = value as Readonly<Record<string, unknown>>
  // Where some bytes are no UTF-8, what those of the id stand for is plain only if they are ASCII.
  if (strict === undefined && typeof id === 'string' && !/^[ -~]*$/.test(id)) return unreadable(line)
  const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')
  const isSilent = typeof method === 'string' ? !Object.hasOwn(value, 'id') : isResponse
  if (isSilent) return { kind: 'anything', candidates: isId(id) ? [id] : [] }
  return isId(id) && timesNamed(text, 'id') === 1 ? { kind: 'answer', id, candidates: [] } : REFUSAL
}

/** Without an id: one that is written twice or is no id is nobody's. */
const REFUSAL: Expectation = { kind: 'refusal', candidates: [] }

/** Some id in it may be the message's own. */
function unreadable(line: Buffer): Expectation {
  const candidates = [...idsIn(line.toString('latin1')), ...idsIn(line.toString('utf8'))]
  return { kind: line.includes('notifications') ? 'anything' : 'refusal', candidates }
}

/** How many members of the outermost object have that name, in a text that is JSON. */
function timesNamed(text: string, name: string): number {
  let [depth, times] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    if (character === '}' || character === ']') depth--
    if (character !== '"') continue
    const end = stringEnd(text, at)
    if (depth === 1 && isFollowedByColon(text, end) && parsed(text.slice(at, end)) === name) times++
    at = end - 1
  }
  return times
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end
  while (at < text.length && text[at]?.trim() === '') at++
  return text[at] === ':'
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' ? value.isWellFormed() : Number.isSafeInteger(value)
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(bytes: Buffer): string | undefined {
  try {
    return STRICT.decode(bytes)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function idsIn(text: string): readonly Id[] {
  return [...text.matchAll(/"(?:i|\\u0069)d"\s*:\s*/g)]
    .map((found) => valueAt(text, found.index + found[0].length))
    .filter(isId)
}

/** The string or the number that begins there; cut off it is neither. */
function valueAt(text: string, start: number): unknown {
  if (text[start] === '"') return parsed(text.slice(start, stringEnd(text, start)))
  const token = /^[^\s,:"[\]{}]{1,40}/.exec(text.slice(start, start + 40))?.[0] ?? ''
  return start + token.length < text.length ? parsed(token) : undefined
}

/** One past the closing quote. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
