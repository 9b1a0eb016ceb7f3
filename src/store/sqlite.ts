import { statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { entryText } from '../core/audit/entry-text.ts'
import type { Change, ListOptions, RecordRef, RecordRefs, Store } from '../core/ports/store.ts'
import { changeGroup, type Outcome, type Request } from './change-group.ts'
import { createFileInPlace, type FileInPlace } from './file-in-place.ts'
import { createFollowedRecords } from './followed-records.ts'
import { createGroupCommit } from './group-commit.ts'
import { createKnownTexts } from './known-texts.ts'
import { forgetOpener, isOpenerGone, nameOpener } from './opener.ts'
import { parseRecord } from './parse-record.ts'
import { inTransaction, openDatabase, patiently, type SqliteDatabase } from './sqlite-database.ts'
import { storeFault } from './sqlite-fault.ts'
import { createSqliteRecords } from './sqlite-records.ts'
import { createSqliteTrail } from './sqlite-trail.ts'

/**
 * The embedded default: one SQLite file, each change on disk before the answer. Several processes may share the file.
 * Throws an Error for the operator when it cannot be used.
 */
export async function openSqliteStore(path: string): Promise<Store> {
  const file = resolve(path) // a plain path: libsql would dial a URL
  const database = await openDatabase(file)
  return createStore(database, createFileInPlace(file), dirname(file))
}

function createStore(database: SqliteDatabase, place: FileInPlace, folder: string): Store {
  const opener = nameOpener()
  let isOpen = true

  /** A statement of libsql works on after its database was closed. */
  const assertOpen = (): void => {
    if (!isOpen) throw new Error('The store is closed.')
  }

  const records = createSqliteRecords(database)

  const reading = <T>(work: () => T): T => {
    assertOpen()
    try {
      place.assertFile()
      return work()
    } catch (cause) {
      throw storeFault('Cannot read the store', cause)
    }
  }

  const trail = createSqliteTrail(database, reading)

  const known = createKnownTexts(database, records.getAll)
  const followed = createFollowedRecords(database, records.get)

  const write = (group: readonly Request[]): Outcome => {
    place.assertAll()
    const outcome = changeGroup(group, known.getAll)
    records.putAll(outcome.written)
    trail.append(outcome.audit)
    return outcome
  }

  const writer = createGroupCommit<Request>(async (group) => {
    try {
      const { attempts, written } = await patiently(() => inTransaction(database, () => write(group)))
      known.keep(written)
      followed.wrote(written)
      return attempts
    } catch (cause) {
      known.forget()
      throw storeFault('Cannot write to the store', cause)
    }
  })

  return {
    opener,
    isGone: async (other) => isOpenerGone(other),
    hasRoom: () => freeBytes(folder) >= LEAST_ROOM,
    trail,

    follow<T>(ref: RecordRef<T>, onChange?: () => void) {
      const { current, close } = followed.follow(ref, onChange)
      return {
        current() {
          assertOpen()
          return current()
        },
        close,
      }
    },

    async get<T>(ref: RecordRef<T>) {
      const text = reading(() => records.get(ref))
      return text === undefined ? undefined : parseRecord(ref, text)
    },

    async update<K extends RecordRefs, R>(refs: K, change: Change<K, R>) {
      assertOpen()
      return writer.run({ refs, change: change as unknown as Request['change'] }) as Promise<R>
    },

    async list<T>(kind: string, options: ListOptions = {}) {
      const found = reading(() => records.list(kind, options))
      return found.map(({ id, text }) => ({ id, value: parseRecord<T>({ kind, id }, text) }))
    },

    async prune(upTo, entries, first) {
      assertOpen()
      await writer.drain()
      try {
        await patiently(() =>
          inTransaction(database, () => {
            place.assertAll()
            if (first !== undefined) trail.assertFirst(first)
            trail.append(entries.map(entryText)) // first, so that the chain goes on from the last entry whatever is removed
            trail.removeUpTo(upTo)
          }),
        )
      } catch (cause) {
        throw storeFault('Cannot prune the trail', cause)
      }
      giveBack(database)
    },

    async close() {
      if (!isOpen) return
      isOpen = false
      await writer.drain()
      checkpoint(database)
      database.close()
      forgetOpener(opener)
    },
  }
}

/** The room that was freed, where nobody else is at work; otherwise the next entries use it. */
function giveBack(database: SqliteDatabase): void {
  try {
    database.exec('vacuum')
  } catch {
    // another process holds the file, or the disk is too full for it
  }
}

/** Some hundred entries of the longest kind, with their log. */
const LEAST_ROOM = 4 * 1_048_576

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY // no such call there: a write that fails will tell
  }
}

/** So that the file alone is the whole store. It is the store with its log as well: failing to do this harms nothing. */
function checkpoint(database: SqliteDatabase): void {
  try {
    database.pragma('wal_checkpoint(truncate)')
  } catch {
    // another process reads, or the disk is full
  }
}
