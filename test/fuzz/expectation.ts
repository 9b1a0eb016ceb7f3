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
  const candidates = [...idsIn(lenient), ...idsIn(line.toString('utf8'))]
  const text = decoded(line)
  const value = text === undefined ? undefined : parsed(text)
  if (value === undefined) return { kind: lenient.includes('notifications') ? 'anything' : 'refusal', candidates }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'refusal', candidates }

  const { id, method } = value as Readonly<Record<string, unknown>>
  if (typeof method !== 'string') {
    const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')
    return { kind: isResponse ? 'anything' : 'refusal', candidates }
  }
  if (!Object.hasOwn(value, 'id')) return { kind: 'anything', candidates }
  const isCertain = candidates.length === 2 && !lenient.includes('\\u00') && isId(id)
  return isCertain ? { kind: 'answer', id, candidates: [] } : { kind: 'refusal', candidates }
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

/** The string or the number that begins there. */
function valueAt(text: string, start: number): unknown {
  if (text[start] !== '"') return parsed(/^-?\d{1,16}/.exec(text.slice(start, start + 17))?.[0] ?? '')
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return parsed(text.slice(start, end + 1))
}
