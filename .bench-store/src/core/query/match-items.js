import { comparable } from "./field-kind.js";
/** Collection querying §4.1 (COLL-03): every phrase, and any of the words, in any of the fields, whatever the case. */
export function textTest({ words, phrases, fields }, reader) {
    const reads = fields.map(reader);
    return (item, index) => {
        const texts = reads.map((read) => searchText(read(item, index)));
        return (phrases.every((phrase) => isIn(texts, phrase)) && (words.length === 0 || words.some((word) => isIn(texts, word))));
    };
}
function isIn(texts, part) {
    for (const text of texts)
        if (text.includes(part))
            return true;
    return false;
}
function searchText(value) {
    if (typeof value === 'string')
        return value.toLowerCase();
    if (Array.isArray(value))
        return value.map(searchText).join('\n');
    return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}
/** One condition, compiled: what can be worked out about the demanded value is worked out here, once. */
export function conditionTest({ op, value }, read, kind) {
    if (op === 'exists' || value === null) {
        const wanted = op === 'exists' ? value === true : op === 'ne';
        return (item, index) => hasValue(read(item, index)) === wanted;
    }
    if (op === 'ne') {
        const equal = conditionTest({ field: '', op: 'eq', value }, read, kind);
        return (item, index) => !equal(item, index);
    }
    if (op === 'in')
        return membershipTest(value, read, kind);
    const holds = valueTest(op === 'contains' && kind.list ? 'eq' : op, value, kind);
    if (!kind.list)
        return (item, index) => holds(read(item, index));
    return (item, index) => listOf(read(item, index)).some(holds);
}
/** Null and an empty list are no value. */
function hasValue(value) {
    return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
function membershipTest(wanted, read, kind) {
    const typed = comparable(kind);
    const values = new Set(wanted.map(typed));
    const orNone = wanted.includes(null);
    values.delete(null);
    return (item, index) => {
        const stored = read(item, index);
        if (orNone && !hasValue(stored))
            return true;
        return kind.list ? listOf(stored).some((each) => values.has(typed(each))) : values.has(typed(stored));
    };
}
function valueTest(op, value, kind) {
    const typed = comparable(kind);
    const wanted = typed(value); // checked by parseQuery
    switch (op) {
        case 'contains': {
            const part = String(wanted).toLowerCase();
            return (stored) => typeof stored === 'string' && stored.toLowerCase().includes(part);
        }
        case 'starts_with': {
            const start = String(wanted).toLowerCase();
            return (stored) => typeof stored === 'string' && stored.toLowerCase().startsWith(start);
        }
        case 'gt':
            return ordered(typed, (found) => found > wanted);
        case 'gte':
            return ordered(typed, (found) => found >= wanted);
        case 'lt':
            return ordered(typed, (found) => found < wanted);
        case 'lte':
            return ordered(typed, (found) => found <= wanted);
        default:
            return (stored) => typed(stored) === wanted;
    }
}
/** What has no value is neither more nor less than anything. */
function ordered(typed, holds) {
    return (stored) => {
        const found = typed(stored);
        return found !== null && holds(found);
    };
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
