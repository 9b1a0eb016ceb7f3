import { matchesGlob } from '../../registry/glob.ts'
import { holdsSecrets, picksSecrets } from '../secret-places.ts'
import { spend } from './budget.ts'
import { wordSet } from './options.ts'
import { isPrivate } from './private-places.ts'
import { isUnknown, known, type Scope } from './scope.ts'

/** Programs whose output are names of the files and folders that they are given, and of those below. */
const NAMES_GIVEN =
  wordSet(`ls ll la l dir vdir exa eza lsd stat file du tree realpath readlink echo printf locate plocate mdfind namei
  which wc cksum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum lsattr getfacl compgen`)
/** Those that name all that lies below, with the flag that they need for it or for names with a dot. */
const NAMES_BELOW: ReadonlyMap<string, RegExp> = new Map([
  ...named('ls ll la l dir vdir exa eza lsd', /^(-(?=[a-zA-Z]*[aARfT])[a-zA-Z]+|--(all|almost-all|recursive|tree))$/),
  ...named('du tree', /^(-(?=[a-zA-Z]*a)[a-zA-Z]+|--all)$/),
  ...named('grep egrep fgrep zgrep', /^(-(?=[a-zA-Z]*[rR])[a-zA-Z]+|--(dereference-)?recursive)$/),
  ...named(
    'rg ag fd fdfind',
    /^(-(?=[a-zA-Z]*[uH])[a-zA-Z]+|-[a-zA-Z]*\.[a-zA-Z]*|--hidden|--no-ignore|--unrestricted)$/,
  ),
])
/** Only names are printed, not what stands in the files. */
const SEARCHES = wordSet('grep egrep fgrep zgrep rg ag')
const ONLY_NAMES = /^(-(?=[a-zA-Z]*[lL])[a-zA-Z]+|--files(-with(out)?-match(es)?)?)$/
const NARROWED = /^(--include|--glob|--type|--extension|-[gte])\b/

function named(names: string, flag: RegExp): readonly (readonly [string, RegExp])[] {
  return [...wordSet(names)].map((name) => [name, flag] as const)
}

/** Secrets are among the names: by a name or a place of theirs, or as all that lies below a folder that holds some. */
export type Listed = 'named' | 'below'

/** What a command prints names of; undefined where no secret is among them. */
export function secretsNamed(name: string, args: readonly string[], scope: Scope): Listed | undefined {
  const finds = /^g?find$/.test(name)
  const below = NAMES_BELOW.get(name)
  if (!finds && !below && !NAMES_GIVEN.has(name)) return undefined
  if (!spend(scope.budget, args.length * 2)) return 'named'
  if (finds) return foundSecrets(args, scope)
  const operands = args.filter((arg) => !arg.startsWith('-'))
  if (NAMES_GIVEN.has(name) && operands.some((arg) => isPrivate(arg, scope))) return 'named'
  if (!below || !args.some((arg) => below.test(arg)) || args.some((arg) => NARROWED.test(arg))) return undefined
  if (SEARCHES.has(name) && !args.some((arg) => ONLY_NAMES.test(arg))) return undefined
  const folders = SEARCHES.has(name) && !args.includes('--files') ? operands.slice(1) : operands
  return among(folders, scope)
}

function among(folders: readonly string[], scope: Scope): Listed | undefined {
  if (folders.some((folder) => isPrivate(folder, scope))) return 'named'
  return folders.some((folder) => isAbove(folder, scope)) ? 'below' : undefined
}

/** A folder below which secrets lie, by a name that the text says. */
function isAbove(folder: string, scope: Scope): boolean {
  return !isUnknown(folder) && (holdsSecrets(known(folder), scope.cwd) || isPrivate(folder, scope))
}

/** Where nothing narrows the names they are all that lies there; what narrows them may fit a secret. */
function foundSecrets(args: readonly string[], scope: Scope): Listed | undefined {
  const start = args.findIndex((arg) => /^[-(!,]/.test(arg) && !/^-[HLPEXdsx]$|^-O\d?$|^-D$/.test(arg))
  const folders = (start < 0 ? args : args.slice(0, start)).filter((arg) => !arg.startsWith('-'))
  const searched = folders.length > 0 ? folders : ['.']
  const given = start < 0 ? [] : args.slice(start)
  const tests = given.slice(0, runsAt(given))
  if (tests.includes('-type') && tests[tests.indexOf('-type') + 1] === 'd') return undefined
  if (tests.length > MOST_TESTS) return 'named'
  const patterns = tests.flatMap((test, at) =>
    NAMED_BY.test(test) && !/^(!|-not)$/.test(tests[at - 1] ?? '')
      ? [{ by: test, pattern: known(tests[at + 1] ?? '').toLowerCase() }]
      : [],
  )
  const telling = patterns.filter(({ by, pattern }) => lettersOf(by, pattern).some((word) => /[a-z\d]/.test(word)))
  const above = searched.filter((folder) => isAbove(folder, scope))
  if (patterns.length === 0 || telling.length < patterns.length) return among(above, scope)
  if (!spend(scope.budget, telling.length * SAMPLES.length)) return 'named'
  const isNamed = telling.some(({ by, pattern }) =>
    fits(by, pattern, /^-i?name$/.test(by) && SAYS_KIND.test(pattern) ? searched : above, scope),
  )
  return isNamed ? 'named' : undefined
}

/** A hidden name, or an ending: enough to mean a secret of any folder. */
const SAYS_KIND = /^\.[a-z\d]|^id_|\.[a-z]\w{0,20}$/

/** Only what stands before an action restricts it. */
function runsAt(tests: readonly string[]): number {
  const at = tests.findIndex((test) => RUNS.test(test))
  return at < 0 ? tests.length : at
}

const RUNS = /^-(exec|ok)(dir)?$/
const MOST_TESTS = 100
const NAMED_BY = /^-i?(name|path|wholename|regex)$/
/** Secrets below an account and a system; each stands for its kind. */
const SAMPLES =
  `.ssh/id_rsa .ssh/id_ed25519 .aws/credentials .gnupg/private-keys-v1.d/a.key .kube/config .docker/config.json .netrc .npmrc .env
  .config/gcloud/credentials.db .config/gh/hosts.yml .azure/msal_token_cache.json .bash_history .git-credentials .pgpass
  .password-store/a.gpg .mozilla/firefox/a.default/logins.json proj/.env proj/server.pem proj/private.key shadow`.split(
    /\s+/,
  )

/** `-name` is asked for the last part; in `-path` a `*` takes slashes too; of a `-regex` its letters stand in the path. */
function fits(by: string, pattern: string, folders: readonly string[], { cwd }: Scope): boolean {
  if (by.endsWith('name') && !by.endsWith('wholename'))
    return folders.some((folder) => picksSecrets(pattern, folder, cwd))
  const paths = folders.flatMap((folder) =>
    SAMPLES.map((sample) => `${folder.replace(/\/$/, '')}/${sample}`.toLowerCase()),
  )
  if (!by.endsWith('regex')) return paths.some((path) => matchesGlob(pattern.replaceAll(/\[[^\][]*\]/g, '?'), path))
  return pattern.split('|').some((choice) => {
    const letters = lettersOf(by, choice)
    return letters.length > 0 && paths.some((path) => letters.every((word) => path.includes(word)))
  })
}

/** The stretches of a pattern that stand for themselves. */
function lettersOf(by: string, pattern: string): readonly string[] {
  const plain = pattern.slice(0, LONGEST_PATTERN).replaceAll(/\[[^\][]*\]/g, '\n')
  const signs = by.endsWith('regex') ? plain.replaceAll('\\.', '\r').replaceAll(/\\.|[.*+?^$(){}|[]/g, '\n') : plain
  return signs
    .replaceAll('\r', '.')
    .split(/[\n*?/]+/)
    .filter((word) => word !== '')
}

const LONGEST_PATTERN = 400
