import { nextTick } from 'node:process'
import type { Followed, RecordRef } from '../core/ports/store.ts'
import { keyOf } from './change-group.ts'
import { parseRecord } from './parse-record.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

type Ref = RecordRef<unknown>

export interface FollowedRecords {
  follow<T>(ref: RecordRef<T>, onChange?: () => void): Followed<T>
  /** After the commit of this connection that wrote them. */
  wrote(written: readonly (readonly [Ref, string | undefined])[]): void
}

interface Entry {
  readonly ref: Ref
  readonly key: string
  readonly onChange: (() => void) | undefined
  /** Null until it was read, and after it could not be. */
  text: string | undefined | null
  value: unknown
}

/**
 * SQLite says at small cost whether another connection has committed, and only then is anything read. It is asked once
 * in each callback of the event loop: whatever that callback has received was sent before, and no other arrives in it.
 */
export function createFollowedRecords(
  database: SqliteDatabase,
  read: (ref: Ref) => string | undefined,
): FollowedRecords {
  const version = database.prepare('pragma data_version').raw()
  const entries = new Set<Entry>()
  let seenAt = -1
  let isFresh = false

  const look = (): void => {
    if (isFresh) return
    const [now = -1] = version.get() as unknown as readonly number[]
    if (now !== seenAt) {
      for (const entry of entries) take(entry, read(entry.ref))
      seenAt = now
    }
    isFresh = true
    nextTick(expire)
  }

  const expire = (): void => {
    isFresh = false
  }

  return {
    follow<T>(ref: RecordRef<T>, onChange?: () => void) {
      const entry: Entry = { ref, key: keyOf(ref), onChange, text: null, value: undefined }
      entries.add(entry)
      return {
        current() {
          look()
          if (entry.text === null) take(entry, read(ref))
          return entry.value as T | undefined
        },
        close: () => void entries.delete(entry),
      }
    },

    wrote(written) {
      if (entries.size === 0) return
      for (const [ref, text] of written) {
        const key = keyOf(ref)
        for (const entry of entries) if (entry.key === key) take(entry, text)
      }
    },
  }
}

function take(entry: Entry, text: string | undefined): void {
  if (entry.text === text) return
  const isFirst = entry.text === null
  entry.text = null
  entry.value = text === undefined ? undefined : parseRecord(entry.ref, text)
  entry.text = text
  if (!isFirst) entry.onChange?.()
}
