import { type Counters, counterAt, isBroken } from './counters.ts'
import type { ApiLimit, Metric, Quota, RateLimits } from './rate-limits.ts'
import { type QuotaState, roomIn, shownAmount, stateOf } from './thresholds.ts'
import { type ApiWindow, isoTime } from './windows.ts'

/** RATE-14: the answer to `quota_status`. It changes nothing. */
export interface QuotaStatus {
  readonly adapter: string
  /** By scope: `global`, `category:read`, `endpoint:POST /search`; a second window of a scope has it in its name. */
  readonly api_limits: Readonly<Record<string, ApiLimitStatus>>
  readonly quotas: readonly QuotaRow[]
  /** The earliest of all resets; null when nothing is limited. */
  readonly next_reset: string | null
}

export interface ApiLimitStatus {
  readonly limit: number
  readonly remaining: number
  readonly window: ApiWindow
  readonly resets_at: string
}

export interface QuotaRow {
  readonly metric: Metric
  readonly current: number
  readonly warn: number
  readonly pause: number
  readonly hard_stop?: number
  readonly status: QuotaState
  readonly currency?: string
}

export function quotaStatus(
  counters: Counters | undefined,
  limits: RateLimits,
  adapter: string,
  now: number,
): QuotaStatus | 'broken' {
  if (isBroken(counters)) return 'broken'
  const rooms = limits.apiLimits.map((limit) => ({ limit, ...roomIn(limit, counterAt(counters, limit, now), now) }))
  const quotas = limits.quotas.map((quota) => ({ quota, counter: counterAt(counters, quota, now) }))
  const resets = [...rooms.map(({ resetsAt }) => resetsAt), ...quotas.map(({ counter }) => counter.until)]
  const api_limits: Record<string, ApiLimitStatus> = {}
  for (const { limit, remaining, resetsAt } of rooms) {
    const scope = scopeName(limit)
    api_limits[Object.hasOwn(api_limits, scope) ? limit.key : scope] = {
      limit: limit.limit,
      remaining,
      window: limit.window,
      resets_at: isoTime(resetsAt),
    }
  }
  return {
    adapter,
    api_limits,
    quotas: quotas.map(({ quota, counter }) => rowOf(quota, counter.used)),
    next_reset: resets.length > 0 ? isoTime(Math.min(...resets)) : null,
  }
}

/** AUDIT-05: the quotas whose state differs between two moments of the counters, with the old and the new one. */
export function quotaChanges(
  before: Counters | undefined,
  after: Counters | undefined,
  limits: RateLimits,
  now: number,
): readonly QuotaChange[] {
  if (before === after || isBroken(before) || isBroken(after)) return []
  return limits.quotas.flatMap((quota) => {
    const { used } = counterAt(after, quota, now)
    const change = { old: stateOf(quota, counterAt(before, quota, now).used), new: stateOf(quota, used) }
    return change.old === change.new ? [] : [{ metric: quota.metric, current: shownAmount(quota, used), ...change }]
  })
}

/** AUDIT-05: a hard stop that only the estimate of a call would pass; the counters know nothing of it. */
export function quotaStops(
  counters: Counters | undefined,
  { metric, current }: Pick<QuotaChange, 'metric' | 'current'>,
  limits: RateLimits,
  now: number,
): readonly QuotaChange[] {
  const quota = limits.quotas.find((each) => each.metric === metric)
  const old = quota ? stateOf(quota, counterAt(counters, quota, now).used) : 'exhausted'
  return old === 'exhausted' ? [] : [{ metric, current, old, new: 'exhausted' }]
}

export interface QuotaChange {
  readonly metric: Metric
  readonly current: number
  readonly old: QuotaState
  readonly new: QuotaState
}

function scopeName({ scope, endpoint, category }: ApiLimit): string {
  const name = endpoint ?? category
  return name === undefined ? scope : `${scope}:${name}`
}

function rowOf(quota: Quota, used: number): QuotaRow {
  return {
    metric: quota.metric,
    current: shownAmount(quota, used),
    warn: shownAmount(quota, quota.warn),
    pause: shownAmount(quota, quota.pause),
    ...(quota.hardStop !== undefined && { hard_stop: shownAmount(quota, quota.hardStop) }),
    status: stateOf(quota, used),
    ...(quota.currency !== undefined && { currency: quota.currency }),
  }
}
