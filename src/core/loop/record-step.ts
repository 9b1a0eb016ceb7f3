import { randomUUID } from 'node:crypto'
import type { AutonomyDirective, StepOutcome } from '../../protocol/directive.ts'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import { phraseIn, redactAction, redactBeginning, unseenIn } from '../audit/redact.ts'
import { evaluate, type HintScore, highestScore } from '../autonomy/evaluate.ts'
import { attentionRef } from '../gatekeeper/attention.ts'
import type { Reach } from '../gatekeeper/demand.ts'
import { fitsForm } from '../gatekeeper/form-text.ts'
import { requestRef } from '../gatekeeper/request.ts'
import { type ConnectionReach, reachFrom } from '../gatekeeper/usable-channels.ts'
import type { Session } from '../session.ts'
import { type AgentRecord, agentRef } from '../verification/agent.ts'
import { agentKey, lookAlike } from '../verification/agent-key.ts'
import { blockRef, type OpenBlock, openBlocksRef } from '../verification/block.ts'
import { challengeRef } from '../verification/challenge.ts'
import { directiveOf } from './directive.ts'
import { gateSays } from './gate-says.ts'
import { deliver, whereOf } from './issue-challenge.ts'
import { heldCalls } from './notifications.ts'
import type { LoopParts } from './parts.ts'
import { hashHint } from './pause-request.ts'
import { isVoidChallenge } from './recover.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { type Report, reportFault } from './report.ts'
import { hintOf, type Recorded, type StepOrder, type StepResult } from './step.ts'
import { namedBy, stepChange } from './step-change.ts'
import { undecidedIn } from './undecided.ts'
import type { View } from './view.ts'

/** LOOP-15. */
export interface StepAnswer {
  readonly execution_id: string
  readonly step_number: number
  readonly recorded_at: string
  /** Absent where the loop is disabled (LOOP-18). */
  readonly autonomy?: AutonomyDirective
}

export async function recordStep(
  session: Session,
  report: Report,
  parts: LoopParts,
  view: View,
  connection: ConnectionReach,
): Promise<StepAnswer | OperationFailure> {
  const fault = reportFault(report)
  if (fault) return fault
  const order = orderOf(session, report, parts)
  const result = await commit(order, view).catch((cause: unknown) => keepBlock(order, view, cause))
  switch (result.kind) {
    case 'refused':
      return result.failure
    case 'blocked':
      return refuseBlocked(
        result.block,
        { operation: 'record_execution_step', session: session.owner, principal: session.principal },
        parts,
      )
    case 'again':
      return fail('INTERNAL_ERROR', { description: 'the agent changes too fast; report again' })
    case 'recorded':
      return answerOf(result, order, view, connection)
  }
}

type Draft = Omit<StepOrder, 'fresh' | 'named' | 'voided' | 'waiting' | 'undecided'>

function orderOf({ owner, principal }: Session, report: Report, parts: LoopParts): Draft {
  const { next_action_hint: hint, outcome, risk_score, execution_id, step_description, findings } = report
  const unseen = unseenIn(hint)
  const phrase = unseen === undefined ? undefined : phraseIn(hint)
  return {
    parts,
    session: owner,
    principal,
    element_name: report.element_name,
    hint,
    hintHash: hashHint(hint),
    told: redactAction(hint),
    ...(unseen !== undefined && { unseen }),
    ...(phrase !== undefined && { phrase }),
    scored: scoreOf(hint, parts),
    gate: gateSays(hint, parts.permission),
    now: parts.clock.now(),
    ...(execution_id !== undefined && { execution_id }),
    ...(outcome !== undefined && { outcome: outcome as StepOutcome }), // checked above
    ...(risk_score !== undefined && { riskScore: risk_score }),
    ...(step_description !== undefined && { description: redactBeginning(step_description, MOST_OF_PROSE) }),
    ...(findings !== undefined && { findings: redactBeginning(findings, MOST_OF_PROSE) }),
  }
}

/** AUTO-19: a scorer that fails makes the step the worst there is short of a stop, and a human looks at it. */
function scoreOf(hint: string, { mode, score, report }: LoopParts): HintScore {
  if (mode === 'logging' || mode === 'disabled') return { score: 0, factors: [] }
  try {
    return score(hint)
  } catch (cause) {
    report(cause)
    return { score: 85, factors: ['the hint could not be scored'] }
  }
}

/** For the trail: the hint is kept whole, prose about the past need not be. */
const MOST_OF_PROSE = 2_000

/** The records to look at depend on the agent's own; if they change meanwhile, the step starts over. */
async function commit(draft: Draft, view: View): Promise<StepResult> {
  const { store } = draft.parts
  const key = agentKey(draft.principal, draft.element_name)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const known = await store.get(agentRef(key))
    const fresh = { approval: randomUUID(), challenge: randomUUID(), block: randomUUID() }
    const named = namedBy(known, draft)
    const isVoid = named.previous !== '' && (await isVoidChallenge(store, named.previous))
    const waiting = await heldCalls(store, draft.session, draft.now)
    const undecided = await undecidedIn(draft.session, draft.parts, view, key)
    const order: StepOrder = {
      ...draft,
      fresh,
      named,
      waiting,
      ...(isVoid && { voided: named.previous }),
      ...(undecided !== undefined && { undecided }),
    }
    const refs = {
      agent: agentRef(key),
      open: openBlocksRef(),
      attention: attentionRef(draft.principal),
      paused: requestRef(named.paused),
      granted: requestRef(named.granted),
      previous: challengeRef(named.previous),
      asked: requestRef(fresh.approval),
      challenge: challengeRef(fresh.challenge),
      block: blockRef(fresh.block),
    }
    const result = await store.update<typeof refs, StepResult>(refs, (state) => stepChange(order, state))
    if (result.kind !== 'again') return result
  }
  return { kind: 'again' }
}

const MOST_TRIES = 100

/** BLOCK-01: what would have stopped the agent stops it also when nothing can be written. */
function keepBlock(order: Draft, view: View, cause: unknown): never {
  const { parts, hint, hintHash, principal, session, element_name, scored, riskScore, now } = order
  const key = agentKey(principal, element_name)
  const isRunning = view.runs(session).some((run) => run.key === key)
  const {
    outcome,
    stage,
    reason = 'Stopped',
  } = evaluate({
    hint,
    count: 0,
    scored,
    settings: parts.settings,
    ...(riskScore !== undefined && { riskScore }),
  })
  if (parts.mode === 'enforcing' && isRunning && outcome === 'stop') {
    const block: OpenBlock = {
      id: randomUUID(),
      agentKey: key,
      principal,
      element_name,
      trigger: stage === 'action patterns' ? 'deny' : 'danger_zone',
      ...hintOf(order),
      hintHash,
      score: highestScore(scored, riskScore),
      reason: redactAction(reason),
      session,
      lookAlike: lookAlike(element_name),
      blockedAt: now,
      opener: parts.store.opener,
    }
    view.keep(block)
  }
  throw cause
}

async function answerOf(
  recorded: Recorded,
  order: Draft,
  view: View,
  connection: ConnectionReach,
): Promise<StepAnswer | OperationFailure> {
  const { parts, session, now } = order
  const { execution, agent, decision, challenge } = recorded
  const answer = {
    execution_id: execution.execution_id,
    step_number: execution.steps,
    recorded_at: new Date(now).toISOString(),
  }
  if (decision === 'tracked') return answer
  if (decision === 'stop') await parts.revokeTokens?.(session, 'the agent was blocked').catch(parts.report)
  const delivery = challenge ? await deliver(challenge, parts) : whereOf(parts)
  const waiting = await heldCalls(parts.store, session, now)
  const reach = await reachOf(agent, connection, parts)
  const autonomy = directiveOf(recorded, { waiting, delivery, now, ...(reach && { reach }) })
  view.covered(session, agent.key, autonomy.continue ? order.hint : undefined)
  return { ...answer, autonomy }
}

/** SELF-12: a form that cannot show the whole action does not decide on it. */
async function reachOf(
  { pause }: AgentRecord,
  connection: ConnectionReach,
  { reach, store }: LoopParts,
): Promise<Reach | undefined> {
  if (!reach) return undefined
  const asked = pause && (await store.get(requestRef(pause.approvalId)))
  const canElicit = connection.canElicit && (!asked || fitsForm(asked))
  return reachFrom(reach(), { canElicit })
}
