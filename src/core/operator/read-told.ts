import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { MOST_USES } from '../gatekeeper/request.ts'
import type { Trail } from '../ports/store.ts'
import { LINK_MS } from './operator-record.ts'
import { carriedBy, cutOf, type Told, type TrailCut } from './trail-cut.ts'

/** Something that the trail does not bear out. */
export interface Contradiction {
  /** The record of the trail that shows it; absent where a record of the store does. */
  readonly seq?: number
  readonly what: string
}

export interface ToldGrant extends Told {
  /** How often it is good; earlier versions did not say it of one for a session. */
  readonly maxUses: number
  /** Of the last approval. */
  at: number
  uses: number
}

export interface ToldLink extends Told {
  isUsed: boolean
}

/** Earlier versions did not say how late an approval may come to its call. */
export interface Expiry {
  readonly expiresAt: number
  readonly usableUntil: number | undefined
}

/** What the trail says of what the store holds, and how its entries fit together. */
export interface ToldState {
  readonly found: Contradiction[]
  readonly intents: Set<string>
  readonly grants: Map<string, ToldGrant>
  readonly denials: Set<string>
  /** Requests that were taken back. */
  readonly revoked: Set<string>
  /** By the id of the request: how often the trail says that it was used. */
  readonly used: Map<string, number>
  /** By the id of the request: until when it can be used. */
  readonly expiries: Map<string, Expiry>
  /** Challenges whose code a human has seen, and those that were answered. */
  readonly shown: Set<string>
  readonly verified: Map<string, Told>
  /** By name, the last that was said; by adapter for trust and modes, by key for blocks. */
  readonly clients: Map<string, Told>
  readonly blocks: Map<string, Told>
  readonly trust: Map<string, Told>
  readonly modes: Map<string, Told>
  readonly links: Map<string, ToldLink>
  secret?: Told
  /** Absent where everything is known from the first record on, or was carried forward when records were removed. */
  readonly unknownTo?: number
  /** Until then entries may refer to what nobody carried forward. */
  excusedUntil: string
}

const EVENTS: readonly AuditEntry['event'][] = [
  'OPERATION_INTENT',
  'OPERATION_OUTCOME',
  'CONFIRMATION_GRANTED',
  'APPROVAL_DENIED',
  'TOKEN_ISSUED',
  'TOKEN_VALIDATED',
  'TOKEN_REVOKED',
  'CHALLENGE_SHOWN',
  'CHALLENGE_VERIFIED',
  'CLIENT_ADDED',
  'CLIENT_REVOKED',
  'AGENT_BLOCKED',
  'AGENT_UNBLOCKED',
  'TRUST_CHANGED',
  'SAFETY_MODE_CHANGED',
  'OPERATOR_SECRET_SET',
  'OPERATOR_LINK_MADE',
  'OPERATOR_LOGIN',
  'TRAIL_PRUNED',
]

const PAGE = 1_000
/** A token for a session lives no longer. */
const REACH_MS = 86_400_000

export async function readTold(trail: Trail): Promise<ToldState> {
  const cut = await cutOf(trail)
  const told = emptyState(cut, await firstTimestamp(trail))
  for (const each of await carriedBy(trail, cut)) readOne(each, told)
  await eachCompared(trail, {}, (each) => {
    if (each.entry.timestamp >= told.excusedUntil) told.excusedUntil = ''
    readOne(each, told)
    if (each.entry.event === 'TRAIL_PRUNED') readPruned(each, cut, told)
  })
  return told
}

/** The entries that tell something, the oldest first. */
export async function eachCompared(
  trail: Trail,
  { after: from = 0, before }: { readonly after?: number; readonly before?: number },
  visit: (told: Told) => void,
): Promise<void> {
  const end = before === undefined ? {} : { before }
  for (let after = from; ; ) {
    const page = await trail.read({ order: 'oldest', after, ...end, events: EVENTS, limit: PAGE })
    for (const { seq, entry } of page) visit({ seq, entry })
    after = page.at(-1)?.seq ?? after
    if (page.length < PAGE) return
  }
}

async function firstTimestamp(trail: Trail): Promise<string> {
  const [first] = await trail.read({ order: 'oldest', limit: 1 })
  return first?.entry.timestamp ?? ''
}

function emptyState({ unknownTo }: TrailCut, first: string): ToldState {
  return {
    found: [],
    intents: new Set(),
    grants: new Map(),
    denials: new Set(),
    revoked: new Set(),
    used: new Map(),
    expiries: new Map(),
    shown: new Set(),
    verified: new Map(),
    clients: new Map(),
    blocks: new Map(),
    trust: new Map(),
    modes: new Map(),
    links: new Map(),
    ...(unknownTo !== undefined && { unknownTo }),
    excusedUntil: unknownTo === undefined ? '' : later(first),
  }
}

function later(timestamp: string): string {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? '' : new Date(time + REACH_MS).toISOString()
}

type Reader = (told: Told, state: ToldState) => void

const READERS: Readonly<Partial<Record<AuditEntry['event'], Reader>>> = {
  OPERATION_INTENT: readIntent,
  OPERATION_OUTCOME: readOutcome,
  CONFIRMATION_GRANTED: readGrant,
  APPROVAL_DENIED: ({ entry }, { denials }) => void denials.add(String(entry.approval_id)),
  TOKEN_ISSUED: ({ entry: { token_id, expires_at, tolerance_ms } }, { expiries }) => {
    const expiresAt = Date.parse(String(expires_at))
    const usableUntil = tolerance_ms === undefined ? undefined : expiresAt + Number(tolerance_ms)
    expiries.set(String(token_id), { expiresAt, usableUntil })
  },
  TOKEN_VALIDATED: readUse,
  TOKEN_REVOKED: ({ entry }, { revoked }) => void revoked.add(String(entry.approval_id ?? entry.token_id)),
  CHALLENGE_SHOWN: ({ entry }, { shown }) => void shown.add(String(entry.verificationId)),
  CHALLENGE_VERIFIED: readVerified,
  CLIENT_ADDED: (told, { clients }) => note(clients, told.entry.client_name, told),
  CLIENT_REVOKED: (told, { clients }) => note(clients, told.entry.client_name, told),
  AGENT_BLOCKED: (told, { blocks }) => note(blocks, told.entry.agent_key, told),
  AGENT_UNBLOCKED: (told, { blocks }) => note(blocks, told.entry.agent_key, told),
  TRUST_CHANGED: (told, { trust }) => {
    if (told.entry.new !== undefined) note(trust, told.entry.adapter_name, told) // otherwise it tells of drift
  },
  SAFETY_MODE_CHANGED: (told, { modes }) => note(modes, told.entry.adapter_name, told),
  OPERATOR_SECRET_SET: readSecret,
  OPERATOR_LINK_MADE: (told, { links }) => note(links, told.entry.link, { ...told, isUsed: false }),
  OPERATOR_LOGIN: readLogin,
}

function readOne(told: Told, state: ToldState): void {
  READERS[told.entry.event]?.(told, state)
}

function note<T>(known: Map<string, T>, name: unknown, told: T): void {
  if (typeof name === 'string') known.set(name, told)
}

function readGrant({ seq, entry }: Told, { grants }: ToldState): void {
  const id = String(entry.approval_id)
  const at = Date.parse(entry.timestamp)
  const known = grants.get(id)
  if (known)
    known.at = at // two people have to approve
  else grants.set(id, { seq, entry, maxUses: grantedUses(entry), at, uses: 0 })
}

function readUse({ seq, entry: { token_id, timestamp, operation } }: Told, state: ToldState): void {
  const id = String(token_id)
  state.used.set(id, 1 + (state.used.get(id) ?? 0))
  const why = faultOfUse(id, timestamp, state)
  if (why !== undefined) state.found.push({ seq, what: `Request ${id} (${operation}) was used ${why}` })
}

function faultOfUse(id: string, usedAt: string, state: ToldState): string | undefined {
  const { revoked, denials, expiries, grants, used, excusedUntil } = state
  const grant = grants.get(id)
  if (!grant && usedAt >= excusedUntil) return 'before anybody had granted it'
  if (grant && used.get(id) === grant.maxUses + 1) return 'after it had been used up'
  if (revoked.has(id)) return 'after it was taken back'
  if (denials.has(id)) return 'after it was denied'
  const { usableUntil } = expiries.get(id) ?? {}
  return usableUntil !== undefined && Date.parse(usedAt) > usableUntil ? 'after it had expired' : undefined
}

function grantedUses({ scope, max_uses }: AuditEntry): number {
  return scope === 'session' ? Number(max_uses ?? MOST_USES) : 1
}

function readIntent({ seq, entry }: Told, { found, intents, grants, excusedUntil }: ToldState): void {
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
  if (grant.uses === grant.maxUses + 1)
    found.push({ seq, what: `${named(entry)} ran more often than request ${id} was granted for` })
  if (entry.params_hash !== grant.entry.params_hash || entry.operation !== grant.entry.operation)
    found.push({ seq, what: `${named(entry)} ran as confirmed, but request ${id} was granted for another call` })
}

function readOutcome({ seq, entry }: Told, { found, intents, excusedUntil }: ToldState): void {
  const isRecorded = (entry.danger_level ?? 0) >= DANGER_LEVELS.destructive
  if (!isRecorded || intents.has(String(entry.intent_id)) || entry.timestamp < excusedUntil) return
  found.push({ seq, what: `${named(entry)} has an outcome, but no record of its intent before it` })
}

function readVerified(told: Told, { found, shown, verified, excusedUntil }: ToldState): void {
  const { seq, entry } = told
  const id = String(entry.verificationId)
  verified.set(id, told)
  if (!shown.has(id) && entry.timestamp >= excusedUntil)
    found.push({ seq, what: `The code of challenge ${id} was right, but nobody was shown one before` })
}

/** The first secret is set where there is none; any other is a change, for which the old one is typed. */
function readSecret(told: Told, state: ToldState): void {
  if (state.secret && told.entry.reason !== 'changed')
    state.found.push({ seq: told.seq, what: 'An operator secret was set as the first one, although there was one' })
  state.secret = told
}

function readLogin({ seq, entry }: Told, { found, links, excusedUntil }: ToldState): void {
  const { link, reason, timestamp } = entry
  if (reason !== 'link' || (link === undefined && links.size === 0)) return // earlier versions named no link
  const made = links.get(String(link))
  const fault = made ? faultOfLink(made, timestamp) : 'that nobody has made'
  if (made) made.isUsed = true
  if (fault !== undefined && (made || timestamp >= excusedUntil))
    found.push({ seq, what: `Somebody has signed in at the console by a link ${fault}` })
}

function faultOfLink({ entry, isUsed }: ToldLink, usedAt: string): string | undefined {
  if (isUsed) return 'that was used before'
  return Date.parse(usedAt) > Date.parse(entry.timestamp) + LINK_MS ? 'that had expired' : undefined
}

/** A record of a removal is true once, in the place of what it has removed. */
function readPruned({ seq, entry }: Told, { removedTo, prunedAt }: TrailCut, { found }: ToldState): void {
  const upTo = Number(entry.removed_to)
  if (upTo > removedTo)
    found.push({ seq, what: `It says that the records up to ${upTo} were removed, but they were not` })
  else if (upTo === removedTo && seq !== prunedAt)
    found.push({ seq, what: `It says that the records up to ${upTo} were removed, but an earlier one says so` })
}

function named({ operation, adapter_name }: AuditEntry): string {
  return `${operation} of ${adapter_name}`
}
