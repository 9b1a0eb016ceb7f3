import { holdsSecrets, isVariablesFile } from '../secret-places.ts'
import { addressFindings, carriesSecret, OWN_PORTS, openPortFindings } from '../web-address.ts'
import { spend } from './budget.ts'
import { sendsOut } from './data-out.ts'
import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { type Listed, secretsNamed } from './listed-secrets.ts'
import { valuesOf, wordSet, words } from './options.ts'
import { looksForSecrets, printedScore } from './printed-secrets.ts'
import { isHomeOrRoot, isPrivate } from './private-places.ts'
import { isUnknown, known, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { isMetadata, optionFiles, orderedFiles, readArguments } from './secret-arguments.ts'

/** Calls that print secrets, or all of somebody's data. The pattern fits the words of the call; empty fits every call. */
const SOURCES: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['env printenv', /^$/],
      ['set export declare', /^(-p)?$/],
      ['gh', /^auth token|^secret/],
      ['glab', /^auth token/],
      ['kubectl oc', /\bget (secrets?|cm|configmaps?)\b|config view.*--raw/],
      ['aws', /get-secret-value|--with-decryption|export-credentials|get-session-token|assume-role/],
      ['gcloud', /secrets versions access|print-(access|identity)-token/],
      ['az', /keyvault secret show|get-access-token/],
      ['op', /^(item get|read|document get)/],
      ['vault', /^(kv get|read|token lookup)/],
      [
        'pass gopass bw lpass doppler infisical chamber sops',
        /^(show|get|export|secrets|read|download|-d|--decrypt|decrypt)/,
      ],
      ['heroku', /^config/],
      ['security', /find-\w+-password|dump-keychain/],
      ['git', /^credential fill/],
      ['pg_dump pg_dumpall mysqldump mongodump mongoexport', /^/],
      ['gpg gpg2', /--export-secret/],
      // Settings of a container, a session, a build or a project, with the values of variables.
      [
        'docker podman nerdctl',
        /\binspect\b(?!.*(-f|--format)[ =]?(?!.*(Env|Config|json)))|\bcompose (-\S+ ([^-\s]\S* )?)*(config|convert)\b/,
      ],
      ['docker-compose podman-compose', /\b(config|convert)\b/],
      ['systemctl', /\bshow-environment\b|\bshow\b.*\bEnvironment/],
      ['launchctl', /^(getenv|export|print)\b/],
      ['tmux', /^(-\S+ ([^-\s]\S* )?)*show(-environment|env)\b/],
      ['npm pnpm yarn bun', /^(-\S+ )*(run(-script)? (-\S+ )*env|env|config (list|ls))\b/],
      ['make gmake', /(^| )-[a-oq-zA-Z]{0,20}p|--print-data-base/],
      ['terraform tofu', /^(-\S+ )*(output( -json| -no-color)*$|show\b|state pull\b)/],
      ['sqlite3 duckdb', /\bgetenv\s?\(/],
      ['history', /^/],
    ] as const
  ).flatMap(([names, pattern]) => words(names).map((name) => [name, pattern] as const)),
)

/** Programs that print what stands in their files, by how many of their first words are no files. */
export const PRINTS: ReadonlyMap<string, number> = new Map([
  ...printers(
    0,
    `cat tac head tail less more most bat batcat nl od hexdump hd xxd strings base64 base32 basenc cut zcat zless bzcat
    xzcat sort uniq diff diff3 sdiff cmp colordiff vimdiff wdiff icdiff comm paste join rev fold fmt pr expand column iconv
    sqlite3`,
  ),
  ...printers(1, 'grep egrep fgrep zgrep ugrep rg ag ack awk gawk mawk nawk sed gsed jq yq'),
])
/** Programs that read a secret without showing it. */
const TAKES = wordSet('tar zip gzip openssl')
/** What they are told to look for or to do stands behind a flag. */
const TOLD = wordSet('-e -f --regexp --file --expression --from-file')
const ORDERS = wordSet('-e --regexp --expression')
/** Nothing of the contents is shown, or the file is changed in place. */
const SHOWS_NOTHING = /^(-(?=[a-zA-Z]*[qlLc])[a-zA-Z]*|--quiet|--silent|--count|--files-with(out)?-match(es)?)$/
const CHANGES = /^(-[nErsuz]*i(\..*)?|--in-?place(=.*)?)$/

/** Which files a search looks into. */
const CHOOSES = /^--(include|glob)=/

function printers(skipped: number, names: string): readonly (readonly [string, number])[] {
  return words(names).map((name) => [name, skipped])
}

const SECRET_READ = 62

/** Judges what the program shows of secrets, and remembers that the text has read one. */
export function markSecrets(name: string, args: readonly string[], scope: Scope): void {
  if (!spend(scope.budget, args.length * 2)) return
  const operands =
    PRINTS.has(name) || name === 'dd'
      ? [...filesOf(name, args), ...orderedFiles(name, args), ...loadedByQuery(name, args)]
      : readArguments(name, args)
  const named = [...operands, ...optionFiles(name, args, PRINTS.has(name))]
  const files = named.filter((file) => isPrivate(file, scope))
  const takes = TAKES.has(name) && args.some((arg) => isPrivate(arg, scope) || isHomeOrRoot(arg, scope))
  const isNamed = PRINTS.has(name) && args.some((arg) => NAMED.test(known(arg)))
  const printed = printedScore(name, args)
  if (printed !== undefined) note(scope.ledger, printed, `${name}: prints credentials`)
  if (takes || isNamed || SOURCES.get(name)?.test(args.map(known).join(' '))) scope.seen.secret = true
  keepListed(secretsNamed(name, args, scope), args, scope)
  const isChosen = scope.chosen !== undefined && readsChosen(name, args, scope.chosen, scope)
  const listed = readsUnknown(name, args) ? scope.seen.handedOn : undefined
  if (files.length > 0 || isChosen || listed === 'named' || searchesSecrets(name, args, scope))
    noteRead(name, files, scope)
  else if (listed === 'below') noteBelow(name, scope)
  const isShown = SHOWS.has(name) ? args.some(isUnknown) : LISTS.has(name) && args.every((arg) => arg.startsWith('-'))
  if (scope.seen.isHeld && isShown)
    note(scope.ledger, SECRET_READ, `${name}: shows what was read from a file that holds secrets`)
}

/** A file of variables that the text loads, itself or for a program that it starts: from then on any variable may hold a secret. */
function judgeLoaded(name: string, args: readonly string[], scope: Scope): void {
  const sourced = name === 'source' || name === '.' ? args.slice(0, 1) : []
  const given = valuesOf(args, ENV_FILES, '')
  const isLoaded = [...sourced, ...given].some((file) => isPrivate(file, scope) && isVariablesFile(file))
  if (isLoaded || LOADERS.get(name)?.test(args.join(' '))) scope.seen.isLoaded = true
  const isOther = given.some((file) => isPrivate(file, scope) && !isVariablesFile(file))
  if (isOther || (isLoaded && args.some((arg) => /^(env|printenv)$/.test(arg)))) noteRead(name, [], scope)
}

const ENV_FILES = ['--env-file', '--envfile', '--dotenv-file']
/** Programs that load such a file by themselves for what they start. */
const LOADERS: ReadonlyMap<string, RegExp> = new Map([
  ...words('dotenv dotenvx dotenv-cli env-cmd').map((name) => [name, /\S/] as const),
  ['direnv', /^exec\b/],
  ...words('foreman honcho').map((name) => [name, /^run\b/] as const),
])

/** A name that may be a secret's: enough to ask where it is sent, and not where it is read. */
const NAMED = /(^|\/)(secrets?|credentials?)(\.\w+)?$/

/** Programs that show the variables that they are given, and those that list all of them. */
const SHOWS = wordSet('echo printf print cat tee printenv')
const LISTS = wordSet('env printenv set export declare typeset')

/** A file that code opens to read it. */
export function judgeReadFile(name: string, path: string, scope: Scope): void {
  if (isPrivate(path, scope)) noteRead(name, [path], scope)
}

function noteRead(name: string, files: readonly string[], scope: Scope): void {
  scope.seen.secret = true
  if (scope.seen.isTaken && files.length > 0 && files.every(isVariablesFile)) scope.seen.isHeld = true
  else note(scope.ledger, CMDLET.test(name) ? SECRET_SHOWN : SECRET_READ, `${name}: reads a file that holds secrets`)
}

/** What is shown to the one who works here, and to nobody else. */
const SECRET_SHOWN = 45
const CMDLET = /^(get|select|import|convertfrom|format|measure)-[a-z]+$/i

/** What `find` or a pipe picked by a name of secrets, or below a folder that holds some: `find ~ -name id_rsa | xargs cat`. */
function readsChosen(name: string, args: readonly string[], { isSecret, roots }: Paths, scope: Scope): boolean {
  if (!args.some(isUnknown) || isMetadata(name, args) || RUNS_OTHERS.has(name) || isQuiet(name, args)) return false
  if (isSecret || scope.seen.listed) return true
  if (!PRINTS.has(name)) return false
  const starts = args.filter(isUnknown).map((arg) => arg.slice(0, arg.indexOf(UNKNOWN)))
  return (
    roots.some((root) => root !== '' && !isUnknown(root) && isPrivate(root, scope)) ||
    starts.some((start) => start !== '' && isHomeOrRoot(start, scope))
  )
}

type Paths = NonNullable<Scope['chosen']>

/** Names that go into a pipe, a variable or a file are there for a program that reads what they name. */
function keepListed(listed: Listed | undefined, args: readonly string[], { seen }: Scope): void {
  if (listed === undefined) return
  if (listed === 'named') seen.listed = true
  const runs = args.some((arg) => /^-(exec|ok)(dir)?$/.test(arg))
  if (!runs && seen.into === undefined && !seen.isCaptured && !seen.isFiled) return
  seen.handedOn = seen.handedOn === 'named' ? 'named' : listed
}

/** Shows what stands in files that are named at run time, or takes it along. */
function readsUnknown(name: string, args: readonly string[]): boolean {
  return (PRINTS.has(name) || TAKES.has(name)) && !isQuiet(name, args) && args.slice(PRINTS.get(name)).some(isUnknown)
}

function isQuiet(name: string, args: readonly string[]): boolean {
  return /grep$|^rg$|^ag$/.test(name) && args.some((arg) => SHOWS_NOTHING.test(arg))
}

function noteBelow(name: string, { ledger, seen }: Scope): void {
  seen.secret = true
  note(ledger, SECRET_SHOWN, `${name}: reads all below a folder that holds secrets`)
}

/** What they run is judged by itself. */
const RUNS_OTHERS = wordSet('sh bash dash zsh xargs parallel sudo env find read while for')

function filesOf(name: string, args: readonly string[]): readonly string[] {
  if (name === 'dd') return args.filter((arg) => arg.startsWith('if=')).map((arg) => arg.slice(3))
  const skipped = PRINTS.get(name)
  const searches = /grep$|^rg$|^ag$|^ack$/.test(name)
  if (skipped === undefined || (skipped > 0 && !searches && args.some((arg) => CHANGES.test(arg)))) return []
  if (searches && args.some((arg) => SHOWS_NOTHING.test(arg))) return []
  const chosen = args.flatMap((arg, at) =>
    CHOOSES.test(arg)
      ? [arg.slice(arg.indexOf('=') + 1)]
      : /^(-g|--glob|--include)$/.test(args[at - 1] ?? '')
        ? [arg]
        : [],
  )
  if (chosen.length > 0) return chosen
  const operands = args.filter((arg, at) => !arg.startsWith('-') && !ORDERS.has(args[at - 1] ?? ''))
  return args.some((arg) => TOLD.has(arg)) ? operands : operands.slice(skipped)
}

/** `yq 'load("FILE")'`: files that the query itself opens. */
function loadedByQuery(name: string, args: readonly string[]): readonly string[] {
  return name === 'yq' ? args.flatMap((arg) => [...arg.matchAll(LOADED)].map(([, file = '']) => file)) : []
}

const LOADED = /\bload(?:_?[a-z]{1,20})?\(\s{0,4}"([^"]{1,400})"/g

/** A search through all that lies below a folder that holds secrets; `rg` and `ag` leave hidden files out unless told. */
function searchesSecrets(name: string, args: readonly string[], { cwd }: Scope): boolean {
  const isDeep = /grep$/.test(name)
    ? args.some((arg) => /^(-(?=[a-zA-Z]*[rR])[a-zA-Z]*|--(dereference-)?recursive)$/.test(arg))
    : /^(rg|ag)$/.test(name) && args.some((arg) => /^(-[a-zA-Z]*(uu|\.)|--hidden|--no-ignore)/.test(arg))
  if (!isDeep || args.some((arg) => /^(--include|--glob|-g|-t|--type)\b/.test(arg))) return false
  return filesOf(name, args).some((folder) => holdsSecrets(known(folder), cwd))
}

/** True where the output are all variables, or all commands that were typed, with their values. */
export function listsSecrets(name: string, args: readonly string[], stdin: Stream): boolean {
  if (stdin.kind === 'unknown' && stdin.isListing) return KEEPS_LINES.has(name)
  if (name === 'history') return args.every((arg) => /^\d+$/.test(arg))
  return LISTS.has(name) && args.every((arg) => /^-(p|x|px|0|-null)$/.test(arg))
}

const KEEPS_LINES = wordSet('sort uniq cat tac head tail tr less more grep egrep fgrep rg sed awk tee')
const SEARCHES = wordSet('grep egrep fgrep rg ag ack awk gawk sed findstr select-string sls')

/** `env | grep -i token`: the lines that are picked hold the values. */
export function judgeSearch(name: string, args: readonly string[], scope: Scope, stdin: Stream): void {
  if (
    stdin.kind === 'unknown' &&
    stdin.lists !== undefined &&
    SEARCHES.has(name) &&
    args.some((arg) => picksByName(arg, scope))
  )
    keepListed('named', args, scope)
  if (stdin.kind !== 'unknown' || !stdin.isListing || !SEARCHES.has(name) || scope.seen.isCaptured) return
  if (/^(wc|cut|sha\w+sum)$/.test(scope.seen.into ?? '') || args.some((arg) => SHOWS_NOTHING.test(arg))) return
  if (looksForSecrets(args))
    note(scope.ledger, SECRET_SHOWN, `${name}: looks for secrets among variables or typed commands`)
}

/** `ls -a | grep '^\.env'`: of a list of names those of secrets are left. */
function picksByName(arg: string, scope: Scope): boolean {
  const name = arg.replaceAll(/[\^$\\]/g, '')
  return /^[.\w-]{3,40}$/.test(name) && isPrivate(name, scope)
}

/** What a command is given on its input. A loop that reads variables line by line shows nothing by itself. */
export function judgeSecretInput(program: string, path: string, scope: Scope): void {
  if (!isPrivate(path, scope)) return
  scope.seen.secret = true
  if (/^(|read|mapfile|readarray)$/.test(program) && isVariablesFile(path)) scope.seen.isHeld = true
  else note(scope.ledger, SECRET_READ, `${program}: reads a file that holds secrets`)
}

/** Programs that send what they are given to another machine, and the flags whose value only says who asks. */
export const SENDERS = wordSet(
  'curl wget http https xh nc ncat netcat socat telnet ftp tftp mail mailx sendmail mutt msmtp swaks nslookup dig host ping ssh aria2c axel lynx w3m elinks fetch httpie invoke-webrequest iwr invoke-restmethod irm start-bitstransfer',
)
const ASKS_AS = wordSet('-H --header -u --user --oauth2-bearer -b --cookie --cert --key -E -o --output')

/** Programs that copy files to where others keep theirs. */
const COPIES_AWAY = wordSet(
  'aws awslocal gsutil gcloud az rclone s3cmd mc s5cmd b2 azcopy scp rsync sftp croc wormhole ossutil',
)

/** Programs that give a folder to whoever asks. */
const SERVES = wordSet('http-server serve live-server httpd darkhttpd miniserve simple-http-server caddy busybox')
const FOLDER_FLAGS = wordSet('-d --directory -t --root -h --home')

function isServer(name: string, args: readonly string[]): boolean {
  return (/^python\d?$/.test(name) && args.includes('http.server')) || (name === 'php' && args.includes('-S'))
}

/** A whole home or system, or what holds keys, sent away or given to whoever asks; without a folder, the one it works in. */
function judgeWhole(name: string, args: readonly string[], scope: Scope): void {
  const folders = args.filter(
    (arg, at) => /^[~/.]/.test(arg) && (!arg.startsWith('-') || FOLDER_FLAGS.has(args[at - 1] ?? '')),
  )
  const named = folders.length > 0 || COPIES_AWAY.has(name) ? folders : ['.']
  if (named.some((folder) => isHomeOrRoot(folder, scope) || (SERVES.has(name) && isPrivate(folder, scope))))
    note(scope.ledger, 72, `${name}: sends a whole home or system, or lets others read it`)
}

const SENT_AWAY = 45

/** What was read before may be what is sent now: as input, in a body, or in an address. */
export function judgeSending(name: string, args: readonly string[], scope: Scope, stdin: Stream): void {
  judgeLoaded(name, args, scope)
  const isAway = args.some((arg) => /^\w[\w.@-]*:/.test(known(arg)) || arg === 'send')
  if ((COPIES_AWAY.has(name) && isAway) || SERVES.has(name) || isServer(name, args)) judgeWhole(name, args, scope)
  if (COPIES_AWAY.has(name) && isAway && args.some((arg) => isPrivate(arg, scope) && !/^\w[\w.@-]*:/.test(known(arg))))
    note(scope.ledger, 82, `${name}: sends a file that holds secrets`)
  if (sendsOut(name, args)) note(scope.ledger, SENT_AWAY, `${name}: sends files to where others keep theirs`)
  if (!SENDERS.has(name)) {
    if (!args.some((arg) => arg.includes('://'))) return
    judgeAddresses(
      name,
      args.filter((arg) => arg.includes('://') && !/\s/.test(arg)),
      scope,
    )
    return
  }
  judgeAddresses(name, args, scope)
  judgeLiterals(name, args, scope)
  if (!scope.seen.secret) return
  const given = args.filter((arg, at) => !ASKS_AS.has(known(args[at - 1] ?? '')) && !ASKS_AS.has(known(arg)))
  const isGiven = (stdin.kind !== 'none' && (name !== 'ssh' || given.length > 1)) || given.some(isUnknown)
  const isLocal = given.some(
    (arg) => /^\w+:\/\/|^localhost|^127\./.test(known(arg)) && hostKind(known(arg)) === 'local',
  )
  if (isGiven && !isLocal) note(scope.ledger, 66, `${name}: may send a secret that was read before`)
}

/** What somebody typed into the command goes to another machine with it: in a header, a cookie, as a user. */
function judgeLiterals(name: string, args: readonly string[], scope: Scope): void {
  const isLocal = args.some((arg) => /^(\w+:\/\/|localhost|127\.)/.test(known(arg)) && hostKind(known(arg)) === 'local')
  const given = args.filter((_, at) => !BODIES.test(known(args[at - 1] ?? '')))
  if (isLocal || !spend(scope.budget, given.join('').length / 4)) return
  const isUser = args.some((arg, at) => /^(-u|--user)$/.test(args[at - 1] ?? '') && /^[^:]+:[^$\0<{]*\d/.test(arg))
  if (isUser || given.some((arg) => arg.length < LONGEST_HEADER && !arg.includes('://') && carriesSecret(known(arg))))
    note(scope.ledger, SECRET_READ, `${name}: a secret in the words that are sent`)
}

/** What is sent as a body is a question anyway. */
const BODIES = /^(-d|-F|--data(-\w+)?|--json|--form(-string)?|--post-data|--body-data)$/
const LONGEST_HEADER = 4_000

/** The metadata of a cloud and the servers of this program answer at addresses, whatever asks there. */
function judgeAddresses(name: string, args: readonly string[], scope: Scope): void {
  const ports = [...OWN_PORTS, ...(scope.own?.ports ?? [])]
  for (const arg of args) {
    if (!spend(scope.budget, arg.length / 4)) return
    const found = [...addressFindings(known(arg), ports), ...openPortFindings(arg, UNKNOWN)]
    for (const { score, why } of found) note(scope.ledger, score, `${name}: ${why}`)
  }
}
