import { BASELINE_RISK, DANGER_LEVEL_NAMES, DANGER_LEVELS, type DangerLevel } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { StageVerdict } from '../autonomy/evaluate.ts'
import { canonicalHash } from '../canonical-json.ts'
import { pauseMessage } from '../gatekeeper/agent-messages.ts'
import { type Attention, isShown, promptOf, withPrompt } from '../gatekeeper/attention.ts'
import { scopeKey } from '../gatekeeper/desk.ts'
import type { ApprovalRequest, LayerVerdict } from '../gatekeeper/request.ts'
import type { AgentRecord, Pause } from '../verification/agent.ts'
import type { LoopParts } from './parts.ts'

/** what an approval of a hint binds to, beside agent and session. */
export function hashHint(hint: string): string {
  return canonicalHash({ hint })
}

export interface Asked {
  readonly request: ApprovalRequest
  readonly attention: Attention
  readonly audit: AuditEntry
}

/** AUTO-08, AUTO-11: puts a pause before a human. The agent holds no token for it: it reports again (AUTO-17). */
export function askAboutPause(
  pause: Pause,
  agent: AgentRecord,
  attention: Attention | undefined,
  verdicts: readonly StageVerdict[],
  { adapter, limits, trust }: LoopParts,
  now: number,
): Asked {
  const { approvalId: id, hintHash, hint, session } = pause
  const expiresAt = now + limits.pauseMs
  const queue = withPrompt(attention, promptOf(id, expiresAt, agent.principal, session), now)
  const level = levelOf(pause.score)
  const request: ApprovalRequest = {
    id,
    kind: 'pause',
    class: 'C1',
    version: 1,
    adapter,
    operation: 'record_execution_step',
    category: 'CREATE',
    endpoint: 'create',
    level,
    trust: trust(),
    params: { hint },
    paramsHash: hintHash,
    scope: scopeKey(adapter, `pause of ${agent.key}`, hintHash),
    session,
    principal: agent.principal,
    agent: {
      key: agent.key,
      element_name: agent.element_name,
      ...(agent.execution && { execution_id: agent.execution.execution_id }),
    },
    reasons: [pause.reason],
    message: pauseMessage(pause.cause, agent.element_name),
    trace: verdicts.map((verdict) => layerOf(verdict, pause.reason)),
    issuedAt: now,
    expiresAt,
    toleranceMs: 0,
    cooldownSeconds: 0,
    requiresReauth: false,
    state: 'pending',
    shown: isShown(queue, id),
    decisions: [],
    maxUses: 1,
    useCount: 0,
  }
  return { request, attention: queue, audit: auditOf(request, pause, now) }
}

/** DNG-21 read backwards: the level in whose range the score lies. */
function levelOf(score: number): DangerLevel {
  return DANGER_LEVEL_NAMES.find((level) => score <= BASELINE_RISK[level].highest) ?? 'forbidden'
}

const LAYER_VERDICTS = {
  pass: 'allow',
  approve: 'allow',
  skip: 'none',
  pause: 'confirm',
  verify: 'confirm',
  stop: 'deny',
} as const

function layerOf({ stage, outcome, reason }: StageVerdict, decisive: string): LayerVerdict {
  return { layer: stage, verdict: LAYER_VERDICTS[outcome], text: reason, decisive: reason === decisive }
}

function auditOf(request: ApprovalRequest, { reason }: Pause, now: number): AuditEntry {
  return {
    timestamp: new Date(now).toISOString(),
    event: 'CONFIRMATION_REQUIRED',
    operation: request.operation,
    endpoint: request.endpoint,
    adapter_name: request.adapter,
    danger_level: DANGER_LEVELS[request.level],
    result: 'denied',
    outcome: 'denied',
    reason,
    approval_id: request.id,
    ...(request.agent && { agent_key: request.agent.key, element_name: request.agent.element_name }),
    user_id: request.principal,
    session_id: request.session,
  }
}
