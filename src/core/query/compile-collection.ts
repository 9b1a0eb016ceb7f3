import type { AggregationSupport, ComputedFieldInfo } from '../../protocol/introspection.ts'
import { FORBIDDEN_KEYS } from '../../protocol/request.ts'
import type { Param, Params } from '../registry/param.ts'
import { isSensitivePath } from '../registry/places.ts'
import type { Field, ObjectType } from '../registry/type.ts'
import { AGGREGATE_FUNCTIONS, type CollectionDefinition, type PagingStyle, type SortKey } from './collection.ts'
import { type FieldKind, fieldKind, type Types } from './field-kind.ts'
import { fieldAt } from './read-path.ts'
import { type Preset, presetNames, presetSelection } from './select-fields.ts'
import { AGGREGATE, FIELDS, filterParam, INCLUDE_ITEMS, pagingParams, queryParam, sortParam } from './shared-params.ts'

/** A collection as the pipeline uses it: everything about it that no call can change. */
export interface Collection {
  readonly operation: string
  readonly type: ObjectType
  readonly types?: Types
  readonly key: string
  /** Every field that a condition, an order or a position can name, `_computed.{name}` included. */
  readonly kinds: ReadonlyMap<string, FieldKind>
  readonly filterKeys: readonly string[]
  readonly sortFields: readonly string[]
  readonly searchFields: readonly string[]
  readonly order: readonly SortKey[]
  /** The first is the one of a call without paging controls. */
  readonly paging: readonly PagingStyle[]
  readonly pageSizes: { readonly [S in PagingStyle]: number }
  readonly maxPageSize: number
  /** FIELD-03. */
  readonly preset: Preset
  /** The shared parameters that it offers. */
  readonly params: Params
  readonly aggregationSupport: AggregationSupport
  readonly computedFields: readonly ComputedFieldInfo[]
  readonly listType: ObjectType
  /** COLL-07: parameters that combine several controls. */
  readonly example: Readonly<Record<string, unknown>>
}

export interface CollectionSettings {
  readonly maxPageSize: number
  readonly operationName: string
  /** Listed types that fields may name. Without them such fields are compared as any scalar. */
  readonly types?: Types
}

/** Collection querying §1–3 and §6. Throws with the reason when the definition does not fit its type. */
export function compileCollection(
  definition: CollectionDefinition,
  type: ObjectType,
  settings: CollectionSettings,
): Collection {
  const { types, operationName: operation } = settings
  const kinds = new Map<string, FieldKind>()
  const known = (use: string) => (name: string) => {
    kinds.set(name, kinds.get(name) ?? kindOf(type, name, use, types))
    return name
  }
  checkNames(type)
  const key = known('the key')(keyOf(type))
  const filterKeys = (definition.filter ?? flagged(type, 'filterable')).map(known('filter'))
  const sortFields = (definition.sort ?? flagged(type, 'sortable')).map(known('sort'))
  const searchFields = (definition.search ?? searchable(type)).map(known('search'))
  const order = totalOrder(definition.order, key)
  order.map(({ field }) => known('order')(field))
  checkComputed(type, 'filterable', filterKeys)
  checkComputed(type, 'sortable', sortFields)
  for (const field of [key, ...sortFields, ...order.map((each) => each.field)]) checkSortable(field, kinds)
  for (const field of searchFields) checkSearchable(field, kinds)
  const paging = pagingStyles(definition.paging)
  const sizes = pageSizes(definition, settings)
  const aggregationSupport = aggregation(definition, type, types)
  const preset = operation.startsWith('search_') ? 'minimal' : 'standard'
  const isSensitive = (names: readonly string[]) =>
    names.some((name) => isSensitivePath(type, name, types ?? new Map()))
  const hidden = {
    text: isSensitive(searchFields),
    cursor: isSensitive([...sortFields, ...order.map(({ field }) => field)]),
  }
  const parts = { hidden, operation, kinds, filterKeys, sortFields, searchFields, paging, sizes, aggregationSupport }
  return Object.freeze({
    operation,
    type,
    ...(types && { types }),
    key,
    kinds,
    filterKeys: Object.freeze(filterKeys),
    sortFields: Object.freeze(sortFields),
    searchFields: Object.freeze(searchFields),
    order,
    paging,
    pageSizes: sizes.pageSizes,
    maxPageSize: sizes.maxPageSize,
    preset,
    params: Object.freeze(sharedParams(parts)),
    aggregationSupport,
    computedFields: computedInfos(type, filterKeys, sortFields),
    listType: listTypeOf(type, paging, aggregationSupport),
    example: exampleOf(type, parts),
  })
}

const COMPUTED_PREFIX = '_computed.'

/** PAGE-04: never above this, whatever is configured. */
const MOST_ITEMS = 1000

function checkNames({ name, fields, computed, presets = {}, ...type }: ObjectType): void {
  const bad = [...Object.keys(fields), ...Object.keys(computed ?? {})].find((field) => FORBIDDEN_KEYS.has(field))
  if (bad) throw new Error(`type ${name} may not have a field '${bad}'`)
  for (const [preset, paths] of Object.entries(presets)) {
    for (const path of paths) {
      const isKnown = path.startsWith(COMPUTED_PREFIX)
        ? Object.hasOwn(computed ?? {}, path.slice(COMPUTED_PREFIX.length))
        : fieldAt({ name, fields, ...type }, path) !== undefined
      if (!isKnown) throw new Error(`preset '${preset}' of type ${name} names '${path}', which the type does not have`)
    }
  }
}

function keyOf({ name, key }: ObjectType): string {
  if (key === undefined) throw new Error(`type ${name} needs a key, so that the order of its items is total`)
  return key
}

function flagged({ fields, computed = {} }: ObjectType, flag: 'filterable' | 'sortable'): readonly string[] {
  const stored = Object.keys(fields).filter((name) => fields[name]?.[flag])
  const derived = Object.keys(computed).filter((name) => computed[name]?.[flag])
  return [...stored, ...derived.map((name) => COMPUTED_PREFIX + name)]
}

function searchable({ fields }: ObjectType): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.searchable)
}

function kindOf(type: ObjectType, name: string, use: string, types: Types | undefined): FieldKind {
  const kind = fieldKind(rowOf(type, name, use, types), types)
  if (!kind) throw new Error(`${use} names '${name}', which holds objects; name a path inside it`)
  return kind
}

function rowOf(type: ObjectType, name: string, use: string, types: Types | undefined): Param {
  const computed = name.startsWith(COMPUTED_PREFIX) ? name.slice(COMPUTED_PREFIX.length) : undefined
  const row = computed === undefined ? fieldAt(type, name, types) : own(type.computed ?? {}, computed)
  if (row === undefined) throw new Error(`${use} names '${name}', which type ${type.name} does not have`)
  return row === 'open' ? { type: 'string | number | boolean' } : row
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function checkComputed(type: ObjectType, flag: 'filterable' | 'sortable', names: readonly string[]): void {
  const allowed = new Set(flagged(type, flag))
  const bad = names.find((name) => name.startsWith(COMPUTED_PREFIX) && !allowed.has(name))
  if (bad) throw new Error(`'${bad}' of type ${type.name} is not ${flag}`)
}

function checkSortable(name: string, kinds: ReadonlyMap<string, FieldKind>): void {
  if (kinds.get(name)?.list) throw new Error(`'${name}' holds a list, by which nothing can be sorted`)
}

function checkSearchable(name: string, kinds: ReadonlyMap<string, FieldKind>): void {
  const of = kinds.get(name)?.of
  if (of !== 'text' && of !== 'any') throw new Error(`search names '${name}', which is not text`)
}

/** PAGE-07: whatever comes first, the key comes last. */
export function totalOrder(first: CollectionDefinition['order'], key: string): readonly SortKey[] {
  if (!first) return [{ field: key, order: 'asc' }]
  const leading: SortKey = { field: first.field, order: first.order ?? 'asc' }
  return first.field === key ? [leading] : [leading, { field: key, order: 'asc' }]
}

function pagingStyles(given: readonly PagingStyle[] = ['cursor']): readonly PagingStyle[] {
  const isRight = given.length > 0 && given.every((style) => STYLES.includes(style))
  if (!isRight || new Set(given).size < given.length) throw new Error(`paging must be a list of ${STYLES.join(', ')}`)
  return Object.freeze([...given])
}

const STYLES: readonly PagingStyle[] = ['cursor', 'offset', 'page']

type Sizes = Pick<Collection, 'pageSizes' | 'maxPageSize'>

/** PAGE-02, PAGE-04, X-24. What the definition says wins over the setting. */
function pageSizes({ pageSize, maxPageSize }: CollectionDefinition, settings: CollectionSettings): Sizes {
  const most = maxPageSize ?? settings.maxPageSize
  if (!isSize(most, MOST_ITEMS)) throw new Error(`the maximum page size must be an integer from 1 to ${MOST_ITEMS}`)
  if (pageSize !== undefined && !isSize(pageSize, most)) {
    throw new Error(`the page size must be an integer from 1 to the maximum, ${most}`)
  }
  const size = (standard: number) => pageSize ?? Math.min(standard, most)
  return { maxPageSize: most, pageSizes: { cursor: size(20), offset: size(25), page: size(25) } }
}

function isSize(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}

/** Aggregations document §5 (AGG-06). */
function aggregation({ aggregate = true }: CollectionDefinition, type: ObjectType, types?: Types): AggregationSupport {
  if (!aggregate) return Object.freeze({ supported: false })
  const named = (holds: (kind: FieldKind, field: Field) => boolean) =>
    Object.entries(type.fields).flatMap(([name, field]) => {
      const kind = fieldKind(field, types)
      return kind && holds(kind, field) ? [name] : []
    })
  return Object.freeze({
    supported: true,
    default_mode: 'summary_only',
    functions: AGGREGATE_FUNCTIONS,
    groupable_fields: Object.freeze(named((_, { groupable }) => groupable === true)),
    numeric_fields: Object.freeze(
      named(({ of, list }) => of === 'number' && !list).filter((name) => name !== type.version),
    ),
  })
}

/** Computed fields document §4 (COMP-02). */
function computedInfos(
  type: ObjectType,
  filter: readonly string[],
  sort: readonly string[],
): readonly ComputedFieldInfo[] {
  return Object.entries(type.computed ?? {}).map(([name, field]) => ({
    name,
    type: field.type,
    ...(field.description && { description: field.description }),
    ...(filter.includes(COMPUTED_PREFIX + name) && { filterable: true }),
    ...(sort.includes(COMPUTED_PREFIX + name) && { sortable: true }),
  }))
}

interface Parts
  extends Pick<Collection, 'operation' | 'kinds' | 'filterKeys' | 'sortFields' | 'searchFields' | 'paging'> {
  readonly sizes: Sizes
  /** VAL-10: a text is compared with a sensitive field, a cursor holds the values of one. */
  readonly hidden: { readonly text: boolean; readonly cursor: boolean }
  readonly aggregationSupport: AggregationSupport
}

/** COLL-01: what a collection lacks is not among its parameters. */
function sharedParams(parts: Parts): Params {
  const { operation, kinds, filterKeys, sortFields, searchFields, paging, sizes, hidden } = parts
  // Computed fields say themselves, in `computed_fields`, whether they can be named here.
  const stored = (name: string) => !name.startsWith(COMPUTED_PREFIX)
  const filterKinds = new Map([...kinds].filter(([name]) => filterKeys.includes(name) && stored(name)))
  const pages = paging.map((style) => pagingParams(style, sizes.pageSizes[style], sizes.maxPageSize, hidden.cursor))
  return {
    ...(searchFields.length > 0 && { query: queryParam(operation, hidden.text) }),
    ...(filterKeys.length > 0 && { filter: filterParam(filterKinds) }),
    ...(sortFields.length > 0 && { sort: sortParam(sortFields.filter(stored)) }),
    ...Object.assign({}, ...pages),
    fields: FIELDS,
    ...(parts.aggregationSupport.supported && { aggregate: AGGREGATE, include_items: INCLUDE_ITEMS }),
  }
}

function listTypeOf(
  { name }: ObjectType,
  paging: readonly PagingStyle[],
  { supported }: AggregationSupport,
): ObjectType {
  const isCursor = (style: PagingStyle) => style === 'cursor'
  return Object.freeze({
    name: `${name}List`,
    kind: 'object',
    fields: Object.freeze({
      items: { type: `${name}[]` },
      ...(paging.some(isCursor) && { pageInfo: { type: 'PageInfo' } }),
      ...(!paging.every(isCursor) && { pagination: { type: 'Pagination' } }),
      ...(supported && { aggregations: { type: 'object', description: 'Results of aggregate, by label.' } }),
    }),
  })
}

function exampleOf(type: ObjectType, { kinds, filterKeys, sortFields, searchFields, paging, operation }: Parts) {
  const filtered = filterKeys.find((name) => kinds.get(name)?.values?.length) ?? filterKeys[0]
  const [sorted] = sortFields
  const paths = presetSelection(type, presetNames(type)[0] ?? 'minimal').paths ?? []
  return Object.freeze({
    ...(operation.startsWith('search_') && searchFields.length > 0 && { query: 'text' }),
    ...(filtered && { filter: { [filtered]: sampleOf(kinds.get(filtered)) } }),
    ...(sorted && { sort: { field: sorted, order: 'desc' } }),
    ...(paging[0] === 'cursor' && { first: 5 }),
    ...(paging[0] === 'offset' && { limit: 5 }),
    ...(paging[0] === 'page' && { page_size: 5 }),
    fields: paths.filter((path) => /^[a-z]/.test(path)),
  })
}

function sampleOf(kind: FieldKind | undefined): unknown {
  if (kind?.values?.length) return kind.values[0]
  switch (kind?.list ? undefined : kind?.of) {
    case 'number':
      return { gte: 1 }
    case 'boolean':
      return true
    case 'time':
      return { gte: '2026-01-01' }
    case 'bigint':
      return { gte: '1' }
    default:
      return { exists: true }
  }
}
