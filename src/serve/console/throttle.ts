import type { Clock } from '../../core/ports/clock.ts'

/** Five failures, then a delay that doubles with each further one. */
export const THROTTLE = { free: 5, firstMs: 30_000, mostMs: 900_000 } as const

export interface Throttle {
  /** Until when nothing is looked at; undefined when a try is possible. */
  lockedUntil(): number | undefined
  /** How many tries are left before the delay. */
  triesLeft(): number
  failed(): void
  succeeded(): void
}

export function createThrottle(clock: Clock): Throttle {
  let failures = 0
  let until = 0
  return {
    lockedUntil: () => (clock.now() < until ? until : undefined),
    triesLeft: () => Math.max(0, THROTTLE.free - failures),
    failed() {
      failures++
      const over = failures - THROTTLE.free
      if (over >= 0) until = clock.now() + Math.min(THROTTLE.firstMs * 2 ** over, THROTTLE.mostMs)
    },
    succeeded() {
      failures = 0
      until = 0
    },
  }
}
