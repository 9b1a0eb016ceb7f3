/**
 * Lets every other request have its turn. One that is large, or that has many entries, would otherwise hold them up for
 * as long as all of its own work takes.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A turn for the others, but only once the own work has taken `TURN_MS`: a turn costs as much as a small operation. */
export function createTurns(now: () => number): () => Promise<void> | undefined {
  let since = now()
  return () => {
    if (Math.abs(now() - since) < TURN_MS) return undefined
    return nextTurn().then(() => {
      since = now()
    })
  }
}

const TURN_MS = 5
