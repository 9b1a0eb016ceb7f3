import type { SemanticCategory } from '../../protocol/categories.ts'
import type { DangerLevel } from '../../protocol/danger.ts'
import { type RecordRef, record } from '../ports/store.ts'

/** What waits, or waited, for a human: one record for each question (TOK-03, SELF-11). */
export interface ApprovalRequest {
  /** `approval_id`. For a request with a token it is also the token's reference in the audit trail (AUDIT-06). */
  readonly id: string
  readonly kind: RequestKind
  readonly class: ApprovalClass
  /** Rises with every change, so that a decision names what it was shown. */
  readonly version: number
  /** The lookup key that the agent holds; a pause has none. Never shown on the operator plane. */
  readonly token?: string
  readonly adapter: string
  readonly operation: string
  readonly category: SemanticCategory
  readonly endpoint: string
  readonly level: DangerLevel
  readonly trust: string
  /** All resolved parameters as a record holds them (`src/core/masked.ts`), sensitive ones masked; a pause has its `hint`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly paramsHash: string
  /** Characters of the parameters, for as long as they count. */
  readonly size?: number
  /** The failed execution that the call would run again: the approval is good for that alone. */
  readonly retry?: string
  /** The key of the question at the session's desk. */
  readonly scope: string
  readonly session: string
  readonly principal: string
  /** What the operator calls the connection (`serve --client`). */
  readonly label?: string
  /** For the safety loop: the agent that is paused. */
  readonly agent?: { readonly key: string; readonly element_name: string; readonly execution_id?: string }
  /** What the client says of itself. A claim, never an identity (SELF-04). */
  readonly client?: string
  readonly reasons: readonly string[]
  /** `confirmation_message`, filled in (DNG-17). */
  readonly message?: string
  readonly trace: readonly LayerVerdict[]
  readonly issuedAt: number
  readonly expiresAt: number
  /** Added to `expiresAt` when a token is redeemed; none for level 4 (TOK-12). */
  readonly toleranceMs: number
  readonly cooldownSeconds: number
  readonly requiresReauth: boolean
  readonly quotaMetric?: string
  /** The READ that shows what a write would change, and how to call it. */
  readonly preview?: { readonly operation: string; readonly params: Readonly<Record<string, unknown>> }
  readonly state: RequestState
  /** False while the connection, or its principal, has had enough prompts (SELF-13). */
  readonly shown: boolean
  /** The client's form was declined in a way that tells nothing about its user, so another channel has to decide. */
  readonly formDeclined?: boolean
  readonly decisions: readonly RecordedDecision[]
  readonly maxUses: number
  readonly useCount: number
  readonly approvedAt?: number
  readonly consumedAt?: number
  /** How the approved action ended. */
  readonly outcome?: string
}

export type RequestKind = 'operation' | 'quota' | 'agent' | 'pause'

/** SELF-14. */
export type ApprovalClass = 'C1' | 'C2' | 'C3'

export type RequestState = 'pending' | 'approved' | 'denied' | 'consumed' | 'revoked' | 'expired'

/** One layer's opinion, for the operator: `mcpaql explain` and the console print it. */
export interface LayerVerdict {
  readonly layer: string
  readonly verdict: 'allow' | 'confirm' | 'deny' | 'none'
  readonly text: string
  readonly decisive: boolean
}

export interface RecordedDecision {
  readonly decision: 'approve' | 'deny' | 'revoke'
  readonly scope: 'once' | 'session'
  readonly by: string
  readonly channel: string
  readonly at: number
  readonly reason?: string
  readonly tellAgent?: string
}

/** An approval in time may come a little late to its call. */
export function usableUntil({ expiresAt, toleranceMs }: Pick<ApprovalRequest, 'expiresAt' | 'toleranceMs'>): number {
  return expiresAt + toleranceMs
}

/** Of an approval for a session. */
export const MOST_USES = 100

export function requestRef(id: string): RecordRef<ApprovalRequest> {
  return record('request', id)
}

/** The state as a clock makes it: nothing is written when a request merely grows old. */
export function stateOf(request: ApprovalRequest, now: number): RequestState {
  const isOpen = request.state === 'pending' || request.state === 'approved'
  return isOpen && now > request.expiresAt ? 'expired' : request.state
}
