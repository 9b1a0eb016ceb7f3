import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../sha256.ts'

/** What is kept of a secret: enough to recognise it, and as costly as possible to search for it. */
export interface Verifier {
  readonly salt: string
  readonly hash: string
  readonly cost: ScryptCost
}

export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** 128 MiB and some tenths of a second for every guess. */
export const SCRYPT_COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 }

export async function makeVerifier(secret: string, cost: ScryptCost = SCRYPT_COST): Promise<Verifier> {
  const salt = randomBytes(32)
  const hash = await derive(secret, salt, cost)
  return { salt: salt.toString('base64'), hash: hash.toString('base64'), cost }
}

export async function matches(secret: string, { salt, hash, cost }: Verifier): Promise<boolean> {
  const derived = await derive(secret, Buffer.from(salt, 'base64'), cost)
  const kept = Buffer.from(hash, 'base64')
  return kept.length === derived.length && timingSafeEqual(kept, derived)
}

/** Compared over digests, so that neither length nor place of a difference shows. */
export function isSameText(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const LENGTH = 32

/** Normalised, so that the same letters from another keyboard are the same secret. */
function derive(secret: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r * p + 2 ** 20 }
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize('NFC'), salt, LENGTH, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** How the trail names a verifier, so that one that was put in its place is found out. It opens nothing. */
export function verifierRef({ salt, hash }: Verifier): string {
  return sha256(`${salt}\n${hash}`).slice(0, 16)
}
