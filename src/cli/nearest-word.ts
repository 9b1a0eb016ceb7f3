import { nearestNames } from '../core/introspection/letter-pairs.ts'

/** What is longer is no slip of the finger. */
const LONGEST = 40

/** The word that was probably meant. A slip in a short word leaves few pairs of letters, so slips are counted first. */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined
  const most = Math.max(1, Math.floor(given.length / 4))
  const [best] = words
    .map((word) => ({ word, slips: slipsBetween(given, word) }))
    .filter(({ word, slips }) => slips <= most && slips < word.length - 1)
    .sort((a, b) => a.slips - b.slips)
  return best?.word ?? nearestNames(given, words, 1)[0]
}

/** Letters added, left out, changed, or swapped with their neighbour (optimal string alignment). */
function slipsBetween(given: string, word: string): number {
  let before: number[] = []
  let row = Array.from({ length: word.length + 1 }, (_, at) => at)
  for (let i = 1; i <= given.length; i++) {
    const next = [i]
    for (let j = 1; j <= word.length; j++) {
      const isSame = given[i - 1] === word[j - 1]
      const isSwapped = i > 1 && j > 1 && given[i - 1] === word[j - 2] && given[i - 2] === word[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[word.length] ?? 0
}
