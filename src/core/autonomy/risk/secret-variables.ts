import { isSecretName } from '../../audit/secret-names.ts'
import { spend } from './budget.ts'
import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import type { Command } from './parse-command.ts'
import { nameOf } from './program-names.ts'
import { isUnknown, known, type Scope } from './scope.ts'
import { SENDERS } from './secrets.ts'

/** Variables whose names say whose secret they hold; `$TOKEN` and `$API_KEY` may be anybody's. */
export function secretsIn(text: string, { seen, variables }: Scope): readonly string[] {
  return [...text.matchAll(REFERENCE)].slice(0, MOST_NAMES).flatMap(([, name = '']) => {
    const held = seen.held?.get(name)
    if (held) return held
    const isGiven = variables.get(name)?.some((value) => !isUnknown(value)) ?? false
    return !isGiven && isSecretVariable(name) ? [name] : []
  })
}

/** `X=$GITHUB_TOKEN`: under another name it is the same secret. */
export function keepSecrets(name: string, text: string, scope: Scope): void {
  const held = text.includes('$') ? secretsIn(text, scope) : []
  scope.seen.held ??= new Map()
  if (held.length > 0) scope.seen.held.set(name, held)
  else scope.seen.held.delete(name)
}

/** A secret that the text names goes to its own host, to this machine, or asks. */
export function judgeSentVariables(node: Command, words: readonly string[], scope: Scope): void {
  const isListed = words[0] === 'printenv' && words.slice(1).some(isShownSecret)
  if (isListed && isShown(node, scope)) note(scope.ledger, SHOWN_SCORE, SHOWN)
  if (!hasReference(node)) return
  const text = textOf(node)
  if (!text.includes('$') || !spend(scope.budget, text.length / 4)) return
  const names = secretsIn(text, scope)
  if (names.length === 0) return
  const [first = '', ...args] = words
  const name = nameOf(known(first))
  if (SHOWS.has(name)) {
    scope.seen.secret = true
    if (isShown(node, scope) && secretsIn(text.replaceAll(TOLD_OF, ''), scope).some(isShownSecret))
      note(scope.ledger, SHOWN_SCORE, SHOWN)
  }
  if (!SENDERS.has(name) && !FETCHES.has(name)) return
  const hosts = args.flatMap((arg) => hostsIn(arg, SENDERS.has(name)))
  const isOperand = BY_NAME.test(args[0] ?? '') && FETCHES.has(name) && name !== 'git' && isNamed(node, scope)
  const isAway = hosts.some((host) => hostKind(host) !== 'local' && names.some((one) => !belongs(one, host)))
  if (isAway || (hosts.length === 0 && isOperand))
    note(scope.ledger, SENT_SCORE, `${name}: sends a secret to a host that is not its own`)
}

const SENT_SCORE = 66
/** What is shown stands in the transcript of the agent. */
const SHOWN_SCORE = 45
const SHOWN = 'shows a secret of the environment'
/** `${#X}`, `${X:+set}`, `${X:0:4}`: that it is set, how long it is, or how it begins. */
const TOLD_OF = /\$\{(?:#\w+|\w+(?::?\+[^}]*|:0:[0-9]))\}/g

/** Where the output goes to the one who reads along: not into a file, a variable, or a program that keeps it. */
export function isShown({ redirects }: Pick<Command, 'redirects'>, { seen }: Scope): boolean {
  if (seen.isCaptured || (seen.into !== undefined && !PASSES_ON.has(seen.into))) return false
  return !redirects.some(
    (one) => /^&?>/.test(one.operator) && !/^(&?[12]|\/dev\/(stdout|stderr|tty))$/.test(textOfTarget(one)),
  )
}

function textOfTarget(one: Command['redirects'][number]): string {
  return 'target' in one ? (one.target?.text ?? '') : ''
}

/** Programs that print what they are given. */
const PASSES_ON = wordSet(
  'cat tee base64 rev xxd od hexdump hd tr sed awk grep egrep rg fold less more nl sort uniq strings head tail tac',
)
const MOST_NAMES = 32
const REFERENCE = /\$\{?[!#]?([A-Za-z_]\w{0,100})/g
const SHOWS = wordSet('echo printf print cat tee printenv')
/** Programs that talk to where a word says. */
const FETCHES = wordSet('git npm pnpm yarn npx pip pip3 uv cargo go gem docker podman helm')
/** What stands behind these is asked for from others by its name. */
const BY_NAME = /^(view|info|show|search|install|i|add|download|pull|push|exec|get)$/

function hasReference({ args, redirects }: Command): boolean {
  return redirects.length > 0 || args.some((arg) => arg.text.includes('$'))
}

function textOf({ args, redirects, name }: Command): string {
  const read = redirects.flatMap((one) =>
    one.type === 'HereDoc' ? [one.body.text] : one.type === 'HereString' ? [one.target?.text ?? ''] : [],
  )
  return [name?.text ?? '', ...args.map((arg) => arg.text), ...read].join(' ')
}

/** The secret is, or is a part of, what is asked for. */
function isNamed({ args }: Command, scope: Scope): boolean {
  return args.some(
    (arg, at) =>
      !args[at - 1]?.text.startsWith('-') && !arg.text.startsWith('-') && secretsIn(arg.text, scope).length > 0,
  )
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

/** `CACHE_KEY` and `PRIMARY_KEY` are keys of another kind: enough to ask where they are sent, not where they are shown. */
function isShownSecret(name: string): boolean {
  return (
    isSecretVariable(name) &&
    (!/KEY$/i.test(name) ||
      /(API|SECRET|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH|MASTER|SERVICE|DEPLOY|ACCOUNT|SSH|GPG)_?KEY$/i.test(name))
  )
}

function isSecretVariable(name: string): boolean {
  return (isSecretName(name, '') || /_(PASS|KEY|PAT|PW)$/i.test(name)) && ownersOf(name).length > 0
}

function ownersOf(name: string): readonly string[] {
  const all = name.toLowerCase().split('_')
  return all.filter((word) => word.length > 1 && !GENERIC.has(word) && !(word === 'session' && all.at(-1) !== 'secret'))
}

/** A part of the host names the owner; of those that everybody knows only their own domains count. */
function belongs(name: string, host: string): boolean {
  if (host.includes('~')) return false
  return ownersOf(name).some((owner) => {
    const own = OWN_HOSTS.find(([names]) => names.has(owner))?.[1]
    return own ? own.test(host) : host.toLowerCase().includes(owner)
  })
}

const GENERIC =
  wordSet(`token tokens key keys api apikey access auth authorization bearer jwt oauth secret secrets password passwd pass
  pwd pw pat credential credentials cookie my user username admin client service svc app application id refresh account private public
  test dev development staging stage prod production local ci job deploy bot new old csrf xsrf signing login personal web http https url
  internal external master main root default base backend frontend server webhook read write`)

const OWN_HOSTS: readonly (readonly [names: ReadonlySet<string>, hosts: RegExp])[] = [
  [wordSet('github gh'), /(^|\.)(github\.com|githubusercontent\.com|ghcr\.io)$/i],
  [wordSet('gitlab gl'), /(^|\.)gitlab\.com$|^gitlab\./i],
  [wordSet('npm node'), /(^|\.)(npmjs\.(org|com)|npm\.pkg\.github\.com)$/i],
  [wordSet('pypi twine pip'), /(^|\.)(pypi\.org|pythonhosted\.org)$/i],
  [wordSet('docker dockerhub'), /(^|\.)docker\.(io|com)$/i],
  [wordSet('aws'), /(^|\.)(amazonaws\.com|aws\.amazon\.com|api\.aws)$/i],
  [wordSet('google gcp gcloud gemini'), /(^|\.)(googleapis\.com|google\.com)$/i],
  [wordSet('azure az'), /(^|\.)(azure\.com|windows\.net|microsoft\.com|microsoftonline\.com)$/i],
  [wordSet('openai'), /(^|\.)openai\.(com|azure\.com)$/i],
  [wordSet('anthropic claude'), /(^|\.)anthropic\.com$/i],
  [wordSet('huggingface hf'), /(^|\.)huggingface\.co$/i],
  [wordSet('stripe'), /(^|\.)stripe\.com$/i],
  [wordSet('slack'), /(^|\.)slack\.com$/i],
  [wordSet('cloudflare cf'), /(^|\.)cloudflare\.com$/i],
  [wordSet('digitalocean do'), /(^|\.)digitalocean\.com$/i],
]
