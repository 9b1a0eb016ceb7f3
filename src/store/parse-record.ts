import type { RecordRef } from '../core/ports/store.ts'

/** A record as it was written. One that is damaged is named; what it says may be a secret and is not. */
export function parseRecord<T>({ kind, id }: RecordRef<T>, text: string): T {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The ${kind} record '${id}' in the store is damaged.`)
  }
}
