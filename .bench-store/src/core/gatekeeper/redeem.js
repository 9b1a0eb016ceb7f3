import { fail } from "../../protocol/errors.js";
import { recent, retryAfterSeconds, TOKEN_RATES, without } from "./desk.js";
import { sameSecret } from "./tokens.js";
/** TOK-08: the first failure in this order is the one that is told. */
export function weigh(token, request, { call, adapter, session, paramsHash, kind }, now) {
    if (!request || !isTheirs(request, token, session))
        return bad(invalid(token), 'unknown');
    if (request.state === 'revoked')
        return bad(invalid(token), 'revoked');
    const isQuota = request.kind === 'quota';
    if (request.operation !== call.operation || isQuota !== (kind === 'quota'))
        return mismatch(token, request, call.operation, 'operation');
    if (!sameSecret(request.paramsHash, paramsHash))
        return mismatch(token, request, call.operation, 'parameters');
    if (request.adapter !== adapter)
        return mismatch(token, request, call.operation, 'adapter');
    if (request.state === 'denied')
        return { kind: 'denied' };
    if (!Number.isFinite(request.expiresAt))
        return bad(invalid(token), 'no expiry');
    if (now > request.expiresAt + request.toleranceMs) {
        const expired_at = new Date(request.expiresAt).toISOString();
        return bad(fail('TOKEN_EXPIRED', { token, expired_at, current_time: new Date(now).toISOString() }), 'expired');
    }
    if (request.state === 'consumed' || request.useCount >= request.maxUses) {
        const consumed_at = new Date(request.consumedAt ?? now).toISOString();
        return bad(fail('TOKEN_ALREADY_USED', { token, consumed_at }), 'used');
    }
    if (request.state !== 'approved')
        return { kind: 'waiting', request };
    const cooldown = Math.ceil(((request.approvedAt ?? now) + request.cooldownSeconds * 1_000 - now) / 1_000);
    return cooldown > 0 ? { kind: 'waiting', request, cooldownSeconds: cooldown } : { kind: 'good', request };
}
/** TOK-13: before the handler starts, in the commit that carries the intent. */
export function consumed(request, now) {
    const useCount = request.useCount + 1;
    const isSpent = useCount >= request.maxUses;
    return {
        ...request,
        version: request.version + 1,
        useCount,
        consumedAt: now,
        ...(isSpent && { state: 'consumed' }),
    };
}
export function deskWithout(desk, { scope, id }) {
    return desk.live[scope] === id ? { ...desk, live: without(desk.live, scope) } : desk;
}
/** TOK-18: guessing is counted, and stopped before anything is looked up. */
export function tooManyFailures(desk, now) {
    const failures = recent(desk?.failures ?? [], now, TOKEN_RATES.windowMs);
    if (failures.length < TOKEN_RATES.failures)
        return undefined;
    return rateLimited(TOKEN_RATES.failures, retryAfterSeconds(failures, now, TOKEN_RATES.windowMs), now);
}
/** TOK-18, ERR-39: the limits of the gate itself are counted by the minute. */
export function rateLimited(limit, retry_after_seconds, now) {
    return fail('RATE_LIMIT_EXCEEDED', {
        limit,
        remaining: 0,
        window: 'minute',
        resets_at: new Date(now + retry_after_seconds * 1_000).toISOString(),
        retry_after_seconds,
    });
}
export function withFailure(desk, now) {
    return { ...desk, failures: [...recent(desk.failures, now, TOKEN_RATES.windowMs), now] };
}
/** TOK-09: one answer for unknown, foreign and revoked tokens. */
export function invalid(token) {
    return fail('TOKEN_INVALID', { token: typeof token === 'string' ? token.slice(0, 80) : typeof token });
}
function isTheirs(request, token, session) {
    return request.token !== undefined && sameSecret(request.token, token) && request.session === session;
}
function mismatch(token, { operation }, requested_operation, why) {
    return bad(fail('TOKEN_SCOPE_MISMATCH', { token, token_operation: operation, requested_operation }), why);
}
function bad(failure, why) {
    return { kind: 'bad', failure, why };
}
