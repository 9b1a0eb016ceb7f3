import {
  type Changed,
  type Counter,
  type Counters,
  counterAt,
  isBroken,
  type Reported,
  withCounters,
} from './counters.ts'
import { limitsFor } from './endpoint-pattern.ts'
import { parseReset, parseRetryAfter, parseWhole } from './header-times.ts'
import type { ApiLimit, LimitedCall, RateLimits } from './rate-limits.ts'

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * RATE-05: what the API says of its own limits, after each response. Only names that the block declares are read, and
 * `Retry-After`, which holds back every limit that the call counts against. Returns the given counters themselves when
 * nothing changes.
 */
export function observeHeaders(
  counters: Counters | undefined,
  limits: RateLimits,
  call: LimitedCall,
  headers: ResponseHeaders,
  now: number,
): Counters | undefined {
  if (isBroken(counters)) return counters
  const retryAt = parseRetryAfter(headerOf(headers, 'retry-after'), now)
  const changed: Changed[] = []
  for (const limit of limitsFor(limits, call)) {
    const counter = counterAt(counters, limit, now)
    const reported = readReport(limit, counter, headers, now)
    const held = Math.max(retryAt ?? 0, counter.retryAt ?? 0)
    if (reported === counter.reported && held === (counter.retryAt ?? 0)) continue
    const next: Counter = { ...counter, ...(reported && { reported }), ...(held > 0 && { retryAt: held }) }
    changed.push({ key: limit.key, counter: next })
  }
  return changed.length === 0 ? counters : withCounters(counters, changed, now)
}

/**
 * Answers may arrive out of order: of two for the same reset the lower one counts, and one for an earlier reset than
 * the known one is old.
 */
function readReport(limit: ApiLimit, counter: Counter, headers: ResponseHeaders, now: number): Reported | undefined {
  const remaining = limit.remainingHeader ? parseWhole(headerOf(headers, limit.remainingHeader)) : undefined
  const reset = limit.resetHeader ? parseReset(headerOf(headers, limit.resetHeader), now) : undefined
  if (remaining === undefined && reset === undefined) return counter.reported
  const report: Reported = {
    remaining: remaining ?? Math.max(0, limit.limit - counter.used),
    until: reset ?? counter.until,
  }
  const known = counter.reported && now < counter.reported.until ? counter.reported : undefined
  if (!known || report.until > known.until) return report
  if (report.until < known.until || report.remaining >= known.remaining) return known
  return report
}

/** Names of headers have no case; the first of several values counts. */
function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const key = Object.hasOwn(headers, name) ? name : Object.keys(headers).find((key) => key.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return typeof value === 'string' || value === undefined ? value : value[0]
}
