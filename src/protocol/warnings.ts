import type { Severity, Warning } from './result.ts'

/** Warnings document §4, one row for each code (ERR-48 to ERR-51, FIELD-06). */
export const WARNINGS = {
  DEPRECATION_WARNING: '{feature} is deprecated',
  VALIDATION_TRUNCATED_WARNING: 'Response truncated to {limit} items',
  PERFORMANCE_SLOW_QUERY_WARNING: 'Operation took {duration_ms}ms (threshold: {threshold_ms}ms)',
  VALIDATION_UNKNOWN_FIELD: "Unknown field '{field}' was left out",
  VALIDATION_UNKNOWN_PARAM: "Unknown parameter '{param_name}' was ignored",
  VALIDATION_JSON_TEXT_WARNING:
    "'{param_name}' was sent as a JSON string and read as the value it holds; send the value",
  RATE_LIMIT_QUOTA_WARNING: 'Approaching quota limit',
  WARNINGS_SUPPRESSED: '{count} further warnings were left out',
} as const satisfies Record<string, string>

export type WarningCode = keyof typeof WARNINGS

/** Warnings document §3.2: `high` first. An absent severity means `medium`. */
export const SEVERITIES = { high: 0, medium: 1, low: 2 } as const satisfies Record<Severity, number>

/** §6.3: no more than this many entries are returned. */
export const MAX_WARNINGS = 10

/** `feature` and `count` only feed the message. */
const MESSAGE_ONLY = ['feature', 'count']

export function warn(code: WarningCode, details: Readonly<Record<string, unknown>>, severity?: Severity): Warning {
  const message = WARNINGS[code].replace(/\{(\w+)\}/g, (_, key: string) => String(details[key]))
  const kept = Object.entries(details).filter(([key, value]) => value !== undefined && !MESSAGE_ONLY.includes(key))
  return {
    code,
    message,
    ...(kept.length > 0 && { details: Object.fromEntries(kept) }),
    ...(severity && { severity }),
  }
}
