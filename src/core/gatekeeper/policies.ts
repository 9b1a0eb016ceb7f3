import { canonicalJson } from '../canonical-json.ts'
import { matchesGlob } from '../registry/glob.ts'
import { type Budget, loadPatterns, type Pattern } from '../registry/patterns.ts'

/** Gatekeeper specification §2.4, GATE-05. */
export interface PolicyRecord {
  /** A glob over operation names. */
  readonly operation: string
  readonly permission: Permission
  /** All must hold. */
  readonly conditions?: readonly Condition[]
  /** Where it was written, for the operator: `policies.yaml:12`. */
  readonly place?: string
}

export type Permission = 'allow' | 'confirm' | 'deny'

/** */
export interface Condition {
  /** A parameter, or a path of keys inside one: `input.state`. */
  readonly param: string
  readonly op: ConditionOp
  readonly value: unknown
}

export type ConditionOp = keyof typeof CONDITION_OPS

/** Strictest last (GATE-06). */
export const SEVERITY: Readonly<Record<Permission, number>> = { allow: 0, confirm: 1, deny: 2 }

export function strictest(permissions: Iterable<Permission>): Permission {
  let worst: Permission = 'allow'
  for (const permission of permissions) if (SEVERITY[permission] > SEVERITY[worst]) worst = permission
  return worst
}

/** A record that has been made ready: `holds` is absent where it holds for every call. */
export interface Policy {
  readonly record: PolicyRecord
  readonly holds?: (params: Values, budget: Budget) => boolean
}

type Values = Readonly<Record<string, unknown>>
type MakePattern = (source: string) => Pick<Pattern, 'test'>

/** Undefined where nobody can tell: the value is too long to be looked through. */
type Test = (actual: unknown, budget: Budget) => boolean | undefined

/** What each operator says of a value. A value of another kind than it speaks of does not satisfy it. */
const CONDITION_OPS = {
  eq: (value: unknown) => (actual: unknown) => same(actual, value),
  ne: (value: unknown) => (actual: unknown) => !same(actual, value),
  in: (value: unknown) => (actual: unknown) => Array.isArray(value) && value.some((each) => same(actual, each)),
  gt: (value: unknown) => (actual: unknown) => order(actual, value) > 0,
  lt: (value: unknown) => (actual: unknown) => order(actual, value) < 0,
  matches: (value: unknown, pattern: MakePattern) => {
    const { test } = pattern(String(value))
    return (actual: unknown, budget: Budget) => typeof actual === 'string' && test(actual, budget)
  },
} as const satisfies Record<string, (value: unknown, pattern: MakePattern) => Test>

export const CONDITION_NAMES = Object.keys(CONDITION_OPS) as readonly ConditionOp[]

/** The patterns come from a linear-time engine, which is loaded only where a record needs it. */
export async function compilePolicies(records: readonly PolicyRecord[]): Promise<readonly Policy[]> {
  const needsPatterns = records.some(({ conditions }) => conditions?.some(({ op }) => op === 'matches'))
  const pattern: MakePattern = needsPatterns ? await loadPatterns() : () => ({ test: () => undefined })
  return records.map((record) => compile(record, pattern))
}

/** The records that speak of an operation, whatever its parameters. */
export function policiesFor(policies: readonly Policy[], operation: string): readonly Policy[] {
  return policies.filter(({ record }) => matchesGlob(record.operation, operation))
}

function compile(record: PolicyRecord, pattern: MakePattern): Policy {
  const { conditions } = record
  const isSound =
    hasOnly(record, RECORD_KEYS) &&
    Object.hasOwn(SEVERITY, record.permission) &&
    (conditions ?? []).every((each) => hasOnly(each, CONDITION_KEYS) && Object.hasOwn(CONDITION_OPS, each.op))
  if (!isSound) throw new Error(`the policy ${JSON.stringify(record)} is not valid`)
  if (!conditions || conditions.length === 0) return { record }
  const tests = conditions.map(({ param, op, value }) => {
    const path = param.split('.')
    const test: Test = CONDITION_OPS[op](value, pattern)
    return (params: Values, budget: Budget) => test(lookUp(params, path), budget)
  })
  // GATE-11: where nobody can tell, the stricter outcome counts.
  const inDoubt = record.permission !== 'allow'
  return { record, holds: (params, budget) => tests.every((test) => test(params, budget) ?? inDoubt) }
}

/** GATE-05: what is not understood must not become an allowance. */
const RECORD_KEYS: readonly string[] = ['operation', 'permission', 'conditions', 'place']
const CONDITION_KEYS: readonly string[] = ['param', 'op', 'value']

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key))
}

function lookUp(params: Values, path: readonly string[]): unknown {
  let value: unknown = params
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Values)[step]
  }
  return value
}

/** As JSON has it: in whatever order an agent writes the keys of an object. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b))
}

/** NaN, and so neither more nor less, where two values cannot be compared. */
function order(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return Number.NaN
}
