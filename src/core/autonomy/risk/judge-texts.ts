import { spend } from './budget.ts'
import { note } from './ledger.ts'
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
const RUNS = wordSet('sql query execute exec run ssh console shell run-command send-command cmd.run')

/** Texts among the words are what a command line runs elsewhere: `ssh console -C '…'`, `--parameters commands='…'`. */
export function judgeTexts(
  { args, name, scope }: Pick<Call, 'args' | 'name' | 'scope'>,
  found: FoundVerb | undefined,
): void {
  for (const [at, arg] of args.entries()) {
    if (!arg.includes(' ') || !spend(scope.budget, arg.length / 4)) continue
    const [, given, value] = /^-{0,2}([\w.-]+)=([\s\S]*)$/.exec(arg) ?? []
    const flag = given === undefined ? (args[at - 1] ?? '') : `--${given}`
    const text = value ?? arg
    const isSql = looksLikeSql(text)
    if (
      /\b(delete_all|destroy_all|deleteMany|drop_table|truncate_all|delete_all_objects)\b|objects\.all\(\)\.delete/.test(
        text,
      )
    )
      note(scope.ledger, 66, `${name}: code that deletes rows`)
    if (isSql && (TAKES_SQL.has(flag) || RUNS.has(flag))) judgeSql(text, scope, name)
    else if (!isSql && (found?.kind !== 'read' || RUNS.has(found.verb)) && !SPOKEN_FLAGS.has(flag))
      noteGrave(scope, (inner) => void inner.runText(text, inner, ANYTHING))
  }
  if (!found || !RUNS.has(found.verb)) return
  const words = args.slice(found.at + 1)
  const first = words.findIndex((word) => !word.startsWith('-'))
  if (first >= 0) noteGrave(scope, (inner) => void inner.runWords(words.slice(first), inner, ANYTHING))
}
