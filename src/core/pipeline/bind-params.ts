import { fail } from '../../protocol/errors.ts'
import { FORBIDDEN_KEYS, PROTOCOL_FIELDS } from '../../protocol/request.ts'
import { isFailure, type OperationFailure, type Warning } from '../../protocol/result.ts'
import { warn } from '../../protocol/warnings.ts'
import type { Bound, Controls, Fields, Routed } from '../call.ts'
import { type Refused, repair } from '../introspection/repair.ts'
import type { CollectionQuery, Selection } from '../query/collection.ts'
import type { CursorCodec } from '../query/cursor.ts'
import { parseQuery } from '../query/parse-query.ts'
import { parseSelection } from '../query/select-fields.ts'
import { type Fault, isObject } from '../registry/check-value.ts'
import type { CompiledParam, Operation } from '../registry/compile-operation.ts'
import type { Deprecation } from '../registry/param.ts'
import { unclearParam } from '../registry/secrets.ts'
import { typeName } from '../registry/type-grammar.ts'
import { inputFaults } from './bind-input.ts'
import { faultFailure, shortened } from './fault-failure.ts'
import { withoutNegativeZero } from './without-negative-zero.ts'

export interface BindSettings {
  readonly cursors: CursorCodec
  /** VAL-06. */
  readonly strict: boolean
  /** Called with the names that a lenient binder left out. */
  readonly onIgnored: (operation: string, names: readonly string[]) => void
  readonly now: () => number
  /** REQ-08: `confirmation_token` is a parameter of what can ask for one. */
  readonly isGateable: (operation: Operation) => boolean
}

/** Spec §4.2 (resolution), §4.6 (unknown parameters), VAL-01 from resolution to defaults. */
export function bindParams(call: Routed, settings: BindSettings): Bound | OperationFailure {
  const bound = attempt(call, settings)
  if (!isRefused(bound)) return bound
  const { operation } = call
  return repair(bound, call, (params) => !isRefused(attempt({ ...call, fields: { operation, params } }, settings)))
}

function isRefused(bound: Bound | Refused): bound is Refused {
  return Object.hasOwn(bound, 'failures')
}

function attempt(call: Routed, settings: BindSettings): Bound | Refused {
  const { target } = call
  const given = resolve(call.fields, target.params)
  const clash = given[CLASH]
  if (clash !== undefined) return { failures: [twoValues(clash)], given }
  const controls = controlsOf(call.fields, given, target, settings)
  if (controls && isFailure(controls)) return { failures: [controls], given }
  const params: Record<string, unknown> = {}
  let known = 0
  let faulty = false
  for (const entry of target.params) {
    const value = given[entry.name]
    if (value === undefined && !Object.hasOwn(given, entry.name)) {
      if (entry.required) faulty = true
      else if (entry.fillsIn) params[entry.name] = entry.param.default
      continue
    }
    known++
    if (entry.check(value)) faulty = true
    params[entry.name] = withoutNegativeZero(value)
  }
  const surplus = known < Object.keys(given).length
  if (faulty || (surplus && settings.strict)) return explain(target, given, settings)
  return complete(call, params, given, surplus ? ignored(given, target, settings) : NONE, settings, controls)
}

const NONE: readonly Warning[] = []

/** What remains once every row is satisfied: `input`, the query of a collection, the selection of fields. */
function complete(
  call: Routed,
  params: Record<string, unknown>,
  given: Fields,
  already: readonly Warning[],
  { cursors, now }: BindSettings,
  controls: Controls | undefined,
): Bound | Refused {
  const { target } = call
  if (target.input) {
    const [first, ...others] = inputFaults(target, params.input as Fields)
    if (first) return { failures: [first, ...others], given }
  }
  const unclear = unclearParam(target, params)
  if (unclear !== undefined) return { failures: [tooLargeToMask(unclear, target)], given }
  let query: CollectionQuery | undefined
  let selection: Selection | undefined
  let warnings = already
  if (target.collection) {
    const parsed = parseQuery(target.collection, params, cursors)
    if (isFailure(parsed)) return { failures: [parsed], given }
    query = parsed.query
    warnings = [...warnings, ...parsed.warnings]
  } else if (target.resource && target.category === 'READ' && !declares(target, 'fields')) {
    const parsed = parseSelection(target.resource, params, 'full')
    if (isFailure(parsed)) return { failures: [parsed], given }
    selection = parsed.selection
    warnings = [...warnings, ...parsed.unknown.map((field) => warn('VALIDATION_UNKNOWN_FIELD', { field }, 'low'))]
  }
  if (target.hasNotes) {
    warnings = [...warnings, ...deprecations(target, given, now())]
    rename(target, params)
  }
  const { family, tool, session, operation, fields, caller, inBatch } = call
  Object.freeze(params)
  return {
    family,
    tool,
    session,
    operation,
    fields,
    caller,
    inBatch,
    target,
    params,
    query,
    selection,
    warnings,
    controls,
    passage: 'bound',
    standing: undefined,
  }
}

/** A parameter of the adapter's own has the adapter's meaning, whatever the protocol would do with that name. */
export function declares({ definition }: Operation, name: string): boolean {
  return Object.hasOwn(definition.params ?? {}, name)
}

/** Only what the caller sent is reported: a default is not a use. */
function deprecations(target: Operation, given: Fields, now: number): readonly Warning[] {
  return target.params.flatMap(({ name, param }) =>
    param.deprecated && Object.hasOwn(given, name) ? [deprecation('parameter', name, param.deprecated, now)] : [],
  )
}

/** REQ-11. All are taken out before any is put back, so that two may swap their names. */
function rename(target: Operation, params: Record<string, unknown>): void {
  const moved: [string, unknown][] = []
  for (const { name, param } of target.params) {
    if (param.mapTo === undefined || !Object.hasOwn(params, name)) continue
    moved.push([param.mapTo, params[name]])
    delete params[name]
  }
  for (const [name, value] of moved) params[name] = value
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

/** VAL-10: what a human approves must be seen but for what is declared sensitive. */
function tooLargeToMask(param_name: string, { name: operation }: Operation): OperationFailure {
  const constraint = 'a smaller value: which parts of this one are sensitive takes too many steps to tell'
  return fail('VALIDATION_INVALID_VALUE', { param_name, constraint, operation })
}

/** What a request gives, whichever way it places and spells it; `_` keys of `params` stay as they are. */
export function givenParams(fields: Fields, target: Operation | undefined): Fields {
  const inner = isObject(fields.params) ? Object.entries(fields.params) : []
  const controls = inner.filter(([name]) => name.charCodeAt(0) === UNDERSCORE)
  return Object.fromEntries([...Object.entries(resolve(fields, target?.params ?? [])), ...controls])
}

/** REQ-03 to REQ-06: `params.x` wins over a top-level `x`, snake_case over camelCase; `_meta` and its kin are neither. */
function resolve(fields: Fields, rows: readonly CompiledParam[]): Given {
  const given: Given = Object.create(null)
  for (const name of Object.keys(fields)) {
    if (isParameter(name)) given[name] = fields[name]
  }
  const inner = fields.params
  if (isObject(inner)) {
    for (const name of Object.keys(inner)) if (isParameter(name)) given[name] = inner[name]
  }
  for (const { name, alias, param } of rows) {
    if (alias !== undefined && Object.hasOwn(given, alias)) {
      if (!Object.hasOwn(given, name)) given[name] = given[alias]
      else if (param.oneSpelling && given[name] !== given[alias]) given[CLASH] = `${name} and ${alias}`
      delete given[alias]
    }
    if (param.sources && !Object.hasOwn(given, name)) {
      const found = param.sources.map((path) => lookUp(fields, path)).find((value) => value !== undefined)
      if (found !== undefined) given[name] = found
    }
  }
  return given
}

/** REQ-07: what speaks to the gate is taken out before anything is checked, hashed or handed on. */
function controlsOf(
  fields: Fields,
  given: Record<string, unknown>,
  target: Operation,
  { isGateable }: BindSettings,
): Controls | OperationFailure | undefined {
  let confirmation = control(fields, '_confirmation')
  if (Object.hasOwn(given, TOKEN_PARAM) && !declares(target, TOKEN_PARAM) && isGateable(target)) {
    confirmation ??= given[TOKEN_PARAM]
    delete given[TOKEN_PARAM]
  }
  const quota = control(fields, '_quota_continue')
  const waitSeconds = control(fields, '_wait_seconds')
  if (confirmation === undefined && quota === undefined && waitSeconds === undefined) return undefined
  if (waitSeconds !== undefined && !(typeof waitSeconds === 'number' && waitSeconds >= 0)) {
    const actual_type = typeName(waitSeconds)
    return fail('VALIDATION_INVALID_TYPE', { param_name: '_wait_seconds', expected_type: 'number', actual_type })
  }
  return {
    ...(confirmation !== undefined && { confirmation }),
    ...(quota !== undefined && { quota }),
    ...(waitSeconds !== undefined && { waitSeconds }),
  }
}

const TOKEN_PARAM = 'confirmation_token'

function control(fields: Fields, name: string): unknown {
  const inner = fields.params
  if (isObject(inner) && Object.hasOwn(inner, name)) return inner[name]
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** REQ-06: names with an underscore are the protocol's, but for one that no protocol would use. */
function isParameter(name: string): boolean {
  if (name.charCodeAt(0) === UNDERSCORE) return FORBIDDEN_KEYS.has(name)
  return !PROTOCOL_FIELDS.has(name)
}

const UNDERSCORE = 95

/** Beside the names, where no caller can write. */
const CLASH = Symbol('two spellings with different values')

type Given = Record<string, unknown> & { [CLASH]?: string }

/** LOOP-11. */
function twoValues(names: string): OperationFailure {
  const [param_name = ''] = names.split(' ')
  return fail('VALIDATION_INVALID_TYPE', { param_name, expected_type: 'one value', actual_type: `two, as ${names}` })
}

function lookUp(fields: Fields, path: string): unknown {
  let value: unknown = fields
  for (const step of path.split('.')) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  return value
}

function ignored(given: Fields, target: Operation, { onIgnored }: BindSettings): readonly Warning[] {
  const names = shortened(unknownNames(given, target))
  onIgnored(target.name, names)
  return names.map((param_name) => warn('VALIDATION_UNKNOWN_PARAM', { param_name }, 'high'))
}

function unknownNames(given: Fields, target: Operation): string[] {
  const declared = new Set(target.params.map(({ name }) => name))
  return Object.keys(given).filter((name) => !declared.has(name))
}

/** The slow path: VAL-01's order decides which fault is reported first, and `repair` lists the others. */
function explain(target: Operation, given: Fields, { isGateable }: BindSettings): Refused {
  const missing = target.params.filter(({ name, required }) => required && !Object.hasOwn(given, name))
  const faults = target.params.flatMap((entry) => {
    const fault = Object.hasOwn(given, entry.name) ? entry.check(given[entry.name]) : undefined
    return fault ? [{ entry, fault }] : []
  })
  const unknown = unknownNames(given, target)
  const failuresOf = (...kinds: readonly Fault['kind'][]) =>
    faults
      .filter(({ fault }) => kinds.includes(fault.kind))
      .map(({ entry, fault }) => faultFailure(entry.name + fault.path, fault, target.name))
  const failures = [
    ...failuresOf('encoding'),
    ...missing.map((entry) => missingParam(entry, target)),
    ...failuresOf('type'),
    ...(unknown.length > 0 ? [unknownParams(unknown, target, isGateable(target))] : []),
    ...failuresOf('value'),
  ]
  return { failures: failures as [OperationFailure, ...OperationFailure[]], given } // called only when something is wrong
}

function missingParam({ name, param }: CompiledParam, target: Operation): OperationFailure {
  const text = param.description && !/at\s/i.test(param.description) ? ` (${param.description.replace(/\.$/, '')})` : ''
  return fail('VALIDATION_MISSING_PARAM', {
    param_name: name,
    operation: target.name,
    expected: `${param.type}${text}`,
  })
}

/** REQ-08: what can be gated takes a token, and says so. */
function unknownParams(unknown_params: readonly string[], target: Operation, isGateable: boolean): OperationFailure {
  const declared = target.params.map(({ name }) => name)
  const valid_params = isGateable && !declared.includes(TOKEN_PARAM) ? [...declared, TOKEN_PARAM] : declared
  return fail('VALIDATION_UNKNOWN_PARAM', {
    operation: target.name,
    unknown_params: shortened(unknown_params),
    valid_params,
  })
}
