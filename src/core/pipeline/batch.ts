import { fail, shapeFault } from '../../protocol/errors.ts'
import {
  type BatchEntryResult,
  type BatchSuccess,
  isFailure,
  type OperationFailure,
  type OperationResult,
  type PendingOperation,
  type Warning,
} from '../../protocol/result.ts'
import { isObject } from '../registry/check-value.ts'
import type { Entry } from './decode.ts'
import { resolveReferences } from './references.ts'
import { settleWarnings } from './warnings.ts'

export type HandleEntry = (entry: Entry) => Promise<OperationResult>

/** A failure with one of these codes is neither success nor failure of its entry: the batch waits there (BATCH-08). */
const HALTING: ReadonlySet<string> = new Set(['CONFIRMATION_REQUIRED'])

/** Operations §7.3 — strictly in order; a failure does not stop the rest; a halting one does (§7.5.2). */
export async function runBatch(
  entries: readonly Entry[],
  handle: HandleEntry,
  isStopped: () => boolean,
): Promise<BatchSuccess> {
  const earlier = new Map<string, OperationResult>()
  const results: BatchEntryResult[] = []
  const warnings: Warning[] = []
  for (const [index, entry] of entries.entries()) {
    if (isStopped()) break
    const fields = resolveReferences(entry.fields, earlier, `operations[${index}]`)
    const result = isFailure(fields) ? fields : await handle({ ...entry, fields })
    const answered = { index, operation: entry.operation, result: bare(result, warnings) }
    if (!result.success && HALTING.has(result.error.code)) return halted(entries, results, answered)
    results.push(answered)
    remember(earlier, index, entry, answered.result)
  }
  return completed(entries.length, results, warnings)
}

/** Extension: READs alone, side by side on request; results still in order. */
export async function runParallel(entries: readonly Entry[], handle: HandleEntry): Promise<BatchSuccess> {
  const warnings: Warning[] = []
  const answers = await Promise.all(
    entries.map((entry, index) => {
      const fields = resolveReferences(entry.fields, NOTHING_EARLIER, `operations[${index}]`)
      return isFailure(fields) ? fields : handle({ ...entry, fields })
    }),
  )
  const results = answers.map((result, index) => ({
    index,
    operation: entries[index]?.operation ?? '',
    result: bare(result, warnings),
  }))
  return completed(entries.length, results, warnings)
}

export function notParallel(operation: string): OperationFailure {
  return shapeFault(
    fail('VALIDATION_INVALID_VALUE', {
      param_name: 'parallel',
      constraint: `READ operations only; '${operation}' is none`,
    }),
  )
}

const NOTHING_EARLIER: ReadonlyMap<string, OperationResult> = new Map()

function remember(
  earlier: Map<string, OperationResult>,
  index: number,
  { fields }: Entry,
  result: OperationResult,
): void {
  earlier.set(String(index), result)
  if (typeof fields._id === 'string') earlier.set(fields._id, result)
}

/** BATCH-04: an entry holds `success` with `data` or `error`; its warnings go to the batch. */
function bare(result: OperationResult, warnings: Warning[]): OperationResult {
  if (!result.success) return result
  if (result.warnings) warnings.push(...result.warnings)
  return { success: true, data: result.data }
}

function completed(total: number, results: readonly BatchEntryResult[], warnings: readonly Warning[]): BatchSuccess {
  const succeeded = results.filter(({ result }) => result.success).length
  return {
    success: true,
    data: null,
    results,
    summary: { total, succeeded, failed: results.length - succeeded },
    ...(warnings.length > 0 && { warnings: settleWarnings(warnings) }),
  }
}

function halted(
  entries: readonly Entry[],
  results: readonly BatchEntryResult[],
  halted_at: BatchEntryResult,
): BatchSuccess {
  const rest = entries.slice(halted_at.index + 1)
  const done = completed(entries.length, results, [])
  return {
    ...done,
    halted_at,
    pending_operations: rest.map((entry, offset) => pending(entry, halted_at.index + 1 + offset)),
    summary: { ...done.summary, halted: 1, pending: rest.length },
  }
}

function pending({ operation, fields }: Entry, index: number): PendingOperation {
  return isObject(fields.params) ? { index, operation, params: fields.params } : { index, operation }
}
