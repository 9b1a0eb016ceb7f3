import type { AgentNotification } from '../../protocol/directive.ts'
import type { Reach } from '../gatekeeper/demand.ts'
import { deskRef } from '../gatekeeper/desk.ts'
import { type ApprovalRequest, requestRef, stateOf } from '../gatekeeper/request.ts'
import type { Store } from '../ports/store.ts'
import type { AgentRecord, Pause, PendingChallenge } from '../verification/agent.ts'
import type { OpenBlock } from '../verification/block.ts'
import { type Delivery, UNDELIVERABLE } from './issue-challenge.ts'
import type { Recorded } from './step.ts'

export interface Surroundings {
  /** Calls of the session that the gate holds for a human. */
  readonly waiting: readonly ApprovalRequest[]
  readonly delivery: Delivery
  readonly now: number
  /** Where a human can decide on a pause; absent where it is not known. */
  readonly reach?: Reach
}

/**
 * NOTE-01 to NOTE-09. State-bearing notifications are read off the state at each answer, so they can neither be lost,
 * nor doubled, nor outlive what they tell of; only the informational ones are kept, until they have been told.
 */
export function notificationsFor(recorded: Recorded, around: Surroundings): readonly AgentNotification[] {
  const { agent, execution, open, notices } = recorded
  const { pause, challenge } = agent
  const blocks = Object.values(open).filter(({ blockedAt }) => blockedAt >= execution.startedAt)
  return [
    ...blocks.map((block) => dangerZone(block, agent, around)),
    ...(pause ? pauseNotes(pause, around) : []),
    ...(challenge?.cause === 'verify' && around.now <= challenge.expiresAt ? [verifyNote(challenge, around)] : []),
    ...passing(recorded, around),
    ...around.waiting.map(pendingNote),
    ...notices,
  ]
}

/** NOTE-03: what the gate holds for this session and nobody has decided yet. */
export async function heldCalls(store: Store, session: string, now: number): Promise<readonly ApprovalRequest[]> {
  const live = (await store.get(deskRef(session)))?.live ?? {}
  const requests = await Promise.all(Object.values(live).map((id) => store.get(requestRef(id))))
  return requests.filter((each) => each !== undefined).filter((each) => stateOf(each, now) === 'pending')
}

/** OOB-06, OOB-07: what the agent may know about the code. */
export function howToVerify(delivery: Delivery, isBlocked: boolean): string {
  switch (delivery.state) {
    case 'shown':
      return `A human can read the code in ${delivery.where}; submit it with verify_challenge.`
    case 'waiting':
      return `A human can have the code shown in ${delivery.where}; submit it with verify_challenge.`
    case 'undeliverable':
      return `No display channel is available, so no code can be shown. The operator can set up the console or a desktop dialog${isBlocked ? ', or lift the block with `mcpaql unblock`' : ''}.`
  }
}

/** Of a block whose action nobody can see. */
export const ONLY_LIFTED =
  'The action holds what looks like a credential, so no code is made for it; the operator can lift the block (mcpaql unblock, or the console).'

/** NOTE-07, NOTE-08: other principals learn that there is a block, and its verification id. */
function dangerZone(block: OpenBlock, agent: AgentRecord, { delivery }: Surroundings): AgentNotification {
  const { verificationId } = block
  const id = verificationId === undefined ? {} : { verificationId }
  const timestamp = iso(block.blockedAt)
  if (block.principal !== agent.principal)
    return { type: 'danger_zone', message: 'Another agent was stopped.', timestamp, metadata: id }
  const isOwn = block.agentKey === agent.key
  const message = isOwn
    ? `You are stopped: ${block.reason}. ${block.unseen ? ONLY_LIFTED : howToVerify(delivery, true)}`
    : `Agent '${block.element_name}' was stopped.`
  const level = { level: 'danger_zone', ...(isOwn && { reason: block.reason }) }
  return { type: 'danger_zone', message, timestamp, metadata: { ...level, ...id } }
}

/** NOTE-05: both are cleared by the decision on the pause. */
function pauseNotes(
  { approvalId, reason, factors, tier, pattern, since }: Pause,
  { reach }: Surroundings,
): readonly AgentNotification[] {
  const timestamp = iso(since)
  const level = tier === undefined ? {} : { level: tier }
  const note: AgentNotification = {
    type: 'autonomy_pause',
    message: `Paused until a human decides on approval ${approvalId}${whereDecided(approvalId, reach)}. ${reason}. Factors: ${factors.join('; ')}. ${AFTER_DECISION}`,
    timestamp,
    metadata: { reason, ...level, approvalId },
  }
  if (pattern === undefined) return [note]
  const metadata = { operation: 'record_execution_step', reason, ...level, approvalId }
  const message = `A human has to approve the action (pattern '${pattern}').`
  return [note, { type: 'permission_pending', message, timestamp, metadata }]
}

/** SELF-10: said in full, or that there is nobody. */
function whereDecided(id: string, reach: Reach | undefined): string {
  if (!reach) return ''
  const { channels, consoleUrl } = reach
  const ways = [
    ...(channels.includes('elicitation') ? ['in the form of this client'] : []),
    ...(channels.includes('console') ? [`at ${(consoleUrl ?? 'the console').replace(/\/$/, '')}`] : []),
    ...(channels.includes('terminal') ? [`with mcpaql approve ${id}`] : []),
  ]
  return ways.length > 0
    ? ` (${ways.join(', or ')})`
    : '; nobody can, because no approval channel is usable here (web console, terminal, elicitation by this client)'
}

const AFTER_DECISION = 'Tell the user, and report the same action again when it is decided'

/** NOTE-06. */
function verifyNote(challenge: PendingChallenge, { delivery }: Surroundings): AgentNotification {
  const { id: verificationId, reason, since, expiresAt, state } = challenge
  const how = state === 'failed' ? FAILED : howToVerify(state === 'undeliverable' ? UNDELIVERABLE : delivery, false)
  return {
    type: 'autonomy_pause',
    message: `Paused until verification ${verificationId} succeeds or expires (${iso(expiresAt)}). ${reason}. ${how}`,
    timestamp: iso(since),
    metadata: { reason, level: 'verify', verificationId },
  }
}

const FAILED = 'A wrong code was submitted; report the same action again for a new one.'

/**
 * NOTE-05: what no record stands for is told with the answer alone: a pause without a further code (OOB-14), and a stop,
 * after which there is no answer until the block and all that belongs to it are gone.
 */
function passing(
  { decision, agent, reason = '', factors }: Recorded,
  { now }: Surroundings,
): readonly AgentNotification[] {
  const isStated = agent.pause !== undefined || agent.challenge !== undefined
  const isPassing = decision === 'stop' || decision === 'refused' || (decision === 'pause' && !isStated)
  if (!isPassing) return []
  const message = `${reason}. Factors: ${factors.join('; ')}`
  const level = decision === 'stop' ? { level: 'danger_zone' } : {}
  return [{ type: 'autonomy_pause', message, timestamp: iso(now), metadata: { reason, ...level } }]
}

/** NOTE-03. */
function pendingNote({ id, operation, level, issuedAt }: ApprovalRequest): AgentNotification {
  return {
    type: 'permission_pending',
    message: `Operation '${operation}' waits for a human.`,
    timestamp: iso(issuedAt),
    metadata: { operation, level, approvalId: id },
  }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
