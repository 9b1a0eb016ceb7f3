import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import type { Store } from '../ports/store.ts'
import { openBlocksRef } from '../verification/block.ts'
import { OPERATOR_REF } from './operator-record.ts'
import { verifierRef } from './verifier.ts'

/** Something that the trail does not bear out. */
export interface Contradiction {
  /** The record of the trail that shows it; absent where a record of the store does. */
  readonly seq?: number
  readonly what: string
}

/**
 * The chain shows that nobody changed an entry; this shows that the entries fit together and that the records which the
 * gate trusts fit the entries. What went before a pruned trail is not held against it.
 */
export async function compareRecords(store: Store): Promise<readonly Contradiction[]> {
  const told = await readTrail(store)
  const fault = await store.trail.searchFault?.()
  return [
    ...(fault === undefined ? [] : [{ what: fault }]),
    ...told.found,
    ...(await requestsAgainst(store, told)),
    ...(await blocksAgainst(store, told)),
    ...(await verifierAgainst(store, told)),
  ]
}

interface Told {
  readonly found: Contradiction[]
  readonly intents: Set<string>
  readonly grants: Map<string, Grant>
  readonly denials: Set<string>
  /** By the key of the agent: what the trail says last. */
  readonly blocked: Map<string, { readonly isBlocked: boolean; readonly seq: number }>
  secret?: AuditEntry
  /** Until then a trail may refer to what was pruned. */
  excusedUntil: string
}

interface Grant {
  readonly isOnce: boolean
  uses: number
}

const EVENTS = [
  'OPERATION_INTENT',
  'OPERATION_OUTCOME',
  'CONFIRMATION_GRANTED',
  'APPROVAL_DENIED',
  'AGENT_BLOCKED',
  'AGENT_UNBLOCKED',
  'OPERATOR_SECRET_SET',
]
const PAGE = 1_000
/** A token for a session lives no longer, and what is not a day old cannot be pruned. */
const REACH_MS = 86_400_000
const MOST_USES = 100

async function readTrail({ trail }: Store): Promise<Told> {
  const [first] = await trail.read({ order: 'oldest', limit: 1 })
  const isPruned = first !== undefined && first.seq > 1
  const told: Told = {
    found: [],
    intents: new Set(),
    grants: new Map(),
    denials: new Set(),
    blocked: new Map(),
    excusedUntil: isPruned ? later(first.entry.timestamp) : '',
  }
  for (let after = 0; ; ) {
    const page = await trail.read({ order: 'oldest', after, events: EVENTS, limit: PAGE })
    for (const { seq, entry } of page) {
      after = seq
      READERS[entry.event]?.(entry, seq, told)
    }
    if (page.length < PAGE) return told
  }
}

type Reader = (entry: AuditEntry, seq: number, told: Told) => void

const READERS: Readonly<Partial<Record<AuditEntry['event'], Reader>>> = {
  OPERATION_INTENT: readIntent,
  OPERATION_OUTCOME: readOutcome,
  CONFIRMATION_GRANTED: ({ approval_id, scope }, _, { grants }) => {
    const id = String(approval_id)
    if (!grants.has(id)) grants.set(id, { isOnce: scope !== 'session', uses: 0 })
  },
  APPROVAL_DENIED: ({ approval_id }, _, { denials }) => void denials.add(String(approval_id)),
  AGENT_BLOCKED: (entry, seq, told) => noteBlock(entry, seq, told, true),
  AGENT_UNBLOCKED: (entry, seq, told) => noteBlock(entry, seq, told, false),
  OPERATOR_SECRET_SET: (entry, _, told) => {
    told.secret = entry
  },
}

function noteBlock({ agent_key }: AuditEntry, seq: number, { blocked }: Told, isBlocked: boolean): void {
  if (typeof agent_key === 'string') blocked.set(agent_key, { isBlocked, seq })
}

function readIntent(entry: AuditEntry, seq: number, { found, intents, grants, excusedUntil }: Told): void {
  intents.add(String(entry.intent_id))
  if (entry.result !== 'confirmed') return
  const id = String(entry.confirmation_token)
  const grant = grants.get(id)
  if (!grant) {
    if (entry.timestamp >= excusedUntil)
      found.push({ seq, what: `${named(entry)} ran as confirmed, but no human has granted request ${id} before` })
    return
  }
  grant.uses++
  const most = grant.isOnce ? 1 : MOST_USES
  if (grant.uses === most + 1)
    found.push({ seq, what: `${named(entry)} ran more often than request ${id} was granted for` })
}

function readOutcome(entry: AuditEntry, seq: number, { found, intents, excusedUntil }: Told): void {
  const isRecorded = (entry.danger_level ?? 0) >= DANGER_LEVELS.destructive
  if (!isRecorded || intents.has(String(entry.intent_id)) || entry.timestamp < excusedUntil) return
  found.push({ seq, what: `${named(entry)} has an outcome, but no record of its intent before it` })
}

async function requestsAgainst(store: Store, { grants, denials }: Told): Promise<readonly Contradiction[]> {
  const requests = await store.list<ApprovalRequest>('request')
  return requests.flatMap(({ id, value: { state, approvedAt, operation } }) => {
    const isApproved = state === 'approved' || approvedAt !== undefined
    if (isApproved && !grants.has(id))
      return [{ what: `The store has request ${id} (${operation}) as approved, but the trail has no grant of it` }]
    return state === 'denied' && !denials.has(id)
      ? [{ what: `The store has request ${id} (${operation}) as denied, but the trail has no denial of it` }]
      : []
  })
}

async function blocksAgainst(store: Store, { blocked, excusedUntil }: Told): Promise<readonly Contradiction[]> {
  const open = (await store.get(openBlocksRef())) ?? {}
  const gone = [...blocked].flatMap(([key, { isBlocked, seq }]) =>
    isBlocked && !Object.hasOwn(open, key)
      ? [{ seq, what: `The trail has a block of ${key} that nobody has lifted, but the store has none` }]
      : [],
  )
  const unknown = Object.entries(open).flatMap(([key, { blockedAt }]) =>
    blocked.get(key)?.isBlocked || new Date(blockedAt).toISOString() < excusedUntil
      ? []
      : [{ what: `The store has a block of ${key}, but the trail does not` }],
  )
  return [...gone, ...unknown]
}

async function verifierAgainst(store: Store, { secret, excusedUntil }: Told): Promise<readonly Contradiction[]> {
  const account = await store.get(OPERATOR_REF)
  if (!account)
    return secret ? [{ what: 'The trail says that an operator secret was set, but the store has none' }] : []
  if (!secret) {
    const isOld = new Date(account.setAt).toISOString() < excusedUntil
    return isOld ? [] : [{ what: 'The store has an operator secret, but the trail does not say that one was set' }]
  }
  const isOther = secret.verifier !== undefined && secret.verifier !== verifierRef(account.verifier)
  return isOther ? [{ what: 'The operator secret in the store is not the one whose setting the trail records' }] : []
}

function named({ operation, adapter_name }: AuditEntry): string {
  return `${operation} of ${adapter_name}`
}

function later(timestamp: string): string {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? '' : new Date(time + REACH_MS).toISOString()
}
