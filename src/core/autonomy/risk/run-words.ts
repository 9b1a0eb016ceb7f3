import { matchesGlob } from '../../registry/glob.ts'
import { MOST_DEPTH, spend } from './budget.ts'
import { isCmdlet, judgeCmdlet } from './cmdlets.ts'
import { COMMAND_LINES } from './command-lines.ts'
import { DATABASE_PROGRAMS } from './database-programs.ts'
import { withAdded } from './environment-arguments.ts'
import { giveVariable } from './environment-variables.ts'
import { GIT_PROGRAMS } from './git.ts'
import { judgePlaces } from './judge-places.ts'
import { judgeWords } from './judge-words.ts'
import { note } from './ledger.ts'
import { listedFiles } from './listed-files.ts'
import { judgeLoads } from './loaded-files.ts'
import { judgeOperatorWords } from './operator-words.ts'
import { words as list, wordSet } from './options.ts'
import { judgeOutputs } from './outputs.ts'
import { judgeOwn, runOwnAmong, runOwnFile } from './own-program.ts'
import { judgeInto } from './processes.ts'
import { judgeApart, noteGrave } from './program.ts'
import { isProgram, nameOf } from './program-names.ts'
import { PROGRAMS } from './programs.ts'
import { quoted } from './quoted.ts'
import { writtenFile } from './redirects.ts'
import { fileScore, judgeFileName } from './run-file.ts'
import { ANYTHING, isUnknown, known, LISTING, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { judgeSearch, judgeSending, listsSecrets, markSecrets } from './secrets.ts'
import { judgeSentFiles } from './sent-files.ts'
import { judgeCarriedVariables } from './sent-secrets.ts'
import { suspect } from './suspect.ts'
import { resolvePath } from './targets.ts'

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
  if (/[*?[]|[@+!]\(/.test(first) && first !== '[' && first !== '[[') return patternProgram(first, args, scope, stdin)
  const name = nameOf(first)
  if (scope.lacksCmdlets && isCmdlet(first, name)) return ANYTHING
  const program = PROGRAMS.get(name)
  const [, host, sub] = program ? [] : (/^(git|docker|kubectl|cargo)-([a-z][\w-]*)$/.exec(name) ?? [])
  if (host !== undefined && sub !== undefined) return dispatch([host, sub, ...args], scope, stdin)
  // `concurrently npm:dev`: a script by its short name.
  const [, manager, script] = program ? [] : (/^(npm|pnpm|yarn|bun):([\w:*-]+)$/.exec(first) ?? [])
  if (manager !== undefined && script !== undefined) return dispatch([manager, 'run', script, ...args], scope, stdin)
  judgeOwn(name, args, scope)
  judgeInto(name, args, scope)
  if (!program) {
    judgeWords(name, args, scope, stdin)
    judgeOutputs(name, args, scope)
    judgePlaces(name, args, scope)
    judgeLoads(name, args, scope)
    judgeSending(name, args, scope, stdin)
    judgeCarriedVariables(name, args, scope, stdin)
    judgeSentFiles(name, args, scope)
    markSecrets(name, args, scope)
    if (judgeCmdlet(first, { name, args, scope, stdin })) return suffixes(args, scope, stdin)
    return unknownProgram(first, args, scope, stdin)
  }
  if (first.includes('/') && !isSystemPlace(first) && !WRAPPER_SCRIPTS.has(name))
    note(scope.ledger, fileScore(first, scope), `${first}: runs a file that is named like ${name}`)
  if (args.length > 0 && args.every((arg) => arg === UNKNOWN) && isCapable(name, args, scope))
    note(scope.ledger, 62, `${name}: all of its words are known only at run time`)
  if (args.length === 1 && /^--?(help|version)$/.test(args[0] ?? '') && !RUNS_WORDS.has(name)) {
    note(scope.ledger, 6, `${name}: shows its help or version`)
    return ANYTHING
  }
  const added = withAdded(name, args, scope)
  if (added) judgeAdded([first, ...added], scope, stdin)
  judgeWords(name, args, scope, stdin)
  judgeOutputs(name, args, scope)
  judgePlaces(name, args, scope)
  judgeLoads(name, args, scope)
  judgeSending(name, args, scope, stdin)
  judgeCarriedVariables(name, args, scope, stdin)
  judgeSentFiles(name, args, scope)
  markSecrets(name, args, scope)
  judgeSearch(name, args, scope, stdin)
  const written = program({ name, args, scope, stdin }) ?? ANYTHING
  const files = written.kind === 'unknown' ? listedFiles(name, args, scope, stdin) : undefined
  const isListing = /^(unknown|none)$/.test(written.kind) && listsSecrets(name, args, stdin)
  const output = files ?? (isListing ? LISTING : written)
  return output.kind === 'unknown' && isSetUp(name, args) ? { kind: 'text', text: ':\n' } : output
}

/** The same command with the words that the environment adds; nothing that it says lowers what stands there. */
function judgeAdded(words: readonly string[], scope: Scope, stdin: Stream): void {
  const seen = { ...scope.seen, added: undefined }
  const { findings } = judgeApart(scope, (inner) => void runWords(words, { ...inner, seen }, stdin))
  for (const [why, score] of findings) note(scope.ledger, score, why)
}

/** Programs that run or print their words, whatever these are. */
const RUNS_WORDS = wordSet('eval exec command builtin echo printf alias trap')

/** `eval "$(direnv hook bash)"`: tools that print how a shell is set up for them, and nothing of the project. */
function isSetUp(name: string, args: readonly string[]): boolean {
  return (
    SETS_UP.has(name) &&
    args.every((arg) =>
      /^(-s|-|init|hook|shellenv|docker-env|activate|completion|env|--shell|--use-on-cd|--path|-k|-c|bash|zsh|fish|--eval)$/.test(
        arg,
      ),
    )
  )
}

const SETS_UP = wordSet(
  'ssh-agent direnv pyenv rbenv nodenv goenv jenv mise asdf brew fnm conda opam minikube keychain luarocks gh kubectl',
)

/** One unknown word may be flags and targets together, and for a program of many orders the order. */
function isCapable(name: string, args: readonly string[], scope: Scope): boolean {
  return HAS_ORDERS.has(name) || (args.length === 1 && !scope.chosen && CAPABLE.has(name))
}

const HAS_ORDERS = new Set([...COMMAND_LINES, ...DATABASE_PROGRAMS, ...GIT_PROGRAMS].map(([name]) => name))

const CAPABLE = wordSet(
  'rm shred dd truncate chmod chown mkfs wipefs crontab userdel iptables redis-cli mongosh psql mysql systemctl unlink',
)

/** Scripts that projects bring along for their build. */
const WRAPPER_SCRIPTS = wordSet('gradlew mvnw configure rails rake artisan manage.py console')

function isSystemPlace(path: string): boolean {
  return /^(\/usr(\/local)?)?\/s?bin\/|^\/opt\/homebrew\/|^\/usr\/|^\/snap\/bin\/|^\/nix\/|node_modules\/\.bin\//.test(
    path,
  )
}

function runTimeProgram(plain: string, args: readonly string[], scope: Scope, stdin: Stream): Stream {
  // `$env:NAME = value` of PowerShell.
  const [, variable, value] = /^:(\w+)(?:=(.*))?$/s.exec(plain) ?? []
  if (variable !== undefined && (value !== undefined || args[0] === '=')) {
    giveVariable(variable, value ?? args.slice(1).join(' '), scope)
    note(scope.ledger, 12, 'sets a variable')
    return ANYTHING
  }
  note(scope.ledger, RUN_TIME_PROGRAM, 'the program is known only at run time')
  // A variable that is not set leaves the rest of the name.
  if (plain !== '' && isProgram(plain)) return dispatch([plain, ...args], scope, stdin)
  suspect(args, scope)
  judgeWorst(args, scope, stdin)
  return suffixes(args, scope, stdin)
}

/** A program that nobody knows yet is the gravest one that takes such words; without any, nothing is known. */
function judgeWorst(args: readonly string[], scope: Scope, stdin: Stream): void {
  const plain = args.filter((arg) => !isUnknown(arg))
  if (plain.length === 0 && !scope.chosen) note(scope.ledger, 62, 'all that runs is known only at run time')
  if (!spend(scope.budget, 100)) return
  const isSingle = plain.length < 2 && !/^-|=/.test(plain[0] ?? '')
  const { score } = judgeApart(scope, (inner) => {
    for (const name of isSingle ? [] : WORST_PROGRAMS) dispatch([name, ...args], inner, stdin)
  })
  if (score > 60) note(scope.ledger, 64, 'words that would be grave for a program that takes them')
}

const WORST_PROGRAMS = list(
  'rm dd git find chmod chown kill aws kubectl docker terraform vault rclone rsync helm gcloud az gh npm systemctl redis-cli zfs restic borg',
)

const MOST_FITS = 32

/** `/bin/r?` is every program that it fits; of those only what is grave counts. */
function patternProgram(pattern: string, args: readonly string[], scope: Scope, stdin: Stream): Stream {
  const base = pattern
    .slice(pattern.lastIndexOf('/') + 1)
    .replaceAll(/\[[^\]]{0,255}\]/g, '?')
    .replaceAll(/[@+!*?]\([^)]*\)?/g, '*')
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
  if (runOwnFile(first, args, scope, stdin)) return ANYTHING
  // A shell that reads the line first takes the sign out of `.\x.exe`.
  const file =
    (first.includes('/') ? writtenFile(first, scope) : scope.files.get(resolvePath(first, scope.cwd))) ??
    scope.files.get(resolvePath(first.replace(/^\.(?=\w)/, ''), scope.cwd))
  if (file?.kind === 'text') return scope.runText(file.text, { ...scope, positionals: [first, ...args] }, stdin)
  if (file?.kind === 'download') note(scope.ledger, 90, `${first}: runs what was just downloaded`)
  if (file?.kind === 'unknown') note(scope.ledger, 64, `${first}: runs what the text wrote at run time`)
  const help = args.length === 1 && /^(--help|--version|-V)$/.test(args[0] ?? '')
  // `msbuild /p:A=b;C=d /m`: what stands behind the sign is a switch of the program before.
  if (WINDOWS_SWITCH.test(first)) {
    note(scope.ledger, 22, `${first}: a switch of Windows`)
    suspect(args, scope)
    return suffixes(args, scope, stdin)
  }
  const isFile = /\/|\.(bat|cmd|ps1|sh)$/.test(first) && !first.includes(' ')
  note(
    scope.ledger,
    isFile ? fileScore(first, scope) : help ? 31 : UNKNOWN_PROGRAM,
    isFile ? `${first}: runs a file` : `${first}: ${UNLISTED}`,
  )
  judgeFileName(first, scope)
  if (/(^|[_-])(drop|delete|destroy|purge|wipe|erase|remove|nuke)(?!box|bear|-in)[a-z]+$/.test(nameOf(first)))
    note(scope.ledger, 62, `${first}: a name that says what it takes away`)
  if (first.includes(' ')) noteGrave(scope, (inner) => void inner.runText(first, inner, stdin))
  noteGrave(scope, (inner) => void runOwnAmong(args, inner, stdin))
  judgeOperatorWords(first, args, scope)
  suspect(args, scope, isFile && fileScore(first, scope) < UNKNOWN_PROGRAM)
  return suffixes(args, scope, stdin)
}

/** No program has so short a name in the root of a file system. */
const WINDOWS_SWITCH = /^\/(?:[a-z]|[a-z]{1,3}:[\w.]*)$/i

const MOST_SUFFIXES = 24

/** What stands behind an unknown program may be what it runs. */
function suffixes(args: readonly string[], scope: Scope, stdin: Stream): Stream {
  let left = MOST_SUFFIXES
  const isListed = args.some((arg) => arg.includes(',') && !/\s/.test(arg))
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
    if (isListed && !isText) noteGrave(scope, (inner) => void runWords(flattened(args.slice(at)), inner, stdin))
  }
  return ANYTHING
}

/** `-ArgumentList a,b`: words that are one word here. */
function flattened(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => (/\s/.test(arg) ? [arg] : arg.split(',')))
}

/** Programs that are English words first; a sentence is full of them. */
const PROSE_WORDS = wordSet('. : [ at batch test find make sort time watch which who type read set file date')
