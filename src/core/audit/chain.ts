import { createHash } from 'node:crypto'

/** What the first entry of a trail names as its predecessor. */
export const GENESIS = '0'.repeat(64)

/** AUDIT-09: an entry's hash covers its place, its predecessor and its text as stored. */
export function chainHash(previous: string, seq: number, text: string): string {
  return createHash('sha256').update(`${previous}\n${seq}\n`).update(text).digest('hex')
}
