import type { AuditEntry } from '../audit/entry.ts'
import type { ShownChallenge } from '../ports/channel.ts'
import type { AgentRecord, PendingChallenge } from '../verification/agent.ts'
import { type Challenge, challengeEntry } from '../verification/challenge.ts'
import { markUndeliverable, reveal, withdraw } from '../verification/reveal.ts'
import { ISSUE_LIMIT, type LoopParts } from './parts.ts'

export interface Issue
  extends Pick<Challenge, 'id' | 'session' | 'trigger' | 'hint' | 'hintHash' | 'tier' | 'score' | 'factors'> {
  readonly reason: string
}

export interface Issued {
  readonly agent: AgentRecord
  readonly challenge: Challenge
  readonly audit: readonly AuditEntry[]
}

/** OOB-01, OOB-14: the new challenge takes the place of any other, so that one at most can be answered. */
export function issueChallenge(agent: AgentRecord, issue: Issue, parts: LoopParts, now: number): Issued {
  const { reason, ...shown } = issue
  const isDeliverable = parts.channels.length > 0
  const challenge: Challenge = {
    ...shown,
    agentKey: agent.key,
    principal: agent.principal,
    element_name: agent.element_name,
    issuedAt: now,
    expiresAt: now + parts.limits.challengeMs,
    state: isDeliverable ? 'waiting' : 'undeliverable',
    opener: parts.store.opener,
  }
  const pending: PendingChallenge = {
    id: challenge.id,
    cause: challenge.trigger === 'verify' ? 'verify' : 'block',
    state: isDeliverable ? 'waiting' : 'undeliverable',
    hintHash: challenge.hintHash,
    reason,
    since: now,
    expiresAt: challenge.expiresAt,
  }
  return {
    agent: { ...agent, challenge: pending, issued: [...recentIssues(agent, now), now] },
    challenge,
    audit: [
      ...(isExpired(agent, now) ? [expiredEntry(agent, now)] : []),
      challengeEntry('CHALLENGE_ISSUED', challenge, now, { score: challenge.score, hint: challenge.hint }),
      ...(isDeliverable ? [] : [challengeEntry('CHALLENGE_UNDELIVERABLE', challenge, now)]),
    ],
  }
}

function isExpired({ challenge }: AgentRecord, now: number): boolean {
  return challenge !== undefined && challenge.state !== 'failed' && now > challenge.expiresAt
}

/** Nobody is there at the moment a challenge expires; the one that follows it says so. */
function expiredEntry({ key, principal, element_name, challenge }: AgentRecord, now: number): AuditEntry {
  return {
    timestamp: new Date(now).toISOString(),
    event: 'CHALLENGE_EXPIRED',
    ...(challenge && { verificationId: challenge.id }),
    agent_key: key,
    element_name,
    user_id: principal,
  }
}

export function mayIssue(agent: AgentRecord, now: number): boolean {
  return recentIssues(agent, now).length < ISSUE_LIMIT.most
}

/** Seconds until the next challenge can be made. */
export function nextIssueIn(agent: AgentRecord, now: number): number {
  const [oldest = now] = recentIssues(agent, now)
  return Math.max(1, Math.ceil((oldest + ISSUE_LIMIT.windowMs - now) / 1_000))
}

function recentIssues({ issued }: AgentRecord, now: number): readonly number[] {
  return issued.filter((at) => at > now - ISSUE_LIMIT.windowMs)
}

/** How a human can read the code, for the agent to pass on. */
export interface Delivery {
  readonly state: 'shown' | 'waiting' | 'undeliverable'
  readonly where: string
}

/** OOB-05: dialogs at once, one after the other; a console later; nothing at all is told plainly (OOB-06). */
export async function deliver(challenge: Challenge, parts: LoopParts): Promise<Delivery> {
  if (!parts.channels.some(({ kind }) => kind === 'dialog')) return whereOf(parts)
  const showing = showInDialogs(challenge, parts).catch((cause: unknown) => {
    parts.report(cause)
    return whereOf(parts)
  })
  return Promise.race([showing, after(parts.limits.showMs).then(() => whereOf(parts))])
}

/** Where a code that waits can be seen. */
export function whereOf({ channels }: LoopParts): Delivery {
  const places = channels.map((channel) => (channel.kind === 'console' ? channel.where : channel.name))
  return places.length > 0 ? { state: 'waiting', where: places.join(' or ') } : UNDELIVERABLE
}

export const UNDELIVERABLE: Delivery = { state: 'undeliverable', where: '' }

async function showInDialogs(challenge: Challenge, parts: LoopParts): Promise<Delivery> {
  const { store, clock, channels, report } = parts
  for (const channel of channels) {
    if (channel.kind !== 'dialog') continue
    const revealed = await reveal(store, clock, challenge.id, channel.name)
    if (revealed.kind === 'refused') return whereOf(parts)
    const outcome = await channel.show(shownOf(challenge), revealed.code).catch((cause: unknown) => {
      report(cause)
      return 'failed' as const
    })
    if (outcome === 'delivered') return { state: 'shown', where: channel.name }
    await withdraw(store, challenge.id)
  }
  const consoles = channels.filter(({ kind }) => kind === 'console')
  if (consoles.length > 0) return whereOf({ ...parts, channels: consoles })
  await markUndeliverable(store, clock, challenge)
  return UNDELIVERABLE
}

function shownOf({ id, element_name, principal, hint, tier, score, factors, expiresAt }: Challenge): ShownChallenge {
  return { id, element_name, principal, hint, tier, score, factors, expiresAt }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
