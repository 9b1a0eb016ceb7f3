import { accessSync, chmodSync, closeSync, constants, openSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { getuid } from 'node:process'
import Database from 'libsql'
import { makeFolder } from './make-folder.ts'
import { isBusy, reasonOf } from './sqlite-fault.ts'

export type SqliteDatabase = Database.Database

/** Opens the file, or throws an Error for the operator that names it and the reason. */
export async function openDatabase(file: string): Promise<SqliteDatabase> {
  try {
    prepareFile(file)
    return await patiently(() => connect(file))
  } catch (cause) {
    throw new Error(`Cannot use '${file}' as the store: ${reasonOf(cause)}.`, { cause })
  }
}

/** Unlike libsql's own, it says why the change failed: a full disk has rolled back already, and then `rollback` fails. */
export function inTransaction<R>(database: SqliteDatabase, work: () => R): R {
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
export async function patiently<T>(work: () => T): Promise<T> {
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

/** Marks a file as ours, so that no other program's database is written to by mistake. */
const APPLICATION_ID = 0x4d43_4151
const SCHEMA_VERSION = 2

/** Lifted within the one transaction that prunes the trail. */
export const TRAIL_IS_KEPT = `create trigger if not exists trail_is_kept before delete on trail
    begin select raise(abort, 'an audit entry is never removed'); end;`

/**
 * Version 1 had the records alone. What a trail is searched by is computed from its text, which the chain covers: no
 * column can say anything else. The triggers keep accidents away; against intent there are the chain and its anchors.
 */
const SCHEMA = `
  create table if not exists records (kind text, id text, value text not null, primary key (kind, id)) without rowid;

  create table if not exists trail (
    seq integer primary key,
    previous text not null,
    hash text not null,
    text text not null,
    at text as (text ->> '$.timestamp'),
    event text as (text ->> '$.event'),
    operation text as (text ->> '$.operation'),
    principal text as (text ->> '$.user_id'),
    session text as (text ->> '$.session_id'),
    adapter text as (text ->> '$.adapter_name'),
    result text as (text ->> '$.result'),
    level integer as (text ->> '$.danger_level')
  );
  create index if not exists trail_at on trail (at);
  create index if not exists trail_event on trail (event);
  create index if not exists trail_operation on trail (operation) where operation is not null;
  create index if not exists trail_principal on trail (principal) where principal is not null;
  create index if not exists trail_session on trail (session) where session is not null;
  create index if not exists trail_level on trail (level) where level is not null;
  create trigger if not exists trail_is_final before update on trail
    begin select raise(abort, 'an audit entry is never altered'); end;
  ${TRAIL_IS_KEPT}

  pragma application_id = ${APPLICATION_ID};
  pragma user_version = ${SCHEMA_VERSION};
`

/**
 * The chain covers the texts of the trail; what it is searched by is as good as the table and its indexes. Whoever can
 * write to the file can replace them, so that a search leaves entries out.
 */
export function trailSchemaFault(database: SqliteDatabase): string | undefined {
  const blank = new Database(':memory:')
  try {
    blank.exec(SCHEMA)
    const [found, expected] = [trailSchema(database), trailSchema(blank)]
    if (found !== expected) return 'The table of the trail is not as it was made, so a search may leave records out'
    const [row] = database.pragma("integrity_check('trail')") as [Readonly<Record<string, unknown>>]
    return row.integrity_check === 'ok' ? undefined : 'The indexes of the trail do not fit its records'
  } finally {
    blank.close()
  }
}

function trailSchema(database: SqliteDatabase): string {
  const rows = database
    .prepare("select type, name, sql from sqlite_schema where tbl_name = 'trail' or name = 'trail' order by type, name")
    .all() as readonly { readonly type: string; readonly name: string; readonly sql: string | null }[]
  return rows.map(({ type, name, sql }) => `${type} ${name} ${(sql ?? '').replaceAll(/\s+/g, ' ')}`).join('\n')
}

/**
 * The file and the folders made for it are their owner's alone; SQLite gives its side files the same mode. A file that
 * is there is not opened: closing it again would take away the locks of this process on it, and with them its log.
 */
function prepareFile(file: string): void {
  makeFolder(dirname(file))
  const found = statSync(file, { throwIfNoEntry: false }) ?? make(file)
  if (found.isDirectory()) throw new Error('it is a folder')
  assertOwner(file)
  accessSync(file, constants.R_OK | constants.W_OK)
  if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600)
}

/** Whoever owns the file, or what SQLite reads beside it, can put in what it likes: an operator secret of its own, too. */
function assertOwner(file: string): void {
  if (getuid === undefined) return
  const own = [0, getuid()]
  for (const path of [file, ...['-wal', '-shm', '-journal'].map((end) => realpathSync(file) + end)]) {
    const uid = statSync(path, { throwIfNoEntry: false })?.uid
    if (uid === undefined || own.includes(uid)) continue
    throw new Error(`${path} belongs to another account (uid ${uid}); run this under that account, or take it over`)
  }
}

/** Unless somebody was faster. */
function make(file: string): Stats {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  return statSync(file)
}

/** Another process may be setting up the same file, and SQLite does not wait for a change of the journal mode. */
function connect(file: string): SqliteDatabase {
  const database = new Database(file)
  try {
    database.pragma('busy_timeout = 50')
    assertOurs(database)
    database.pragma('journal_mode = wal')
    database.pragma('synchronous = full')
    database.pragma('cache_size = -16000') // KiB: the indexes of a long trail are written in many places
    if (number(database, 'user_version') < SCHEMA_VERSION) database.exec(`begin immediate; ${SCHEMA} commit;`)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

function assertOurs(database: SqliteDatabase): void {
  const owner = number(database, 'application_id')
  const [{ tables }] = database.prepare('select count(*) as tables from sqlite_schema').all() as [{ tables: number }]
  if (owner !== APPLICATION_ID && (owner !== 0 || tables > 0)) throw new Error('it is the database of another program')
  if (number(database, 'user_version') > SCHEMA_VERSION) throw new Error('it was written by a newer version of mcpaql')
}

function number(database: SqliteDatabase, pragma: string): number {
  const [row] = database.pragma(pragma) as [Readonly<Record<string, number>>]
  return row[pragma] ?? 0
}
