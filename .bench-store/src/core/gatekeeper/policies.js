import { matchesGlob } from "../registry/glob.js";
/** Strictest last (GATE-06). */
export const SEVERITY = { allow: 0, confirm: 1, deny: 2 };
export function strictest(permissions) {
    let worst = 'allow';
    for (const permission of permissions)
        if (SEVERITY[permission] > SEVERITY[worst])
            worst = permission;
    return worst;
}
/** What each operator says of a value. A value of another kind than it speaks of does not satisfy it. */
const CONDITION_OPS = {
    eq: (value) => (actual) => same(actual, value),
    ne: (value) => (actual) => !same(actual, value),
    in: (value) => (actual) => Array.isArray(value) && value.some((each) => same(actual, each)),
    gt: (value) => (actual) => order(actual, value) > 0,
    lt: (value) => (actual) => order(actual, value) < 0,
    matches: (value, pattern) => {
        const test = pattern(String(value));
        return (actual) => typeof actual === 'string' && test(actual);
    },
};
export const CONDITION_NAMES = Object.keys(CONDITION_OPS);
/** The patterns come from a linear-time engine, which is loaded only where a record needs it. */
export async function compilePolicies(records) {
    const needsPatterns = records.some(({ conditions }) => conditions?.some(({ op }) => op === 'matches'));
    const pattern = needsPatterns ? await loadPatterns() : () => () => false;
    return records.map((record) => compile(record, pattern));
}
/** The records that speak of an operation, whatever its parameters. */
export function policiesFor(policies, operation) {
    return policies.filter(({ record }) => matchesGlob(record.operation, operation));
}
function compile(record, pattern) {
    const { conditions } = record;
    const isSound = hasOnly(record, RECORD_KEYS) &&
        Object.hasOwn(SEVERITY, record.permission) &&
        (conditions ?? []).every((each) => hasOnly(each, CONDITION_KEYS) && Object.hasOwn(CONDITION_OPS, each.op));
    if (!isSound)
        throw new Error(`the policy ${JSON.stringify(record)} is not valid`);
    if (!conditions || conditions.length === 0)
        return { record };
    const tests = conditions.map(({ param, op, value }) => {
        const path = param.split('.');
        const test = CONDITION_OPS[op](value, pattern);
        return (params) => test(lookUp(params, path));
    });
    return { record, holds: (params) => tests.every((test) => test(params)) };
}
/** GATE-05: what is not understood must not become an allowance. */
const RECORD_KEYS = ['operation', 'permission', 'conditions', 'place'];
const CONDITION_KEYS = ['param', 'op', 'value'];
function hasOnly(value, keys) {
    return Object.keys(value).every((key) => keys.includes(key));
}
async function loadPatterns() {
    const { RE2JS } = await import('re2js');
    return (source) => {
        const compiled = RE2JS.compile(source);
        return (text) => compiled.matcher(text).find();
    };
}
function lookUp(params, path) {
    let value = params;
    for (const step of path) {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
            return undefined;
        value = value[step];
    }
    return value;
}
function same(a, b) {
    return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
/** NaN, and so neither more nor less, where two values cannot be compared. */
function order(a, b) {
    if (typeof a === 'number' && typeof b === 'number')
        return a - b;
    if (typeof a === 'string' && typeof b === 'string')
        return a < b ? -1 : a > b ? 1 : 0;
    return Number.NaN;
}
