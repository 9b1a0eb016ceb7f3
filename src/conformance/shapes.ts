import { CATEGORIES, isCategory } from '../protocol/categories.ts'
import { TYPE_KINDS } from '../protocol/introspection.ts'
import { NAME_PATTERN } from '../protocol/request.ts'
import { isObject } from './values.ts'

/** What is wrong with a value, in words; empty when nothing is. */
export type Shape = (value: unknown, path?: string) => readonly string[]

/** RES-01 to RES-03: the discriminated union with nothing beside it. */
export const resultShape: Shape = (value, path = 'result') => {
  if (!isObject(value)) return [`${path} is not an object`]
  if (value.success === true) return successShape(value, path)
  if (value.success === false) return failureShape(value, path)
  return [`${path}.success is not a boolean`]
}

export const successShape: Shape = (value, path = 'result') => [
  ...keys({ success: isTrue, data: anything }, { warnings: list(warningShape), _meta: object, ...BATCH_KEYS })(
    value,
    path,
  ),
]

export const failureShape: Shape = (value, path = 'result') => [
  ...keys(
    { success: isFalse, error: errorShape },
    {
      confirmation: object,
      deprecated: anything,
      deprecationMessage: text,
      deprecatedSince: text,
      removalVersion: text,
    },
  )(value, path),
]

/** ERR-01. */
export const errorShape: Shape = (value, path = 'error') =>
  keys({ code: matching(/^[A-Z][A-Z0-9_]*$/), message: filled }, { details: object })(value, path)

/** RES-07, RES-08. */
export const warningShape: Shape = (value, path = 'warning') =>
  keys({ code: matching(/^[A-Z][A-Z0-9_]*$/), message: filled }, { details: object, severity: oneOf(SEVERITIES) })(
    value,
    path,
  )

/** BATCH-04: an entry's result holds `success` with `data` or `error` and nothing else. */
export const batchEntryShape: Shape = (value, path = 'entry') =>
  keys({ index: integer, operation: filled, result: entryResult }, {})(value, path)

/** INT-03, INT-04, INT-05. */
export const operationsListShape: Shape = (value, path = 'data') =>
  keys({ _protocol: protocolShape, operations: list(operationInfoShape) }, {})(value, path)

export const operationInfoShape: Shape = (value, path = 'operation') =>
  keys({ name: matching(NAME_PATTERN), semantic_category: category, endpoint: filled, description: filled }, {})(
    value,
    path,
  )

export const typesListShape: Shape = (value, path = 'data') => keys({ types: list(typeInfoShape) }, {})(value, path)

export const typeInfoShape: Shape = (value, path = 'type') =>
  keys({ name: filled, kind: oneOf(TYPE_KINDS) }, { description: text })(value, path)

/** INT-09, INT-11 to INT-14. */
export const operationDetailsShape: Shape = (value, path = 'operation') => [
  ...keys(
    {
      name: matching(NAME_PATTERN),
      semantic_category: category,
      endpoint: filled,
      mcpTool: filled,
      description: filled,
      permissions: keys({ readOnly: boolean, destructive: boolean }, {}),
      parameters: list(parameterShape),
      returns: typeInfoShape,
    },
    {
      examples: list(exampleShape),
      computed_fields: list(computedFieldShape),
      aggregation_support: aggregationShape,
      relationship_capabilities: relationshipShape,
      lifecycle: lifecycleShape,
    },
  )(value, path),
  ...permissionsFollowCategory(value, path),
]

/** INT-12. */
export const parameterShape: Shape = (value, path = 'parameter') =>
  keys(
    { name: filled, type: filled, required: boolean },
    {
      description: text,
      default: anything,
      enum: list(anything),
      minimum: number,
      maximum: number,
      minLength: integer,
      maxLength: integer,
      pattern: text,
      format: text,
      items: anything,
      sensitive: boolean,
    },
  )(value, path)

/** TYPE-02: which list stands there follows from the kind, and no other does. */
export const typeDetailsShape: Shape = (value, path = 'type') => {
  const own = isObject(value) && typeof value.kind === 'string' ? KIND_KEYS.get(value.kind) : undefined
  return keys({ name: filled, kind: oneOf(TYPE_KINDS), ...own }, { description: text })(value, path)
}

/** LIFE-06. */
export const lifecycleShape: Shape = (value, path = 'lifecycle') =>
  keys({ states: list(filled) }, { supports_cancel: boolean, supports_retry: boolean, progress_reporting: boolean })(
    value,
    path,
  )

/** LIFE-03, LIFE-04. Further keys are the adapter's. */
export const executionShape: Shape = (value, path = 'execution') => {
  const known = loose(
    { execution_id: filled, status: filled },
    { started_at: timestamp, finished_at: timestamp, progress: progressShape, error: errorShape },
  )(value, path)
  if (known.length > 0 || !isObject(value)) return known
  const ended = TERMINAL.includes(String(value.status))
  if (ended === Object.hasOwn(value, 'finished_at')) return []
  return [`${path}.finished_at is ${ended ? 'missing in' : 'present in the unfinished'} state '${value.status}'`]
}

/** INT-05: the only key that must stand in `_protocol`; what else it says is checked by name. */
export const protocolShape: Shape = (value, path = '_protocol') =>
  loose({ version: matching(/^\d+\.\d+\.\d+(?:-[a-zA-Z0-9.-]+)?$/) }, {})(value, path)

/** PAGE-05. */
export const pageInfoShape: Shape = (value, path = 'pageInfo') =>
  loose(
    { hasNextPage: boolean, hasPreviousPage: boolean },
    { startCursor: anything, endCursor: anything, totalCount: integer },
  )(value, path)

/** DATA-05. */
export const timestamp: Shape = (value, path = 'value') =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/.test(value)
    ? []
    : [`${path} is not a UTC timestamp`]

/** An object with exactly these keys: all of the first table, any of the second. */
export function keys(required: Table, optional: Table): Shape {
  return (value, path = 'value') => {
    if (!isObject(value)) return [`${path} is not an object`]
    const extra = Object.keys(value).filter((key) => !Object.hasOwn(required, key) && !Object.hasOwn(optional, key))
    return [...loose(required, optional)(value, path), ...extra.map((key) => `${path} has the extra key '${key}'`)]
  }
}

/** The same, with other keys allowed. */
export function loose(required: Table, optional: Table): Shape {
  return (value, path = 'value') => {
    if (!isObject(value)) return [`${path} is not an object`]
    const missing = Object.keys(required).filter((key) => !Object.hasOwn(value, key))
    const wrong = Object.entries({ ...required, ...optional })
      .filter(([key]) => Object.hasOwn(value, key))
      .flatMap(([key, shape]) => shape(value[key], `${path}.${key}`))
    return [...missing.map((key) => `${path}.${key} is missing`), ...wrong]
  }
}

export function list(shape: Shape): Shape {
  return (value, path = 'value') => {
    if (!Array.isArray(value)) return [`${path} is not an array`]
    return value.flatMap((entry, index) => shape(entry, `${path}[${index}]`))
  }
}

export function oneOf(allowed: readonly string[]): Shape {
  return (value, path = 'value') =>
    typeof value === 'string' && allowed.includes(value) ? [] : [`${path} is none of ${allowed.join(', ')}`]
}

export function matching(pattern: RegExp): Shape {
  return (value, path = 'value') =>
    typeof value === 'string' && pattern.test(value) ? [] : [`${path} does not match ${pattern.source}`]
}

type Table = Readonly<Record<string, Shape>>

const TERMINAL: readonly string[] = ['completed', 'failed', 'cancelled']
const SEVERITIES = ['high', 'medium', 'low']

const anything: Shape = () => []
const object = kind('an object', isObject)
const text = kind('a string', (value) => typeof value === 'string')
const filled = kind('a non-empty string', (value) => typeof value === 'string' && value !== '')
const boolean = kind('a boolean', (value) => typeof value === 'boolean')
const number = kind('a number', (value) => typeof value === 'number')
const integer = kind('an integer', (value) => Number.isInteger(value))
const isTrue = kind('true', (value) => value === true)
const isFalse = kind('false', (value) => value === false)
const category = oneOf(Object.keys(CATEGORIES))

const BATCH_KEYS: Table = {
  results: list((value, path) => batchEntryShape(value, path)),
  summary: loose({ total: integer, succeeded: integer, failed: integer }, { halted: integer, pending: integer }),
  halted_at: object,
  pending_operations: list(object),
}

const KIND_KEYS: ReadonlyMap<string, Table> = new Map<string, Table>([
  ['enum', { values: list(text) }],
  ['object', { fields: list(parameterShape) }],
  ['union', { members: list(filled) }],
])

function kind(expected: string, test: (value: unknown) => boolean): Shape {
  return (value, path = 'value') => (test(value) ? [] : [`${path} is not ${expected}`])
}

function entryResult(value: unknown, path = 'result'): readonly string[] {
  if (isObject(value) && value.success === false) return keys({ success: isFalse, error: errorShape }, {})(value, path)
  return keys({ success: isTrue, data: anything }, {})(value, path)
}

function exampleShape(value: unknown, path = 'example'): readonly string[] {
  return keys({ request: anything }, { description: text })(value, path)
}

function computedFieldShape(value: unknown, path = 'computed field'): readonly string[] {
  return keys(
    { name: matching(NAME_PATTERN), type: filled },
    { description: text, filterable: boolean, sortable: boolean },
  )(value, path)
}

function aggregationShape(value: unknown, path = 'aggregation_support'): readonly string[] {
  return keys(
    { supported: boolean },
    {
      default_mode: oneOf(['summary_only', 'include_items']),
      functions: list(filled),
      groupable_fields: list(filled),
      numeric_fields: list(filled),
    },
  )(value, path)
}

function relationshipShape(value: unknown, path = 'relationship_capabilities'): readonly string[] {
  return keys(
    { supported: boolean },
    { directions: list(filled), relationship_types: list(filled), max_depth: integer },
  )(value, path)
}

function progressShape(value: unknown, path = 'progress'): readonly string[] {
  const wrong = loose({}, { percentage: number, current: number, total: number, message: text })(value, path)
  if (wrong.length > 0 || !isObject(value)) return wrong
  const told = ['percentage', 'current', 'message'].some((key) => Object.hasOwn(value, key))
  return told ? [] : [`${path} says neither percentage, current and total, nor message`]
}

/** INT-11. */
function permissionsFollowCategory(value: unknown, path: string): readonly string[] {
  if (!isObject(value) || !isCategory(value.semantic_category) || !isObject(value.permissions)) return []
  const expected = CATEGORIES[value.semantic_category]
  const { readOnly, destructive } = value.permissions
  if (readOnly === expected.readOnly && destructive === expected.destructive) return []
  return [`${path}.permissions do not follow from ${value.semantic_category}`]
}
