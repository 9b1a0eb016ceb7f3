import { note } from './ledger.ts'
import { wordSet, words } from './options.ts'
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
  const flags = SENT.get(name)
  if (!flags) return
  const isSent = args.some((arg, at) => {
    const plain = known(arg)
    const before = known(args[at - 1] ?? '')
    if (NO_FILES.has(before) || /^\w+:\/\//.test(plain)) return false
    return fileIn(plain, before, flags).some((path) => isPrivate(path, scope))
  })
  if (isSent) note(scope.ledger, FILE_SENT, `${name}: sends a file that holds secrets`)
}

const FILE_SENT = 82

function fileIn(plain: string, before: string, flags: ReadonlySet<string>): readonly string[] {
  const cut = plain.startsWith('--') ? plain.indexOf('=') : -1
  const [flag, value] = cut < 0 ? [before, plain] : [plain.slice(0, cut), plain.slice(cut + 1)]
  const sign = value.search(/@|=</)
  const marked = sign < 0 ? [] : [value.slice(sign + (value[sign] === '@' ? 1 : 2)).replace(/;.*$/s, '')]
  const [, joined] = /^-[a-zA-Z]([@~./].*)$/s.exec(plain) ?? []
  const short = joined !== undefined && flags.has(plain.slice(0, 2)) ? [joined] : []
  return [...marked, ...short, ...(flags.has(flag) ? [value] : [])].filter((path) => path !== '')
}
