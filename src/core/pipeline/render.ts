import { isToolError } from '../../protocol/errors.ts'
import type { BatchSuccess, OperationResult } from '../../protocol/result.ts'
import { jsonText } from '../registry/json-text.ts'
import { tooLarge } from './decode.ts'

/** RES-05 — the result as compact JSON. A response over the limit is replaced, not sent (DATA-10). */
export function render(result: OperationResult, maxResponse: number): Answer {
  return fitting(result, jsonText(result), maxResponse)
}

/** The same for a batch, of which each result has been written already. */
export function renderBatch(result: BatchSuccess, texts: readonly string[], maxResponse: number): Answer {
  const { success, data, results, ...others } = result
  const text = `{"success":true,"data":null,"results":[${texts.join(',')}],${jsonText(others).slice(1)}`
  return fitting(result, text, maxResponse)
}

function fitting(result: OperationResult | BatchSuccess, text: string, maxResponse: number): Answer {
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

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

export interface Answer {
  readonly result: OperationResult | BatchSuccess
  /** The compact JSON of `result` (RES-05). */
  readonly text: string
  /** ERR-07. */
  readonly isError: boolean
}
