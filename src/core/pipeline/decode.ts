import { fail, shapeFault } from '../../protocol/errors.ts'
import { LIMITS, type Limits, type LimitType } from '../../protocol/limits.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Fields } from '../call.ts'
import { isObject } from '../registry/check-value.ts'
import { typeName } from '../registry/type-grammar.ts'
import { type ByteFault, type ByteLimits, weighValue } from './bytes.ts'
import { shortened } from './fault-failure.ts'

export type Decoded = (
  | { readonly kind: 'single'; readonly operation: string; readonly fields: Fields }
  | { readonly kind: 'batch'; readonly entries: readonly Entry[]; readonly parallel: boolean; readonly fields: Fields }
) & {
  /** Each station gives the other requests a turn before it looks through this one. */
  readonly isLarge: boolean
}

export interface Entry {
  readonly operation: string
  readonly fields: Fields
}

export interface DecodeSettings {
  /** Of a request as a value. */
  readonly bytes: ByteLimits
  /** False turns batches off. */
  readonly batch: boolean
  readonly maxBatch: number
  /** VAL-06: false lets pass what nobody knows. */
  readonly strict: boolean
  readonly onIgnored: (operation: string, names: readonly string[]) => void
}

/** Spec §4.1, REQ-01, REQ-02, BATCH-02 — encoding and limits first, then the shape of the request. */
export function decode(sent: unknown, settings: DecodeSettings): Decoded | OperationFailure {
  const { bytes, batch } = settings
  const given = sent === undefined ? {} : sent // MCP lets a call without arguments leave them out
  const { fault, isLarge } = weighValue(given, bytes)
  if (fault) return byteFailure(fault)
  if (!isObject(given)) return wrongType('arguments', 'object', given)

  const hasOperations = Object.hasOwn(given, 'operations') && batch
  if (!hasOperations) {
    const operation = operationOf(given, 'operation')
    return typeof operation === 'string' ? { kind: 'single', operation, fields: given, isLarge } : operation
  }
  if (Object.hasOwn(given, 'operation')) {
    return invalid('operations', 'either operation or operations, not both')
  }
  return decodeBatch(given, isLarge, settings)
}

/** DATA-02, DATA-08, DATA-09 for a value that has been parsed. */
export function checkSize(value: unknown, limits: ByteLimits): OperationFailure | undefined {
  const { fault } = weighValue(value, limits)
  return fault && byteFailure(fault)
}

export function byteLimits(limits: Limits): ByteLimits {
  return {
    maxBytes: limits.max_request_size,
    maxDepth: limits.max_nesting_depth,
    maxString: limits.max_string_length,
    maxArray: limits.max_array_elements,
  }
}

function decodeBatch(given: Fields, isLarge: boolean, settings: DecodeSettings): Decoded | OperationFailure {
  const { maxBatch, strict, onIgnored } = settings
  const { operations, parallel = false } = given
  if (!Array.isArray(operations)) return wrongType('operations', 'array', operations)
  if (operations.length === 0) return invalid('operations', 'one or more entries')
  if (operations.length > maxBatch) return invalid('operations', `no more than ${maxBatch} entries`)
  if (typeof parallel !== 'boolean') return wrongType('parallel', 'boolean', parallel)
  const entries: Entry[] = []
  for (const [index, fields] of operations.entries()) {
    if (!isObject(fields)) return wrongType(`operations[${index}]`, 'object', fields)
    if (typeof fields.operation !== 'string' || !Object.hasOwn(fields, 'operation')) {
      return noOperation(`operations[${index}].operation`)
    }
    const operation = operationOf(fields, `operations[${index}].operation`)
    if (typeof operation !== 'string') return operation
    entries.push({ operation, fields })
  }
  const unknown = Object.keys(given).filter((name) => !BATCH_FIELDS.includes(name) && !name.startsWith('_'))
  if (unknown.length > 0 && strict) return unknownBeside(unknown)
  if (unknown.length > 0) onIgnored('operations', shortened(unknown))
  return { kind: 'batch', entries, parallel, fields: given, isLarge }
}

const BATCH_FIELDS = ['operations', 'parallel']

/** VAL-05: a `dry_run` beside the entries would be taken to hold for them all, and would for none. */
function unknownBeside(names: readonly string[]): OperationFailure {
  return shapeFault(
    fail('VALIDATION_UNKNOWN_PARAM', {
      operation: 'operations',
      unknown_params: shortened(names),
      valid_params: BATCH_FIELDS,
      hint: 'Parameters of an operation stand in its entry: {"operation":"…","params":{…}}.',
    }),
  )
}

/** A fault of the byte stage as the failure that the caller sees (ERR-28, ERR-29). */
export function byteFailure(fault: ByteFault): OperationFailure {
  switch (fault.kind) {
    case 'limit':
      return tooLarge(fault.limit, fault.limitValue, fault.actualValue)
    case 'encoding':
      return fail('VALIDATION_INVALID_ENCODING', { location: fault.location, byte_offset: fault.byteOffset })
    case 'duplicate_key':
      return invalid('arguments', 'every key once')
    case 'syntax':
      return invalid('arguments', 'JSON')
  }
}

export function tooLarge(limit_type: LimitType, limit_value: number, actual_value: number): OperationFailure {
  const { unit } = LIMITS[limit_type]
  return fail('VALIDATION_PAYLOAD_TOO_LARGE', { limit_type, limit_value, actual_value, unit })
}

function operationOf(fields: Fields, param_name: string): string | OperationFailure {
  const operation = Object.hasOwn(fields, 'operation') ? fields.operation : undefined
  if (operation === undefined) return noOperation(param_name)
  if (typeof operation !== 'string') return wrongType(param_name, 'string', operation)
  if (operation === '') return invalid(param_name, 'the name of an operation')
  if (Object.hasOwn(fields, 'params') && !isObject(fields.params)) {
    const hint = 'Send params as an object, or the parameters beside operation.'
    return wrongType(param_name.replace(/operation$/, 'params'), 'object', fields.params, hint)
  }
  return operation
}

function noOperation(param_name: string): OperationFailure {
  const expected = 'string, the name of an operation; introspect lists them'
  return shapeFault(fail('VALIDATION_MISSING_PARAM', { param_name, expected }))
}

function wrongType(param_name: string, expected_type: string, value: unknown, hint?: string): OperationFailure {
  const details = { param_name, expected_type, actual_type: typeName(value), ...(hint !== undefined && { hint }) }
  return shapeFault(fail('VALIDATION_INVALID_TYPE', details))
}

function invalid(param_name: string, constraint: string): OperationFailure {
  return shapeFault(fail('VALIDATION_INVALID_VALUE', { param_name, constraint }))
}
