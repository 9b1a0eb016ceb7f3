import { fail, shapeFault } from '../../protocol/errors.ts'
import {
  type BatchEntryResult,
  type BatchSuccess,
  failure,
  isFailure,
  type OperationFailure,
  type OperationResult,
  type PendingOperation,
  type Warning,
} from '../../protocol/result.ts'
import type { Fields } from '../call.ts'
import { createTurns } from '../next-turn.ts'
import { isObject } from '../registry/check-value.ts'
import { jsonText } from '../registry/json-text.ts'
import { typeName } from '../registry/type-grammar.ts'
import { type Entry, tooLarge } from './decode.ts'
import { type Earlier, type Room, resolveReferences } from './references.ts'
import { settleWarnings } from './warnings.ts'

export type HandleEntry = (entry: Entry) => Promise<OperationResult>

export interface BatchSettings {
  readonly handle: HandleEntry
  /** The limits of a request, which hold again for what references have brought together (DATA-08). */
  readonly checkSize: (fields: Fields) => OperationFailure | undefined
  /** No entry grows beyond this by its references. */
  readonly maxBytes: number
  /** All answers together (DATA-10). */
  readonly maxResponse: number
  /** BATCH-05: what becomes of an entry whose answer has no JSON form; the others stay as they are. */
  readonly explain: (cause: unknown) => OperationFailure
  readonly isStopped: () => boolean
  readonly now: () => number
  /** The parameters of an entry that has not run, wherever it placed them, with sensitive values masked (BATCH-09). */
  readonly paramsOf: (operation: string, fields: Fields) => Fields
}

/** A failure with one of these codes is neither success nor failure of its entry: the batch waits there (BATCH-08). */
const HALTING: ReadonlySet<string> = new Set(['CONFIRMATION_REQUIRED'])

/** What a batch has come to, and the compact JSON of each of its results. */
export interface BatchAnswer {
  readonly done: BatchSuccess
  readonly texts: readonly string[]
}

/** Operations §7.3 — strictly in order; a failure does not stop the rest; a halting one does (§7.5.2). */
export async function runBatch(
  entries: readonly Entry[],
  settings: BatchSettings,
): Promise<BatchAnswer | OperationFailure> {
  const earlier = new Map<string, () => OperationResult>()
  const written = createWritten(settings)
  const warnings: Warning[] = []
  const turn = createTurns(settings.now)
  for (const [index, entry] of entries.entries()) {
    const others = turn()
    if (others) await others
    if (settings.isStopped()) break
    const fields = resolved(entry, index, earlier, settings)
    const result = isFailure(fields) ? fields : await settings.handle({ operation: entry.operation, fields })
    const answered = { index, operation: entry.operation, result: bare(result, index, warnings) }
    if (!result.success && HALTING.has(result.error.code)) {
      return written.closed(halted(entries, written.results(), answered, earlier, settings))
    }
    remember(earlier, entry, index, written.add(answered))
  }
  return written.closed(completed(entries.length, written.results(), warnings))
}

/** Extension: READs alone, side by side on request; results still in order. They begin one turn after the other. */
export async function runParallel(
  entries: readonly Entry[],
  settings: BatchSettings,
): Promise<BatchAnswer | OperationFailure> {
  const written = createWritten(settings)
  const warnings: Warning[][] = entries.map(() => [])
  const started: Promise<unknown>[] = []
  const turn = createTurns(settings.now)
  for (const [index, entry] of entries.entries()) {
    const others = turn()
    if (others) await others
    const fields = resolved(entry, index, NOTHING_EARLIER, settings)
    const answer = isFailure(fields) ? Promise.resolve(fields) : settings.handle({ operation: entry.operation, fields })
    const note = (result: OperationResult) =>
      written.add({ index, operation: entry.operation, result: bare(result, index, warnings[index] as Warning[]) })
    started.push(answer.then(note))
  }
  await Promise.all(started)
  return written.closed(completed(entries.length, written.results(), warnings.flat()))
}

interface Written {
  /** Gives the result as it was written, for the entries that refer to it. */
  readonly add: (answered: BatchEntryResult) => () => OperationResult
  readonly results: () => readonly BatchEntryResult[]
  readonly closed: (done: BatchSuccess) => BatchAnswer | OperationFailure
}

/**
 * Each answer is written down in the turn in which it is given: to write fifty large ones at once would hold up the
 * others. Once they are together larger than a response may be, no further one is kept (DATA-10).
 */
function createWritten({ maxResponse, explain }: Pick<BatchSettings, 'maxResponse' | 'explain'>): Written {
  const results: BatchEntryResult[] = []
  const texts: string[] = []
  let bytes = 0
  const isFull = () => bytes > maxResponse
  return {
    add(answered) {
      const entry = writable(answered, explain)
      const hadRoom = !isFull()
      bytes += Buffer.byteLength(entry.text)
      const failed = hadRoom ? undefined : tooLarge('response_size', maxResponse, bytes)
      results[answered.index] = failed ? { ...answered, result: failed } : entry.answered
      if (failed) return () => failed
      texts[answered.index] = entry.text
      return () => (JSON.parse(entry.text) as BatchEntryResult).result
    },
    results: () => results,
    closed: (done) => (isFull() ? tooLarge('response_size', maxResponse, bytes) : { done, texts }),
  }
}

function writable(answered: BatchEntryResult, explain: BatchSettings['explain']) {
  try {
    return { answered, text: jsonText(answered) }
  } catch (cause) {
    const failed = { ...answered, result: explain(cause) }
    return { answered: failed, text: jsonText(failed) }
  }
}

export function notParallel(operation: string): OperationFailure {
  return shapeFault(
    fail('VALIDATION_INVALID_VALUE', {
      param_name: 'parallel',
      constraint: `READ operations only; '${operation}' is none`,
    }),
  )
}

const NOTHING_EARLIER: Earlier = new Map()

/** An entry with its references followed; what they brought must still be a request within the limits. */
function resolved(
  { fields }: Entry,
  index: number,
  earlier: Earlier,
  { checkSize, maxBytes }: BatchSettings,
): Fields | OperationFailure {
  const where = `operations[${index}]`
  const followed = resolveReferences(fields, earlier, where, { left: maxBytes })
  if (followed === fields || isFailure(followed)) return followed
  const token = tokenField(fields) ?? tokenField(followed)
  if (token !== undefined) {
    return fail('VALIDATION_INVALID_VALUE', {
      param_name: `${where}.${token}`,
      constraint: 'a token stands beside resolved values only; send the params of the halted entry, without $ref',
    })
  }
  const { params } = followed
  if (params !== undefined && !isObject(params)) {
    return fail('VALIDATION_INVALID_TYPE', {
      param_name: `${where}.params`,
      expected_type: 'object',
      actual_type: typeName(params),
    })
  }
  return checkSize(followed) ?? followed
}

/** BATCH-09: what was approved is what runs, so a value that could have changed since is refused. */
function tokenField(fields: Fields): string | undefined {
  const inner = isObject(fields.params) ? fields.params : {}
  return TOKEN_FIELDS.find((name) => Object.hasOwn(inner, name) || Object.hasOwn(fields, name))
}

const TOKEN_FIELDS = ['confirmation_token', '_confirmation', '_quota_continue']

/** Digits always are a position, so an `_id` of digits names nothing. */
function remember(
  earlier: Map<string, () => OperationResult>,
  { fields }: Entry,
  index: number,
  parse: () => OperationResult,
): void {
  let read: OperationResult | undefined
  const once = () => {
    read ??= parse()
    return read
  }
  earlier.set(String(index), once)
  if (typeof fields._id === 'string' && !/^\d+$/.test(fields._id)) earlier.set(fields._id, once)
}

/** BATCH-04, RES-03: an entry holds `success` with `data` or `error`; its warnings go to the batch. */
function bare(result: OperationResult, index: number, warnings: Warning[]): OperationResult {
  if (!result.success) return result.confirmation ? failure(result.error) : result
  for (const warning of result.warnings ?? []) warnings.push(placed(warning, index))
  return { success: true, data: result.data }
}

/** Of several cut answers each says which it is; what holds for many entries is told once, without a place (RES-10). */
function placed(warning: Warning, index: number): Warning {
  if (warning.code !== 'VALIDATION_TRUNCATED_WARNING') return warning
  return { ...warning, details: { ...warning.details, index } }
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
  earlier: Earlier,
  { paramsOf, maxBytes }: BatchSettings,
): BatchSuccess {
  const room: Room = { left: maxBytes }
  const rest = entries.slice(halted_at.index + 1)
  const done = completed(entries.length, results, [])
  return {
    ...done,
    halted_at,
    pending_operations: rest.map((entry, offset) =>
      pending(entry, halted_at.index + 1 + offset, { earlier, room, paramsOf }),
    ),
    summary: { ...done.summary, halted: 1, pending: rest.length },
  }
}

/**
 * BATCH-09: with its references resolved where what they name is known already, as long as all that waits together is no
 * larger than a request may be. Beyond that the entries are given as they were sent.
 */
function pending(
  { operation, fields }: Entry,
  index: number,
  { earlier, room, paramsOf }: Pick<BatchSettings, 'paramsOf'> & { readonly earlier: Earlier; readonly room: Room },
): PendingOperation {
  const followed = room.left < 0 ? fields : resolveReferences(fields, earlier, `operations[${index}]`, room)
  const params = paramsOf(operation, isFailure(followed) ? fields : followed)
  return Object.keys(params).length > 0 ? { index, operation, params } : { index, operation }
}
