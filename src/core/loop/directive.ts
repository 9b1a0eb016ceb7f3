import type { AutonomyDirective } from '../../protocol/directive.ts'
import { howToVerify, notificationsFor, type Surroundings } from './notifications.ts'
import type { Recorded } from './step.ts'

/** Spec §8.7.1 (AUTO-01): what the agent is told, from what was recorded. */
export function directiveOf(recorded: Recorded, around: Surroundings): AutonomyDirective {
  const { decision, evaluation, execution } = recorded
  const reason = reasonOf(recorded, around)
  const most = execution.settings.maxAutonomousSteps
  const isEvaluated = decision !== 'logged'
  const notifications = notificationsFor(recorded, around)
  return {
    continue: CONTINUES[decision],
    ...(decision === 'stop' && { stopped: true }),
    ...(reason !== undefined && { reason }),
    ...(isEvaluated && most !== null && { stepsRemaining: Math.max(0, most - execution.count) }),
    ...(evaluation?.tier && { nextStepRisk: evaluation.tier }),
    factors: recorded.factors,
    ...(notifications.length > 0 && { notifications }),
  }
}

const CONTINUES = {
  continue: true,
  granted: true,
  observed: true,
  logged: true,
  tracked: true,
  held: false,
  pause: false,
  refused: false,
  stop: false,
} as const

/** OOB-06: where no human can read the code, the reason says so. */
function reasonOf({ decision, reason, agent, challenge }: Recorded, { delivery }: Surroundings): string | undefined {
  const isUndeliverable = challenge
    ? delivery.state === 'undeliverable'
    : decision === 'held' && agent.challenge?.cause === 'verify' && agent.challenge.state === 'undeliverable'
  if (reason === undefined || !isUndeliverable) return reason
  return `${reason}. ${howToVerify({ state: 'undeliverable', where: '' }, decision === 'stop')}`
}
