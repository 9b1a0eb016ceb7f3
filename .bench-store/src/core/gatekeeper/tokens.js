import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
/** Confirmation tokens §2.1. The string is a lookup key and carries nothing (TOK-03). */
export const TOKEN_PREFIXES = { operation: 'conf_', quota: 'quota_continue_' };
/** TOK-02: 256 bits. */
export function makeToken(prefix) {
    return prefix + randomBytes(32).toString('hex');
}
/** TOK-01: what does not look like a token is never looked up. */
export function isToken(value) {
    return typeof value === 'string' && value.length >= 8 && value.length <= 80 && TOKEN.test(value);
}
const TOKEN = /^(?:conf|quota_continue)_[A-Za-z0-9_-]{1,64}$/;
/** AUDIT-06: how a token appears in the trail, and the id under which its request is kept. */
export function tokenRef(token) {
    return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
/** TOK-04: over digests of one length, so that the time tells nothing. */
export function sameSecret(a, b) {
    return timingSafeEqual(digest(a), digest(b));
}
function digest(text) {
    return createHash('sha256').update(text).digest();
}
/** TOK-11: default and most, in seconds. */
export const LIFETIMES = {
    confirmation: { default: 300, most: 900 },
    forbidden: { default: 120, most: 300 },
    quota: { default: 300, most: 600 },
};
export function lifetimeOf(kind, level, lifetimes) {
    if (kind === 'quota')
        return lifetimes.quota;
    return level === 'forbidden' ? lifetimes.forbidden : lifetimes.confirmation;
}
