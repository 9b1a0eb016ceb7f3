import type { DangerLevel } from './danger.ts'

/** Trust levels document §2.1 — how far an adapter has proved itself, in order (TRUST-01). No other words are used. */
export const TRUST_LEVELS = { untested: 0, generated: 1, validated: 2, community_reviewed: 3, certified: 4 } as const

export type TrustLevel = keyof typeof TRUST_LEVELS

/** From the lowest to the highest. */
export const TRUST_LEVEL_NAMES = Object.keys(TRUST_LEVELS) as readonly TrustLevel[]

export function isTrustLevel(value: unknown): value is TrustLevel {
  return typeof value === 'string' && Object.hasOwn(TRUST_LEVELS, value)
}

export function isTrusted(actual: TrustLevel, atLeast: TrustLevel): boolean {
  return TRUST_LEVELS[actual] >= TRUST_LEVELS[atLeast]
}

export function lowerTrust(a: TrustLevel, b: TrustLevel): TrustLevel {
  return TRUST_LEVELS[a] <= TRUST_LEVELS[b] ? a : b
}

/** What trust alone has to say to a danger level. From level 2 on, `allow` still asks a human (DNG-13). */
export type MatrixCell = 'allow' | 'confirm' | 'deny' | 'introspect_only'

/** Danger levels document §4.1 — TRUST-13 to TRUST-17, one row each. */
export const TRUST_MATRIX = {
  safe: row('introspect_only', 'allow', 'allow', 'allow', 'allow'),
  reversible: row('deny', 'deny', 'allow', 'allow', 'allow'),
  destructive: row('deny', 'deny', 'confirm', 'allow', 'allow'),
  dangerous: row('deny', 'deny', 'deny', 'confirm', 'allow'),
  forbidden: row('deny', 'deny', 'deny', 'deny', 'confirm'),
} as const satisfies Record<DangerLevel, MatrixRow>

/** TRUST-12: the days after which a level has to be earned again; absent where other terms rule. */
export const REVALIDATION_DAYS = { validated: 7, community_reviewed: 30 } as const satisfies Partial<
  Record<TrustLevel, number>
>

/** the highest level that an operator may record for a source by word alone. */
export const HIGHEST_BY_WORD: TrustLevel = 'validated'

/** TRUST-06. */
export const REVIEWERS = { default: 2, least: 1, most: 100 } as const

/** §3.1 and §3.2, TRUST-08: the trust block of an adapter. All times are ISO 8601. */
export interface TrustBlock {
  readonly level: TrustLevel
  readonly generated_at?: string
  readonly generated_by?: string
  readonly validated_at?: string
  readonly validated_by?: string
  readonly validation_report?: ValidationReport
  readonly promoted_from?: TrustLevel
  readonly promotion_history?: readonly TrustChange[]
  readonly certification?: Certification | null
}

export interface ValidationReport {
  readonly tests_passed?: number
  readonly tests_total?: number
  readonly endpoints_verified?: number
  readonly coverage_percent?: number
  readonly last_api_response?: string
}

export interface TrustChange {
  readonly from: TrustLevel
  readonly to: TrustLevel
  readonly at: string
  readonly by: string
  readonly reason?: string
}

export interface Certification {
  readonly authority: string
  /** Base64. */
  readonly signature: string
  readonly certificate_id: string
  readonly issued_at: string
  readonly expires_at: string
  /** Operation names, or `all_operations`. */
  readonly scope: readonly string[]
}

/** TRUST-07. */
export const ALL_OPERATIONS = 'all_operations'

/** §5.3, TRUST-19: what the operator may demand beyond the matrix. */
export interface TrustPolicy {
  readonly minimum_trust_for_writes?: TrustLevel
  readonly minimum_trust_for_deletes?: TrustLevel
  readonly allow_untested_introspection?: boolean
  readonly require_confirmation_below?: TrustLevel
}

type MatrixRow = Readonly<Record<TrustLevel, MatrixCell>>

function row(
  untested: MatrixCell,
  generated: MatrixCell,
  validated: MatrixCell,
  community_reviewed: MatrixCell,
  certified: MatrixCell,
): MatrixRow {
  return Object.freeze({ untested, generated, validated, community_reviewed, certified })
}
