import type { CollectionQuery, Item, Page, SortKey } from '../../../src/core/query/collection.ts'
import { allOf, anyOf, type Clause } from './clause.ts'
import { COLUMNS, type Column } from './columns.ts'

export interface PageClause {
  readonly order: string
  readonly position: Clause
  readonly limit: number
  readonly offset: number
}

/** Order and page in SQL; undefined when a sort key is no column. */
export function pageClause({ sort, page }: CollectionQuery): PageClause | undefined {
  const isBackward = page.style === 'cursor' && page.backward
  const keys = sort.flatMap((key) => keyOf(key, isBackward) ?? [])
  if (keys.length < sort.length) return undefined
  const order = keys.map(orderOf).join(', ')
  if (page.style !== 'cursor') return { order, position: allOf([]), limit: page.limit + 1, offset: page.offset }
  const position = page.position === undefined ? allOf([]) : beyond(keys, page.position)
  return position && { order, position, limit: page.limit + 1, offset: 0 }
}

/** A backward page is read from its far end; callers get it in the order of `sort`. */
export function toOrder(items: readonly Item[], page: Page): readonly Item[] {
  return page.style === 'cursor' && page.backward ? items.toReversed() : items
}

interface Key {
  readonly column: Column
  readonly isUp: boolean
}

function keyOf({ field, order }: SortKey, isBackward: boolean): Key | undefined {
  const column = COLUMNS.get(field)
  return column?.isOrdered ? { column, isUp: (order === 'asc') !== isBackward } : undefined
}

function orderOf({ column: { sql, isNullable }, isUp }: Key): string {
  const empty = isUp ? ' NULLS LAST' : ' NULLS FIRST'
  return `${sql} ${isUp ? 'ASC' : 'DESC'}${isNullable ? empty : ''}`
}

/** PAGE-07: strictly after the position in the direction of travel, key by key. */
function beyond(keys: readonly Key[], position: readonly unknown[]): Clause | undefined {
  const steps: Clause[] = []
  const equal: Clause[] = []
  for (const [index, key] of keys.entries()) {
    const at = position[index] ?? null
    const bound = at === null ? null : key.column.bind(at)
    if (bound === undefined) return undefined
    steps.push(allOf([...equal, after(key, bound)]))
    equal.push({ sql: `${key.column.sql} IS ?`, values: [bound] })
  }
  return anyOf(steps)
}

/** What has no value is last on the way up and first on the way down. */
function after({ column: { sql, isNullable }, isUp }: Key, bound: string | number | null): Clause {
  if (bound === null) return { sql: isUp ? '0' : `${sql} IS NOT NULL`, values: [] }
  if (!isUp) return { sql: `${sql} < ?`, values: [bound] }
  return { sql: isNullable ? `${sql} > ? OR ${sql} IS NULL` : `${sql} > ?`, values: [bound] }
}
