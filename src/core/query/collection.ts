import type { Warning } from '../../protocol/result.ts'

/** What an operation says to become a collection. The fields themselves are declared by the type. */
export interface CollectionDefinition {
  /** The object type of the items. */
  readonly of: string
  /** Filter keys; by default every `filterable` field and computed field. */
  readonly filter?: readonly string[]
  /** Sort fields; by default every `sortable` field and computed field. */
  readonly sort?: readonly string[]
  /** Fields that free text in `query` looks at; by default every `searchable` field. Empty: no `query`. */
  readonly search?: readonly string[]
  /** The order without `sort`; the key alone by default. */
  readonly order?: { readonly field: string; readonly order?: SortOrder }
  readonly paging?: readonly PagingStyle[]
  /** 20 by default for cursors, 25 for the other styles (PAGE-02). */
  readonly pageSize?: number
  readonly maxPageSize?: number
  /** False turns `aggregate` off. */
  readonly aggregate?: boolean
}

export type SortOrder = 'asc' | 'desc'

export type PagingStyle = 'cursor' | 'offset' | 'page'

/**
 * The checked controls of one call, as a handler receives them. A handler may ignore it and return every item, or do
 * some of the work itself and say which with `pushed`.
 */
export interface CollectionQuery {
  readonly text?: TextQuery
  readonly filter: readonly Condition[]
  /** Never empty: ends with the unique key, so the order is total (PAGE-07). */
  readonly sort: readonly SortKey[]
  readonly page: Page
  readonly aggregate: readonly Aggregate[]
  /** False when only aggregates were asked for (AGG-02). */
  readonly wantsItems: boolean
  readonly fields: Selection
}

/** COLL-03: any of the words, and each of the quoted phrases. Lower case. */
export interface TextQuery {
  readonly words: readonly string[]
  readonly phrases: readonly string[]
  /** The stored fields to look at. */
  readonly fields: readonly string[]
}

export const OPERATORS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with', 'exists'] as const

export type Operator = (typeof OPERATORS)[number]

/**
 * One demand on one field; an item must meet them all. Values are checked, and moments are written in UTC with
 * milliseconds. `eq` null asks for no value, which an empty list is too; `in` is a list that may hold null; `ne` also
 * holds for items without a value; `contains` and `starts_with` ignore case. On a field that holds a list, `eq`, `in`
 * and `contains` look for one element and `ne` for none.
 */
export interface Condition {
  /** A field, a dotted path, or `_computed.{name}`. */
  readonly field: string
  readonly op: Operator
  readonly value: unknown
}

/** What has no value comes last in ascending and first in descending order. Texts are ordered by code unit. */
export interface SortKey {
  readonly field: string
  readonly order: SortOrder
}

export type Page =
  | {
      readonly style: 'cursor'
      readonly limit: number
      /** `last`/`before`: the page is taken from the end of what precedes the position. */
      readonly backward: boolean
      /** Values of the sort keys at the cursor: the page begins strictly after (before, when backward) them. */
      readonly position?: readonly unknown[]
    }
  | { readonly style: 'offset'; readonly limit: number; readonly offset: number }
  | { readonly style: 'page'; readonly page: number; readonly limit: number; readonly offset: number }

export interface Aggregate {
  readonly label: string
  readonly groupBy?: string
  readonly functions: readonly { readonly name: AggregateFunction; readonly field?: string }[]
}

export const AGGREGATE_FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max'] as const

export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number]

/** Which fields an answer keeps. */
export interface Selection {
  /** Undefined keeps everything that is stored. Dotted paths. */
  readonly paths?: readonly string[]
  readonly computed: readonly string[]
}

/** The parts of a query that a handler can do itself. */
export const PUSHABLE = ['text', 'filter', 'sort', 'page', 'aggregate'] as const

export type Pushable = (typeof PUSHABLE)[number]

/** What a handler returns when it has done part of the work; made by `pushed`. */
export interface PushedRows {
  /**
   * With `sort` done they stand in the order of `sort`, also where the page is taken backward. With `page` done they
   * are the page itself and, in the direction of travel, at most one item beyond it: the last one, or the first one
   * when backward.
   */
  readonly items: readonly Item[]
  /** `page` needs everything before it done as well, as far as it was asked for; `aggregate` needs `text` and `filter`. */
  readonly done: ReadonlySet<Pushable>
  readonly total?: number
  readonly aggregations?: Readonly<Record<string, unknown>>
}

/** One stored record, as a handler returns it. */
export type Item = Readonly<Record<string, unknown>>

/** What the collection answers: `items`, `pageInfo` or `pagination`, `aggregations`. */
export interface CollectionAnswer {
  readonly data: Readonly<Record<string, unknown>>
  readonly warnings: readonly Warning[]
  /** The page info of the page that ends with its `count`th item, for an answer that is cut short. */
  readonly shortened?: (count: number) => Readonly<Record<string, unknown>>
}

/** For handlers: these rows, with this much of `context.query` already done. */
export function pushed(
  items: PushedRows['items'],
  done: readonly Pushable[],
  more: Partial<Pick<PushedRows, 'total' | 'aggregations'>> = {},
): PushedRows {
  const rows: PushedRows = { items, done: new Set(done), ...more }
  PUSHED.add(rows)
  return rows
}

export function isPushed(value: unknown): value is PushedRows {
  return typeof value === 'object' && value !== null && PUSHED.has(value)
}

const PUSHED = new WeakSet<object>()
