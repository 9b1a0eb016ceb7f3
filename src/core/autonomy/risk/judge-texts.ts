import { spend } from './budget.ts'
import { judgeCode } from './inline-code.ts'
import { wordSet } from './options.ts'
import { type Call, noteGrave } from './program.ts'
import { ANYTHING } from './scope.ts'
import { judgeSql, looksLikeSql } from './sql.ts'
import type { VerbKind } from './verbs.ts'

export interface FoundVerb {
  readonly verb: string
  readonly kind: VerbKind
  readonly at: number
}

/** Flags whose value is written for people, or picks what is shown. */
const SPOKEN_FLAGS = wordSet(
  '-m -t -b --message --title --body --description --desc --comment --notes --note --reason --name --subject --summary --label --filter --format --output -o --template --jq --query --selector --tag --tags',
)
const TAKES_SQL = wordSet('--command --cmd --sql --query --statement --execute --exec --eval --script -c -e -q -Q')
/** Flags and verbs behind which the code of a framework stands: `rails runner …`, `tinker --execute=…`. */
const RUNS_CODE = wordSet(
  '-e -c -r -x --eval --execute --exec --command --code --run runner r eval php:eval ev eval-file shell console run execute exec script tinker',
)
const CODE = /\(|::|;|\w\.\w*_\w|\w\.delete/
/** Verbs that take code from their input. */
const RUNS_INPUT = wordSet('shell shell_plus console tinker runner repl')
/** Verbs that take statements from their input. */
const TAKES_STATEMENTS = wordSet('dbshell dbconsole psql mysql sql db:shell sqlc execute')
const RUNS = wordSet('sql query execute exec run ssh console shell run-command send-command cmd.run')

/** Texts among the words are what a command line runs elsewhere: `ssh console -C '…'`, `--parameters commands='…'`. */
export function judgeTexts({ args, name, scope, stdin }: Call, found: FoundVerb | undefined): void {
  for (const [at, arg] of args.entries()) {
    const [, given, value] = /^-{0,2}([\w.-]+)=([\s\S]*)$/.exec(arg) ?? []
    const flag = given === undefined ? (args[at - 1] ?? '') : `--${given}`
    const text = value ?? arg
    const isCode = RUNS_CODE.has(flag) && CODE.test(text) && !/^([a-z]\w*:\/\/|[./~])/.test(text)
    if (!(arg.includes(' ') || isCode) || !spend(scope.budget, arg.length / 4)) continue
    const isSql = looksLikeSql(text)
    if (isCode) noteGrave(scope, (inner) => judgeCode('other', text, { name, scope: inner }))
    if (isSql && (TAKES_SQL.has(flag) || RUNS.has(flag))) judgeSql(text, scope, name)
    else if (!isSql && (found?.kind !== 'read' || RUNS.has(found.verb)) && !SPOKEN_FLAGS.has(flag))
      noteGrave(scope, (inner) => void inner.runText(text, inner, ANYTHING))
  }
  if (stdin.kind === 'text' && args.some((arg) => RUNS_INPUT.has(arg) || TAKES_STATEMENTS.has(arg))) {
    noteGrave(scope, (inner) => judgeCode('other', stdin.text, { name, scope: inner }))
    if (looksLikeSql(stdin.text) || args.some((arg) => TAKES_STATEMENTS.has(arg))) judgeSql(stdin.text, scope, name)
  }
  if (!found || !RUNS.has(found.verb)) return
  const words = args.slice(found.at + 1)
  const first = words.findIndex((word) => !word.startsWith('-'))
  if (first >= 0) noteGrave(scope, (inner) => void inner.runWords(words.slice(first), inner, ANYTHING))
}
