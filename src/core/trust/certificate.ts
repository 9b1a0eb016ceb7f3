import { Buffer } from 'node:buffer'
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { ALL_OPERATIONS, type Certification } from '../../protocol/trust.ts'
import { canonicalJson } from '../canonical-json.ts'
import { quoted } from './key-rules.ts'

/** The authorities that the operator believes, by name. */
export type AuthorityKeys = ReadonlyMap<string, KeyObject>

/** A certification whose signature was found good. Only `verifyCertificate` makes one. */
export interface Certificate extends Certification {
  readonly [verified]: true
}
declare const verified: unique symbol

/** Public keys in PEM by the name of their authority: Ed25519, or RSA of 2048 bits and more. */
export function readAuthorityKeys(
  settings: Readonly<Record<string, unknown>>,
): { readonly keys: AuthorityKeys } | { readonly error: string } {
  const keys = new Map<string, KeyObject>()
  for (const [authority, pem] of Object.entries(settings)) {
    const key = publicKey(pem)
    if (typeof key === 'string') return { error: `the key of the authority ${quoted(authority)} ${key}` }
    keys.set(authority, key)
  }
  return { keys }
}

/**
 * TRUST-07: verified with a key that the operator configured for this authority. What is signed covers the content and
 * the terms of the certificate, so that nobody can prolong or widen it (`signedText`).
 */
export function verifyCertificate(
  certification: Certification,
  content: string,
  keys: AuthorityKeys,
): { readonly certificate: Certificate } | { readonly error: string } {
  const { authority, signature } = certification
  const key = keys.get(authority)
  if (!key) return { error: `no key is configured for the authority ${quoted(authority)}` }
  if (!isSignedBy(key, signedText(content, certification), signature)) {
    return { error: `the signature by ${quoted(authority)} does not fit the content of the adapter` }
  }
  return { certificate: certification as Certificate } // the one place where the mark is given
}

/** What an authority signs: RFC 8785 of the adapter's content and of every term but the signature itself. */
export function signedText(content: string, { signature: _, ...terms }: Certification): string {
  return canonicalJson({ content, terms })
}

/** TRUST-11: from `expires_at` on it counts for nothing. */
export function isInForce({ issued_at, expires_at }: Certification, now: number): boolean {
  return Date.parse(issued_at) <= now && now < Date.parse(expires_at)
}

export function covers({ scope }: Certification, operation: string): boolean {
  return scope.includes(ALL_OPERATIONS) || scope.includes(operation)
}

const LEAST_RSA_BITS = 2048

function publicKey(pem: unknown): KeyObject | string {
  if (typeof pem !== 'string') return 'must be a public key in PEM'
  if (pem.includes('PRIVATE KEY')) return 'is a private key; give the public one'
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
    if (key.asymmetricKeyType !== 'rsa') return 'must be an Ed25519 or RSA key'
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    return bits >= LEAST_RSA_BITS ? key : `must have ${LEAST_RSA_BITS} bits or more`
  } catch {
    return 'must be a public key in PEM'
  }
}

/** Ed25519 hashes by itself; RSA signs a SHA-256 (PKCS #1 v1.5). */
function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  try {
    const digest = key.asymmetricKeyType === 'rsa' ? 'sha256' : null
    return verify(digest, Buffer.from(text), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
