/** Spec §8.4.2 — the states of an execution and where each may go. `failed → running` only where retry is supported. */
export const STATES = {
  pending: { next: ['running', 'cancelled'], terminal: false },
  running: { next: ['completed', 'failed', 'cancelled'], terminal: false },
  completed: { next: [], terminal: true },
  failed: { next: ['running'], terminal: true },
  cancelled: { next: [], terminal: true },
} as const satisfies Record<string, StateRow>

export type ExecutionStatus = keyof typeof STATES

/** Spec §8.4.3. `result` is what a completed execution returned. */
export interface ExecutionState {
  readonly execution_id: string
  readonly status: string
  readonly operation?: string
  readonly started_at?: string
  readonly finished_at?: string
  /** While it is `running`, its work has been told to stop and has not confirmed it. */
  readonly cancel_requested_at?: string
  readonly progress?: Progress
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown }
  readonly result?: unknown
}

/** Spec §8.4.3: at least one of percentage, current with total, message. */
export interface Progress {
  readonly percentage?: number
  readonly current?: number
  readonly total?: number
  readonly message?: string
}

/** Spec §8.4.5, what introspection says of a long-running operation. */
export interface Lifecycle {
  readonly states: readonly string[]
  readonly supports_cancel: boolean
  readonly supports_retry: boolean
  readonly progress_reporting: boolean
}

interface StateRow {
  readonly next: readonly string[]
  readonly terminal: boolean
}
