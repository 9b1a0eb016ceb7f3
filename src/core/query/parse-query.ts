import { isFailure, type OperationFailure, type Warning } from '../../protocol/result.ts'
import { warn } from '../../protocol/warnings.ts'
import { isObject } from '../registry/check-value.ts'
import type { CollectionQuery, SortKey, TextQuery } from './collection.ts'
import { type Collection, totalOrder } from './compile-collection.ts'
import type { CursorCodec } from './cursor.ts'
import { parseAggregate } from './parse-aggregate.ts'
import { parseFilter } from './parse-filter.ts'
import { parsePage } from './parse-page.ts'
import { refuse } from './refuse.ts'
import { parseSelection } from './select-fields.ts'

export interface ParsedQuery {
  readonly query: CollectionQuery
  /** Fields that were asked for and do not exist (FIELD-06). */
  readonly warnings: readonly Warning[]
}

/**
 * Collection querying §2 — the controls of one call, from parameters of the right types to a query that can be
 * answered. The binder has not filled in the defaults of `PAGING_PARAMS`.
 */
export function parseQuery(
  collection: Collection,
  params: Readonly<Record<string, unknown>>,
  cursors: CursorCodec,
): ParsedQuery | OperationFailure {
  const text = parseText(collection, params.query)
  if (isFailure(text)) return text
  const filter = parseFilter(collection, params.filter)
  if (isFailure(filter)) return filter
  const sort = parseSort(collection, params.sort)
  if (isFailure(sort)) return sort
  const aggregate = parseAggregate(collection, params.aggregate)
  if (isFailure(aggregate)) return aggregate
  const page = parsePage(collection, params, sort, cursors)
  if (isFailure(page)) return page
  const fields = parseSelection(collection.type, params, collection.preset, collection.types)
  if (isFailure(fields)) return fields
  return {
    query: Object.freeze({
      ...(text && { text }),
      filter,
      sort,
      page,
      aggregate,
      wantsItems: aggregate.length === 0 || params.include_items === true,
      fields: fields.selection,
    }),
    warnings: fields.unknown.map((field) => warn('VALIDATION_UNKNOWN_FIELD', { field }, 'low')),
  }
}

/** Each word is looked for in every field of every item. */
const MAX_WORDS = 32

/** COLL-03. A blank text asks for nothing. Quotes that do not close are left out. */
function parseText({ operation, searchFields }: Collection, given: unknown): TextQuery | OperationFailure | undefined {
  if (typeof given !== 'string') return undefined
  const pieces = given.toLowerCase().split('"')
  const isQuoted = (index: number) => index % 2 === 1 && index < pieces.length - 1
  const phrases = pieces.filter((piece, index) => isQuoted(index) && piece.trim() !== '').map((piece) => piece.trim())
  const loose = pieces.filter((_, index) => !isQuoted(index)).join(' ')
  const words = [...new Set(loose.split(/\s+/))].filter((word) => word !== '')
  if (words.length + phrases.length > MAX_WORDS) {
    return refuse('query', `no more than ${MAX_WORDS} words and phrases`, operation)
  }
  return words.length + phrases.length === 0 ? undefined : { words, phrases, fields: searchFields }
}

/** Collection querying §2.3 (COLL-05). */
function parseSort(collection: Collection, given: unknown): readonly SortKey[] | OperationFailure {
  const { operation, sortFields, key } = collection
  if (given === undefined) return collection.order
  const hasOnlyItsKeys = isObject(given) && Object.keys(given).every((name) => name === 'field' || name === 'order')
  if (!hasOnlyItsKeys) return refuse('sort', "an object of 'field' and 'order'", operation, ['field', 'order'])
  const { field, order = 'asc' } = given
  if (!sortFields.includes(field as string)) return refuse('sort', "'field' is a sort field", operation, sortFields)
  if (order !== 'asc' && order !== 'desc') return refuse('sort', "'order' is asc or desc", operation, ['asc', 'desc'])
  return totalOrder({ field: field as string, order }, key)
}
