import { act } from './actions.ts'
import { firstOf, MOST_DEPTH, spend } from './budget.ts'
import { judgeVariable } from './environment-variables.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { judgeMember } from './powershell-members.ts'
import { type Token, tokensOf } from './powershell-tokens.ts'
import { keepIn } from './redirects.ts'
import { ANYTHING, known, NOTHING, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { resolvePath } from './targets.ts'

/**
 * Judges a text as PowerShell: every command in it is run, wherever it stands. A condition, a block, a subexpression and
 * a script block that a command is given are worth what they run. Undefined where the text cannot be read.
 */
export function runPowerShellText(source: string, scope: Scope, stdin: Stream): Stream | undefined {
  scope.depth++
  if (scope.depth > MOST_DEPTH * 2) scope.budget.isSpent = true
  const tokens = spend(scope.budget, 10 + source.length / 4) ? tokensOf(source) : []
  const output = tokens && runTokens(tokens, scope, stdin)
  scope.depth--
  return output
}

/** What stands in brackets; where it cannot be read, that is asked about, and its words are looked at. */
function runInside(source: string, scope: Scope, stdin: Stream): Stream {
  const output = source.trim() === '' ? NOTHING : runPowerShellText(source, scope, stdin)
  if (output) return output
  note(scope.ledger, 45, 'PowerShell that cannot be read')
  scope.judgeCarried(source, scope)
  return ANYTHING
}

function runTokens(tokens: readonly Token[], scope: Scope, stdin: Stream): Stream {
  const statements = splitAt(tokens, 'end')
  const outputs = statements.map((statement) => runStatement(statement, scope, stdin))
  return outputs.length === 1 ? (outputs[0] ?? NOTHING) : ANYTHING
}

function splitAt(tokens: readonly Token[], kind: Token['kind']): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === kind) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

/** Words before brackets that say when or how often these are run. */
const KEYWORDS = wordSet(
  'if elseif else while until do for foreach switch try catch finally trap begin process end data return throw exit break continue param default',
)

function runStatement(tokens: readonly Token[], scope: Scope, stdin: Stream): Stream {
  const [first, ...rest] = tokens
  if (first?.kind !== 'word' || !spend(scope.budget, 5)) return runPipeline(tokens, scope, stdin)
  const word = first.text.toLowerCase()
  if (/^(function|filter|workflow)$/.test(word)) return define(rest, scope)
  if (!KEYWORDS.has(word) || rest[0]?.kind === 'pipe') return runPipeline(tokens, scope, stdin)
  let at = 0
  let each: Stream = stdin
  for (; at < rest.length; at++) {
    const { kind, text } = rest[at] ?? first
    if (kind === 'group') each = word === 'foreach' ? runEach(text, scope) : runCondition(text, scope)
    else if (kind === 'block') runInside(text, choosing(scope, each), each)
    else if (kind !== 'type' && !(kind === 'word' && /^(-\w+|else|elseif|catch|finally|while|until)$/i.test(text)))
      break
  }
  return at < rest.length ? runStatement(rest.slice(at), scope, stdin) : ANYTHING
}

function runCondition(text: string, scope: Scope): Stream {
  runInside(text, scope, NOTHING)
  return ANYTHING
}

/** `foreach ($x in …)`: what the list gives is what the name stands for. */
function runEach(text: string, scope: Scope): Stream {
  const [, name = '', list = text] = /^\s*\$(\w+)\s+in\s+([\s\S]*)$/i.exec(text) ?? []
  const stream = runInside(list, scope, NOTHING)
  keep(name, stream.kind === 'paths' ? stream : ANYTHING, scope)
  return stream
}

/** Its body is judged where it is defined, whoever calls it. */
function define(tokens: readonly Token[], scope: Scope): Stream {
  const [name] = tokens
  for (const { kind, text } of tokens.slice(1)) if (kind === 'block') runInside(text, scope, ANYTHING)
  if (name?.kind === 'word' && scope.functions.size < 64 && !scope.functions.has(name.text))
    scope.functions.set(name.text, () => ANYTHING)
  return NOTHING
}

function runPipeline(tokens: readonly Token[], scope: Scope, stdin: Stream): Stream {
  let stream = stdin
  for (const element of splitAt(tokens, 'pipe')) stream = runElement(element, scope, stream)
  return stream
}

/** `$_` and a loop's name stand for what was listed. */
function choosing(scope: Scope, stream: Stream): Scope {
  return stream.kind === 'paths' ? { ...scope, chosen: stream } : scope
}

function runElement(tokens: readonly Token[], scope: Scope, stdin: Stream): Stream {
  const [first, ...rest] = tokens
  if (!first || !spend(scope.budget, 5)) return ANYTHING
  const isCalled = (first.kind === 'sign' && first.text === '&') || (first.kind === 'word' && first.text === '.')
  if (isCalled && rest[0]?.kind === 'block') return runInside(rest[0].text, scope, stdin)
  if (isCalled) return runCommand(rest, scope, stdin)
  const assigned = tokens.findIndex(({ kind, text }) => kind === 'sign' && text.endsWith('='))
  if (assigned > 0 && first.kind !== 'word') return assign(tokens.slice(0, assigned), tokens.slice(assigned + 1), scope)
  return isCommand(first, rest[0]) ? runCommand(tokens, scope, stdin) : runExpression(tokens, scope, stdin)
}

/** Numbers and operators are words of an expression. */
function isCommand({ kind, text }: Token, next: Token | undefined): boolean {
  if (kind !== 'word' || next?.text === '=') return false
  // A value that another shell put in, compared with something.
  if (known(text) === '' && /^-[cin]?(eq|ne|gt|lt|ge|le|like|match|and|or)$/i.test(next?.text ?? '')) return false
  return !/^([+-]?[\d.]+\w{0,2}|!|-\w*|%?=.*)$/.test(text) || text === '%'
}

/** Aliases whose names mean something else to other shells. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['%', 'foreach-object'],
  ['foreach', 'foreach-object'],
  ['?', 'where-object'],
  ['where', 'where-object'],
  ['select', 'select-object'],
  ['sort', 'sort-object'],
  ['measure', 'measure-object'],
  ['group', 'select-object'],
  ['fc', 'format-custom'],
  ['ft', 'format-table'],
  ['fl', 'format-list'],
  ['fw', 'format-wide'],
  ['type', 'get-content'],
  ['set', 'set-variable'],
  ['gv', 'get-item'],
  ['sc', 'set-content'],
])
const REMOVERS = wordSet('rm del erase rd rmdir')
const OF_POWERSHELL =
  /^-(r(ec\w*)?|fo(rce)?|path|literalpath|include|exclude|filter|erroraction|ea|confirm\S*|whatif|verbose)$/i

function runCommand(tokens: readonly Token[], scope: Scope, stdin: Stream): Stream {
  const { words, kept } = wordsOf(tokens, scope, stdin)
  const [first = '', ...args] = words
  if (words.length === 0) return ANYTHING
  const lower = first.toLowerCase()
  const isRemover = REMOVERS.has(lower) && args.some((arg) => OF_POWERSHELL.test(arg))
  const name = isRemover
    ? 'remove-item'
    : (ALIASES.get(lower) ?? (scope.programOf(lower) === undefined ? first : lower))
  const isHandled = PASSES.has(name)
  const output = scope.runWords([name, ...args], choosing(scope, stdin), stdin)
  const stream = isHandled && stdin.kind === 'paths' ? narrowed(stdin, name) : output
  for (const path of kept) keepIn(path, stream, scope)
  return kept.length > 0 ? NOTHING : stream
}

/** What only picks among what it is given, or puts it in order. */
const PASSES = wordSet('where-object select-object sort-object')

function narrowed(stream: Extract<Stream, { kind: 'paths' }>, name: string): Stream {
  return name === 'where-object' ? { ...stream, isChosen: true } : stream
}

interface Words {
  readonly words: readonly string[]
  /** Files that the output is sent to. */
  readonly kept: readonly string[]
}

/** The words of a command; what stands in brackets is run, and what is sent to a file is written. */
function wordsOf(tokens: readonly Token[], scope: Scope, stdin: Stream): Words {
  const words: string[] = []
  const kept: string[] = []
  let joins = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    if (token.kind === 'sign' && token.text.includes('>')) {
      const target = token.text.includes('&') ? undefined : tokens[++at]
      if (target && target.text !== 'null') kept.push(sendTo(wordOf(target, scope, stdin), token.text, scope))
      continue
    }
    if (token.kind === 'sign' && token.text === '&') {
      runElement(tokens.slice(at), scope, NOTHING)
      break
    }
    const method = memberOf(token, tokens[at - 1])
    if (method !== undefined && words.length > 0) {
      words[words.length - 1] = UNKNOWN
      const given = tokens[at + 1]
      if (given?.kind === 'group' && given.isGlued) {
        judgeCall(undefined, method, given.text, scope)
        at++
      }
      continue
    }
    const isComma = token.kind === 'sign' && token.text === ','
    const value = isComma ? ',' : wordOf(token, scope, stdin)
    // A bracket behind the name of a command is its first argument: `iex(…)`.
    const isArgument = words.length === 1 && (isComma || token.kind === 'group')
    if (words.length > 0 && !isArgument && (token.isGlued || isComma || joins)) words[words.length - 1] += value
    else words.push(value)
    joins = isComma
  }
  return { words, kept }
}

/** `.Name` right behind a value. */
function memberOf({ kind, text, isGlued }: Token, before: Token | undefined): string | undefined {
  if (kind !== 'word' || !isGlued || !/^(variable|group)$/.test(before?.kind ?? '')) return undefined
  return /^\.(?:\w+\.)*([A-Za-z_]\w*)$/.exec(text)?.[1]
}

function sendTo(path: string, sign: string, scope: Scope): string {
  act(scope, 'redirect', sign.includes('>>') ? 'append' : 'write', path)
  return resolvePath(path, scope.cwd)
}

function wordOf(token: Token, scope: Scope, stdin: Stream): string {
  switch (token.kind) {
    case 'word':
      return slashed(token.text)
    case 'text':
      return slashed(token.isOpen ? filled(token.text, scope) : token.text)
    case 'variable':
      return variable(token.text, scope)
    case 'group': {
      const [only, ...more] = tokensOf(token.text) ?? []
      const output = runInside(token.text, scope, NOTHING)
      if (only?.kind === 'text' && more.length === 0) return wordOf(only, scope, stdin)
      return output.kind === 'text' ? output.text.trimEnd() : UNKNOWN
    }
    case 'block':
      runInside(token.text, choosing(scope, stdin), stdin)
      return BLOCK
    case 'table':
      runTable(token.text, scope)
      return UNKNOWN
    case 'type':
      return `[${token.text}]`
    default:
      return token.text
  }
}

/** A block has been run where it was given; what is given it need not read it again. */
const BLOCK = '{}'

/** Folders are the same with either sign between them; a share of another machine keeps its own. */
function slashed(text: string): string {
  return !text.includes('\\') || text.startsWith('\\\\') || /[\s|^[\]+?]/.test(text) ? text : text.replaceAll('\\', '/')
}

/** Each value of `@{ name = value }` is a statement. */
function runTable(source: string, scope: Scope): void {
  const tokens = tokensOf(source) ?? []
  for (const entry of splitAt(tokens, 'end')) {
    const at = entry.findIndex(({ text }) => text === '=')
    runStatement(entry.slice(at + 1), scope, NOTHING)
  }
}

/** A text in double quotes: what it names is put in, and what it substitutes is run. */
function filled(text: string, scope: Scope): string {
  let plain = ''
  let last = 0
  for (const found of firstOf(
    [...text.matchAll(/`[\s\S]|\$\(|\$(?:\{[^}\n]*\}|(?:\w+:(?!:))?\w+)/g)],
    64,
    scope.budget,
  )) {
    if (found.index < last) continue
    plain += text.slice(last, found.index)
    last = found.index + found[0].length
    if (found[0].startsWith('`')) plain += found[0].slice(1)
    else if (found[0] === '$(') {
      const inner = innerOf(text, last)
      runInside(inner, scope, NOTHING)
      plain += UNKNOWN
      last += inner.length + 1
    } else plain += variable(found[0].replaceAll(/[${}]/g, '').toLowerCase(), scope)
  }
  return plain + text.slice(last)
}

function innerOf(text: string, from: number): string {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(from, at)
  }
  return text.slice(from)
}

/** What stands for places on every machine. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['null', ''],
  ['true', 'True'],
  ['false', 'False'],
  ['profile', '~/.profile'],
  ['pwd', '.'],
  ['psscriptroot', '.'],
  ['home', '~'],
  ['env:home', '~'],
  ['env:userprofile', '~'],
  ['env:temp', '/tmp'],
  ['env:tmp', '/tmp'],
  ['env:systemroot', 'C:/Windows'],
  ['env:windir', 'C:/Windows'],
  ['env:programfiles', 'C:/Program Files'],
  ['env:programdata', 'C:/ProgramData'],
  ['env:appdata', '~/AppData/Roaming'],
  ['env:localappdata', '~/AppData/Local'],
  ['env:systemdrive', 'C:'],
])

/** Names of the shell's own variables cannot be those of another shell. */
function keyOf(name: string): string {
  return `$${name.replace(/^(script|global|local|private|using):/, '')}`
}

function variable(name: string, scope: Scope): string {
  return scope.variables.get(keyOf(name))?.[0] ?? PLACES.get(name) ?? UNKNOWN
}

function keep(name: string, stream: Stream, scope: Scope): void {
  if (name === '') return
  scope.variables.set(keyOf(name.toLowerCase()), [stream.kind === 'text' ? stream.text.replace(/\n$/, '') : UNKNOWN])
  if (scope.files.size < 64) scope.files.set(keyOf(name.toLowerCase()), stream)
}

function assign(target: readonly Token[], value: readonly Token[], scope: Scope): Stream {
  const name = target.find(({ kind }) => kind === 'variable')?.text ?? ''
  note(scope.ledger, 6, 'sets a variable')
  const stream = runStatement(value, scope, NOTHING)
  for (const { kind, text } of target) if (kind === 'group') runInside(text, scope, NOTHING)
  const isWhole = target.every(({ kind }) => kind === 'variable' || kind === 'type')
  const text = stream.kind === 'text' ? stream.text.replace(/\n$/, '') : UNKNOWN
  if (name.startsWith('env:')) judgeVariable(name.slice(4).toUpperCase(), text, scope)
  keep(name, isWhole ? stream : ANYTHING, scope)
  return NOTHING
}

/** A value: what stands in its brackets is run, and its methods are judged by their names. */
function runExpression(tokens: readonly Token[], scope: Scope, stdin: Stream): Stream {
  const [first] = tokens
  let output: Stream = ANYTHING
  let type: string | undefined
  for (const [at, token] of tokens.entries()) {
    const { kind, text } = token
    if (kind === 'sign' && text === '&') {
      runElement(tokens.slice(at), scope, NOTHING)
      break
    }
    if (kind === 'group') {
      const [, method] =
        /(?:\.|::)(\w+)$/.exec(tokens[at - 1]?.isGlued && token.isGlued ? (tokens[at - 1]?.text ?? '') : '') ?? []
      if (method !== undefined) judgeCall(type, method, text, scope)
      else output = runInside(text, scope, stdin)
    } else if (kind === 'block') runInside(text, choosing(scope, stdin), stdin)
    else if (kind === 'table') runTable(text, scope)
    else if (kind === 'text' && token.isOpen) filled(text, scope)
    else if (kind === 'sign' && text.includes('>') && tokens[at + 1])
      sendTo(wordOf(tokens[at + 1] ?? token, scope, stdin), text, scope)
    type = kind === 'type' ? text : token.isGlued && kind === 'word' && /^::/.test(text) ? type : undefined
  }
  note(scope.ledger, 6, 'an expression')
  if (tokens.length > 1 || !first) return ANYTHING
  if (first.kind === 'text') return { kind: 'text', text: `${wordOf(first, scope, stdin)}\n` }
  if (first.kind !== 'variable') return output
  const kept = scope.files.get(keyOf(first.text))
  return kept ?? (scope.chosen && first.text === '_' ? scope.chosen : ANYTHING)
}

/** `.Method(…)`, `[Type]::Method(…)`: what it is given are values. */
function judgeCall(type: string | undefined, method: string, given: string, scope: Scope): void {
  const tokens = tokensOf(given)
  if (given.trim() !== '') runInside(given, scope, NOTHING)
  const values = (given.trim() === '' ? [] : splitArguments(tokens ?? [])).map((tokens) =>
    tokens.length === 1 && tokens[0] && /^(text|variable)$/.test(tokens[0].kind)
      ? wordOf(tokens[0], scope, NOTHING)
      : UNKNOWN,
  )
  judgeMember(type, method, values, scope)
}

function splitArguments(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'sign' && token.text === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
