import { judgeMethod } from './http.ts'
import { wordSet } from './options.ts'
import { noteGrave } from './program.ts'
import { isProgram } from './program-names.ts'
import { candidatesOf } from './prose.ts'
import { replaceQuoted } from './quoted.ts'
import { NOTHING, type Scope } from './scope.ts'
import { judgeSql } from './sql.ts'
import { isStatementWord, readsAsStatement, withoutTexts } from './sql-statements.ts'
import { fieldsOf, type Given, isToolName, judgeCall, type ToolName, toolKind, toolNameOf } from './tool-names.ts'

/** The first part of a text, where it is sure to be something else than a command of a shell. */
export interface Head {
  readonly judge: (scope: Scope) => void
  /** The text as a shell would run it, with the head as words that do nothing. Always judged as well. */
  readonly shell: string
  /** True where lines of the text belong to the head: then only what is grave in the shell's reading counts. */
  readonly isSpread: boolean
  /** Of a call: what is called, and where the call ends. */
  readonly called?: Called
}

export interface Called {
  readonly name: ToolName
  readonly given: Given
  readonly end: number
}

/** What an operation of the adapter itself is worth (DNG-21). */
export type KnownOperation = (name: string) => number | undefined

const LONGEST = 12_000

export interface HeadSettings {
  readonly operation?: KnownOperation
  /** True for a call that no shell will see: what its texts hold is data. */
  readonly isCall?: boolean
}

export function headOf(text: string, settings: HeadSettings = {}): Head | undefined {
  if (text.length > LONGEST) return undefined
  return callHead(text, settings) ?? requestHead(text) ?? statementHead(text)
}

/** A tool or an operation and its arguments, and no word that is neither. */
function callHead(text: string, { operation, isCall = false }: HeadSettings): Head | undefined {
  const called = readCall(text, operation)
  if (!called) return undefined
  const { name, given, end } = called
  return {
    called,
    isSpread: false,
    shell: `:${text.slice(end)}`,
    judge: (scope) => {
      judgeCall(name, given, scope, operation?.(name.full))
      // A shell would look into the texts of an object.
      if (!isCall && /\$\(|`/.test(given.raw)) noteGrave(scope, (inner) => void inner.runText(text, inner, NOTHING))
    },
  }
}

const NAME = /^\s*([A-Za-z][\w.:/-]{1,120})/

export function readCall(text: string, operation?: KnownOperation): Called | undefined {
  const [start = '', full = ''] = NAME.exec(text) ?? []
  const name = toolNameOf(full)
  const isKnown = operation?.(full) !== undefined
  if (full === '' || isProgram(full)) return undefined
  if (!isKnown && toolKind(name) === undefined) return undefined
  const rest = text.slice(start.length)
  const read = objectAt(rest) ?? (isKnown || isToolName(name) ? (listAt(rest) ?? wordsAt(rest)) : undefined)
  if (!read || !ENDS.test(rest.slice(read.length))) return undefined
  return { name, given: read.given, end: start.length + read.length }
}

interface Read {
  readonly length: number
  readonly given: Given
}

/** Nothing more, or something that a shell would run or write besides. */
const ENDS = /^[ \t]*(?:$|[;&|<>\n])/

/** `{"a": 1}`, `({"a": 1})`, `with {"a": 1}`. */
function objectAt(rest: string): Read | undefined {
  const before = /^\s*(?:(?:with|on|using)\s+)?(?:(\()\s*)?(?=\{)/.exec(rest)
  if (!before) return undefined
  const from = before[0].length
  const end = objectEnd(rest, from)
  if (end < 0) return undefined
  const raw = rest.slice(from, end)
  const close = before[1] === '(' ? /^\s*\)/.exec(rest.slice(end)) : undefined
  if (before[1] === '(' && !close) return undefined
  try {
    return { length: end + (close?.[0].length ?? 0), given: { values: fieldsOf(JSON.parse(raw)), raw } }
  } catch {
    return undefined
  }
}

function objectEnd(text: string, from: number): number {
  let depth = 0
  let inText = false
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (inText) {
      if (char === '\\') at++
      else if (char === '"') inText = false
    } else if (char === '"') inText = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return -1
}

/** `(7)`, `("a", b=1)`: values in brackets. */
function listAt(rest: string): Read | undefined {
  const [whole = '', inside = ''] = /^\(((?:"[^"`$\\\n]*"|'[^'\n]*'|[^\s"'`$;&|<>(){}\\]| )*)\)/.exec(rest) ?? []
  if (whole === '') return undefined
  const items = inside.match(/"[^"]*"|'[^']*'|[^\s,"']+/g) ?? []
  return areArguments(items) ? { length: whole.length, given: givenBy(items, inside) } : undefined
}

/** ` src/a.ts 7 "two words"`: words that name things. */
function wordsAt(rest: string): Read | undefined {
  const [whole = ''] = /^(?:[ \t]+(?:[\w.-]+=)?(?:"[^"`$\\\n]*"|'[^'\n]*'|[^\s"'`$;&|<>(){}\\]+))*/.exec(rest) ?? []
  const items = whole.match(/(?:[\w.-]+=)?(?:"[^"]*"|'[^']*')|[^\s"']+/g) ?? []
  return areArguments(items) ? { length: whole.length, given: givenBy(items, whole) } : undefined
}

/** Flags, names of programs and words of sentences are no arguments of a tool. */
function areArguments(items: readonly string[]): boolean {
  if (items.length > MOST_ARGUMENTS || items.some((item) => item.startsWith('-') || isProgram(item))) return false
  const loose = items.filter((item, at) => LOOSE.test(item) && !(LINKS.has(item) && items[at + 1] !== undefined))
  return loose.length <= 1
}

const MOST_ARGUMENTS = 16
const LOOSE = /^[\p{L}'’]{2,}[.,:!?…]*$/u
const LINKS = wordSet('on with for from in at of the')

function givenBy(items: readonly string[], raw: string): Given {
  const values = items
    .filter((item) => !LINKS.has(item))
    .map((item) => {
      const [, key = '', value = item] = /^([\w.-]+)=(.*)$/.exec(item) ?? []
      return [key.toLowerCase(), value.replace(/^(["'])(.*)\1$/, '$2')] as const
    })
  return { values, raw }
}

/** `METHOD https://…` or `METHOD /path`, as interfaces are written about, with a body or without. */
function requestHead(text: string): Head | undefined {
  const [whole = '', method = '', target = ''] = REQUEST.exec(text) ?? []
  if (whole === '') return undefined
  const rest = text.slice(whole.length)
  const body = objectAt(rest)
  const [fields = ''] = body ? [] : (/^(?:[ \t]+[\w.[\]-]+=[^\s"'`$;&|<>(){}\\]*)*/.exec(rest) ?? [])
  const end = whole.length + (body?.length ?? fields.length)
  if (!ENDS.test(text.slice(end))) return undefined
  return {
    isSpread: false,
    shell: `:${text.slice(end)}`,
    judge: (scope) => {
      judgeMethod(method, target, text.slice(whole.length, end), scope, 'HTTP')
      if (/\$\(|`/.test(text.slice(0, end))) noteGrave(scope, (inner) => void inner.runText(text, inner, NOTHING))
    },
  }
}

/** A `&` belongs to the address only before a name and `=`. */
const REQUEST =
  /^\s*(GET|HEAD|OPTIONS|TRACE|PROPFIND|QUERY|POST|PUT|PATCH|MKCOL|COPY|MOVE|PURGE|DELETE)[ \t]+((?:https?:\/\/|\/|[\w-]+(?:\.[\w-]+)+\/)[^\s"'`$;&|<>(){}\\]*(?:&[\w.%[\]-]+=[^\s"'`$;&|<>(){}\\]*)*)(?:[ \t]+HTTP\/[\d.]+)?/

function statementHead(text: string): Head | undefined {
  if (!readsAsStatement(text)) return undefined
  return {
    isSpread: true,
    shell: withoutStatements(text),
    judge: (scope) => {
      judgeSql(text, scope, 'hint')
      // A sentence can be read as a statement: what it would run counts where it is grave.
      for (const command of candidatesOf(withoutTexts(text) ?? text, scope.budget))
        noteGrave(scope, (inner) => void inner.runText(command, inner, NOTHING))
    },
  }
}

/** What is left for a shell: lines and statements that do not begin as statements go on. */
function withoutStatements(text: string): string {
  return replaceQuoted(text, `'"`, (inner, quote) => (/[;\n]/.test(inner) ? ' q ' : quote + inner + quote))
    .split(/([;\n])/)
    .map((part) => (LISTED.test(part) || isStatementWord(/^\s*([A-Za-z]+)\b(?!=)/.exec(part)?.[1]) ? ':' : part))
    .join('')
}

/** One value of a list, in a line of its own. */
const LISTED = /^\s*(['"])[^'"\s]*\1\s*(?:,\s*)?$/
