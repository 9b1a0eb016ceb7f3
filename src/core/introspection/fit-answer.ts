import { jsonText } from '../registry/json-text.ts'
import { estimateTokens } from './tokens.ts'

export interface Fitted {
  readonly data: unknown
  readonly cuts: readonly Cut[]
}

/** What was taken off the end of one list or text. */
export interface Cut {
  /** Where it stood in `data`, dotted. */
  readonly field: string
  readonly originalCount: number
  readonly kept: number
  readonly rest: readonly unknown[] | string
}

/** A few rounds suffice: each one cuts the largest part that is left. */
const MOST_CUTS = 8

/**
 * Extension "answers that fit": cuts the longest lists and texts of an answer until it costs about `budget` tokens.
 * Each cut needs a warning to tell of it, so there are no more cuts than `room` for them.
 */
export function fitAnswer(data: unknown, budget: number, room = MOST_CUTS): Fitted {
  const text = jsonText(data)
  if (estimateTokens(text) <= budget) return { data, cuts: [] }
  let fitted: unknown = JSON.parse(text)
  const cuts: Cut[] = []
  for (let round = 0; round < Math.min(MOST_CUTS, room); round++) {
    const excess = estimateTokens(JSON.stringify(fitted)) - budget
    if (excess <= 0) break
    const part = largestPart(fitted, cuts)
    if (!part) break
    const kept = Math.min(part.value.length - 1, keepable(part.value, part.cost - excess))
    const rest = part.value.slice(kept)
    cuts.push({ field: part.path.join('.'), originalCount: part.value.length, kept, rest })
    fitted = replaced(fitted, part.path, part.value.slice(0, kept))
  }
  return { data: fitted, cuts }
}

/** How many leading elements or characters cost no more than `room`; at least one element stays. */
export function keepable(value: readonly unknown[] | string, room: number): number {
  if (typeof value === 'string') return keepableText(value, room)
  let left = room
  for (const [index, element] of value.entries()) {
    left -= estimateTokens(JSON.stringify(element)) + 1
    if (left < 0) return Math.max(1, index)
  }
  return value.length
}

function keepableText(text: string, room: number): number {
  const share = Math.max(0, room) / Math.max(1, estimateTokens(text))
  const length = Math.min(text.length - 1, Math.max(40, Math.floor(text.length * share)))
  // A cut between the halves of a surrogate pair would leave two characters that are none.
  return (text.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length
}

interface Part {
  readonly path: readonly string[]
  readonly value: readonly unknown[] | string
  readonly cost: number
}

/** Lists of two or more and texts of some length, the most expensive first; outer ones before inner ones. */
function largestPart(data: unknown, cuts: readonly Cut[]): Part | undefined {
  const done = new Set(cuts.map(({ field }) => field))
  let largest: Part | undefined
  const visit = (value: unknown, path: readonly string[]): void => {
    const divisible = Array.isArray(value) ? value.length > 1 : typeof value === 'string' && value.length > 120
    if (divisible && !done.has(path.join('.'))) {
      const cost = estimateTokens(JSON.stringify(value))
      if (cost > (largest?.cost ?? 0) * 1.25) largest = { path, value: value as Part['value'], cost }
      return // what is inside costs less
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key])
    }
  }
  visit(data, [])
  return largest
}

function replaced(data: unknown, [step, ...path]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(data))
    return data.map((inner, index) => (String(index) === step ? replaced(inner, path, value) : inner))
  const record = data as Record<string, unknown>
  return { ...record, [step]: replaced(record[step], path, value) }
}
