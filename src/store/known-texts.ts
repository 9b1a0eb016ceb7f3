import type { RecordRef } from '../core/ports/store.ts'
import { keyOf } from './change-group.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

type Ref = RecordRef<unknown>

/** The records that the last commits read or wrote, as long as no other connection has written to the file. */
export interface KnownTexts {
  /** Within a transaction that holds the file. */
  getAll(refs: readonly Ref[]): readonly (string | undefined)[]
  /** After the commit that wrote them. */
  keep(written: readonly (readonly [Ref, string | undefined])[]): void
  /** After a commit whose end is not known. */
  forget(): void
}

/** In characters. A gate reads what it has just written; nothing is lost by starting anew from time to time. */
const MOST_KEPT = 8_000_000

export function createKnownTexts(
  database: SqliteDatabase,
  read: (refs: readonly Ref[]) => readonly (string | undefined)[],
): KnownTexts {
  /** SQLite's own word for it: it changes when another connection, of any process, has committed. */
  const version = database.prepare('pragma data_version')
  const known = new Map<string, string | undefined>()
  let knownAt = -1
  let size = 0 // at most: what was written over counts still

  const note = (ref: Ref, text: string | undefined): void => {
    const key = keyOf(ref)
    size += key.length + (text?.length ?? 0)
    known.set(key, text)
  }

  const forget = (): void => {
    known.clear()
    size = 0
  }

  return {
    forget,

    getAll(refs) {
      const { data_version: now } = version.get() as { readonly data_version: number }
      if (now !== knownAt || size > MOST_KEPT) forget()
      knownAt = now
      const missing = refs.filter((ref) => !known.has(keyOf(ref)))
      if (missing.length > 0) for (const [i, text] of read(missing).entries()) note(missing[i] as Ref, text)
      return refs.map((ref) => known.get(keyOf(ref)))
    },

    keep(written) {
      for (const [ref, text] of written) note(ref, text)
    },
  }
}
