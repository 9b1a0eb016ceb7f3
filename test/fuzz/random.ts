/** A small generator of its own, so that a seed gives the same messages everywhere. */
export interface Random {
  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean
  pick<T>(from: readonly T[]): T
  /** Some of them, in their order. */
  some<T>(from: readonly T[], percent: number): T[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    pick<T>(from: readonly T[]): T {
      return from[below(from.length)] as T
    },
    some: (from, percent) => from.filter(() => next() * 100 < percent),
  }
}
