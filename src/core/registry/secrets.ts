import type { ErrorDetail, Warning } from '../../protocol/result.ts'
import { isObject } from './check-value.ts'
import type { Operation } from './compile-operation.ts'
import type { Param, Params } from './param.ts'
import type { ObjectType, TypeDefinition } from './type.ts'

type Fields = Readonly<Record<string, unknown>>

/** VAL-10 — the values of sensitive parameters and fields in one bound call, as text, the longest first. */
export function secretsOf(target: Operation, params: Fields): readonly string[] {
  return secretsIn(target, (name, { mapTo = name }) => params[mapTo])
}

/** The parameters of a call that is not bound, by their public names, as others than the handler may see them. */
export function maskGiven(target: Operation, given: Fields): Fields {
  const secrets = secretsIn(target, (name) => given[name])
  return secrets.length === 0 ? given : maskFields(given, secrets)
}

function secretsIn(target: Operation, read: (name: string, param: Param) => unknown): readonly string[] {
  if (!target.hasSecrets) return NONE
  const found = new Set<string>()
  for (const { name, param } of target.params) {
    const row = name === 'input' && target.input ? { ...param, fields: target.input.rows } : param
    collect(read(name, param), row, found)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

/**
 * For the human who decides: what is a secret as a whole is hidden, and nothing else, so that a short secret does not
 * hide what will run.
 */
export function hideSecrets(params: Fields, secrets: readonly string[]): Fields {
  if (secrets.length === 0) return params
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string' || typeof value === 'number') return secrets.includes(String(value)) ? MASK : value
    if (Array.isArray(value)) return value.map(hide)
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner)]))
      : value
  }
  return hide(params) as Fields
}

/** VAL-10: an object that a source tells, for the eyes of a human: its sensitive fields are hidden. */
export function hideSensitive(
  value: unknown,
  { fields }: ObjectType,
  types: ReadonlyMap<string, TypeDefinition>,
): unknown {
  return hideBy(value, { type: 'object', fields }, types)
}

function hideBy(value: unknown, row: Param, types: ReadonlyMap<string, TypeDefinition>): unknown {
  if (value === undefined || value === null) return value
  if (row.sensitive) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => hideBy(item, row.items ?? row, types))
  if (!isObject(value)) return value
  const fields = { ...fieldsOfNamed(row.type, types), ...row.fields }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return [name, field ? hideBy(inner, field, types) : inner]
    }),
  )
}

/** Of every type that is named: one too many is harmless. */
function fieldsOfNamed(type: string, types: ReadonlyMap<string, TypeDefinition>): Params {
  const named = (type.match(/\w+/g) ?? []).map((name) => types.get(name))
  return Object.assign({}, ...named.map((each) => (each?.kind === 'object' ? each.fields : {})))
}

export function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
}

export function maskError(error: ErrorDetail, secrets: readonly string[]): ErrorDetail {
  if (secrets.length === 0) return error
  const { code, message, details } = error
  return { code, message: maskText(message, secrets), ...(details && { details: maskFields(details, secrets) }) }
}

export function maskWarning(warning: Warning, secrets: readonly string[]): Warning {
  if (secrets.length === 0) return warning
  const { message, details } = warning
  return {
    ...warning,
    message: maskText(message, secrets),
    ...(details && { details: maskFields(details, secrets) }),
  }
}

/** Is some row of the table, or a row inside it, sensitive? */
export function holdsSecrets(params: Params): boolean {
  return Object.values(params).some(isSecret)
}

function isSecret(param: Param): boolean {
  return (
    param.sensitive === true ||
    (param.fields !== undefined && holdsSecrets(param.fields)) ||
    (param.items !== undefined && isSecret(param.items))
  )
}

const NONE: readonly string[] = []
export const MASK = '***'
/** What is not the same as any masked value, so that a change of a secret is seen as one. */
export const HIDDEN = '(hidden)'

function collect(value: unknown, row: Param, found: Set<string>): void {
  if (row.sensitive) collectAll(value, found)
  else if (Array.isArray(value)) {
    for (const item of value) collect(item, row.items ?? row, found)
  } else if (row.fields && isObject(value)) {
    for (const [name, field] of Object.entries(row.fields)) collect(value[name], field, found)
  }
}

/** True and false are no secrets: masking them would mask half of the language. */
function collectAll(value: unknown, found: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (value !== '') for (const form of formsOf(String(value))) found.add(form)
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectAll(inner, found)
  }
}

/** As it stands in a quoted request: a message that tells what was sent has it as JSON, or in an address. */
function formsOf(text: string): readonly string[] {
  const inForm = new URLSearchParams([['', text]]).toString().slice(1)
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed()), inForm]
}

function maskFields(fields: Fields, secrets: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskValue(value, secrets)]))
}

function maskValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (typeof value === 'number' || typeof value === 'bigint') return secrets.includes(String(value)) ? MASK : value
  if (Array.isArray(value)) return value.map((inner) => maskValue(inner, secrets))
  return isObject(value) ? maskFields(value, secrets) : value
}
