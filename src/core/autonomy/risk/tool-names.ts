import { matchesGlob } from '../../registry/glob.ts'
import { note } from './ledger.ts'
import { words } from './options.ts'
import type { Scope } from './scope.ts'
import { ANYTHING } from './scope.ts'
import { judgeSql, looksLikeSql } from './sql.ts'
import { isSecretFile } from './targets.ts'
import { verbFinding, verbKind } from './verbs.ts'

/** DNG-08: names of what must not be left to an agent. */
const FORBIDDEN = words('drop_* delete_all* truncate_* reset_* destroy_* wipe_* *_production')
/** DNG-07: names of what is dangerous. */
const DANGEROUS = words('force_* *_permanently bulk_delete* override_* bypass_* *_without_backup purge_*')

/** A call of a tool: `github.delete_repo {…}`, `mcp__files__read_file path`, `deleteUser(7)`. */
export function judgeToolCall(text: string, scope: Scope): boolean {
  const called = /^\s*([A-Za-z][\w.:/-]{2,120})\s*([\s\S]*)$/.exec(text.slice(0, 12_000))
  const [, name = '', rest = ''] = called ?? []
  const local =
    name
      .split(/__|[.:/]/)
      .filter((part) => part !== '')
      .at(-1) ?? ''
  const isObject = /^\(?\s*\{\s*"/.test(rest)
  if (!isToolName(name, local) && !isObject) return false
  const snake = local
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  if (FORBIDDEN.some((pattern) => matchesGlob(pattern, snake)))
    note(scope.ledger, 88, `${local}: a name of what is forbidden`)
  else if (DANGEROUS.some((pattern) => matchesGlob(pattern, snake)))
    note(scope.ledger, 70, `${local}: a name of what is dangerous`)
  if (!SPEAKS.test(name)) scope.judgeCarried(rest, scope)
  const kind = verbKind(snake)
  if (!kind) {
    if (isObject) judgeArguments(rest, false, scope)
    return false
  }
  const { score, why } = verbFinding(kind, snake, [])
  note(scope.ledger, kind === 'read' || kind === 'run' ? score : Math.max(score, 32), `tool ${why}`)
  judgeArguments(rest, kind === 'read', scope)
  return true
}

/** Names of tools whose texts are written for people, kept or looked for. */
const SPEAKS =
  /issue|comment|message|note|doc|page|mail|post|search|read|get|list|find|write|file|edit|review|pull|ticket|memo|chat|slack|wiki|card|task|todo|log/i

function isToolName(name: string, local: string): boolean {
  if (name.includes('/') && !/^[\w-]+\/[\w-]+$/.test(name)) return false
  return local.includes('_') || /[a-z][A-Z]/.test(local) || /^[\w-]+[.:][\w-]+$/.test(name)
}

/** Texts among the arguments that are commands or statements. */
function judgeArguments(rest: string, reads: boolean, scope: Scope): void {
  let given: unknown
  try {
    given = JSON.parse(rest.replace(/^\(|\)\s*;?$/g, ''))
  } catch {
    given = rest
  }
  for (const [key, text] of textsOf(given)) {
    if (isSecretFile(text.trim())) note(scope.ledger, 62, 'a file that holds secrets')
    if (looksLikeSql(text)) judgeSql(text, scope, 'arguments')
    else if (!reads && COMMAND_KEYS.has(key)) scope.runText(text, scope, ANYTHING)
  }
}

const COMMAND_KEYS = new Set(words('command cmd script code shell bash args commandline command_line input'))

function textsOf(value: unknown, key = '', depth = 0): readonly (readonly [key: string, text: string])[] {
  if (typeof value === 'string') return [[key, value]]
  if (typeof value !== 'object' || value === null || depth > 4) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [[key, value.slice(0, 64).join(' ')]]
  return Object.entries(value)
    .slice(0, 32)
    .flatMap(([name, inner]) => textsOf(inner, name.toLowerCase(), depth + 1))
    .slice(0, 64)
}
