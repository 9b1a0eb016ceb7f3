import type { Clock } from './ports/clock.ts'

/**
 * Time that never runs backwards: the larger of the wall clock and the latest time that the trail knows. A clock that
 * is set back revives no expired token and extends nothing.
 */
export function createSteadyClock(clock: Clock, floor: number): Clock {
  let latest = floor
  return {
    now() {
      const now = clock.now()
      if (now > latest) latest = now
      return latest
    },
  }
}
