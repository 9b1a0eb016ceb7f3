import { matchesGlob } from '../../registry/glob.ts'
import { judgeVariable } from './environment-variables.ts'
import { unescaped } from './escapes.ts'
import { judgeEvaluated } from './evaluated.ts'
import type { ParameterExpansionPart, ParameterOperation, Word } from './parse-command.ts'
import { LAST_JOB } from './processes.ts'
import { ENVIRONMENT, isUnknown, NOTHING, type Scope, UNKNOWN } from './scope.ts'

type Expand = (word: Word, scope: Scope) => string

/** The values of `$name`, `$1`, `$@`. */
export function specialFields(name: string, scope: Scope): readonly string[] {
  const { positionals, variables } = scope
  if (name === '@' || name === '*') return positionals ? positionals.slice(1) : []
  if (/^\d+$/.test(name)) return [positionals ? (positionals[Number(name)] ?? '') : UNKNOWN]
  if (name === '#') return [positionals ? String(Math.max(0, positionals.length - 1)) : UNKNOWN]
  if (name === '!') return [LAST_JOB]
  if (name === 'PWD') return variables.get(name) ?? [scope.cwd]
  return variables.get(name) ?? [ENVIRONMENT.get(name) ?? UNKNOWN]
}

/** The values of `${…}`. */
export function parameterFields(part: ParameterExpansionPart, scope: Scope, expand: Expand): readonly string[] {
  const values = selected(part, scope, expand)
  if (part.prefix === '#') return [values.some(isUnknown) ? UNKNOWN : String((values[0] ?? '').length)]
  const { operation } = part
  if (part.prefix === '!') for (const name of values) judgeEvaluated(name, scope)
  if (operation?.type === 'Slice')
    for (const bound of [operation.offset, operation.length]) if (bound) judgeEvaluated(expand(bound, scope), scope)
  const target =
    part.prefix === '!' && operation?.type !== 'Names' ? values.flatMap((name) => specialFields(name, scope)) : values
  if (!operation) return target
  if (operation.type === 'Default') return byDefault(part.parameter, operation, target, scope, expand)
  if (operation.type === 'Slice' && isList(part)) {
    const from = Number(expand(operation.offset, scope).trim() || 0) - (part.index ? 0 : 1)
    const count = operation.length ? Number(expand(operation.length, scope).trim()) : undefined
    if (!Number.isInteger(from) || from < 0 || target.some(isUnknown)) return [UNKNOWN]
    return target.slice(from, count === undefined ? undefined : from + count)
  }
  return target.map((value) => changed(value, operation, scope, expand))
}

/** `$@`, `${list[@]}`: a slice of it takes values, not letters. */
function isList({ parameter, index }: ParameterExpansionPart): boolean {
  return /^[@*]$/.test(parameter) || /^[@*]$/.test(index?.text ?? '')
}

function selected({ parameter, index }: ParameterExpansionPart, scope: Scope, expand: Expand): readonly string[] {
  const values = specialFields(parameter, scope)
  if (!index) return scope.variables.has(parameter) ? values.slice(0, 1) : values
  const at = expand(index, scope)
  if (at === '@' || at === '*') return values
  judgeEvaluated(at, scope)
  if (Number.isInteger(Number(at))) return [values.at(Number(at)) ?? (scope.variables.has(parameter) ? '' : UNKNOWN)]
  // Arithmetic that is not followed may choose any of them.
  return [scope.variables.get(`${parameter}[${at}]`)?.[0] ?? UNKNOWN]
}

/** A variable that the text does not set is taken for unset: the default is what the text says. */
function byDefault(
  name: string,
  { operator, operand }: Extract<ParameterOperation, { type: 'Default' }>,
  values: readonly string[],
  scope: Scope,
  expand: Expand,
): readonly string[] {
  const isSet = values.some((value) => value !== '' && !isUnknown(value))
  if (operator.endsWith('+')) {
    const other = expand(operand, scope)
    // Whether a variable of elsewhere is set is not in the text.
    return isSet ? [other] : values.some(isUnknown) ? [UNKNOWN] : []
  }
  if (isSet) return values
  const text = expand(operand, scope)
  const fallback = operator.endsWith('?') ? UNKNOWN : text
  if (operator.endsWith('=')) {
    scope.variables.set(name, [fallback])
    judgeVariable(name, fallback, scope)
  }
  return [fallback]
}

function changed(value: string, operation: ParameterOperation, scope: Scope, expand: Expand): string {
  if (isUnknown(value)) return UNKNOWN
  switch (operation.type) {
    case 'Slice':
      return sliced(value, expand(operation.offset, scope), operation.length && expand(operation.length, scope))
    case 'Replace':
      return replaced(value, operation.operator, expand(operation.pattern, scope), expand(operation.replacement, scope))
    case 'Remove':
      return removed(value, operation.operator, expand(operation.operand, scope))
    case 'CaseModification':
      return recased(value, operation.operator)
    case 'Transform':
      return transformed(value, operation.operand.text, scope)
    default:
      return UNKNOWN
  }
}

function sliced(value: string, offset: string, length: string | undefined): string {
  const from = Number(offset.trim() || 0)
  const count = length === undefined ? value.length : Number(length.trim() || 0)
  if (!Number.isInteger(from) || !Number.isInteger(count)) return UNKNOWN
  const start = from < 0 ? Math.max(0, value.length + from) : from
  return count < 0 ? value.slice(start, count) : value.slice(start, start + count)
}

function replaced(value: string, operator: string, pattern: string, replacement: string): string {
  if (pattern === '' || isUnknown(pattern)) return value
  if (!isPattern(pattern)) {
    if (operator === '//') return value.replaceAll(pattern, () => replacement)
    if (operator === '/#') return value.startsWith(pattern) ? replacement + value.slice(pattern.length) : value
    if (operator === '/%')
      return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + replacement : value
    return value.replace(pattern, () => replacement)
  }
  // One character that any of a class may be is what tricks use; the rest is left unknown.
  if (pattern === '?')
    return operator === '//' ? replacement.repeat(Math.min(value.length, 100)) : replacement + value.slice(1)
  return matchesGlob(pattern, value) ? replacement : UNKNOWN
}

function removed(value: string, operator: string, pattern: string): string {
  if (value.length > 512 || isUnknown(pattern)) return UNKNOWN
  if (pattern.includes('[')) return UNKNOWN
  const lengths = Array.from({ length: value.length + 1 }, (_, i) => i)
  const isPrefix = operator.startsWith('#')
  if (operator.length === 2) lengths.reverse()
  for (const count of lengths) {
    const piece = isPrefix ? value.slice(0, count) : value.slice(value.length - count)
    if (matchesGlob(pattern, piece)) return isPrefix ? value.slice(count) : value.slice(0, value.length - count)
  }
  return value
}

function recased(value: string, operator: string): string {
  const [first = ''] = value
  if (operator === ',,') return value.toLowerCase()
  if (operator === '^^') return value.toUpperCase()
  return (operator === ',' ? first.toLowerCase() : first.toUpperCase()) + value.slice(1)
}

function transformed(value: string, operator: string, scope: Scope): string {
  if (operator === 'L') return value.toLowerCase()
  if (operator === 'E') return unescaped(value)
  if (operator === 'P') return asPrompt(value, scope)
  return operator === 'U' ? value.toUpperCase() : value
}

/** A prompt is expanded once more: what it substitutes is run. */
function asPrompt(value: string, scope: Scope): string {
  const output = scope.runText(`echo "${value.replaceAll('"', '\\"')}"`, scope, NOTHING)
  return output.kind === 'text' ? output.text.trimEnd() : UNKNOWN
}

function isPattern(text: string): boolean {
  return text.includes('*') || text.includes('?') || text.includes('[')
}
