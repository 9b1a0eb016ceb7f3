import { isFailure } from "../../protocol/result.js";
import { isObject } from "../registry/check-value.js";
import { expectedOf, operatorsOf, readValue } from "./field-kind.js";
import { refuse } from "./refuse.js";
/**
 * Collection querying §2.2. `{key: value}` equals, `{key: [values]}` any of, `{key: null}` has none,
 * `{key: {op: value}}` the rest. What is not supported is refused, never ignored (COLL-04).
 */
export function parseFilter(collection, filter) {
    if (filter === undefined)
        return [];
    const { operation, filterKeys } = collection;
    if (!isObject(filter))
        return refuse('filter', 'an object of filter keys', operation, filterKeys);
    const conditions = [];
    for (const [field, value] of Object.entries(filter)) {
        const kind = filterKeys.includes(field) ? collection.kinds.get(field) : undefined;
        if (!kind)
            return refuse('filter', 'supported filter keys only', operation, filterKeys);
        const parsed = parseKey(field, value, kind, operation);
        if (isFailure(parsed))
            return parsed;
        conditions.push(...parsed);
    }
    return conditions;
}
function parseKey(field, given, kind, operation) {
    if (!isObject(given)) {
        return parseCondition(field, Array.isArray(given) ? 'in' : 'eq', given, kind, operation);
    }
    const operators = operatorsOf(kind);
    const demands = Object.entries(given);
    if (demands.length === 0 || !demands.every(([op]) => operators.includes(op))) {
        return refuse('filter', `supported operators for '${field}'`, operation, operators);
    }
    const conditions = [];
    for (const [op, value] of demands) {
        const parsed = parseCondition(field, op, value, kind, operation);
        if (isFailure(parsed))
            return parsed;
        conditions.push(...parsed);
    }
    return conditions;
}
function parseCondition(field, op, given, kind, operation) {
    const value = readOperand(op, given, kind);
    if (value !== undefined)
        return [{ field, op, value }];
    const expected = OPERANDS[op] ?? expectedOf(kind);
    const shape = op === 'in' ? `a list, each element ${expectedOf(kind)}` : expected;
    return refuse('filter', `'${field}' with '${op}' takes ${shape}`, operation, kind.values);
}
const OPERANDS = {
    exists: 'true or false',
    contains: 'a string',
    starts_with: 'a string',
};
/** Undefined when the operand will not do. */
function readOperand(op, given, kind) {
    switch (op) {
        case 'exists':
            return typeof given === 'boolean' ? given : undefined;
        case 'contains':
        case 'starts_with':
            return typeof given === 'string' ? given : undefined;
        case 'in':
            return Array.isArray(given) ? readList(given, kind) : undefined;
        case 'eq':
        case 'ne':
            return given === null ? null : readValue(kind, given);
        default:
            return readValue(kind, given);
    }
}
function readList(given, kind) {
    const values = given.map((value) => (value === null ? null : readValue(kind, value)));
    return values.includes(undefined) ? undefined : values;
}
