import type { AgentNotification, StepOutcome } from '../../protocol/directive.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redactProse } from '../audit/redact.ts'
import type { Evaluation, HintScore } from '../autonomy/evaluate.ts'
import type { Attention } from '../gatekeeper/attention.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import type { AgentExecution, AgentRecord } from '../verification/agent.ts'
import type { BlockRecord, OpenBlock, OpenBlocks } from '../verification/block.ts'
import type { Challenge } from '../verification/challenge.ts'
import type { GateSays } from './gate-says.ts'
import type { LoopParts } from './parts.ts'

/** A report, checked, with everything that a pure change cannot make itself. */
export interface StepOrder {
  readonly parts: LoopParts
  readonly session: string
  readonly principal: string
  readonly element_name: string
  readonly execution_id?: string
  /** As it was reported: what is scored, matched and hashed, and never kept. */
  readonly hint: string
  readonly hintHash: string
  /** AUDIT-06: the hint for the trail. */
  readonly told: string
  /** What of the hint is masked there, and where. Nobody is asked about such a hint. */
  readonly unseen?: string
  /** Where the hint may hold a secret of several words, with which it does not go on. */
  readonly phrase?: string
  readonly outcome?: StepOutcome
  readonly riskScore?: number
  /** For the trail alone. */
  readonly description?: string
  readonly findings?: string
  readonly scored: HintScore
  readonly gate: GateSays
  /** Calls of the session that the gate holds for a human (GATE-14). */
  readonly waiting: readonly ApprovalRequest[]
  /** Another agent of the session about which a human has yet to decide. */
  readonly undecided?: string
  readonly now: number
  /** Ids for what may have to be made. */
  readonly fresh: { readonly approval: string; readonly challenge: string; readonly block: string }
  /** The agent's challenge, if whoever asked for its code has ended: it holds nothing (BLOCK-09). */
  readonly voided?: string
  /** The records that were named because the agent had them; if it has others by then, the step is tried again. */
  readonly named: { readonly paused: string; readonly granted: string; readonly previous: string }
}

export interface StepState {
  readonly agent?: AgentRecord | undefined
  readonly open?: OpenBlocks | undefined
  readonly attention?: Attention | undefined
  readonly paused?: ApprovalRequest | undefined
  readonly granted?: ApprovalRequest | undefined
  /** The challenge that a new one would replace. */
  readonly previous?: Challenge | undefined
}

export interface StepChange {
  readonly next?: {
    readonly agent?: AgentRecord
    readonly open?: OpenBlocks
    readonly attention?: Attention
    readonly paused?: ApprovalRequest
    readonly granted?: ApprovalRequest
    readonly asked?: ApprovalRequest
    readonly challenge?: Challenge
    readonly previous?: Challenge
    readonly block?: BlockRecord
  }
  readonly audit?: readonly AuditEntry[]
  readonly result: StepResult
}

export type StepResult =
  | { readonly kind: 'again' }
  | { readonly kind: 'refused'; readonly failure: OperationFailure }
  | { readonly kind: 'blocked'; readonly block: OpenBlock }
  | Recorded

export interface Recorded {
  readonly kind: 'recorded'
  readonly decision: 'continue' | 'granted' | 'held' | 'pause' | 'refused' | 'stop' | 'observed' | 'logged' | 'tracked'
  readonly agent: AgentRecord
  readonly execution: AgentExecution
  readonly open: OpenBlocks
  /** Told once, with this answer. */
  readonly notices: readonly AgentNotification[]
  readonly reason?: string
  readonly factors: readonly string[]
  readonly evaluation?: Evaluation
  /** To be shown to a human once the commit is through. */
  readonly challenge?: Challenge
}

/** The hint as an operator sees it with a block. What is masked is no question to anybody. */
export function hintOf({ hint, told, unseen }: Pick<StepOrder, 'hint' | 'told' | 'unseen'>) {
  return unseen === undefined ? { hint } : ({ hint: told, unseen: true } as const)
}

export interface Recording extends Pick<Recorded, 'decision' | 'factors'> {
  readonly challenge?: Challenge
  readonly reason?: string
  readonly evaluation?: Evaluation
}

/** LOOP-15: the report is accepted. */
export function record(order: StepOrder, state: StepState, agent: AgentRecord, recording: Recording): StepChange {
  const { execution } = agent
  if (!execution) throw new TypeError('a report without execution cannot be recorded')
  const step = { ...execution, steps: execution.steps + 1 }
  const next = { ...agent, execution: step, notices: [] }
  return {
    next: { agent: next },
    audit: order.parts.mode === 'disabled' ? [] : [stepEntry(order, next, recording)],
    result: {
      kind: 'recorded',
      agent: next,
      execution: step,
      open: state.open ?? {},
      notices: agent.notices,
      ...recording,
    },
  }
}

const RESULTS = {
  continue: 'allowed',
  granted: 'confirmed',
  held: 'denied',
  pause: 'denied',
  refused: 'denied',
  stop: 'denied',
  observed: 'allowed',
  logged: 'allowed',
  tracked: 'allowed',
} as const

/** AUDIT-06: of what goes on, or was stopped for what it is, nothing but credentials may be missing. */
function recordedHint({ hint, told, phrase }: StepOrder, decision: Recorded['decision']): string {
  return phrase !== undefined && RESULTS[decision] === 'denied' && decision !== 'stop' ? redactProse(hint) : told
}

/** AUDIT-04. */
export function stepEntry(
  order: StepOrder,
  { key, execution }: AgentRecord,
  { decision, reason, evaluation }: Pick<Recording, 'decision' | 'reason' | 'evaluation'>,
): AuditEntry {
  const { parts, now, session, principal, element_name, outcome, description, findings } = order
  const result = RESULTS[decision]
  return {
    timestamp: new Date(now).toISOString(),
    event: 'STEP_EVALUATED',
    operation: 'record_execution_step',
    adapter_name: parts.adapter,
    result,
    ...(reason !== undefined && { reason }),
    agent_key: key,
    element_name,
    ...(execution && { execution_id: execution.execution_id, step_number: execution.steps }),
    hint: recordedHint(order, decision),
    ...(outcome && { previous_outcome: outcome }),
    ...(description !== undefined && { step_description: description }),
    ...(findings !== undefined && { findings }),
    directive: { continue: result !== 'denied', ...(decision === 'stop' && { stopped: true }), decision },
    ...(evaluation && {
      score: evaluation.score,
      ...(evaluation.tier && { tier: evaluation.tier }),
      ...(evaluation.stage && { stage: evaluation.stage }),
    }),
    mode: parts.mode,
    user_id: principal,
    session_id: session,
  }
}
