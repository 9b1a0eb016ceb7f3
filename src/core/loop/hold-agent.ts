import type { Evaluation } from '../autonomy/evaluate.ts'
import { unseenReason } from '../gatekeeper/agent-messages.ts'
import { type AgentRecord, type Pause, withoutChallenge } from '../verification/agent.ts'
import { type BlockRecord, blockEntry, type OpenBlock, opened, sessionBlock } from '../verification/block.ts'
import { type Challenge, closed, isOpen } from '../verification/challenge.ts'
import { issueChallenge, mayIssue, nextIssueIn } from './issue-challenge.ts'
import { askAboutPause } from './pause-request.ts'
import { hintOf, record, type StepChange, type StepOrder, type StepState } from './step.ts'

/**
 * AUTO-16, BLOCK-09: a verify challenge holds all actions of the agent until it expires, also when a wrong code has
 * burnt it; only the same action may ask for a new one before (OOB-14).
 */
export function holdsBack({ challenge }: AgentRecord, hintHash: string, now: number): boolean {
  if (challenge?.cause !== 'verify' || now > challenge.expiresAt) return false
  return challenge.state !== 'failed' || challenge.hintHash !== hintHash
}

/** GATE-14: what the gate has put before a human comes before the next action. */
export function heldByGate({ waiting }: Pick<StepOrder, 'waiting'>): StepOrder['waiting'] {
  return waiting.filter(({ kind }) => kind === 'operation')
}

/** BLOCK-04, R-27: other names of the session in which an agent was stopped are evaluated, but nothing goes on there. */
export function heldByBlock({ session }: Pick<StepOrder, 'session'>, { open = {} }: StepState): OpenBlock | undefined {
  return sessionBlock(open, session)
}

/** AUTO-16: nothing is evaluated, nothing counted; the answer names what is waited for. */
export function waitOn(order: StepOrder, state: StepState, agent: AgentRecord, isStale: boolean): StepChange {
  const { pause } = agent
  if (!pause || !isStale) {
    const reason = waitingFor(agent, order, state)
    return record(order, state, agent, { decision: 'held', reason, factors: [`waiting: ${reason}`] })
  }
  const again: Pause = { ...pause, approvalId: order.fresh.approval, session: order.session }
  const held = { ...agent, pause: again }
  const { request, attention, audit } = askAboutPause(again, held, state.attention, [], order.parts, order.now)
  const reason = waitingFor(held, order, state)
  const change = record(order, state, held, { decision: 'held', reason, factors: [`waiting: ${reason}`] })
  return { ...change, next: { ...change.next, asked: request, attention }, audit: [...(change.audit ?? []), audit] }
}

function waitingFor({ pause, challenge }: AgentRecord, order: StepOrder, state: StepState): string {
  const block = heldByBlock(order, state)
  const parts = [
    ...(block ? [`the block on agent '${block.element_name}' of this session (${block.reason})`] : []),
    ...(pause ? [`approval ${pause.approvalId} (${pause.reason})`] : []),
    ...(challenge?.cause === 'verify' ? [`verification ${challenge.id} (${challenge.reason})`] : []),
    ...(order.undecided === undefined ? [] : [`what agent '${order.undecided}' of this session waits for`]),
    ...heldByGate(order).map(({ id, operation }) => `approval ${id} of operation '${operation}'`),
  ]
  return `A human has to decide first: ${parts.join(' and ')}`
}

/**
 * A human is asked to approve, or, in the tier `verify`, to pass on a code. An exhausted limit or a failed step is a
 * question of its own even then, because a code answers only for the action (AUTO-18, OOB-15).
 */
export function pauseAgent(order: StepOrder, state: StepState, agent: AgentRecord, evaluation: Evaluation): StepChange {
  if (order.unseen !== undefined) return refuseUnseen(order, state, agent, evaluation, order.unseen)
  const { parts, now } = order
  const { reason = 'Paused', factors } = evaluation
  const needsCode = evaluation.verdicts.some(({ outcome }) => outcome === 'verify')
  const ownQuestion = evaluation.verdicts.find(({ stage, outcome }) => outcome === 'pause' && stage in CAUSES)
  const asked = ownQuestion ?? (needsCode ? undefined : { stage: evaluation.stage, reason })
  const pause = asked && pauseOf(order, evaluation, CAUSES[asked.stage ?? ''] ?? 'action', asked.reason)
  const paused = pause ? { ...agent, pause } : agent
  const question = pause && askAboutPause(pause, paused, state.attention, evaluation.verdicts, parts, now)
  const issued =
    needsCode && mayIssue(agent, now)
      ? issueChallenge(paused, challengeOf(order, evaluation, 'verify', riskReason(evaluation)), parts, now)
      : undefined
  const isLimited = needsCode && !issued
  const told = isLimited ? `${reason}; ${tooMany(agent, now)}` : reason
  const change = record(order, state, issued?.agent ?? paused, {
    decision: 'pause',
    reason: told,
    factors,
    evaluation,
    ...(issued && { challenge: issued.challenge }),
  })
  return {
    ...change,
    next: {
      ...change.next,
      ...(question && { asked: question.request, attention: question.attention }),
      ...(issued && { challenge: issued.challenge, ...replaced(state, now) }),
    },
    audit: [...(change.audit ?? []), ...(question ? [question.audit] : []), ...(issued?.audit ?? [])],
  }
}

/**
 * What a human approves stands before them in full, and what is kept holds no credential: so such a hint is no question.
 * One with a secret of several words could be recorded neither in full nor without it, and does not go on either.
 */
export function refuseUnseen(
  order: StepOrder,
  state: StepState,
  agent: AgentRecord,
  evaluation: Evaluation,
  unseen: string,
): StepChange {
  const reason = `${evaluation.reason ?? 'Refused'}; ${unseenReason('next_action_hint', unseen)} and report again`
  return record(order, state, agent, { decision: 'refused', reason, factors: evaluation.factors, evaluation })
}

const CAUSES: Readonly<Record<string, Pause['cause']>> = {
  'step limit': 'step_limit',
  'previous outcome': 'failure',
}

/** AUTO-07, BLOCK-01: the block, its challenge and the entries that say so are one commit. */
export function stopAgent(order: StepOrder, state: StepState, agent: AgentRecord, evaluation: Evaluation): StepChange {
  const { parts, now, fresh, unseen } = order
  const { reason = 'Stopped', factors, stage, score } = evaluation
  const trigger = stage === 'action patterns' ? 'deny' : 'danger_zone'
  const stopped = { ...agent, grants: [] }
  const issued =
    unseen === undefined
      ? issueChallenge(stopped, challengeOf(order, evaluation, trigger, reason), parts, now)
      : undefined
  const block: BlockRecord = {
    id: fresh.block,
    agentKey: agent.key,
    principal: agent.principal,
    element_name: agent.element_name,
    trigger,
    ...hintOf(order),
    hintHash: order.hintHash,
    score,
    reason,
    ...(issued && { verificationId: issued.challenge.id }),
    session: order.session,
    blocked_at: new Date(now).toISOString(),
  }
  const open = { ...state.open, [agent.key]: opened(block, parts.store.opener) }
  const change = record(order, { ...state, open }, issued?.agent ?? withoutChallenge(stopped), {
    decision: 'stop',
    reason,
    factors,
    evaluation,
    ...(issued && { challenge: issued.challenge }),
  })
  const blocked = { ...blockEntry('AGENT_BLOCKED', block, block.blocked_at), session_id: order.session }
  return {
    ...change,
    next: { ...change.next, open, block, ...(issued && { challenge: issued.challenge }), ...replaced(state, now) },
    audit: [...(change.audit ?? []), ...(issued?.audit ?? []), blocked],
  }
}

/** OOB-14: the challenge before can no longer be answered, and whoever lists challenges can see it. */
function replaced({ previous }: StepState, now: number): { readonly previous?: Challenge } {
  return previous && isOpen(previous) ? { previous: closed(previous, now) } : {}
}

function pauseOf(order: StepOrder, evaluation: Evaluation, cause: Pause['cause'], reason: string): Pause {
  const { score, tier, verdicts } = evaluation
  const pattern = verdicts.find(({ stage, outcome }) => stage === 'action patterns' && outcome === 'pause')?.pattern
  return {
    approvalId: order.fresh.approval,
    cause,
    hintHash: order.hintHash,
    hint: order.hint,
    session: order.session,
    reason,
    factors: telling(evaluation),
    score,
    ...(tier && { tier }),
    ...(pattern !== undefined && { pattern }),
    since: order.now,
  }
}

/** What the notification repeats: the stages that had no objection stand in the directive itself. */
function telling({ factors, verdicts }: Evaluation): readonly string[] {
  const silent = new Set(
    verdicts
      .filter(({ outcome }) => outcome === 'pass' || outcome === 'skip')
      .map(({ stage, reason }) => `${stage}: ${reason}`),
  )
  return factors.filter((factor) => !silent.has(factor))
}

function challengeOf(
  { fresh, session, hint, hintHash }: StepOrder,
  { tier = 'danger_zone', score, factors }: Evaluation,
  trigger: 'verify' | 'danger_zone' | 'deny',
  reason: string,
) {
  return { id: fresh.challenge, session, trigger, hint, hintHash, tier, score, factors, reason }
}

function riskReason({ verdicts, reason = '' }: Evaluation): string {
  return verdicts.find(({ stage }) => stage === 'safety tier')?.reason ?? reason
}

function tooMany(agent: AgentRecord, now: number): string {
  return `too many codes were asked for, the next can be made in ${nextIssueIn(agent, now)} s`
}
