import { type Arguments, askedBy, isMisfit, readArguments } from '../../read-arguments.ts'
import { act } from './actions.ts'
import { note } from './ledger.ts'
import { judgeOperatorWords } from './operator-words.ts'
import { splitOptions, wordSet } from './options.ts'
import { OWN_COMMANDS, type OwnCommand, RUNNER_OUTPUTS, RUNNER_VALUES } from './own-commands.ts'
import { isOwnModule, isOwnPackage, type OwnFile, ownFileAt } from './own-files.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { fileScore } from './run-file.ts'
import { isUnknown, known, NOTHING, type Scope, type Stream } from './scope.ts'

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
  for (const path of outputsOf(command, given)) act(scope, `mcpaql ${first}`, 'write', path)
  if (deed === 'operates') return operates(first, scope)
  if (deed === 'tells') return said(scope, TELLS, `${first} tells`)
  return connects(first, deed, given, scope)
}

/** The files that a command line writes, as its own options say. */
function outputsOf({ options }: Pick<OwnCommand, 'options'>, { values }: Pick<Arguments, 'values'>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    options[name]?.writes === true && typeof value !== 'boolean' ? value : [],
  )
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

/** With these a server asks a human less, lets the client answer for one, or keeps to another store or other callers. */
const LOOSENS = /^(trust|policy-file|config|profile|store|http-allowed-hosts|http-allowed-origins)$/
/** What of this computer alone can be reached: `7420`, `localhost:7420`. */
const STAYS_LOCAL = /^(\d*|(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])(:\d*)?)$/
/** Variables that say where the store and the settings are. */
const PLACES = /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_(STATE|CONFIG|DATA)_(HOME|DIRS))$/

/** Whoever starts a server on stdio is its client, and answers its forms: there it must not send any. */
function connects(verb: string, deed: 'calls' | 'serves' | 'tests', { values }: Arguments, scope: Scope): undefined {
  const isLoose = Object.entries(values).some(
    ([name, value]) =>
      LOOSENS.test(name) ||
      (name === 'safety-mode' && value !== 'enforcing') ||
      (name === 'elicitation' && value === true) ||
      (/^http(-host)?$/.test(name) && !STAYS_LOCAL.test(String(value))) ||
      (value === false && !KEEPS_ASKING.has(name)),
  )
  const isElsewhere = scope.seen.isForeign === true || [...scope.variables.keys()].some((one) => PLACES.test(one))
  if (isElsewhere && deed !== 'tests')
    return said(scope, LOOSE, `${verb}: with another store, or without settings of the operator`)
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
  // One of them is refused there, and is an output under the other name of the suite.
  for (const [flag, path] of splitOptions(args, RUNNER_VALUES).given)
    if (RUNNER_OUTPUTS.has(flag)) act(scope, 'mcpaql-conformance', 'write', path)
  return said(scope, SERVES, 'conformance: serves or calls operations')
}

function operates(verb: string, scope: Scope): undefined {
  return said(scope, OPERATOR_SCORE, `${known(verb)}: answers for the operator, or changes what is asked`)
}

/** Runs the program behind its file; false where the file is another one. */
export function runOwnFile(path: string, given: readonly string[], scope: Scope, stdin: Stream): boolean {
  const file = ownFileAt(path, scope)
  if (!file) {
    if (scope.seen.copiesOwn) noteGrave(scope, (inner) => void inner.runWords(['mcpaql', ...given], inner, stdin))
    return false
  }
  runAs(file, path, given, scope, stdin)
  return true
}

function runAs({ program, isOnlyNamed }: OwnFile, path: string, given: readonly string[], scope: Scope, stdin: Stream) {
  if (isOnlyNamed) note(scope.ledger, fileScore(path, scope), `${path}: runs a file that is named like mcpaql`)
  scope.runWords([program, ...given], scope, stdin)
}

/** Among the words of a program that runs files: the program behind the first that is its file. */
export function runOwnAmong(words: readonly string[], scope: Scope, stdin: Stream): boolean {
  for (const [at, word] of words.slice(0, MOST_WORDS).entries()) {
    const name = word.startsWith('npm:') && isOwnPackage(word) ? OWN : ownFileAt(word, scope)
    if (!name || (name.isOnlyNamed && !/[/\\]/.test(word)) || !mayBeOrder(words[at + 1])) continue
    runAs(name, word, words.slice(words[at + 1] === '--' ? at + 2 : at + 1), scope, stdin)
    return true
  }
  return false
}

/** A file of the program among other files is looked at, or changed. */
function mayBeOrder(word: string | undefined): boolean {
  return askedBy(word) !== undefined || word === undefined || isUnknown(word) || OWN_COMMANDS.has(word) || word === '--'
}

const OWN: OwnFile = { program: 'mcpaql', isOnlyNamed: false }
const MOST_WORDS = 24

/** Loading the program runs it, with the words of whatever is started. */
export function judgeOwnLoad(name: string, path: string, scope: Scope): boolean {
  const isOwn = isOwnModule(path, scope)
  if (isOwn) note(scope.ledger, OPERATOR_SCORE, `${name}: loads mcpaql into a program`)
  return isOwn
}

/** Programs that give a file another name, or another place. */
const COPIES = wordSet(
  'cp ln mv install rsync ditto link gcp gln mklink copy xcopy robocopy copy-item move-item new-item',
)
/** Programs that run a script, and that no table follows there. */
const RUNS_SCRIPTS = wordSet(
  'nodemon pm2 pm2-dev pm2-runtime forever supervisor electron vite-node tsnd ts-node-dev node-dev babel-node swc-node esr sucrase-node tsc-watch onchange chokidar zx 0x clinic ndb',
)

/** The last word is mostly where the copy goes: a folder that is called like the program. */
function isCopied(word: string, isLast: boolean, scope: Scope): boolean {
  const file = ownFileAt(word, scope)
  return file !== undefined && !(isLast && file.isOnlyNamed)
}

/** A link, a copy, or a program that starts scripts: what is started is the program, whatever it is called. */
function judgeOwnFiles(name: string, args: readonly string[], scope: Scope): void {
  if (COPIES.has(name) && args.slice(0, MOST_WORDS).some((arg, at) => isCopied(arg, at === args.length - 1, scope)))
    scope.seen.copiesOwn = true
  if (!RUNS_SCRIPTS.has(name)) return
  noteGrave(scope, (inner) => void runOwnAmong(args, inner, NOTHING))
  const at = args.findIndex((arg) => /^[^-].*[./]/.test(arg))
  if (at >= 0) judgeOperatorWords(args[at] ?? '', args.slice(at + 1), scope)
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
  judgeOwnFiles(name, args, scope)
  judgeOtherEnvironment(name, args, scope)
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

/** Programs that run another one with an environment of another account. */
const OF_OTHERS = wordSet('sudo doas su runuser pkexec runas')
const FORGETS = /^(-i|-|--ignore-environment|-c)$/

/** What starts with less of the operator's environment, or with other folders, has another store and other settings. */
function judgeOtherEnvironment(name: string, args: readonly string[], scope: Scope): void {
  for (const variable of takenAway(name, args)) judgeTakenAway(variable, scope)
  if (scope.seen.isForeign || !args.some((arg) => /mcpaql|cli/.test(arg))) return
  const isForeign =
    OF_OTHERS.has(name) ||
    (/^(env|exec)$/.test(name) && args.some((arg) => FORGETS.test(arg) || /^-(?=[a-z0]*i)[a-z0]+$/.test(arg))) ||
    args.some((arg) => PLACES.test(arg.split('=', 1)[0] ?? ''))
  if (!isForeign) return
  const seen = { ...scope.seen, isForeign: true }
  noteGrave(scope, (inner) => void inner.runWords([name, ...args], { ...inner, seen }, NOTHING))
}

function takenAway(name: string, args: readonly string[]): readonly string[] {
  if (name === 'unset' || (/^(export|declare|typeset)$/.test(name) && args.some((arg) => /^-\w*n|^\+\w*x/.test(arg))))
    return args.filter((arg) => !arg.startsWith('-'))
  if (name !== 'env') return []
  return args.flatMap((arg, at) =>
    /^(-[a-z0]*u|--unset)$/.test(args[at - 1] ?? '') ? [arg] : (/^(?:-u|--unset=)(\w+)$/.exec(arg)?.[1] ?? []),
  )
}

/** The same as setting it to something else. */
function judgeTakenAway(variable: string, scope: Scope): void {
  if (/^MCPAQL_\w/.test(known(variable)))
    note(scope.ledger, LOOSE, `${known(variable)}: takes away what the operator set`)
}
