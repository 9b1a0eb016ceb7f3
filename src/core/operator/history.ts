import type { AuditEvent } from '../../protocol/audit.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Store, TrailEntry } from '../ports/store.ts'

/** One thing that an agent did, or was refused, as a line. */
export interface Deed {
  readonly seq: number
  readonly at: string
  readonly operation: string
  readonly level?: number
  readonly result: DeedResult
  /** The operator who decided it. */
  readonly by?: string
}

export type DeedResult =
  | 'asked'
  | 'approved'
  | 'denied'
  | 'refused'
  | 'started'
  | 'ran'
  | 'failed'
  | 'cancelled'
  | 'unknown'
  | 'stopped'

/** The last deeds of a principal, the newest first. */
export async function readHistory(store: Store, principal: string, limit = 10): Promise<readonly Deed[]> {
  return (await store.trail.read({ principal, events: Object.keys(RESULTS), limit })).map(deedOf)
}

export function deedOf({ seq, entry }: TrailEntry): Deed {
  const { timestamp, operation = '', danger_level, operator } = entry
  return {
    seq,
    at: timestamp,
    operation,
    ...(danger_level !== undefined && { level: danger_level }),
    result: resultOf(entry),
    ...(operator !== undefined && { by: operator }),
  }
}

/** The events that are deeds, and what each one says. */
const RESULTS: Readonly<Partial<Record<AuditEvent, DeedResult>>> = {
  CONFIRMATION_REQUIRED: 'asked',
  CONFIRMATION_GRANTED: 'approved',
  APPROVAL_DENIED: 'denied',
  OPERATION_DENIED: 'refused',
  OPERATION_CALLED: 'ran',
  OPERATION_OUTCOME: 'ran',
  AGENT_BLOCKED: 'stopped',
  SELF_APPROVAL_REJECTED: 'refused',
  PROTOCOL_VIOLATION: 'refused',
}

function resultOf({ event, outcome }: AuditEntry): DeedResult {
  const result = RESULTS[event] ?? 'asked'
  if (result !== 'ran') return result
  return OUTCOMES[outcome ?? ''] ?? 'ran'
}

const OUTCOMES: Readonly<Record<string, DeedResult>> = {
  started: 'started',
  failure: 'failed',
  cancelled: 'cancelled',
  unknown: 'unknown',
}
