import { displayText } from '../core/display.ts'
import type { TrailEntry } from '../core/ports/store.ts'
import { isObject } from '../core/registry/check-value.ts'
import { cut, type Paint, painter } from './render.ts'
import type { World } from './world.ts'

/** One entry on one line for a human: number, time, event, and what is known beside it. */
export function auditLine({ seq, entry }: TrailEntry, world: Pick<World, 'colours' | 'columns'>): string {
  const paint = painter(world)
  const { timestamp, event, operation, user_id, danger_level, result, outcome, reason, failure_reason, parameters } =
    entry
  const facts = [
    operation,
    isDryRun(parameters) && 'dry run',
    danger_level !== undefined && `level ${danger_level}`,
    result,
    outcome,
    user_id !== undefined && `by ${user_id}`,
    event === 'TRUST_CHANGED' && trustFact(entry),
    reason ?? failure_reason,
    event === undefined && JSON.stringify(entry),
  ].filter((fact) => fact !== undefined && fact !== false && fact !== '')
  const head = `${String(seq).padStart(7)}  ${shown(timestamp)}  ${eventOf(event, paint)}`
  return `${head}  ${cut(facts.map(shown).join('  '), room(world))}`.trimEnd()
}

/** Whose trust, and who did it. */
function trustFact({ adapter_name, old, new: to, operator }: TrailEntry['entry']): string {
  const step = to === undefined ? '' : ` from ${String(old)} to ${String(to)}`
  return `${adapter_name}${step}${operator === undefined ? '' : `, by ${operator}`}`
}

/** JSON Lines (AUDIT-09). The same value with every character escaped that a terminal could obey or hide. */
export function auditJson(entry: TrailEntry): string {
  return JSON.stringify(entry).replace(UNSEEN, escaped)
}

const COLUMNS = [
  'timestamp',
  'event',
  'operation',
  'endpoint',
  'adapter_name',
  'adapter_trust',
  'danger_level',
  'result',
  'outcome',
  'reason',
  'failure_reason',
  'user_id',
  'session_id',
  'operator',
  'channel',
  'token_id',
] as const

export const CSV_HEADER = ['seq', ...COLUMNS, 'entry', 'previous', 'hash'].join(',')

/** One entry on one line of a table; nothing in it can be a formula or end the line. */
export function auditCsv({ seq, previous, hash, entry }: TrailEntry): string {
  const known = COLUMNS.map((name) => entry[name])
  return [seq, ...known, JSON.stringify(entry), previous, hash].map(cell).join(',')
}

/** It changed nothing (REQ-10), whatever its level. */
function isDryRun(parameters: unknown): boolean {
  return isObject(parameters) && Object.hasOwn(parameters, 'dry_run') && parameters.dry_run === true
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(UNSEEN, escaped)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** A table program calculates what begins so, also behind spaces and in full width. */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]/

/** Controls of both sets, invisible and reordering characters, line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

function escaped(letter: string): string {
  return [...Array(letter.length).keys()]
    .map((i) => `\\u${letter.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('')
}

function shown(value: unknown): string {
  return displayText(typeof value === 'string' ? value : String(value ?? ''))
}

const ALARMS = /DENIED|FAILED|REJECTED|BLOCKED|VIOLATION|EXHAUSTED|UNDELIVERABLE|ROLLED_BACK/

function eventOf(event: unknown, paint: Paint): string {
  const name = shown(event).padEnd(24)
  return ALARMS.test(name) ? paint('red', name) : name
}

function room({ columns }: Pick<World, 'columns'>): number {
  return columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - 61)
}
