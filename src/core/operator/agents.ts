import { type ApprovalRequest, stateOf } from '../gatekeeper/request.ts'
import type { Store, TrailEntry } from '../ports/store.ts'
import { sha256 } from '../sha256.ts'
import type { AgentRecord } from '../verification/agent.ts'
import type { BlockView } from './blocks.ts'
import { type Connection, sharedNote, stopEffect } from './connection.ts'
import { eachEntry } from './each-entry.ts'
import { eachRecord } from './each-record.ts'

/** Who acts on the agent plane: a principal, or an agent that it runs under a name of its own. */
export interface AgentView {
  /** For addresses: foreign names never stand in one. */
  readonly id: string
  readonly key: string
  readonly name: string
  readonly principal: string
  /** The last session it was seen in, and what its client calls itself. */
  readonly session: string
  readonly client?: string
  /** Who of those that share the principal was here; the latest first. */
  readonly connections: readonly SeenConnection[]
  /** What a stop of it does, and whom it stops beside it. */
  readonly effect: string
  readonly shared?: string
  /** Of the execution that runs: what it is for, in the agent's words, and how far it is. */
  readonly execution?: { readonly goal?: string; readonly steps: number; readonly alone: number }
  readonly state: 'blocked' | 'waiting' | 'active' | 'idle'
  readonly lastSeenAt: number
  readonly day: { readonly asked: number; readonly approved: number; readonly denied: number; readonly ran: number }
}

export interface SeenConnection extends Connection {
  readonly lastSeenAt: number
}

export function agentId(key: string): string {
  return sha256(key).slice(0, 16)
}

/** What is known of the last 24 hours. */
export async function readAgents(
  store: Store,
  blocks: readonly BlockView[],
  now: number,
): Promise<readonly AgentView[]> {
  const from = new Date(now - DAY_MS).toISOString()
  const found = new Map<string, Draft>()
  for (const { value } of await store.list<AgentRecord>('agent')) addRecord(found, value, now)
  await eachEntry(store, { from }, MOST_ENTRIES, (entry) => addEntry(found, entry))
  await eachRecord<ApprovalRequest>(store, 'request', (request) => addRequest(found, request, now))
  for (const block of blocks) addBlock(found, block)
  return [...found.values()].map((draft) => viewOf(draft, now)).sort((a, b) => b.lastSeenAt - a.lastSeenAt)
}

const DAY_MS = 86_400_000
const ACTIVE_MS = 300_000
const MOST_ENTRIES = 20_000
const MOST_CONNECTIONS = 20

interface Draft {
  readonly key: string
  name: string
  principal: string
  session: string
  client?: string
  readonly connections: Map<string, SeenConnection>
  execution?: NonNullable<AgentView['execution']>
  isBlocked: boolean
  isWaiting: boolean
  lastSeenAt: number
  asked: number
  approved: number
  denied: number
  ran: number
}

function addRecord(found: Map<string, Draft>, agent: AgentRecord, now: number): void {
  const { key, principal, element_name, execution } = agent
  const seenAt = execution?.startedAt ?? agent.ended[0]?.finishedAt ?? agent.firstSeenAt
  if (!execution && seenAt < now - DAY_MS) return
  const draft = draftOf(found, key, { principal, name: element_name })
  draft.lastSeenAt = seenAt
  if (!execution) return
  draft.session = execution.session
  const { goal, steps, count } = execution
  draft.execution = { ...(goal !== undefined && { goal }), steps, alone: count }
}

function addEntry(found: Map<string, Draft>, { entry }: TrailEntry): void {
  if (typeof entry.user_id !== 'string' || entry.user_id === '') return
  const at = Date.parse(entry.timestamp)
  const { user_id: principal, agent_key, element_name } = entry
  const key = typeof agent_key === 'string' ? agent_key : principal
  const draft = draftOf(found, key, { principal, name: typeof element_name === 'string' ? element_name : principal })
  if (at > draft.lastSeenAt && entry.operator === undefined) {
    draft.lastSeenAt = at
    draft.session = typeof entry.session_id === 'string' ? entry.session_id : draft.session
  }
  if (entry.operator === undefined && typeof entry.session_id === 'string' && entry.session_id !== 'none') {
    const { label, claims } = entry.client_context ?? {}
    addConnection(draft, { principal, session: entry.session_id, label, client: claims }, at)
  }
  if (entry.event === 'CONFIRMATION_REQUIRED') draft.asked++
  if (entry.event === 'CONFIRMATION_GRANTED') draft.approved++
  if (entry.event === 'APPROVAL_DENIED') draft.denied++
  const isOver = entry.event === 'OPERATION_CALLED' && entry.outcome !== 'started' // its outcome comes later
  if (isOver || entry.event === 'OPERATION_OUTCOME') draft.ran++
}

function addRequest(found: Map<string, Draft>, request: ApprovalRequest, now: number): void {
  const { principal, agent, session, client, issuedAt } = request
  const isWaiting = stateOf(request, now) === 'pending'
  if (!isWaiting && issuedAt < now - DAY_MS) return
  const draft = draftOf(found, agent?.key ?? principal, { principal, name: agent?.element_name ?? principal })
  draft.isWaiting ||= isWaiting
  if (client !== undefined) draft.client = client
  addConnection(draft, request, issuedAt)
  if (issuedAt <= draft.lastSeenAt && draft.session !== '') return
  draft.lastSeenAt = Math.max(issuedAt, draft.lastSeenAt)
  draft.session = session
}

function addConnection({ connections }: Draft, { principal, session, label, client }: Connection, at: number): void {
  const known = connections.get(session)
  connections.set(session, {
    principal,
    session,
    label: label ?? known?.label,
    client: client ?? known?.client,
    lastSeenAt: Math.max(at, known?.lastSeenAt ?? 0),
  })
}

function addBlock(found: Map<string, Draft>, { agentKey, name, principal, trigger, since, liftedAt }: BlockView): void {
  if (liftedAt !== undefined) return
  const draft = draftOf(found, agentKey, { principal, name })
  draft.isBlocked = true
  draft.lastSeenAt = Math.max(draft.lastSeenAt, since)
  if (trigger !== 'operator') return
  for (const other of found.values()) if (other.principal === principal) other.isBlocked = true // BLOCK-10
}

function draftOf(found: Map<string, Draft>, key: string, named: { principal: string; name: string }): Draft {
  const known = found.get(key)
  if (known) return known
  const fresh: Draft = {
    key,
    ...named,
    session: '',
    connections: new Map(),
    isBlocked: false,
    isWaiting: false,
    lastSeenAt: 0,
    asked: 0,
    approved: 0,
    denied: 0,
    ran: 0,
  }
  found.set(key, fresh)
  return fresh
}

function viewOf(draft: Draft, now: number): AgentView {
  const { isBlocked, isWaiting, asked, approved, denied, ran, connections: seen, ...known } = draft
  const connections = [...seen.values()].sort((a, b) => b.lastSeenAt - a.lastSeenAt).slice(0, MOST_CONNECTIONS)
  const shared = sharedNote(known.principal)
  const isActive = known.lastSeenAt > now - ACTIVE_MS
  const state = isBlocked ? 'blocked' : isWaiting ? 'waiting' : isActive ? 'active' : 'idle'
  const day = { asked, approved, denied, ran }
  const effect = stopEffect(known.principal)
  return { id: agentId(known.key), ...known, connections, effect, ...(shared !== undefined && { shared }), state, day }
}
