import { sha256 } from '../sha256.ts'

/** What the first entry of a trail names as its predecessor. */
export const GENESIS = '0'.repeat(64)

/** AUDIT-09: an entry's hash covers its place, its predecessor and its text as stored. */
export function chainHash(previous: string, seq: number, text: string): string {
  return sha256(`${previous}\n${seq}\n${text}`)
}
