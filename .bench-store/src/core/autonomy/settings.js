import { DEFAULT_AUTONOMY, RISK_TOLERANCES, } from "../../protocol/directive.js";
/** The operator's word: what is given replaces the default. */
export function withDefaults(given = {}) {
    return freeze({ ...DEFAULT_AUTONOMY, ...given });
}
/** AUTO-15, LOOP-08: an agent's wishes can only tighten. Prohibitions add up, permissions must be in both. */
export function tighten(settings, wishes = {}) {
    const { maxAutonomousSteps, riskTolerance, deny = [], requiresApproval = [], autoApprove } = wishes;
    return freeze({
        maxAutonomousSteps: fewer(settings.maxAutonomousSteps, maxAutonomousSteps ?? null),
        riskTolerance: riskTolerance ? stricter(settings.riskTolerance, riskTolerance) : settings.riskTolerance,
        deny: union(settings.deny, deny),
        requiresApproval: union(settings.requiresApproval, requiresApproval),
        autoApprove: autoApprove
            ? settings.autoApprove.filter((pattern) => autoApprove.includes(pattern))
            : settings.autoApprove,
    });
}
/** So many patterns of such a length keep the work on one hint small. What an agent brings along is its own work load. */
export const PATTERN_LIMITS = {
    operator: { most: 500, longest: 200 },
    agent: { most: 10, longest: 60 },
};
/** DONGLE-03: what is wrong with settings from outside, in words; nothing when they can be used as they are. */
export function autonomyFaults(value, from = 'operator') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        return ['autonomy must be an object'];
    return Object.entries(value).flatMap(([key, entry]) => {
        const row = Object.hasOwn(ROWS, key) ? ROWS[key] : undefined;
        if (!row)
            return [`'${key}' is not an autonomy setting; known are ${Object.keys(ROWS).join(', ')}`];
        return row.accepts(entry, PATTERN_LIMITS[from]) ? [] : [`'${key}' must be ${row.expected(PATTERN_LIMITS[from])}`];
    });
}
const PATTERNS = {
    expected: ({ most, longest }) => `at most ${most} patterns of 1 to ${longest} characters`,
    accepts: (value, { most, longest }) => Array.isArray(value) && value.length <= most && value.every((each) => isPattern(each, longest)),
};
const ROWS = {
    maxAutonomousSteps: {
        expected: () => 'a non-negative integer, or null for no limit',
        accepts: (value) => value === null || (Number.isSafeInteger(value) && value >= 0),
    },
    riskTolerance: {
        expected: () => Object.keys(RISK_TOLERANCES).join(', '),
        accepts: (value) => typeof value === 'string' && Object.hasOwn(RISK_TOLERANCES, value),
    },
    deny: PATTERNS,
    requiresApproval: PATTERNS,
    autoApprove: PATTERNS,
};
function isPattern(value, longest) {
    return typeof value === 'string' && value.trim().length > 0 && value.length <= longest;
}
function fewer(a, b) {
    return a === null ? b : b === null ? a : Math.min(a, b);
}
function stricter(a, b) {
    return RISK_TOLERANCES[a] <= RISK_TOLERANCES[b] ? a : b;
}
function union(a, b) {
    return [...new Set([...a, ...b])];
}
function freeze(settings) {
    return Object.freeze({
        ...settings,
        deny: Object.freeze([...settings.deny]),
        requiresApproval: Object.freeze([...settings.requiresApproval]),
        autoApprove: Object.freeze([...settings.autoApprove]),
    });
}
