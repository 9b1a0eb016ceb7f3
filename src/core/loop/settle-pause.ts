import type { AgentNotification } from '../../protocol/directive.ts'
import { type ApprovalRequest, stateOf } from '../gatekeeper/request.ts'
import { type AgentRecord, type Grant, liveGrants, withNotice, withoutPause } from '../verification/agent.ts'

export interface Settled {
  readonly agent: AgentRecord
  /** `stale`: the pause holds, but nobody is asked about it any more. */
  readonly pause: 'none' | 'asked' | 'stale'
}

/** What a human has decided since the last report takes effect (AUTO-17, AUTO-18, R-29). */
export function settlePause(
  agent: AgentRecord,
  request: ApprovalRequest | undefined,
  grantMs: number,
  now: number,
): Settled {
  if (!agent.pause) return { agent, pause: 'none' }
  if (request?.state === 'approved') return { agent: approved(agent, request, grantMs, now), pause: 'none' }
  if (request?.state === 'denied') return { agent: denied(agent, now), pause: 'none' }
  return { agent, pause: request && stateOf(request, now) === 'pending' ? 'asked' : 'stale' }
}

function approved(agent: AgentRecord, request: ApprovalRequest, grantMs: number, now: number): AgentRecord {
  const { pause, execution } = agent
  const free = withNotice(withoutPause(agent), notice('A human approved: the pause is over.', request.id, now))
  switch (pause?.cause) {
    case 'action': {
      const grant: Grant = {
        hintHash: request.paramsHash,
        session: request.session,
        until: (request.approvedAt ?? 0) + grantMs,
        from: request.id,
      }
      return { ...free, grants: [...liveGrants(agent, now), grant] }
    }
    case 'step_limit':
      return execution ? { ...free, execution: { ...execution, count: 0 } } : free
    default:
      return free
  }
}

function denied(agent: AgentRecord, now: number): AgentRecord {
  const { pause, execution } = agent
  const text = 'A human denied the action: it stays refused in this execution.'
  const free = withNotice(withoutPause(agent), notice(text, pause?.approvalId ?? '', now))
  if (!execution || !pause) return free
  return { ...free, execution: { ...execution, denied: [...execution.denied, pause.hintHash].slice(-MOST_DENIED) } }
}

const MOST_DENIED = 1_000

function notice(message: string, approvalId: string, now: number): AgentNotification {
  return { type: 'status', message, timestamp: new Date(now).toISOString(), metadata: { approvalId } }
}
