import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'

/**
 * The latest time that the trail knows is the floor; a clock behind it is told of. What is written in batches may stand
 * behind what is newer, and an entry that was damaged has no time.
 */
export async function openSteadyClock(store: Store, clock: Clock): Promise<Clock> {
  const newest = await store.trail.read({ limit: NEWEST })
  const floor = Math.max(0, ...newest.map(({ entry }) => Date.parse(entry.timestamp)).filter(Number.isFinite))
  const now = clock.now()
  if (now + 1_000 < floor) {
    const timestamp = new Date(floor).toISOString()
    const entry = { timestamp, event: 'CLOCK_ROLLED_BACK', old: timestamp, new: new Date(now).toISOString() } as const
    await store.update({}, () => ({ audit: [entry], result: undefined }))
  }
  return createSteadyClock(clock, floor)
}

const NEWEST = 1_000

/**
 * Time that never runs backwards: the larger of the wall clock and the latest time that the trail knows. A clock that
 * is set back revives no expired token and extends nothing.
 */
function createSteadyClock(clock: Clock, floor: number): Clock {
  let latest = floor
  return {
    now() {
      const now = clock.now()
      if (now > latest) latest = now
      return latest
    },
  }
}
