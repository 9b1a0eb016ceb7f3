import { act } from './actions.ts'
import { firstOf, spend } from './budget.ts'
import { judgeCode } from './inline-code.ts'
import { note } from './ledger.ts'
import { type Call, noteGrave } from './program.ts'
import { writtenFile } from './redirects.ts'
import { fileScore } from './run-file.ts'
import { ANYTHING, ENVIRONMENT, isUnknown, known, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { targetKind } from './targets.ts'

/** What a script of awk takes from its command line. */
export interface AwkWords {
  /** `name=value`, before the script and among the operands. */
  readonly assigned: readonly string[]
  readonly operands: readonly string[]
}

interface Token {
  readonly kind: 'string' | 'name' | 'number' | 'sign' | 'end'
  readonly text: string
}

/** What an expression is worked out with. */
interface Reader extends AwkWords {
  readonly variables: ReadonlyMap<string, readonly (readonly Token[])[]>
  readonly scope: Scope
  readonly depth: number
}

/**
 * Where awk writes, what it runs and what it loads are expressions: strings put together, words of the command line,
 * names of its files, variables. Each value that the text shows is judged, and the rest is known only at run time.
 */
export function judgeAwkPlaces(script: string, words: AwkWords, { name, scope, stdin }: Call): void {
  if (script.length > LONGEST_SCRIPT) scope.budget.isSpent = true
  if (!/[>|@]|\bsystem\b/.test(script) || !spend(scope.budget, script.length / 2)) return
  const tokens = tokensOf(script)
  if (tokens.length >= MOST_TOKENS) scope.budget.isSpent = true
  // Read otherwise than awk does: any place may be meant.
  if (tokens.at(-1)?.kind === 'string' && !script.trimEnd().endsWith('"'))
    for (const path of trustedIn(tokens, words, scope)) act(scope, name, 'write', path)
  const reader = { ...words, variables: assignmentsIn(tokens), scope, depth: 0 }
  const { targets, commands } = placesIn(tokens)
  for (const target of firstOf(targets, MOST_PLACES, scope.budget)) {
    const paths = valuesOf(target, reader)
    for (const path of paths.some(isUnknown) ? [...paths, ...trustedIn(tokens, words, scope)] : paths)
      act(scope, name, 'write', path)
  }
  if (targets.some((target) => target.some(({ text }) => text === '$')))
    judgeNamedByInput(words.operands.length > 0 ? filesOf(words.operands, scope) : [stdin], name, scope)
  for (const command of firstOf(commands, MOST_PLACES, scope.budget)) judgeCommand(command, reader, name)
  for (const [at, { text }] of tokens.entries())
    if (text === '@') judgeDirective(tokens.slice(at + 1, at + 3), tokens, { name, scope })
}

/** Where the target is known only at run time: what others trust among the words and the strings may be it. */
function trustedIn(tokens: readonly Token[], { assigned, operands }: AwkWords, scope: Scope): readonly string[] {
  const strings = tokens.flatMap(({ kind, text }) => (kind === 'string' && text.length < LONGEST_PATH ? [text] : []))
  const given = [...operands, ...assigned.map((word) => word.slice(word.indexOf('=') + 1))]
  const possible = [
    ...new Set([...given, ...strings.flatMap((text) => [...text.split(/\s+/), text.replace(/^[^.~/]+/, '')])]),
  ].filter((text) => text.length > 2)
  return firstOf(possible, MOST_LOOKED_AT * 2, scope.budget).filter((text) => targetKind(text, scope) === 'trust')
}

const LONGEST_PATH = 400

/** `print > $1`: what the input holds is a place. Where it is not known, it is the work of every day. */
function judgeNamedByInput(inputs: readonly Stream[], name: string, scope: Scope): void {
  for (const input of inputs) {
    const named = input.kind === 'text' ? input.text.split(/\s+/) : input.kind === 'paths' ? input.roots : []
    for (const path of firstOf(named, MOST_NAMED, scope.budget))
      if (targetKind(path, scope) === 'trust') act(scope, name, 'write', path)
    const lists = input.kind === 'paths' ? input.trust : input.kind === 'unknown' ? input.lists : 'none'
    if (lists === 'named' || lists === 'any') note(scope.ledger, 62, `${name}: writes files that others trust`)
  }
}

const MOST_NAMED = 64

function filesOf(operands: readonly string[], scope: Scope): readonly Stream[] {
  return operands.slice(0, MOST_VALUES).flatMap((path) => writtenFile(path, scope) ?? [])
}

function judgeCommand(command: readonly Token[], reader: Reader, name: string): void {
  const { scope } = reader
  for (const text of joinedOf(command, reader)) {
    if (!spend(scope.budget, 20)) return
    if (known(text).trim() === '') note(scope.ledger, 62, `${name}: runs a command that is known only at run time`)
    else scope.runText(text, scope, ANYTHING)
  }
  if (command.some(({ text }) => FROM_OUTSIDE.test(text)))
    note(scope.ledger, 45, `${name}: runs a command that its words say`)
}

const FROM_OUTSIDE = /^(ARGV|ENVIRON|FILENAME)$/

/** `@include "x"` and `@load "x"` bring code along; `@f(…)` calls a function by its name, `system` too. */
function judgeDirective(
  [first, second]: readonly Token[],
  tokens: readonly Token[],
  { name, scope }: Pick<Call, 'name' | 'scope'>,
): void {
  if (/^(include|load)$/.test(first?.text ?? '') && second?.kind === 'string') judgeAwkLoad(second.text, name, scope)
  if (first?.kind !== 'name' || second?.text !== '(') return
  note(scope.ledger, 45, `${name}: calls a function by a name that it puts together`)
  for (const { kind, text } of tokens.slice(0, MOST_LOOKED_AT))
    if (kind === 'string' && text.includes(' ')) noteGrave(scope, (inner) => void inner.runText(text, inner, ANYTHING))
}

const MOST_LOOKED_AT = 64

/** A library of awk: by a bare name one of its own, by a path what stands there. */
export function judgeAwkLoad(path: string, name: string, scope: Scope): void {
  const stream = writtenFile(path, scope)
  if (stream?.kind === 'text') judgeCode('awk', stream.text, { name, scope })
  else if (path.includes('/') || stream)
    note(scope.ledger, Math.max(stream ? 62 : 0, fileScore(path, scope)), `${name}: loads a file`)
}

const LONGEST_SCRIPT = 3_000
const MOST_TOKENS = 1_500
const MOST_PLACES = 32

/** What stands behind `>` and on either side of `|`, by statement. */
function placesIn(tokens: readonly Token[]): { targets: (readonly Token[])[]; commands: (readonly Token[])[] } {
  const targets: (readonly Token[])[] = []
  const commands: (readonly Token[])[] = []
  let start = 0
  let depth = 0
  /** How deep the statement stands that prints; -1 outside of one. */
  let printing = -1
  for (const [at, { kind, text }] of tokens.entries()) {
    const next = tokens[at + 1]?.text ?? ''
    if (kind === 'name' && /^printf?$/.test(text)) printing = depth
    else if (kind === 'end') {
      start = at + 1
      printing = -1
    } else if (kind === 'name' && text === 'system' && next === '(')
      commands.push(tokens.slice(at + 2, closingAt(tokens, at + 1)))
    if (kind !== 'sign') continue
    if (text === '(' || text === '[') depth++
    else if (text === ')' || text === ']') depth--
    else if (printing === depth && /^>>?$/.test(text)) targets.push(restOf(tokens, at + 1))
    else if (/^\|&?$/.test(text) && next === 'getline') commands.push(operandBefore(tokens.slice(start, at)))
    else if (printing === depth && /^\|&?$/.test(text)) commands.push(restOf(tokens, at + 1))
  }
  return { targets, commands }
}

/** To the end of the statement. */
function restOf(tokens: readonly Token[], from: number): readonly Token[] {
  const end = tokens.findIndex(({ kind }, at) => at >= from && kind === 'end')
  return tokens.slice(from, end < 0 ? tokens.length : end)
}

/** What is put together right before a pipe: back to an operator, or to a bracket that is still open. */
function operandBefore(tokens: readonly Token[]): readonly Token[] {
  let depth = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    const text = tokens[at]?.kind === 'sign' ? (tokens[at]?.text ?? '') : ''
    if (text === ')' || text === ']') depth++
    else if ((text === '(' || text === '[') && --depth < 0) return tokens.slice(at + 1)
    else if (depth === 0 && /^[=!<>&|,?:]/.test(text)) return tokens.slice(at + 1)
  }
  return tokens
}

/** Where the bracket closes that opens here. */
function closingAt(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const text = tokens[at]?.kind === 'sign' ? tokens[at]?.text : ''
    if (text === '(' || text === '[') depth++
    else if ((text === ')' || text === ']') && --depth === 0) return at
  }
  return tokens.length
}

function assignmentsIn(tokens: readonly Token[]): ReadonlyMap<string, readonly (readonly Token[])[]> {
  const found = new Map<string, (readonly Token[])[]>()
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'name' || tokens[at + 1]?.text !== '=') continue
    const values = found.get(text) ?? []
    if (values.length < MOST_VALUES) values.push(restOf(tokens, at + 2))
    found.set(text, values)
  }
  return found
}

const MOST_VALUES = 8
const MOST_DEPTH = 3

/** What the expression may be, and each string in it that is itself the place of a file that others trust. */
function valuesOf(tokens: readonly Token[], reader: Reader): readonly string[] {
  const strings = tokens.flatMap(({ kind, text }) => (kind === 'string' ? [text] : []))
  const trusted = strings.filter((text) => text.length > 2 && targetKind(text, reader.scope) === 'trust')
  return [...new Set([...joinedOf(tokens, reader), ...trusted])].slice(0, MOST_VALUES * 2)
}

/** Strings and values that stand behind one another are one text. */
function joinedOf(tokens: readonly Token[], reader: Reader): readonly string[] {
  let whole: readonly string[] = ['']
  if (!spend(reader.scope.budget, 5 + tokens.length)) return [UNKNOWN]
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'end', text: '' }
    if (/^[()]$/.test(text) && kind === 'sign') continue
    const next = tokens[at + 1]?.text ?? ''
    const end = next === '(' || next === '[' ? closingAt(tokens, at + 1) : at
    const parts = kind === 'string' || kind === 'number' ? [text] : partOf(text, tokens.slice(at + 2, end), reader)
    whole = parts.flatMap((part) => whole.map((before) => before + part)).slice(0, MOST_VALUES)
    if (kind === 'name') at = end
    // What `$` names is the next token.
    else if (text === '$') at += 1
  }
  return whole
}

/** A name with what stands in the brackets behind it. */
function partOf(name: string, inside: readonly Token[], reader: Reader): readonly string[] {
  const { assigned, operands, scope, variables, depth } = reader
  if (name === 'ARGV' || name === 'FILENAME') return operands.length > 0 ? operands.slice(0, MOST_VALUES) : [UNKNOWN]
  if (name === 'ENVIRON') {
    const { kind = 'end', text: variable = '' } = inside[0] ?? {}
    if (kind === 'string') return scope.variables.get(variable) ?? [ENVIRONMENT.get(variable) ?? UNKNOWN]
    // Any of them, by a name that is worked out.
    return [UNKNOWN, ...[...scope.variables.values()].flat()].slice(0, MOST_VALUES)
  }
  if (depth >= MOST_DEPTH) return [UNKNOWN]
  const inner = { ...reader, depth: depth + 1 }
  if (inside.length > 0) return [UNKNOWN, ...argumentsOf(inside).flatMap((one) => joinedOf(one, inner))]
  const said = assigned.flatMap((word) => (word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : []))
  const values = [...said, ...(variables.get(name) ?? []).flatMap((value) => joinedOf(value, inner))]
  return values.length > 0 ? values : [UNKNOWN]
}

/** `sprintf("%s/x", y)`: each may be what comes out, and the first one filled with the others. */
function argumentsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const found: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.kind === 'sign' && /^[([]$/.test(token.text)) depth++
    if (token.kind === 'sign' && /^[)\]]$/.test(token.text)) depth--
    if (token.kind === 'sign' && token.text === ',' && depth === 0) found.push([])
    else found.at(-1)?.push(token)
  }
  const [format, ...rest] = found
  if (!format?.[0]?.text.includes('%') || rest.length === 0) return found.slice(0, MOST_VALUES)
  const pieces = format[0].text.split(/%[-+ #0-9.]{0,8}[a-z]/)
  const filled = pieces.flatMap((text, at): Token[] => [{ kind: 'string', text }, ...(rest[at] ?? [])])
  return [filled, ...found].slice(0, MOST_VALUES)
}

const SPACE = /[ \t\r]/
const SIGNS = /^(?:>>|\|\||\|&|&&|\+\+|--|[=!<>+*/^%-]=|[\s\S])/
const LINE_SIGNS = /[;{}\n]/

function tokensOf(script: string): readonly Token[] {
  const tokens: Token[] = []
  /** For each bracket that is open, whether a condition stands in it. */
  const open: boolean[] = []
  let isCondition = false
  let at = 0
  while (at < script.length && tokens.length < MOST_TOKENS) {
    const char = script[at] ?? ''
    const before = tokens.at(-1)
    if (SPACE.test(char)) at++
    else if (char === '\\' && script[at + 1] === '\n') at += 2
    else if (char === '#') at = endOf(script, at, '\n')
    else if (char === '"') {
      const end = closing(script, at + 1, '"')
      tokens.push({ kind: 'string', text: script.slice(at + 1, end).replaceAll(/\\(.)/g, '$1') })
      at = end + 1
    } else if (char === '/' && startsPattern(before, isCondition)) {
      tokens.push({ kind: 'number', text: '' })
      at = closing(script, at + 1, '/') + 1
    } else if (LINE_SIGNS.test(char)) {
      tokens.push({ kind: 'end', text: char })
      at++
    } else {
      const word = WORD.exec(script.slice(at, at + LONGEST_NAME))?.[0]
      const text = word ?? SIGNS.exec(script.slice(at, at + 2))?.[0] ?? char
      if (text === '(') open.push(/^(if|while|for)$/.test(before?.text ?? ''))
      if (text === ')') isCondition = open.pop() ?? false
      tokens.push({ kind: word === undefined ? 'sign' : /^\d/.test(text) ? 'number' : 'name', text })
      at += text.length
    }
  }
  return tokens
}

const WORD = /^\w+/
const LONGEST_NAME = 64

/** Behind a value `/` divides. */
function startsPattern(before: Token | undefined, isCondition: boolean): boolean {
  if (!before || before.kind === 'end') return true
  if (before.kind === 'name') return KEYWORDS.test(before.text)
  return before.kind === 'sign' && (before.text === ')' ? isCondition : !/^(\]|\$|\+\+|--)$/.test(before.text))
}

const KEYWORDS = /^(?:printf?|return|in|else|do|case|getline)$/

/** Where a string ends, or a pattern: in a class of characters its sign is one of them. */
function closing(text: string, from: number, sign: string): number {
  let isClass = false
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (sign === '/' && text[at] === '[') isClass = true
    else if (text[at] === ']' && at > from && text[at - 1] !== '[') isClass = false
    else if (text[at] === sign && !isClass) return at
  }
  return text.length
}

function endOf(text: string, from: number, sign: string): number {
  const at = text.indexOf(sign, from)
  return at < 0 ? text.length : at
}
