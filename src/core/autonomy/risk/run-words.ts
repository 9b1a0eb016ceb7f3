import { matchesGlob } from '../../registry/glob.ts'
import { ADMIN_PROGRAMS } from './admin-programs.ts'
import { ARCHIVE_PROGRAMS } from './archive-programs.ts'
import { firstOf, MOST_DEPTH, spend } from './budget.ts'
import { BUILDER_PROGRAMS } from './builder-programs.ts'
import { FILE_PROGRAMS } from './file-programs.ts'
import { SPOKEN_FLAGS } from './judge-texts.ts'
import { note } from './ledger.ts'
import { words as list, wordSet } from './options.ts'
import { noteGrave } from './program.ts'
import { PROGRAMS } from './programs.ts'
import { READER_PROGRAMS } from './readers.ts'
import { REMOTE_PROGRAMS } from './remote-programs.ts'
import { ANYTHING, isUnknown, known, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { suspect } from './suspect.ts'
import { resolvePath } from './targets.ts'
import { verbKind } from './verbs.ts'

/** AUTO-13: what no table knows is a question, never nothing. */
export const UNKNOWN_PROGRAM = 35
export const UNLISTED = 'no table knows it'
const RUN_TIME_PROGRAM = 50

/** Judges one command: its name, then its words. */
export function runWords(words: readonly string[], scope: Scope, stdin: Stream): Stream {
  scope.depth++
  if (scope.depth > MOST_DEPTH * 2) scope.budget.isSpent = true
  const output = spend(scope.budget, 25 + words.length * 8) ? dispatch(words, scope, stdin) : ANYTHING
  scope.depth--
  return output
}

export function isProgram(word: string): boolean {
  return PROGRAMS.has(nameOf(word))
}

function dispatch(words: readonly string[], scope: Scope, stdin: Stream): Stream {
  const [first = '', ...args] = words
  const plain = known(first)
  if (isUnknown(first)) return runTimeProgram(plain, args, scope, stdin)
  const defined = scope.functions.get(first)
  if (defined) return defined(args, stdin)
  const alias = scope.aliases.get(first)
  if (alias !== undefined) {
    scope.aliases.delete(first)
    return scope.runText([alias, ...args.map(quoted)].join(' '), scope, stdin)
  }
  if (/[*?[]/.test(first) && first !== '[' && first !== '[[') return patternProgram(first, args, scope, stdin)
  const name = nameOf(first)
  const program = PROGRAMS.get(name)
  const [, host, sub] = program ? [] : (/^(git|docker|kubectl|cargo)-([a-z][\w-]*)$/.exec(name) ?? [])
  if (host !== undefined && sub !== undefined) return dispatch([host, sub, ...args], scope, stdin)
  if (!program) return unknownProgram(first, args, scope, stdin)
  if (first.includes('/') && !isSystemPlace(first) && !WRAPPER_SCRIPTS.has(name))
    note(scope.ledger, 35, `${first}: runs a file that is named like ${name}`)
  if (args.length === 1 && args[0] === UNKNOWN && !scope.chosen && CAPABLE.has(name))
    note(scope.ledger, 62, `${name}: all of its words are known only at run time`)
  if (args.length > 0) judgeCarried(name, args, scope, stdin)
  return program({ name, args, scope, stdin }) ?? ANYTHING
}

/** Programs whose words are data, whatever they look like. */
const TAKES_DATA = new Set([...READER_PROGRAMS.map(([name]) => name), 'echo', 'printf', 'git', 'test', '[', 'rm'])
/** Programs of which no table says that their words hold commands: a text among them that is grave may be one. */
const TAKES_TEXTS = new Set(
  [...ADMIN_PROGRAMS, ...BUILDER_PROGRAMS, ...ARCHIVE_PROGRAMS, ...FILE_PROGRAMS, ...REMOTE_PROGRAMS].map(
    ([name]) => name,
  ),
)
/** Flags that are named for the command in their value, and the short ones that mean it. */
const COMMAND_FLAG = /^--(?:[\w-]+-)?(?:exec|command|cmd|pager|rsh|hook|program|extcmd|preview|call)(?:=|$)/
const SHORT_COMMAND_FLAGS: ReadonlyMap<string, string> = new Map([
  ['man', '-P'],
  ['tar', '-I'],
])

/** What any program may be given to run: the value of a flag that is named for it, and what stands behind `--`. */
function judgeCarried(name: string, args: readonly string[], scope: Scope, stdin: Stream): void {
  for (const [at, arg] of args.entries()) {
    if (arg.includes(' ') && !TAKES_DATA.has(name)) judgeEscapes(arg, scope)
    const isFlag = SHORT_COMMAND_FLAGS.get(name) === arg || (arg.startsWith('--') && COMMAND_FLAG.test(arg))
    const isText = TAKES_TEXTS.has(name) && arg.includes(' ') && !SPOKEN_FLAGS.has(args[at - 1] ?? '')
    if (!isFlag && !isText) continue
    const value = arg.startsWith('--') && arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : undefined
    const text = value ?? (isFlag ? (args[at + 1] ?? '') : arg)
    if (text.includes(' ') && (isFlag || isProgram(text.trimStart().split(/\s/, 1)[0] ?? '')))
      noteGrave(scope, (inner) => void inner.runText(text, inner, stdin))
  }
  if (stdin.kind === 'text' && !TAKES_DATA.has(name)) judgeEscapes(stdin.text, scope)
  const behind = TAKES_DATA.has(name) ? [] : args.slice(args.indexOf('--') + 1)
  if (behind.length < args.length && isProgram(behind[0] ?? ''))
    noteGrave(scope, (inner) => void runWords(behind, inner, stdin))
}

/** Programs for which one unknown word may be flags and targets together. */
const CAPABLE = wordSet(
  'rm shred dd truncate chmod chown mkfs wipefs crontab userdel iptables redis-cli mongosh psql mysql kill systemctl unlink',
)

/** Scripts that projects bring along for their build. */
const WRAPPER_SCRIPTS = wordSet('gradlew mvnw configure rails rake artisan manage.py console')

/** `/usr/bin/rm`, `rm.exe`, `RM` where letters do not differ. */
function nameOf(word: string): string {
  if (word.includes(' ')) return word
  const base = word.slice(word.lastIndexOf('/') + 1)
  if (PROGRAMS.has(base)) return base
  const versioned = /^(python|pip|ruby|perl|php|node|lua|gcc|clang|pypy)[\d.-]+$/.exec(base)?.[1]
  if (versioned !== undefined) return versioned
  const bare = base.toLowerCase().replace(/\.(exe|cmd|bat)$/, '')
  if (PROGRAMS.has(bare)) return bare
  const tool = base.includes('-') ? base.replace(/\.sh$/, '') : base
  if (PROGRAMS.has(tool)) return tool
  if (base.startsWith('kafka-')) return 'kafka-topics'
  return base.startsWith('mkfs') ? 'mkfs' : base
}

function isSystemPlace(path: string): boolean {
  return /^(\/usr(\/local)?)?\/s?bin\/|^\/opt\/homebrew\/|^\/usr\/|^\/snap\/bin\/|^\/nix\/|node_modules\/\.bin\//.test(
    path,
  )
}

function runTimeProgram(plain: string, args: readonly string[], scope: Scope, stdin: Stream): Stream {
  note(scope.ledger, RUN_TIME_PROGRAM, 'the program is known only at run time')
  // A variable that is not set leaves the rest of the name.
  if (plain !== '' && isProgram(plain)) return dispatch([plain, ...args], scope, stdin)
  suspect(args, scope)
  return suffixes(args, scope, stdin)
}

const MOST_FITS = 32

/** `/bin/r?` is every program that it fits; of those only what is grave counts. */
function patternProgram(pattern: string, args: readonly string[], scope: Scope, stdin: Stream): Stream {
  const base = pattern.slice(pattern.lastIndexOf('/') + 1).replaceAll(/\[[^\]]*\]/g, '?')
  note(scope.ledger, RUN_TIME_PROGRAM, 'the program is a pattern')
  if (!spend(scope.budget, PROGRAMS.size / 4)) return ANYTHING
  const fits = [...GRAVE_PROGRAMS, ...PROGRAMS.keys()].filter((name) => matchesGlob(base, name))
  for (const name of [...new Set(fits)].slice(0, MOST_FITS))
    noteGrave(scope, (inner) => void dispatch([name, ...args], inner, stdin))
  if (fits.length === 0 || fits.length > MOST_FITS) suspect(args, scope)
  return ANYTHING
}

/** Looked at first where a pattern fits many. */
const GRAVE_PROGRAMS = list(
  'rm dd git sh bash find shred mv chmod chown kill mkfs aws kubectl docker terraform vault rclone rsync xargs truncate',
)

function unknownProgram(first: string, args: readonly string[], scope: Scope, stdin: Stream): Stream {
  const file = scope.files.get(resolvePath(first, scope.cwd))
  if (file?.kind === 'text') return scope.runText(file.text, { ...scope, positionals: [first, ...args] }, stdin)
  if (file?.kind === 'download') note(scope.ledger, 90, `${first}: runs what was just downloaded`)
  const help = args.length === 1 && /^(--help|--version|-V)$/.test(args[0] ?? '')
  note(
    scope.ledger,
    help ? 31 : UNKNOWN_PROGRAM,
    first.includes('/') ? `${first}: runs a file` : `${first}: ${UNLISTED}`,
  )
  if (!first.includes(' ') && verbKind(first.slice(first.lastIndexOf('/') + 1)) === 'destroy')
    note(scope.ledger, 62, `${first}: a name that says what it deletes`)
  if (first.includes(' ')) noteGrave(scope, (inner) => void inner.runText(first, inner, stdin))
  if (stdin.kind === 'text') judgeEscapes(stdin.text, scope)
  suspect(args, scope)
  return suffixes(args, scope, stdin)
}

/** `!rm`, `\\! rm`, `.system rm`: how the orders of many programs leave for a shell. */
const ESCAPE = /(?:^|\n)[ \t]*(?::?!|\\!|\.?(?:system|shell)[ \t])[ \t]*([^\n]+)/g

function judgeEscapes(text: string, scope: Scope): void {
  if (!/[!m\\l]/.test(text) || !spend(scope.budget, text.length / 8)) return
  for (const [, order = ''] of firstOf([...text.matchAll(ESCAPE)], 16, scope.budget))
    noteGrave(scope, (inner) => void inner.runText(order, inner, ANYTHING))
}

const MOST_SUFFIXES = 24

/** What stands behind an unknown program may be what it runs. */
function suffixes(args: readonly string[], scope: Scope, stdin: Stream): Stream {
  let left = MOST_SUFFIXES
  for (const [at, arg] of args.entries()) {
    if (PROSE_WORDS.has(arg)) continue
    const isText = /\s/.test(arg)
    if (!isText && !isProgram(arg)) continue
    if (--left < 0) scope.budget.isSpent = true
    if (scope.budget.isSpent) break
    noteGrave(
      scope,
      (inner) => void (isText ? inner.runText(arg, inner, stdin) : runWords(args.slice(at), inner, stdin)),
    )
  }
  return ANYTHING
}

/** Programs that are English words first; a sentence is full of them. */
const PROSE_WORDS = wordSet('. : [ test find make sort time watch which who type read set file date')

function quoted(word: string): string {
  return word.includes(UNKNOWN) ? '"$unknown_at_run_time"' : `'${word.replaceAll("'", `'\\''`)}'`
}
