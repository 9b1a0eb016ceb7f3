import { UNKNOWN } from './scope.ts'

/** The text with each pair of quotes and what stands between given to `replace`. One pass: what has no end stays. */
export function replaceQuoted(
  text: string,
  quotes: string,
  replace: (inner: string, quote: string) => string,
  hasEscapes = false,
): string {
  const ends = new Set(quotes)
  let result = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const quote = text[at] ?? ''
    if (hasEscapes && quote === '\\') at++
    if (!ends.has(quote)) continue
    const end = endOf(text, quote, at + 1, hasEscapes && quote !== "'")
    // No later quote of this kind can find an end either.
    if (end < 0) ends.delete(quote)
    else {
      result += text.slice(from, at) + replace(text.slice(at + 1, end), quote)
      from = end + 1
      at = end
    }
  }
  return result + text.slice(from)
}

function endOf(text: string, quote: string, from: number, hasEscapes: boolean): number {
  if (!hasEscapes) return text.indexOf(quote, from)
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return -1
}

/** A command line without what stands in quotes. */
export function withoutQuoted(commandLine: string): string {
  return replaceQuoted(commandLine, `'"`, () => ' ', true)
}

/** The word as a shell is told to take it whole. */
export function quoted(word: string): string {
  return word.includes(UNKNOWN) ? '"$unknown_at_run_time"' : `'${word.replaceAll("'", `'\\''`)}'`
}
