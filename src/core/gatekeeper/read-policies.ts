import { isObject } from '../registry/check-value.ts'
import { CONDITION_NAMES, type PolicyRecord } from './policies.ts'

export interface PolicyFault {
  /** Where in the file: `policies[2].conditions[0].op`. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** GATE-05: one wrong record makes the whole file invalid; all faults are told, not the first alone. */
export function readPolicies(value: unknown): readonly PolicyRecord[] | { readonly faults: readonly PolicyFault[] } {
  if (!isObject(value)) return { faults: [fault([], 'a mapping with the key policies is expected')] }
  const extra = Object.keys(value).filter((key) => key !== 'policies')
  const { policies } = value
  const faults = [
    ...extra.map((key) => fault([key], `there is no such key; the only one is policies`)),
    ...(Array.isArray(policies)
      ? policies.flatMap((record, index) => recordFaults(record, ['policies', index]))
      : [fault(['policies'], 'a list of records is expected')]),
  ]
  return faults.length > 0 ? { faults } : (policies as readonly PolicyRecord[])
}

type Path = readonly (string | number)[]

const PERMISSIONS = ['allow', 'deny', 'confirm']
const RECORD_KEYS = ['operation', 'permission', 'conditions']
const CONDITION_KEYS = ['param', 'op', 'value']

function recordFaults(record: unknown, path: Path): readonly PolicyFault[] {
  if (!isObject(record)) return [fault(path, 'a record with operation and permission is expected')]
  const { operation, permission, conditions } = record
  return [
    ...unknownKeys(record, RECORD_KEYS, path),
    ...(typeof operation === 'string' && operation !== ''
      ? []
      : [fault([...path, 'operation'], 'a name or a glob of names is expected')]),
    ...(PERMISSIONS.includes(permission as string)
      ? []
      : [fault([...path, 'permission'], `expected ${PERMISSIONS.join(', ')}`)]),
    ...conditionsFaults(conditions, [...path, 'conditions']),
  ]
}

function conditionsFaults(conditions: unknown, path: Path): readonly PolicyFault[] {
  if (conditions === undefined) return []
  if (!Array.isArray(conditions)) return [fault(path, 'a list of conditions is expected')]
  return conditions.flatMap((condition, index) => conditionFaults(condition, [...path, index]))
}

/** */
function conditionFaults(condition: unknown, path: Path): readonly PolicyFault[] {
  if (!isObject(condition)) return [fault(path, 'a condition with param, op and value is expected')]
  const { param, op, value } = condition
  return [
    ...unknownKeys(condition, CONDITION_KEYS, path),
    ...(typeof param === 'string' && param !== ''
      ? []
      : [fault([...path, 'param'], 'the name of a parameter is expected')]),
    ...((CONDITION_NAMES as readonly unknown[]).includes(op)
      ? valueFaults(op as string, value, [...path, 'value'])
      : [fault([...path, 'op'], `expected ${CONDITION_NAMES.join(', ')}`)]),
  ]
}

/** What each operator can be compared with. A condition that could never hold is a mistake, not a policy. */
function valueFaults(op: string, value: unknown, path: Path): readonly PolicyFault[] {
  switch (op) {
    case 'in':
      return Array.isArray(value) && value.length > 0 ? [] : [fault(path, 'a list of values is expected')]
    case 'matches':
      return typeof value === 'string' && value.length <= 1_000
        ? []
        : [fault(path, 'a pattern of 1,000 characters or fewer is expected')]
    case 'gt':
    case 'lt':
      return ['number', 'string'].includes(typeof value) ? [] : [fault(path, 'a number or a text is expected')]
    default:
      return value === undefined ? [fault(path, 'a value is expected')] : []
  }
}

function unknownKeys(record: object, known: readonly string[], path: Path): readonly PolicyFault[] {
  const extra = Object.keys(record).filter((key) => !known.includes(key))
  return extra.map((key) => fault([...path, key], `there is no such key; there are ${known.join(', ')}`))
}

function fault(path: Path, message: string): PolicyFault {
  return { path, message }
}
