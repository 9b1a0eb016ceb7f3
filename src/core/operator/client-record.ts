import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type RecordRef, record } from '../ports/store.ts'
import { sha256 } from '../sha256.ts'

/** A caller that the operator has named. Its token is known to the client alone; the store has the hash. */
export interface ClientRecord {
  readonly name: string
  readonly tokenHash: string
  /** May the user of this client approve inside it (SELF-05)? The operator's word, given with the name. */
  readonly elicitation: boolean
  readonly createdAt: number
  readonly createdBy: string
  readonly lastUsedAt?: number
  readonly revokedAt?: number
  readonly revokedBy?: string
}

/** Found by the hash of a token, so that one look tells whose it is; gone with the client's revocation. */
export interface TokenRecord {
  readonly name: string
  readonly hash: string
  readonly elicitation: boolean
}

export function clientRef(name: string): RecordRef<ClientRecord> {
  return record(CLIENT, name)
}

export function clientTokenRef(hash: string): RecordRef<TokenRecord> {
  return record('client_token', hash)
}

export const CLIENT = 'client'

/** 256 bits; the prefix lets people and scanners see what it is. */
export function makeClientToken(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

const PREFIX = 'mcpaql_'

/** What does not look like a token is never looked up. */
export function isClientToken(text: string): boolean {
  return TOKEN.test(text)
}

const TOKEN = /^mcpaql_[\w-]{43}$/

/** The token has 256 random bits, so that one round of SHA-256 hides it, and its hash says nothing of another. */
export function hashClientToken(token: string): string {
  return sha256(token)
}

/**
 * What sets a client apart from an earlier one of the same name: each has a token of its own. Agents see it at the end of
 * their session's id, and it says nothing of the token.
 */
export function clientIdOf(tokenHash: string): string {
  return `c_${hash('sha256', `client ${tokenHash}`, 'base64url').slice(0, 8)}`
}

export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Why a name will not do; undefined when it will. */
export function faultOfName(name: string): string | undefined {
  if (!NAME.test(name)) return 'must be 1 to 63 small letters, digits, _ and -, and begin with a letter'
  if (RESERVED.has(name)) return 'is reserved: callers that nobody has named, or the server itself, are called so'
  return undefined
}

const NAME = /^[a-z][a-z0-9_-]{0,62}$/

/** Principals of the product itself, and words that would look like the operator in a list. */
const RESERVED: ReadonlySet<string> = new Set([
  'anonymous',
  'stdio',
  'operator',
  'admin',
  'cli',
  'console',
  'terminal',
  'hook',
  'hooks',
  'human',
  'mcpaql',
  'none',
  'principal',
  'system',
  'user',
])
