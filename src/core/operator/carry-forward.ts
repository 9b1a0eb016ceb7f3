import type { AuditEntry } from '../audit/entry.ts'
import type { Store } from '../ports/store.ts'
import type { AgentRecord } from '../verification/agent.ts'
import { eachCompared } from './read-told.ts'
import { carriedBy, carriedEntry, cutOf, type Told } from './trail-cut.ts'

/** What the record of a removal says of the time before, and the records that stand behind it. */
export interface CarriedForward {
  readonly fields: { readonly carried: number; readonly unknown_to?: number }
  readonly entries: readonly AuditEntry[]
}

/**
 * What of the trail up to a record must stay known when it is removed, so that `compareRecords` finds afterwards what it
 * would have found before: how things stood last, and what records of the store or later entries refer to. It is taken
 * from the trail alone, so that nothing becomes true by standing in the store.
 */
export async function carryForward(store: Store, upTo: number, timestamp: string): Promise<CarriedForward> {
  const { trail } = store
  const cut = await cutOf(trail)
  const needed = await idsReferredTo(store, upTo)
  const earlier = await carriedBy(trail, cut)
  const eachBefore = async (visit: (told: Told) => void): Promise<void> => {
    for (const told of earlier) visit(told)
    await eachCompared(trail, { before: upTo + 1 }, visit)
  }
  // A call rests on its grant, and may run for much longer than the request for it is kept.
  await eachBefore(({ entry: { intent_id, confirmation_token } }) => {
    if (needed.has(intent_id) && confirmation_token !== undefined) needed.add(confirmation_token)
  })
  const kept = new Map<string, Told>()
  await eachBefore((told) => {
    const key = keyOf(told, needed)
    if (key !== undefined) kept.set(key, told)
  })
  const entries = [...kept.values()]
    .filter(({ entry }) => entry.event !== 'AGENT_UNBLOCKED')
    .sort((a, b) => a.seq - b.seq)
    .map((told) => carriedEntry(told, upTo, timestamp))
  const { unknownTo } = cut
  return { fields: { carried: entries.length, ...(unknownTo !== undefined && { unknown_to: unknownTo }) }, entries }
}

/** Of the entries with the same key the last one counts; without a key, an entry is not needed. */
function keyOf({ seq, entry }: Told, needed: ReadonlySet<unknown>): string | undefined {
  const isNeeded = ID_FIELDS.some((name) => needed.has(entry[name]))
  switch (entry.event) {
    case 'OPERATOR_SECRET_SET':
      return 'secret'
    case 'CLIENT_ADDED':
    case 'CLIENT_REVOKED':
      return `client ${String(entry.client_name)}`
    case 'AGENT_BLOCKED':
    case 'AGENT_UNBLOCKED':
      return `block ${String(entry.agent_key)}`
    case 'SAFETY_MODE_CHANGED':
      return `mode ${String(entry.adapter_name)}`
    case 'TRUST_CHANGED':
      return entry.new === undefined ? undefined : `trust ${String(entry.adapter_name)}`
    case 'OPERATOR_LINK_MADE':
      return isNeeded ? `${seq}` : 'link'
    case 'OPERATION_OUTCOME':
    case 'OPERATOR_LOGIN':
    case 'TRAIL_PRUNED':
      return undefined
    default:
      return isNeeded ? `${seq}` : undefined
  }
}

const ID_FIELDS = ['approval_id', 'token_id', 'confirmation_token', 'intent_id', 'verificationId', 'link'] as const

async function idsReferredTo(store: Store, upTo: number): Promise<Set<unknown>> {
  const needed = new Set<unknown>()
  // The records first: what ends while they are read has an entry then, which is still to be read.
  for (const kind of ['request', 'intent']) for (const { id } of await store.list(kind)) needed.add(id)
  for (const { value } of await store.list<AgentRecord>('agent')) for (const { from } of value.grants) needed.add(from)
  await eachCompared(store.trail, { after: upTo }, ({ entry }) => {
    for (const name of ID_FIELDS) needed.add(entry[name])
  })
  needed.delete(undefined)
  return needed
}
