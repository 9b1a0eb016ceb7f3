import { record } from "../ports/store.js";
import { isCount } from "./cost.js";
import { spanAt } from "./windows.js";
export function quotaRef(adapter) {
    return record('quota', adapter);
}
/**
 * RATE-15: true for a record that this version cannot read. Nothing is sent until the operator removes it; a start at
 * zero would lift every limit.
 */
export function isBroken(value) {
    if (value === undefined)
        return false;
    if (!isObject(value) || value.version !== 1 || !isObject(value.counters))
        return true;
    for (const key of Object.keys(value.counters))
        if (!isCounter(value.counters[key]))
            return true;
    return false;
}
/** The counter of the window in which `now` lies. */
export function counterAt(counters, { key, window, schedule }, now) {
    const stored = counters && Object.hasOwn(counters.counters, key) ? counters.counters[key] : undefined;
    if (!stored)
        return { ...spanAt(window, now, schedule), used: 0 };
    return isCurrent(stored, now) ? stored : { ...stored, ...spanAt(window, now, schedule), used: 0 };
}
/** With these counters in place of the stored ones, and without those that nobody can need any more. */
export function withCounters(counters, changed, now) {
    const next = {};
    for (const { key, counter } of changed)
        next[key] = counter;
    if (!counters)
        return { version: 1, counters: next };
    let room = MOST_COUNTERS - changed.length;
    for (const key of Object.keys(counters.counters)) {
        const counter = counters.counters[key];
        if (!counter || Object.hasOwn(next, key) || !isAlive(counter, now) || room-- <= 0)
            continue;
        next[key] = counter;
    }
    return { version: 1, counters: next };
}
/** More than any block can name (64 API limits and 9 quotas): counters of earlier versions of it stay for their window. */
const MOST_COUNTERS = 256;
/** A clock that was set back by less than a window does not start a new one. */
function isCurrent({ from, until }, now) {
    return now < until && now >= from - (until - from);
}
function isAlive(counter, now) {
    const { until, reported, retryAt } = counter;
    return now < Math.max(until, reported?.until ?? 0, retryAt ?? 0);
}
function isCounter(value) {
    if (!isObject(value))
        return false;
    const { from, until, used, reported, retryAt } = value;
    return (isCount(from) &&
        isCount(until) &&
        from < until &&
        isCount(used) &&
        (retryAt === undefined || isCount(retryAt)) &&
        (reported === undefined || (isObject(reported) && isCount(reported.remaining) && isCount(reported.until))));
}
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
