import type { OperationDetails, ParameterInfo } from '../protocol/introspection.ts'
import { type Fields, isObject } from './values.ts'

/**
 * Parameters that may make a valid call of the operation, best first: its own examples with unmistakable names, its
 * examples as they are, and values made from the parameter table.
 */
export function candidates(details: OperationDetails, mark: string): readonly Fields[] {
  const examples = exampleParams(details).filter((params) => isComplete(details, params))
  const made = generated(details, mark)
  return [...examples.map((params) => marked(details, params, mark)), ...examples, made]
}

/** The parameters of each example that can be read as a request of this operation. */
export function exampleParams(details: OperationDetails): readonly Fields[] {
  return (details.examples ?? []).flatMap((example) => {
    const request = isObject(example) ? readable(example.request) : readable(example)
    if (!isObject(request)) return []
    if (isObject(request.params)) return [request.params]
    const { operation: _operation, ...params } = request
    return [params]
  })
}

/** Every required parameter, from its row. */
export function generated(details: OperationDetails, mark: string): Fields {
  return Object.fromEntries(
    details.parameters.filter((row) => row.required).map((row) => [row.name, sampleValue(row, mark)]),
  )
}

/** A value that the row allows, as far as the row tells. */
export function sampleValue(row: ParameterInfo, mark: string): unknown {
  if (row.enum && row.enum.length > 0) return baseType(row).endsWith('[]') ? [row.enum[0]] : row.enum[0]
  const type = baseType(row)
  if (type.endsWith('[]')) return [sampleValue(elementOf(row, type.slice(0, -2)), mark)]
  switch (type) {
    case 'string':
      return sampleText(row, mark)
    case 'integer':
      return Math.ceil(within(row))
    case 'number':
      return within(row)
    case 'boolean':
      return false
    case 'array':
      return isObject(row.items) ? [sampleValue(elementOf(row, 'string'), mark)] : []
    case 'object':
      return { probe: mark, nested: { kept: true } }
    default:
      return sampleText(row, mark)
  }
}

/** No parameter of the operation itself (REQ-08). Whatever is wrong with it is TOKEN_INVALID (TOK-01), and is counted. */
export function isToken({ name }: Pick<ParameterInfo, 'name'>): boolean {
  return name === 'confirmation_token'
}

/** A value of another JSON type than the row wants; undefined where every type is allowed. */
export function wrongType(row: ParameterInfo): unknown {
  const types = row.type.split('|').map((type) => type.trim())
  const accepts = (type: string) => types.some((own) => own === type || (type === 'array' && own.endsWith('[]')))
  if (!accepts('boolean')) return true
  if (!accepts('number') && !accepts('integer')) return 4711
  return accepts('object') ? undefined : { unexpected: true }
}

/** A value of the right type that breaks a declared constraint, and which one it breaks. */
export function violations(row: ParameterInfo): readonly { readonly constraint: string; readonly value: unknown }[] {
  const type = baseType(row)
  if (type.endsWith('[]')) return []
  const found: { constraint: string; value: unknown }[] = []
  if (row.enum && type === 'string') found.push({ constraint: 'enum', value: 'zz_not_in_the_list' })
  if (row.minimum !== undefined) found.push({ constraint: 'minimum', value: row.minimum - 1 })
  if (row.maximum !== undefined) found.push({ constraint: 'maximum', value: row.maximum + 1 })
  if (row.minLength) found.push({ constraint: 'minLength', value: 'x'.repeat(row.minLength - 1) })
  if (row.maxLength !== undefined && row.maxLength < 100_000) {
    found.push({ constraint: 'maxLength', value: 'x'.repeat(row.maxLength + 1) })
  }
  if (row.pattern && !isMatch(row.pattern, '\u00a7 \u00a7'))
    found.push({ constraint: 'pattern', value: '\u00a7 \u00a7' })
  if (row.format && FORMATS.has(row.format)) found.push({ constraint: 'format', value: 'zz not of that form' })
  return found
}

export function baseType(row: ParameterInfo): string {
  return row.type.split('|')[0]?.trim() ?? 'string'
}

/** A plain text parameter, that is one whose value may be chosen freely. */
export function isFreeText(row: ParameterInfo): boolean {
  return (
    row.type === 'string' &&
    !row.enum &&
    !row.pattern &&
    !row.format &&
    !isReference(row.name) &&
    !STEERING.has(row.name)
  )
}

/** Texts that steer a call and mean nothing when invented. */
const STEERING: ReadonlySet<string> = new Set(['after', 'before', 'preset', 'sort', 'order', 'query', 'if_match'])

/** Names of other resources, which an invented value would not find. */
export function isReference(name: string): boolean {
  return name === 'id' || name.endsWith('_id') || name.endsWith('_ids')
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['date', '2026-03-04'],
  ['date-time', '2026-03-04T05:06:07Z'],
  ['time', '05:06:07Z'],
  ['email', 'probe@example.com'],
  ['uri', 'https://example.com/probe'],
  ['url', 'https://example.com/probe'],
  ['uuid', '5f0c1c5e-8c5b-4a53-9d51-6f7f2f1f5f10'],
  ['ipv4', '192.0.2.1'],
  ['hostname', 'example.com'],
  ['base64', 'cHJvYmU='],
  ['byte', 'cHJvYmU='],
  ['bigint', '12345678901234567890'],
])

/** Short, so that even a pattern that backtracks badly ends at once. */
const GUESSES = [
  'probe',
  'PROBE',
  'Probe',
  'pr',
  'PR',
  'a',
  'A',
  '1',
  '42',
  'probe-1',
  'PRB-1',
  'a1b2c3',
  '#a1b2c3',
  '1.0.0',
]

function sampleText(row: ParameterInfo, mark: string): string {
  const formed = row.format ? FORMATS.get(row.format) : undefined
  if (formed) return formed
  const { pattern } = row
  if (pattern) return GUESSES.find((guess) => isMatch(pattern, guess)) ?? 'probe'
  return `probe ${mark}`.slice(0, row.maxLength ?? 200).padEnd(row.minLength ?? 0, 'x')
}

function isMatch(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return false
  }
}

function within(row: ParameterInfo): number {
  return Math.min(row.maximum ?? Number.POSITIVE_INFINITY, Math.max(row.minimum ?? 1, 1))
}

function elementOf(row: ParameterInfo, type: string): ParameterInfo {
  return { name: row.name, type, required: true, ...(isObject(row.items) ? row.items : {}) } as ParameterInfo
}

function isComplete(details: OperationDetails, params: Fields): boolean {
  return details.parameters.every((row) => !row.required || Object.hasOwn(params, row.name))
}

/** The example with its free texts replaced, so that what the suite made can be told apart and does not collide. */
function marked(details: OperationDetails, params: Fields, mark: string): Fields {
  const rows = new Map(details.parameters.map((row) => [row.name, row]))
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const row = rows.get(name)
      return [name, row && isFreeText(row) && typeof value === 'string' ? sampleText(row, mark) : value]
    }),
  )
}

function readable(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
