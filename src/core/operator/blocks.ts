import { randomUUID } from 'node:crypto'
import { revokeWhere } from '../gatekeeper/end-session.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { type AgentRecord, agentRef } from '../verification/agent.ts'
import {
  type BlockOrder,
  type BlockRecord,
  blockAgent,
  blockAt,
  type LiftOrder,
  liftBlock,
  listBlocks,
  openBlocksRef,
} from '../verification/block.ts'

/** BLOCK-08 as the operator sees it. */
export interface BlockView {
  readonly agentKey: string
  readonly name: string
  readonly principal: string
  readonly trigger: string
  readonly hint: string
  /** A part of the hint is masked. */
  readonly unseen?: true
  readonly score?: number
  readonly since: number
  readonly by?: string
  readonly reason?: string
  /** The challenge that could lift it, as long as it can be answered. */
  readonly challenge?: string
  readonly liftedAt?: number
  readonly liftedBy?: string
  readonly liftedReason?: string
}

/** BLOCK-07, BLOCK-10. */
export interface Blocks {
  /** Open ones first, then those lifted, the newest first. */
  list(): Promise<readonly BlockView[]>
  block(order: BlockOrder): Promise<'blocked' | 'already'>
  lift(order: LiftOrder): Promise<'lifted' | 'unknown'>
}

/** BLOCK-07: shorter is no reason. */
export const SHORTEST_REASON = 10

export function createBlocks(store: Store, clock: Clock): Blocks {
  return {
    list: async () => (await listBlocks(store)).map(viewOf).sort(openFirst),

    async block(order) {
      const done = await blockAgent(store, clock, randomUUID(), order)
      await takeBack(store, clock, order.principal, order)
      return done
    },

    /** BLOCK-07: what was approved before the stop is gone, also when the process that stopped the agent was killed. */
    async lift(order) {
      const block = blockAt(await store.get(openBlocksRef()), order.agentKey)
      if (block) await takeBack(store, clock, block.principal, order)
      return liftBlock(store, clock, order)
    },
  }
}

/** TOK-15: a stop is one on the whole principal, so everything granted to it is taken back. */
async function takeBack(
  store: Store,
  clock: Clock,
  principal: string,
  { by, channel }: Pick<BlockOrder, 'by' | 'channel'>,
): Promise<void> {
  await revokeWhere(store, clock, (request) => request.principal === principal, 'the agent was blocked', {
    by,
    channel,
  })
  for (const { value: agent } of await store.list<AgentRecord>('agent'))
    if (agent.principal === principal && agent.grants.length > 0) await withoutGrants(store, agent.key)
}

function withoutGrants(store: Store, key: string): Promise<void> {
  const refs = { agent: agentRef(key) }
  return store.update<typeof refs, void>(refs, ({ agent }) => ({
    ...(agent && { next: { agent: { ...agent, grants: [] } } }),
    result: undefined,
  }))
}

function viewOf(block: BlockRecord): BlockView {
  const { agentKey, element_name, principal, trigger, hint, unseen, reason, score, verificationId } = block
  return {
    agentKey,
    name: element_name,
    principal,
    trigger,
    hint,
    reason,
    since: Date.parse(block.blocked_at),
    ...(score !== undefined && { score }),
    ...(block.blocked_by !== undefined && { by: block.blocked_by }),
    ...(unseen && { unseen }),
    ...(verificationId !== undefined && { challenge: verificationId }),
    ...(block.unblocked_at !== undefined && { liftedAt: Date.parse(block.unblocked_at) }),
    ...(block.unblocked_by !== undefined && { liftedBy: block.unblocked_by }),
    ...(block.unblock_reason !== undefined && { liftedReason: block.unblock_reason }),
  }
}

function openFirst(a: BlockView, b: BlockView): number {
  const [aOpen, bOpen] = [a.liftedAt === undefined, b.liftedAt === undefined]
  if (aOpen !== bOpen) return aOpen ? -1 : 1
  return (b.liftedAt ?? b.since) - (a.liftedAt ?? a.since)
}
