import { isToolError } from '../../protocol/errors.ts'
import { MAX_SAFE } from '../../protocol/limits.ts'
import type { BatchSuccess, OperationResult } from '../../protocol/result.ts'
import type { Answer } from '../runtime.ts'
import { tooLarge } from './decode.ts'

/** RES-05 — the result as compact JSON. A response over the limit is replaced, not sent (DATA-10). */
export function render(result: OperationResult | BatchSuccess, maxResponse: number): Answer {
  const text = serialise(result)
  // A UTF-16 unit is at most three bytes: most answers are known to fit without being measured.
  if (text.length * 3 > maxResponse) {
    const size = byteLength(text)
    if (size > maxResponse) {
      const failed = tooLarge('response_size', maxResponse, size)
      return { result: failed, text: JSON.stringify(failed), isError: false }
    }
  }
  return { result, text, isError: isToolError(result) }
}

/** DATA-06: an integer that a JSON number cannot carry is written as a string. The slow path is taken only for such. */
function serialise(result: unknown): string {
  try {
    const text = JSON.stringify(result)
    return LONG_NUMBER.test(text) ? JSON.stringify(result, exact) : text
  } catch (cause) {
    if (cause instanceof TypeError) return JSON.stringify(result, exact)
    throw cause
  }
}

/** Sixteen digits in a row: perhaps an unsafe integer, perhaps only text. */
const LONG_NUMBER = /[^"\w]-?\d{16}|e\+\d/

function exact(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > MAX_SAFE
    ? BigInt(value).toString()
    : value
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
