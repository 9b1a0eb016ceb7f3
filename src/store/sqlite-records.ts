import type { ListOptions, RecordRef } from '../core/ports/store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

type Ref = RecordRef<unknown>

/** The records as JSON texts. */
export interface SqliteRecords {
  get(ref: Ref): string | undefined
  /** In the order of the refs; undefined is absent. */
  getAll(refs: readonly Ref[]): readonly (string | undefined)[]
  /** Undefined removes. */
  putAll(texts: readonly (readonly [Ref, string | undefined])[]): void
  list(kind: string, options: ListOptions): readonly { readonly id: string; readonly text: string }[]
}

/** One call into SQLite for many records: reading one costs less than the call. */
const GET_ALL = `select wanted.key as place, records.value as value from json_each(?) as wanted
  cross join records on records.kind = wanted.value ->> 0 and records.id = wanted.value ->> 1`

const PUT = 'insert into records values (?, ?, ?) on conflict do update set value = excluded.value'

/** As a blob: libsql cuts a text off at U+0000 when it reads one. */
const LIST = `select cast(id as blob) as id, value from records
  where kind = ? and id >= ? and id < ? order by records.id limit ?`

const LIST_AFTER = LIST.replace('order by', 'and id > ? order by')

const LAST_CHARACTER = '\u{10ffff}'

export function createSqliteRecords(database: SqliteDatabase): SqliteRecords {
  const select = database.prepare('select value from records where kind = ? and id = ?')
  const selectAll = database.prepare(GET_ALL)
  const upsert = database.prepare(PUT)
  const remove = database.prepare('delete from records where kind = ? and id = ?')
  const page = database.prepare(LIST)
  const pageAfter = database.prepare(LIST_AFTER)

  const get = ({ kind, id }: Ref): string | undefined => (select.get(kind, id) as { value: string } | undefined)?.value

  return {
    get,

    getAll(refs) {
      const [only] = refs
      if (only && refs.length === 1) return [get(only)]
      const texts = new Array<string | undefined>(refs.length).fill(undefined)
      const rows = selectAll.all(JSON.stringify(refs.map(nameOf))) as { place: number; value: string }[]
      for (const { place, value } of rows) texts[place] = value
      return texts
    },

    putAll(texts) {
      for (const [{ kind, id }, text] of texts) {
        if (text === undefined) remove.run(kind, id)
        else upsert.run(kind, id, text)
      }
    },

    list(kind, { prefix = '', after, limit = -1 }) {
      const range = [kind, prefix, prefix + LAST_CHARACTER]
      const rows = (after === undefined ? page.all(...range, limit) : pageAfter.all(...range, after, limit)) as Row[]
      return rows.map(({ id, value }) => ({ id: Buffer.from(id).toString(), text: value }))
    },
  }
}

interface Row {
  readonly id: ArrayBuffer
  readonly value: string
}

/** A lone surrogate becomes what binding it would make of it, so that both ways lead to one record. */
function nameOf({ kind, id }: Ref): readonly [string, string] {
  return [kind.toWellFormed(), id.toWellFormed()]
}
