import { type CompiledParam, type Operation, shortType } from '../registry/compile-operation.ts'
import type { Param, Params } from '../registry/param.ts'
import { BLANK } from '../registry/secrets.ts'
import { hasSecretDefault } from './describe.ts'
import { estimateTokens } from './tokens.ts'

export interface SignatureOptions {
  /** Tokens the line may cost; required parameters are never cut. */
  readonly budget?: number
  /** Optional parameters that share a term with the question come first. */
  readonly relevant?: (name: string) => boolean
}

/**
 * Design, search: one line that suffices to call. `*` marks required, `~` marks what was left out.
 * `create_issue(title*: string, labels: string[], state: open|closed = open) → Issue`
 */
export function signatureOf(
  operation: Operation,
  { budget = 120, relevant = () => false }: SignatureOptions = {},
): string {
  const ending = `) → ${returned(operation)}`
  const parts: string[] = operation.params.filter(({ required }) => required).map((entry) => written(entry, operation))
  const optional = operation.params.filter(({ required }) => !required)
  const ordered = optional.map((entry, index) => ({ entry, rank: rank(entry, relevant), index }))
  ordered.sort((a, b) => a.rank - b.rank || a.index - b.index)
  let left = budget - estimateTokens(`${operation.name}(${parts.join(', ')}${ending}`)
  for (const { entry } of ordered) {
    const part = written(entry, operation)
    const cost = estimateTokens(`, ${part}`)
    if (cost > left) {
      parts.push('~')
      break
    }
    left -= cost
    parts.push(part)
  }
  return `${operation.name}(${parts.join(', ')}${ending}`
}

/** Relevant ones, then the operation's own, then paging and the other shared ones. */
function rank({ name }: CompiledParam, relevant: (name: string) => boolean): number {
  if (relevant(name)) return 0
  return SHARED.has(name) ? 2 : 1
}

const SHARED: ReadonlySet<string> = new Set(
  'sort first after last before limit offset page page_size per_page fields preset aggregate include_items dry_run if_match max_tokens'.split(
    ' ',
  ),
)

function returned({ collection, returns }: Operation): string {
  return collection ? `${collection.type.name} list` : returns.name
}

function written({ name, param, required }: CompiledParam, operation: Operation): string {
  const fallback = hasSecretDefault(param, operation.types) ? ` = ${BLANK}` : shortDefault(param.default)
  return `${name}${required ? '*' : ''}: ${shown(name, param, operation)}${fallback}`
}

/** Where `object` says too little, the keys are said. */
function shown(name: string, param: Param, { input, collection }: Operation): string {
  if (name === 'input' && input) return fieldsOf(input.writable)
  if (name === 'filter' && collection) return keysOf(collection.filterKeys)
  if (name === 'sort' && collection)
    return `{field: ${collection.sortFields.slice(0, 3).join('|')}${collection.sortFields.length > 3 ? '|~' : ''}, order}`
  return typeOf(param)
}

function keysOf(keys: readonly string[]): string {
  return `{${keys.slice(0, 6).join(', ')}${keys.length > 6 ? ', ~' : ''}}`
}

function typeOf(param: Param): string {
  if (param.fields && Object.keys(param.fields).length <= 6) {
    return fieldsOf(param.fields) + (param.type.endsWith('[]') ? '[]' : '')
  }
  return shortType(param, 32)
}

function fieldsOf(fields: Params): string {
  const names = Object.entries(fields).map(([name, field]) => `${name}: ${shortType(field, 32)}`)
  return `{${names.slice(0, 8).join(', ')}${names.length > 8 ? ', ~' : ''}}`
}

function shortDefault(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length < 16 ? ` = ${text}` : ''
}
