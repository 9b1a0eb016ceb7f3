import { displayText } from '../core/display.ts'
import { claimText, sessionText } from '../core/operator/connection.ts'
import type { TrailEntry } from '../core/ports/store.ts'
import { isObject } from '../core/registry/check-value.ts'
import type { AuditEvent } from '../protocol/audit.ts'
import { escapeUnseen, jsonLine } from './json-line.ts'
import { cut, type Paint, painter } from './render.ts'
import type { World } from './world.ts'

/** One entry on one line for a human: number, time, event, and what is known beside it. */
export function auditLine({ seq, entry }: TrailEntry, world: Pick<World, 'colours' | 'columns'>): string {
  const paint = painter(world)
  const { timestamp, event, operation, user_id, danger_level, result, outcome, reason, failure_reason, parameters } =
    entry
  const facts = [
    ...known([operation]),
    isDryRun(parameters) && 'dry run',
    danger_level !== undefined && `level ${danger_level}`,
    ...known([result, outcome, deciderOf(entry)]),
    user_id !== undefined && `${callerWord(entry)} ${callerOf(entry)}`,
    typeof entry.client_name === 'string' && `client ${shown(entry.client_name)}`,
    typeof entry.calls === 'number' && entry.calls > 1 && `${entry.calls} times`,
    event === 'TRUST_CHANGED' && shown(trustFact(entry)),
    event === 'TRAIL_PRUNED' && shown(`records ${entry.removed_from} to ${entry.removed_to}, by ${entry.operator}`),
    ...known([reason ?? failure_reason]),
    event === undefined && shown(JSON.stringify(entry)),
  ].filter((fact) => fact !== false && fact !== '')
  const head = `${String(seq).padStart(7)}  ${shown(timestamp)}  ${eventOf(event, paint)}`
  return `${head}  ${cut(facts.join('  '), room(world))}`.trimEnd()
}

/** What is there, each made visible once. */
function known(facts: readonly unknown[]): readonly string[] {
  return facts.filter((fact) => fact !== undefined).map(shown)
}

/** SELF-02: who acted on the operator plane and through which channel; never the agent in their place. */
function deciderOf({ event, operator, channel }: TrailEntry['entry']): string | undefined {
  if (operator === undefined) return undefined
  const deed = DEEDS[event] ?? 'by'
  return `${deed} ${operator}${channel === undefined ? '' : ` through ${channel}`}`
}

/** A stop and its end are about an agent, which has asked for neither. */
function callerWord({ event, operator }: TrailEntry['entry']): string {
  if (event === 'AGENT_BLOCKED' || event === 'AGENT_UNBLOCKED' || event === 'ADMIN_OVERRIDE') return 'agent of'
  return operator === undefined && event !== 'TOKEN_REVOKED' ? 'by' : 'asked by'
}

const DEEDS: Readonly<Partial<Record<AuditEvent, string>>> = {
  CONFIRMATION_GRANTED: 'approved by',
  APPROVAL_DENIED: 'denied by',
  TOKEN_REVOKED: 'taken back by',
  SELF_APPROVAL_REJECTED: 'tried by',
  REQUEST_VIEWED: 'seen by',
  AGENT_BLOCKED: 'stopped by',
  AGENT_UNBLOCKED: 'let go by',
  ADMIN_OVERRIDE: 'lifted by',
  CLIENT_ADDED: 'added by',
  CLIENT_REVOKED: 'revoked by',
  TRUST_CHANGED: 'changed by',
}

/** The connection, as far as the entry tells, ready to be shown. */
function callerOf({ user_id = '', session_id, client_context }: TrailEntry['entry']): string {
  const { label, claims } = isObject(client_context) ? client_context : {}
  const named = typeof label === 'string' ? ` (${shown(label)})` : ''
  return `${shown(user_id)}${named}${sessionText(session_id)}${typeof claims === 'string' ? `, says ${claimText(claims)}` : ''}`
}

/** Whose trust. */
function trustFact({ adapter_name, old, new: to }: TrailEntry['entry']): string {
  return `${adapter_name}${to === undefined ? '' : ` from ${String(old)} to ${String(to)}`}`
}

/** JSON Lines (AUDIT-09). The same value with every character escaped that a terminal could obey or hide. */
export function auditJson(entry: TrailEntry): string {
  return jsonLine(entry)
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
  const text = escapeUnseen(typeof value === 'string' ? value : JSON.stringify(value))
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** A table program calculates what begins so, also behind spaces and in full width. */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]/

function shown(value: unknown): string {
  return displayText(typeof value === 'string' ? value : String(value ?? ''))
}

const ALARMS = /DENIED|FAILED|REJECTED|BLOCKED|VIOLATION|EXHAUSTED|UNDELIVERABLE|ROLLED_BACK|LOST/

function eventOf(event: unknown, paint: Paint): string {
  const name = shown(event).padEnd(24)
  return ALARMS.test(name) ? paint('red', name) : name
}

function room({ columns }: Pick<World, 'columns'>): number {
  return columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - 61)
}
