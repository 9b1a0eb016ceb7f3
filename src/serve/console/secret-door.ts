import { randomInt } from 'node:crypto'

/**
 * How secrets that are typed at the sign-in page take their turn. Everybody on this computer can reach that page, so
 * nothing here ever locks: a guess is slow, one is looked at at a time, and each lane has its own delay. An address
 * tells nobody apart on the loopback interface, where any process can use any of them; a lane is therefore a browser
 * that has signed in before, or all others together.
 */
export interface SecretDoor {
  /** `busy`: too many try at the same time, and this one was not looked at. */
  enter<T>(lane: string, check: () => Promise<T | undefined>): Promise<T | undefined | 'busy'>
}

export interface DoorLimits {
  /** How many of one lane may wait. Which of them has to go when there are more is chance. */
  readonly room: number
  /** Wrong ones in a row before the lane is slowed down. */
  readonly free: number
  readonly firstMs: number
  readonly longestMs: number
  /** Whoever has waited so long is told to try again. */
  readonly patienceMs: number
  /** A lane without a wrong secret for so long begins anew. */
  readonly forgetMs: number
}

export const DOOR: DoorLimits = {
  room: 8,
  free: 4,
  firstMs: 200,
  longestMs: 1_500,
  patienceMs: 4_000,
  forgetMs: 600_000,
}

interface Lane {
  readonly waiting: Set<Waiting>
  wrong: number
  wrongAt: number
  opensAt: number
}

interface Waiting {
  /** Looks at it, and says whether it was right. */
  readonly look: () => Promise<boolean>
  readonly leave: () => void
}

export function createSecretDoor(limits: DoorLimits = DOOR): SecretDoor {
  /** The one that was served longest ago comes first. */
  const lanes = new Map<string, Lane>()
  let isLooking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const laneOf = (name: string, now: number): Lane => {
    for (const [key, { waiting, wrongAt }] of lanes)
      if (waiting.size === 0 && now - wrongAt > limits.forgetMs) lanes.delete(key)
    const known = lanes.get(name) ?? { waiting: new Set<Waiting>(), wrong: 0, wrongAt: now, opensAt: 0 }
    lanes.set(name, known)
    return known
  }

  const serve = () => {
    if (isLooking) return
    clearTimeout(timer)
    const now = performance.now()
    const asking = [...lanes].filter(([, { waiting }]) => waiting.size > 0)
    const next = asking.find(([, { opensAt }]) => opensAt <= now)
    if (next) return void look(...next)
    if (asking.length === 0) return
    timer = setTimeout(serve, Math.min(...asking.map(([, { opensAt }]) => opensAt)) - now + 1).unref()
  }

  const look = async (name: string, lane: Lane) => {
    isLooking = true
    lanes.delete(name)
    lanes.set(name, lane)
    const chosen = anyOf(lane.waiting)
    lane.waiting.delete(chosen)
    const isRight = await chosen.look()
    lane.wrongAt = performance.now()
    lane.wrong = isRight ? 0 : lane.wrong + 1
    lane.opensAt = lane.wrongAt + delayMs(lane.wrong, limits)
    isLooking = false
    serve()
  }

  return {
    enter<T>(name: string, check: () => Promise<T | undefined>) {
      return new Promise<T | undefined | 'busy'>((resolve, reject) => {
        const lane = laneOf(name, performance.now())
        const leave = () => {
          clearTimeout(late)
          lane.waiting.delete(self)
          resolve('busy')
        }
        const late = setTimeout(leave, limits.patienceMs).unref()
        const self: Waiting = {
          async look() {
            clearTimeout(late)
            try {
              const found = await check()
              resolve(found)
              return found !== undefined
            } catch (error) {
              reject(error)
              return true
            }
          },
          leave,
        }
        lane.waiting.add(self)
        if (lane.waiting.size > limits.room) anyOf(lane.waiting).leave()
        serve()
      })
    },
  }
}

function delayMs(wrong: number, { free, firstMs, longestMs }: DoorLimits): number {
  return wrong < free ? 0 : Math.min(firstMs * 2 ** (wrong - free), longestMs)
}

/** Chance, so that whoever comes first or last, and however often, is not always the one that stays. */
function anyOf(waiting: ReadonlySet<Waiting>): Waiting {
  return [...waiting][randomInt(waiting.size)] as Waiting
}
