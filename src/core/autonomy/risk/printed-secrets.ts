import { onlyTellsInWords, onlyTellsOfOrder } from './only-pretends.ts'
import { wordSet, words } from './options.ts'
import { known } from './scope.ts'

/**
 * Calls that print a secret: of whoever works here, of a cluster, or of a keeper of secrets. What they print stands in
 * the transcript of the agent from then on, so a human is asked. The pattern fits the words of the call.
 */
const ROWS: readonly (readonly [names: string, pattern: RegExp, score: number])[] = [
  ['kubectl oc', /\bget\b.*\bsecrets?\b.*(-o|--output)[ =]?(?!wide|name)\w|config view.*--raw/, 62],
  ['security', /find-\w+-password|dump-keychain|export/, 66],
  ['secret-tool keyring', /^(lookup|search|get)/, 62],
  ['git', /^credential (fill|approve)/, 62],
  [
    'aws awslocal',
    /\bconfigure (get \S*(secret|key|token)|export-credentials)|get-session-token|get-secret-value|--with-decryption|\bkms decrypt\b/,
    45,
  ],
  ['gcloud', /print-(access|identity)-token|\bsecrets versions access\b/, 45],
  [
    'az',
    /get-access-token|\bkeyvault secret (show|download)\b|\b(keys|credential) (list|show)\b|\b(list-keys|(list|show)-connection-string)\b/,
    45,
  ],
  ['gh glab', /^auth (token|status.*(-t|--show-token)\b)/, 45],
  ['npm pnpm yarn', /^(config|c) (get|list|ls)\b.*(_auth|token|password)/i, 45],
  ['vault bao', /^(-\S+ )*(kv get\b|unwrap\b|read (-\S+ )*(?!-|sys\/|auth\/)\S)/, 45],
  ['op', /^(-\S+ ([^-\s]\S* )?)*?(read|inject|(item|document) get)\b/, 45],
  ['bw rbw', /\b(get (password|item|totp|notes|attachment)|list items|export)\b|^(get|code) /, 45],
  ['lpass', /^(show|export)\b/, 45],
  ['keepassxc-cli', /^(show .*(-s|--show-protected|-a)\b|export\b)/, 45],
  // The name of an entry is enough: without an order, it is shown.
  [
    'pass gopass',
    /^(?!(ls|list|find|search|init|insert|add|create|new|generate|rm|remove|delete|mv|move|rename|cp|copy|link|ln|git|help|version|edit|sync|mounts|setup|clone|config|audit|completion|recipients|templates)\b|-)\S/,
    45,
  ],
  ['heroku', /(^|\s)config(:get)?(\s|$)/, 45],
  ['gpg gpg2', /(^|\s)(--decrypt|-[a-z]*d|--export-secret\S*)(\s|$)/, 45],
  ['sops', /(^|\s)(-d|--decrypt|decrypt)(\s|$)/, 45],
  ['age rage', /(^|\s)(-d|--decrypt)(\s|$)/, 45],
  ['ansible-vault', /^(view|decrypt)\b/, 45],
  ['doppler infisical', /^(secrets( (get|download)\b|$| (?!.*--only-names)--?\w)|export\b)/, 45],
  ['chamber', /^(read|export|env)\b/, 45],
  ['pulumi', /--show-secrets\b/, 45],
  ['firebase', /^functions:secrets:access\b/, 45],
  ['railway', /^variables?\b(?!.*--set)/, 45],
  ['Get-Secret', /-AsPlainText\b/i, 45],
  ['getent', /^(-\S+ )*g?shadow\b/, 62],
  // Letters without a dash are those of BSD, where `e` is the environment of each process; on a Mac it is `-E`.
  [
    'ps',
    /^(?:(?:-[a-zA-Z]*[CoOpqtuUgGs]|--[a-z-]+) \S+ |(?!-[a-zA-Z]*[CoOpqtuUgGs] |--)[-\d]\S* )*(?:[acfghjklmnrSTuvwxXZ]*e[acefghjklmnrSTuvwxXZ]*(?: |$)|-[a-zA-Z]*E)/,
    62,
  ],
]

const PRINTED: ReadonlyMap<string, readonly [pattern: RegExp, score: number]> = new Map(
  ROWS.flatMap(([names, pattern, score]) => words(names).map((name) => [name, [pattern, score]] as const)),
)

/** What the call is worth for the secrets that it prints; undefined where it prints none. */
export function printedScore(name: string, args: readonly string[]): number | undefined {
  const row = PRINTED.get(name)
  if (!row?.[0].test(args.map(known).join(' ')) || onlyTellsOfOrder(args, '--help -help -h')) return undefined
  if (name === 'aws' && onlyTellsInWords(args, 'last')) return undefined
  return row[1]
}

/** What a tool of others reads by its name: `get_secret_value`, `read_credentials`, `reveal_password`. */
export function readsSecretByName(parts: readonly string[]): boolean {
  if (!parts.some((part) => SHOWS_ONE.has(part)) || parts.some((part) => TELLS_OF.has(part))) return false
  return parts.some(
    (part, at) => SECRET_THINGS.has(part) || (/^(keys?|tokens?)$/.test(part) && SECRET_KINDS.has(parts[at - 1] ?? '')),
  )
}

/** `kind: Secret`, `resourceType: secrets`, `v1/secrets`, `secrets.v1`: the contents of a cluster's secrets. */
export function namesSecretKind(value: string): boolean {
  return /^(?:[\w.-]{1,60}\/){0,3}(?:sealed)?secrets?(?:[./][\w.-]{1,100})?$/i.test(value.trim())
}

const SHOWS_ONE = wordSet(
  'get read show fetch reveal retrieve access view export dump download decrypt unseal unwrap lookup resolve copy print value values',
)
/** Scans for secrets, and what is known of one besides its value. */
const TELLS_OF = wordSet('scanning scan scanner alert alerts metadata policy policies versions list count exists usage')
const SECRET_THINGS = wordSet('secret secrets credential credentials password passwords passphrase kubeconfig')
const SECRET_KINDS = wordSet('api access private secret auth signing encryption bearer refresh session')

/** Parts of a name that say it is a secret's. */
const SECRET_WORD =
  /(^|[^a-z])(pass(wo?r?ds?|wds?|w|phrases?)?|pwd|secrets?|tokens?|(api|access|private|secret|auth|signing|encryption)?[_-]?keys?|credentials?|creds?|bearer)([^a-z]|$)/i

/** `grep -iE 'token|secret'`: what is looked for among many is what secrets are called. */
export function looksForSecrets(args: readonly string[]): boolean {
  return args.some((arg) => !/^-[a-zA-Z]*$/.test(arg) && SECRET_WORD.test(known(arg)))
}
