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
  readonly error?: ErrorDetail
  readonly result?: unknown
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

/** Progress is noted only while the work goes on. */
export function noteProgress(progress: Progress): Move<void> {
  return (current) => ({
    next: current?.status === 'running' ? { ...current, progress } : current,
    result: undefined,
  })
}

/** What the caller sees (spec §8.4.3). */
export function stateOf(record: ExecutionRecord): ExecutionState {
  const { execution_id, status, operation, started_at, finished_at, progress, error, result } = record
  return {
    execution_id,
    status,
    operation,
    ...(started_at && { started_at }),
    ...(finished_at && { finished_at }),
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

function moved(current: ExecutionRecord, { to, now, result, error, progress }: Step): ExecutionRecord {
  const time = new Date(now).toISOString()
  const { finished_at: _, error: __, result: ___, progress: latest, ...kept } = current
  return {
    ...kept,
    status: to,
    ...(to === 'running' && { started_at: time }),
    ...(STATES[to].terminal && { finished_at: time }),
    ...(result !== undefined && { result }),
    ...(error && { error }),
    ...(to !== 'running' && latest && { progress: latest }),
    ...(progress && { progress }),
  }
}
