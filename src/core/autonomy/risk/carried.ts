import { firstOf, spend } from './budget.ts'
import { decodedOf } from './decoded.ts'
import { wordSet } from './options.ts'
import { noteGrave } from './program.ts'
import { NOTHING, type Scope } from './scope.ts'

const MOST_PLACES = 24
const LONGEST_PLACE = 400
const LONGEST_CARRIED = 6_000

/**
 * A text that something may run: a word, an input, a file, code of any language. Wherever the name of a known program
 * stands in it, the rest is judged as a command line, and only what is grave counts.
 */
export function judgeCarried(text: string, scope: Scope): void {
  if (text.length < 4 || scope.budget.isSpent) return
  if (text.length > LONGEST_CARRIED) scope.budget.isSpent = true
  if (!spend(scope.budget, text.length / 2)) return
  judgePlaces(text, scope)
  for (const decoded of decodedOf(text.slice(0, LONGEST_CARRIED))) judgePlaces(decoded, scope)
}

function judgePlaces(text: string, scope: Scope): void {
  const places = [...text.slice(0, LONGEST_CARRIED).matchAll(NAME)].filter(([name]) => isRunnable(name, scope))
  for (const { index } of firstOf(places, MOST_PLACES, scope.budget)) {
    if (scope.budget.isSpent) return
    const line = lineAt(text, index)
    if (line !== undefined)
      noteGrave(
        { ...scope, files: new Map(), seen: { ...scope.seen, isTaken: true, isCut: true } },
        (inner) => void inner.runText(line, inner, NOTHING),
      )
  }
}

/** A word that is followed by others: by a blank, or as an item of a list. */
const NAME = /(?<![\w.$~-]|[^n]\/)[A-Za-z][\w.+-]{0,30}(?=\\?["'`]?[ \t,]|\$\{?IFS)/g

/** Names that mean something only as the first word of a whole text, or are words of a language first. */
const UNSPOKEN = wordSet(
  '. : [ batch test make sort time watch which who type read set file date at echo printf print if for in do then else while return import from let var const function export local man cat ls if open write start command exec eval env sh bash sudo task say',
)

export function isRunnable(name: string, { programOf }: Pick<Scope, 'programOf'>): boolean {
  return !UNSPOKEN.has(name) && programOf(name) !== undefined
}

const ENDS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['{', '}'],
  ['[', ']'],
  ['<', '>'],
])

/** The command line that begins here: to the end of its quotes, its bracket or its line. */
function lineAt(text: string, at: number): string | undefined {
  const rest = text.slice(at, at + LONGEST_PLACE)
  const before = text[at - 1] ?? ''
  const isQuoted = before === '"' || before === "'" || before === '`'
  const end = rest.search(/[\n;|&]/)
  const line = end < 0 ? rest : rest.slice(0, end)
  if (isQuoted) {
    const close = line.indexOf(before)
    const inside = close < 0 ? line : line.slice(0, close)
    if (/\s/.test(inside)) return bare(inside)
    // A list of words: each is quoted for itself.
    return bare(cutAt(line, /[)\]}]/))
  }
  const close = ENDS.get(before)
  return bare(
    close === undefined
      ? cutAt(line, /[)}]/)
      : cutAt(line, close === ')' ? /\)/ : close === '}' ? /\}/ : close === ']' ? /\]/ : />/),
  )
}

function cutAt(text: string, sign: RegExp): string {
  const at = text.search(sign)
  return at < 0 ? text : text.slice(0, at)
}

/** Without the signs that other languages put around words. */
function bare(text: string): string {
  return (text.includes('\\') ? text.replaceAll(WINDOWS_PATH, (path) => path.replaceAll(/\\+/g, '/')) : text)
    .replaceAll(/["']?\b\w+["']?\s*[=:]\s*\[/g, ' ')
    .replaceAll(/["'`\\[\](){}<>]|,(?=[\s"'])/g, ' ')
    .trim()
}

/** `.\x`, `C:\x`: the signs between folders are none of another language. */
const WINDOWS_PATH = /(?<![\w.])(?:\.{1,2}|[A-Za-z]:)(?:\\{1,2}[\w.*-]+)+/g
