import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import type { Store } from '../ports/store.ts'
import { openBlocksRef } from '../verification/block.ts'
import { clientsAgainst, type ToldClient } from './compare-clients.ts'
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
    ...(await clientsAgainst(store, told.clients, told.excusedUntil)),
    ...(await verifierAgainst(store, told)),
  ]
}

interface Told {
  readonly found: Contradiction[]
  readonly intents: Set<string>
  readonly grants: Map<string, Grant>
  readonly denials: Set<string>
  /** Requests that were taken back. */
  readonly revoked: Set<string>
  /** By the id of the request: how often the trail says that it was used. */
  readonly used: Map<string, number>
  readonly clients: Map<string, ToldClient>
  /** By the key of the agent: what the trail says last. */
  readonly blocked: Map<string, { readonly isBlocked: boolean; readonly seq: number }>
  secret?: AuditEntry
  /** Until then a trail may refer to what was pruned. */
  excusedUntil: string
}

interface Grant {
  readonly isOnce: boolean
  readonly entry: AuditEntry
  uses: number
}

const EVENTS = [
  'OPERATION_INTENT',
  'OPERATION_OUTCOME',
  'CONFIRMATION_GRANTED',
  'APPROVAL_DENIED',
  'TOKEN_VALIDATED',
  'TOKEN_REVOKED',
  'CLIENT_ADDED',
  'CLIENT_REVOKED',
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
    revoked: new Set(),
    used: new Map(),
    clients: new Map(),
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
  CONFIRMATION_GRANTED: (entry, _, { grants }) => {
    const id = String(entry.approval_id)
    if (!grants.has(id)) grants.set(id, { isOnce: entry.scope !== 'session', entry, uses: 0 })
  },
  TOKEN_VALIDATED: ({ token_id }, _, { used }) =>
    void used.set(String(token_id), 1 + (used.get(String(token_id)) ?? 0)),
  TOKEN_REVOKED: ({ approval_id, token_id }, _, { revoked }) => void revoked.add(String(approval_id ?? token_id)),
  CLIENT_ADDED: (entry, seq, told) => noteClient(entry, seq, told, false),
  CLIENT_REVOKED: (entry, seq, told) => noteClient(entry, seq, told, true),
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

function noteClient(entry: AuditEntry, seq: number, { clients }: Told, isRevoked: boolean): void {
  const { client_name: name, client_id: id, elicitation } = entry
  if (typeof name !== 'string') return
  clients.set(name, { seq, isRevoked, elicitation: elicitation === true, ...(typeof id === 'string' && { id }) })
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

async function requestsAgainst(store: Store, told: Told): Promise<readonly Contradiction[]> {
  const requests = await store.list<ApprovalRequest>('request')
  return requests.flatMap(({ id, value }) => {
    const why = faultOf(id, value, told)
    return why === undefined ? [] : [{ what: `The store has request ${id} (${value.operation}) as ${why}` }]
  })
}

/** A request that a record has made more of than the trail bears out. */
function faultOf(id: string, request: ApprovalRequest, told: Told): string | undefined {
  const { state, approvedAt, useCount, maxUses } = request
  const grant = told.grants.get(id)
  if ((state === 'approved' || approvedAt !== undefined) && !grant) return 'approved, but the trail has no grant of it'
  if (state === 'denied' && !told.denials.has(id)) return 'denied, but the trail has no denial of it'
  if (state !== 'approved') return undefined
  if (told.denials.has(id)) return 'approved, but the trail says that it was denied'
  if (told.revoked.has(id)) return 'approved, but the trail says that it was taken back'
  if (maxUses > (grant?.isOnce ? 1 : MOST_USES)) return `approved for ${maxUses} uses, more than were granted`
  const used = told.used.get(id) ?? 0
  if (useCount < used) return `used ${useCount} times, but the trail says ${used}`
  return grant && isAnother(request, grant.entry)
    ? 'approved, but for another call than the one that was granted'
    : undefined
}

function isAnother({ paramsHash, operation, principal, session }: ApprovalRequest, granted: AuditEntry): boolean {
  const { params_hash, operation: named, user_id, session_id } = granted
  return paramsHash !== params_hash || operation !== named || principal !== user_id || session !== session_id
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
