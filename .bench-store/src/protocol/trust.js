/** Trust levels document §2.1 — how far an adapter has proved itself, in order (TRUST-01). No other words are used. */
export const TRUST_LEVELS = { untested: 0, generated: 1, validated: 2, community_reviewed: 3, certified: 4 };
/** From the lowest to the highest. */
export const TRUST_LEVEL_NAMES = Object.keys(TRUST_LEVELS);
export function isTrustLevel(value) {
    return typeof value === 'string' && Object.hasOwn(TRUST_LEVELS, value);
}
export function isTrusted(actual, atLeast) {
    return TRUST_LEVELS[actual] >= TRUST_LEVELS[atLeast];
}
export function lowerTrust(a, b) {
    return TRUST_LEVELS[a] <= TRUST_LEVELS[b] ? a : b;
}
/** Danger levels document §4.1 — TRUST-13 to TRUST-17, one row each. */
export const TRUST_MATRIX = {
    safe: row('introspect_only', 'allow', 'allow', 'allow', 'allow'),
    reversible: row('deny', 'deny', 'allow', 'allow', 'allow'),
    destructive: row('deny', 'deny', 'confirm', 'allow', 'allow'),
    dangerous: row('deny', 'deny', 'deny', 'confirm', 'allow'),
    forbidden: row('deny', 'deny', 'deny', 'deny', 'confirm'),
};
/** TRUST-12: the days after which a level has to be earned again; absent where other terms rule. */
export const REVALIDATION_DAYS = { validated: 7, community_reviewed: 30 };
/** the highest level that an operator may record for a source by word alone. */
export const HIGHEST_BY_WORD = 'validated';
/** TRUST-06. */
export const REVIEWERS = { default: 2, least: 1, most: 100 };
/** TRUST-07. */
export const ALL_OPERATIONS = 'all_operations';
function row(untested, generated, validated, community_reviewed, certified) {
    return Object.freeze({ untested, generated, validated, community_reviewed, certified });
}
