/** Spec §4.7.5 — the five payload limits: default, and the range within which each may be configured. */
export const LIMITS = {
  request_size: { key: 'max_request_size', default: 1_048_576, least: 65_536, most: 10_485_760, unit: 'bytes' },
  response_size: { key: 'max_response_size', default: 10_485_760, least: 1_048_576, most: 104_857_600, unit: 'bytes' },
  string_length: { key: 'max_string_length', default: 1_048_576, least: 65_536, most: 10_485_760, unit: 'bytes' },
  array_elements: { key: 'max_array_elements', default: 10_000, least: 100, most: 100_000, unit: 'elements' },
  nesting_depth: { key: 'max_nesting_depth', default: 32, least: 8, most: 64, unit: 'levels' },
} as const satisfies Record<string, LimitRow>

export type LimitType = keyof typeof LIMITS

/** The limits in force, spelled as `_protocol.limits` spells them (DATA-11). */
export type Limits = { readonly [T in LimitType as (typeof LIMITS)[T]['key']]: number }

export const DEFAULT_LIMITS: Limits = Object.freeze(
  Object.fromEntries(Object.values(LIMITS).map((row) => [row.key, row.default])) as unknown as Limits,
)

/**
 * CONC-04, SESS-08: how many calls of one runtime may be under way; the next one is refused. A session learns its own
 * limit. Whoever has few of them is served however many the others have.
 */
export const MOST_REQUESTS = {
  ofAll: 10_000,
  ofPrincipal: 5_000,
  ofSession: 1_000,
  modest: { ofPrincipal: 100, ofSession: 4 },
} as const

/** Integers beyond this lose digits as JSON numbers (§4.7.3). */
export const MAX_SAFE = 9_007_199_254_740_991

interface LimitRow {
  readonly key: string
  readonly default: number
  readonly least: number
  readonly most: number
  readonly unit: 'bytes' | 'elements' | 'levels'
}
