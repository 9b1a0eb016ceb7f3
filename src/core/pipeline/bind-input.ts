import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Fields } from '../call.ts'
import type { Fault } from '../registry/check-value.ts'
import type { InputRules, Operation } from '../registry/compile-operation.ts'
import { faultFailure } from './fault-failure.ts'

/** Spec §4.5.3, UPD-06 to UPD-08, VAL-11 — the keys and values of `input` against the resource's fields. */
export function inputFault(target: Operation, input: Fields): OperationFailure | undefined {
  const rules = target.input as InputRules // called only where there are rules
  const unknown: string[] = []
  for (const name of Object.keys(input)) {
    const check = rules.checks.get(name)
    if (!check) {
      const refusal = protectedField(name, rules, target.name)
      if (refusal) return refusal
      unknown.push(name)
      continue
    }
    const fault = checkField(name, input[name], rules)
    if (fault) return faultFailure(`input.${name}${fault.path}`, fault, target.name)
  }
  if (unknown.length === 0) return undefined
  return fail('VALIDATION_UNKNOWN_FIELD', {
    operation: target.name,
    unknown_fields: unknown.slice(0, 20),
    valid_fields: [...rules.checks.keys()],
  })
}

/** `null` removes a field, so it is right for every field that the resource can be without (UPD-05). */
function checkField(name: string, value: unknown, { checks, writable }: InputRules): Fault | undefined {
  if (value !== null)
    return nullsRemoved(value) === value ? checks.get(name)?.(value) : checks.get(name)?.(nullsRemoved(value))
  return writable[name]?.required
    ? { kind: 'value', path: '', constraint: 'a value, because the field is required' }
    : undefined
}

/** Nested nulls remove nested keys; what remains is what must fit. Nulls inside arrays are data. */
function nullsRemoved(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (!entries.some(([, inner]) => inner === null || typeof inner === 'object')) return value
  return Object.fromEntries(
    entries.filter(([, inner]) => inner !== null).map(([key, inner]) => [key, nullsRemoved(inner)]),
  )
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
