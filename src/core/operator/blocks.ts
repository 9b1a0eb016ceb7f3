import { randomUUID } from 'node:crypto'
import { revokeWhere } from '../gatekeeper/end-session.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import {
  type BlockOrder,
  type BlockRecord,
  blockAgent,
  type LiftOrder,
  liftBlock,
  listBlocks,
} from '../verification/block.ts'

/** BLOCK-08 as the operator sees it. */
export interface BlockView {
  readonly agentKey: string
  readonly name: string
  readonly principal: string
  readonly trigger: string
  readonly hint: string
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

    /** TOK-15: tokens name no agent, so all of its principal's are taken back; what is asked again is looked at again. */
    async block(order) {
      const done = await blockAgent(store, clock, randomUUID(), order)
      const isTheirs = ({ principal }: ApprovalRequest) => principal === order.principal
      if (done === 'blocked') await revokeWhere(store, clock, isTheirs, 'the agent was blocked')
      return done
    },

    lift: (order) => liftBlock(store, clock, order),
  }
}

function viewOf(block: BlockRecord): BlockView {
  const { agentKey, element_name, principal, trigger, hint, reason, score, verificationId } = block
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
