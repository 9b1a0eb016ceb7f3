import type { AuditEvent } from '../../protocol/audit.ts'
import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redact } from '../audit/redact.ts'
import type { QuotaChange } from '../quota/quota-status.ts'
import type { QuotaState } from '../quota/thresholds.ts'
import type { Permit } from './admit.ts'
import type { Question } from './question.ts'
import type { ApprovalRequest } from './request.ts'

/** What an entry says of the call that it is about. */
export type About = Pick<Question, 'call' | 'adapter' | 'session' | 'standing'> &
  Partial<Pick<Question, 'paramsHash' | 'isCounted'>>

type TokenFields = 'timestamp' | 'operation' | 'adapter_name' | 'user_id' | 'session_id' | 'client_context'
type AttemptFields = TokenFields | 'endpoint' | 'adapter_trust' | 'danger_level'

/** The fields that AUDIT-01 to AUDIT-03 want of every attempt. */
export function attempt(
  about: About,
  now: number,
): Required<Pick<AuditEntry, AttemptFields>> &
  Pick<AuditEntry, 'audit_context' | 'parameters' | 'retry_of'> & { readonly params_hash?: string } {
  const { call, standing, isCounted, paramsHash } = about
  const { auditContext } = standing.danger
  return {
    ...tokenEntry(about, now),
    endpoint: call.target.endpoint,
    adapter_trust: standing.trust,
    danger_level: DANGER_LEVELS[standing.level],
    ...(isCounted
      ? paramsHash !== undefined && { params_hash: paramsHash }
      : { parameters: redact(call.target, call.params, standing.isOwn) }),
    ...(call.retry && { retry_of: call.retry.execution }),
    ...(auditContext.length > 0 && { audit_context: auditContext }),
  }
}

/** AUDIT-02: what happened to a token, without the parameters. */
export function tokenEntry({ call, adapter, session }: About, now: number): Required<Pick<AuditEntry, TokenFields>> {
  const { principal: user_id, label } = call.session
  const { client } = call.caller
  return {
    timestamp: new Date(now).toISOString(),
    operation: call.operation,
    adapter_name: adapter,
    user_id,
    session_id: session,
    client_context: {
      session_id: session,
      user_id,
      ...(label !== undefined && { label }),
      ...(client !== undefined && { claims: client }),
    },
  }
}

export function deniedEntry(question: Question, reason: string, now: number): AuditEntry {
  return { ...attempt(question, now), event: 'OPERATION_DENIED', result: 'denied', outcome: 'denied', reason }
}

/** AUDIT-03: what a limit or a wrong token refuses was attempted too. */
export function refusedEntries(question: Question, reason: string, now: number): readonly AuditEntry[] {
  const isRecorded = DANGER_LEVELS[question.standing.level] >= DANGER_LEVELS.destructive
  return isRecorded ? [deniedEntry(question, reason, now)] : []
}

export function waitingEntry(
  question: Question,
  { id }: ApprovalRequest,
  reason: string | undefined,
  now: number,
): AuditEntry {
  return {
    ...attempt(question, now),
    event: 'CONFIRMATION_REQUIRED',
    result: 'denied',
    outcome: 'denied',
    confirmation_token: id,
    approval_id: id,
    ...(reason !== undefined && { reason }),
  }
}

export function issuedEntry(question: Question, request: ApprovalRequest, now: number): AuditEntry {
  return {
    ...tokenEntry(question, now),
    event: 'TOKEN_ISSUED',
    outcome: 'success',
    token_id: request.id,
    expires_at: new Date(request.expiresAt).toISOString(),
    tolerance_ms: request.toleranceMs,
  }
}

export function validatedEntry(question: Question, { id }: ApprovalRequest, now: number): AuditEntry {
  return { ...tokenEntry(question, now), event: 'TOKEN_VALIDATED', outcome: 'success', token_id: id }
}

export function rejectedEntry(question: Question, token_id: string, failure_reason: string, now: number): AuditEntry {
  return { ...tokenEntry(question, now), event: 'TOKEN_REJECTED', outcome: 'failure', token_id, failure_reason }
}

export function intentEntry(
  question: About & Pick<Question, 'paramsHash'>,
  intent_id: string,
  request: ApprovalRequest | undefined,
  now: number,
): AuditEntry {
  const outcome = request ? 'confirmed' : 'allowed'
  return {
    ...attempt(question, now),
    event: 'OPERATION_INTENT',
    result: outcome,
    outcome,
    intent_id,
    params_hash: question.paramsHash,
    ...(request && { confirmation_token: request.id }),
  }
}

/** A long-running call has been answered; how it ends is told when it ends. */
export function startedEntry(about: About, { intent, request }: Permit, execution_id: string, now: number): AuditEntry {
  return {
    ...tokenEntry(about, now),
    event: 'OPERATION_CALLED',
    danger_level: DANGER_LEVELS[about.standing.level],
    result: request === undefined ? 'allowed' : 'confirmed',
    outcome: 'started',
    execution_id,
    ...(about.call.retry && { retry_of: about.call.retry.execution }),
    ...(intent !== undefined && { intent_id: intent }),
  }
}

/**
 * AUDIT-05: a quota that was reached, by the call that used it up, or by the one that would have. What is refused from
 * then on is an attempt like any other.
 */
export function quotaEntries(about: About, changes: readonly QuotaChange[], now: number): readonly AuditEntry[] {
  return changes.flatMap(({ metric, current, old, new: next }) => {
    const event = REACHED[next]
    if (event === undefined) return []
    const change = { old: { metric, status: old }, new: { metric, status: next, current } }
    return [{ ...tokenEntry(about, now), event, operator: 'quota', ...change }]
  })
}

const REACHED: Readonly<Partial<Record<QuotaState, AuditEvent>>> = {
  paused: 'QUOTA_PAUSED',
  exhausted: 'QUOTA_EXHAUSTED',
}
