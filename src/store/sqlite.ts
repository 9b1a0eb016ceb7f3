import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'libsql'
import type { Change, ListOptions, Store } from '../core/ports/store.ts'

/**
 * The embedded default: one SQLite file, each change one transaction, on disk before the answer.
 * Several processes may share the file. Throws an Error for the operator when it cannot be used.
 */
export async function openSqliteStore(path: string): Promise<Store> {
  const file = resolve(path) // a plain path: libsql would dial a URL
  prepareFile(file)
  return createStore(await connect(file))
}

/** Marks a file as ours, so that no other program's database is written to by mistake. */
const APPLICATION_ID = 0x4d43_4151
const SCHEMA_VERSION = 1

const SCHEMA = `
  create table if not exists records (kind text, id text, value text not null, primary key (kind, id)) without rowid;
  pragma application_id = ${APPLICATION_ID};
  pragma user_version = ${SCHEMA_VERSION};
`

const UPSERT = 'insert into records values (?, ?, ?) on conflict do update set value = excluded.value'

/** As a blob: libsql cuts a text off at U+0000 when it reads one. */
const LIST = `select cast(id as blob) as id, value from records
  where kind = ? and id >= ? and id < ? order by records.id limit ?`

const LAST_CHARACTER = '\u{10ffff}'

function createStore(database: Database.Database): Store {
  const select = database.prepare('select value from records where kind = ? and id = ?')
  const upsert = database.prepare(UPSERT)
  const remove = database.prepare('delete from records where kind = ? and id = ?')
  const page = database.prepare(LIST)
  let isOpen = true

  /** A statement of libsql works on after its database was closed. */
  const assertOpen = (): void => {
    if (!isOpen) throw new Error('The store is closed.')
  }

  const read = <T>(kind: string, id: string): T | undefined => {
    const row = select.get(kind, id) as { value: string } | undefined
    return row && JSON.parse(row.value)
  }

  const replace = <T, R>(kind: string, id: string, change: Change<T, R>): R => {
    assertOpen()
    return inTransaction(database, () => {
      const { next, result } = change(read<T>(kind, id))
      if (next === undefined) remove.run(kind, id)
      else upsert.run(kind, id, JSON.stringify(next))
      return result
    })
  }

  return {
    async get<T>(kind: string, id: string) {
      assertOpen()
      return read<T>(kind, id)
    },

    update: async (kind, id, change) => patiently(() => replace(kind, id, change)),

    async list<T>(kind: string, { prefix = '', limit = -1 }: ListOptions = {}) {
      assertOpen()
      const rows = page.all(kind, prefix, prefix + LAST_CHARACTER, limit) as { id: ArrayBuffer; value: string }[]
      return rows.map(({ id, value }) => ({ id: Buffer.from(id).toString(), value: JSON.parse(value) as T }))
    },

    async close() {
      if (isOpen) database.close()
      isOpen = false
    },
  }
}

/** Unlike libsql's own, it says why the change failed: a full disk has rolled back already, and then `rollback` fails. */
function inTransaction<R>(database: Database.Database, work: () => R): R {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (cause) {
    if (database.inTransaction) database.exec('rollback')
    throw cause
  }
}

/** Another process may hold the file. Waiting is done here, because SQLite would hold up everything else meanwhile. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (cause) {
      if (!isBusy(cause) || attempt === ATTEMPTS) throw cause
      await new Promise((wake) => setTimeout(wake, 20 * attempt))
    }
  }
}

const ATTEMPTS = 20

/** The file and the folders made for it are their owner's alone; SQLite gives its side files the same mode. */
function prepareFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
    closeSync(openSync(file, 'a', 0o600))
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch (cause) {
    throw unusable(file, reason(cause), cause)
  }
}

/** Another process may be setting up the same file, and SQLite does not wait for a change of the journal mode. */
async function connect(file: string): Promise<Database.Database> {
  try {
    return await patiently(() => {
      const database = new Database(file)
      try {
        return configure(database)
      } catch (cause) {
        database.close()
        throw cause
      }
    })
  } catch (cause) {
    throw unusable(file, reason(cause), cause)
  }
}

function configure(database: Database.Database): Database.Database {
  database.pragma('busy_timeout = 50')
  assertOurs(database)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  if (number(database, 'user_version') < SCHEMA_VERSION) database.exec(`begin immediate; ${SCHEMA} commit;`)
  return database
}

function assertOurs(database: Database.Database): void {
  const owner = number(database, 'application_id')
  const [{ tables }] = database.prepare('select count(*) as tables from sqlite_schema').all() as [{ tables: number }]
  if (owner !== APPLICATION_ID && (owner !== 0 || tables > 0)) throw new Error('it is the database of another program')
  if (number(database, 'user_version') > SCHEMA_VERSION) throw new Error('it was written by a newer version of mcpaql')
}

function number(database: Database.Database, pragma: string): number {
  const [row] = database.pragma(pragma) as [Readonly<Record<string, number>>]
  return row[pragma] ?? 0
}

function unusable(file: string, why: string, cause: unknown): Error {
  return new Error(`Cannot use '${file}' as the store: ${why}.`, { cause })
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written by this user',
  EPERM: 'it belongs to another user',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  SQLITE_NOTADB: 'it is not a SQLite database',
  SQLITE_CORRUPT: 'the database is damaged',
  SQLITE_READONLY: 'it may not be written by this user',
  SQLITE_CANTOPEN: 'it cannot be opened',
  SQLITE_BUSY: 'another process keeps it locked',
  SQLITE_FULL: 'the disk is full',
}

function reason(cause: unknown): string {
  const code = codeOf(cause)
  if (Object.hasOwn(REASONS, code)) return REASONS[code] as string
  return cause instanceof Error ? cause.message : String(cause)
}

function isBusy(cause: unknown): boolean {
  return codeOf(cause).startsWith('SQLITE_BUSY')
}

function codeOf(cause: unknown): string {
  return cause instanceof Error ? String((cause as { code?: unknown }).code ?? '') : ''
}
