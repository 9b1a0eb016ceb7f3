/** Finds many texts at once, in a time that has a limit whatever they and the searched text are. */
export interface TextFinder {
  readonly has: (text: string) => boolean
  /** Calls `found` with every place where one of them stands. False: that would have taken too long. */
  readonly each: (text: string, work: Work, found: (start: number, end: number) => void) => boolean
}

/** What is left of the time for one task, in units of about two nanoseconds. */
export interface Work {
  left: number
}

/** Some 12 ms on an idle machine. */
export function startWork(): Work {
  return { left: 6_000_000 }
}

/** What it costs to take up a text, to look at one of its positions, and to compare something with it there. */
const TEXT = 400
const POSITION = 4
const COMPARISON = 40

export function createTextFinder(texts: Iterable<string>): TextFinder {
  const all = new Set(texts)
  const lengths = lengthsByFirst(all)
  return {
    has: (text) => all.has(text),
    each(text, work, found) {
      work.left -= TEXT + POSITION * text.length
      if (work.left < 0) return false
      for (let start = 0; start < text.length; start++) {
        for (const length of lengths.get(text.charCodeAt(start)) ?? NONE) {
          if (work.left < 0) return false
          if (start + length > text.length) break // the rest are longer
          work.left -= COMPARISON + length
          if (all.has(text.slice(start, start + length))) found(start, start + length)
        }
      }
      return work.left >= 0
    },
  }
}

/** Of the texts that begin with a character, the lengths that occur, the shortest first. */
function lengthsByFirst(texts: Iterable<string>): ReadonlyMap<number, readonly number[]> {
  const lengths = new Map<number, Set<number>>()
  for (const text of texts) {
    const first = text.charCodeAt(0)
    const known = lengths.get(first)
    if (known) known.add(text.length)
    else lengths.set(first, new Set([text.length]))
  }
  return new Map(Array.from(lengths, ([first, found]) => [first, [...found].toSorted((a, b) => a - b)]))
}

const NONE: readonly number[] = []
