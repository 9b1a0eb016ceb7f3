import { type RecordRef, record } from '../ports/store.ts'

/**
 * What the gate remembers of one session: which questions are open, what was refused for good, and how often tokens
 * were asked for or guessed (TOK-18, SELF-11, SELF-13). It ends with the session.
 */
export interface Desk {
  readonly principal: string
  /** Whoever holds the session; when it is gone, so is the session (SESS-02). */
  readonly opener: string
  /** Scope (operation and parameters) → the id of the request that waits for it. */
  readonly live: Readonly<Record<string, string>>
  /** Scopes that a human has denied: refused for the rest of the session. */
  readonly denied: Readonly<Record<string, true>>
  readonly denials: Readonly<Record<string, number>>
  /** Times of the last issues and failed validations. */
  readonly issues: readonly number[]
  /** Where many share the principal: characters of the session's questions, by the minute in which they were asked. */
  readonly sizes?: Readonly<Record<string, number>>
  readonly failures: readonly number[]
}

export const TOKEN_RATES = { windowMs: 60_000, issues: 30, failures: 10, denials: 3 } as const

export function deskRef(session: string): RecordRef<Desk> {
  return record('desk', session)
}

export function emptyDesk(principal: string, opener: string): Desk {
  return { principal, opener, live: {}, denied: {}, denials: {}, issues: [], failures: [] }
}

/** What one request is about, as a key: two calls with the same scope are the same question. */
export function scopeKey(adapter: string, operation: string, paramsHash: string): string {
  return `${adapter} ${operation} ${paramsHash}`
}

/** A retry is a question of its own: whoever is asked about it is told which execution failed. */
export function retryScope(scope: string, execution: string | undefined): string {
  return execution === undefined ? scope : `${scope} retry ${execution}`
}

/** SELF-11: what a human denies is the deed, whether it was asked for as a retry or not. */
export function deniedScope(scope: string, execution: string | undefined): string {
  return execution === undefined ? scope : scope.slice(0, -retryScope('', execution).length)
}

/** Times that still count, and how long to wait when they are too many. */
export function recent(times: readonly number[], now: number, windowMs: number): readonly number[] {
  return times.filter((time) => time > now - windowMs && time <= now)
}

export function retryAfterSeconds(times: readonly number[], now: number, windowMs: number): number {
  const oldest = times[0] ?? now
  return Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000))
}

export function without<T>(map: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = map
  return rest
}
