import { randomUUID } from 'node:crypto'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { type AgentRecord, agentRef, newAgent } from '../verification/agent.ts'
import { blockAt, blockRef, type OpenBlock, openBlocksRef } from '../verification/block.ts'
import { type Challenge, challengeRef } from '../verification/challenge.ts'
import { deliver, issueChallenge, mayIssue, nextIssueIn, UNDELIVERABLE, whereOf } from './issue-challenge.ts'
import { howToVerify } from './notifications.ts'
import type { LoopParts } from './parts.ts'
import { hashHint } from './pause-request.ts'

export interface RefusedCall {
  readonly operation: string
  readonly session: string
  readonly principal: string
}

/** BLOCK-02, OOB-14: refused, and given a new challenge where the last one can no longer be answered. */
export async function refuseBlocked(known: OpenBlock, call: RefusedCall, parts: LoopParts): Promise<OperationFailure> {
  const { store, clock } = parts
  const id = randomUUID()
  const refs = {
    agent: agentRef(known.agentKey),
    open: openBlocksRef(),
    block: blockRef(known.id),
    challenge: challengeRef(id),
  }
  const refused = await store.update<typeof refs, Refused>(refs, ({ agent: found, open = {}, block }) => {
    const now = clock.now()
    const entry = refusedEntry(known, call, parts, now)
    const current = blockAt(open, known.agentKey)
    const agent = found ?? newAgent({ ...agentOf(known), firstSeenAt: now })
    const isDone = current?.id !== known.id || isPending(agent, now)
    if (isDone || parts.mode !== 'enforcing')
      // LOOP-17: elsewhere nobody is asked for a code
      return { audit: [entry], result: { block: current ?? known, agent, now } }
    if (!mayIssue(agent, now))
      return { audit: [entry], result: { block: current, agent, now, wait: nextIssueIn(agent, now) } }
    const issued = issueChallenge(agent, challengeFor(known, call, id), parts, now)
    const next = { ...current, verificationId: id }
    return {
      next: {
        agent: issued.agent,
        open: { ...open, [known.agentKey]: next },
        challenge: issued.challenge,
        ...(block && { block: { ...block, verificationId: id } }),
      },
      audit: [entry, ...issued.audit],
      result: {
        block: next,
        agent: issued.agent,
        now,
        issued: issued.challenge,
      },
    }
  })
  return failureOf(refused, parts)
}

interface Refused {
  readonly block: OpenBlock
  readonly agent: AgentRecord
  readonly now: number
  readonly issued?: Challenge
  /** Seconds until another challenge can be made. */
  readonly wait?: number
}

async function failureOf({ block, agent, issued, wait }: Refused, parts: LoopParts): Promise<OperationFailure> {
  const isUndeliverable = agent.challenge?.state === 'undeliverable'
  const delivery = issued ? await deliver(issued, parts) : isUndeliverable ? UNDELIVERABLE : whereOf(parts)
  const next =
    wait === undefined
      ? howToVerify(delivery, true)
      : `Too many codes were asked for; the next can be made in ${wait} s.`
  return fail('PERMISSION_AGENT_BLOCKED', {
    element_name: block.element_name,
    verificationId: block.verificationId,
    blocked_at: new Date(block.blockedAt).toISOString(),
    reason: block.reason,
    next,
  })
}

/** An undeliverable one counts as pending until it expires: another would be no better. */
function isPending({ challenge }: AgentRecord, now: number): boolean {
  return challenge?.cause === 'block' && challenge.state !== 'failed' && now <= challenge.expiresAt
}

function agentOf({ agentKey: key, principal, element_name }: OpenBlock) {
  return { key, principal, element_name }
}

function challengeFor(block: OpenBlock, { session }: RefusedCall, id: string) {
  const { trigger, hint, hintHash = hashHint(hint), score = 100, reason } = block
  return { id, session, trigger, hint, hintHash, tier: 'danger_zone', score, factors: [reason], reason } as const
}

function refusedEntry(block: OpenBlock, call: RefusedCall, { adapter }: LoopParts, now: number): AuditEntry {
  return {
    timestamp: new Date(now).toISOString(),
    event: 'OPERATION_DENIED',
    operation: call.operation,
    adapter_name: adapter,
    result: 'denied',
    outcome: 'denied',
    reason: `the agent is blocked: ${block.reason}`,
    agent_key: block.agentKey,
    element_name: block.element_name,
    user_id: call.principal,
    session_id: call.session,
  }
}
