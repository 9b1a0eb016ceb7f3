import type { Param, Params } from '../registry/param.ts'
import type { PagingStyle } from './collection.ts'
import { type FieldKind, operatorsOf } from './field-kind.ts'

/**
 * REQ-09 — the parameters that collections share, each defined once. Their descriptions are part of every introspection
 * answer, so each word is paid for many times over.
 */
export const FIELDS: Param = {
  type: 'string | string[]',
  description: 'Preset (minimal, standard, full) or paths, see type FieldSelection.',
}

/** Fields document §2.2. */
export const PRESET: Param = { type: 'string', description: 'Alias of fields.' }

/** PAGE-02: the binder leaves these defaults to `parseQuery`, which fills them in only where no control was sent. */
export const PAGING_PARAMS: ReadonlySet<string> = new Set([
  'first',
  'after',
  'last',
  'before',
  'limit',
  'offset',
  'page',
  'page_size',
])

export const CONTROLS: { readonly [S in PagingStyle]: readonly string[] } = {
  cursor: ['first', 'after', 'last', 'before'],
  offset: ['limit', 'offset'],
  page: ['page', 'page_size'],
}

/** COLL-02: `search_*` cannot do without. */
export function queryParam(operation: string): Param {
  const required = operation.startsWith('search_')
  return {
    type: 'string',
    ...(required && { required }),
    description: 'Any of these words; "quoted" phrases must match.',
  }
}

/** COLL-07: the keys, grouped by what can be said about them. */
export function filterParam(keys: ReadonlyMap<string, FieldKind>): Param {
  const groups = new Map<string, string[]>()
  for (const [name, kind] of keys) {
    const operators = operatorsOf(kind)
      .filter((operator) => operator !== 'eq')
      .join(' ')
    groups.set(operators, [...(groups.get(operators) ?? []), name])
  }
  const listed = [...groups].map(([operators, names]) => `${names.join(', ')} (${operators})`)
  const hasMoments = [...keys.values()].some(({ of, day }) => of === 'time' && !day)
  const dates = hasMoments ? ' Bare dates: 00:00 UTC.' : ''
  return { type: 'object', description: `{key: value, [any], null or {op: value}}. ${listed.join('; ')}.${dates}` }
}

export function sortParam(fields: Iterable<string>): Param {
  return { type: 'object', description: `{field, order: asc|desc}. By ${[...fields].join(', ')}.` }
}

export const AGGREGATE: Param = {
  type: 'object',
  description: '{label: {count: true, sum|avg|min|max: field, group_by: field}}',
}

export const INCLUDE_ITEMS: Param = { type: 'boolean', default: false, description: 'Items beside aggregates.' }

/** PAGE-04 and X-25: more than the maximum is reduced, not refused, so it is no `maximum`. */
export function pagingParams(style: PagingStyle, size: number, most: number): Params {
  switch (style) {
    case 'cursor':
      return {
        first: { type: 'integer', default: size, description: `Page size, up to ${most}.` },
        after: { type: 'string', description: 'With first: endCursor.' },
        last: { type: 'integer', description: 'Size from the end.' },
        before: { type: 'string', description: 'With last: startCursor.' },
      }
    case 'offset':
      return {
        limit: { type: 'integer', default: size, description: `Page size, up to ${most}.` },
        offset: { type: 'integer', default: 0, description: 'Items to skip.' },
      }
    case 'page':
      return {
        page: { type: 'integer', default: 1, description: 'From 1.' },
        page_size: { type: 'integer', default: size, description: `Up to ${most}.` },
      }
  }
}
