import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

const FOLDER = new URL('../schemas/', import.meta.url)
const BASE = 'https://mcpaql.dev/schemas/'

export const SCHEMA_FILES: readonly string[] = readdirSync(FOLDER).toSorted()

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
  schemas: SCHEMA_FILES.map(read),
})
formats.default(ajv)

/** Faults of any operation's result, single or batch; none means that it is valid. */
export function checkResult(result: unknown): string[] {
  const faults = check('operation-result.schema.json', result)
  if (faults.length > 0 || !isObject(result)) return faults
  if (Array.isArray(result.results)) return checkCounts(result as unknown as Batch)
  return isCollection(result.data) ? check('collection-query.schema.json#/$defs/answer', result.data, '/data') : []
}

/** Faults of an answer of `introspect`. */
export function checkIntrospection(result: unknown): string[] {
  return check('introspection-response.schema.json', result)
}

/** Faults of an answer whose request is not at hand: the description of the protocol gives an introspection away. */
export function checkAnswer(result: unknown): string[] {
  const isIntrospection = isObject(result) && isObject(result.data) && Object.hasOwn(result.data, '_protocol')
  return isIntrospection ? checkIntrospection(result) : checkResult(result)
}

/** Faults of a request, single or batch. */
export function checkRequest(request: unknown): string[] {
  const isBatch = isObject(request) && Object.hasOwn(request, 'operations') && !Object.hasOwn(request, 'operation')
  return check(isBatch ? 'batch-operation.schema.json#/$defs/request' : 'operation-input.schema.json', request)
}

/** Faults of a value against a schema file of ours or one of its definitions (`file#/$defs/name`). */
export function check(schema: string, value: unknown, at = ''): string[] {
  const validate = ajv.getSchema(BASE + schema)
  if (!validate) throw new Error(`no schema ${schema}`)
  if (validate(value)) return []
  return (validate.errors ?? []).filter((error) => error.keyword !== 'if').map((error) => at + describe(error))
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, unknown>
}

function describe({ instancePath, keyword, message, params }: ErrorObject): string {
  const what = keyword === 'additionalProperties' ? ` '${params.additionalProperty}'` : ''
  return `${instancePath || '/'} ${message ?? keyword}${what}`
}

interface Batch {
  readonly results: readonly {
    readonly index: number
    readonly result: { readonly success: boolean }
    readonly status?: string
  }[]
  readonly halted_at?: { readonly index: number }
  readonly pending_operations?: readonly { readonly index: number }[]
  readonly summary: Readonly<Record<string, number>>
}

/** What a schema cannot say: the entries stand in order, none is lost, and the summary counts them (BATCH-04, BATCH-06). */
function checkCounts({ results, halted_at, pending_operations = [], summary }: Batch): string[] {
  const entries = [...results, ...(halted_at ? [halted_at] : []), ...pending_operations]
  const gated = results.filter((entry) => entry.status === 'pending_confirmation').length
  const succeeded = results.filter((entry) => entry.result.success).length
  const counts = {
    total: entries.length,
    succeeded,
    failed: results.length - succeeded - gated,
    ...(halted_at && { halted: 1, pending: pending_operations.length }),
    ...((gated > 0 || Object.hasOwn(summary, 'pending_confirmation')) && { pending_confirmation: gated }),
  }
  return [
    ...entries.flatMap(({ index }, at) => (index === at ? [] : [`entry ${at} must have index ${at}, not ${index}`])),
    ...Object.entries(counts)
      .filter(([name, count]) => summary[name] !== count)
      .map(([name, count]) => `/summary/${name} must be ${count}`),
  ]
}

/** Data that carries the protocol's paging is a collection. */
function isCollection(data: unknown): boolean {
  return isObject(data) && (Object.hasOwn(data, 'pageInfo') || Object.hasOwn(data, 'pagination')) && !isGraph(data)
}

function isGraph(data: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(data, 'graph') || Object.hasOwn(data, 'relationships')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
