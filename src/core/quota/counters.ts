import { type RecordRef, record } from '../ports/store.ts'
import { isCount } from './cost.ts'
import type { Schedule } from './schedule.ts'
import { type Span, spanAt, type Window } from './windows.ts'

/** SESS-04, RATE-15: what an adapter has used. One record, so that it is changed together with a token or not at all. */
export interface Counters {
  readonly version: 1
  readonly counters: Readonly<Record<string, Counter>>
}

/** A request counts from its reservation on: what a crash leaves open stays counted. */
export interface Counter extends Span {
  readonly used: number
  /** RATE-05: what the API itself said is left. */
  readonly reported?: Reported
  /** RATE-05: from `Retry-After`; nothing is sent before. */
  readonly retryAt?: number
}

export interface Reported {
  readonly remaining: number
  readonly until: number
}

/** Whatever is counted over windows under a name: an API limit or a quota. */
export interface Counted {
  readonly key: string
  readonly window: Window
  readonly schedule?: Schedule
}

export function quotaRef(adapter: string): RecordRef<Counters> {
  return record('quota', adapter)
}

/**
 * RATE-15: true for a record that this version cannot read. Nothing is sent until the operator removes it; a start at
 * zero would lift every limit.
 */
export function isBroken(value: unknown): boolean {
  if (value === undefined) return false
  if (!isObject(value) || value.version !== 1 || !isObject(value.counters)) return true
  for (const key of Object.keys(value.counters)) if (!isCounter(value.counters[key])) return true
  return false
}

/** The counter of the window in which `now` lies. */
export function counterAt(counters: Counters | undefined, { key, window, schedule }: Counted, now: number): Counter {
  const stored = counters && Object.hasOwn(counters.counters, key) ? counters.counters[key] : undefined
  if (!stored) return { ...spanAt(window, now, schedule), used: 0 }
  return isCurrent(stored, now) ? stored : { ...stored, ...spanAt(window, now, schedule), used: 0 }
}

/** With these counters in place of the stored ones, and without those that nobody can need any more. */
export function withCounters(counters: Counters | undefined, changed: readonly Changed[], now: number): Counters {
  const next: Record<string, Counter> = {}
  for (const { key, counter } of changed) next[key] = counter
  if (!counters) return { version: 1, counters: next }
  let room = MOST_COUNTERS - changed.length
  for (const key of Object.keys(counters.counters)) {
    const counter = counters.counters[key]
    if (!counter || Object.hasOwn(next, key) || !isAlive(counter, now) || room-- <= 0) continue
    next[key] = counter
  }
  return { version: 1, counters: next }
}

export interface Changed {
  readonly key: string
  readonly counter: Counter
}

/** More than any block can name (64 API limits and 9 quotas): counters of earlier versions of it stay for their window. */
const MOST_COUNTERS = 256

/** A clock that was set back by less than a window does not start a new one. */
function isCurrent({ from, until }: Span, now: number): boolean {
  return now < until && now >= from - (until - from)
}

function isAlive(counter: Counter, now: number): boolean {
  const { until, reported, retryAt } = counter
  return now < Math.max(until, reported?.until ?? 0, retryAt ?? 0)
}

function isCounter(value: unknown): value is Counter {
  if (!isObject(value)) return false
  const { from, until, used, reported, retryAt } = value
  return (
    isCount(from) &&
    isCount(until) &&
    from < until &&
    isCount(used) &&
    (retryAt === undefined || isCount(retryAt)) &&
    (reported === undefined || (isObject(reported) && isCount(reported.remaining) && isCount(reported.until)))
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
