import { type RecordRef, record } from '../ports/store.ts'

/** OOB-12: failed attempts of one agent, or of a principal that names challenges which do not exist. */
export interface Attempts {
  /** Times of the last failures, oldest first. */
  readonly failures: readonly number[]
  readonly lastAt: number
  readonly windowMs: number
  /** The limit is exceeded at present. */
  readonly violated: boolean
}

export const ATTEMPTS = { most: 10, windowMs: 60_000, longestMs: 3_600_000 } as const

export function attemptsRef(subject: string): RecordRef<Attempts> {
  return record('attempts', subject)
}

export type Admission =
  | { readonly kind: 'admitted'; readonly next: Attempts }
  | { readonly kind: 'limited'; readonly next: Attempts; readonly retryAfterSeconds: number }

/** Asked before the code is compared. OOB-13: each new violation lasts twice as long as the one before, up to an hour. */
export function admitAttempt(attempts: Attempts = NONE, now: number): Admission {
  const { lastAt, windowMs, violated } = attempts
  const failures = attempts.failures.filter((at) => at > now - windowMs)
  if (failures.length >= ATTEMPTS.most) {
    const [oldest = now] = failures
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000))
    return { kind: 'limited', next: { ...attempts, failures, violated: true }, retryAfterSeconds }
  }
  if (lastAt <= now - ATTEMPTS.longestMs) return { kind: 'admitted', next: NONE }
  if (!violated) return { kind: 'admitted', next: { ...attempts, failures } }
  const wider = Math.min(2 * windowMs, ATTEMPTS.longestMs)
  return { kind: 'admitted', next: { failures: [], lastAt, windowMs: wider, violated: false } }
}

export function withFailure({ failures, windowMs, violated }: Attempts, now: number): Attempts {
  return { failures: [...failures, now].slice(-ATTEMPTS.most), lastAt: now, windowMs, violated }
}

const NONE: Attempts = { failures: [], lastAt: 0, windowMs: ATTEMPTS.windowMs, violated: false }
