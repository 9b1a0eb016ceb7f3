import type { Metric } from './rate-limits.ts'
import type { ApiWindow } from './windows.ts'

/** GATE-07: what the state of the quotas contributes to the decision, with the details that the answer carries. */
export type QuotaVerdict =
  | { readonly status: 'ok' }
  | { readonly status: 'warn'; readonly warnings: readonly QuotaWarning[] }
  | { readonly status: 'limited'; readonly details: LimitedDetails }
  | { readonly status: 'paused'; readonly details: PausedDetails }
  | { readonly status: 'exhausted'; readonly details: ExhaustedDetails }
  | { readonly status: 'broken' }

/** A pause can be lifted by a human (RATE-12); nothing lifts the rest (RATE-13). */
export const QUOTA_PERMISSIONS = {
  ok: 'allow',
  warn: 'allow',
  paused: 'confirm',
  limited: 'deny',
  exhausted: 'deny',
  broken: 'deny',
} as const satisfies Record<QuotaVerdict['status'], 'allow' | 'confirm' | 'deny'>

/** RATE-10. */
export interface QuotaWarning {
  readonly metric: Metric
  readonly current: number
  readonly warn_threshold: number
  readonly pause_threshold: number
}

/** RATE-04. */
export interface LimitedDetails {
  readonly limit: number
  readonly remaining: number
  readonly window: ApiWindow
  readonly resets_at: string
  readonly retry_after_seconds: number
}

/** RATE-11, without the token and its expiry, which are the gate's. */
export interface PausedDetails {
  readonly metric: Metric
  readonly current: number
  readonly pause_threshold: number
  readonly hard_stop_threshold?: number
  readonly retry_after_seconds: number
}

/** RATE-13. */
export interface ExhaustedDetails {
  readonly metric: Metric
  readonly current: number
  readonly hard_stop_threshold: number
  readonly resets_at: string
  readonly retry_after_seconds: number
}
