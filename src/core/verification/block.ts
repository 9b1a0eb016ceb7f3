import type { SafetyMode } from '../../protocol/directive.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import { type AgentRecord, agentRef, withoutChallenge } from './agent.ts'
import { agentKey, lookAlike } from './agent-key.ts'
import { challengeRef, closed, isOpen } from './challenge.ts'

/** BLOCK-08. Kept for good; the open ones stand in `OpenBlocks` as well. */
export interface BlockRecord {
  readonly id: string
  readonly agentKey: string
  readonly principal: string
  readonly element_name: string
  readonly trigger: 'danger_zone' | 'deny' | 'operator'
  /** Without what looks like a credential (AUDIT-06). */
  readonly hint: string
  /** A part of the hint is masked: no code is made for an action that nobody can see, and only an operator lifts the block. */
  readonly unseen?: true
  /** Of the hint as it was reported. */
  readonly hintHash?: string
  readonly score?: number
  readonly reason: string
  readonly verificationId?: string
  /** In which the agent ran when the loop stopped it: nothing goes on there under another name. */
  readonly session?: string
  readonly blocked_at: string
  /** BLOCK-10: an operator's own. */
  readonly blocked_by?: string
  readonly unblocked_at?: string
  readonly unblocked_by?: string
  readonly channel?: string
  readonly unblock_reason?: string
}

/** Every block in force, in one record, so that each change of the loop sees all of them in its own commit. */
export type OpenBlocks = Readonly<Record<string, OpenBlock>>

export interface OpenBlock
  extends Pick<
    BlockRecord,
    | 'id'
    | 'agentKey'
    | 'principal'
    | 'element_name'
    | 'trigger'
    | 'hint'
    | 'unseen'
    | 'hintHash'
    | 'score'
    | 'reason'
    | 'verificationId'
    | 'session'
  > {
  readonly lookAlike: string
  readonly blockedAt: number
  /** Whoever holds its session; absent once that has ended. */
  readonly opener?: string
}

export function blockRef(id: string): RecordRef<BlockRecord> {
  return record('block', id)
}

export function openBlocksRef(): RecordRef<OpenBlocks> {
  return record('blocks', 'open')
}

export function blockAt(open: OpenBlocks | undefined, key: string): OpenBlock | undefined {
  return open && Object.hasOwn(open, key) ? open[key] : undefined
}

/** BLOCK-03: the block on this agent, whatever the spelling. A stop by the operator is one on all of its principal (BLOCK-04). */
export function findBlock(open: OpenBlocks, principal: string, elementName: string): OpenBlock | undefined {
  const key = agentKey(principal, elementName)
  const looks = lookAlike(elementName)
  return blocksOf(open, principal).find(
    (block) => block.trigger === 'operator' || block.agentKey === key || block.lookAlike === looks,
  )
}

export interface Starter {
  readonly principal: string
  readonly session: string
  readonly element_name: string
  /** What is known of that name. */
  readonly agent: AgentRecord | undefined
}

/** BLOCK-04: while a principal has an open block, only names that were in use before it can start; none in its session. */
export function startBlock(
  open: OpenBlocks,
  { principal, session, element_name, agent }: Starter,
): OpenBlock | undefined {
  const own = findBlock(open, principal, element_name) ?? sessionBlock(open, session)
  if (own) return own
  return blocksOf(open, principal).find(({ blockedAt }) => !agent || agent.firstSeenAt > blockedAt)
}

/** The session in which the agent ran has ended, so it can no longer answer for the block. */
export function withoutHolder(open: OpenBlocks, key: string, session: string): OpenBlocks {
  const block = blockAt(open, key)
  if (block?.opener === undefined || block.session !== session) return open
  const { opener: _, ...left } = block
  return { ...open, [key]: left }
}

/** The block on an agent that ran in this session. */
export function sessionBlock(open: OpenBlocks, session: string): OpenBlock | undefined {
  return Object.values(open).find((block) => block.session === session)
}

export function blocksOf(open: OpenBlocks, principal: string): readonly OpenBlock[] {
  return Object.values(open).filter((block) => block.principal === principal)
}

/** a stop by the operator holds in every mode; what the loop has set is kept, and holds while the loop enforces. */
export function inForce(open: OpenBlocks, mode: SafetyMode): OpenBlocks {
  if (mode === 'enforcing') return open
  return Object.fromEntries(Object.entries(open).filter(([, { trigger }]) => trigger === 'operator'))
}

export function opened(block: BlockRecord, opener?: string): OpenBlock {
  const { id, agentKey: key, principal, element_name, trigger, hint, hintHash, score, reason } = block
  const { verificationId, session, unseen } = block
  return {
    id,
    agentKey: key,
    principal,
    element_name,
    trigger,
    hint,
    reason,
    ...(unseen && { unseen }),
    ...(hintHash !== undefined && { hintHash }),
    ...(score !== undefined && { score }),
    ...(verificationId !== undefined && { verificationId }),
    ...(session !== undefined && { session }),
    lookAlike: lookAlike(element_name),
    blockedAt: Date.parse(block.blocked_at),
    ...(opener !== undefined && { opener }),
  }
}

export interface BlockOrder {
  readonly agentKey: string
  readonly name: string
  readonly principal: string
  readonly reason: string
  readonly by: string
  readonly channel: string
}

/** BLOCK-10: an operator stops an agent, or with the principal as key all agents of a principal. */
export async function blockAgent(
  store: Store,
  clock: Clock,
  id: string,
  order: BlockOrder,
): Promise<'blocked' | 'already'> {
  for (;;) {
    const known = blockAt(await store.get(openBlocksRef()), order.agentKey)
    const done = await attemptBlock(store, clock, known?.id ?? id, order)
    if (done !== 'again') return done
  }
}

/** A block that the loop has set becomes the operator's: from then on it holds in every mode, and no older code lifts it. */
function attemptBlock(
  store: Store,
  clock: Clock,
  id: string,
  order: BlockOrder,
): Promise<'blocked' | 'already' | 'again'> {
  const refs = { open: openBlocksRef(), block: blockRef(id) }
  return store.update<typeof refs, 'blocked' | 'already' | 'again'>(refs, ({ open = {}, block: old }) => {
    const known = blockAt(open, order.agentKey)
    if (known?.trigger === 'operator') return { result: 'already' }
    if (known && known.id !== id) return { result: 'again' }
    const timestamp = new Date(clock.now()).toISOString()
    const block: BlockRecord = {
      id,
      agentKey: order.agentKey,
      principal: order.principal,
      element_name: order.name,
      trigger: 'operator',
      hint: old?.hint ?? '',
      ...(old?.hintHash !== undefined && { hintHash: old.hintHash }),
      ...(old?.score !== undefined && { score: old.score }),
      ...(old?.session !== undefined && { session: old.session }),
      reason: order.reason,
      blocked_at: timestamp,
      blocked_by: order.by,
      channel: order.channel,
    }
    const entry = { ...blockEntry('AGENT_BLOCKED', block, timestamp), operator: order.by, channel: order.channel }
    return {
      next: { open: { ...open, [block.agentKey]: opened(block) }, block },
      audit: [entry],
      result: 'blocked',
    }
  })
}

export interface LiftOrder {
  readonly agentKey: string
  readonly reason: string
  readonly by: string
  readonly channel: string
}

/** BLOCK-07: the admin override. It allows no action: neither a grant nor an approval comes of it. */
export async function liftBlock(store: Store, clock: Clock, order: LiftOrder): Promise<'lifted' | 'unknown'> {
  for (;;) {
    const known = blockAt(await store.get(openBlocksRef()), order.agentKey)
    if (!known) return 'unknown'
    const refs = {
      open: openBlocksRef(),
      block: blockRef(known.id),
      agent: agentRef(order.agentKey),
      challenge: challengeRef(known.verificationId ?? ''),
    }
    const lifted = await store.update<typeof refs, 'lifted' | 'again'>(
      refs,
      ({ open = {}, block, agent, challenge }) => {
        const current = blockAt(open, order.agentKey)
        if (current?.id !== known.id || current.verificationId !== known.verificationId) return { result: 'again' }
        const now = clock.now()
        const timestamp = new Date(now).toISOString()
        const ended: BlockRecord = {
          ...(block ?? asRecord(known)),
          unblocked_at: timestamp,
          unblocked_by: order.by,
          channel: order.channel,
          unblock_reason: order.reason,
        }
        const by = { operator: order.by, channel: order.channel, reason: order.reason }
        return {
          next: {
            open: withoutBlock(open, order.agentKey),
            block: ended,
            ...(agent?.challenge?.cause === 'block' && { agent: withoutChallenge(agent) }),
            ...(challenge && isOpen(challenge) && { challenge: closed(challenge, now) }),
          },
          audit: [
            { ...blockEntry('ADMIN_OVERRIDE', ended, timestamp), ...by },
            { ...blockEntry('AGENT_UNBLOCKED', ended, timestamp), ...by },
          ],
          result: 'lifted',
        }
      },
    )
    if (lifted === 'lifted') return lifted
  }
}

export async function listBlocks(store: Store): Promise<readonly BlockRecord[]> {
  return (await store.list<BlockRecord>('block')).map(({ value }) => value)
}

export function withoutBlock(open: OpenBlocks, key: string): OpenBlocks {
  return Object.fromEntries(Object.entries(open).filter(([each]) => each !== key))
}

export function blockEntry(event: AuditEntry['event'], block: BlockRecord, timestamp: string): AuditEntry {
  const { agentKey: agent_key, principal, element_name, trigger, hint, score, reason, verificationId } = block
  return {
    timestamp,
    event,
    agent_key,
    element_name,
    trigger,
    reason,
    ...(hint !== '' && { hint }),
    ...(score !== undefined && { score }),
    ...(verificationId !== undefined && { verificationId }),
    user_id: principal,
  }
}

export function asRecord({ lookAlike: _, opener: __, blockedAt, ...block }: OpenBlock): BlockRecord {
  return { ...block, blocked_at: new Date(blockedAt).toISOString() }
}
