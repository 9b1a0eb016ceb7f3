import { type Arguments, askedBy, isMisfit, readArguments } from '../../read-arguments.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { OWN_COMMANDS, type OwnCommand } from './own-commands.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { fileScore } from './run-file.ts'
import { isUnknown, known, type Scope } from './scope.ts'

/** This program: what only tells is harmless; what answers for the operator, or changes what is asked, is the operator's. */
export const OWN_PROGRAM: Programs = [
  ['mcpaql', mcpaql],
  ['mcpaql-safety-dongle', (call) => mcpaql({ ...call, args: ['safety', ...call.args] })],
  ['mcpaql-conformance', runner],
]

const OPERATOR_SCORE = 72
const LOOSE = 64
const SERVES = 26
const TELLS = 12

/** Judged by the reader of the command line itself: what that refuses, or no table knows, is the operator's. */
function mcpaql(call: Call): undefined {
  const { args, scope } = call
  const [first = '', ...rest] = args
  if (askedBy(args[0])) return said(scope, 6, 'shows its help or version')
  const command = OWN_COMMANDS.get(first)
  if (!command || command.takesCommand) judgeStarted(rest, call)
  const given = command && readArguments(command, rest.map(known))
  if (!given || isMisfit(given)) return operates(first, scope)
  if (command.loads) judgeSources(first, given.positionals, scope)
  const deed = typeof command.deed === 'string' ? command.deed : command.deed(given)
  if (rest.some((arg) => isOpen(arg, command))) return operates(first, scope)
  if (given.values.help === true) return said(scope, 6, 'shows its help or version')
  if (deed === 'operates') return operates(first, scope)
  if (deed === 'tells') return said(scope, TELLS, `${first} tells`)
  return connects(first, deed, given, scope)
}

/** A word that is known only at run time, where it could change what the command does. */
function isOpen(arg: string, { deed }: OwnCommand): boolean {
  if (!isUnknown(arg) || deed === 'tells') return false
  return (deed !== 'calls' && deed !== 'tests') || known(arg) === ''
}

/** What stands behind `--`, or behind a word that may become one, is a command to start. */
function judgeStarted(words: readonly string[], { scope, stdin }: Call): void {
  const at = words.findIndex((word) => known(word) === '--')
  if (at >= 0) scope.runWords(words.slice(at + 1), scope, stdin)
  for (const [i, word] of words.slice(0, at < 0 ? words.length : at).entries())
    if (word.includes('\0')) noteGrave(scope, (inner) => void inner.runWords(words.slice(i + 1), inner, stdin))
}

/** A source that is a file is code that runs. */
function judgeSources(verb: string, positionals: readonly string[], scope: Scope): void {
  for (const file of positionals.filter((word) => /\.[cm]?[jt]sx?$/.test(word)))
    note(scope.ledger, fileScore(file, scope), `mcpaql ${verb}: runs a file`)
}

/** With these a server asks a human less, or lets the client answer for one. */
const LOOSENS = /^(trust|policy-file|config|profile)$/

/** Whoever starts a server on stdio is its client, and answers its forms: there it must not send any. */
function connects(verb: string, deed: 'calls' | 'serves' | 'tests', { values }: Arguments, scope: Scope): undefined {
  const isLoose = Object.entries(values).some(
    ([name, value]) =>
      LOOSENS.test(name) ||
      (name === 'safety-mode' && value !== 'enforcing') ||
      (name === 'elicitation' && value === true) ||
      (value === false && !KEEPS_ASKING.has(name)),
  )
  if (isLoose && deed !== 'tests') return said(scope, LOOSE, `${verb}: asks a human less, or by other settings`)
  const isOverHttp = values.http !== undefined || values['http-port'] !== undefined
  if (deed === 'serves' && !isOverHttp && values.elicitation !== false)
    return said(scope, LOOSE, `${verb}: whoever starts it on stdio can answer its forms in place of a human`)
  return said(scope, SERVES, `${verb}: serves or calls operations`)
}

/** Turned off, these ask a human no less. */
const KEEPS_ASKING = wordSet('elicitation json')

/** The suite under its other name, with a command line of its own: it decides nothing. */
function runner(call: Call): undefined {
  const { args, scope } = call
  judgeSources('conformance', args.map(known), scope)
  judgeStarted(args, call)
  return said(scope, SERVES, 'conformance: serves or calls operations')
}

function operates(verb: string, scope: Scope): undefined {
  return said(scope, OPERATOR_SCORE, `${known(verb)}: answers for the operator, or changes what is asked`)
}

/** The program of the package, wherever it is installed or copied to. */
export function isOwnProgram(path: string): boolean {
  return /(^|\/)(mcpaql|dist\/src\/cli|src\/cli)\/(?:[^/]+\/)*bin\.[cm]?[jt]s$|(^|\/)\.bin\/mcpaql$/.test(path)
}

/** Programs that find a process, and those that end one. */
const FINDS = wordSet('lsof pgrep pidof ps grep egrep rg awk fuser ss netstat cat')
const ENDS = wordSet(
  'kill killall pkill skill fuser systemctl service launchctl taskkill stop-process pm2 supervisorctl docker podman kill-port fkill tmux screen',
)
const ENDING = /^(kill|stop|delete|down|rm|restart|disable|mask|unload|bootout|remove|kill-\w+)$/
const JUDGE = /mcpaql|(?:^|[:\s])742[012](?:\D|$)/

/** What becomes of this program itself: another version of it, or the end of a server that judges. */
export function judgeOwn(name: string, args: readonly string[], scope: Scope): void {
  if (MANAGERS.has(name) && args.some((arg) => CHANGING.test(arg)) && args.some((arg) => PACKAGE.test(known(arg))))
    note(scope.ledger, OPERATOR_SCORE, `${name}: changes the program that asks`)
  judgeEnding(name, args, scope)
}

const MANAGERS = wordSet('npm pnpm yarn bun volta')
const CHANGING = /^(install|i|add|update|up|upgrade|uninstall|remove|rm|un|r|link|unlink|rebuild|patch|global)$/
/** The package by its name or as a folder, also one that pretends to be it. */
const PACKAGE = /^mcpaql(@.*)?$|[/@-]mcpaql\/?$|@(npm|file|link):.*mcpaql/

/** What was found by its name or its port: what asks next may be another one. */
function judgeEnding(name: string, args: readonly string[], scope: Scope): void {
  if (!FINDS.has(name) && !ENDS.has(name)) return
  const isNamed = args.some((arg) => JUDGE.test(known(arg)) || namesOwnPort(arg, scope))
  if (isNamed && FINDS.has(name)) scope.seen.judge = true
  if (!ENDS.has(name) || (!isNamed && !(scope.seen.judge && (args.some(isUnknown) || scope.chosen)))) return
  const ends = /kill/.test(name) ? !args.includes('-l') : args.some((arg) => ENDING.test(arg) || /^-\w*k/.test(arg))
  if (ends) note(scope.ledger, OPERATOR_SCORE, `${name}: ends a server of mcpaql`)
}

function namesOwnPort(arg: string, { own }: Scope): boolean {
  return own?.ports?.some((port) => new RegExp(`(^|:)${port}(/|$)`).test(known(arg))) ?? false
}

function said(scope: Scope, score: number, why: string): undefined {
  note(scope.ledger, score, `mcpaql: ${why}`)
  return undefined
}
