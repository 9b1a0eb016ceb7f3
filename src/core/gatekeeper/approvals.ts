import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Clock } from '../ports/clock.ts'
import type { HumanDecision } from '../ports/human.ts'
import type { Store } from '../ports/store.ts'
import { type Attention, attentionRef, withoutPrompt } from './attention.ts'
import { type Desk, deniedScope, deskRef, without } from './desk.ts'
import { type ApprovalRequest, MOST_USES, type RecordedDecision, requestRef, stateOf } from './request.ts'

export type Decided =
  | { readonly kind: 'decided'; readonly request: ApprovalRequest }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly request?: ApprovalRequest }

export type Refusal = 'unknown' | (typeof REFUSALS)[number]['why']

export interface DecisionRules {
  /** C2 may be approved by elicitation too (SELF-14). */
  readonly elicitC2: boolean
  /** Level 4 needs two different approvers. */
  readonly twoPerson: boolean
}

const STRICT: DecisionRules = { elicitC2: false, twoPerson: false }

/** SELF-11: a human decides on one request. Every reason for which the decision does not count is checked here, once. */
export async function decide(
  store: Store,
  clock: Clock,
  id: string,
  decision: HumanDecision,
  rules: DecisionRules = STRICT,
): Promise<Decided> {
  const known = await store.get(requestRef(id))
  if (!known) return { kind: 'refused', why: 'unknown' }
  const refs = { request: requestRef(id), desk: deskRef(known.session), attention: attentionRef(known.principal) }
  return store.update(refs, ({ request, desk, attention }): Changed => {
    const now = clock.now()
    if (!request) return { result: { kind: 'refused', why: 'unknown' } }
    const refusal = REFUSALS.find(({ applies }) => applies(request, decision, now, rules))
    if (refusal) return refused(request, decision, refusal.why, now)
    const next = decided(request, decision, now, rules)
    if (next.state === 'pending')
      return { next: { request: next }, audit: [auditOf(next, decision, now)], result: done(next) }
    return {
      next: {
        request: next,
        attention: withoutPrompt(attention, id, now),
        ...(desk && next.state !== 'approved' && { desk: closed(desk, next) }),
      },
      audit: [auditOf(next, decision, now)],
      result: done(next),
    }
  })
}

interface Changed {
  readonly next?: { readonly request?: ApprovalRequest; readonly attention?: Attention; readonly desk?: Desk }
  readonly audit?: readonly AuditEntry[]
  readonly result: Decided
}

/** Why a decision does not count; the first that applies is told. Denying is the safe way, so little stands against it. */
const REFUSALS = [
  row(
    'already',
    (request, { decision }) => request.state !== 'pending' && !(decision === 'revoke' && request.state === 'approved'),
  ),
  row('expired', (request, _, now) => stateOf(request, now) === 'expired'),
  row(
    'changed',
    (request, { version, paramsHash }) =>
      (version !== undefined && version !== request.version) ||
      (paramsHash !== undefined && paramsHash !== request.paramsHash),
  ),
  row(
    'role',
    ({ class: asked }, { decision, by }) =>
      by.role === 'viewer' || (decision === 'approve' && asked === 'C3' && by.role !== 'admin'),
  ),
  row('own_subject', ({ principal }, { by }) => by.channel === 'principal' && by.subject === principal),
  row(
    'channel',
    ({ class: asked, requiresReauth }, { decision, by }, _, { elicitC2 }) =>
      decision === 'approve' && !mayApprove(by.channel, requiresReauth ? 'C3' : asked, elicitC2),
  ),
  row(
    'reauth',
    ({ class: asked, requiresReauth, issuedAt }, { decision, by }) =>
      decision === 'approve' && (asked === 'C3' || requiresReauth) && !((by.authenticatedAt ?? 0) >= issuedAt),
  ),
  row(
    'scope',
    ({ class: asked, level, kind }, { decision, scope }) =>
      decision === 'approve' &&
      scope === 'session' &&
      (asked === 'C3' || DANGER_LEVELS[level] > DANGER_LEVELS.destructive || kind === 'pause' || kind === 'agent'),
  ),
  row(
    'same_person',
    ({ decisions }, { decision, by }, _, { twoPerson }) =>
      twoPerson && decision === 'approve' && decisions.some((earlier) => earlier.by === by.subject),
  ),
] as const

function row<const W extends string>(
  why: W,
  applies: (request: ApprovalRequest, decision: HumanDecision, now: number, rules: DecisionRules) => boolean,
) {
  return { why, applies }
}

/** SELF-14. */
export function mayApprove(channel: string, asked: ApprovalRequest['class'], elicitC2: boolean): boolean {
  switch (asked) {
    case 'C1':
      return true
    case 'C2':
      return channel !== 'elicitation' || elicitC2
    case 'C3':
      return channel === 'console' || channel === 'terminal'
  }
}

function decided(
  request: ApprovalRequest,
  decision: HumanDecision,
  now: number,
  { twoPerson }: DecisionRules,
): ApprovalRequest {
  const version = request.version + 1
  const decisions = [...request.decisions, recorded(decision, now)]
  switch (decision.decision) {
    case 'deny':
      return { ...request, version, decisions, state: 'denied' }
    case 'revoke':
      return { ...request, version, decisions, state: 'revoked' }
    case 'approve': {
      const approvals = decisions.filter((each) => each.decision === 'approve').length
      if (twoPerson && request.level === 'forbidden' && approvals < 2) return { ...request, version, decisions }
      return { ...request, version, decisions, state: 'approved', approvedAt: now, maxUses: usesOf(decision) }
    }
  }
}

function usesOf({ scope, maxUses }: HumanDecision): number {
  return scope === 'session' ? Math.max(1, Math.min(maxUses, MOST_USES)) : 1
}

function recorded({ decision, scope, by, reason, tellAgent }: HumanDecision, at: number): RecordedDecision {
  return {
    decision,
    scope,
    by: by.subject,
    channel: by.channel,
    at,
    ...(reason !== undefined && { reason }),
    ...(tellAgent !== undefined && { tellAgent }),
  }
}

/** SELF-11, SELF-13: what was denied stays denied for the session; what was taken back may be asked again. */
function closed(desk: Desk, { operation, scope, retry, state }: ApprovalRequest): Desk {
  const live = without(desk.live, scope)
  if (state !== 'denied') return { ...desk, live }
  const denials = { ...desk.denials, [operation]: (desk.denials[operation] ?? 0) + 1 }
  return { ...desk, live, denials, denied: { ...desk.denied, [deniedScope(scope, retry)]: true } }
}

function done(request: ApprovalRequest): Decided {
  return { kind: 'decided', request }
}

function refused(request: ApprovalRequest, decision: HumanDecision, why: Refusal, now: number): Changed {
  const result: Decided = { kind: 'refused', why, request }
  if (why !== 'own_subject') return { result }
  const entry = { ...common(request, decision, now), event: 'SELF_APPROVAL_REJECTED', result: 'denied' } as const
  return { audit: [entry], result }
}

const EVENTS = { approve: 'CONFIRMATION_GRANTED', deny: 'APPROVAL_DENIED', revoke: 'TOKEN_REVOKED' } as const

function auditOf(request: ApprovalRequest, decision: HumanDecision, now: number): AuditEntry {
  const isApproval = decision.decision === 'approve'
  return {
    ...common(request, decision, now),
    event: EVENTS[decision.decision],
    result: isApproval ? 'confirmed' : 'denied',
    ...(isApproval && decision.scope === 'session' && { max_uses: usesOf(decision) }),
  }
}

function common(request: ApprovalRequest, { by, reason, tellAgent, scope }: HumanDecision, now: number) {
  return {
    timestamp: new Date(now).toISOString(),
    operation: request.operation,
    endpoint: request.endpoint,
    adapter_name: request.adapter,
    adapter_trust: request.trust,
    danger_level: DANGER_LEVELS[request.level],
    approval_id: request.id,
    ...(request.token !== undefined && { token_id: request.id }),
    params_hash: request.paramsHash,
    user_id: request.principal,
    session_id: request.session,
    operator: by.subject,
    channel: by.channel,
    scope,
    ...(reason !== undefined && { reason }),
    ...(tellAgent !== undefined && { told_agent: tellAgent }),
  }
}
