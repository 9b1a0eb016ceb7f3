import type { Param, Params } from '../registry/param.ts'
import type { PagingStyle } from './collection.ts'
import { type FieldKind, operatorsOf } from './field-kind.ts'

/**
 * REQ-09 — the parameters that collections share, each defined once. Their descriptions are part of every introspection
 * answer, so each word is paid for many times over.
 */
export const FIELDS: Param = {
  type: 'string | string[]',
  description: 'minimal, standard, full or paths',
}

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
export function queryParam(operation: string, sensitive = false): Param {
  const required = operation.startsWith('search_')
  return {
    type: 'string',
    ...(required && { required }),
    description: 'Any word, every "phrase"',
    ...(sensitive && { sensitive }),
  }
}

/** COLL-07: the keys, grouped by what can be said about them. */
export function filterParam(keys: ReadonlyMap<string, FieldKind>): Param {
  const groups = GROUPS.map(({ operators, holds }) => ({
    operators,
    names: [...keys].filter(([, kind]) => holds(kind)).map(([name]) => name),
  })).filter(({ names }) => names.length > 0)
  const listed = groups.map(({ names, operators }, index) => {
    const also = index === 0 ? ['ne in exists', operators].join(' ').trim() : `also ${operators}`
    return `${names.join(', ')}: ${also}`
  })
  return { type: 'object', description: `{key: value, list or {op: value}}: ${listed.join('; ')}` }
}

const GROUPS: readonly { readonly operators: string; readonly holds: (kind: FieldKind) => boolean }[] = [
  { operators: '', holds: (kind) => !isText(kind) && !isOrdered(kind) },
  { operators: 'contains starts_with', holds: isText },
  { operators: 'gt gte lt lte', holds: isOrdered },
]

function isText(kind: FieldKind): boolean {
  return operatorsOf(kind).includes('starts_with')
}

function isOrdered(kind: FieldKind): boolean {
  return operatorsOf(kind).includes('gt')
}

export function sortParam(fields: Iterable<string>): Param {
  return { type: 'object', description: `{field, order: asc|desc}: ${[...fields].join(', ')}` }
}

export const AGGREGATE: Param = {
  type: 'object',
  description: '{label: {count: true, group_by: field}}',
}

export const INCLUDE_ITEMS: Param = { type: 'boolean' }

/** PAGE-04 and X-25: more than the maximum is reduced, not refused, so it is no `maximum`. */
export function pagingParams(style: PagingStyle, size: number, most: number, sensitive = false): Params {
  const cursor: Param = { type: 'string', ...(sensitive && { sensitive }) }
  switch (style) {
    case 'cursor':
      return {
        first: { type: 'integer', default: size, description: `Cursor pages, most ${most}` },
        after: cursor,
        last: { type: 'integer' },
        before: cursor,
      }
    case 'offset':
      return {
        limit: { type: 'integer', default: size, description: `Offset pages, most ${most}` },
        offset: { type: 'integer', default: 0 },
      }
    case 'page':
      return {
        page: { type: 'integer', default: 1 },
        page_size: { type: 'integer', default: size, description: `Numbered pages, most ${most}` },
      }
  }
}
