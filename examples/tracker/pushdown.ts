import { type CollectionQuery, type Pushable, type PushedRows, pushed } from '../../src/core/query/collection.ts'
import type { Database } from './backend/database.ts'
import { issueOf, SELECT_ISSUE } from './backend/issues.ts'
import { aggregatesInSql } from './pushdown/aggregate.ts'
import { allOf, type Clause } from './pushdown/clause.ts'
import { conditionClause, textClause } from './pushdown/condition.ts'
import { pageClause, toOrder } from './pushdown/page.ts'

/**
 * As much of the query as SQL can say goes to the database, and the answer names it; the query room does the rest.
 * Conditions that can be said always narrow the rows, but `filter` is only reported when all of them were.
 */
export function queryIssues(db: Database, query: CollectionQuery): PushedRows {
  const conditions = query.filter.map(conditionClause)
  const said = conditions.filter((clause) => clause !== undefined)
  const text = query.text && textClause(query.text)
  const where = allOf([...(text ? [text] : []), ...said])
  const isNarrowed = said.length === conditions.length

  const aggregations = isNarrowed ? aggregatesInSql(db, query.aggregate, where) : undefined
  const page = isNarrowed ? pageClause(query) : undefined
  const done: Pushable[] = [
    'text',
    ...(isNarrowed ? (['filter'] as const) : []),
    ...(page ? (['sort', 'page'] as const) : []),
    ...(aggregations ? (['aggregate'] as const) : []),
  ]
  const isSummary = aggregations !== undefined && !query.wantsItems
  if (isSummary) return pushed([], done, { aggregations })
  // Rows that the query room still has to summarise may not be cut to a page.
  const isPaged = page !== undefined && (aggregations !== undefined || query.aggregate.length === 0)
  if (!isPaged)
    return pushed(
      rowsOf(db, where),
      done.filter((part) => part !== 'sort' && part !== 'page'),
      more(aggregations),
    )
  const items = rowsOf(db, allOf([where, page.position]), `ORDER BY ${page.order} LIMIT ? OFFSET ?`, [
    page.limit,
    page.offset,
  ])
  return pushed(toOrder(items, query.page), done, { ...more(aggregations), total: countOf(db, where) })
}

function rowsOf(db: Database, { sql, values }: Clause, tail = '', tailValues: Clause['values'] = []) {
  return db.all(`${SELECT_ISSUE} WHERE ${sql} ${tail}`, [...values, ...tailValues]).map(issueOf)
}

function countOf(db: Database, { sql, values }: Clause): number {
  return Number(db.one(`SELECT count(*) AS total FROM issues AS i WHERE ${sql}`, values)?.total)
}

function more(aggregations: PushedRows['aggregations']): Pick<PushedRows, 'aggregations'> {
  return aggregations === undefined ? {} : { aggregations }
}
