import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Fields } from '../call.ts'
import { type Fault, isObject } from '../registry/check-value.ts'
import type { InputRules, Operation } from '../registry/compile-operation.ts'
import type { Param } from '../registry/param.ts'
import { faultFailure, shortened } from './fault-failure.ts'

/**
 * Spec §4.5.3, UPD-06 to UPD-08, VAL-11 — the keys and values of `input` against the resource's fields. All faults, in
 * the order of VAL-01: types, fields that are not to be written or not known, constraints.
 */
export function inputFaults(target: Operation, input: Fields): readonly OperationFailure[] {
  const rules = target.input as InputRules // called only where there are rules
  const faults: { readonly name: string; readonly fault: Fault }[] = []
  const refused: OperationFailure[] = []
  const unknown: string[] = []
  for (const name of Object.keys(input)) {
    if (rules.checks.has(name)) {
      const fault = checkField(name, input[name], rules)
      if (fault) faults.push({ name, fault })
      continue
    }
    const failed = protectedField(name, rules, target.name)
    if (failed) refused.push(failed)
    else unknown.push(name)
  }
  const failuresOf = (isType: boolean) =>
    faults
      .filter(({ fault }) => (fault.kind === 'type') === isType)
      .map(({ name, fault }) => faultFailure(`input.${name}${fault.path}`, fault, target.name))
  return [
    ...failuresOf(true),
    ...refused,
    ...(unknown.length > 0 ? [unknownFields(unknown, rules, target.name)] : []),
    ...failuresOf(false),
  ]
}

/** `null` removes a field, so it is right for every field that the resource can be without (UPD-05). */
function checkField(name: string, value: unknown, { checks, rows }: InputRules): Fault | undefined {
  return removalFault(value, rows[name]) ?? (value === null ? undefined : checks.get(name)?.(nullsRemoved(value)))
}

/** At every depth that is merged; nulls inside arrays are data. */
function removalFault(value: unknown, field: Param | undefined): Fault | undefined {
  if (value === null) {
    return field?.required
      ? { kind: 'value', path: '', constraint: 'a value, because the field is required' }
      : undefined
  }
  if (!isObject(value) || !field?.fields) return undefined
  for (const [name, inner] of Object.entries(field.fields)) {
    const fault = Object.hasOwn(value, name) ? removalFault(value[name], inner) : undefined
    if (fault) return { ...fault, path: `.${name}${fault.path}` }
  }
  return undefined
}

/** Nested nulls remove nested keys; what remains is what must fit. */
function nullsRemoved(value: unknown): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  if (!entries.some(([, inner]) => inner === null || typeof inner === 'object')) return value
  return Object.fromEntries(
    entries.filter(([, inner]) => inner !== null).map(([key, inner]) => [key, nullsRemoved(inner)]),
  )
}

function unknownFields(unknown: readonly string[], { checks }: InputRules, operation: string): OperationFailure {
  return fail('VALIDATION_UNKNOWN_FIELD', {
    operation,
    unknown_fields: shortened(unknown),
    valid_fields: [...checks.keys()],
  })
}

function protectedField(
  name: string,
  { type, identifiers }: InputRules,
  operation: string,
): OperationFailure | undefined {
  if (identifiers.includes(name) || name === type.key) return undefined
  if (name === type.version) return fail('VALIDATION_READ_ONLY_FIELD', { field: name, operation })
  const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
  if (field?.appendOnly)
    return fail('VALIDATION_APPEND_ONLY', { field: name, alternative: field.appendOnly, operation })
  if (field?.readOnly) return fail('VALIDATION_READ_ONLY_FIELD', { field: name, operation })
  return undefined
}
