import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import { redactAction } from '../audit/redact.ts'
import { type Evaluation, evaluate } from '../autonomy/evaluate.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import { type AgentRecord, liveGrants } from '../verification/agent.ts'
import { findBlock, inForce } from '../verification/block.ts'
import { heldByBlock, heldByGate, holdsBack, pauseAgent, refuseUnseen, stopAgent, waitOn } from './hold-agent.ts'
import { withoutVoid } from './recover.ts'
import { settlePause } from './settle-pause.ts'
import { record, type StepChange, type StepOrder, type StepState, stepEntry } from './step.ts'

/** One report as one change (SESS-10): from what the records say to what they shall say, and the answer's substance. */
export function stepChange(order: StepOrder, state: StepState): StepChange {
  const { parts, principal, element_name } = order
  const { agent, open = {} } = state
  const { paused, granted, previous } = namedBy(agent, order)
  const { named } = order
  if (paused !== named.paused || granted !== named.granted || previous !== named.previous) return AGAIN
  const block = findBlock(inForce(open, parts.mode), principal, element_name)
  if (block) return { result: { kind: 'blocked', block } }
  if (!agent || !isReportedOn(agent, order)) return { result: { kind: 'refused', failure: noExecution(order) } }
  switch (parts.mode) {
    case 'enforcing':
      return enforce(order, state, agent)
    case 'monitoring':
      return observe(order, state, agent)
    case 'logging':
      return record(order, state, agent, { decision: 'logged', factors: ['nothing was evaluated: the loop only logs'] })
    case 'disabled':
      return record(order, state, agent, { decision: 'tracked', factors: [] })
  }
}

/** The records beside the agent's own that a report has to look at. */
export function namedBy(
  agent: AgentRecord | undefined,
  order: Pick<StepOrder, 'hintHash' | 'session' | 'now'>,
): StepOrder['named'] {
  return {
    paused: agent?.pause?.approvalId ?? '',
    granted: grantOf(agent, order),
    previous: agent?.challenge?.id ?? '',
  }
}

/** What the grant for this very hint came from. */
function grantOf(
  agent: AgentRecord | undefined,
  { hintHash, session, now }: Pick<StepOrder, 'hintHash' | 'session' | 'now'>,
): string {
  const isFor = (grant: { readonly hintHash: string; readonly session: string }) =>
    grant.hintHash === hintHash && grant.session === session
  return (agent && liveGrants(agent, now).find(isFor)?.from) ?? ''
}

const AGAIN: StepChange = { result: { kind: 'again' } }

/** LOOP-14. */
function isReportedOn({ execution }: AgentRecord, { session, execution_id }: StepOrder): boolean {
  return execution?.session === session && (execution_id === undefined || execution_id === execution.execution_id)
}

function noExecution({ element_name, execution_id }: StepOrder): OperationFailure {
  return fail('NOT_FOUND_RESOURCE', { resource_type: 'execution', resource_id: execution_id ?? element_name })
}

/** LOOP-16. What waits for a human comes first, what a human granted second, the evaluation last. */
function enforce(order: StepOrder, state: StepState, found: AgentRecord): StepChange {
  const { hintHash, now, parts, voided } = order
  const known = voided !== undefined && found.challenge?.id === voided ? withoutVoid(found) : found
  const { agent, pause } = settlePause(known, state.paused, parts.limits.grantMs, now)
  if (agent.execution?.denied.includes(hintHash)) return deny(order, agent)
  const from = grantOf(agent, order)
  const grant = isTakenBack(state, from) ? '' : from
  const isHeld =
    pause !== 'none' ||
    holdsBack(agent, hintHash, now) ||
    order.undecided !== undefined ||
    heldByGate(order).length > 0 ||
    heldByBlock(order, state) !== undefined
  const { denied, asks } = order.gate
  if (!isHeld && grant !== '' && denied === undefined) return useGrant(order, state, agent, grant)
  const evaluation = evaluated(order, agent)
  if (evaluation.outcome === 'stop' && grant === '') return stopAgent(order, state, counted(agent), evaluation)
  if (isHeld) return waitOn(order, state, agent, pause === 'stale')
  if (denied !== undefined) return refuseByGate(order, state, counted(agent), denied, evaluation)
  if (order.phrase !== undefined) return refuseUnseen(order, state, counted(agent), evaluation, order.phrase)
  if (asks !== undefined && isForGate(evaluation)) return leaveToGate(order, state, counted(agent), asks, evaluation)
  if (evaluation.outcome === 'pause') return pauseAgent(order, state, counted(agent), evaluation)
  return record(order, state, counted(agent), { decision: 'continue', factors: evaluation.factors, evaluation })
}

/** Spec §8.6.2, GATE-14: no human is asked about what the gate would refuse whatever they said. */
function refuseByGate(
  order: StepOrder,
  state: StepState,
  agent: AgentRecord,
  operation: string,
  evaluation: Evaluation,
): StepChange {
  const reason = `Operation '${operation}' is denied by this server, and no approval changes that`
  const factors = [`gate: denies '${operation}'`, ...evaluation.factors]
  return record(order, state, agent, { decision: 'refused', reason, factors, evaluation })
}

/** Only the risk of the action made the loop ask, and it is not worth a code. A `requiresApproval` pattern is asked about here (AUTO-08). */
function isForGate({ outcome, stage, tier }: Evaluation): boolean {
  const isAction = stage === 'safety tier' || stage === 'risk tolerance'
  return outcome === 'pause' && isAction && (tier === undefined || tier === 'advisory' || tier === 'confirm')
}

/** One question for one action: the gate asks it, with the parameters as they will be used. */
function leaveToGate(
  order: StepOrder,
  state: StepState,
  agent: AgentRecord,
  operation: string,
  evaluation: Evaluation,
): StepChange {
  const factors = [`gate: asks a human when '${operation}' is called`, ...evaluation.factors]
  return record(order, state, agent, { decision: 'continue', factors, evaluation })
}

/** An operator may take an approval back until it is used. */
function isTakenBack({ paused, granted }: StepState, from: string): boolean {
  const request = [paused, granted].find((each) => each?.id === from)
  return request !== undefined && request.state !== 'approved'
}

/** LOOP-17: says what enforcement would have done, and does nothing of it. */
function observe(order: StepOrder, state: StepState, agent: AgentRecord): StepChange {
  const evaluation = evaluated(order, agent)
  const isBlocked = findBlock(state.open ?? {}, order.principal, order.element_name) !== undefined
  const { denied } = order.gate
  const would = isBlocked
    ? 'refuse, the agent is blocked'
    : denied !== undefined && evaluation.outcome !== 'stop'
      ? `refuse, the gate denies '${denied}'`
      : evaluation.outcome
  const factors = [`monitoring: enforcement would ${would}`, ...evaluation.factors]
  const reason = evaluation.reason && `Enforcement would ${evaluation.outcome}: ${evaluation.reason}`
  return record(order, state, counted(agent), { decision: 'observed', factors, evaluation, ...(reason && { reason }) })
}

function evaluated({ hint, outcome, scored, riskScore }: StepOrder, { execution }: AgentRecord): Evaluation {
  if (!execution) throw new TypeError('an agent without execution cannot be evaluated')
  const { count, settings } = execution
  const evaluation = evaluate({
    hint,
    count,
    scored,
    settings,
    ...(outcome && { outcome }),
    ...(riskScore !== undefined && { riskScore }),
  })
  return withoutCredentials(evaluation)
}

/** AUDIT-06: factors and reasons may repeat words of the hint. */
function withoutCredentials(evaluation: Evaluation): Evaluation {
  const { reason, factors, verdicts } = evaluation
  return {
    ...evaluation,
    ...(reason !== undefined && { reason: redactAction(reason) }),
    factors: factors.map(redactAction),
    verdicts: verdicts.map((verdict) => ({ ...verdict, reason: redactAction(verdict.reason) })),
  }
}

/** AUTO-03: each evaluated report counts. */
function counted(agent: AgentRecord): AgentRecord {
  const { execution } = agent
  return execution ? { ...agent, execution: { ...execution, count: execution.count + 1 } } : agent
}

/** SELF-11. */
function deny(order: StepOrder, agent: AgentRecord): StepChange {
  const reason = 'a human has denied this action'
  const failure = fail('PERMISSION_DENIED', { reason, operation: 'record_execution_step' })
  const entry = stepEntry(order, agent, { decision: 'held', reason })
  return { next: { agent }, audit: [entry], result: { kind: 'refused', failure } }
}

/** AUTO-17: used up by the report that uses it. */
function useGrant(order: StepOrder, state: StepState, agent: AgentRecord, from: string): StepChange {
  const { now } = order
  const grants = liveGrants(agent, now).filter((grant) => grant.from !== from)
  const change = record(
    order,
    state,
    { ...agent, grants },
    {
      decision: 'granted',
      factors: [`a human allowed this action once (${from})`],
    },
  )
  const name = state.paused?.id === from ? 'paused' : 'granted'
  const request = state[name]
  if (request?.id !== from) return change
  const used: ApprovalRequest = {
    ...request,
    version: request.version + 1,
    state: 'consumed',
    consumedAt: now,
    useCount: request.useCount + 1,
    outcome: 'reported',
  }
  return { ...change, next: { ...change.next, [name]: used } }
}
