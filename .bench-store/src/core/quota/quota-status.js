import { counterAt, isBroken } from "./counters.js";
import { roomIn, shownAmount, stateOf } from "./thresholds.js";
import { isoTime } from "./windows.js";
export function quotaStatus(counters, limits, adapter, now) {
    if (isBroken(counters))
        return 'broken';
    const rooms = limits.apiLimits.map((limit) => ({ limit, ...roomIn(limit, counterAt(counters, limit, now), now) }));
    const quotas = limits.quotas.map((quota) => ({ quota, counter: counterAt(counters, quota, now) }));
    const resets = [...rooms.map(({ resetsAt }) => resetsAt), ...quotas.map(({ counter }) => counter.until)];
    const api_limits = {};
    for (const { limit, remaining, resetsAt } of rooms) {
        const scope = scopeName(limit);
        api_limits[Object.hasOwn(api_limits, scope) ? limit.key : scope] = {
            limit: limit.limit,
            remaining,
            window: limit.window,
            resets_at: isoTime(resetsAt),
        };
    }
    return {
        adapter,
        api_limits,
        quotas: quotas.map(({ quota, counter }) => rowOf(quota, counter.used)),
        next_reset: resets.length > 0 ? isoTime(Math.min(...resets)) : null,
    };
}
/** AUDIT-05: the quotas whose state differs between two moments of the counters, with the old and the new one. */
export function quotaChanges(before, after, limits, now) {
    if (before === after || isBroken(before) || isBroken(after))
        return [];
    return limits.quotas.flatMap((quota) => {
        const { used } = counterAt(after, quota, now);
        const change = { old: stateOf(quota, counterAt(before, quota, now).used), new: stateOf(quota, used) };
        return change.old === change.new ? [] : [{ metric: quota.metric, current: shownAmount(quota, used), ...change }];
    });
}
function scopeName({ scope, endpoint, category }) {
    const name = endpoint ?? category;
    return name === undefined ? scope : `${scope}:${name}`;
}
function rowOf(quota, used) {
    return {
        metric: quota.metric,
        current: shownAmount(quota, used),
        warn: shownAmount(quota, quota.warn),
        pause: shownAmount(quota, quota.pause),
        ...(quota.hardStop !== undefined && { hard_stop: shownAmount(quota, quota.hardStop) }),
        status: stateOf(quota, used),
        ...(quota.currency !== undefined && { currency: quota.currency }),
    };
}
