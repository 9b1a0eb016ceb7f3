import { fromMicros } from "./money.js";
/**
 * RATE-09, R-22: every comparison is >=, on what is used already. A request under way counts as completed, so that
 * parallel ones cannot jointly pass a threshold. `estimate` is what the next request will cost.
 */
export function stateOf({ unit, warn, pause, hardStop }, current, estimate = 0) {
    if (hardStop !== undefined && (current >= hardStop || (unit === 'cost' && current + estimate > hardStop)))
        return 'exhausted';
    if (current >= pause)
        return 'paused';
    return current >= warn ? 'warn' : 'ok';
}
/** A count or threshold as the wire has it. */
export function shownAmount({ unit }, value) {
    return unit === 'cost' ? fromMicros(value) : value;
}
/** RATE-05: the lower of what is left by our count and by theirs; `resetsAt` is when that changes. */
export function roomIn({ limit }, counter, now) {
    const { used, until, reported, retryAt } = counter;
    const local = Math.max(0, limit - used);
    const theirs = reported && now < reported.until ? reported : undefined;
    const remaining = theirs ? Math.min(local, theirs.remaining) : local;
    const resetsAt = Math.max(local <= remaining ? until : 0, theirs && theirs.remaining <= remaining ? theirs.until : 0);
    if (retryAt === undefined || retryAt <= now)
        return { remaining, resetsAt };
    return { remaining: 0, resetsAt: remaining === 0 ? Math.max(retryAt, resetsAt) : retryAt };
}
