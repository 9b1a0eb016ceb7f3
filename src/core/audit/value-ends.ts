import { hasRandomPart } from './secret-form.ts'

/** Where the values in a text end: one word as a shell reads it, which is quoted pieces and what stands between them. */
export interface ValueEnds {
  /** At once where no value begins. */
  readonly valueEnd: (start: number) => number
  /**
   * Where a quotation ends, -1 where it does not. What a shell would run inside of double quotes ends it too, so that it
   * stays in sight.
   */
  readonly quotedEnd: (start: number, quote: string) => number
}

/**
 * Values may begin inside one another, as in `pw=/pw=/pw=/…`, and end at the same place. What was read once is not read
 * again, so that all of them together take linear time. In a text that is cut, a quotation may go on behind its end.
 */
export function createValueEnds(text: string, isCut: boolean): ValueEnds {
  const chainEnds = new Map<number, number>()
  let lastBare = { start: 0, end: 0 }

  function valueEnd(start: number): number {
    VARIABLE.lastIndex = start
    const [variable = ''] = VARIABLE.exec(text) ?? []
    if (variable !== '' && !(variable.startsWith('%') && hasRandomPart(variable))) return start
    const first = quotationAt(start)
    if (!first) return bareEnd(start)
    return first.isClosed ? chainEnd(first.end) : first.end
  }

  /** The end of the pieces that follow a closed quotation. */
  function chainEnd(first: number): number {
    const passed: number[] = []
    let at = first
    let end = chainEnds.get(at)
    while (end === undefined) {
      passed.push(at)
      const next = quotationAt(at)
      if (next?.isClosed) {
        at = next.end
        end = chainEnds.get(at)
      } else end = next ? next.end : (matchEnd(BEHIND_QUOTES, at) ?? at)
    }
    for (const each of passed) chainEnds.set(each, end)
    return end
  }

  function quotationAt(at: number): { readonly end: number; readonly isClosed: boolean } | undefined {
    const quote = quoteAt(text, at)
    const end = quote === '' ? -1 : quotedEnd(at + quote.length, quote)
    if (end < 0) return undefined
    const isClosed = text.startsWith(quote, end)
    return { end: isClosed ? end + quote.length : end, isClosed }
  }

  /** From any place in a run of bare letters, but not from the second letter of an escape, the run ends at the same place. */
  function bareEnd(start: number): number {
    const from = start + quoteAt(text, start).length
    if (from >= lastBare.start && from < lastBare.end && text[from - 1] !== '\\') return lastBare.end
    const end = matchEnd(BARE, from)
    if (end === undefined) return start
    lastBare = { start: from, end }
    return end
  }

  function quotedEnd(start: number, quote: string): number {
    const inner = quote === '"' ? IN_DOUBLE : quote === "'" ? IN_SINGLE : IN_ESCAPED
    const end = Math.max(start, matchEnd(inner, start) ?? 0)
    return end < text.length || isCut ? end : -1
  }

  function matchEnd(piece: RegExp, at: number): number | undefined {
    piece.lastIndex = at
    return piece.test(text) ? piece.lastIndex : undefined
  }

  return { valueEnd, quotedEnd }
}

/** The quotation mark at a place, also one that is escaped. */
export function quoteAt(text: string, at: number): string {
  return /^\\?["']/.exec(text.slice(at, at + 2))?.[0] ?? ''
}

/** A variable alone names a secret and holds none. */
const VARIABLE = /(?:\$(?:env:)?[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}|%\w+%)(?=[\s"'&;,|<>()`]|$)|\$\(/y
const BARE = /(?:[^\s"'&;,|<>()`$\\]|\$(?![({A-Za-z_])|\\[^\sA-Za-z0-9"']|\\ |,(?![\s"']|[\w.-]{1,64}\s{0,3}[:=]|$))+/y
const BEHIND_QUOTES = /[\w.+/=!@#%^*~-]+/y
const IN_DOUBLE = /(?:[^"\\$`]|\\[\s\S]|\$(?!\())*/y
const IN_SINGLE = /[^']*/y
const IN_ESCAPED = /(?:[^\\$`]|\\(?!["'])|\$(?!\())*/y
