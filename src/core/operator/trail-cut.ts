import type { AuditEntry } from '../audit/entry.ts'
import type { Trail } from '../ports/store.ts'

/** An entry, and where it stands or stood. */
export interface Told {
  readonly seq: number
  readonly entry: AuditEntry
}

/** Where a trail begins, and what is known of the time before. */
export interface TrailCut {
  /** 0 where nothing was removed. */
  readonly removedTo: number
  /** The record that says so; what was carried forward stands right behind it. */
  readonly prunedAt: number
  readonly carried: number
  /** Earlier versions carried nothing forward: of what was before this record nothing is known. */
  readonly unknownTo?: number
}

export async function cutOf(trail: Trail): Promise<TrailCut> {
  const [first] = await trail.read({ order: 'oldest', limit: 1 })
  if (!first || first.seq <= 1) return { removedTo: 0, prunedAt: 0, carried: 0 }
  const removedTo = first.seq - 1
  for (let after = 0; ; ) {
    const page = await trail.read({ order: 'oldest', after, events: ['TRAIL_PRUNED'], limit: PAGE })
    // The oldest: what was written later cannot have removed anything up to there.
    const found = page.find(({ entry }) => entry.removed_to === removedTo && entry.removed_hash === first.previous)
    if (found) return cutBy(found, removedTo)
    after = page.at(-1)?.seq ?? after
    if (page.length < PAGE) return { removedTo, prunedAt: 0, carried: 0, unknownTo: removedTo }
  }
}

function cutBy({ seq: prunedAt, entry: { carried, unknown_to } }: Told, removedTo: number): TrailCut {
  if (typeof carried !== 'number') return { removedTo, prunedAt, carried: 0, unknownTo: removedTo }
  return { removedTo, prunedAt, carried, ...(typeof unknown_to === 'number' && { unknownTo: unknown_to }) }
}

const PAGE = 1_000

/** What was carried forward when the records before the first one were removed, in the order in which it was written. */
export async function carriedBy(trail: Trail, { prunedAt, carried }: TrailCut): Promise<readonly Told[]> {
  if (carried === 0) return []
  const found = await trail.read({ order: 'oldest', after: prunedAt, before: prunedAt + carried + 1 })
  return found.filter(({ entry }) => entry.event === 'TRAIL_CARRIED').map(({ entry }) => restored(entry))
}

/** The fields of an entry by which the store is compared with the trail. */
const FIELDS = [
  'operation',
  'adapter_name',
  'user_id',
  'session_id',
  'danger_level',
  'result',
  'reason',
  'scope',
  'params_hash',
  'approval_id',
  'token_id',
  'confirmation_token',
  'intent_id',
  'expires_at',
  'verificationId',
  'client_name',
  'client_id',
  'elicitation',
  'agent_key',
  'element_name',
  'trigger',
  'new',
  'content_hash',
  'operations_hash',
  'operator',
  'channel',
  'verifier',
  'link',
] as const

/** Field by field, so that none is longer here than it was in its own entry. */
export function carriedEntry({ seq, entry }: Told, removedTo: number, timestamp: string): AuditEntry {
  return {
    timestamp,
    event: 'TRAIL_CARRIED',
    removed_to: removedTo,
    carried_seq: seq,
    carried_event: entry.event,
    carried_at: entry.timestamp,
    ...fieldsOf(entry),
  }
}

function restored(entry: AuditEntry): Told {
  const { carried_seq, carried_event, carried_at } = entry
  const event = carried_event as AuditEntry['event'] // as `carriedEntry` wrote it
  return { seq: Number(carried_seq), entry: { ...fieldsOf(entry), event, timestamp: String(carried_at) } }
}

function fieldsOf(entry: AuditEntry): Partial<AuditEntry> {
  return Object.fromEntries(FIELDS.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])))
}
