import type { AutonomySettings, SafetyTier, StepOutcome } from '../../protocol/directive.ts'
import { readHint } from './hint-patterns.ts'
import { tierOf } from './risk/tiers.ts'
import { STAGES, type Stage, type StageName, type Step, type Verdict } from './stages.ts'

/** What the risk scorer says of a hint (AUTO-13). */
export interface HintScore {
  readonly score: number
  readonly factors: readonly string[]
  /** Of one call: what its name is worth without its arguments. */
  readonly nameScore?: number
}

export interface EvaluationInput {
  readonly hint: string
  readonly outcome?: StepOutcome
  /** Reports evaluated before this one. */
  readonly count: number
  readonly scored: HintScore
  /** What the agent says; it can only raise the score. */
  readonly riskScore?: number
  readonly settings: AutonomySettings
  /** True where the hint is what a shell is going to run, not words about it. */
  readonly isCommand?: boolean
}

export interface Evaluation {
  readonly outcome: 'continue' | 'pause' | 'stop'
  readonly reason?: string
  /** The earliest of the stages with the most severe verdict. */
  readonly stage?: StageName
  readonly factors: readonly string[]
  readonly score: number
  /** Absent only where the evaluation failed. */
  readonly tier?: SafetyTier
  readonly verdicts: readonly StageVerdict[]
}

export interface StageVerdict {
  readonly stage: StageName
  readonly outcome: Verdict['outcome'] | 'pass' | 'skip'
  readonly reason: string
  readonly pattern?: string
}

/** Spec §8.7.2, AUTO-02: every stage speaks, the most severe wins. AUTO-19: what cannot be evaluated pauses. */
export function evaluate(input: EvaluationInput, stages: readonly Stage[] = STAGES): Evaluation {
  try {
    return judged(input, stages)
  } catch {
    return FAILED
  }
}

/** A score is a number from 0 to 100, rounded up; whatever else it is, it is the worst. */
export function highestScore(scored: HintScore, riskScore = 0): number {
  const score = Math.ceil(Math.max(scored.score, riskScore))
  return score >= 0 && score <= 100 ? score : 100
}

const FAILED: Evaluation = Object.freeze({
  outcome: 'pause',
  reason: 'The step could not be evaluated',
  factors: Object.freeze(['evaluation: failed, so a human has to look at it']),
  score: 100,
  verdicts: Object.freeze([]),
})

/** */
const SEVERITY = { skip: 0, pass: 0, approve: 0, pause: 1, verify: 2, stop: 3 } as const
const OUTCOMES = ['continue', 'pause', 'pause', 'stop'] as const

function judged(input: EvaluationInput, stages: readonly Stage[]) {
  const { hint, outcome, count, scored, riskScore, settings, isCommand = false } = input
  const score = highestScore(scored, riskScore)
  const tier = tierOf(score)
  const step: Step = {
    count: count + 1,
    hint: readHint(hint),
    score,
    found: highestScore(scored),
    tier,
    isCommand,
    ...(scored.nameScore !== undefined && { nameScore: scored.nameScore }),
    ...(outcome && { outcome }),
  }
  const verdicts: StageVerdict[] = []
  for (const stage of stages) verdicts.push(verdictOf(stage, step, settings, verdicts))
  const worst = Math.max(0, ...verdicts.map((verdict) => SEVERITY[verdict.outcome]))
  const decisive = worst === 0 ? undefined : verdicts.find((verdict) => SEVERITY[verdict.outcome] === worst)
  const isDenied = verdicts.some(({ stage, outcome: each }) => stage === 'action patterns' && each === 'stop')
  const shownTier = isDenied ? 'danger_zone' : tier
  return {
    outcome: OUTCOMES[worst] ?? 'stop',
    ...(decisive && { reason: decisive.reason, stage: decisive.stage }),
    factors: [
      ...verdicts.map(({ stage, reason }) => `${stage}: ${reason}`),
      ...scored.factors.map((factor) => `risk: ${factor}`),
      ...(riskScore === undefined ? [] : [`risk: your own estimate ${riskScore}${estimateCounts(riskScore, scored)}`]),
    ],
    score,
    tier: shownTier,
    verdicts,
  } as const
}

/** */
function estimateCounts(riskScore: number, { score }: HintScore): string {
  return riskScore > score ? ` counts, it is above ${score}` : ` does not count, it is not above ${score}`
}

function verdictOf(
  stage: Stage,
  step: Step,
  settings: AutonomySettings,
  before: readonly StageVerdict[],
): StageVerdict {
  if (stage.skippable && before.some(({ outcome }) => outcome === 'approve'))
    return { stage: stage.name, outcome: 'skip', reason: 'skipped, the action is approved by a pattern' }
  const verdict = stage.judge(step, settings)
  if (verdict) return { stage: stage.name, ...verdict }
  const isUntold = stage.name === 'previous outcome' && step.outcome === undefined
  return { stage: stage.name, outcome: 'pass', reason: isUntold ? 'not reported' : 'passed' }
}
