import { matchesGlob } from '../../registry/glob.ts'
import { looksLikePath } from '../place-names.ts'
import { isSecretPlace } from '../secret-places.ts'
import { addressFindings, OWN_PORTS } from '../web-address.ts'
import { act } from './actions.ts'
import { spend } from './budget.ts'
import { isKeptText } from './kept-words.ts'
import { note } from './ledger.ts'
import { wordSet, words } from './options.ts'
import { namesProduction } from './production.ts'
import { noteGrave } from './program.ts'
import type { Scope } from './scope.ts'
import { ANYTHING, NOTHING } from './scope.ts'
import { judgeSql, looksLikeSql } from './sql.ts'
import { targetKind } from './targets.ts'
import { asks, partsOf, VERB_KINDS, type VerbKind, verbFinding, verbKind } from './verbs.ts'

/** DNG-08: names of what must not be left to an agent. */
const FORBIDDEN = words('drop_* delete_all* truncate_* reset_* destroy_* wipe_* *_production')
/** DNG-07: names of what is dangerous. */
const DANGEROUS = words('force_* *_permanently bulk_delete* override_* bypass_* *_without_backup purge_*')

/** A tool or an operation as a text names it, without the label of its server. */
export interface ToolName {
  readonly full: string
  /** What is called: behind the label of the server. */
  readonly local: string
  /** Every way to tell label and name apart; the gravest counts. */
  readonly readings: readonly string[]
}

/** `github.delete_repo`, `mcp__files__read_file`, `deleteUser`: labels end with `__`, `.`, `:` or `/`. */
export function toolNameOf(full: string): ToolName {
  const bare = full.startsWith('mcp__') ? full.slice(5) : full
  const parts = bare.split(/__|[.:/]/).filter((part) => part !== '')
  const local = parts.at(-1) ?? ''
  return { full, local, readings: parts.length > 2 ? [local, parts.slice(1).join('_')] : [local] }
}

/** True for a word that is written as tools are named, not as programs or words of a sentence are. */
export function isToolName({ full, local }: ToolName): boolean {
  if (full.includes('/') && !/^[\w-]+\/[\w-]+$/.test(full)) return false
  return local.includes('_') || /[a-z][A-Z]/.test(local) || /^[\w-]+[.:][\w-]+$/.test(full)
}

/** What the name says is done: the gravest of its readings and of the verbs that `and` joins in it. */
export function toolKind({ readings }: ToolName): VerbKind | undefined {
  const kinds = readings.flatMap((name) => snakeOf(name).split(/_(?:and|then|or)_/)).map(kindOf)
  return kinds.includes(undefined) ? undefined : kinds.reduce(graver)
}

/** Verbs of several words. */
const PHRASES = /^(get_rid|do_away|blow_away|throw_away|tear_down|wipe_out|clear_out|take_down)(_|$)/

function kindOf(snake: string): VerbKind | undefined {
  if (PHRASES.test(snake)) return 'destroy'
  const [first = '', second = '', ...rest] = partsOf(snake)
  // `search_replace`, `read_write_file`: the first word asks, the second does; unless a thing follows that is only named so.
  if (asks(first) && !rest.some((part) => SHOWN.has(part))) {
    if (verbKind(second) === 'destroy' && rest.length === 0) return 'destroy'
    if (DOES.has(second)) return 'change'
  }
  return verbKind(snake)
}

const DOES = wordSet('replace overwrite modify write edit rename send transfer pay exec execute eval')
/** What stands behind a verb that says which one is shown: `get_send_quota`. */
const SHOWN = wordSet(
  'status state quota quotas statistics history log logs result results output plan plans request requests job jobs task tasks event events config concern concerns access permission permissions settings options time count limits limit rate rates rules id ids info details queue queues errors link links',
)

function graver(a: VerbKind | undefined, b: VerbKind | undefined): VerbKind | undefined {
  return a && b && VERB_KINDS[a].score >= VERB_KINDS[b].score ? a : b
}

function snakeOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

/** DNG-02, DNG-21: what deletes one thing is destructive; worse names are matched before. */
const DELETES = wordSet('delete del remove rm unlink trash discard')
const DELETES_SCORE = 58

/** What the name alone is worth; false where it says nothing. */
export function judgeToolName(name: ToolName, scope: Scope): boolean {
  const snakes = name.readings.map(snakeOf)
  const fits = (patterns: readonly string[]) =>
    snakes.some((snake) => patterns.some((pattern) => matchesGlob(pattern, snake)))
  if (fits(FORBIDDEN)) note(scope.ledger, 88, `${name.local}: a name of what is forbidden`)
  else if (fits(DANGEROUS)) note(scope.ledger, 70, `${name.local}: a name of what is dangerous`)
  const kind = toolKind(name)
  if (!kind) return false
  const { score, why } = verbFinding(kind, snakeOf(name.local), [])
  const isDelete = kind === 'destroy' && DELETES.has(partsOf(snakes.at(-1) ?? '')[0] ?? '')
  const least = kind === 'read' || kind === 'run' ? score : Math.max(score, 32)
  note(scope.ledger, isDelete ? Math.min(least, DELETES_SCORE) : least, `tool ${why}`)
  return true
}

/** What a call is given. `values` are the words behind the name, or the fields of its object. */
export interface Given {
  readonly values: readonly (readonly [key: string, text: string])[]
  /** The arguments as they stand in the text. */
  readonly raw: string
}

/**
 * A call whose arguments are known as such: where it writes, what it runs, which secrets it reads.
 * `known` is what an operation of the adapter itself is worth (DNG-21).
 */
export function judgeCall(name: ToolName, given: Given, scope: Scope, known?: number): void {
  const kind = toolKind(name)
  const writes = isFileWriter(name)
  const paths = given.values.filter(([key]) => key === '' || PATH_KEYS.has(key)).map(([, text]) => text)
  if (known !== undefined) note(scope.ledger, known, `${name.local}: an operation of this adapter`)
  else if (writes && paths.length > 0) for (const path of paths) judgeWrite(name.local, path, scope)
  else if (writes) note(scope.ledger, 45, `${name.local}: the call names no file`)
  else {
    judgeToolName(name, scope)
    const deletes = FILE_DELETERS.exec(snakeOf(name.local))
    if (deletes)
      for (const path of paths)
        act(scope, name.local, TREE_NOUNS.test(deletes[1] ?? '') ? 'deleteTree' : 'deleteFile', path)
  }
  judgeArguments(name, given, kind === 'read' && !writes, scope)
}

/** Tools that write files are judged by where they write. */
export function isFileWriter({ local }: ToolName): boolean {
  return FILE_WRITERS.test(snakeOf(local))
}

const FILE_WRITERS =
  /^(?:(?:write|edit|multi_?edit|append|create|save|overwrite|replace|str_replace|search_replace|insert|patch|update|modify)(?:_(?:to|in|text|new|local))*_(?:files?|notebook)|(?:str|search|find)_(?:and_)?replace(?:_editor)?|apply_patch|(?:multi_?|notebook_?)?edit|write)$/
/** Tools that take files away are judged by what they take away as well. */
const FILE_DELETERS =
  /^(?:delete|del|remove|rm|unlink|erase|trash|wipe|shred|purge)(?:_[a-z]+)?_(files?|paths?|items?|dirs?|director(?:y|ies)|folders?|trees?)$/
const TREE_NOUNS = /^(dir|director|folder|tree)/
const PATH_KEYS = wordSet(
  'path paths file file_path filepath filename target_file absolute_path notebook_path file_name dir directory folder',
)

function judgeWrite(tool: string, path: string, scope: Scope): void {
  act(scope, tool, 'write', path)
  const kind = targetKind(path, scope)
  if (kind === 'outside' || kind === 'home' || kind === 'unknown')
    note(scope.ledger, 45, `${tool}: writes a file outside the project`)
}

/** Names of tools whose texts are written for people, kept or looked for. */
const SPEAKS =
  /issue|comment|message|note|doc|page|mail|post|search|read|get|list|find|write|file|edit|review|pull|ticket|memo|chat|slack|wiki|card|task|todo|log/i

/** Texts among the arguments that are commands or statements. */
function judgeArguments({ full, local }: ToolName, { values, raw }: Given, reads: boolean, scope: Scope): void {
  if (!SPEAKS.test(local)) scope.judgeCarried(raw, scope)
  const kind = toolKind(toolNameOf(full))
  if ((kind === 'destroy' || kind === 'stop') && values.some(([, text]) => namesProduction([text.trim()])))
    note(scope.ledger, 64, `tool ${local}: ends something in production`)
  for (const [key, text] of values) {
    if (reads) judgeNamed(local, key, text.trim(), scope)
    judgePlace(text.trim(), scope)
    if (looksLikeSql(text) || SQL_KEYS.has(key)) judgeSql(text, scope, 'arguments')
    else if (RUN_KEYS.has(key) || (!reads && COMMAND_KEYS.has(key))) scope.runText(text, scope, ANYTHING)
    else if (/\s/.test(text) && (key === '' ? !LOOKS_FOR.test(local) : !isKeptText(local, key)))
      noteGrave(scope, (inner) => void inner.runText(text, inner, NOTHING))
  }
}

/** What only reads is given the name of another call, or told to delete: `get_status / delete_everything`, `delete=true`. */
function judgeNamed(local: string, key: string, text: string, scope: Scope): void {
  if (/^(true|1|yes|on)$/i.test(text) && verbKind(key) === 'destroy' && !/^(clear|clean|trim)/.test(key))
    note(scope.ledger, 62, `${local}: ${key} is switched on`)
  if (ASKS_ABOUT.test(local) || LOOKED_FOR.has(key) || !/^\[?["']?[A-Za-z]\w+["']?\]?$/.test(text)) return
  const named = toolNameOf(text.replaceAll(/[^\w]/g, ''))
  const kind = isToolName(named) ? toolKind(named) : undefined
  if (kind === 'destroy' || kind === 'stop') note(scope.ledger, 45, `${local}: names ${named.local}`)
}

/** Reading about a call by its name is what these are for. */
const ASKS_ABOUT =
  /search|grep|find|query|lookup|describe|introspect|explain|help|doc|symbol|definition|reference|schema|tool|operation|function|permission|event|log/i
const LOOKED_FOR = wordSet(
  'query q pattern regex search text content body message title symbol function tool_name event type filter',
)

/** A file that holds secrets, the metadata of a cloud, a server of this program. */
function judgePlace(text: string, scope: Scope): void {
  if (!spend(scope.budget, text.length / 8)) return
  if (/[./\\~]/.test(text) && looksLikePath(text) && isSecretPlace(text, scope.cwd))
    note(scope.ledger, 62, 'a file that holds secrets')
  for (const { score, why } of addressFindings(text, OWN_PORTS)) note(scope.ledger, score, why)
}

/** Keys whose text is run, whatever the tool is called. */
export const RUN_KEYS = new Set(words('command commands cmd script shell bash commandline command_line'))
const COMMAND_KEYS = new Set(words('code args input'))
const SQL_KEYS = new Set(words('sql statement statements'))
const LOOKS_FOR = /search|grep|find|query|lookup/i

/** A call that is not sure to be one: it only raises. */
export function judgeToolCall(text: string, scope: Scope): void {
  const [, word = '', rest = ''] = /^\s*([A-Za-z][\w.:/-]{2,120})\s*([\s\S]*)$/.exec(text.slice(0, 12_000)) ?? []
  const name = toolNameOf(word)
  const isObject = /^\(?\s*\{\s*"/.test(rest)
  if ((!isToolName(name) && !isObject) || rest.startsWith('=')) return
  judgeToolName(name, scope)
  if (!SPEAKS.test(word)) scope.judgeCarried(rest, scope)
  if (isObject) judgeArguments(name, { values: fieldsOf(parsed(rest)), raw: '' }, toolKind(name) === 'read', scope)
}

function parsed(rest: string): unknown {
  try {
    return JSON.parse(rest.replace(/^\(|\)\s*;?$/g, ''))
  } catch {
    return rest
  }
}

/** The texts of an object by the key that they stand under; those of a list as one. */
export function fieldsOf(value: unknown, key = '', depth = 0): Given['values'] {
  if (typeof value === 'string') return [[key, value]]
  if (typeof value === 'boolean') return [[key, String(value)]]
  if (typeof value !== 'object' || value === null || depth > 4) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [[key, value.slice(0, 64).join(' ')]]
  return Object.entries(value)
    .slice(0, 32)
    .flatMap(([name, inner]) => fieldsOf(inner, name.toLowerCase(), depth + 1))
    .slice(0, 64)
}
