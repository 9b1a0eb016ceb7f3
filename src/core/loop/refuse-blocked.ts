import { randomUUID } from 'node:crypto'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Store } from '../ports/store.ts'
import { isSameCaller } from '../session.ts'
import { type AgentRecord, agentRef, newAgent } from '../verification/agent.ts'
import { blockAt, blockRef, type OpenBlock, openBlocksRef } from '../verification/block.ts'
import { type Challenge, challengeRef } from '../verification/challenge.ts'
import { deliver, issueChallenge, mayIssue, nextIssueIn, UNDELIVERABLE, whereOf } from './issue-challenge.ts'
import { howToVerify, ONLY_LIFTED } from './notifications.ts'
import type { LoopParts } from './parts.ts'
import { hashHint } from './pause-request.ts'
import { isVoidChallenge, withoutVoid } from './recover.ts'

export interface RefusedCall {
  readonly operation: string
  readonly session: string
  readonly principal: string
}

/** BLOCK-02, OOB-14: refused and recorded, and given a new challenge where the last one can no longer be answered. */
export async function refuseBlocked(known: OpenBlock, call: RefusedCall, parts: LoopParts): Promise<OperationFailure> {
  const entry = refusedEntry(known, call, parts, parts.clock.now())
  if (await isOfAnother(known, call, parts.store)) {
    await parts.store.update({}, () => ({ audit: [entry], result: undefined }))
    return failureOfAnother(known)
  }
  return failureOf(await challenged(known, call, parts, [entry]), parts)
}

/** The same for a call that the gate has refused and records itself: while the challenge can be answered, nothing is written. */
export async function tellBlocked(known: OpenBlock, call: RefusedCall, parts: LoopParts): Promise<OperationFailure> {
  const { store, clock } = parts
  const now = clock.now()
  if (await isOfAnother(known, call, store)) return failureOfAnother(known)
  const agent = await store.get(agentRef(known.agentKey))
  const isCurrent = agent !== undefined && isPending(agent, now) && !(await isVoid(agent, store))
  return failureOf(isCurrent ? { block: known, agent, now } : await challenged(known, call, parts, []), parts)
}

async function challenged(
  known: OpenBlock,
  call: RefusedCall,
  parts: LoopParts,
  entries: readonly AuditEntry[],
): Promise<Refused> {
  const { store, clock } = parts
  const id = randomUUID()
  const before = await store.get(agentRef(known.agentKey))
  const voided = before && (await isVoid(before, store)) ? before.challenge?.id : undefined
  const refs = {
    agent: agentRef(known.agentKey),
    open: openBlocksRef(),
    block: blockRef(known.id),
    challenge: challengeRef(id),
  }
  return store.update<typeof refs, Refused>(refs, ({ agent: found, open = {}, block }) => {
    const now = clock.now()
    const current = blockAt(open, known.agentKey)
    const stored = found ?? newAgent({ ...agentOf(known), firstSeenAt: now })
    const agent = voided !== undefined && stored.challenge?.id === voided ? withoutVoid(stored) : stored
    const isDone = current?.id !== known.id || current.unseen || isPending(agent, now)
    if (isDone || parts.mode !== 'enforcing')
      // LOOP-17: elsewhere nobody is asked for a code
      return { audit: entries, result: { block: current ?? known, agent, now } }
    if (!mayIssue(agent, now))
      return { audit: entries, result: { block: current, agent, now, wait: nextIssueIn(agent, now) } }
    const issued = issueChallenge(agent, challengeFor(known, call, id), parts, now)
    const next = { ...current, verificationId: id }
    return {
      next: {
        agent: issued.agent,
        open: { ...open, [known.agentKey]: next },
        challenge: issued.challenge,
        ...(block && { block: { ...block, verificationId: id } }),
      },
      audit: [...entries, ...issued.audit],
      result: {
        block: next,
        agent: issued.agent,
        now,
        issued: issued.challenge,
      },
    }
  })
}

interface Refused {
  readonly block: OpenBlock
  readonly agent: AgentRecord
  readonly now: number
  readonly issued?: Challenge
  /** Seconds until another challenge can be made. */
  readonly wait?: number
}

/**
 * OOB-14: codes are made for the caller that was stopped. Another one who shares its principal would only use them up,
 * so it gets none as long as the session of the block lives; the right code counts from any session all the same.
 */
async function isOfAnother(
  { principal, session, opener }: OpenBlock,
  call: RefusedCall,
  store: Store,
): Promise<boolean> {
  if (session === undefined || opener === undefined || isSameCaller(principal, session, call.session)) return false
  return !(await store.isGone(opener))
}

function failureOfAnother({ element_name, blockedAt, reason }: OpenBlock): OperationFailure {
  return fail('PERMISSION_AGENT_BLOCKED', {
    element_name,
    blocked_at: new Date(blockedAt).toISOString(),
    reason,
    next: OF_ANOTHER,
  })
}

const OF_ANOTHER =
  'Stop, and tell the user: another session that shares your name was stopped, and a human decides there, or the operator lifts the block (mcpaql unblock, or the console).'

/** A challenge that can no longer be answered is not named. */
async function failureOf({ block, agent, now, issued, wait }: Refused, parts: LoopParts): Promise<OperationFailure> {
  const isUndeliverable = agent.challenge?.state === 'undeliverable'
  const delivery = issued ? await deliver(issued, parts) : isUndeliverable ? UNDELIVERABLE : whereOf(parts)
  const how = block.unseen ? ONLY_LIFTED : wait === undefined ? howToVerify(delivery, true) : tooMany(wait)
  return fail('PERMISSION_AGENT_BLOCKED', {
    element_name: block.element_name,
    ...(isPending(agent, now) && { verificationId: agent.challenge?.id }),
    blocked_at: new Date(block.blockedAt).toISOString(),
    reason: block.reason,
    next: `Stop, and tell the user. ${how}`,
  })
}

function tooMany(seconds: number): string {
  return `Too many codes were asked for; the next can be made in ${seconds} s, or the operator lifts the block (mcpaql unblock, or the console).`
}

/** BLOCK-05: whoever made it has ended, so nobody answers for what was shown. */
async function isVoid({ challenge }: AgentRecord, store: Store): Promise<boolean> {
  return challenge?.cause === 'block' && (await isVoidChallenge(store, challenge.id))
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
