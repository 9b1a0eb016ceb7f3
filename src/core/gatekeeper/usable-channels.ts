import { type DecisionRules, mayApprove } from './approvals.ts'
import type { Reach } from './demand.ts'
import type { ApprovalClass } from './request.ts'

/** What the connection of a call can do for its approval. */
export interface ConnectionReach {
  /** The client declared elicitation, and this connection may use it (SELF-05). */
  readonly canElicit?: boolean | undefined
}

/** SELF-10: the channels through which a human could be asked about this call. Elicitation is one of the connection, not of the server. */
export function reachFrom(reach: Reach, { canElicit }: ConnectionReach): Reach {
  if (canElicit || !reach.channels.includes('elicitation')) return reach
  return { ...reach, channels: reach.channels.filter((channel) => channel !== 'elicitation') }
}

/** SELF-14: those of them that may approve a request of this class. */
export function usableChannels(
  { channels }: Reach,
  asked: ApprovalClass,
  rules: DecisionRules | undefined,
): readonly string[] {
  return channels.filter((channel) => mayApprove(channel, asked, rules?.elicitC2 ?? false))
}
