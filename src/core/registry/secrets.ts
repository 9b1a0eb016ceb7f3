import type { ErrorDetail, Warning } from '../../protocol/result.ts'
import { asRecorded, maskOf, recordKey } from '../masked.ts'
import { isObject } from './check-value.ts'
import type { Operation } from './compile-operation.ts'
import type { Param, Params } from './param.ts'
import type { ObjectType, TypeDefinition } from './type.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The parameters of a call as a human and the trail see them: what is declared sensitive is masked in its place, and
 * everything else stands there in full, whatever its value is equal to. `params` has the names that introspection tells,
 * or those that the handler knows.
 */
export function maskSensitive(target: Operation, params: Fields): Fields {
  return hideIn(target, params, FOR_RECORDS) as Fields
}

/** The same for the agent that sent them, by the names it may use: without an escape, so that they can be sent again. */
export function maskGiven(target: Operation, params: Fields): Fields {
  return target.hasSecrets ? (hideIn(target, params, FOR_AGENTS) as Fields) : params
}

/** Only what may leave the call. */
export function withoutSensitive(target: Operation, params: Fields): Fields {
  return target.hasSecrets ? (hideIn(target, params, LEFT_OUT) as Fields) : params
}

/** VAL-10: an object that a source tells, for the eyes of a human: its sensitive fields are masked. */
export function hideSensitive(value: unknown, { fields }: ObjectType, types: Types): unknown {
  return hideBy(value, { type: 'object', fields }, types, FOR_RECORDS)
}

type Types = ReadonlyMap<string, TypeDefinition>

interface Hiding {
  /** Undefined leaves it out. */
  readonly mask: (value: unknown) => unknown
  readonly key: (name: string) => string
}

const FOR_RECORDS: Hiding = { mask: maskOf, key: recordKey }
const FOR_AGENTS: Hiding = { mask: () => MASK, key: (name) => name }
const LEFT_OUT: Hiding = { mask: () => undefined, key: (name) => name }

function hideIn(target: Operation, params: Fields, hiding: Hiding): unknown {
  if (!target.hasSecrets) return asRecorded(params)
  return hideBy(params, { type: 'object', fields: rowsOf(target) }, target.types, hiding)
}

/** Every name under which a parameter can come. */
function rowsOf(target: Operation): Params {
  const known = ROWS.get(target)
  if (known) return known
  const rows = target.params.flatMap(({ name, alias, param }) => {
    const row = name === 'input' && target.input ? { ...param, fields: target.input.type.fields } : param
    return [name, alias, param.mapTo].flatMap((each) => (each === undefined ? [] : [[each, row] as const]))
  })
  const made: Params = Object.fromEntries(rows)
  ROWS.set(target, made)
  return made
}

const ROWS = new WeakMap<Operation, Params>()

/** Null says that there is nothing to hide. */
function hideBy(value: unknown, row: Param | undefined, types: Types, hiding: Hiding): unknown {
  if (value === undefined || value === null) return value
  if (row?.sensitive) return hiding.mask(value)
  if (Array.isArray(value)) return value.map((item) => hideBy(item, row?.items ?? row, types, hiding))
  if (!isObject(value)) return value
  const fields = row ? { ...fieldsOfNamed(row.type, types), ...row.fields } : {}
  const shown = Object.entries(value).map(([name, inner]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    return [hiding.key(name), hideBy(inner, field, types, hiding)] as const
  })
  return Object.fromEntries(shown.filter(([, inner]) => inner !== undefined))
}

/** Of every type that is named: one too many is harmless. */
function fieldsOfNamed(type: string, types: Types): Params {
  const named = (type.match(/\w+/g) ?? []).map((name) => types.get(name))
  return Object.assign({}, ...named.map((each) => (each?.kind === 'object' ? each.fields : {})))
}

/**
 * VAL-10 — the sensitive values of one bound call as text, the longest first, for messages that a handler writes. They
 * are looked for by value, so a value that the call also sends where it is not sensitive is none of them: otherwise
 * whoever sends the call could blot out another of its values. Records and approval screens never use this.
 */
export function secretsOf(target: Operation, params: Fields): readonly string[] {
  if (!target.hasSecrets) return NONE
  const secrets = new Set<string>()
  const others = new Set<string>()
  collect(params, { type: 'object', fields: rowsOf(target) }, target.types, { secrets, others })
  const open = [...others]
  const hidden = [...secrets].filter((secret) => !open.some((text) => text.includes(secret)))
  return [...new Set(hidden.flatMap(formsOf))].sort((a, b) => b.length - a.length)
}

/** A short secret is masked as a word of its own only: it would chew holes into the others. */
export function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => (secret.length < SHORT ? rest.replace(wordOf(secret), MASK) : rest.replaceAll(secret, MASK)),
    text,
  )
}

const SHORT = 6

function wordOf(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'gu')
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
const MASK = '***'

interface Found {
  readonly secrets: Set<string>
  /** What stands in the call openly, keys included. */
  readonly others: Set<string>
}

function collect(value: unknown, row: Param | undefined, types: Types, found: Found): void {
  if (row?.sensitive) {
    collectAll(value, found.secrets)
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, row?.items ?? row, types, found)
  } else if (isObject(value)) {
    const fields = row ? { ...fieldsOfNamed(row.type, types), ...row.fields } : {}
    for (const [name, inner] of Object.entries(value)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (!field) found.others.add(name)
      collect(inner, field, types, found)
    }
  } else collectAll(value, found.others)
}

/** True and false are no secrets: masking them would mask half of the language. */
function collectAll(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (value !== '') texts.add(String(value))
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectAll(inner, texts)
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
