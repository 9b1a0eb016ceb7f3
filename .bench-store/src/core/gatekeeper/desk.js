import { record } from "../ports/store.js";
export const TOKEN_RATES = { windowMs: 60_000, issues: 30, failures: 10, denials: 3 };
export function deskRef(session) {
    return record('desk', session);
}
export function emptyDesk(principal, opener) {
    return { principal, opener, live: {}, denied: {}, denials: {}, issues: [], failures: [] };
}
/** What one request is about, as a key: two calls with the same scope are the same question. */
export function scopeKey(adapter, operation, paramsHash) {
    return `${adapter} ${operation} ${paramsHash}`;
}
/** Times that still count, and how long to wait when they are too many. */
export function recent(times, now, windowMs) {
    return times.filter((time) => time > now - windowMs && time <= now);
}
export function retryAfterSeconds(times, now, windowMs) {
    const oldest = times[0] ?? now;
    return Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000));
}
export function without(map, key) {
    const { [key]: _, ...rest } = map;
    return rest;
}
