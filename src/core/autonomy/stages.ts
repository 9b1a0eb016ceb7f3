import { type AutonomySettings, RISK_TOLERANCES, type SafetyTier, type StepOutcome } from '../../protocol/directive.ts'
import { findApproval } from './approvable.ts'
import { findInside, isOverwhelmed, type ReadHint } from './hint-patterns.ts'

/** Spec §8.7.2. A stage pauses, stops or approves, or has no objection. */
export interface Stage {
  readonly name: StageName
  /** Passed over when a pattern has approved the action (AUTO-08). */
  readonly skippable: boolean
  readonly judge: (step: Step, settings: AutonomySettings) => Verdict | undefined
}

export type StageName = 'step limit' | 'previous outcome' | 'action patterns' | 'safety tier' | 'risk tolerance'

export interface Step {
  /** Reports that were evaluated since a human last let the execution go on, this one included. */
  readonly count: number
  readonly hint: ReadHint
  readonly outcome?: StepOutcome
  /** 0 to 100, rounded up. */
  readonly score: number
  /** The score without what the agent itself says. */
  readonly found?: number
  readonly tier: SafetyTier
  readonly nameScore?: number
  readonly isCommand?: boolean
}

export interface Verdict {
  /** `verify` is a pause that only a code ends. */
  readonly outcome: 'approve' | 'pause' | 'verify' | 'stop'
  readonly reason: string
  /** The pattern that spoke, in stage 3. */
  readonly pattern?: string
}

const stepLimit: Stage = {
  name: 'step limit',
  skippable: false,
  judge: ({ count }, { maxAutonomousSteps: most }) =>
    most !== null && count > most ? pause('Step limit exceeded') : undefined,
}

const previousOutcome: Stage = {
  name: 'previous outcome',
  skippable: false,
  judge: ({ outcome }) => (outcome === 'failure' ? pause('Previous step failed') : undefined),
}

const TOO_INVOLVED = 'Action is too involved to be compared with the patterns'

/** AUTO-06: deny before requiresApproval before autoApprove, whatever the order of the lists. */
const actionPatterns: Stage = {
  name: 'action patterns',
  skippable: false,
  judge: (step, { deny, requiresApproval, autoApprove }) => {
    const { hint } = step
    const denied = findInside(deny, hint)
    if (denied !== undefined)
      return { outcome: 'stop', reason: `Action is denied by pattern '${denied}'`, pattern: denied }
    // Whatever stands behind the end of the work may be denied.
    if (isOverwhelmed(hint)) return { outcome: 'stop', reason: TOO_INVOLVED }
    const held = findInside(requiresApproval, hint)
    if (held !== undefined) return { ...pause(`Action needs approval by pattern '${held}'`), pattern: held }
    if (isOverwhelmed(hint)) return pause(TOO_INVOLVED)
    const approved = findApproval(autoApprove, hint, step)
    if (approved === undefined) return undefined
    return { outcome: 'approve', reason: `Action is approved by pattern '${approved}'`, pattern: approved }
  },
}

const TIER_VERDICTS: Readonly<Record<SafetyTier, Verdict['outcome'] | undefined>> = {
  advisory: undefined,
  confirm: 'pause',
  verify: 'verify',
  danger_zone: 'stop',
}

const safetyTier: Stage = {
  name: 'safety tier',
  skippable: true,
  judge: ({ score, tier }) => {
    const outcome = TIER_VERDICTS[tier]
    return outcome && { outcome, reason: `Risk ${score} is in the tier ${tier}` }
  },
}

const riskTolerance: Stage = {
  name: 'risk tolerance',
  skippable: true,
  judge: ({ score }, { riskTolerance: level }) =>
    score > RISK_TOLERANCES[level] ? pause(`Risk ${score} is above the tolerance ${level}`) : undefined,
}

/** In the order the specification gives. A new stage is one constant above and one line here. */
export const STAGES: readonly Stage[] = [stepLimit, previousOutcome, actionPatterns, safetyTier, riskTolerance]

function pause(reason: string): Verdict {
  return { outcome: 'pause', reason }
}
