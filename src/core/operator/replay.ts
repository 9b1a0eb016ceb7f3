import type { AuditEvent } from '../../protocol/audit.ts'
import type { Store, TrailEntry } from '../ports/store.ts'
import { matchesGlob } from '../registry/glob.ts'
import { eachEntry } from './each-entry.ts'

/** A policy record that is only being thought about. */
export interface DraftPolicy {
  readonly operation: string
  readonly permission: Permission
  readonly adapter?: string
}

export type Permission = 'allow' | 'confirm' | 'deny'

export interface Replay {
  /** Calls in the period, and those that the draft names. */
  readonly total: number
  readonly matched: number
  /** How many of them it would have decided differently. */
  readonly changed: number
  readonly rows: readonly ReplayRow[]
  /** False when the period holds more than was read. */
  readonly isWhole: boolean
}

export interface ReplayRow {
  readonly operation: string
  readonly adapter: string
  readonly principal: string
  readonly calls: number
  readonly was: Permission
  readonly wouldBe: Permission
}

/**
 * What would have happened: the calls of the trail judged again as if the draft had been in force. The strictest layer
 * wins (GATE-02), so a draft can only tighten what was decided; its conditions would need parameters that the trail
 * masks, so the draft has none.
 */
export async function replayPolicy(store: Store, draft: DraftPolicy, from: number): Promise<Replay> {
  const calls = await readCalls(store, from)
  const matching = calls.rows.filter(
    ({ operation, adapter }) =>
      matchesGlob(draft.operation, operation) && (draft.adapter === undefined || draft.adapter === adapter),
  )
  const rows = matching
    .map((row) => ({ ...row, wouldBe: strictest(row.was, draft.permission) }))
    .filter(({ was, wouldBe }) => was !== wouldBe)
    .sort((a, b) => b.calls - a.calls)
  return { total: sum(calls.rows), matched: sum(matching), changed: sum(rows), rows, isWhole: calls.isWhole }
}

export interface Calls {
  readonly rows: readonly Omit<ReplayRow, 'wouldBe'>[]
  readonly isWhole: boolean
}

/** The calls since a moment, counted by operation, adapter, principal and decision. */
export async function readCalls(store: Store, from: number): Promise<Calls> {
  const since = new Date(from).toISOString()
  const rows = new Map<string, Omit<ReplayRow, 'wouldBe'>>()
  const query = { from: since, events: Object.keys(DECISIONS) }
  const isWhole = await eachEntry(store, query, MOST_ENTRIES, ({ entry }) => {
    if (entry.outcome === 'started' && entry.result === 'confirmed') return // the question before it was counted
    const { operation = '', adapter_name: adapter = '', user_id: principal = '' } = entry
    const was = decisionOf(entry)
    const key = JSON.stringify([operation, adapter, principal, was])
    const calls = (rows.get(key)?.calls ?? 0) + countOf(entry)
    rows.set(key, { operation, adapter, principal, was, calls })
  })
  return { rows: [...rows.values()], isWhole }
}

export function callsMatching({ rows }: Calls, operation: string, adapter: string): number {
  return sum(rows.filter((row) => row.adapter === adapter && matchesGlob(operation, row.operation)))
}

const MOST_ENTRIES = 50_000

/** The one entry of a call that says how it was decided: asked, refused, or simply run. */
const DECISIONS: Readonly<Partial<Record<AuditEvent, Permission>>> = {
  CONFIRMATION_REQUIRED: 'confirm',
  OPERATION_DENIED: 'deny',
  OPERATION_CALLED: 'allow',
  OPERATIONS_COUNTED: 'allow',
}

const STRICTNESS: Readonly<Record<Permission, number>> = { allow: 0, confirm: 1, deny: 2 }

function decisionOf({ event }: TrailEntry['entry']): Permission {
  return DECISIONS[event] ?? 'allow'
}

function countOf({ calls }: TrailEntry['entry']): number {
  return typeof calls === 'number' ? calls : 1
}

function strictest(a: Permission, b: Permission): Permission {
  return STRICTNESS[a] >= STRICTNESS[b] ? a : b
}

function sum(rows: readonly { readonly calls: number }[]): number {
  return rows.reduce((total, { calls }) => total + calls, 0)
}
