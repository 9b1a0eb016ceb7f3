import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AGGREGATE_FUNCTIONS } from '../src/core/query/collection.ts'
import { CATEGORIES } from '../src/protocol/categories.ts'
import { DANGER_LEVELS } from '../src/protocol/danger.ts'
import { CONCURRENCY, ENDPOINT_MODES } from '../src/protocol/endpoints.ts'
import {
  type AggregationSupport,
  type ComputedFieldInfo,
  type Example,
  type OperationDetails,
  type OperationInfo,
  type ParameterInfo,
  type RelationshipCapabilities,
  TYPE_KINDS,
  type TypeDetails,
  type TypeInfo,
} from '../src/protocol/introspection.ts'
import type { Lifecycle } from '../src/protocol/lifecycle.ts'
import { LIMITS } from '../src/protocol/limits.ts'
import type {
  BatchSummary,
  ConfirmationDemand,
  ErrorDetail,
  OperationSuccess,
  PendingOperation,
  Warning,
} from '../src/protocol/result.ts'
import { SEVERITIES } from '../src/protocol/warnings.ts'

/** The schemas and the types say the same: a key that is in one and not in the other turns this red, or does not compile. */

type Schema = Readonly<Record<string, unknown>>
type Keys<T> = { readonly [K in keyof Required<T>]: true }

const load = (name: string): Schema =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../schemas/${name}.schema.json`), 'utf8'))
const introspection = load('introspection-response')
const result = load('operation-result')
const batch = load('batch-operation')

function at(schema: Schema, ...path: string[]): Schema {
  return path.reduce<Schema>((inner, step) => inner[step] as Schema, schema)
}

const details: Keys<OperationDetails> = {
  name: true,
  semantic_category: true,
  endpoint: true,
  mcpTool: true,
  description: true,
  permissions: true,
  parameters: true,
  returns: true,
  examples: true,
  computed_fields: true,
  aggregation_support: true,
  relationship_capabilities: true,
  lifecycle: true,
}
const parameter: Keys<ParameterInfo> = {
  name: true,
  type: true,
  required: true,
  description: true,
  default: true,
  enum: true,
  minimum: true,
  maximum: true,
  minLength: true,
  maxLength: true,
  pattern: true,
  format: true,
  items: true,
  sensitive: true,
}
const info: Keys<OperationInfo> = { name: true, semantic_category: true, endpoint: true, description: true }
const type: Keys<TypeInfo> = { name: true, kind: true, description: true }
const typeDetails: Keys<TypeDetails> = {
  name: true,
  kind: true,
  description: true,
  values: true,
  fields: true,
  members: true,
}
const example: Keys<Example> = { request: true, description: true }
const computed: Keys<ComputedFieldInfo> = {
  name: true,
  type: true,
  description: true,
  filterable: true,
  sortable: true,
}
const lifecycle: Keys<Lifecycle> = {
  states: true,
  supports_cancel: true,
  supports_retry: true,
  progress_reporting: true,
}
const warning: Keys<Warning> = { code: true, message: true, details: true, severity: true }
const error: Keys<ErrorDetail> = { code: true, message: true, details: true }
const confirmation: Keys<ConfirmationDemand> = { token: true, expires_at: true, message: true, reasons: true }
const success: Keys<OperationSuccess> = { success: true, data: true, warnings: true, _meta: true }
const pending: Keys<PendingOperation> = { index: true, operation: true, params: true }
const aggregation: Keys<AggregationSupport> = {
  supported: true,
  default_mode: true,
  functions: true,
  groupable_fields: true,
  numeric_fields: true,
}
const relationships: Keys<RelationshipCapabilities> = {
  supported: true,
  directions: true,
  relationship_types: true,
  max_depth: true,
}
const summary: Keys<BatchSummary> = { total: true, succeeded: true, failed: true, halted: true, pending: true }

test.each([
  ['OperationInfo', introspection, 'operation_info', info],
  ['OperationDetails', introspection, 'operation_details', details],
  ['ParameterInfo', introspection, 'field_info', parameter],
  ['TypeInfo', introspection, 'type_info', type],
  ['TypeDetails', introspection, 'type_details', typeDetails],
  ['Example', introspection, 'example', example],
  ['ComputedFieldInfo', introspection, 'computed_field', computed],
  ['Lifecycle', introspection, 'lifecycle', lifecycle],
  ['Warning', result, 'warning', warning],
  ['ErrorDetail', result, 'error', error],
  ['ConfirmationDemand', result, 'confirmation', confirmation],
  ['OperationSuccess', result, 'success', success],
  ['PendingOperation', batch, 'pending_entry', pending],
  ['AggregationSupport', load('aggregation-query'), 'support', aggregation],
  ['RelationshipCapabilities', load('relationship-query'), 'capabilities', relationships],
] as const)('the schema of %s has the keys of the type', (_, schema, name, keys) => {
  expect(Object.keys(at(schema, '$defs', name, 'properties')).sort()).toEqual(Object.keys(keys).sort())
})

test('the summary of a batch has the keys of the type, and one more for a setting that comes later', () => {
  const keys = Object.keys(at(batch, '$defs', 'summary', 'properties')).sort()
  expect(keys).toEqual([...Object.keys(summary), 'pending_confirmation'].sort())
})

test('the lists of values are those of the tables', () => {
  const values = (name: string) => at(introspection, '$defs', name).enum
  expect(values('category')).toEqual(Object.keys(CATEGORIES))
  expect(values('kind')).toEqual([...TYPE_KINDS])
  expect(at(introspection, '$defs', 'protocol', 'properties', 'mode').enum).toEqual([...ENDPOINT_MODES])
  expect(at(introspection, '$defs', 'protocol', 'properties', 'concurrency').enum).toEqual([...CONCURRENCY])
  expect(Object.keys(at(introspection, '$defs', 'limits', 'properties'))).toEqual(
    Object.values(LIMITS).map(({ key }) => key),
  )
  expect(at(result, '$defs', 'warning', 'properties', 'severity').enum).toEqual(Object.keys(SEVERITIES))
  expect(at(load('danger-level'), '$defs', 'level').enum).toEqual(Object.keys(DANGER_LEVELS))
  expect(JSON.stringify(load('aggregation-query'))).toContain(JSON.stringify(AGGREGATE_FUNCTIONS).slice(1, -1))
})
