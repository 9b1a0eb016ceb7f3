import { type ParsedScript, parse } from 'unbash'
import { type Budget, spend } from './budget.ts'

export type * from 'unbash'
export { forEachChild } from 'unbash'

/** Unclosed braces cost the parser the square of their number; no command line that people write comes near. */
const MOST_BRACES = 300

/** The tree, or undefined when the text is more work than the budget holds. */
export function parseCommand(source: string, budget: Budget): ParsedScript | undefined {
  const { signs, braces } = weigh(source)
  if (braces > MOST_BRACES || countOf(source, KEYWORDS) > MOST_BRACES) budget.isSpent = true
  return spend(budget, 20 + source.length / 2 + signs * 5) ? parse(source) : undefined
}

/** Words that open a block: deep nests of them cost as braces do. */
const KEYWORDS = /\b(?:then|do|in)\b/g

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Signs of syntax are what parsing costs. */
function weigh(source: string): { readonly signs: number; readonly braces: number } {
  let signs = 0
  let braces = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === 0x7b) braces++
    if (SIGNS.has(code)) signs++
  }
  return { signs, braces }
}

const SIGNS: ReadonlySet<number> = new Set(Array.from('$`"\'\\|&;<>(){}[]*?!=\n', (char) => char.charCodeAt(0)))
