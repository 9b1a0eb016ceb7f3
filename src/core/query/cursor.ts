import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { record, type Store, updateRecord } from '../ports/store.ts'

/**
 * Pagination document §6.4. A cursor holds its position itself and is signed, so it needs no memory on the server and
 * outlives a restart as long as the key does. `scope` is what it is good for: another one makes it invalid.
 */
export interface CursorCodec {
  readonly encode: (position: readonly unknown[], scope: string) => string
  /** Undefined for anything that `encode` did not make for this scope. */
  readonly decode: (cursor: string, scope: string) => readonly unknown[] | undefined
}

export function createCursorCodec(key: Uint8Array): CursorCodec {
  const sign = (scope: string, payload: Uint8Array) =>
    createHmac('sha256', key).update(scope).update('\0').update(payload).digest().subarray(0, SIGNATURE_BYTES)
  return Object.freeze({
    encode(position: readonly unknown[], scope: string) {
      const payload = Buffer.from(JSON.stringify(position))
      if (payload.length > MAX_PAYLOAD) throw new RangeError('the sort keys of one item are too long for a cursor')
      return Buffer.concat([sign(scope, payload), payload]).toString('base64url')
    },
    decode(cursor: string, scope: string) {
      if (cursor.length > MAX_CURSOR) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // The decoder skips what it does not know; only the one canonical spelling is ours.
      if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) return undefined
      const payload = bytes.subarray(SIGNATURE_BYTES)
      if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(scope, payload))) return undefined
      return JSON.parse(payload.toString()) as readonly unknown[] // signed, so it is what `encode` wrote
    },
  })
}

const SIGNATURE_BYTES = 9
const MAX_PAYLOAD = 65_536
const MAX_CURSOR = Math.ceil(((MAX_PAYLOAD + SIGNATURE_BYTES) * 4) / 3)

/** PAGE-08: kept in the store, so that a cursor outlives a restart. */
export async function cursorKey(store: Store): Promise<Uint8Array> {
  const fresh = randomBytes(32).toString('base64')
  const kept = await updateRecord(store, record<string>('key', 'cursor'), (current) => ({
    next: current ?? fresh,
    result: current ?? fresh,
  }))
  return Buffer.from(kept, 'base64')
}
