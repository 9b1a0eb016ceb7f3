/** AUDIT-06: is a parameter of this name a secret, whatever its adapter says about it? */
export function isSecretName(name: string, value: unknown): boolean {
  const words = wordsOf(name)
  if (words.some((word) => SECRET_WORDS.has(word))) return true
  if (words.some((word) => COUNTABLE_WORDS.has(word))) return typeof value !== 'number'
  if (PASS.test(words.at(-1) ?? '')) return typeof value === 'string'
  const squeezed = words.join('')
  return SECRET_PARTS.some((part) => squeezed.includes(part))
}

/** Wherever they stand, also in a name written as one word: it is better to hide too much. */
const SECRET_PARTS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'passwort',
  'kennwort',
  'secret',
  'credential',
  'authorization',
  'cookie',
  'apikey',
  'accesskey',
  'accountkey',
  'authkey',
  'privatekey',
  'secretkey',
  'signingkey',
  'encryptionkey',
  'sshkey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'sessiontoken',
  'bearertoken',
]

/** Too short to be looked for inside other words. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'pwd',
  'pw',
  'psw',
  'pin',
  'otp',
  'totp',
  'jwt',
  'bearer',
  'cvv',
  'cvc',
])

/** `max_tokens: 500` is a budget; `token: "…"` is none. */
const COUNTABLE_WORDS: ReadonlySet<string> = new Set(['token', 'tokens'])

/** `DB_PASS`, `pass`, `SSHPASS`, as text: `pass: 3` is a count. */
const PASS = /^(?!(?:ask|by|com|tres|over|under|sur|im|encom)pass$)[a-z0-9]*pass$/

/** It names where the secret is, or a file of source code with a line behind it, and holds none. */
export function isReference(name: string): boolean {
  return REFERENCE.test(name)
}

const REFERENCE =
  /(?:file|path|dir|name|env|stdin|ttl|type|url|uri|ref|count|length|size|limit|age|policy|field|column|helper|manager|provider|arn|id)s?$|\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cc?|cpp|hh?|cs|php|sh|sql|md|html|css|json|ya?ml|toml|txt)$/i

/** Of `{ name: 'X-Api-Key', value: '…' }` the name, which says what the value is. */
export function nameBeside(fields: object): string | undefined {
  const [value] = VALUES.filter((key) => Object.hasOwn(fields, key))
  if (value === undefined) return undefined
  for (const [key, name] of Object.entries(fields))
    if (NAME_KEY.test(key) && typeof name === 'string' && isSecretName(name, 'text')) return name
  return undefined
}

export function isValueKey(key: string): boolean {
  return VALUES.includes(key)
}

const VALUES: readonly string[] = ['value', 'Value', 'ParameterValue']
const NAME_KEY = /^(?:name|key|header|variable|field|parameterkey)$/i

/** `X-Api-Key`, `api_key` and `apiKey` are the same words. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.normalize('NFKC').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return spaced
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
}
