import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Libsql from 'libsql'
import { isFailure } from '../../../src/protocol/result.ts'

/**
 * The few things the tracker asks of SQLite. Values are bound, never written into a statement, and only of the kinds
 * below: a boolean or a plain object handed to libsql 0.5 ends the whole process.
 */
export interface Database {
  readonly all: (sql: string, values?: readonly Bindable[]) => readonly Row[]
  readonly one: (sql: string, values?: readonly Bindable[]) => Row | undefined
  readonly run: (sql: string, values?: readonly Bindable[]) => void
  /** All or nothing: an exception and a failure value both undo what `work` has written. */
  readonly change: <T>(work: () => T) => T
  /** Does the work, answers with what it gave, and leaves no trace of it (REQ-10). */
  readonly preview: <T>(work: () => T) => T
  readonly close: () => void
}

export type Bindable = string | number | null

export type Row = Readonly<Record<string, unknown>>

/** Creates the file for its owner alone; SQLite gives the files beside it the same permissions. */
export function openDatabase(path: string): Database {
  const file = path === MEMORY ? MEMORY : ownFile(resolve(path))
  const connection = new Libsql(file)
  connection.pragma('busy_timeout = 5000')
  connection.pragma('journal_mode = WAL')
  connection.pragma('foreign_keys = ON')
  return createDatabase(connection)
}

const MEMORY = ':memory:'

const MAX_STATEMENTS = 200

type Connection = InstanceType<typeof Libsql>

function createDatabase(connection: Connection): Database {
  const statements = new Map<string, ReturnType<Connection['prepare']>>()
  const all = (sql: string, values: readonly Bindable[] = []) => prepared(sql).all(bound(values)) as readonly Row[]

  return {
    all,
    one: (sql, values) => all(sql, values)[0],
    run: (sql, values = []) => {
      prepared(sql).run(bound(values))
    },
    change: (work) => transaction(work, (result) => !isFailure(result)),
    preview: (work) => transaction(work, () => false),
    close: () => {
      statements.clear()
      connection.close()
    },
  }

  function prepared(sql: string) {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  /** Joins a transaction that is already open; the outermost one decides. */
  function transaction<T>(work: () => T, keeps: (result: T) => boolean): T {
    if (connection.inTransaction) return work()
    connection.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      connection.exec(keeps(result) ? 'COMMIT' : 'ROLLBACK')
      return result
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw error
    }
  }
}

/** One array, because libsql takes a lone object for named parameters. */
function bound(values: readonly Bindable[]): Bindable[] {
  for (const value of values) {
    const fits = value === null || typeof value === 'string' || Number.isFinite(value)
    if (!fits) throw new TypeError(`A value of type ${typeof value} cannot be bound`)
  }
  return [...values]
}

function ownFile(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}
