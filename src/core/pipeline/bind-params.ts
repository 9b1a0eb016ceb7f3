import { fail } from '../../protocol/errors.ts'
import { PROTOCOL_FIELDS } from '../../protocol/request.ts'
import { isFailure, type OperationFailure, type Warning } from '../../protocol/result.ts'
import { warn } from '../../protocol/warnings.ts'
import type { Bound, Fields, Routed } from '../call.ts'
import { repair } from '../introspection/repair.ts'
import type { CollectionQuery, Selection } from '../query/collection.ts'
import type { CursorCodec } from '../query/cursor.ts'
import { parseQuery } from '../query/parse-query.ts'
import { parseSelection } from '../query/select-fields.ts'
import { PAGING_PARAMS } from '../query/shared-params.ts'
import { isObject } from '../registry/check-value.ts'
import type { CompiledParam, Operation } from '../registry/compile-operation.ts'
import type { Deprecation } from '../registry/param.ts'
import { inputFault } from './bind-input.ts'
import { faultFailure } from './fault-failure.ts'

export interface BindSettings {
  readonly cursors: CursorCodec
  /** VAL-06. */
  readonly strict: boolean
  readonly now: () => number
}

/** Spec §4.2 (resolution), §4.6 (unknown parameters), VAL-01 from resolution to defaults. */
export function bindParams(call: Routed, settings: BindSettings): Bound | OperationFailure {
  const { target } = call
  const given = resolve(call.fields, target)
  const params: Record<string, unknown> = {}
  let known = 0
  let faulty = false
  for (const entry of target.params) {
    const value = given[entry.name]
    if (value === undefined && !Object.hasOwn(given, entry.name)) {
      if (entry.required) faulty = true
      else if (entry.param.default !== undefined && !PAGING_PARAMS.has(entry.name))
        params[entry.name] = entry.param.default
      continue
    }
    known++
    if (entry.check(value)) faulty = true
    params[entry.name] = value
  }
  const surplus = known < Object.keys(given).length
  if (faulty || (surplus && settings.strict)) return explain(call, given)
  return complete(call, params, surplus ? ignored(given, target) : NONE, settings)
}

const NONE: readonly Warning[] = []

/** What remains once every row is satisfied: `input`, the query of a collection, the selection of fields. */
function complete(
  call: Routed,
  params: Record<string, unknown>,
  already: readonly Warning[],
  { cursors, now }: BindSettings,
): Bound | OperationFailure {
  const { target } = call
  if (target.input) {
    const fault = inputFault(target, params.input as Fields)
    if (fault) return repair(fault, call, params)
  }
  let query: CollectionQuery | undefined
  let selection: Selection | undefined
  let warnings = already
  if (target.collection) {
    const parsed = parseQuery(target.collection, params, cursors)
    if (isFailure(parsed)) return repair(parsed, call, params)
    query = parsed.query
    warnings = [...warnings, ...parsed.warnings]
  } else if (target.resource && target.category === 'READ') {
    const parsed = parseSelection(target.resource, params, 'full')
    if (isFailure(parsed)) return repair(parsed, call, params)
    selection = parsed.selection
    warnings = [...warnings, ...parsed.unknown.map((field) => warn('VALIDATION_UNKNOWN_FIELD', { field }, 'low'))]
  }
  if (target.hasNotes) warnings = [...warnings, ...applyNotes(target, params, now)]
  const { family, tool, session, operation, fields, caller } = call
  Object.freeze(params)
  return { family, tool, session, operation, fields, caller, target, params, query, selection, warnings }
}

/** Deprecated parameters are reported, mapped ones renamed (REQ-11). */
function applyNotes(target: Operation, params: Record<string, unknown>, now: () => number): readonly Warning[] {
  const warnings: Warning[] = []
  for (const { name, param } of target.params) {
    if (!Object.hasOwn(params, name)) continue
    if (param.deprecated) warnings.push(deprecation('parameter', name, param.deprecated, now()))
    if (param.mapTo === undefined) continue
    params[param.mapTo] = params[name]
    delete params[name]
  }
  return warnings
}

/** Warnings document §4.2: `high` within 30 days of the removal, `medium` before, `low` without a date. */
export function deprecation(
  type: string,
  item: string,
  { replacement, removal, guide }: Deprecation,
  now: number,
): Warning {
  const soon = removal !== undefined && Date.parse(removal) - now < 30 * 86_400_000
  const severity = removal === undefined ? 'low' : soon ? 'high' : 'medium'
  const feature = `${type === 'parameter' ? 'Parameter' : 'Operation'} '${item}'`
  const details = { feature, type, deprecated_item: item, replacement, removal_date: removal, migration_guide: guide }
  return warn('DEPRECATION_WARNING', details, severity)
}

/** REQ-03 to REQ-06: `params.x` wins over a top-level `x`, snake_case over camelCase; `_meta` and its kin are neither. */
function resolve(fields: Fields, target: Operation): Record<string, unknown> {
  const given: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(fields)) {
    if (!PROTOCOL_FIELDS.has(name) && name.charCodeAt(0) !== UNDERSCORE) given[name] = fields[name]
  }
  const inner = fields.params
  if (isObject(inner)) {
    for (const name of Object.keys(inner)) if (name.charCodeAt(0) !== UNDERSCORE) given[name] = inner[name]
  }
  for (const { name, alias, param } of target.params) {
    if (alias !== undefined && Object.hasOwn(given, alias)) {
      if (!Object.hasOwn(given, name)) given[name] = given[alias]
      delete given[alias]
    }
    if (param.sources && !Object.hasOwn(given, name)) {
      const found = param.sources.map((path) => lookUp(fields, path)).find((value) => value !== undefined)
      if (found !== undefined) given[name] = found
    }
  }
  return given
}

const UNDERSCORE = 95

function lookUp(fields: Fields, path: string): unknown {
  let value: unknown = fields
  for (const step of path.split('.')) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  return value
}

function ignored(given: Fields, target: Operation): readonly Warning[] {
  return unknownNames(given, target).map((param_name) => warn('VALIDATION_UNKNOWN_PARAM', { param_name }, 'high'))
}

function unknownNames(given: Fields, target: Operation): string[] {
  const declared = new Set(target.params.map(({ name }) => name))
  return Object.keys(given).filter((name) => !declared.has(name))
}

/** The slow path: VAL-01's order decides which fault is reported first, and `repair` lists the others. */
function explain(call: Routed, given: Fields): OperationFailure {
  const { target } = call
  const missing = target.params.filter(({ name, required }) => required && !Object.hasOwn(given, name))
  const faults = target.params.flatMap((entry) => {
    const fault = Object.hasOwn(given, entry.name) ? entry.check(given[entry.name]) : undefined
    return fault ? [{ entry, fault }] : []
  })
  const unknown = unknownNames(given, target)
  const failures = [
    ...missing.map((entry) => missingParam(entry, target)),
    ...faults
      .filter(({ fault }) => fault.kind === 'type')
      .map(({ entry, fault }) => faultFailure(entry.name + fault.path, fault, target.name)),
    ...(unknown.length > 0 ? [unknownParams(unknown, target)] : []),
    ...faults
      .filter(({ fault }) => fault.kind !== 'type')
      .map(({ entry, fault }) => faultFailure(entry.name + fault.path, fault, target.name)),
  ]
  const [first, ...others] = failures as [OperationFailure, ...OperationFailure[]] // called only when something is wrong
  return repair(first, call, given, others)
}

function missingParam({ name, param }: CompiledParam, target: Operation): OperationFailure {
  const text = param.description && !/at\s/i.test(param.description) ? ` (${param.description.replace(/\.$/, '')})` : ''
  return fail('VALIDATION_MISSING_PARAM', {
    param_name: name,
    operation: target.name,
    expected: `${param.type}${text}`,
  })
}

function unknownParams(unknown_params: readonly string[], target: Operation): OperationFailure {
  const shown = unknown_params.slice(0, 20).map((name) => (name.length > 128 ? `${name.slice(0, 128)}…` : name))
  const valid_params = target.params.map(({ name }) => name)
  return fail('VALIDATION_UNKNOWN_PARAM', { operation: target.name, unknown_params: shown, valid_params })
}
