import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redactText } from '../audit/redact.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { isSameCaller } from '../session.ts'
import { type AgentRecord, agentRef, liveGrants, withoutChallenge } from './agent.ts'
import { ATTEMPTS, type Attempts, admitAttempt, attemptsRef, withFailure } from './attempts.ts'
import {
  type BlockRecord,
  blockAt,
  blockEntry,
  blockRef,
  type OpenBlocks,
  openBlocksRef,
  withoutBlock,
} from './block.ts'
import { type Challenge, challengeEntry, challengeRef, closed, isCode, isOpen } from './challenge.ts'

export interface VerifyOrder {
  readonly challenge_id: string
  readonly code: string
  /** Who submits; any session may (OOB-09). */
  readonly session: string
  readonly principal: string
  /** A human submits it at the terminal, not an agent. */
  readonly isOperator?: boolean
  /** How long the granted action can be used (AUTO-17). */
  readonly grantMs?: number
}

export interface Verified {
  readonly challenge: Challenge
  readonly blockLifted: boolean
}

/**
 * OOB-09 to OOB-15. The right code counts whoever submits it, since a human has read it to them. A wrong one of the
 * caller that the challenge was made for, or of the operator, uses it up. For others a challenge whose code they do not
 * know does not exist: their try changes nothing of it and counts for themselves. Everything is one commit.
 */
export async function verifyChallenge(
  store: Store,
  clock: Clock,
  order: VerifyOrder,
): Promise<Verified | OperationFailure> {
  const known = await store.get(challengeRef(order.challenge_id))
  const isVoid = known !== undefined && (await store.isGone(known.opener))
  const open = known && blockAt(await store.get(openBlocksRef()), known.agentKey)
  const isOwn = known !== undefined && isMadeFor(known, order)
  const refs = {
    challenge: challengeRef(order.challenge_id),
    agent: agentRef(known?.agentKey ?? ''),
    attempts: attemptsRef(isOwn ? `agent ${known.agentKey}` : `principal ${order.principal}`), // no new session escapes it
    open: openBlocksRef(),
    block: blockRef(open?.id ?? ''),
  }
  return store.update<typeof refs, Verified | OperationFailure>(refs, (current): Change => {
    const now = clock.now()
    const admission = admitAttempt(current.attempts, now)
    if (admission.kind === 'limited') return limited(order, admission.next, admission.retryAfterSeconds, now)
    const { challenge, agent } = current
    const isRight = isCode(challenge ?? {}, order.code)
    const fault = isVoid ? 'void' : faultOf(challenge, agent, now)
    if (!challenge || !agent || fault !== undefined || !isRight) {
      const attempts = withFailure(admission.next, now)
      return isOwn
        ? failed(order, challenge, agent, attempts, fault ?? 'wrong', now)
        : failed(order, undefined, undefined, attempts, 'unknown', now)
    }
    return verified(order, challenge, agent, current, now)
  })
}

interface Change {
  readonly next?: {
    readonly challenge?: Challenge
    readonly agent?: AgentRecord
    readonly attempts?: Attempts
    readonly open?: OpenBlocks
    readonly block?: BlockRecord
  }
  readonly audit: readonly AuditEntry[]
  readonly result: Verified | OperationFailure
}

function isMadeFor({ principal, session }: Challenge, order: VerifyOrder): boolean {
  if (order.isOperator) return true
  return order.principal === principal && isSameCaller(principal, session, order.session)
}

/** Everything but the code. Only the agent's current challenge can be answered: an older one is as good as unknown. */
function faultOf(challenge: Challenge | undefined, agent: AgentRecord | undefined, now: number): string | undefined {
  if (!challenge || !agent) return 'unknown'
  if (now > challenge.expiresAt) return 'expired'
  if (agent.challenge?.id !== challenge.id) return 'superseded'
  return challenge.state === 'shown' ? undefined : challenge.state
}

/** OOB-10: the caller learns that it failed and nothing else; the trail learns why. */
function failed(
  order: VerifyOrder,
  challenge: Challenge | undefined,
  agent: AgentRecord | undefined,
  attempts: Attempts,
  failure_reason: string,
  now: number,
): Change {
  const by = { ...submitter(order), failure_reason }
  const result = fail('PERMISSION_VERIFICATION_FAILED', { next: NEXT_CODE })
  if (!challenge) return { next: { attempts }, audit: [{ ...unknownEntry(order, now), ...by }], result }
  const isCurrent = agent?.challenge?.id === challenge.id
  const wasOpen = isOpen(challenge)
  const event = failure_reason === 'expired' ? 'CHALLENGE_EXPIRED' : 'CHALLENGE_FAILED'
  return {
    next: {
      attempts,
      ...(wasOpen && { challenge: closed(challenge, now) }),
      ...(wasOpen &&
        isCurrent &&
        agent?.challenge && {
          agent: { ...agent, challenge: { ...agent.challenge, state: 'failed' } },
        }),
    },
    audit: [challengeEntry(event, challenge, now, { ...by, outcome: 'failure' })],
    result,
  }
}

/** The same whatever was wrong (OOB-10). */
const NEXT_CODE =
  'A code is good for one try. Report the action again, or repeat the refused call, for a new challenge, and ask the user for its code; never guess one.'

/** OOB-15: the pause or block is gone and the one action granted, nothing else. */
function verified(
  order: VerifyOrder,
  challenge: Challenge,
  agent: AgentRecord,
  { open = {}, block }: { readonly open?: OpenBlocks | undefined; readonly block?: BlockRecord | undefined },
  now: number,
): Change {
  const { grantMs = GRANT_MS, principal } = order
  const { salt: _, hash: __, ...kept } = challenge
  const by = submitter(order)
  const grant = {
    hintHash: challenge.hintHash,
    session: challenge.session,
    until: now + grantMs,
    from: challenge.id,
  }
  const isBlocked = blockAt(open, agent.key)?.verificationId === challenge.id
  const timestamp = new Date(now).toISOString()
  const ended = block && { ...block, unblocked_at: timestamp, unblocked_by: principal, channel: 'verify_challenge' }
  const grants = challenge.hint === '' ? liveGrants(agent, now) : [...liveGrants(agent, now), grant]
  return {
    next: {
      challenge: { ...kept, state: 'verified', endedAt: now },
      agent: { ...withoutChallenge(agent), grants, issued: withoutIssue(agent.issued, challenge.issuedAt) },
      ...(isBlocked && { open: withoutBlock(open, agent.key), ...(ended && { block: ended }) }),
    },
    audit: [
      challengeEntry('CHALLENGE_VERIFIED', challenge, now, { ...by, outcome: 'success', result: 'confirmed' }),
      ...(isBlocked && ended ? [{ ...blockEntry('AGENT_UNBLOCKED', ended, timestamp), ...by }] : []),
    ],
    result: { challenge, blockLifted: isBlocked },
  }
}

const GRANT_MS = 300_000

/** a code that was passed on counts against nobody. */
function withoutIssue(issued: readonly number[], at: number): readonly number[] {
  const found = issued.indexOf(at)
  return found < 0 ? issued : issued.toSpliced(found, 1)
}

/** OOB-12, before anything is compared. */
function limited(order: VerifyOrder, attempts: Attempts, retry_after_seconds: number, now: number): Change {
  return {
    next: { attempts },
    audit: [{ ...unknownEntry(order, now), event: 'VERIFICATION_RATE_LIMITED' }],
    result: fail('RATE_LIMIT_EXCEEDED', {
      limit: ATTEMPTS.most,
      remaining: 0,
      window: 'minute',
      resets_at: new Date(now + retry_after_seconds * 1_000).toISOString(),
      retry_after_seconds,
      reason: 'too many verification attempts failed',
      next: `These are too many verification attempts, not too many calls. Wait ${retry_after_seconds} s, then submit only a code that the user has read to you.`,
    }),
  }
}

function unknownEntry(order: VerifyOrder, now: number): AuditEntry {
  return {
    timestamp: new Date(now).toISOString(),
    event: 'CHALLENGE_FAILED',
    verificationId: redactText(order.challenge_id).slice(0, 64),
    outcome: 'failure',
    ...submitter(order),
  }
}

/** The trail names who tried, not for whom the challenge was made; `agent_key` tells that. */
function submitter({ session, principal }: VerifyOrder) {
  return {
    user_id: principal,
    session_id: session,
    client_context: { session_id: session, user_id: principal },
  }
}
