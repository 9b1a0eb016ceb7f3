import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.ts'
import { pressure } from './calibrate.ts'
import type { Kind, Pick } from './kinds.ts'
import type { Measured } from './measured-server.ts'

/** `npm run test:stall` searches long and prints the worst request of each kind; the suite looks at a few of each. */
export const IS_LONG = process.env.MCPAQL_STALL === 'full'
const TRIES = IS_LONG ? 40 : 3
export const MOST_MS = 250
/** The largest request, less what JSON-RPC puts around it. */
const ROOM = 1_048_576 - 400

/** Where the requests of a kind go. */
export interface Target {
  /** Resolves with the size of the request once it is answered. */
  readonly send: (request: unknown) => Promise<number>
  readonly measured: () => Promise<Measured>
}

export interface Worst extends Measured {
  readonly seed: number
  readonly bytes: number
}

export async function searchWorst(kind: Kind, target: Target): Promise<Worst> {
  let worst: Worst = { stallMs: 0, rssBytes: 0, seed: 0, bytes: 0 }
  for (let seed = 1; seed <= TRIES; seed++) {
    const found = await measure(kind, seed, target)
    const rssBytes = Math.max(worst.rssBytes, found.rssBytes)
    worst = found.stallMs > worst.stallMs ? { ...found, rssBytes } : { ...worst, rssBytes }
  }
  if (worst.stallMs < MOST_MS / 2 && !IS_LONG) return worst
  return { ...worst, stallMs: await settled(kind, worst.seed, target) }
}

/** A collection of garbage or another program may fall anywhere; what is really dear is dear most of the time. */
async function settled(kind: Kind, seed: number, target: Target): Promise<number> {
  const found: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = pressure()
    const { stallMs } = await measure(kind, seed, target)
    found.push(stallMs / Math.max(before, pressure()))
  }
  return found.sort((a, b) => a - b)[1] ?? 0
}

export async function measure(kind: Kind, seed: number, target: Target): Promise<Worst> {
  const request = kind.make(ROOM, pickBy(seed))
  await target.measured()
  const bytes = await target.send(request)
  await sleep(20)
  return { ...(await target.measured()), seed, bytes }
}

export function pickBy(seed: number): Pick {
  const { pick, below } = createRandom(seed)
  return { of: pick, int: (least, most) => least + below(most - least + 1) }
}
