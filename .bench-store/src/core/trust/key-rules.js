import { isTrustLevel, TRUST_LEVEL_NAMES } from "../../protocol/trust.js";
import { isObject } from "../registry/check-value.js";
import { FORMATS } from "../registry/formats.js";
import { typeName } from "../registry/type-grammar.js";
/** The first thing that is wrong with a block of settings, with what to write instead; undefined when it is right. */
export function faultOf(block, rules, path) {
    if (!isObject(block))
        return `\`${path}\` must be an object; it is ${typeName(block)}`;
    const unknown = Object.keys(block).find((key) => !Object.hasOwn(rules, key));
    if (unknown !== undefined) {
        return `\`${path}\` has the key ${quoted(unknown)}, which is unknown; use ${Object.keys(rules).join(', ')}`;
    }
    for (const [key, { test, expected, required }] of Object.entries(rules)) {
        const value = Object.hasOwn(block, key) ? block[key] : undefined;
        if (value === undefined && !required)
            continue;
        if (value === undefined)
            return `\`${path}.${key}\` is missing; write ${expected}`;
        if (!test(value))
            return `\`${path}.${key}\` must be ${expected}; it is ${shown(value)}`;
    }
    return undefined;
}
export const TEXT = { test: (value) => typeof value === 'string', expected: 'a string' };
export const NAME = {
    test: (value) => typeof value === 'string' && value.trim() !== '',
    expected: 'a string that is not empty',
};
export const TEXTS = {
    test: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
    expected: 'a list of strings',
};
export const FLAG = { test: (value) => typeof value === 'boolean', expected: 'true or false' };
export const COUNT = {
    test: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    expected: 'an integer from 0',
};
export const TIME = {
    test: (value) => typeof value === 'string' && FORMATS['date-time']?.test(value) === true,
    expected: 'an ISO 8601 time with zone such as 2026-02-04T10:30:00Z',
};
export const TRUST = { test: isTrustLevel, expected: `one of ${TRUST_LEVEL_NAMES.join(', ')}` };
/** Foreign text inside a message: quoted, and no longer than a line. */
export function quoted(text) {
    return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
function shown(value) {
    if (typeof value === 'string')
        return quoted(value);
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeName(value);
}
