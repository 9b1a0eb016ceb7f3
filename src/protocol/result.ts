/** Spec §5.1 — every operation answers with one of these two. */
export type OperationResult = OperationSuccess | OperationFailure

export interface OperationSuccess {
  readonly success: true
  readonly data: unknown
  readonly warnings?: readonly Warning[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface OperationFailure {
  readonly success: false
  readonly error: ErrorDetail
  /** With CONFIRMATION_REQUIRED only, and never inside a batch entry (RES-03). */
  readonly confirmation?: ConfirmationDemand
}

/** Repeats what `error.details` holds. */
export interface ConfirmationDemand {
  readonly token: string
  readonly expires_at: string
  readonly message?: string
  readonly reasons?: readonly string[]
}

export interface ErrorDetail {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Warnings document §3.1. */
export interface Warning {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly severity?: Severity
}

export type Severity = 'high' | 'medium' | 'low'

/** Operations §7.2 and §7.5.2. */
export interface BatchSuccess {
  readonly success: true
  readonly data: null
  readonly results: readonly BatchEntryResult[]
  readonly summary: BatchSummary
  readonly warnings?: readonly Warning[]
  readonly _meta?: Readonly<Record<string, unknown>>
  readonly halted_at?: BatchEntryResult
  readonly pending_operations?: readonly PendingOperation[]
}

export interface BatchEntryResult {
  readonly index: number
  readonly operation: string
  readonly result: OperationResult
}

export interface BatchSummary {
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly halted?: number
  readonly pending?: number
}

export interface PendingOperation {
  readonly index: number
  readonly operation: string
  readonly params?: Readonly<Record<string, unknown>>
}

/**
 * Failures are known by identity, so that a back-end's own `{ success: false }` passes through as the data it is.
 * `fail` in errors.ts is the one way for the outside to make one.
 */
export function failure(error: ErrorDetail, confirmation?: ConfirmationDemand): OperationFailure {
  const made: OperationFailure = Object.freeze({
    success: false,
    error: Object.freeze(error),
    ...(confirmation && { confirmation }),
  })
  FAILURES.add(made)
  return made
}

export function isFailure(value: unknown): value is OperationFailure {
  return typeof value === 'object' && value !== null && FAILURES.has(value)
}

const FAILURES = new WeakSet<object>()
