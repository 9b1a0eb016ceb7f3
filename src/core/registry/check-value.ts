import { MAX_SAFE } from '../../protocol/limits.ts'
import { FORBIDDEN_KEYS } from '../../protocol/request.ts'
import { FORMATS } from './formats.ts'
import type { Param } from './param.ts'
import { parseType, type TypeAlternative, typeName } from './type-grammar.ts'

/** Why a value will not do. `path` is relative to the parameter: `[2].name`. */
export type Fault =
  | { readonly kind: 'type'; readonly path: string; readonly expected: string; readonly actual: string }
  | {
      readonly kind: 'value'
      readonly path: string
      readonly constraint: string
      readonly allowed?: readonly unknown[]
    }
  | { readonly kind: 'encoding'; readonly path: string }

/** Undefined when the value is right. Nothing is allocated on that path. */
export type Check = (value: unknown) => Fault | undefined

/** What a table of checks needs from the outside: engines that are loaded only when some row asks for them. */
export interface Matchers {
  readonly pattern: (source: string) => PatternCheck
  readonly schema: (schema: Readonly<Record<string, unknown>>) => (value: unknown) => SchemaFault | undefined
}

/** `test` gives undefined for a text that is too long to be looked through, and `longest` is how long one may be. */
export interface PatternCheck {
  readonly test: (text: string) => boolean | undefined
  readonly longest: number
}

export interface SchemaFault {
  readonly path: string
  readonly message: string
  readonly isType: boolean
}

/** VAL-04, VAL-07 — one row compiled into one function. Throws on a row that makes no sense. */
export function compileCheck(param: Param, matchers: Matchers): Check {
  const alternatives = parseType(param.type)
  if (!alternatives) throw new TypeError(`type '${param.type}' does not follow the grammar`)
  const checks = alternatives.map((alternative) => compileAlternative(alternative, param, matchers))
  const schema = param.schema && compileSchema(param.schema, matchers)
  const typed = checks.length === 1 ? one(checks) : anyOf(checks, param.type)
  const check: Check = schema ? (value) => typed(value) ?? schema(value) : typed
  return param.sensitive ? withoutPath(check) : check
}

/** VAL-10: keys inside a sensitive value are a part of it. */
function withoutPath(check: Check): Check {
  return (value) => {
    const fault = check(value)
    return fault && { ...fault, path: '' }
  }
}

function one(checks: readonly Check[]): Check {
  return checks[0] as Check // `parseType` never returns an empty list.
}

/** The alternative whose type fits decides; when none fits the whole type is named. */
function anyOf(checks: readonly Check[], expected: string): Check {
  return (value) => {
    let nearest: Fault | undefined
    for (const check of checks) {
      const fault = check(value)
      if (!fault) return undefined
      if (fault.kind !== 'type' || fault.path !== '') nearest ??= fault
    }
    return nearest ?? { kind: 'type', path: '', expected, actual: typeName(value) }
  }
}

function compileAlternative({ base, depth }: TypeAlternative, param: Param, matchers: Matchers): Check {
  if (depth > 0) {
    const items = depth === 1 && param.items ? compileCheck(param.items, matchers) : undefined
    return elements(compileAlternative({ base, depth: depth - 1 }, param, matchers), items)
  }
  switch (base) {
    case 'string':
      return text(param, matchers)
    case 'number':
    case 'integer':
      return number(param, base)
    case 'boolean':
      return limited(param, (value) => (typeof value === 'boolean' ? undefined : wrongType('boolean', value)))
    case 'null':
      return (value) => (value === null ? undefined : wrongType('null', value))
    case 'array':
      return param.items ? elements(compileCheck(param.items, matchers), undefined) : openArray
    case 'object':
      return object(param, matchers)
    default:
      throw new TypeError(`'${base}' is not a parameter type; use a built-in one and \`enum\` or \`fields\``)
  }
}

function text(param: Param, { pattern }: Matchers): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, allowNul = false } = param
  const format = param.format === undefined ? undefined : FORMATS[param.format]
  if (param.format !== undefined && !format) {
    throw new TypeError(`format '${param.format}' is unknown; there are ${Object.keys(FORMATS).join(', ')}`)
  }
  const matches = param.pattern === undefined ? undefined : pattern(param.pattern)
  const tooShort = wrongValue(`${minLength} or more characters`)
  const tooLong = wrongValue(`no more than ${maxLength} characters`)
  const wrongPattern = wrongValue(printable(`text matching ${param.pattern}`, 'text matching the documented pattern'))
  return limited(param, (value) => {
    if (typeof value !== 'string') return wrongType('string', value)
    if (!allowNul && value.includes('\0')) return { kind: 'encoding', path: '' }
    if (value.length < minLength * 2 && countCharacters(value) < minLength) return tooShort
    if (value.length > maxLength && countCharacters(value) > maxLength) return tooLong
    const isFound = matches?.test(value)
    if (matches && !isFound) return isFound === undefined ? tooLongFor(matches) : wrongPattern
    if (format && !format.test(value)) return wrongValue(format.expected)
    return undefined
  })
}

/** Several texts share what one request may spend on patterns. */
function tooLongFor({ longest }: PatternCheck): Fault {
  return wrongValue(`texts of no more than ${longest} characters altogether, because of the pattern`)
}

function number({ minimum, maximum, ...param }: Param, type: 'number' | 'integer'): Check {
  return limited(param, (value) => {
    if (typeof value !== 'number') return wrongType(type, value)
    if (isUnsafe(value)) return UNSAFE
    if (type === 'integer' && !Number.isInteger(value)) return wrongInteger
    if (minimum !== undefined && value < minimum) return wrongValue(`${minimum} or more`)
    if (maximum !== undefined && value > maximum) return wrongValue(`${maximum} or less`)
    return undefined
  })
}

function limited(param: Pick<Param, 'enum'>, check: Check): Check {
  const allowed = param.enum
  if (!allowed) return check
  const list = allowed.map(String).join(', ')
  const values = new Set<unknown>(allowed)
  const fault = { ...wrongValue(printable(`one of ${list}`, 'one of the documented values')), allowed }
  return (value) => check(value) ?? (values.has(value) ? undefined : fault)
}

/** Constraints of the row itself bind each element; `items` may add to them. */
function elements(check: Check, also: Check | undefined): Check {
  return (value) => {
    if (!Array.isArray(value)) return wrongType('array', value)
    for (let i = 0; i < value.length; i++) {
      const fault = check(value[i]) ?? also?.(value[i])
      if (fault) return within(`[${i}]`, fault)
    }
    return undefined
  }
}

function object({ fields, open = false }: Param, matchers: Matchers): Check {
  if (!fields) return openObject
  const checks = new Map(Object.entries(fields).map(([name, field]) => [name, compileCheck(field, matchers)]))
  const required = Object.keys(fields).filter((name) => fields[name]?.required)
  const unknown: Fault = {
    kind: 'value',
    path: '',
    constraint: `no such field; there are ${[...checks.keys()].join(', ')}`,
  }
  return (value) => {
    if (!isObject(value)) return wrongType('object', value)
    for (const name of required) {
      if (!Object.hasOwn(value, name)) return { kind: 'value', path: `.${name}`, constraint: 'to be present' }
    }
    for (const name of Object.keys(value)) {
      const check = checks.get(name)
      const fault = check ? check(value[name]) : open ? (openKey(name) ?? openContent(value[name])) : unknown
      if (fault) return within(`.${name}`, fault)
    }
    return undefined
  }
}

function compileSchema(schema: Readonly<Record<string, unknown>>, matchers: Matchers): Check {
  let compiled: ReturnType<Matchers['schema']> | undefined
  return (value) => {
    compiled ??= matchers.schema(schema)
    const fault = compiled(value)
    if (!fault) return undefined
    return fault.isType
      ? { kind: 'type', path: fault.path, expected: fault.message, actual: 'another type' }
      : { kind: 'value', path: fault.path, constraint: fault.message }
  }
}

const UNSAFE = wrongValue(`an integer within ±${MAX_SAFE}; a larger one as a string`)
const wrongInteger: Fault = { kind: 'type', path: '', expected: 'integer', actual: 'number' }

const openArray: Check = (value) => (Array.isArray(value) ? openContent(value) : wrongType('array', value))

const openObject: Check = (value) => (isObject(value) ? openContent(value) : wrongType('object', value))

/** DATA-03, DATA-06 and UPD-09 for content that no row describes. Depth is bounded by the nesting limit. */
function openContent(value: unknown): Fault | undefined {
  if (typeof value === 'string') return value.includes('\0') ? { kind: 'encoding', path: '' } : undefined
  if (typeof value === 'number') return isUnsafe(value) ? UNSAFE : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key]
    const fault = (Array.isArray(value) ? undefined : openKey(key)) ?? openContent(inner)
    if (fault) return within(Array.isArray(value) ? `[${key}]` : `.${key}`, fault)
  }
  return undefined
}

function openKey(key: string): Fault | undefined {
  if (key.includes('\0')) return { kind: 'encoding', path: '' }
  return FORBIDDEN_KEYS.has(key) ? wrongValue('another key') : undefined
}

/** From the limit on every double is an integer, and `1e400` is read as an infinity, which JSON would write as null. */
function isUnsafe(value: number): boolean {
  return !(Math.abs(value) <= MAX_SAFE)
}

/** Characters as JSON Schema counts them: a pair of surrogates is one. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** ERR-05: text of the author's own stands in a message only where the published leak check lets it pass. */
function printable(text: string, otherwise: string): string {
  return /at\s/i.test(text) ? otherwise : text
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within(step: string, fault: Fault): Fault {
  return { ...fault, path: step + fault.path }
}

function wrongType(expected: string, value: unknown): Fault {
  return { kind: 'type', path: '', expected, actual: typeName(value) }
}

function wrongValue(constraint: string): Fault & { readonly kind: 'value' } {
  return { kind: 'value', path: '', constraint }
}
