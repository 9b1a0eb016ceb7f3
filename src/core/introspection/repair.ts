import { CATEGORIES } from '../../protocol/categories.ts'
import { failure, type OperationFailure } from '../../protocol/result.ts'
import type { Fields, Routed } from '../call.ts'
import { isObject } from '../registry/check-value.ts'
import type { CompiledParam, Operation } from '../registry/compile-operation.ts'
import { isSensitiveParam } from '../registry/operation-places.ts'
import type { Param } from '../registry/param.ts'
import { BLANK, blankSensitive, isSensitiveIn } from '../registry/secrets.ts'
import { nearestNames } from './search.ts'
import { signatureOf } from './signature.ts'

/** What was wrong with a call, the first fault first, and what had been given. */
export interface Refused {
  readonly failures: readonly [OperationFailure, ...OperationFailure[]]
  readonly given: Fields
}

/** Would a call with these parameters be bound? */
export type Passes = (params: Fields) => boolean

/**
 * Extension "repairable errors": the first fault stays the error; `details` adds the other faults, the signature and,
 * where one can be made from what was sent, a request that would pass.
 */
export function repair({ failures, given }: Refused, { target }: Routed, passes: Passes): OperationFailure {
  const [first, ...others] = failures
  const { code, message, details } = first.error
  const example = corrected(target, given, wrongNames(failures), passes)
  const shown = example && blankSensitive(target, example)
  return failure({
    code,
    message,
    details: Object.freeze({
      ...details,
      ...(others.length > 0 && { other_faults: others.slice(0, 8).map(({ error }) => error.message) }),
      signature: signatureOf(target),
      ...(shown && { example: { operation: target.name, params: shown } }),
    }),
  })
}

/** `tags[2].name` is a fault of `tags`; a conflict of paging controls is one of all but the first pair. */
function wrongNames(failures: readonly OperationFailure[]): ReadonlySet<string> {
  const names = failures.map(({ error: { details } }) => {
    const name = String(details?.param_name ?? details?.location ?? '')
    return name.split(/[.[]/)[0] ?? name
  })
  return new Set(names.flatMap((name) => (name === 'pagination' ? OTHER_PAGING : [name])))
}

const OTHER_PAGING = ['last', 'before', 'limit', 'offset', 'page', 'page_size']

/**
 * What was right is kept, a misspelt name is put right, what was wrong is left out. A value that has to be invented is
 * shown only in a READ: an example of a write must not be one that changes something else when it is copied. Nor may
 * one reach further than what was sent: a `dry_run` stays one, and where something is changed or removed a limit that
 * was wrong leaves its place open.
 */
function corrected(target: Operation, given: Fields, wrong: ReadonlySet<string>, passes: Passes): Fields | undefined {
  const shown = mended(target, given, wrong)
  if (Object.hasOwn(given, 'dry_run') && !Object.hasOwn(shown, 'dry_run') && target.category !== 'READ')
    shown.dry_run = true
  const probe = { ...shown }
  const known = target.definition.examples?.[0]?.params ?? {}
  let borrowed = false
  for (const { name, required, param } of target.params) {
    if (Object.hasOwn(shown, name)) continue
    if (!required && Object.hasOwn(given, name) && CATEGORIES[target.category].destructive) shown[name] = BLANK
    if (!required) continue
    if (name === 'input') return undefined
    probe[name] = Object.hasOwn(known, name) ? known[name] : sampleOf(param)
    shown[name] = target.category === 'READ' && !param.sensitive ? probe[name] : BLANK
    borrowed ||= target.category === 'READ' && Object.hasOwn(known, name)
  }
  // One value of an example may need the others: `query: "search"` is nothing without its `text`.
  if (borrowed && passes({ ...known, ...probe })) return { ...known, ...shown }
  if (Object.hasOwn(shown, 'after') && !Object.hasOwn(shown, 'first')) shown.first = probe.first = 20
  if (passes(probe)) return shown
  return target.category === 'READ' && passes(known) ? known : undefined
}

function mended(target: Operation, given: Fields, wrong: ReadonlySet<string>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  const fits = ({ check }: CompiledParam, value: unknown) => !check(value) && isShort(value)
  for (const entry of target.params) {
    if (!Object.hasOwn(given, entry.name) || hidesSecrets(entry, target, given[entry.name])) continue
    const value = given[entry.name]
    const choice = wrong.has(entry.name) ? choiceFor(entry.param, value) : value
    if (entry.name === 'input' && target.input && isObject(value)) Object.assign(kept, mendedInput(target, value))
    else if (choice !== undefined && fits(entry, choice)) kept[entry.name] = choice
  }
  const declared = new Map(target.params.map((entry) => [entry.name, entry]))
  const strange = Object.keys(given).filter((name) => !declared.has(name))
  const flat = flatFields(target, given, strange)
  if (flat) kept.input = { ...flat, ...(isObject(kept.input) && kept.input) }
  for (const name of strange.slice(0, MOST_COMPARED)) {
    if (flat && Object.hasOwn(flat, name)) continue
    const [nearest = ''] = nearestNames(name.slice(0, 64), declared.keys(), 1)
    const entry = declared.get(nearest)
    const free = entry && !Object.hasOwn(given, nearest) && !hidesSecrets(entry, target, given[name])
    if (free && fits(entry, given[name])) kept[nearest] = given[name]
  }
  return kept
}

/** The allowed value that was meant, where it differs in case alone. */
function choiceFor({ enum: allowed = [] }: Param, value: unknown): unknown {
  if (typeof value !== 'string' || !isShort(value)) return undefined
  const meant = value.trim().toLowerCase()
  return allowed.find((choice) => typeof choice === 'string' && choice.toLowerCase() === meant)
}

/** UPD-01: fields of the resource that stood beside `input` instead of inside it. */
function flatFields(target: Operation, given: Fields, strange: readonly string[]): Fields | undefined {
  const { input: rules } = target
  if (!rules || target.params.some((entry) => entry.name === 'input' && isSensitiveParam(target, entry.name)))
    return undefined
  const found = strange.filter((name) => rules.checks.has(name) && isShort(given[name]))
  const right = found.filter((name) => !rules.checks.get(name)?.(given[name]))
  return right.length > 0 ? Object.fromEntries(right.map((name) => [name, given[name]])) : undefined
}

/** The fields of `input` that can be written, misspelt ones among them; nothing where none is left. */
function mendedInput({ input: rules }: Operation, input: Fields): { readonly input?: Fields } {
  const checks = rules?.checks ?? new Map()
  const kept: Record<string, unknown> = {}
  let compared = 0
  for (const name of Object.keys(input)) {
    if (!checks.has(name) && ++compared > MOST_COMPARED) continue
    const value = input[name]
    const [nearest = ''] = checks.has(name) ? [name] : nearestNames(name.slice(0, 64), checks.keys(), 1)
    const free = nearest === name || !Object.hasOwn(input, nearest)
    if (free && checks.has(nearest) && !checks.get(nearest)?.(value) && isShort(value)) kept[nearest] = value
  }
  return Object.keys(kept).length > 0 ? { input: kept } : {}
}

/** A request may carry a hundred thousand names; none of those was misspelt. */
const MOST_COMPARED = 20

/** Of a filter its own keys count; of anything else a misspelt key could have meant something sensitive. */
function hidesSecrets({ name }: CompiledParam, target: Operation, value: unknown): boolean {
  const isFilter = name === 'filter' && target.collection !== undefined
  return isFilter ? isSensitiveIn(target, { [name]: value }) : isSensitiveParam(target, name)
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value)?.length ?? 0) <= 200
}

function sampleOf(param: Param): unknown {
  if (param.default !== undefined) return param.default
  const [choice] = param.enum ?? []
  const base = param.type.split(' | ')[0] ?? ''
  if (base.endsWith('[]')) return choice === undefined ? [] : [choice]
  if (choice !== undefined) return choice
  if (base === 'number' || base === 'integer') return param.minimum ?? 1
  if (base === 'boolean') return true
  if (base === 'array') return []
  if (base === 'object') return sampleFields(param)
  return BLANK
}

function sampleFields({ fields = {} }: Param): unknown {
  const required = Object.entries(fields).filter(([, field]) => field.required)
  return Object.fromEntries(required.map(([name, field]) => [name, sampleOf(field)]))
}
