import { FORBIDDEN_KEYS } from "../../protocol/request.js";
/**
 * Spec §4.5.1. Objects are merged at every depth, null removes a key, scalars and arrays replace. Neither argument is
 * changed, nothing of `input` is shared with the outcome, and no key that reaches a prototype is written (UPD-09).
 */
export function mergeInput(stored, input) {
    const merged = {};
    for (const key of Object.keys(stored))
        if (!FORBIDDEN_KEYS.has(key))
            merged[key] = stored[key];
    for (const [key, value] of Object.entries(input)) {
        if (FORBIDDEN_KEYS.has(key) || value === undefined)
            continue;
        if (value === null)
            delete merged[key];
        else if (isPlain(value))
            merged[key] = mergeInput(objectAt(merged, key), value);
        else
            merged[key] = copy(value);
    }
    return merged;
}
function objectAt(fields, key) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return isPlain(value) ? value : {};
}
function isPlain(value) {
    if (typeof value !== 'object' || value === null)
        return false;
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
}
/** Inside a replacing array null is data (UPD-05). */
function copy(value) {
    if (Array.isArray(value))
        return value.map(copy);
    if (!isPlain(value))
        return value;
    const entries = Object.entries(value).filter(([key]) => !FORBIDDEN_KEYS.has(key));
    return Object.fromEntries(entries.map(([key, inner]) => [key, copy(inner)]));
}
