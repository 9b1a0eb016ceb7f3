import { sha256 } from '../sha256.ts'

/** AUDIT-06: how a token appears in the trail, the first 16 hex characters of its SHA-256. */
export function tokenRef(token: string): string {
  return sha256(token).slice(0, 16)
}
