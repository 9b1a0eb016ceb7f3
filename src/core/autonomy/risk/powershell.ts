import { act } from './actions.ts'
import { firstOf, MOST_DEPTH, spend } from './budget.ts'
import { judgeVariable } from './environment-variables.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { BLOCK, judgeMember, type Member } from './powershell-members.ts'
import { type Token, tokensOf } from './powershell-tokens.ts'
import { WHOLE_ENVIRONMENT } from './printed-environment.ts'
import { keepIn } from './redirects.ts'
import { ANYTHING, known, NOTHING, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { resolvePath } from './targets.ts'
import { secretNames } from './variable-owners.ts'

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
  const before = scope.seen.given
  let stream = stdin
  for (const element of splitAt(tokens, 'pipe')) {
    const named = namedSecrets(element, scope)
    // What one command names goes on with what it writes.
    if (named.length > 0) scope.seen.given = [...new Set([...(scope.seen.given ?? []), ...named])]
    stream = runElement(element, scope, stream)
  }
  scope.seen.given = before
  return stream
}

/** `$_` and a loop's name stand for what was listed. */
function choosing(scope: Scope, stream: Stream): Scope {
  if (stream.kind === 'paths') return { ...scope, chosen: stream }
  return stream.kind === 'unknown' && stream.processes ? { ...scope, chosenProcesses: stream.processes } : scope
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
  ['epcsv', 'export-csv'],
  ['ipcsv', 'import-csv'],
  ['epal', 'export-alias'],
  ['ipmo', 'import-module'],
  ['rni', 'rename-item'],
  ['si', 'set-item'],
  ['sp', 'set-itemproperty'],
  ['cli', 'clear-item'],
  ['ii', 'invoke-item'],
  ['gm', 'get-member'],
  ['icim', 'invoke-cimmethod'],
  ['iwmi', 'invoke-wmimethod'],
])
/** Programs of other shells that are aliases here: the words, or what comes by the pipe, say which one is meant. */
const SHARED_NAMES: ReadonlyMap<string, string> = new Map([
  ...['rm', 'del', 'erase', 'rd', 'rmdir'].map((name) => [name, 'remove-item'] as const),
  ...['cp', 'copy'].map((name) => [name, 'copy-item'] as const),
  ...['mv', 'move'].map((name) => [name, 'move-item'] as const),
  ...['ls', 'dir'].map((name) => [name, 'get-childitem'] as const),
  ['ren', 'rename-item'],
  ['tee', 'tee-object'],
  ['kill', 'stop-process'],
  ['ps', 'get-process'],
])
/** These only list: as the cmdlet they give what they list to the pipe. */
const LISTS = wordSet('ls dir ps')
const OF_POWERSHELL =
  /^-(r(ec\w*)?|fo(rce)?|path|literalpath|filepath|dest\w*|newname|include|exclude|filter|file|directory|name|id|processname|inputobject|append|variable|erroraction|ea|confirm\S*|whatif|verbose|passthru)(:.*)?$/i

function runCommand(tokens: readonly Token[], scope: Scope, stdin: Stream): Stream {
  const { words, kept } = wordsOf(tokens, scope, stdin)
  const [first = '', ...args] = words
  if (words.length === 0) return ANYTHING
  const lower = first.toLowerCase()
  const name =
    sharedName(lower, args, scope, stdin) ??
    ALIASES.get(lower) ??
    (scope.programOf(lower) === undefined ? first : lower)
  const isHandled = PASSES.has(name)
  const output = scope.runWords([name, ...args], choosing(scope, stdin), stdin)
  const stream = isHandled && isListed(stdin) ? narrowed(stdin, name) : output
  for (const path of kept) keepIn(path, stream, scope)
  return kept.length > 0 ? NOTHING : stream
}

/** What only picks among what it is given, or puts it in order. */
const PASSES = wordSet('where-object select-object sort-object get-unique resolve-path convert-path')

function narrowed(stream: Stream, name: string): Stream {
  return stream.kind === 'paths' && name === 'where-object' ? { ...stream, isChosen: true } : stream
}

/** Files or processes, of which a cmdlet gets those that are left. */
function isListed(stream: Stream): boolean {
  return stream.kind === 'paths' || (stream.kind === 'unknown' && stream.processes !== undefined)
}

/** The cmdlet that a name of another shell stands for. */
function sharedName(lower: string, args: readonly string[], scope: Scope, stdin: Stream): string | undefined {
  const cmdlet = SHARED_NAMES.get(lower)
  if (cmdlet === undefined) return undefined
  const flags = args.filter((arg) => arg.startsWith('-'))
  const isPlain = LISTS.has(lower) || isListed(stdin) || (lower === 'kill' && scope.chosenProcesses !== undefined)
  const isSaid = flags.some((flag) => OF_POWERSHELL.test(flag) && (flag.length > 2 || cmdlet === 'remove-item'))
  return isSaid || (isPlain && flags.length === 0) ? cmdlet : undefined
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
    const end = words.length > 0 ? membersEnd(tokens, at) : at
    if (end > at) {
      words[words.length - 1] = UNKNOWN
      runMembers(tokens.slice(at - 1, end), scope, stdin)
      at = end - 1
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

/** Behind `.Name`, `::Name` and `[0]` that belong to the variable or the brackets before them. */
function membersEnd(tokens: readonly Token[], from: number): number {
  if (!/^(variable|group)$/.test(tokens[from - 1]?.kind ?? '')) return from
  let at = from
  while (at < tokens.length) {
    const { kind = 'end', text = '', isGlued = false } = tokens[at] ?? {}
    const isName = kind === 'word' && MEMBERS.test(text)
    const isComputed = /^(text|variable|group)$/.test(kind) && /(\.|::)$/.test(tokens[at - 1]?.text ?? '')
    const isGiven = kind === 'group' || kind === 'index' || kind === 'block'
    if (!isGlued || !(isName || (at > from && (isComputed || isGiven)) || (kind === 'index' && at === from))) break
    at++
  }
  // A dot at the end is that of a sentence.
  return at === from + 1 && /(\.|::)$/.test(tokens[from]?.text ?? '') ? from : at
}

/** What is called behind a value; brackets before it have been run where they stand. */
function runMembers([first, ...members]: readonly Token[], scope: Scope, stdin: Stream): void {
  const value: Token | undefined = first?.kind === 'group' ? { ...first, kind: 'variable', text: 'null' } : first
  if (value) runExpression([value, ...members], scope, stdin)
}

/** One member or several, and the sign before one that is quoted or computed. */
const MEMBERS = /^\??(?:\.|::)(?:\w+\??(?:\.|::))*(?:[A-Za-z_]\w*)?$/

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
    case 'index':
      runInside(token.text, scope, NOTHING)
      return UNKNOWN
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
    [...text.matchAll(/`[\s\S]|\$\(|\$(?:\{[^}\n]{0,255}\}|(?:\w+:(?!:))?\w+)/g)],
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

/** The secrets of the environment that words name, or that variables in them hold; a quoted text is only a text. */
function namedSecrets(tokens: readonly Token[], scope: Scope): readonly string[] {
  const texts = tokens.flatMap(({ kind, text, isOpen }) =>
    kind === 'text' && !isOpen ? [] : [kind === 'variable' ? `$${text}` : text],
  )
  return texts
    .filter((text) => spend(scope.budget, text.length / 8))
    .flatMap((text) => [...text.matchAll(NAMED_VARIABLES)].slice(0, MOST_NAMED))
    .flatMap(([, ofEnvironment, plain = '', read]) => {
      const name = ofEnvironment ?? read
      if (name === '') return [WHOLE_ENVIRONMENT]
      if (name === undefined) return scope.seen.held?.get(keyOf(plain.toLowerCase())) ?? []
      return scope.variables.has(keyOf(`env:${name.toLowerCase()}`)) ? [] : secretNames([name.toUpperCase()])
    })
}

const NAMED_VARIABLES =
  /\$\{?(?:env:(\w{1,100})|(\w{1,100}))|(?:\benv:[\\/]?|GetEnvironmentVariables?\(\s{0,4}["']?)(\w{0,100})/gi
const MOST_NAMED = 32

/** `$x = $env:NPM_TOKEN`: under another name it is the same secret. */
function holdSecrets(name: string, value: readonly Token[], scope: Scope): void {
  const held = namedSecrets(value, scope)
  scope.seen.held ??= new Map()
  if (held.length > 0 && name !== '') scope.seen.held.set(keyOf(name), held)
  else scope.seen.held.delete(keyOf(name))
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
  for (const { kind, text } of target) if (/^(group|index)$/.test(kind)) runInside(text, scope, NOTHING)
  const isWhole = target.every(({ kind }) => kind === 'variable' || kind === 'type')
  const text = stream.kind === 'text' ? stream.text.replace(/\n$/, '') : UNKNOWN
  holdSecrets(name, value, scope)
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
    const method = /^(group|block)$/.test(kind) ? calledAt(tokens, at) : undefined
    if (method !== undefined) judgeCall(type, method, token, choosing(scope, output))
    else if (kind === 'group' || kind === 'index') {
      const inner = runInside(text, scope, stdin)
      // A place in a list, and the name of a member, leave what the list was.
      if (kind === 'group' && !isMemberName(tokens, at)) output = inner
    } else if (kind === 'block') runInside(text, choosing(scope, stdin), stdin)
    else if (kind === 'table') runTable(text, scope)
    else if (kind === 'text' && token.isOpen) filled(text, scope)
    else if (kind === 'sign' && text.includes('>') && tokens[at + 1])
      sendTo(wordOf(tokens[at + 1] ?? token, scope, stdin), text, scope)
    else if (kind === 'variable' && at === 0) output = scope.files.get(keyOf(text)) ?? ANYTHING
    const isOfType = token.isGlued && ((kind === 'word' && /^::/.test(text)) || isMemberName(tokens, at))
    type = kind === 'type' ? text : isOfType ? type : undefined
  }
  note(scope.ledger, 6, 'an expression')
  if (tokens.length > 1 || !first) return ANYTHING
  if (first.kind === 'text') return { kind: 'text', text: `${wordOf(first, scope, stdin)}\n` }
  if (first.kind !== 'variable') return output
  const kept = scope.files.get(keyOf(first.text))
  return kept ?? (scope.chosen && first.text === '_' ? scope.chosen : ANYTHING)
}

/** The name before brackets that call it; what is quoted or computed is not known, unless it is a plain text. */
function calledAt(tokens: readonly Token[], at: number): Member | undefined {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (!before || !token?.isGlued || isMemberName(tokens, at)) return undefined
  if (isMemberName(tokens, at - 1))
    return { name: before.kind === 'text' && !before.isOpen ? before.text : UNKNOWN, isPlain: false }
  const [, name] = before.kind === 'word' ? (/(?:\.|::)(\w+)$/.exec(before.text) ?? []) : []
  return name === undefined ? undefined : { name, isPlain: true }
}

/** `.'Name'`, `.$name`, `.(…)`: behind the sign stands what says the name. */
function isMemberName(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (at < 2 || !before || !token?.isGlued || before.kind !== 'word' || !before.isGlued) return false
  return /^(text|variable|group)$/.test(token.kind) && /(^|[^.])(\.|::)$/.test(before.text)
}

/** `.Method(…)`, `[Type]::Method(…)`: what it is given are values. */
function judgeCall(type: string | undefined, method: Member, { kind, text: given }: Token, scope: Scope): void {
  const tokens = kind === 'block' ? [] : tokensOf(given)
  if (given.trim() !== '') runInside(given, scope, NOTHING)
  const all = given.trim() === '' ? [] : splitArguments(tokens ?? [])
  const values = all.map((tokens) =>
    tokens.length === 1 && tokens[0] && /^(text|variable)$/.test(tokens[0].kind)
      ? wordOf(tokens[0], scope, NOTHING)
      : UNKNOWN,
  )
  judgeMember(type, method, values, scope)
  const first = kind === 'block' ? 'block' : (all[0]?.[0]?.kind ?? 'none')
  if (/^foreach$/i.test(method.name) && !/^(block|type|none)$/.test(first))
    judgeMember(undefined, { name: values[0] ?? UNKNOWN, isPlain: false }, values.slice(1), scope)
  if (/^where$/i.test(method.name) && first !== 'block') runInside(values[0] ?? UNKNOWN, scope, NOTHING)
}

function splitArguments(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'sign' && token.text === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
