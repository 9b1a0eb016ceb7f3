/**
 * The operator plane. A decision carries who made it and through which channel; only channels make one (SELF-02), and
 * test/architecture.test.ts holds the list of files that may.
 */
export interface HumanDecision {
  readonly [human]: true
  readonly decision: 'approve' | 'deny' | 'revoke'
  /** `session`: the identical call, `maxUses` times at most (TOK-14). */
  readonly scope: 'once' | 'session'
  readonly maxUses: number
  readonly reason?: string
  /** The operator's words for the agent, told with a denial; the reason stays in the audit trail. */
  readonly tellAgent?: string
  /** The denial says that the agent looks manipulated (BLOCK-10). */
  readonly manipulated: boolean
  /** What the human was shown; a request that has changed since is not decided. */
  readonly version?: number
  readonly paramsHash?: string
  readonly by: Approver
}
declare const human: unique symbol

export interface Approver {
  /** As the channel authenticated it, for example `operator` or an OAuth subject. */
  readonly subject: string
  readonly channel: ApprovalChannel
  readonly role: OperatorRole
  /** When the approver last proved who they are; re-authentication compares it with the time of issue (DNG-19). */
  readonly authenticatedAt?: number
}

/** SELF-02: exactly these count. */
export const APPROVAL_CHANNELS = ['elicitation', 'console', 'terminal', 'principal'] as const
export type ApprovalChannel = (typeof APPROVAL_CHANNELS)[number]

export type OperatorRole = 'viewer' | 'approver' | 'admin'

export type DecisionParts = Pick<HumanDecision, 'decision' | 'by'> &
  Partial<Omit<HumanDecision, 'decision' | 'by' | typeof human>>

/** The one constructor. What an agent sends never reaches it. */
export function humanDecision(parts: DecisionParts): HumanDecision {
  return { scope: 'once', maxUses: 1, manipulated: false, ...parts } as HumanDecision // the brand exists for the compiler
}
