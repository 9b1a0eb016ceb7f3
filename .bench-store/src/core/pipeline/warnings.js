import { MAX_WARNINGS, SEVERITIES, warn } from "../../protocol/warnings.js";
import { jsonText } from "../registry/json-text.js";
/** Warnings document §6: equal ones merged, the most severe first, no more than ten and a word on the others. */
export function settleWarnings(warnings) {
    const merged = mergeEqual(warnings.toSorted((a, b) => rank(a) - rank(b)));
    if (merged.length <= MAX_WARNINGS)
        return merged;
    return [...merged.slice(0, MAX_WARNINGS), warn('WARNINGS_SUPPRESSED', { count: merged.length - MAX_WARNINGS }, 'low')];
}
/** RES-08: without a word it is medium. */
function rank({ severity = 'medium' }) {
    return SEVERITIES[severity];
}
/** RES-10: equal code and details are one warning that says how often it occurred. */
function mergeEqual(warnings) {
    const seen = new Map();
    for (const warning of warnings) {
        const key = jsonText([warning.code, warning.details]);
        const known = seen.get(key);
        if (known)
            known.count++;
        else
            seen.set(key, { warning, count: 1 });
    }
    return [...seen.values()].map(({ warning, count }) => count === 1 ? warning : { ...warning, details: { ...warning.details, occurrence_count: count } });
}
