import { isSecretName } from './secret-names.ts'

/** A part of a text that looks like a credential. */
export interface Credential {
  readonly start: number
  readonly end: number
  readonly kind: CredentialKind
}

export type CredentialKind =
  | 'confirmation token'
  | 'client token'
  | 'verification code'
  | 'private key'
  | 'password'
  | 'bearer token'
  | 'JSON web token'
  | 'key'
  | 'secret'

export interface SearchOptions {
  /** Also what stands behind a name that announces a secret, as in `DB_PASSWORD=…`, `--token …` or `mysql -p…`. */
  readonly isProse?: boolean
  /** The text is the beginning of a longer one: a quotation that does not end in it goes on behind it. */
  readonly isCut?: boolean
}

/**
 * In order, none inside another. Each search takes linear time: nothing that repeats is followed by something that it
 * could have matched itself, and what may fail after a long run begins only where no run could have begun before it.
 * What is found never reaches over something that a shell reads (`; | & $ ( ) < >`, a backtick, a quotation mark, a
 * blank), unless it is quoted as a whole: so a credential hides no other command.
 */
export function findCredentials(
  text: string,
  { isProse = false, isCut = false }: SearchOptions = {},
): readonly Credential[] {
  const found: Credential[] = []
  if (text.length >= SHORTEST_SHAPE) {
    for (const shape of SHAPES) if (text.search(shape.shape) >= 0) found.push(...ofShape(text, shape))
  }
  found.push(...inAddresses(text))
  if (isProse) found.push(...announced(text, isCut), ...givenToPrograms(text, isCut))
  return found.length > 1 ? apart(found) : found
}

/** Where two overlap the first one grows. */
function apart(found: readonly Credential[]): readonly Credential[] {
  const all: Credential[] = []
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    if (!last || each.start >= last.end) all.push(each)
    else if (each.end > last.end) all[all.length - 1] = { ...last, end: each.end }
  }
  return all
}

interface Shape {
  readonly kind: CredentialKind
  /** Its first parenthesis, if any, holds what stands before the credential. */
  readonly shape: RegExp
  readonly isMeant?: (held: string) => boolean
}

/**
 * What is found must have the form of a credential, not only follow a word that announces one: a path or a name after
 * `Basic` is what somebody will look for in the trail. Behind the name of the header whatever stands there is one.
 */
const SHAPES: readonly Shape[] = [
  { kind: 'confirmation token', shape: /(?:conf|quota_continue)_(?:[0-9a-f]{64}|[A-Za-z0-9_-]{16,})/g },
  { kind: 'client token', shape: /\bmcpaql_[\w-]{43}/g },
  {
    kind: 'verification code',
    shape: /\b[A-Z2-7]{4}(?:(?:-[A-Z2-7]{4}){6}|(?: [A-Z2-7]{4}){6}|[A-Z2-7]{24})\b/gi,
    isMeant: (held) => /[2-7]/.test(held),
  },
  {
    kind: 'private key',
    shape:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\s{0,4}[A-Za-z]{1,20}(?:-[A-Za-z]{1,20})?: [^\n;|&$()<>`"']{0,200}){0,4}(?:[A-Za-z0-9+/=\s\\]{0,20000}(?=-----END)|(?:(?:\s|\\[nr]){0,4}[A-Za-z0-9+/=]{16,}){0,2000})/g,
  },
  {
    kind: 'bearer token',
    shape:
      /\b((?:Proxy-)?Authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:Bearer|Digest|Negotiate|Token) )[^\s"'\\;|&$()<>`]+/gi,
  },
  {
    kind: 'password',
    shape: /\b((?:Proxy-)?Authorization["']?\s{0,3}[:=]\s{0,3}["']?Basic )[^\s"'\\;|&$()<>`]+/gi,
  },
  { kind: 'password', shape: /\b(Basic )[A-Za-z0-9+/]{4,}={0,2}/gi, isMeant: isBasic },
  {
    kind: 'bearer token',
    shape: /\b((?:Bearer|Digest|Negotiate) )[A-Za-z0-9][A-Za-z0-9._~+=-]{11,}(?:\/[A-Za-z0-9._~+=-]{0,2000}){0,200}/gi,
    isMeant: isMixed,
  },
  {
    kind: 'JSON web token',
    shape: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g,
  },
  {
    kind: 'key',
    shape:
      /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|sk-|[spr]k_(?:live|test)_|whsec_|npm_|pypi-|hf_|dop_v1_|shp(?:at|ca|ss)_|lin_api_|ya29\.|SG\.|AGE-SECRET-KEY-1|AKIA|ASIA|AIza)[A-Za-z0-9_-]{16,}/g,
  },
  // Addresses that are credentials themselves, and the signature of an address that opens a store.
  { kind: 'key', shape: /(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,}/gi },
  { kind: 'key', shape: /(\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/)[\w-]{8,}/gi },
  { kind: 'key', shape: /(\bbot)\d{6,20}:[\w-]{20,}/gi },
  { kind: 'key', shape: /([?&]sig=)[\w%+/=.-]{6,}/gi },
]

/** `Basic ` and four characters. Most texts of a call are names and ids, and each search costs more than they do. */
const SHORTEST_SHAPE = 10

function ofShape(text: string, { kind, shape, isMeant }: Shape): readonly Credential[] {
  const found: Credential[] = []
  for (const { 0: all, 1: head = '', index } of text.matchAll(shape)) {
    const held = all.slice(head.length)
    if (isMeant?.(held) === false) continue
    found.push({ kind, start: index + head.length, end: index + all.length })
  }
  return found
}

/** A user and a password in base64. */
function isBasic(credential: string): boolean {
  return /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(credential, 'base64').toString('latin1'))
}

function isMixed(token: string): boolean {
  return /[0-9]/.test(token) && /[A-Za-z]/.test(token)
}

/** The password of an address. Each piece between one `://` and the next is read once. */
function inAddresses(text: string): readonly Credential[] {
  const found: Credential[] = []
  for (let at = text.indexOf('://'); at >= 0; ) {
    const from = at + 3
    at = text.indexOf('://', from)
    const [address = ''] = ADDRESS.exec(text.slice(from, at < 0 ? undefined : at)) ?? []
    const place = passwordIn(address)
    if (place) found.push({ kind: 'password', start: from + place.start, end: from + place.end })
  }
  return found
}

const ADDRESS = /^(?:[^\s;|&$()<>`"'\\]|\$(?![({A-Za-z_]))*/

/** Up to the last `@` before the path; one that holds a slash itself up to the first behind it, where no port stands. */
function passwordIn(address: string): { readonly start: number; readonly end: number } | undefined {
  const path = address.search(/[/?#]/)
  const host = path < 0 ? address : address.slice(0, path)
  const colon = host.indexOf(':')
  const sign = host.lastIndexOf('@')
  if (sign >= 0) {
    if (colon >= 0 && colon + 1 < sign) return { start: colon + 1, end: sign }
    return /^[\w-]{16,}@/.test(host) && isMixed(host.slice(0, sign)) ? { start: 0, end: sign } : undefined
  }
  const isHostAlone = colon < 0 || host.startsWith('[') || /^\d*$/.test(host.slice(colon + 1))
  const end = isHostAlone || path < 0 ? -1 : address.indexOf('@', path)
  return end < 0 ? undefined : { start: colon + 1, end }
}

function announced(text: string, isCut: boolean): readonly Credential[] {
  const found: Credential[] = []
  let from = 0
  for (const { 0: all, 1: flag, 2: name = flag ?? '', index } of text.matchAll(ANNOUNCER)) {
    if (index < from || !MAY_ANNOUNCE.test(name) || REFERENCE.test(name) || !isSecretName(name, 'text')) continue
    const at = index + all.length
    SCHEME.lastIndex = at
    const start = at + (SCHEME.exec(text)?.[0].length ?? 0)
    const end = secretEnd(text, start, isCut)
    if (end === start) continue
    found.push({ kind: 'secret', start, end })
    from = end
  }
  return found
}

/** A name starts where none could have started before it, so that each text is read once. Behind a flag a space is enough. */
const ANNOUNCER =
  /(?<![\w.-])(?:(--?[A-Za-z][\w.-]{1,127})[ \t]{1,3}|(-{0,2}[A-Za-z_][\w.-]{1,127})\\?["']?\s{0,3}(?::=|[:=：＝]|[-=]>)\s{0,3})/g

const MAY_ANNOUNCE = /pass|secret|cred|auth|cookie|key|token|pwd|pin|otp|jwt|bearer|cv[vc]/i

/** It names where the secret is, or a file of source code with a line behind it, and holds none. */
const REFERENCE =
  /(?:file|path|dir|name|env|stdin|ttl|type|url|uri|ref)s?$|\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cc?|cpp|hh?|cs|php|sh|sql|md|html|css|json|ya?ml|toml|txt)$/i

/** Between the name and the secret: how a header authenticates, or the start of a block of YAML. */
const SCHEME = /(?:(?:Basic|Bearer|Digest|Negotiate|Token)\s{1,3}|[|>][-+]?\r?\n\s{1,20})/iy

function givenToPrograms(text: string, isCut: boolean): readonly Credential[] {
  return PROGRAMS.flatMap((shape) => {
    const found: Credential[] = []
    for (const { 0: all, 1: quote = '', index } of text.matchAll(shape)) {
      const start = index + all.length
      const end = secretEnd(text, start, isCut, quote)
      if (end > start) found.push({ kind: 'password', start, end })
    }
    return found
  })
}

/** What stands before the password; in the first parenthesis the quotation mark that it is inside of. */
const PROGRAMS: readonly RegExp[] = [
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]{0,80}?\s-p(?=\S)/g,
  /\b(?:curl|http|https|wget)\b[^\n|;&]{0,120}?\s(?:-[A-Za-z]{0,8}u|--user|--proxy-user)[ =]?(["']?)[^\s:"'=]{1,64}:/g,
  /\b(?:sshpass\b[^\n|;&]{0,40}?\s-p|redis-cli\b[^\n|;&]{0,80}?\s-a)\s{0,3}/g,
  /\b(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|helm|az|oc)\b[^\n|;&]{0,40}?\slogin\b[^\n|;&]{0,100}?\s-p[ =]{0,3}/g,
  /\blogin\s{1,3}\S{1,100}\s{1,3}password\s{1,3}/g, // netrc
]

/** Where the secret that begins there ends; at once where it is too short for one, or something that may be seen. */
function secretEnd(text: string, start: number, isCut: boolean, quote = ''): number {
  const quoted = quote === '' ? -1 : quotedEnd(text, start, quote, isCut)
  const end = quoted < 0 ? valueEnd(text, start, isCut) : quoted
  const value = text.slice(start, Math.min(end, start + LONGEST_SEEN)).replace(/^\\?["']|\\?["']$/g, '')
  const isVariable = text[start] !== "'" && /^\$(?:(?:env:)?[A-Za-z_]\w*|\{[A-Za-z_]\w*\})$/.test(value)
  return value.length < 3 || isVariable || isInSight(value) ? start : end
}

const LONGEST_SEEN = 4_096

/** One word as a shell reads it: quoted pieces, and what stands between them. */
function valueEnd(text: string, start: number, isCut: boolean): number {
  VARIABLE.lastIndex = start
  if (VARIABLE.test(text)) return start
  let at = start
  for (;;) {
    const [quote = ''] = /^\\?["']/.exec(text.slice(at, at + 2)) ?? []
    if (quote === '') break
    const end = quotedEnd(text, at + quote.length, quote, isCut)
    if (end < 0) break
    at = text.startsWith(quote, end) ? end + quote.length : end
    if (at === end) return at
  }
  const piece = at === start ? BARE : BEHIND_QUOTES
  piece.lastIndex = at === start ? at + (/^\\?["']/.exec(text.slice(at, at + 2))?.[0].length ?? 0) : at
  return piece.test(text) ? piece.lastIndex : at
}

/** A variable alone names a secret and holds none. */
const VARIABLE = /(?:\$(?:env:)?[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}|%\w+%)(?=[\s"'&;,|<>()`]|$)|\$\(/y
const BARE = /(?:[^\s"'&;,|<>()`$\\]|\$(?![({A-Za-z_])|\\[^\sA-Za-z0-9"']|\\ |,(?![\s"']|[\w.-]{1,64}\s{0,3}[:=]|$))+/y
const BEHIND_QUOTES = /[\w.+/=!@#%^*~-]+/y

/**
 * Where a quotation ends, -1 where it does not. What a shell would run inside of double quotes ends it too, so that it
 * stays in sight.
 */
function quotedEnd(text: string, start: number, quote: string, isCut: boolean): number {
  const inner = quote === '"' ? IN_DOUBLE : quote === "'" ? IN_SINGLE : IN_ESCAPED
  inner.lastIndex = start
  inner.test(text)
  const end = Math.max(start, inner.lastIndex)
  return end < text.length || isCut ? end : -1
}

const IN_DOUBLE = /(?:[^"\\$`]|\\[\s\S]|\$(?!\())*/y
const IN_SINGLE = /[^']*/y
const IN_ESCAPED = /(?:[^\\$`]|\\(?!["'])|\$(?!\())*/y

/**
 * A place, a pattern, a flag or a value of every day: somebody will look for it in the trail. A long text of letters in
 * both cases and digits is a secret, also where it begins like a path.
 */
function isInSight(value: string): boolean {
  if (/^(?:true|false|null|none|string|number|\d{1,3}|[[{]+|--?[A-Za-z][\w-]*|\*+)$/i.test(value)) return true
  if (/^\{\{|^%\w+%$/.test(value)) return true
  return /^(?:~|\.{1,2}|\*{1,2})?\/|^\*\.|^~$/.test(value) && !isRandom(value)
}

function isRandom(value: string): boolean {
  const changes = value.match(/[a-z](?=[A-Z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []
  return value.length >= 20 && changes.length >= 5
}
