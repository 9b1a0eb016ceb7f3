import type { Warning } from '../../protocol/result.ts'
import { MAX_WARNINGS, SEVERITIES, warn } from '../../protocol/warnings.ts'
import { jsonText } from '../registry/json-text.ts'

/** Warnings document §6: equal ones merged, the most severe first, no more than ten and a word on the others. */
export function settleWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const merged = mergeEqual(warnings)
  const sorted = merged
    .map((warning, index) => ({ warning, index, rank: SEVERITIES[warning.severity ?? 'medium'] }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ warning }) => warning)
  if (sorted.length <= MAX_WARNINGS) return sorted
  return [...sorted.slice(0, MAX_WARNINGS), warn('WARNINGS_SUPPRESSED', { count: sorted.length - MAX_WARNINGS }, 'low')]
}

/** RES-10: equal code and details are one warning that says how often it occurred. */
function mergeEqual(warnings: readonly Warning[]): readonly Warning[] {
  const seen = new Map<string, { readonly warning: Warning; count: number }>()
  for (const warning of warnings) {
    const key = jsonText([warning.code, warning.details])
    const known = seen.get(key)
    if (known) known.count++
    else seen.set(key, { warning, count: 1 })
  }
  return [...seen.values()].map(({ warning, count }) =>
    count === 1 ? warning : { ...warning, details: { ...warning.details, occurrence_count: count } },
  )
}
