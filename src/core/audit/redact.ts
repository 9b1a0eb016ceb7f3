import { asRecorded, isMasked, maskOf, sentKey } from '../masked.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { maskSensitive } from '../registry/secrets.ts'
import { sha256 } from '../sha256.ts'
import { isSecretName } from './secret-names.ts'
import { tokenRef } from './token-ref.ts'

/**
 * AUDIT-06: parameters for the trail as a record holds them. What is declared or named as a secret is masked in its
 * place, and so are credentials and redeemable tokens inside a text; nothing else is, whatever it is equal to.
 */
export function redact(target: Operation, params: Readonly<Record<string, unknown>>): unknown {
  return cleaned(maskSensitive(target, params))
}

/** A value that no operation describes: a reason, a hint, a setting. */
export function redactValue(value: unknown): unknown {
  return cleaned(asRecorded(value))
}

/** A redeemable token becomes its reference, and what looks like a credential a mark that says what it was. */
export function redactText(text: string): string {
  let rest = text
  for (const { shape, becomes } of SHAPES) rest = rest.replace(shape, becomes)
  return rest
}

interface Shape {
  readonly shape: RegExp
  /** Given the whole and what the parentheses hold. */
  readonly becomes: (found: string, ...kept: string[]) => string
}

/**
 * Each is matched in linear time: nothing that repeats is followed by something that it could have matched itself. What
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
    shape: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]{0,2000})?/g,
    becomes: (found) => digested('JSON web token', found),
  },
  {
    shape: /(:\/\/)([^\s/?#@:]{0,200}):[^\s/?#@]{1,200}@/g,
    becomes: (_, slashes, user) => `${slashes}${user}:${mark('password')}@`,
  },
  {
    shape: /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|sk_live_|rk_live_|AKIA|ASIA|AIza)[A-Za-z0-9_-]{16,}/g,
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
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = redactText(value)
    return text === value ? value : { ...maskOf(value), text }
  }
  if (typeof value !== 'object' || value === null || isMasked(value)) return value
  if (Array.isArray(value)) return value.map(cleaned)
  const fields = new Map<string, unknown>()
  for (const [name, inner] of Object.entries(value))
    fields.set(freeKey(redactText(name), fields), cleanedField(name, inner))
  return Object.fromEntries(fields)
}

function cleanedField(name: string, value: unknown): unknown {
  const isSecret = value !== null && !isMasked(value) && isSecretName(sentKey(name), value)
  return isSecret ? maskOf(value) : cleaned(value)
}

/** Two keys that become one would leave one of two values. */
function freeKey(name: string, taken: ReadonlyMap<string, unknown>): string {
  return taken.has(name) ? freeKey(`${name}~`, taken) : name
}
