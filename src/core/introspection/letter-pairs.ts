/** Below this likeness a name is no suggestion. */
const LEAST_LIKENESS = 0.35

/** Names of more letters are compared by their first ones. */
const LONGEST_COMPARED = 100

/** The names that look most like one, best first, in the given order among equals: for "did you mean". */
export function nearestNames(name: string, names: Iterable<string>, limit: number): string[] {
  const wanted = letterPairs(plain(name))
  const likely: { name: string; likeness: number }[] = []
  for (const candidate of names) {
    const likeness = dice(wanted, letterPairs(plain(candidate)))
    if (likeness >= LEAST_LIKENESS) likely.push({ name: candidate, likeness })
  }
  likely.sort((a, b) => b.likeness - a.likeness)
  return likely.slice(0, limit).map((found) => found.name)
}

/** The pairs of neighbouring letters of a word, as sorted numbers. */
export function letterPairs(word: string): Uint32Array {
  const pairs = new Uint32Array(Math.max(0, word.length - 1))
  for (let at = 0; at < pairs.length; at++) pairs[at] = word.charCodeAt(at) * 65_536 + word.charCodeAt(at + 1)
  return pairs.sort()
}

/** Twice the pairs in common over all pairs: 1 for the same word, 0 for nothing in common. */
export function dice(a: Uint32Array, b: Uint32Array): number {
  if (a.length === 0 || b.length === 0) return 0
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] ?? 0
    const right = b[j] ?? 0
    if (left === right) common++
    if (left <= right) i++
    if (right <= left) j++
  }
  return (2 * common) / (a.length + b.length)
}

/** One spelling for createIssue, create-issue and create_issue. */
function plain(name: string): string {
  return name
    .slice(0, LONGEST_COMPARED)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replace(/[-\s]/g, '_')
    .toLowerCase()
}
