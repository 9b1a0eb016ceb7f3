import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import { type Desk, recent, retryAfterSeconds, TOKEN_RATES, without } from './desk.ts'
import type { Question } from './question.ts'
import { type ApprovalRequest, usableUntil } from './request.ts'
import { sameSecret } from './tokens.ts'

/** What a token is worth at this moment. */
export type Worth =
  | { readonly kind: 'good'; readonly request: ApprovalRequest }
  /** Nobody has approved it, or its cooldown runs: the question stands (TOK-07, DNG-18). */
  | { readonly kind: 'waiting'; readonly request: ApprovalRequest; readonly cooldownSeconds?: number }
  | { readonly kind: 'denied'; readonly request: ApprovalRequest }
  | { readonly kind: 'bad'; readonly failure: OperationFailure; readonly why: string }

/** TOK-08: the first failure in this order is the one that is told. */
export function weigh(
  token: string,
  request: ApprovalRequest | undefined,
  { call, adapter, session, paramsHash, kind }: Question,
  now: number,
): Worth {
  if (!request || !isTheirs(request, token, session)) return bad(invalid(token), 'unknown')
  if (request.state === 'revoked') return bad(invalid(token), 'revoked')
  const isQuota = request.kind === 'quota'
  if (request.operation !== call.operation || isQuota !== (kind === 'quota'))
    return mismatch(token, request, call.operation, 'operation')
  if (!sameSecret(request.paramsHash, paramsHash)) return mismatch(token, request, call.operation, 'parameters')
  if (request.retry !== call.retry?.execution) {
    const asked = { operation: request.retry === undefined ? request.operation : RETRY }
    return mismatch(token, asked, call.retry ? RETRY : call.operation, 'another run')
  }
  if (request.adapter !== adapter) return mismatch(token, request, call.operation, 'adapter')
  if (request.state === 'denied') return { kind: 'denied', request }
  if (!Number.isFinite(request.expiresAt)) return bad(invalid(token), 'no expiry')
  if (now > usableUntil(request)) {
    const expired_at = new Date(request.expiresAt).toISOString()
    return bad(fail('TOKEN_EXPIRED', { token, expired_at, current_time: new Date(now).toISOString() }), 'expired')
  }
  if (request.state === 'consumed' || request.useCount >= request.maxUses) {
    const consumed_at = new Date(request.consumedAt ?? now).toISOString()
    return bad(fail('TOKEN_ALREADY_USED', { token, consumed_at }), 'used')
  }
  if (request.state !== 'approved') return { kind: 'waiting', request }
  const cooldown = Math.ceil(((request.approvedAt ?? now) + request.cooldownSeconds * 1_000 - now) / 1_000)
  return cooldown > 0 ? { kind: 'waiting', request, cooldownSeconds: cooldown } : { kind: 'good', request }
}

const RETRY = 'retry_execution'

/** TOK-13: before the handler starts, in the commit that carries the intent. */
export function consumed(request: ApprovalRequest, now: number): ApprovalRequest {
  const useCount = request.useCount + 1
  const isSpent = useCount >= request.maxUses
  return {
    ...request,
    version: request.version + 1,
    useCount,
    consumedAt: now,
    ...(isSpent && { state: 'consumed' as const }),
  }
}

export function deskWithout(desk: Desk, { scope, id }: ApprovalRequest): Desk {
  return desk.live[scope] === id ? { ...desk, live: without(desk.live, scope) } : desk
}

/** TOK-18: guessing is counted, and stopped before anything is looked up. */
export function tooManyFailures(desk: Desk | undefined, now: number): OperationFailure | undefined {
  const failures = recent(desk?.failures ?? [], now, TOKEN_RATES.windowMs)
  if (failures.length < TOKEN_RATES.failures) return undefined
  return rateLimited(TOKEN_RATES.failures, retryAfterSeconds(failures, now, TOKEN_RATES.windowMs), now)
}

/** TOK-18, ERR-39: most limits of the gate itself are counted by the minute. */
export function rateLimited(
  limit: number,
  retry_after_seconds: number,
  now: number,
  window: 'minute' | 'hour' = 'minute',
): OperationFailure {
  return fail('RATE_LIMIT_EXCEEDED', {
    limit,
    remaining: 0,
    window,
    resets_at: new Date(now + retry_after_seconds * 1_000).toISOString(),
    retry_after_seconds,
  })
}

export function withFailure(desk: Desk, now: number): Desk {
  return { ...desk, failures: [...recent(desk.failures, now, TOKEN_RATES.windowMs), now] }
}

/** TOK-09: one answer for unknown, foreign and revoked tokens. */
export function invalid(token: unknown): OperationFailure {
  return fail('TOKEN_INVALID', { token: typeof token === 'string' ? token.slice(0, 80) : typeof token })
}

/** TOK-09: whoever asks holds the very token, in the session that it was issued to. */
export function isTheirs(request: ApprovalRequest, token: string, session: string): boolean {
  return request.token !== undefined && sameSecret(request.token, token) && request.session === session
}

function mismatch(
  token: string,
  { operation }: Pick<ApprovalRequest, 'operation'>,
  requested_operation: string,
  why: string,
): Worth {
  return bad(fail('TOKEN_SCOPE_MISMATCH', { token, token_operation: operation, requested_operation }), why)
}

function bad(failure: OperationFailure, why: string): Worth {
  return { kind: 'bad', failure, why }
}
