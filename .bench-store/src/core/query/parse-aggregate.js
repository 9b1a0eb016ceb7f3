import { FORBIDDEN_KEYS } from "../../protocol/request.js";
import { isFailure } from "../../protocol/result.js";
import { isObject } from "../registry/check-value.js";
import { AGGREGATE_FUNCTIONS } from "./collection.js";
import { refuse } from "./refuse.js";
/** Aggregations document §1–2 (AGG-01, AGG-05). */
export function parseAggregate(collection, given) {
    if (given === undefined)
        return [];
    const { operation } = collection;
    if (!isObject(given))
        return refuse('aggregate', 'an object of labels', operation);
    const entries = Object.entries(given);
    if (entries.length > MAX_LABELS)
        return refuse('aggregate', `no more than ${MAX_LABELS} labels`, operation);
    const aggregates = [];
    for (const [label, expression] of entries) {
        const parsed = parseExpression(collection, label, expression);
        if (isFailure(parsed))
            return parsed;
        aggregates.push(parsed);
    }
    return aggregates;
}
/** Each label is one more pass over the items. */
const MAX_LABELS = 20;
const KEYS = ['count', 'group_by', 'sum', 'avg', 'min', 'max'];
function parseExpression(collection, label, expression) {
    const { operation, aggregationSupport } = collection;
    const { groupable_fields: groupable = [], numeric_fields: numeric = [] } = aggregationSupport;
    if (label === '' || FORBIDDEN_KEYS.has(label))
        return refuse('aggregate', 'another label', operation);
    if (!isObject(expression) || Object.keys(expression).some((key) => !KEYS.includes(key))) {
        return refuse('aggregate', 'an expression with supported keys only', operation, KEYS);
    }
    const { count, group_by } = expression;
    if (count !== undefined && typeof count !== 'boolean') {
        return refuse('aggregate', "'count' takes true or false", operation);
    }
    if (group_by !== undefined && !groupable.includes(group_by)) {
        return refuse('aggregate', "'group_by' takes a groupable field", operation, groupable);
    }
    const functions = [];
    for (const name of AGGREGATE_FUNCTIONS) {
        const field = expression[name];
        if (name === 'count') {
            if (field === true)
                functions.push({ name });
            continue;
        }
        if (field === undefined)
            continue;
        if (!numeric.includes(field))
            return refuse('aggregate', `'${name}' takes a numeric field`, operation, numeric);
        functions.push({ name, field: field });
    }
    if (functions.length === 0)
        return refuse('aggregate', 'one or more functions', operation, AGGREGATE_FUNCTIONS);
    return { label, ...(group_by !== undefined && { groupBy: group_by }), functions };
}
