import { familyOf, isOnlyWord, rehearsalFamily } from './only-word.ts'
import { wordSet } from './options.ts'
import { isUnknown, known } from './scope.ts'

/*
 * Calls that change nothing: they print a help text, or only say what they would do. The word that says so must be an
 * option of the program itself. It does not count where another option may take it as a value, behind `--`, or where
 * another word takes it back: in doubt the call is judged as if the word was not there.
 */

/** `rm --help`: only as the first word, because some systems take a word behind an operand for another operand. */
export function onlyTells(args: readonly string[], names = '--help --version'): boolean {
  const first = known(args[0] ?? '')
  return wordSet(names).has(first) && isOnlyWord(ownOf(args), 0, familyOf([first]))
}

/** `kubectl delete pod --help`: for programs whose first words are sub-commands, also behind words that are no options. */
export function onlyTellsOfOrder(args: readonly string[], names = '--help --version'): boolean {
  const tells = wordSet(names)
  // `helm install web chart --version 1.2` names a version; without a word behind it, the program tells its own.
  const at = args.findIndex(
    (arg, i) => tells.has(arg) && (!arg.endsWith('version') || i === 0 || i === args.length - 1),
  )
  if (at < 0 || !isOnlyWord(ownOf(args), at, familyOf([args[at] ?? '']))) return false
  return args.slice(0, at).every((arg) => (!arg.startsWith('-') || isJoined(arg)) && isPlain(arg))
}

/** The words of the program itself. */
function ownOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end)
}

/** `cargo help publish`, `aws ec2 terminate-instances help`: a word that is the help's own order. */
export function onlyTellsInWords(args: readonly string[], place: 'first' | 'last'): boolean {
  if (place === 'first') return args[0] === 'help'
  return args.length <= MOST_ORDERS && args.at(-1) === 'help' && args.every((arg) => /^[a-z][a-z0-9-]*$/.test(arg))
}

/** A tool, its service, the operation of it, and `help`. */
const MOST_ORDERS = 3

/** Words that most programs with a rehearsal have for it. */
const REHEARSALS =
  '--dry-run --dryrun --dry_run --dry --what-if --noop --simulate --just-print --pretend --assumeno -WhatIf --check-only --build-only'

/** `names` are the options that make a rehearsal; `switches` are the letters of options that take no value here. */
export interface Rehearsal {
  readonly names?: string
  readonly switches?: string
}

/** `git push --dry-run origin main`, `rsync -avn a/ b/`. */
export function onlyPretends(args: readonly string[], { names = REHEARSALS, switches = '' }: Rehearsal = {}): boolean {
  const own = ownOf(args)
  const named = wordSet(names)
  const letters = Array.from(named, (name) => (name.length === 2 ? name.slice(1) : '')).join('')
  const at = own.findIndex(
    (arg, i) =>
      (isGiven(arg, named) || isAmong(arg, letters, switches)) &&
      (i === 0 || isFree(own[i - 1] ?? '', switches)) &&
      own.slice(0, i).every(isPlain),
  )
  if (at < 0) return false
  // `--check --list-tasks`: two words that agree.
  const rest = own.slice(at + 1).filter((arg) => !named.has(arg))
  return isOnlyWord([...own.slice(0, at + 1), ...rest], at, rehearsalFamily(named))
}

/** `--dry-run`, `--dry-run=client`. */
function isGiven(arg: string, named: ReadonlySet<string>): boolean {
  const cut = arg.startsWith('--') ? arg.indexOf('=') : -1
  return cut > 0 ? named.has(arg.slice(0, cut)) && ON.test(arg.slice(cut + 1)) : named.has(arg)
}

/** `-avn`: a letter among others that take no value. */
function isAmong(arg: string, letters: string, switches: string): boolean {
  if (letters === '' || arg[0] !== '-' || arg[1] === '-') return false
  return isCluster(arg, switches + letters) && Array.from(letters).some((letter) => arg.includes(letter))
}

/** A word that leaves the next one to the program: no option, one with its value, or one that takes none. */
function isFree(before: string, switches: string): boolean {
  if (isUnknown(before)) return false
  if (!before.startsWith('-') || isJoined(before)) return true
  return SWITCHES.has(before) || /^--no-[a-z-]+$/.test(before) || isCluster(before, switches)
}

function isJoined(arg: string): boolean {
  return /^--?[\w-]+=/.test(arg) || /^-[a-zA-Z]\d+$/.test(arg)
}

function isCluster(arg: string, letters: string): boolean {
  return /^-[a-zA-Z]+$/.test(arg) && Array.from(arg.slice(1)).every((letter) => letters.includes(letter))
}

/** A text of several words may be a command that another program runs with the words behind it. */
function isPlain(arg: string): boolean {
  return !/\s/.test(arg) || /^--?[\w-]+=/.test(arg)
}

/** Long options that take no value in any program that has them. */
const SWITCHES = wordSet(
  `--force --yes --verbose --quiet --delete --recursive --all --debug --allow-dirty --archive --progress --wait --atomic --prune --mirror
  --all-namespaces --ignore-not-found --only-show-errors --latest --json --assume-yes --auto-approve --volumes --diff --install --force-with-lease --set-upstream --follow-tags --provenance -y -v -q`,
)

const ON = /^(true|client|server|all|yes|1)$/
