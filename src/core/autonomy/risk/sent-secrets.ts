import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { wordSet, words } from './options.ts'
import { printedVariables } from './printed-environment.ts'
import { isUnknown, known, type Scope, type Stream } from './scope.ts'
import { SENDERS } from './secrets.ts'
import { sentFiles } from './sent-files.ts'
import { resolvePath } from './targets.ts'
import { belongs, secretNames } from './variable-owners.ts'

/** Programs that ask others for a name: what stands in it reaches whoever answers for the domain. */
const NAME_SERVICES =
  wordSet(`host dig drill nslookup delv kdig dog doggo getent resolvectl systemd-resolve whois finger ping ping6 fping
  traceroute traceroute6 tracepath tracepath6 tcptraceroute mtr arping nmap nc ncat netcat Resolve-DnsName Test-NetConnection Test-Connection`)
/** Programs that talk to where a word says. */
const FETCHES = wordSet(
  'git npm pnpm yarn npx pip pip3 uv cargo go gem docker podman helm openssl svn hg composer bundle poetry twine',
)
/** What stands behind these is asked for from others by its name. */
const BY_NAME = /^(view|info|show|search|install|i|add|download|pull|push|exec|get)$/

/** Orders by which words are shown to others, or handed on by a service that they may read from. */
const PUBLISHES: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['gh glab hub tea', /^(-\S+ )*(?!(auth|secret|config|alias|extension|completion|help|version)\b|-)\w/],
      [
        'aws awslocal',
        /\b(publish(-batch)?|send-\S+|put-(events?|records?(-batch)?|log-events)|post-\S+|invoke(-async)?|start-execution)\b/,
      ],
      ['gcloud', /\b(topics publish|logging write|create-\w+-task|functions call|workflows (run|execute))\b/],
      ['az', /\b(servicebus|eventhubs?|eventgrid|signalr|webpubsub|communication|storage message put|rest)\b/],
      ['mosquitto_pub kcat kafkacat amqp-publish slackcat telegram-send apprise ntfy', /^/],
      ['nats stomp rabbitmqadmin slack', /\b(pub|publish|send|chat|request)\b/],
      ['logger', /(^| )(-n|--server)\b/],
    ] as const
  ).flatMap(([names, orders]) => words(names).map((name) => [name, orders] as const)),
)

/** Programs that hand a password to a registry that a word names. */
const LOGINS = wordSet('docker podman nerdctl buildah skopeo helm oras crane regctl cosign npm pnpm yarn cargo gem')

const SENT_SCORE = 66
const NOT_ITS_OWN = 'sends a secret to a host that is not its own'
const SHOWN_TO_OTHERS = 'sends a secret to where others read it'

/** Judges where a command takes the secrets of the environment that its words or its input hold. */
export function judgeSentVariables(
  name: string,
  args: readonly string[],
  secrets: readonly string[],
  scope: Scope,
): void {
  if (secrets.length === 0) return
  const plain = args.map(known)
  const isBare = SENDERS.has(name) || NAME_SERVICES.has(name) || (name === 'openssl' && plain[0] === 's_client')
  const isLogin = LOGINS.has(name) && plain.includes('login')
  if (!isBare && !isLogin && !FETCHES.has(name)) return
  const hosts = args.flatMap((arg, at) => (KEPT_HERE.has(plain[at - 1] ?? '') ? [] : hostsIn(arg, isBare || isLogin)))
  const isAway = hosts.some(
    (host) =>
      !isTrusted(host, isLogin) &&
      secrets.some((secret) => !belongs(secret, host) && (host !== '~' || secretNames([secret]).length > 0)),
  )
  if (isAway || (hosts.length === 0 && isNamed(name, args, secrets)))
    note(scope.ledger, SENT_SCORE, `${name}: ${NOT_ITS_OWN}`)
}

/** Words that quote a variable say only its name: what is published holds a value where it is known only at run time. */
function judgePublished(name: string, order: string, secrets: readonly string[], { ledger }: Scope): void {
  if (PUBLISHES.get(name)?.test(order) && !isOwnRequest(name, order, secrets))
    note(ledger, SENT_SCORE, `${name}: ${SHOWN_TO_OTHERS}`)
}

function isOpen(stdin: Stream): boolean {
  return stdin.kind === 'text' ? isUnknown(stdin.text) : stdin.kind !== 'none'
}

/** `gh api -H "Authorization: token $GITHUB_TOKEN"`: the secret says who asks. */
function isOwnRequest(name: string, order: string, secrets: readonly string[]): boolean {
  const host = name === 'glab' ? 'gitlab.com' : 'github.com'
  return (
    /^api\b/.test(order) &&
    /(^| )(-H|--header) ?\S*authorization:/i.test(order) &&
    secrets.every((one) => belongs(one, host))
  )
}

function isTrusted(host: string, isLogin: boolean): boolean {
  const kind = hostKind(host)
  return kind === 'local' || (isLogin && kind !== 'foreign')
}

/** Flags whose value stays on this machine. */
const KEPT_HERE = wordSet(
  '-o --output -O --output-document -D --dump-header -c --cookie-jar --cacert --capath -K --config',
)

/** The secret is, or is a part of, what others are asked for; where no host is said, all variables are meant for none. */
function isNamed(name: string, args: readonly string[], secrets: readonly string[]): boolean {
  const operands = args.filter((arg, at) => !arg.startsWith('-') && !args[at - 1]?.startsWith('-'))
  if (NAME_SERVICES.has(name)) return operands.some(isUnknown)
  if (SENDERS.has(name)) return secrets.includes('*')
  return name !== 'git' && BY_NAME.test(args[0] ?? '') && operands.some(isUnknown)
}

/** Of addresses the host; of bare words too, where the program takes them as one. */
function hostsIn(arg: string, isBare: boolean): readonly string[] {
  const plain = arg.replaceAll('\0', '~')
  const whole = [...plain.matchAll(/(?:[a-z][\w+.-]{0,63}:|^)\/\/(?:[^\s/?#@]*@)?([^\s/?#:]+)/gi)].map(
    ([, host = '']) => host,
  )
  if (whole.length > 0 || plain.startsWith('-')) return whole
  const [, bare] =
    (isBare ? /^(?:[^\s/@]*@)?([\w~.-]+\.[a-z]{2,}|localhost)(?=[/:?]|$)/i : /^([\w~.-]+\.[a-z]{2,})\//i).exec(plain) ??
    []
  return bare === undefined ? [] : [bare]
}

/** What the text has printed of the environment may be what is sent now, and what a command was given goes on with its words. */
export function judgeCarriedVariables(name: string, args: readonly string[], scope: Scope, stdin: Stream): void {
  const { seen } = scope
  const names = printedVariables(name, args, stdin, scope.budget)
  const printed = seen.isLoaded ? names : secretNames(names)
  if (printed.length > 0) keepPrinted(printed, scope)
  if (SENDERS.has(name) || NAME_SERVICES.has(name) || FETCHES.has(name) || PUBLISHES.has(name) || LOGINS.has(name)) {
    const before = [...(seen.printed ?? []), ...(seen.given ?? [])]
    const named = before.length > 0 ? [...args, ...sentFiles(name, args)] : []
    const isGiven = before.length > 0 && (isOpen(stdin) || named.some((word) => mayHold(word, scope)))
    if (isGiven) judgePublished(name, args.map(known).join(' '), before, scope)
    judgeSentVariables(name, args, [...(isGiven ? before : []), ...imported(name, args)], scope)
  } else if (seen.given && !LOOKS.has(name)) keepPrinted(seen.given, scope)
}

/** A word that is known only at run time, or that names a file of the text's own. */
function mayHold(arg: string, { files, cwd }: Scope): boolean {
  if (isUnknown(arg)) return true
  if (files.size === 0 || arg.includes('://')) return false
  const marked = /^[^@=]{0,40}=?[@=<](.*)$/s.exec(arg)?.[1] ?? arg
  return [arg, marked].some((path) => files.get(resolvePath(path, cwd))?.kind === 'unknown')
}

/** Programs that say of a word only what it is. */
const LOOKS = wordSet('test [ [[ true false')

export function keepPrinted(names: readonly string[], { seen }: Scope): void {
  seen.printed ??= new Set()
  for (const name of names) if (seen.printed.size < MOST_PRINTED) seen.printed.add(name)
}

const MOST_PRINTED = 64

/** `curl --variable %NAME`, `ssh -o SendEnv=NAME`: the program takes it from the environment itself. */
function imported(name: string, args: readonly string[]): readonly string[] {
  const pattern = IMPORTS.get(name)
  return pattern ? secretNames(args.flatMap((arg) => pattern.exec(arg)?.[1] ?? [])) : []
}

const IMPORTS: ReadonlyMap<string, RegExp> = new Map([
  ['curl', /^(?:--variable=)?%(\w+)/],
  ['ssh', /^(?:-o)?\s*SendEnv[= ]\s*(\*|\w+)/i],
])
