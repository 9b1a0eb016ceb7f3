import { asRecorded, isMasked, maskOf, sentKey } from '../masked.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { maskSensitive } from '../registry/secrets.ts'
import { sha256 } from '../sha256.ts'
import { bounded, cut, isWithin } from './entry-text.ts'
import { isSecretName } from './secret-names.ts'
import { tokenRef } from './token-ref.ts'

/**
 * AUDIT-06: parameters for the trail as a record holds them. What is declared or named as a secret is masked in its
 * place, and so are credentials and redeemable tokens inside a text; nothing else is, whatever it is equal to.
 */
export function redact(target: Operation, params: Readonly<Record<string, unknown>>): unknown {
  const masked = maskSensitive(target, params)
  return isWithin(masked, LONGEST_CLEANED) ? bounded(cleaned(masked)) : cut(masked, redactProse)
}

/** What is longer is cut in any case, and nothing but its beginning is looked through. */
const LONGEST_CLEANED = 131_072

/** A value that no operation describes, in words of the agent: a goal, a reason, a hint. */
export function redactValue(value: unknown): unknown {
  const recorded = asRecorded(value)
  return isWithin(recorded, LONGEST_CLEANED) ? bounded(cleaned(recorded, redactProse)) : cut(recorded, redactProse)
}

/** A redeemable token becomes its reference, and what looks like a credential a mark that says what it was. */
export function redactText(text: string): string {
  let rest = text
  for (const { shape, becomes } of SHAPES) rest = rest.replace(shape, becomes)
  return rest
}

/**
 * What an agent writes about its actions (AUDIT-06): also a value behind a name that announces a secret, as in
 * `DB_PASSWORD=…`, `--token …`, `"api_key": "…"` or `mysql -p…`. A path, a pattern or a variable in that place stays, so
 * that an agent cannot hide what it acts upon behind such a name.
 */
export function redactProse(text: string): string {
  let rest = withoutAnnounced(redactText(text))
  for (const shape of PROGRAM_SECRETS)
    rest = rest.replace(shape, (found, head: string, value: string) =>
      isInSight(value) ? found : `${head}${mark('password')}`,
    )
  return rest
}

/** The beginning of a text that may be long: only as much of it is read as can be kept. */
export function redactBeginning(text: string, most: number): string {
  if (text.length <= most) return redactProse(text)
  const read = redactProse(text.slice(0, 2 * most))
  const kept = read.slice(0, Math.min(most, Math.max(0, read.length - UNSURE))).toWellFormed()
  return `${kept}… (${text.length} characters)`
}

/** At the end of what was read a credential may have been cut in two. */
const UNSURE = 300

function withoutAnnounced(text: string): string {
  let kept = ''
  let from = 0
  for (const { 0: found, 1: flag, 2: name = flag ?? '', index } of text.matchAll(ANNOUNCER)) {
    const at = index + found.length
    if (index < from || !MAY_ANNOUNCE.test(name) || !isSecretName(name, 'text')) continue
    VALUE.lastIndex = at
    const [value] = VALUE.exec(text) ?? ['']
    if (value === '' || isInSight(value)) continue
    kept += text.slice(from, at) + mark('secret')
    from = at + value.length
  }
  return from === 0 ? text : kept + text.slice(from)
}

/** A name starts where none could have started before it, so that each text is read once. Behind a flag a space is enough. */
const ANNOUNCER =
  /(?<![\w.-])(?:(--[A-Za-z][\w.-]{1,63}) |(-{0,2}[A-Za-z_][\w.-]{1,63})\\?["']?\s{0,3}[:=]\s{0,3})\\?["']?/g
const VALUE = /[^\s"'&;,|<>()\\]{3,400}/y

const PROGRAM_SECRETS: readonly RegExp[] = [
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]{0,80}?\s-p)([^\s"'|;&]{3,200})/g,
  /(\b(?:curl|http|https|wget)\b[^\n|;&]{0,120}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:)([^\s"'|;&]{3,200})/g,
  /(\b(?:sshpass\s{1,3}-p|redis-cli\b[^\n|;&]{0,80}?\s-a)\s{0,3}["']?)([^\s"'|;&]{3,200})/g,
]

const MAY_ANNOUNCE = /pass|secret|cred|auth|cookie|key|token|pwd|pin|otp|jwt|bearer|cv[vc]/i

function isInSight(value: string): boolean {
  return /^[/~.$%[{*-]|\*|^(?:true|false|null|none|string|number|\d{1,3})$/i.test(value)
}

interface Shape {
  readonly shape: RegExp
  /** Given the whole and what the parentheses hold. */
  readonly becomes: (found: string, ...kept: string[]) => string
}

/**
 * Each is matched in linear time: nothing that repeats is followed by something that it could have matched itself, and
 * what may fail after a long run begins only where no run could have begun before it. What
 * is masked must have the form of a credential, not only follow a word that announces one: a path or a name after
 * `Basic` is what somebody will look for in the trail.
 */
const SHAPES: readonly Shape[] = [
  { shape: /(?:conf|quota_continue)_(?:[0-9a-f]{64}|[A-Za-z0-9_-]{16,})/g, becomes: tokenRef },
  { shape: /\bmcpaql_[\w-]{43}/g, becomes: (found) => digested('client token', found) },
  {
    shape: /\b[A-Z2-7]{4}(?:(?:-[A-Z2-7]{4}){6}|(?: [A-Z2-7]{4}){6}|[A-Z2-7]{24})\b/gi,
    becomes: (found) => (/[2-7]/.test(found) ? digested('verification code', found) : found),
  },
  {
    shape: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}/g,
    becomes: (found) => digested('private key', found),
  },
  {
    // Behind the name of the header whatever stands there is a credential.
    shape:
      /\b((?:Proxy-)?Authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:Basic|Bearer|Digest|Negotiate|Token) )([^\s"'\\]{4,2000})/gi,
    becomes: (found, head, held) =>
      held.startsWith('[masked') ? found : `${head}${mark(/basic $/i.test(head) ? 'password' : 'bearer token')}`,
  },
  {
    shape: /\b(Basic )([A-Za-z0-9+/]{4,2000}={0,2})/gi,
    becomes: (found, scheme, credential) => (isBasic(credential) ? `${scheme}${mark('password')}` : found),
  },
  {
    shape:
      /\b((?:Bearer|Digest|Negotiate) )([A-Za-z0-9][A-Za-z0-9._~+=-]{11,}(?:\/[A-Za-z0-9._~+=-]{0,2000}){0,200})/gi,
    becomes: (found, scheme, token) => (isMixed(token) ? `${scheme}${mark('bearer token')}` : found),
  },
  {
    shape: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]{0,2000})?/g,
    becomes: (found) => digested('JSON web token', found),
  },
  {
    shape: /(:\/\/)([^\s/?#@:]{0,200}):[^\s/?#@]{1,200}@/g,
    becomes: (_, slashes, user) => `${slashes}${user}:${mark('password')}@`,
  },
  {
    shape:
      /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|sk-|[spr]k_(?:live|test)_|whsec_|npm_|pypi-|hf_|dop_v1_|shp(?:at|ca|ss)_|lin_api_|ya29\.|SG\.|AGE-SECRET-KEY-1|AKIA|ASIA|AIza)[A-Za-z0-9_-]{16,}/g,
    becomes: (found) => digested('key', found),
  },
]

function mark(kind: string): string {
  return `[masked ${kind}]`
}

/** Of what nobody can guess; so it can be shown later which one it was, and that it was not something else. */
function digested(kind: string, found: string): string {
  return `[masked ${kind} ${sha256(found).slice(0, 16)}]`
}

/** A user and a password in base64. */
function isBasic(credential: string): boolean {
  return /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(credential, 'base64').toString('latin1'))
}

function isMixed(token: string): boolean {
  return /[0-9]/.test(token) && /[A-Za-z]/.test(token)
}

/** A text of which a part is masked is no plain text any more, so that no text can claim it. */
function cleaned(value: unknown, clean: (text: string) => string = redactText): unknown {
  if (typeof value === 'string') {
    const text = clean(value)
    return text === value ? value : { ...maskOf(value), text }
  }
  if (typeof value !== 'object' || value === null || isMasked(value)) return value
  if (Array.isArray(value)) return value.map((inner) => cleaned(inner, clean))
  const fields = new Map<string, unknown>()
  const used = new Map<string, number>()
  for (const [name, inner] of Object.entries(value))
    fields.set(freeKey(redactText(name), fields, used), cleanedField(name, inner, clean))
  return Object.fromEntries(fields)
}

function cleanedField(name: string, value: unknown, clean: (text: string) => string): unknown {
  const isSecret = value !== null && !isMasked(value) && isSecretName(sentKey(name), value)
  return isSecret ? maskOf(value) : cleaned(value, clean)
}

/** Two keys that become one would leave one of two values. Each name goes on counting where it was, however many there are. */
function freeKey(name: string, taken: ReadonlyMap<string, unknown>, used: Map<string, number>): string {
  if (!taken.has(name)) return name
  let count = used.get(name) ?? 1
  do count++
  while (taken.has(`${name}~${count}`))
  used.set(name, count)
  return `${name}~${count}`
}
