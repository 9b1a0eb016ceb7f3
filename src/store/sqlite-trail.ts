import { chainHash, GENESIS } from '../core/audit/chain.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import type { Trail, TrailEntry, TrailHead, TrailQuery } from '../core/ports/store.ts'
import { type SqliteDatabase, TRAIL_IS_KEPT, trailSchemaFault } from './sqlite-database.ts'

export interface SqliteTrail extends Trail {
  /** Within a transaction that holds the file: the chain goes on from what is stored, whoever wrote it. */
  append(texts: readonly string[]): void
  /** Within a transaction as well. Throws when the trail begins with another entry. */
  assertFirst(seq: number): void
  /** Within a transaction as well. Throws when there is no such entry. */
  removeUpTo(head: TrailHead): void
}

/** `reading` refuses once the store is closed, and says what hinders it where it cannot be read. */
export function createSqliteTrail(database: SqliteDatabase, reading: <T>(work: () => T) => T): SqliteTrail {
  const last = database.prepare('select seq, hash from trail order by seq desc limit 1')
  const insert = database.prepare('insert into trail (seq, previous, hash, text) values (?, ?, ?, ?)')
  const first = database.prepare('select min(seq) as seq from trail indexed by trail_at where at >= ?')
  const final = database.prepare('select max(seq) as seq from trail indexed by trail_at where at <= ?')

  const headOf = (): TrailHead => {
    const row = last.get() as TrailHead | undefined
    return row ? { seq: row.seq, hash: row.hash } : { seq: 0, hash: GENESIS }
  }

  /** The part of the trail that a query can reach, from the first to the last. */
  const reachOf = ({ after = 0, before = Number.MAX_SAFE_INTEGER, from, to }: TrailQuery): Window => {
    const lowest = from === undefined ? 1 : ((first.get(from) as { seq: number | null }).seq ?? Number.MAX_SAFE_INTEGER)
    const highest = to === undefined ? headOf().seq : ((final.get(to) as { seq: number | null }).seq ?? 0)
    return { low: Math.max(lowest, after + 1), high: Math.min(highest, before - 1) }
  }

  return {
    append(texts) {
      if (texts.length === 0) return
      let { seq, hash } = headOf()
      for (const text of texts) {
        const previous = hash
        hash = chainHash(previous, ++seq, text)
        insert.run(seq, previous, hash, text)
      }
    },

    assertFirst(seq) {
      const found = database.prepare('select min(seq) as seq from trail').get() as { seq: number | null }
      if (found.seq !== seq) throw new Error(`the trail does not begin with record ${seq}`)
    },

    removeUpTo({ seq, hash }) {
      const found = database.prepare('select hash from trail where seq = ?').get(seq) as { hash: string } | undefined
      if (found?.hash !== hash) throw new Error(`the trail has no record ${seq} with this hash`)
      database.exec('drop trigger if exists trail_is_kept')
      database.prepare('delete from trail where seq <= ?').run(seq)
      database.exec(TRAIL_IS_KEPT)
    },

    async read(query = {}) {
      const { order = 'newest', limit = Number.POSITIVE_INFINITY } = query
      const { conditions, values } = conditionsOf(query)
      const [page, reach] = reading(() => [
        database.prepare(
          `select seq, previous, hash, text from trail where seq between ? and ?${conditions}
            order by seq ${order === 'oldest' ? 'asc' : 'desc'} limit ?`,
        ),
        reachOf(query),
      ])
      const found: TrailEntry[] = []
      for (const { low, high } of windowsOf(reach, order)) {
        const missing = limit - found.length
        if (missing <= 0) break
        const most = Math.min(missing, WINDOW)
        const rows = reading(() => page.all(low, high, ...values, most) as readonly Row[])
        for (const { seq, previous, hash, text } of rows) found.push({ seq, previous, hash, entry: entryOf(text) })
        await new Promise((resume) => setImmediate(resume))
        reading(() => {})
      }
      return found
    },

    async head() {
      return reading(headOf)
    },

    async searchFault() {
      return reading(() => trailSchemaFault(database))
    },
  }
}

interface Row extends TrailHead {
  readonly previous: string
  readonly text: string
}

interface Window {
  readonly low: number
  readonly high: number
}

/** However long the trail and whatever is asked for, no step of the search holds up the event loop for long. */
const WINDOW = 500

function* windowsOf({ low, high }: Window, order: 'oldest' | 'newest'): Generator<Window> {
  if (order === 'oldest') {
    for (let from = low; from <= high; from += WINDOW) yield { low: from, high: Math.min(high, from + WINDOW - 1) }
  } else {
    for (let to = high; to >= low; to -= WINDOW) yield { low: Math.max(low, to - WINDOW + 1), high: to }
  }
}

const CONDITIONS = {
  events: 'event in (select value from json_each(?))',
  operation: 'operation = ?',
  principal: 'principal = ?',
  session: 'session = ?',
  adapter: 'adapter = ?',
  result: 'result = ?',
  level: 'level = ?',
  from: 'at >= ?',
  to: 'at <= ?',
  text: 'instr(lower(text), lower(?)) > 0',
} as const satisfies Partial<Record<keyof TrailQuery, string>>

function conditionsOf(query: TrailQuery): { readonly conditions: string; readonly values: readonly unknown[] } {
  const names = (Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]).filter((name) => query[name] !== undefined)
  return {
    conditions: names.map((name) => ` and ${CONDITIONS[name]}`).join(''),
    values: names.map((name) => (name === 'events' ? JSON.stringify(query.events) : query[name])),
  }
}

/** A text that is not as we write them was altered. It is shown as it is, and its hash will not fit it. */
function entryOf(text: string): AuditEntry {
  try {
    const entry = JSON.parse(text)
    if (JSON.stringify(entry) === text) return entry
  } catch {
    // not even JSON
  }
  return { unreadable: text } as unknown as AuditEntry
}
