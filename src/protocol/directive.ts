/** Spec §8.6.1 — how much the execution safety loop does, from the most to the least (LOOP-06). */
export const SAFETY_MODES = ['enforcing', 'monitoring', 'logging', 'disabled'] as const
export type SafetyMode = (typeof SAFETY_MODES)[number]

/** Spec §8.7.2 stage 4 — the tiers of the next step, from the mildest (AUTO-11). */
export const SAFETY_TIERS = ['advisory', 'confirm', 'verify', 'danger_zone'] as const
export type SafetyTier = (typeof SAFETY_TIERS)[number]

/** Spec §8.7.2 stage 5 — a score above the threshold pauses (AUTO-14), from the strictest. */
export const RISK_TOLERANCES = { conservative: 25, moderate: 50, aggressive: 75 } as const
export type RiskTolerance = keyof typeof RISK_TOLERANCES

/** Spec §8.6.3 (LOOP-13). */
export const STEP_OUTCOMES = ['success', 'failure', 'skipped'] as const
export type StepOutcome = (typeof STEP_OUTCOMES)[number]

/** LOOP-12: a hint is judged in full or refused. */
export const MAX_HINT_LENGTH = 10_000

/** Spec §8.7.3. What bears a state is told again until the state has gone; the rest is told once. */
export const NOTIFICATION_TYPES = {
  permission_pending: { repeats: true },
  autonomy_pause: { repeats: true },
  danger_zone: { repeats: true },
  status: { repeats: false },
  error: { repeats: false },
} as const satisfies Record<string, { readonly repeats: boolean }>
export type NotificationType = keyof typeof NOTIFICATION_TYPES

/** Spec §8.7.3 (NOTE-01). */
export interface AgentNotification {
  readonly type: NotificationType
  readonly message: string
  /** ISO 8601. */
  readonly timestamp: string
  readonly metadata?: {
    readonly operation?: string
    readonly reason?: string
    readonly level?: string
    readonly verificationId?: string
    readonly approvalId?: string
  }
}

/** Spec §8.7.1 (AUTO-01). `stopped: true` implies `continue: false`. */
export interface AutonomyDirective {
  readonly continue: boolean
  /** At least one. */
  readonly factors: readonly string[]
  readonly stopped?: true
  readonly reason?: string
  readonly stepsRemaining?: number
  readonly nextStepRisk?: SafetyTier
  readonly notifications?: readonly AgentNotification[]
}

/** Spec §8.7.4, as configured and as `execute_agent` reports it. `null` is no limit (AUTO-04). */
export interface AutonomySettings {
  readonly maxAutonomousSteps: number | null
  readonly riskTolerance: RiskTolerance
  readonly deny: readonly string[]
  readonly requiresApproval: readonly string[]
  readonly autoApprove: readonly string[]
}

/**
 * Spec §8.7.2 and loop §5.2: what applies where the operator says nothing (AUTO-04, DONGLE-04). Only what is wrong
 * whatever its target is denied: the specification's `rm -rf*` would refuse `rm -rf build` for good and teach an agent to
 * write `rm -r -f build`, so that commands are judged by what they do to what.
 */
export const DEFAULT_AUTONOMY: AutonomySettings = Object.freeze({
  maxAutonomousSteps: 10,
  riskTolerance: 'moderate',
  deny: Object.freeze(['drop_*', 'delete_all*', '*_production*']),
  requiresApproval: Object.freeze(['delete_*', '*force*', 'deploy_*', 'git push*']),
  autoApprove: Object.freeze(['read_*', 'list_*', 'get_*', 'search_*']),
})
