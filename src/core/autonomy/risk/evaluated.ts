import { spend } from './budget.ts'
import { note } from './ledger.ts'
import { known, NOTHING, type Scope } from './scope.ts'

/**
 * A text that bash evaluates a second time: a name with a subscript, arithmetic, a prompt, a list of words. What it
 * substitutes is run, and a name in it stands for a value that is evaluated in turn.
 */
export function judgeEvaluated(text: string, scope: Scope, seen: ReadonlySet<string> = new Set()): void {
  if (!spend(scope.budget, 2 + text.length / 4)) return
  if (SUBSTITUTES.test(text)) runExpanded(known(text), scope)
  for (const [name] of text.matchAll(NAME)) {
    const values = seen.has(name) ? undefined : scope.variables.get(name)
    for (const value of values ?? []) judgeEvaluated(value, scope, new Set([...seen, name]))
    if (scope.budget.isSpent) return
  }
}

/** Words that name variables: a subscript in one is evaluated, also behind a flag (`-va[…]`). */
export function judgeNames(words: readonly string[], scope: Scope): void {
  for (const word of words) if (SUBSCRIPT.test(word)) judgeEvaluated(word, scope)
}

const SUBSTITUTES = /\$[({[]|`|[<>]\(/
const SUBSCRIPT = /^-?[A-Za-z_]\w*\[/
const NAME = /[A-Za-z_]\w*/g
const END = 'END_OF_EVALUATED_TEXT'

/** A here-document is expanded as such a text is: quotes are signs like any other there. */
function runExpanded(text: string, scope: Scope): void {
  if (text.includes(END)) note(scope.ledger, 70, 'a text that is made to be read in two ways')
  scope.runText(`: <<${END}\n${text}\n${END}\n`, scope, NOTHING)
}
