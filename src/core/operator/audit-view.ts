import { unknownRef } from '../gatekeeper/intent.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store, TrailEntry, TrailQuery } from '../ports/store.ts'
import { isUnknown } from './unknown-outcomes.ts'

export interface AuditPage {
  readonly items: readonly TrailEntry[]
  /** Give it as `before` for the next page. */
  readonly next?: number
}

/** AUDIT-09 as last checked. */
export interface ChainState {
  readonly head: number
  readonly verifiedTo: number
  readonly verifiedAt: number
  /** A walk over the whole trail is under way. */
  readonly isRunning: boolean
  readonly anchoredTo?: number
  readonly anchoredAt?: number
  readonly place?: string
  readonly brokenAt?: number
  /** What is wrong there, in a sentence. */
  readonly trouble?: string
}

export interface Finding {
  readonly happened: boolean
  readonly note: string
  readonly by: string
  readonly channel: string
}

export async function searchTrail(store: Store, query: TrailQuery): Promise<AuditPage> {
  const limit = Math.min(Math.max(1, query.limit ?? 50), MOST_ITEMS)
  const found = await store.trail.read({ ...query, order: 'newest', limit: limit + 1 })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, ...(found.length > limit && last && { next: last.seq }) }
}

const MOST_ITEMS = 200

export async function readEntry(store: Store, seq: number): Promise<TrailEntry | undefined> {
  const [entry] = await store.trail.read({ after: seq - 1, before: seq + 1, limit: 1 })
  return entry
}

/** What was found out about an unknown outcome, the newest first. */
export async function readFindings(store: Store, seq: number): Promise<readonly TrailEntry[]> {
  const all = await store.trail.read({ after: seq, events: ['OUTCOME_FINDING'], limit: MOST_FINDINGS })
  return all.filter(({ entry }) => entry.finding_for === seq)
}

const MOST_FINDINGS = 5_000

/** What an operator found out about an effect whose outcome is not known. It adds an entry; none is changed. */
export async function recordFinding(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  seq: number,
  { happened, note, by, channel }: Finding,
): Promise<'recorded' | 'unknown'> {
  const found = await readEntry(store, seq)
  if (!found || !isUnknown(found.entry)) return 'unknown'
  const { operation, adapter_name, danger_level, user_id, session_id } = found.entry
  const { intent_id } = found.entry
  const refs = { unknown: unknownRef(typeof intent_id === 'string' ? intent_id : 'none') }
  await store.update(refs, ({ unknown }) => ({
    ...(unknown && { next: { unknown: undefined } }),
    audit: [
      {
        timestamp: new Date(clock.now()).toISOString(),
        event: 'OUTCOME_FINDING',
        ...(operation !== undefined && { operation }),
        ...(adapter_name !== undefined && { adapter_name }),
        ...(danger_level !== undefined && { danger_level }),
        ...(user_id !== undefined && { user_id }),
        ...(session_id !== undefined && { session_id }),
        outcome: happened ? 'happened' : 'did_not_happen',
        finding_for: seq,
        operator: by,
        channel,
        ...(note !== '' && { reason: note }),
      },
    ],
    result: undefined,
  }))
  return 'recorded'
}
