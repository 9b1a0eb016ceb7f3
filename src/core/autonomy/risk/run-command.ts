import { giveVariable, judgeVariable } from './environment-variables.ts'
import { judgeEvaluated } from './evaluated.ts'
import { expandText, expandWord } from './expand-words.ts'
import { note } from './ledger.ts'
import { ENVIRONMENT_NAME } from './named-environment.ts'
import type { Assignment, Command } from './parse-command.ts'
import { nameOf } from './program-names.ts'
import { redirect } from './redirects.ts'
import { ENVIRONMENT, known, NOTHING, type Scope, type Stream } from './scope.ts'
import { judgeNamedVariables, keepSecrets, loadedIn } from './secret-variables.ts'
import { judgeSentVariables } from './sent-secrets.ts'

/** A simple command: assignments, redirects, then the words. */
export function runCommand(node: Command, scope: Scope, stdin: Stream): Stream {
  const before = scope.chosen
  const listedBefore = scope.listed
  const named = environmentsOf(node, scope)
  for (const prefix of node.prefix)
    if (prefix.type === 'Assignment') assign(prefix, scope, node.name ? giveVariable : judgeVariable)
  const isKept = KEEPS.has(node.name?.value ?? '')
  const words = [
    ...(node.name ? expandWord(node.name, scope) : []),
    ...node.args.flatMap((arg) =>
      arg.type === 'Assignment'
        ? [assign(arg, scope, judgeVariable)]
        : taken(isKept, arg.text, scope, () => expandWord(arg, scope)),
    ),
  ]
  if (words.length === 0 && node.prefix.length > 0) note(scope.ledger, 6, 'sets a variable')
  const given = words.length > 0 ? judgeNamedVariables(node, words, scope) : []
  const loaded = loadedIn(node, scope)
  judgeSentVariables(nameOf(known(words[0] ?? '')), words.slice(1), [...given, ...loaded], scope)
  const { input, keep } = redirect(node.redirects, scope, stdin, isBlank(words) ? '' : (words[0] ?? ''))
  const isFiled = scope.seen.isFiled ?? false
  scope.seen.isFiled = isFiled || node.redirects.some((one) => /^&?>/.test(one.operator))
  const written =
    words.length === 0 ? NOTHING : runGiven(goesOn(scope) ? [...given, ...loaded] : given, words, scope, input)
  scope.seen.isFiled = isFiled
  const isMade = written.kind === 'unknown' && node.redirects.length > 0
  const output = keep(isMade ? { kind: 'unknown', made: words.join('\n') } : written)
  // Variables set for a program are given to it.
  if (words.length > 0)
    for (const prefix of node.prefix)
      if (prefix.type === 'Assignment') scope.judgeCarried(scope.variables.get(prefix.name)?.join(' ') ?? '', scope)
  // What `read` chose stays for the loop; what a substitution chose ends with the command.
  if (words[0] !== 'read') scope.chosen = before
  if (words.length > 0 && !/^(mapfile|readarray)$/.test(words[0] ?? '')) scope.listed = listedBefore
  // Which database is meant is said for one program.
  if (words.length > 0) for (const [name, values] of named) scope.variables.set(name, values)
  return output
}

/** Whatever runs the words for this command is given the same secrets. */
function runGiven(given: readonly string[], words: readonly string[], scope: Scope, input: Stream): Stream {
  const { seen } = scope
  const before = seen.given
  if (given.length > 0) seen.given = [...(before ?? []), ...given].slice(0, MOST_GIVEN)
  const written = scope.runWords(words, scope, input)
  seen.given = before
  return written
}

/** What is written becomes a part of another command, or is what one reads. */
function goesOn({ seen }: Scope): boolean {
  return seen.isCaptured === true || seen.into !== undefined
}

const MOST_GIVEN = 64

function environmentsOf({ prefix }: Command, { variables }: Scope): readonly (readonly [string, readonly string[]])[] {
  return prefix.flatMap((one) =>
    one.type === 'Assignment' && ENVIRONMENT_NAME.test(one.name)
      ? [[one.name, variables.get(one.name) ?? ['']] as const]
      : [],
  )
}

/** `export $(grep -v '^#' .env | xargs)`: what is read becomes variables. */
const KEEPS: ReadonlySet<string> = new Set(['export', 'env', 'declare', 'local', 'readonly'])

/** True while words are expanded whose output goes nowhere else. */
function taken<T>(isKept: boolean, text: string, { seen }: Scope, expand: () => T): T {
  const before = seen.isTaken ?? false
  seen.isTaken = before || (isKept && !/[<>&;]|\btee\b|\/dev\//.test(text))
  const expanded = expand()
  seen.isTaken = before
  return expanded
}

/** `echo > file` leaves an empty line of it. */
function isBlank(words: readonly string[]): boolean {
  return words[0] === 'echo' && words.slice(1).every((word) => /^(-[neE]+)?$/.test(word))
}

/** Sets the variable and gives the assignment as a word, for `export` and its kin. */
function assign(node: Assignment, scope: Scope, judge: typeof judgeVariable): string {
  const { name, value, append, index } = node
  const values =
    value.type === 'ArrayValue'
      ? value.elements.flatMap((word) => expandWord(word, scope)).map((item) => keyed(name, item, scope))
      : [taken(true, value.text, scope, () => expandText(value, scope))]
  const { exported } = scope.seen
  const given = exported?.has('*') || exported?.has(name) ? giveVariable : judge
  given(scope.aliases.get(`declare -n ${name}`) ?? name, values.join(' '), scope)
  const text = value.type === 'ArrayValue' ? value.elements.map((element) => element.text).join(' ') : value.text
  keepSecrets(name, text, scope, append)
  if (index) {
    judgeEvaluated(expandText(index, scope), scope)
    if (name === 'BASH_ALIASES' && scope.aliases.size < 64)
      scope.aliases.set(expandText(index, scope), values.join(' '))
    const at = Number(expandText(index, scope))
    const before = [...(scope.variables.get(name) ?? [])]
    if (Number.isInteger(at) && at >= 0 && at < 64) before[at] = values.join(' ')
    else scope.variables.set(`${name}[${expandText(index, scope)}]`, values)
    scope.variables.set(
      name,
      Array.from(before, (item) => item ?? ''),
    )
  } else
    scope.variables.set(
      name,
      append ? appended(scope.variables.get(name) ?? environmentOf(name), values, value.type === 'ArrayValue') : values,
    )
  return `${name}=${values.join(' ')}`
}

/** `([key]=value)`: kept under its key, and among the values. */
function keyed(name: string, item: string, scope: Scope): string {
  const [, key, value] = /^\[([^\]]*)\]=([\s\S]*)$/.exec(item) ?? []
  if (key === undefined || value === undefined) return item
  scope.variables.set(`${name}[${key}]`, [value])
  return value
}

function environmentOf(name: string): readonly string[] | undefined {
  const value = ENVIRONMENT.get(name)
  return value === undefined ? undefined : [value]
}

function appended(
  before: readonly string[] | undefined,
  values: readonly string[],
  isList: boolean,
): readonly string[] {
  if (!before) return values
  return isList ? [...before, ...values] : [(before[0] ?? '') + (values[0] ?? ''), ...before.slice(1)]
}
