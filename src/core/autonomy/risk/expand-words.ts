import { arithmeticText } from './arithmetic.ts'
import { spend } from './budget.ts'
import { alternativesOf } from './expand-braces.ts'
import { parameterFields, specialFields } from './expand-parameter.ts'
import { note } from './ledger.ts'
import type { CommandExpansionPart, ProcessSubstitutionPart, Word, WordPart } from './parse-command.ts'
import { ANYTHING, chosenOf, ENVIRONMENT, NOTHING, type Scope, UNKNOWN } from './scope.ts'

/** Fields that a part brings: the first joins what stands before it, the last is joined by what follows. */
type Fields = readonly string[]

const MOST_ALTERNATIVES = 32
const MOST_LENGTH = 12_000

/** The words that a shell would make of one: quotes removed, what is known put in, the rest marked as unknown. */
export function expandWord(word: Word, scope: Scope): readonly string[] {
  if (!spend(scope.budget, 2 + word.text.length / 8)) return [UNKNOWN]
  const { parts } = word
  if (!parts) return [word.value]
  const isQuoted = parts.some(({ type }) => QUOTES.has(type))
  let rows: Fields[][] = [[]]
  for (const part of parts) {
    if (!spend(scope.budget, 3)) return [UNKNOWN]
    const choices = part.type === 'BraceExpansion' ? braceChoices(part.text, scope) : [fieldsOf(part, scope, false)]
    const [only = []] = choices
    if (rows.length * choices.length > MOST_ALTERNATIVES) return [UNKNOWN]
    if (choices.length === 1) for (const row of rows) row.push(only)
    else rows = rows.flatMap((row) => choices.map((choice) => [...row, choice]))
  }
  return rows.flatMap((row) => join(row).filter((field) => field !== '' || isQuoted))
}

/** The text that a shell would put into an assignment, a redirect or a here-string: no splitting. */
export function expandText(word: Word, scope: Scope): string {
  if (!spend(scope.budget, 2 + word.text.length / 8)) return UNKNOWN
  return word.parts ? expandParts(word.parts, scope) : word.value
}

export function expandParts(parts: readonly WordPart[], scope: Scope): string {
  const text = parts.map((part) => (spend(scope.budget, 3) ? fieldsOf(part, scope, true).join(' ') : UNKNOWN)).join('')
  spend(scope.budget, text.length / 8)
  return cut(text)
}

const QUOTES: ReadonlySet<string> = new Set(['SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted', 'LocaleString'])

function fieldsOf(part: WordPart, scope: Scope, isQuoted: boolean): Fields {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value]
    case 'DoubleQuoted':
    case 'LocaleString':
      return quotedFields(part.parts, scope)
    case 'SimpleExpansion':
      return split(specialFields(part.text.slice(1), scope), scope, isQuoted)
    case 'ParameterExpansion':
      return split(parameterFields(part, scope, expandText), scope, isQuoted)
    case 'CommandExpansion':
      return split([substituted(part, scope)], scope, isQuoted)
    case 'ArithmeticExpansion':
      return [arithmeticText(part.expression, scope)]
    case 'ProcessSubstitution':
      return [processFile(part, scope)]
    default:
      return [part.text]
  }
}

function quotedFields(parts: readonly WordPart[], scope: Scope): Fields {
  const [only] = parts
  const isList = parts.length === 1 && (only?.type === 'SimpleExpansion' || only?.type === 'ParameterExpansion')
  if (isList && (only.text === '$@' || (only.text.endsWith('}') && /\[@\](:|\}$)|^\$\{@(:|\}$)/.test(only.text))))
    return fieldsOf(only, scope, true)
  return [expandParts(parts, scope)]
}

function substituted(part: CommandExpansionPart, scope: Scope): string {
  if (!spend(scope.budget, 20 + part.text.length)) return UNKNOWN
  const { script } = part
  if (!script) return UNKNOWN
  const before = scope.cwd
  const isCaptured = scope.seen.isCaptured ?? false
  scope.seen.isCaptured = true
  const output = scope.runScript(script, scope, NOTHING)
  scope.seen.isCaptured = isCaptured
  scope.cwd = before
  if (output.kind === 'paths') scope.chosen = output
  if (chosenOf(output)?.trust) scope.listed = chosenOf(output)
  if (output.kind === 'download') note(scope.ledger, 20, 'a download becomes part of the command')
  return output.kind === 'text' ? output.text.replace(/(?<!\n)\n+$/, '') : UNKNOWN
}

/** The name of the stream; what would come out of it is remembered under that name. */
function processFile(part: ProcessSubstitutionPart, scope: Scope): string {
  if (!spend(scope.budget, 20 + part.text.length)) return UNKNOWN
  const name = `/dev/fd/${63 + scope.files.size}`
  const { script } = part
  // Into `>(…)` goes what the command writes, and that is not known here.
  if (!script) return name
  const isFiled = scope.seen.isFiled ?? false
  scope.seen.isFiled = true
  scope.files.set(name, scope.runScript(script, scope, part.operator === '>' ? ANYTHING : NOTHING))
  scope.seen.isFiled = isFiled
  return name
}

function braceChoices(text: string, scope: Scope): readonly Fields[] {
  const found = alternativesOf(text, MOST_ALTERNATIVES)
  if (!found) return [[UNKNOWN]]
  // Alternatives are words again, so that each is the end of one and the start of the next.
  return found.map((alternative) => [plain(alternative, scope)])
}

/** Quotes and variables inside of braces, without a parser of their own. */
function plain(text: string, scope: Scope): string {
  const unquoted = text.replaceAll(/['"\\]/g, '')
  if (!unquoted.includes('$')) return unquoted
  return unquoted.replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => specialFields(name, scope).join(' '))
}

function split(values: Fields, scope: Scope, isQuoted: boolean): Fields {
  if (isQuoted) return values
  const separators = (scope.variables.get('IFS') ?? [ENVIRONMENT.get('IFS') ?? ''])[0] ?? ''
  return values.flatMap((value) =>
    spend(scope.budget, value.length / 8) ? splitAt(cut(value), separators) : [UNKNOWN],
  )
}

function splitAt(value: string, separators: string): Fields {
  const fields: string[] = []
  let field = ''
  for (const char of value) {
    if (!separators.includes(char)) field += char
    else if (field !== '' || fields.length === 0) {
      fields.push(field)
      field = ''
    }
  }
  return [...fields, field]
}

function join(row: readonly Fields[]): string[] {
  const words = ['']
  for (const fields of row) {
    fields.forEach((field, i) => {
      if (i === 0) words[words.length - 1] += field
      else words.push(field)
    })
  }
  return words.map(cut)
}

/** Doubling in a loop must not fill the memory. */
function cut(text: string): string {
  return text.length > MOST_LENGTH ? `${text.slice(0, MOST_LENGTH)}${UNKNOWN}` : text
}
