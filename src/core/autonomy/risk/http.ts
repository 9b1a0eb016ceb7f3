import { addressFindings, OWN_PORTS } from '../web-address.ts'
import { act } from './actions.ts'
import { hostKind, hostOf } from './hosts.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTells } from './only-pretends.ts'
import { has, type Options, optionValue, splitOptions, uncut, wordSet } from './options.ts'
import type { Call, Programs } from './program.ts'
import { keepIn } from './redirects.ts'
import { known, NOTHING, type Scope, type Stream } from './scope.ts'
import { judgeSql, looksLikeSql } from './sql.ts'
import { resolvePath } from './targets.ts'
import { verbKind } from './verbs.ts'

const METHODS: ReadonlyMap<string, readonly [score: number, why: string]> = new Map([
  ['GET', [12, 'reads']],
  ['HEAD', [8, 'reads']],
  ['OPTIONS', [8, 'reads']],
  ['TRACE', [12, 'reads']],
  ['PROPFIND', [12, 'reads']],
  ['QUERY', [14, 'reads']],
  ['POST', [45, 'sends something that may change the other side']],
  ['PUT', [62, 'replaces something on the other side']],
  ['PATCH', [62, 'changes something on the other side']],
  ['UPLOAD', [50, 'sends a file to the other side']],
  ['MKCOL', [40, 'adds a folder on the other side']],
  ['COPY', [45, 'copies on the other side']],
  ['MOVE', [62, 'moves on the other side']],
  ['PURGE', [68, 'empties a cache']],
  ['DELETE', [72, 'deletes on the other side']],
])

/** Last parts of a path that only ask, although the question is posted. */
const ASKS = wordSet(
  '_search _count _msearch _analyze _validate _explain _field_caps _mget _termvectors search query queries multi-search facet-search browse count lookup',
)

/** `METHOD https://…` or `METHOD /path`, as interfaces are written about. */
export function judgeRequest(text: string, scope: Scope): boolean {
  const [whole = '', method = '', target = ''] = /^\s*(\S+)\s+(\S+)/.exec(text) ?? []
  if (!METHODS.has(method) || !/^(https?:\/\/|\/|[\w-]+(\.[\w-]+)+\/)/.test(target)) return false
  judgeMethod(method, target, text.slice(whole.length).trim(), scope, 'HTTP')
  return true
}

export function judgeMethod(method: string, url: string, body: string, scope: Scope, name: string): void {
  const segments = pathOf(url)
    .split(/[/?&=]/)
    .filter((segment) => segment !== '')
  if (method.toUpperCase() === 'POST' && asksQuestion(url, segments)) {
    note(scope.ledger, 22, `${name}: POST that asks a question`)
    return
  }
  for (const found of addressFindings(known(url), OWN_PORTS)) note(scope.ledger, found.score, `${name}: ${found.why}`)
  const [worth, why] = METHODS.get(method.toUpperCase()) ?? [50, 'with a method that no table knows']
  // What runs on the own machine is mostly what is being written; a store of data is not.
  const score = isOwn(url) && worth > OWN_MACHINE ? OWN_MACHINE : worth
  note(scope.ledger, score, `${name}: ${method.toUpperCase()} ${why}`)
  if (worth > 50 && segments.some((segment) => segment === '*' || segment === '_all'))
    note(scope.ledger, 86, `${name}: reaches everything there`)
  if (score < 30) return
  for (const segment of segments.slice(-4)) {
    const kind = verbKind(segment)
    if (kind === 'destroy') note(scope.ledger, 70, `${name}: the path says ${known(segment)}`)
    else if (kind === 'stop' || segment === '_close') note(scope.ledger, 63, `${name}: the path says ${known(segment)}`)
  }
  if (looksLikeSql(body)) judgeSql(body, scope, name)
  if (/"?(query|mutation)"?\s*[:{]/.test(body) && /mutation/.test(body) && /delete|remove|drop|destroy/i.test(body))
    note(scope.ledger, 70, `${name}: a mutation that deletes`)
}

/** `/products/_search?size=3`: what stands behind the sign only says how, unless it says a deed. */
function asksQuestion(url: string, segments: readonly string[]): boolean {
  const [path = '', query] = pathOf(url).split('?')
  const last = path.split('/').at(-1)?.toLowerCase() ?? ''
  if (query === undefined) return ASKS.has(segments.at(-1)?.toLowerCase() ?? '')
  return ASKS.has(last) && !segments.some((segment) => /^(destroy|stop)$/.test(verbKind(segment) ?? ''))
}

const OWN_MACHINE = 30

/** A service of a developer: on this machine, and not at the port of a database, a cluster, a secret store or the console. */
function isOwn(url: string): boolean {
  const plain = known(url)
  if (/^:\d/.test(plain)) return !DATA_PORTS.test(plain)
  return (
    /^(https?:\/\/)?[\w.[\]:-]+/.test(plain) &&
    hostOf(plain) !== '' &&
    hostKind(plain) === 'local' &&
    !DATA_PORTS.test(plain)
  )
}

const DATA_PORTS =
  /:(2375|2376|2379|5984|6443|7420|7421|8001|8086|8200|8500|9090|9200|9201|7700|8108|6333|8529|10250|15672|4646|7474|8123|8983|11434)(\/|$|\?)/

export const HTTP_PROGRAMS: Programs = [
  ['curl', curl],
  ['curl.exe', curl],
  ['wget', wget],
  ['aria2c', download],
  ['axel', download],
  ['lynx', download],
  ['w3m', download],
  ['elinks', download],
  ['fetch', download],
  ['ftp', download],
  ['http', httpie],
  ['https', httpie],
  ['xh', httpie],
  ['nc', socket],
  ['ncat', socket],
  ['netcat', socket],
  ['socat', socket],
  ['telnet', socket],
]

const CURL_VALUES =
  wordSet(`-X --request -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form -H --header -o --output -u --user
  -T --upload-file -A --user-agent -e --referer -b --cookie -c --cookie-jar -x --proxy -m --max-time -w --write-out -K --config --url --retry --cacert
  --cert -E --key --connect-timeout --resolve -r --range -C --continue-at --interface --limit-rate -D --dump-header --output-dir --form-string -U --max-redirs
  --trace --trace-ascii --stderr --libcurl --etag-save --etag-compare --ssl-sessions --hsts --alt-svc -Q --quote --prequote --postquote -P --ftp-port -t --telnet-option --netrc-file -z --time-cond --unix-socket --abstract-unix-socket --retry-delay --oauth2-bearer --aws-sigv4 -Y -y --ciphers`)
/** Options whose value is a file that is written. */
const CURL_WRITES = wordSet(
  '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc --ssl-sessions',
)
/** Every long name that one of the above may be taken for when it is cut short. */
const CURL_NAMES = new Set([...CURL_VALUES, ...wordSet('--head --get --netrc --next --remote-name --ssl')])
const BODIES = [
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-urlencode',
  '--data-ascii',
  '--json',
  '-F',
  '--form',
  '--form-string',
]

function curl({ name, args: given, scope, stdin }: Call): Stream {
  const args = uncut(given, CURL_NAMES)
  const options = splitOptions(args, CURL_VALUES)
  const method = methodOf(options)
  const body = optionValue(options, ...BODIES) ?? ''
  const urls = [
    ...options.operands,
    ...(options.values.get('--url') === undefined ? [] : [options.values.get('--url') ?? '']),
  ]
  note(scope.ledger, 12, `${name}: fetches`)
  if (onlyTells(args, '--help --version -V -h')) return NOTHING
  for (const url of urls.length > 0 ? urls : ['']) judgeMethod(method, url, body, scope, name)
  const sent = BODIES.concat('-T', '--upload-file')
    .map((flag) => options.values.get(flag))
    .filter((value) => value !== undefined)
  for (const [flag, value] of options.given) {
    if (CURL_WRITES.has(flag) && !/^(-|%|\/dev\/(null|stdout|stderr))$/.test(value)) act(scope, name, 'write', value)
    if (/^(-w|--write-out)$/.test(flag))
      for (const [, path = ''] of value.matchAll(/%output\{(?:>>)?([^{}]*)\}/g)) act(scope, name, 'write', path)
    if (/^(-Q|--(pre|post)?quote)$/.test(flag)) note(scope.ledger, 66, `${name}: gives orders to the other side`)
  }
  if (urls.some((url) => /^(gopher|dict):/i.test(url) || (/^(telnet|smtps?):/i.test(url) && stdin.kind !== 'none')))
    note(scope.ledger, 62, `${name}: sends data over a bare connection`)
  if (has(options, '-K', '--config')) note(scope.ledger, 40, `${name}: takes its orders from a file`)
  if (sent.includes('@-') && stdin.kind !== 'text' && stdin.kind !== 'none')
    note(scope.ledger, readsSecrets(scope) ? 82 : 50, `${name}: sends what another program wrote`)
  const folder = optionValue(options, '--output-dir')
  const file = optionValue(options, '-o', '--output') ?? remoteName(options, urls)
  return downloaded(folder === undefined || file === undefined ? file : `${folder}/${file}`, scope, name)
}

/** A secret that was read before may be what is sent now. */
function readsSecrets({ ledger }: Scope): boolean {
  return [...ledger.findings.keys()].some((why) => why.endsWith('holds secrets'))
}

function methodOf(options: Options): string {
  const given = optionValue(options, '-X', '--request')
  if (given !== undefined) return known(given).toUpperCase() || 'UNKNOWN'
  if (has(options, '-G', '--get')) return 'GET'
  if (has(options, '-I', '--head')) return 'HEAD'
  if (has(options, '-T', '--upload-file')) return 'UPLOAD'
  return BODIES.some((flag) => options.flags.includes(flag)) ? 'POST' : 'GET'
}

function remoteName(options: Options, [url = '']: readonly string[]): string | undefined {
  return has(options, '-O', '--remote-name', '-J') ? (pathOf(url).split(/[/?]/).at(-1) ?? 'download') : undefined
}

const WGET_WRITES = wordSet(
  '-o --output-file -a --append-output --save-cookies --rejected-log --warc-file --hsts-file --warc-tempdir --warc-dedup',
)
const WGET_VALUES =
  wordSet(`-O --output-document -o --output-file -P --directory-prefix -a -i --input-file -t -T -U --method --post-data --post-file --body-data
  --body-file --header -e --execute --append-output --save-cookies --load-cookies --use-askpass --rejected-log --warc-file --warc-tempdir --warc-dedup
  --hsts-file -Q --user --password --limit-rate -B --base -A -R -D -I -X -l -w`)

function wget({ name, args: given, scope }: Call): Stream {
  const args = uncut(given, WGET_VALUES)
  const options = splitOptions(args, WGET_VALUES)
  const posts = has(options, '--post-data', '--post-file')
  const method = optionValue(options, '--method')?.toUpperCase() ?? (posts ? 'POST' : 'GET')
  note(scope.ledger, 12, `${name}: fetches`)
  for (const url of options.operands)
    judgeMethod(method, url, optionValue(options, '--post-data', '--body-data') ?? '', scope, name)
  for (const [flag, value] of options.given) {
    if (WGET_WRITES.has(flag) && value !== '-' && value !== '/dev/null')
      act(scope, name, /^-a$|append/.test(flag) ? 'append' : 'write', value)
    if (flag === '--use-askpass' || (/^(-e|--execute)$/.test(flag) && /askpass|output|log/i.test(value)))
      note(scope.ledger, 62, `${name}: names a program to run, or where it writes`)
  }
  const folder = optionValue(options, '-P', '--directory-prefix')
  const file =
    optionValue(options, '-O', '--output-document') ??
    pathOf(options.operands[0] ?? '')
      .split(/[/?]/)
      .at(-1)
  if (onlyTells(args) || onlyPretends(args, { names: '--spider', switches: 'qSvNcrnd' })) return NOTHING
  if (file === '-') return { kind: 'download' }
  const isNamed = has(options, '-O', '--output-document')
  return downloaded(
    folder === undefined || isNamed ? file || 'index.html' : `${folder}/${file || 'index.html'}`,
    scope,
    name,
  )
}

function download({ name, args, scope, stdin }: Call): Stream {
  if (stdin.kind === 'text' && /\b(m?dele(te)?|rmdir|mdel|rename|m?put)\b/i.test(stdin.text))
    note(scope.ledger, 66, `${name}: changes files of the other machine`)
  if (args.some((arg) => /^--on-(download|bt)\S*=?/.test(arg)))
    note(scope.ledger, 62, `${name}: names a program to run`)
  note(scope.ledger, 22, `${name}: fetches`)
  return { kind: 'download' }
}

/** `http DELETE url`, `http url name=value`. */
function httpie({ name, args, scope }: Call): Stream {
  const { operands } = splitOptions(
    args,
    wordSet('-a --auth -A --auth-type -o --output --session --timeout --verify --proxy'),
  )
  const [first = '', second] = operands
  const isMethod = METHODS.has(first.toUpperCase())
  const sends = operands.slice(isMethod ? 2 : 1).some((item) => /^[\w[\].-]+(:?=|@)/.test(item) && !item.includes('=='))
  judgeMethod(isMethod ? first : sends ? 'POST' : 'GET', isMethod ? (second ?? '') : first, '', scope, name)
  return { kind: 'download' }
}

/** A bare connection; with a program behind it, it is a door. */
function socket({ name, args, scope, stdin }: Call): Stream {
  const runs = args.some(
    (arg) => /^-[a-z]*[ec]$|^--exec$|^--sh-exec$|^(EXEC|SYSTEM):/i.test(arg) || /,?(exec|system):/i.test(arg),
  )
  if (runs) note(scope.ledger, 90, `${name}: gives a program to the network`)
  else if (args.some((arg) => /^-[a-z]*z/.test(arg))) note(scope.ledger, 15, `${name}: looks for open ports`)
  else
    note(
      scope.ledger,
      stdin.kind === 'none' ? 45 : 62,
      `${name}: ${stdin.kind === 'none' ? 'a bare connection' : 'sends data over a bare connection'}`,
    )
  return { kind: 'download' }
}

function downloaded(file: string | undefined, scope: Scope, name: string): Stream {
  if (file === undefined || file === '-' || file === '/dev/stdout') return { kind: 'download' }
  act(scope, name, 'write', file)
  keepIn(resolvePath(file, scope.cwd), { kind: 'download' }, scope)
  return NOTHING
}

function pathOf(url: string): string {
  return known(url).replace(/^\w+:\/\/[^/]*/, '')
}
