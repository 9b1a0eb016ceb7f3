import { costOf, soundTokens } from "./cost.js";
import { counterAt, isBroken, withCounters } from "./counters.js";
import { limitsFor } from "./endpoint-pattern.js";
import { roomIn, shownAmount, stateOf } from "./thresholds.js";
import { isoTime, secondsUntil } from "./windows.js";
/**
 * RATE-03, RATE-06: to be called in the change that commits before the request is sent, for every attempt. API limits
 * come first, and a refusal leaves all counters as they are.
 */
export function reserve(counters, limits, call, now, { continued = false } = {}) {
    if (isBroken(counters))
        return { next: counters, verdict: { status: 'broken' } };
    const counterOf = (counted) => counterAt(counters, counted, now);
    const apiLimits = limitsFor(limits, call).map((limit) => ({ limit, counter: counterOf(limit) }));
    const limited = latest(apiLimits.flatMap((entry) => refuseLimited(entry.limit, entry.counter, now)));
    if (limited)
        return { next: counters, verdict: { status: 'limited', details: limited.details } };
    const tokens = soundTokens(call.tokens);
    const amounts = amountsOf(limits, call, 1, tokens);
    const quotas = limits.quotas.map((quota) => {
        const counter = counterOf(quota);
        return { quota, counter, state: stateOf(quota, counter.used, amounts[quota.unit]) };
    });
    const exhausted = latest(quotas.filter(({ state }) => state === 'exhausted').map((it) => refuseExhausted(it, now)));
    if (exhausted)
        return { next: counters, verdict: { status: 'exhausted', details: exhausted.details } };
    const paused = latest(quotas.filter(({ state }) => state === 'paused').map((it) => refusePaused(it, now)));
    if (paused && !continued)
        return { next: counters, verdict: { status: 'paused', details: paused.details } };
    const slots = [];
    const changed = [];
    for (const { limit, counter } of apiLimits) {
        changed.push({ key: limit.key, counter: raised(counter, 1) });
        slots.push({ counted: limit, unit: 'requests', amount: 1, from: counter.from });
    }
    for (const { quota, counter } of quotas) {
        const amount = amounts[quota.unit];
        changed.push({ key: quota.key, counter: raised(counter, amount) });
        slots.push({ counted: quota, unit: quota.unit, amount, from: counter.from });
    }
    const warnings = quotas.filter(({ state }) => state !== 'ok').map(warningOf);
    return {
        next: withCounters(counters, changed, now),
        verdict: warnings.length > 0 ? { status: 'warn', warnings } : { status: 'ok' },
        held: { limits, call, tokens, slots },
    };
}
/** How much of each unit a call uses. */
export function amountsOf(limits, call, requests, tokens) {
    return {
        requests,
        tokens: tokens ? tokens.input + tokens.output : 0,
        cost: costOf(limits, call, requests, tokens),
    };
}
/** A count never wraps, never turns negative, and never gives back what the API said is gone. */
export function raised(counter, by) {
    const { from, until, reported, retryAt } = counter;
    const used = Math.min(Math.max(0, counter.used + by), Number.MAX_SAFE_INTEGER);
    if (!reported && retryAt === undefined)
        return { from, until, used }; // a spread takes five times as long
    if (!reported || by < 0)
        return { ...counter, used };
    return { ...counter, used, reported: { ...reported, remaining: Math.max(0, reported.remaining - by) } };
}
/** The refusal that lasts longest: its `retry_after_seconds` is the honest one. */
function latest(refusals) {
    return refusals.reduce((a, b) => (a && a.until >= b.until ? a : b), undefined);
}
function refuseLimited(limit, counter, now) {
    const { remaining, resetsAt } = roomIn(limit, counter, now);
    if (remaining >= 1)
        return [];
    const details = {
        limit: limit.limit,
        remaining,
        window: limit.window,
        resets_at: isoTime(resetsAt),
        retry_after_seconds: secondsUntil(resetsAt, now),
    };
    return [{ details, until: resetsAt }];
}
function refuseExhausted({ quota, counter }, now) {
    const details = {
        metric: quota.metric,
        current: shownAmount(quota, counter.used),
        hard_stop_threshold: shownAmount(quota, quota.hardStop ?? quota.pause),
        resets_at: isoTime(counter.until),
        retry_after_seconds: secondsUntil(counter.until, now),
    };
    return { details, until: counter.until };
}
function refusePaused({ quota, counter }, now) {
    const details = {
        metric: quota.metric,
        current: shownAmount(quota, counter.used),
        pause_threshold: shownAmount(quota, quota.pause),
        ...(quota.hardStop !== undefined && { hard_stop_threshold: shownAmount(quota, quota.hardStop) }),
        retry_after_seconds: secondsUntil(counter.until, now),
    };
    return { details, until: counter.until };
}
function warningOf({ quota, counter }) {
    return {
        metric: quota.metric,
        current: shownAmount(quota, counter.used),
        warn_threshold: shownAmount(quota, quota.warn),
        pause_threshold: shownAmount(quota, quota.pause),
    };
}
