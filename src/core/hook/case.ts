import type { AuditEntry } from '../audit/entry.ts'
import type { Evaluation } from '../autonomy/evaluate.ts'
import type { Attention } from '../gatekeeper/attention.ts'
import type { Reach } from '../gatekeeper/demand.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import type { OpenBlocks } from '../verification/block.ts'
import { entryOf } from './ask-about-call.ts'
import type { HookDesk } from './hook-desk.ts'
import type { ToolCall } from './tool-call.ts'
import type { Weighed } from './weigh-call.ts'

/** What a hook is told; the client shows the reason to the agent. */
export interface HookVerdict {
  readonly continue: boolean
  readonly reason: string
  readonly factors: readonly string[]
  readonly score?: number
  readonly tier?: string
  readonly approval_id?: string
}

/** A call on its way through the judgement. */
export interface Case {
  readonly call: ToolCall
  readonly hash: string
  /** The same before and after the call. */
  readonly deed: string
  readonly weighed: Weighed
  readonly evaluation: Evaluation
  /** Why nobody can be asked about it, nor it go on: a credential in it. */
  readonly unseen?: string | undefined
  /** The request that stands for this call, or holds the whole session, if there is one. */
  readonly known: string | undefined
  /** The id of the request that may be made. */
  readonly fresh: string
}

/** What the records say. */
export interface Known {
  readonly open?: OpenBlocks | undefined
  readonly desk?: HookDesk | undefined
  readonly asked?: ApprovalRequest | undefined
  readonly attention?: Attention | undefined
}

/** What they shall say, and what the hook is told; `again` when others were looked at than needed. */
export interface Ruling {
  readonly next?: {
    readonly desk?: HookDesk
    readonly asked?: ApprovalRequest
    readonly made?: ApprovalRequest
    readonly attention?: Attention
  }
  readonly audit?: readonly AuditEntry[]
  readonly result: HookVerdict | 'again'
}

export function refuse(it: Case, now: number, reason: string, approval_id?: string): Ruling {
  const entry = entryOf(it, 'OPERATION_DENIED', 'denied', now)
  return {
    audit: [{ ...entry, reason, ...(approval_id !== undefined && { approval_id }) }],
    result: { ...verdictOf(it), continue: false, reason, ...(approval_id !== undefined && { approval_id }) },
  }
}

export function verdictOf({ evaluation: { factors, score, tier } }: Case) {
  return { factors, score, ...(tier && { tier }) }
}

/** Where a human decides on a request. */
export function whereToDecide({ id, shown }: ApprovalRequest, reach: (() => Reach) | undefined): string {
  const { channels, consoleUrl } = reach?.() ?? { channels: ['terminal'] }
  const ways = [
    ...(channels.includes('console') ? [consoleUrl ? `the console ${consoleUrl}` : 'the console'] : []),
    ...(channels.includes('terminal') ? [`mcpaql approve ${id}`] : []),
  ]
  return shown ? ways.join(' or ') : 'when the other requests are decided'
}

/** Once: used up in the commit that acts on it. */
export function usedUp(asked: ApprovalRequest, now: number): ApprovalRequest {
  const { version, useCount } = asked
  return { ...asked, version: version + 1, state: 'consumed', useCount: useCount + 1, consumedAt: now }
}
