import { ARCHIVE_PROGRAMS } from './archive-programs.ts'
import { BUILTINS } from './builtins.ts'
import { isRunnable } from './carried.ts'
import { COMMAND_LINES } from './command-lines.ts'
import { FILE_PROGRAMS } from './file-programs.ts'
import { judgeCode } from './inline-code.ts'
import { wordSet } from './options.ts'
import { KEEPS_WORDS, PLAIN_READERS } from './plain-readers.ts'
import { type Call, noteGrave } from './program.ts'
import { isProgram } from './program-names.ts'
import { PROGRAMS } from './programs.ts'
import { READER_PROGRAMS } from './readers.ts'
import { judgeWritten } from './redirects.ts'
import { type Scope, type Stream, UNKNOWN } from './scope.ts'
import { takesSpoken } from './spoken-input.ts'
import { SPREADERS } from './spread.ts'
import { looksLikeSql } from './sql.ts'
import { WRAPPER_PROGRAMS } from './wrappers.ts'

const READS = new Set(READER_PROGRAMS.map(([name]) => name))
/** Programs whose words are data, whatever they look like: they print, look, or tell people. */
const TAKES_DATA = new Set([
  ...READS,
  ...wordSet('echo printf test [ [[ rm notify-send say espeak logger wall write mail mailx sendmail xmessage wl-copy'),
  // What they send is for the other side to judge.
  ...wordSet('curl wget http https xh httpie'),
])
/** Programs whose texts the walk follows as the shell does, quotes and all. */
const FOLLOWS = new Set([
  ...[...BUILTINS, ...SPREADERS, ...WRAPPER_PROGRAMS].map(([name]) => name),
  ...wordSet('sh bash dash ash ksh mksh rbash posh yash'),
])
/** Programs that do not run what stands in files beside them. */
const KEEPS_FILES = new Set([...FOLLOWS, ...[...FILE_PROGRAMS, ...ARCHIVE_PROGRAMS].map(([name]) => name), 'git'])
/** Readers and editors that take their orders from a file when they are told to. */
const ORDERS: ReadonlyMap<string, RegExp> = new Map(
  [...wordSet('awk gawk mawk nawk sed gsed vim vi nvim ex ed emacs nano jq bc dc gnuplot less')].map((name) => [
    name,
    /^(-[a-zA-Z]*[fSsulx]|--?(file|script|load|from-file|source|cmd|quick)\b.*)$/,
  ]),
)
/** Flags whose value is written for people. */
const SPOKEN_FLAGS = wordSet(
  '-m -t -b --message --title --body --description --desc --comment --notes --note --reason --subject --summary --label --name --tag --tags -k --grep --testNamePattern --test-name-pattern',
)
/** Command lines of many orders; some run what stands behind the order. */
const HAS_ORDERS = new Set(COMMAND_LINES.map(([name]) => name))
/** Sub-commands of git that take words for people, or search for words. */
const SPOKEN_GIT = wordSet('commit tag notes stash merge log show grep diff blame shortlog rev-list cherry-pick revert')

/** What a program is given may be what it runs, unless it is known to be data or the walk follows it anyway. */
export function judgeWords(name: string, args: readonly string[], scope: Scope, stdin: Stream): void {
  const isData = TAKES_DATA.has(name) || (name === 'mcpaql' && args[0] === 'risk')
  // Some readers have a language of their own, with words for a shell in it.
  const mayRun = READS.has(name) && !PLAIN_READERS.has(name) && !KEEPS_WORDS.has(name)
  const isKept = isData || KEEPS_FILES.has(name)
  if (!isKept || args.some((arg) => ORDERS.get(name)?.test(arg))) judgeWritten(scope)
  const isSpoken = takesSpoken(name, args)
  if (!isData && !isSpoken && stdin.kind === 'text' && !FOLLOWS.has(name) && name !== 'ssh' && !PRINTS.test(stdin.text))
    scope.judgeCarried(stdin.text, scope)
  if (isData && stdin.kind === 'text')
    for (const [, order = ''] of stdin.text.slice(0, 2_000).matchAll(ESCAPE)) scope.judgeCarried(order, scope)
  if (args.length === 0 || FOLLOWS.has(name) || name === 'ssh') return
  const texts = isData && !mayRun ? ordersOf(args) : name === 'git' ? ofGit(args) : unspoken(name, args)
  for (const text of texts) {
    scope.judgeCarried(text, scope)
    // The value of a letter in the same word.
    if (/^-\w/.test(text)) scope.judgeCarried(text.slice(2), scope)
    judgeHeldCode(text, { name, scope })
  }
  if (mayRun) judgeInside(args, scope, stdin)
  // What is changed in place may run later.
  if (isData && args.some((arg) => IN_PLACE.test(arg)))
    scope.files.set(`${UNKNOWN}${name}`, { kind: 'unknown', made: args.join('\n') })
  const inner = HAS_ORDERS.has(name)
    ? args.findIndex((arg, at) => at > 1 && isRunnable(arg, scope) && !SPOKEN_FLAGS.has(args[at - 1] ?? ''))
    : -1
  if (inner > 0) noteGrave(scope, (apart) => void apart.runWords(args.slice(inner), apart, stdin))
  const behind = isData && !mayRun ? [] : args.slice(args.indexOf('--') + 1)
  if (behind.length < args.length && isProgram(behind[0] ?? ''))
    noteGrave(scope, (inner) => void inner.runWords(behind, inner, stdin))
}

/** Code among the words of any program: a call that starts something or deletes trees, in whatever language. */
function judgeHeldCode(text: string, { name, scope }: Pick<Call, 'name' | 'scope'>): void {
  if (text.length > LONGEST_CODE || !GRAVE_CALL.test(text)) return
  noteGrave(scope, (inner) => judgeCode('other', text, { name, scope: inner }))
}

const LONGEST_CODE = 3_000
const GRAVE_CALL =
  /\b(?:system|popen[23]?|exec(?:Sync|File|FileSync|v[ep]?|l[ep]?)?|spawn(?:Sync)?|shell_exec|passthru|check_(?:call|output)|Popen|rmtree|rmSync|rmdirSync|unlinkSync|rm_rf|rm_r|remove_tree|rimraf|remove_dir_all|RemoveAll|removedirs)\s{0,4}\(|\b(?:child_process|subprocess|shutil|FileUtils)\b/

/** `spin rm -rf x`: a reader may start what its words name. */
function judgeInside(args: readonly string[], scope: Scope, stdin: Stream): void {
  const at = args.findIndex((arg, i) => i < args.length - 1 && /^[\w./-]+$/.test(arg) && isRunnable(arg, scope))
  if (at >= 0) noteGrave(scope, (inner) => void inner.runWords(args.slice(at), inner, stdin))
}

/** How the orders of many programs leave for a shell: `!rm`, `~!rm`, `\\! rm`. */
const ESCAPE = /^[ \t]*[~:\\]?!([^\n]+)/gm

const IN_PLACE = /^(-[a-zA-Z]*i(\..*)?|--in-?place(=.*)?)$/

/** `less +!…`, `rg --pre …`, `sort --compress-program=…`: what even a reader may run. */
function ordersOf(args: readonly string[]): readonly string[] {
  return args.filter((arg, at) => {
    if (!/\s/.test(arg)) return false
    const before = args[at - 1] ?? ''
    const flag = arg.startsWith('--') && arg.includes('=') ? arg.slice(0, arg.indexOf('=')) : before
    return (
      /^(\+|:?!)/.test(arg) || (/^(--[\w-]+|-P|-I)$/.test(flag) && !DATA_FLAGS.has(flag) && !SPOKEN_FLAGS.has(flag))
    )
  })
}

const DATA_FLAGS = wordSet(
  '--regexp --regex --grep --arg --argjson --include --exclude --glob --fixed-strings --word-regexp --ignore-case --recursive --line-number --prompt --header --text --title --data --data-raw --data-binary --data-urlencode --json --form --user-agent',
)

function ofGit(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg, i) => !arg.startsWith('-') && !/^-[cC]$/.test(args[i - 1] ?? ''))
  const scanned = SPOKEN_GIT.has(args[at] ?? '') ? args.slice(0, at) : args
  return scanned.filter((arg, i) => /\s/.test(arg) && !SPOKEN_FLAGS.has(scanned[i - 1] ?? ''))
}

/** Code of one statement that prints. */
const PRINTS = /^\s*(print|puts|echo|say|printf|console\.log)\b\s*(?:\(\s*)?(['"])[^'"$`#{]*\2\s*(?:\)\s*)?(?:;\s*)?$/

/** A statement is judged as one; only these words let it leave the database. */
function isQuery(text: string): boolean {
  return looksLikeSql(text) && !/program|shell|exec|system|language|edit\s*\(|[|\\!]/i.test(text)
}

function unspoken(name: string, args: readonly string[]): readonly string[] {
  const isKnown = PROGRAMS.has(name)
  return args.filter((arg, at) => {
    if (!/[\s,$]|^.{10}/.test(arg) || PRINTS.test(arg) || isQuery(arg)) return false
    const flag = arg.startsWith('--') && arg.includes('=') ? arg.slice(0, arg.indexOf('=')) : (args[at - 1] ?? '')
    return !isKnown || !SPOKEN_FLAGS.has(flag) || /^\s*[|!]/.test(arg)
  })
}
