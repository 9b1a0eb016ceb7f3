/** Bytes that the server keeps for one request: what has arrived of its body, or an answer that is not read yet. */
export interface Share {
  grow(by: number): void
  release(): void
}

/** `giveUp` is called at most once, when the bytes have to go. */
export type ByteBudget = (key: string, giveUp: () => void) => Share

/** So little is kept without being counted: the number of connections bounds it, and it always finds room. */
export const UNCOUNTED_BYTES = 32_768

/**
 * At most so many bytes for all callers together. Beyond that the caller who holds most gives something up, so that none
 * takes the room of another: first what it has held for long, then its largest, among equals the oldest.
 */
export function createByteBudget(most: number, now: () => number = () => performance.now()): ByteBudget {
  const all = new Set<Held>()
  let total = 0

  const release = (held: Held): void => {
    if (all.delete(held)) total -= held.bytes
  }

  return (key, giveUp) => {
    const held: Held = { key, bytes: 0, since: now(), giveUp }
    all.add(held)
    return {
      grow(by) {
        if (!all.has(held)) return
        held.bytes += by
        total += by
        while (total > most) {
          const given = toGiveUp([...all], now())
          release(given)
          given.giveUp()
        }
      },
      release: () => release(held),
    }
  }
}

/** Long enough to send a body of the largest size, or to read such an answer, on one computer. */
const SLOW_MS = 2_000

interface Held {
  readonly key: string
  readonly since: number
  readonly giveUp: () => void
  bytes: number
}

/** `all` is in the order of age and not empty. */
function toGiveUp(all: readonly Held[], now: number): Held {
  const sums = new Map<string, number>()
  for (const { key, bytes } of all) sums.set(key, (sums.get(key) ?? 0) + bytes)
  const largestSum = Math.max(...sums.values())
  const theirs = all.filter(({ key }) => sums.get(key) === largestSum)
  const slow = theirs.find(({ since }) => now - since > SLOW_MS)
  return slow ?? theirs.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest))
}
