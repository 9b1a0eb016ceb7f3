import { spend } from './budget.ts'
import { note } from './ledger.ts'
import { isCutOf, possibleValues, wordSet, words } from './options.ts'
import { isPrivate } from './private-places.ts'
import { known, type Scope } from './scope.ts'

/** Flags whose value is a file that is sent, or whose lines are what is asked for. */
const SENT: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ['curl curl.exe', '-T --upload-file -b --cookie -K --config'],
      ['wget', '--post-file --body-file -i --input-file --load-cookies --config'],
      ['aria2c', '-i --input-file --load-cookies --conf-path'],
      ['http https xh', '--session-read-only --session'],
    ] as const
  ).flatMap(([names, flags]) => words(names).map((name) => [name, wordSet(flags)] as const)),
)
/** Flags whose value stays on this machine, also behind an `@`: a user and a password. */
const NO_FILES = wordSet('-u --user -U --proxy-user -o --output -O -P -e --referer')

/** `-d @FILE`, `-H @FILE`, `--url-query k@FILE`, `-F f=<FILE`: the contents of the file go to the other side. */
export function judgeSentFiles(name: string, args: readonly string[], scope: Scope): void {
  if (!SENT.has(name) || !spend(scope.budget, args.length * 2)) return
  if (sentFiles(name, args).some((path) => isPrivate(path, scope)))
    note(scope.ledger, FILE_SENT, `${name}: sends a file that holds secrets`)
}

/** What a program sends of this machine, or asks others for line by line. */
export function sentFiles(name: string, args: readonly string[]): readonly string[] {
  const flags = SENT.get(name)
  if (!flags) return []
  const values = possibleValues(args)
  const isLocal = values.some(({ flag, value }) => isNamed(flag, PROTOCOL) && /^file$/i.test(value))
  return [
    ...values.flatMap(({ flag, value }) => (isNamed(flag, flags) ? [known(value)] : [])),
    ...args.flatMap((arg, at) => (NO_FILES.has(known(args[at - 1] ?? '')) ? [] : markedIn(known(arg)))),
    ...(isLocal ? args.filter((arg) => !arg.startsWith('-')) : []),
  ].filter((path) => path !== '')
}

/** A long name may be cut short. */
function isNamed(flag: string, names: ReadonlySet<string>): boolean {
  return names.has(flag) || (flag.startsWith('--') && [...names].some((name) => isCutOf(flag, name)))
}

/** `--proto-default file`: a path alone is an address. */
const PROTOCOL = wordSet('--proto-default')

/** Behind a sign; a form may send several, and may quote them. */
function markedIn(plain: string): readonly string[] {
  if (/^\w+:\/\//.test(plain)) return []
  const sign = plain.search(/@|=</)
  if (sign < 0) return []
  const behind = plain.slice(sign + (plain[sign] === '@' ? 1 : 2))
  return [behind, ...behind.split(/[,;]/).map((path) => path.replaceAll('"', ''))]
}

const FILE_SENT = 82
