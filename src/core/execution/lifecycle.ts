import { fail } from '../../protocol/errors.ts'
import { type ExecutionState, type ExecutionStatus, type Progress, STATES } from '../../protocol/lifecycle.ts'
import type { ErrorDetail, OperationFailure } from '../../protocol/result.ts'
import { type RecordRef, record } from '../ports/store.ts'

/** An execution as it is stored. */
export interface ExecutionRecord {
  readonly execution_id: string
  readonly operation: string
  readonly principal: string
  /** Whose end is its end: a session's id, or the principal's name. */
  readonly owner: string
  readonly status: ExecutionStatus
  readonly created_at: string
  readonly started_at?: string
  readonly finished_at?: string
  readonly progress?: Progress
  /** Cut to its beginning where it is long; the whole of it is in `LeftByRun`. */
  readonly error?: ErrorDetail
  /** Written by earlier versions only: what a run returns has a record of its own. */
  readonly result?: unknown
  /** How many characters `LeftByRun` has; absent when there is no such record. */
  readonly left_chars?: number
  /** Somebody asked for its cancellation while it ran. The work may have ended by itself before it heard of it. */
  readonly cancel_requested_at?: string
  /** Its operation supports no cancellation. */
  readonly supports_cancel?: false
  /** Which opening of the store works on it; when that is gone, the work has ended with it (SESS-03). */
  readonly opener?: string
  /** The intent of the run, open until the run has ended. */
  readonly intent?: string
  /** 1 for the first run; each retry adds one. */
  readonly attempt?: number
}

/** Of one adapter: several may share a store, and none sees what another does. */
export function executionRef(adapter: string, id: string): RecordRef<ExecutionRecord> {
  return record(executionKind(adapter), id)
}

export function executionKind(adapter: string): string {
  return `execution:${adapter}`
}

/**
 * What a run returned, or the error that it ended with. It may be long, so it has a record of its own: a listing of
 * executions reads none of it.
 */
export interface LeftByRun {
  readonly result?: unknown
  readonly error?: ErrorDetail
}

export function leftRef(adapter: string, id: string): RecordRef<LeftByRun> {
  return record(`execution-left:${adapter}`, id)
}

/** A cancellation for the process that does the work, which removes it when the work has ended. */
export interface CancelOrder {
  readonly at: number
}

export function cancelRef(adapter: string, id: string): RecordRef<CancelOrder> {
  return record(cancelKind(adapter), id)
}

export function cancelKind(adapter: string): string {
  return `execution-cancel:${adapter}`
}

/** SESS-03: the server process died, and the work with it. */
export const LOST: ErrorDetail = fail('INTERNAL_ERROR', {
  description: 'the server ended before the work did',
  cause_code: 'LOST',
  reason: 'session_terminated',
}).error

export function isUnfinished({ status }: ExecutionRecord): boolean {
  return !STATES[status].terminal
}

export interface Step {
  readonly to: ExecutionStatus
  readonly now: number
  readonly operation: string
  readonly supportsRetry?: boolean
  readonly result?: unknown
  readonly error?: ErrorDetail
  readonly progress?: Progress
  readonly left_chars?: number
}

/** From the record as it is to the record as it shall be. */
export type Move<R> = (current: ExecutionRecord | undefined) => {
  readonly next: ExecutionRecord | undefined
  readonly result: R
}

/** Spec §8.4.2 (LIFE-02) as a pure change: a step that the table does not have changes nothing. */
export function transition(id: string, step: Step): Move<ExecutionRecord | OperationFailure> {
  return (current) => {
    if (!current) return { next: current, result: notFound(id) }
    if (!allows(current.status, step)) return { next: current, result: refused(current, step) }
    const next = moved(current, step)
    return { next, result: next }
  }
}

/**
 * Work that runs is cancelled when it has stopped, not when somebody asks for it: until then it is `running`. What has
 * not begun is cancelled at once.
 */
export function requestCancel(id: string, now: number): Move<ExecutionRecord | OperationFailure> {
  const step = { to: 'cancelled', now, operation: 'cancel_execution' } as const
  return (current) => {
    if (current?.status !== 'running') return transition(id, step)(current)
    const next = { ...current, cancel_requested_at: current.cancel_requested_at ?? new Date(now).toISOString() }
    return { next, result: next }
  }
}

/** Progress is noted only while the work goes on. */
export function noteProgress(progress: Progress): Move<void> {
  return (current) => ({
    next: current?.status === 'running' ? { ...current, progress } : current,
    result: undefined,
  })
}

/** What the caller sees (spec §8.4.3); without what the run left, where that is not given. */
export function stateOf(record: ExecutionRecord, left: LeftByRun = {}): ExecutionState {
  const { execution_id, status, operation, started_at, finished_at, cancel_requested_at, progress } = record
  const { error = record.error, result = record.result } = left
  return {
    execution_id,
    status,
    operation,
    ...(started_at && { started_at }),
    ...(finished_at && { finished_at }),
    ...(cancel_requested_at && { cancel_requested_at }),
    ...(progress && { progress }),
    ...(error && { error }),
    ...(result !== undefined && { result }),
  }
}

export function notFound(id: string): OperationFailure {
  return fail('NOT_FOUND_RESOURCE', { resource_type: 'execution', resource_id: id.slice(0, 64) })
}

function allows(from: ExecutionStatus, { to, supportsRetry }: Step): boolean {
  if (from === 'failed') return to === 'running' && supportsRetry === true
  return (STATES[from].next as readonly string[]).includes(to)
}

function refused({ execution_id, status }: ExecutionRecord, { operation }: Step): OperationFailure {
  return fail('CONFLICT_INVALID_STATE', { operation, state: status, execution_id, allowed: STATES[status].next })
}

function moved(current: ExecutionRecord, { to, now, result, error, progress, left_chars }: Step): ExecutionRecord {
  const time = new Date(now).toISOString()
  const { finished_at: _, error: __, result: ___, left_chars: ____, ...rest } = current
  const { progress: latest, cancel_requested_at, ...kept } = rest
  return {
    ...kept,
    status: to,
    ...(to === 'running' && { started_at: time }),
    ...(STATES[to].terminal && { finished_at: time }),
    ...(result !== undefined && { result }),
    ...(error && { error }),
    ...(left_chars !== undefined && { left_chars }),
    ...(to !== 'running' && cancel_requested_at && { cancel_requested_at }),
    ...(to !== 'running' && latest && { progress: latest }),
    ...(progress && { progress }),
  }
}
