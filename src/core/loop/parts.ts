import type { AutonomySettings, SafetyMode } from '../../protocol/directive.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { TrustLevel } from '../../protocol/trust.ts'
import type { HintScore } from '../autonomy/evaluate.ts'
import type { Reach } from '../gatekeeper/demand.ts'
import type { DisplayChannel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { GatePermission } from './gate-says.ts'

/** What the safety loop is made of and what it needs from its surroundings. */
export interface LoopParts {
  readonly store: Store
  readonly clock: Clock
  readonly adapter: string
  readonly mode: SafetyMode
  readonly settings: AutonomySettings
  readonly channels: readonly DisplayChannel[]
  readonly score: ScoreHint
  readonly limits: LoopLimits
  /** SELF-09: absent where no second principal can exist. */
  readonly decideAsPrincipal?: DecideAsPrincipal
  /** TOK-15: what the gate takes back when an agent of the session is blocked or guesses codes. */
  readonly revokeTokens?: (session: string, reason: string) => Promise<void>
  /** How a human can be reached who decides on a pause; absent where the embedding program decides. */
  readonly reach?: () => Reach
  /** How far the adapter is trusted now, for whoever decides on a pause. */
  readonly trust: () => TrustLevel
  /** GATE-14: the gate's own view of the operations that a hint names. */
  readonly permission?: GatePermission
  /** Takes what must not be lost but cannot be answered. */
  readonly report: (cause: unknown) => void
}

/** AUTO-13: pure, and bounded in its work. */
export type ScoreHint = (hint: string) => HintScore

export type DecideAsPrincipal = (
  principal: string,
  order: { readonly token?: string; readonly approval_id?: string; readonly decision: 'approve' | 'deny' },
) => Promise<unknown | OperationFailure>

export interface LoopLimits {
  /** OOB-11. */
  readonly challengeMs: number
  /** How long a question about a pause stays before a human; the pause itself holds until one decides. */
  readonly pauseMs: number
  /** AUTO-17. */
  readonly grantMs: number
  /** How long a directive waits for a dialog to appear. */
  readonly showMs: number
}

export const LOOP_LIMITS: LoopLimits = { challengeMs: 300_000, pauseMs: 3_600_000, grantMs: 300_000, showMs: 3_000 }

/** OOB-14. */
export const ISSUE_LIMIT = { most: 5, windowMs: 600_000 } as const
