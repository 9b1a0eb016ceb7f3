import type { Aggregate, AggregateFunction } from '../../../src/core/query/collection.ts'
import type { Database, Row } from '../backend/database.ts'
import type { Clause } from './clause.ts'
import { COLUMNS } from './columns.ts'

/** Aggregations document §2–3 in SQL, by label; undefined when a field is no column. */
export function aggregatesInSql(
  db: Database,
  aggregates: readonly Aggregate[],
  where: Clause,
): Readonly<Record<string, unknown>> | undefined {
  const entries: (readonly [string, unknown])[] = []
  for (const aggregate of aggregates) {
    const sql = statement(aggregate, where)
    if (sql === undefined) return undefined
    const rows = db.all(sql, where.values)
    entries.push([
      aggregate.label,
      aggregate.groupBy === undefined ? resultOf(aggregate, rows[0]) : grouped(aggregate, rows),
    ])
  }
  return Object.fromEntries(entries)
}

/** The sum of nothing is 0; the others have no value then. */
const FUNCTIONS: { readonly [F in AggregateFunction]: (column: string) => string } = {
  count: () => 'count(*)',
  sum: (column) => `total(${column})`,
  avg: (column) => `avg(${column})`,
  min: (column) => `min(${column})`,
  max: (column) => `max(${column})`,
}

/** Labels are the caller's words, so the results are called `f0`, `f1` and so on. */
function statement({ functions, groupBy }: Aggregate, where: Clause): string | undefined {
  const group = groupBy === undefined ? 'NULL' : COLUMNS.get(groupBy)?.sql
  const results = functions.map(({ name, field }, index) => {
    const column = field === undefined ? '*' : COLUMNS.get(field)?.sql
    return column && `${FUNCTIONS[name](column)} AS f${index}`
  })
  if (group === undefined || results.includes(undefined)) return undefined
  const from = `SELECT ${group} AS bucket, ${results.join(', ')} FROM issues AS i WHERE ${where.sql}`
  return groupBy === undefined ? from : `${from} GROUP BY bucket ORDER BY bucket ASC NULLS LAST`
}

function grouped(aggregate: Aggregate, rows: readonly Row[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(rows.map((row) => [String(row.bucket), resultOf(aggregate, row)]))
}

/** AGG-03: one function gives a bare value, several an object keyed by function. */
function resultOf({ functions }: Aggregate, row: Row | undefined): unknown {
  if (functions.length === 1) return row?.f0
  return Object.fromEntries(functions.map(({ name }, index) => [name, row?.[`f${index}`]]))
}
