import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import type { Call, Programs } from './program.ts'
import { fileScore } from './run-file.ts'
import { isUnknown, known, type Scope, type Stream } from './scope.ts'

/** This program: what only tells is harmless; what answers for the operator, or changes what is asked, is the operator's. */
export const OWN_PROGRAM: Programs = [
  ['mcpaql', mcpaql],
  ['mcpaql-safety-dongle', (call) => mcpaql({ ...call, args: ['safety', ...call.args] })],
  ['mcpaql-conformance', (call) => mcpaql({ ...call, args: ['conformance', ...call.args] })],
]

const OPERATOR_SCORE = 72
const SERVES = 26
const TELLS = 12

const TELLING = wordSet('introspect measure explain risk approvals blocks help version')
const OPERATING = wordSet('approve deny verify block unblock secret safety')
/** Of these one sub-command or one flag only tells. */
const TELLS_WHEN: ReadonlyMap<string, (words: readonly string[], args: readonly string[]) => boolean> = new Map([
  ['audit', ([verb = '']) => /^(tail|verify|export)$/.test(verb)],
  ['client', ([verb = '']) => verb === 'list'],
  ['console', (_, args) => args.includes('--check')],
  ['hook', ([verb = '']) => verb === 'doctor'],
  ['trust', (words, args) => words.length < 2 && !args.some((arg) => arg.startsWith('--reason'))],
])
/** Starts a server, or calls one. */
const SERVING = wordSet('serve call conformance')
/** Loads the source that it is given. */
const SOURCED = wordSet('serve call conformance introspect measure explain trust')
/** With these a server asks a human less, or lets the client answer for one. */
const LOOSENS = /^--(safety-mode|trust|elicitation|allow|no-|policy|config|profile)/
const TIGHT = /^--(safety-mode(=enforcing)?|no-(open|color|json))$/

function mcpaql({ args, scope, stdin }: Call): Stream | undefined {
  const behind = args.indexOf('--')
  const own = behind < 0 ? args : args.slice(0, behind)
  const plain = own.map(known)
  if (plain.some((arg) => /^(--help|-h|--version|-V)$/.test(arg))) return said(scope, 6, 'shows its help or version')
  const [verb = '', ...words] = plain.filter((arg) => !arg.startsWith('-'))
  if (behind >= 0) scope.runWords(args.slice(behind + 1), scope, stdin)
  if (SOURCED.has(verb)) judgeSource(verb, words, scope)
  if (own.length === 0 || TELLING.has(verb)) return said(scope, TELLS, 'tells')
  if (own.some((arg) => isUnknown(arg) && known(arg) === '')) return operates(verb, scope)
  if (SERVING.has(verb)) return serves(verb, plain, scope)
  const tells = TELLS_WHEN.get(verb)
  if (tells?.(words, plain)) return said(scope, TELLS, `${verb} tells`)
  return tells || OPERATING.has(verb) ? operates(verb, scope) : said(scope, 35, 'a command that no table knows')
}

function operates(verb: string, scope: Scope): undefined {
  return said(scope, OPERATOR_SCORE, `${verb}: answers for the operator, or changes what is asked`)
}

/** A source that is a file is code that runs. */
function judgeSource(verb: string, words: readonly string[], scope: Scope): void {
  const file = words.find((word) => /\.[cm]?[jt]sx?$/.test(word))
  if (file !== undefined) note(scope.ledger, fileScore(file, scope), `mcpaql ${verb}: runs a file`)
}

function serves(verb: string, plain: readonly string[], scope: Scope): undefined {
  const isLoose = plain.some(
    (arg, at) => LOOSENS.test(arg) && !(TIGHT.test(arg) && (arg.includes('=') || plain[at + 1] === 'enforcing')),
  )
  if (verb === 'serve' && isLoose) return said(scope, 64, 'serve: asks a human less, or by other settings')
  return said(scope, SERVES, `${verb}: serves or calls operations`)
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
