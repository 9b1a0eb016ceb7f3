import { isDate, isDateTime } from "../registry/formats.js";
import { BUILTIN_TYPES, parseType } from "../registry/type-grammar.js";
import { timeOf } from "./iso-time.js";
/** Undefined for what has no order and no equality: objects, lists of lists, unions of object types. */
export function fieldKind(field, types) {
    const alternatives = parseType(field.type)?.filter(({ base }) => base !== 'null') ?? [];
    const [only, ...others] = alternatives;
    if (!only ||
        field.fields ||
        alternatives.some(({ base, depth }) => base === 'object' || base === 'array' || depth > 1)) {
        return undefined;
    }
    const list = alternatives.every(({ depth }) => depth === 1);
    if (!list && alternatives.some(({ depth }) => depth > 0))
        return undefined;
    if (alternatives.every(({ base }) => base === 'number' || base === 'integer')) {
        const integer = alternatives.every(({ base }) => base === 'integer');
        return { of: 'number', list, integer, ...allowed(field.enum) };
    }
    if (others.length > 0)
        return { of: 'any', list, ...allowed(field.enum) };
    if (!BUILTIN_TYPES.has(only.base))
        return namedKind(only.base, list, types);
    if (only.base === 'boolean')
        return { of: 'boolean', list };
    const of = field.format === undefined ? undefined : TEXT_FORMATS[field.format];
    return { of: of ?? 'text', list, ...(field.format === 'date' && { day: true }), ...allowed(field.enum) };
}
/** DATA-04 and DATA-06: texts that are not compared as texts. */
const TEXT_FORMATS = Object.assign(Object.create(null), {
    date: 'time',
    'date-time': 'time',
    'date-or-time': 'time',
    bigint: 'bigint',
});
function namedKind(name, list, types) {
    const type = types?.get(name);
    if (type?.kind === 'object' || type?.kind === 'union')
        return undefined;
    if (type?.kind === 'enum')
        return { of: 'text', list, values: type.values };
    return { of: 'any', list };
}
function allowed(values) {
    return values ? { values: values.filter((value) => value !== null) } : {};
}
/** COLL-07. What a filter may say about a field besides its value. */
export function operatorsOf({ of, list, values }) {
    if (of === 'text' && !values)
        return list ? [...EQUALITY, 'contains'] : [...EQUALITY, 'contains', 'starts_with'];
    if (list || of === 'text' || of === 'boolean' || of === 'any')
        return EQUALITY;
    return ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'exists'];
}
const EQUALITY = ['eq', 'ne', 'in', 'exists'];
/** What a stored value is compared as; null for none, and for one of another type than declared. */
export function comparable({ of }) {
    return COMPARABLE[of];
}
const COMPARABLE = {
    text: (stored) => (typeof stored === 'string' ? stored : null),
    number: (stored) => (typeof stored === 'number' && Number.isFinite(stored) ? stored : null),
    boolean: (stored) => (typeof stored === 'boolean' ? stored : null),
    time: (stored) => {
        if (typeof stored === 'string')
            return isCanonical(stored) ? stored : canonical(timeOf(stored));
        return stored instanceof Date ? canonical(stored.getTime()) : null;
    },
    bigint: (stored) => {
        if (typeof stored === 'string')
            return BIGINT.test(stored) ? BigInt(stored) : null;
        return typeof stored === 'bigint' || Number.isSafeInteger(stored) ? BigInt(stored) : null;
    },
    any: (stored) => (isScalar(stored) ? stored : null),
};
/**
 * Moments are compared as texts in the one spelling whose order is the order of time, `2026-02-04T10:30:00.000Z`; most
 * are stored like this and need no reading.
 */
function isCanonical(text) {
    return text.length === 24 && text.charCodeAt(23) === LETTER_Z && text.charCodeAt(19) === DOT;
}
const [DOT, LETTER_Z] = [46, 90];
function canonical(time) {
    return Number.isNaN(time) ? null : new Date(time).toISOString();
}
/** Long enough for any real number, short enough that reading one is instant. */
const BIGINT = /^-?\d{1,1000}$/;
function isScalar(value) {
    return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value);
}
/**
 * The order of comparable values: numbers by size, texts by code unit, false before true. What has no value comes last
 * in ascending order and first in descending order.
 */
export function compareValues(a, b) {
    if (a === b)
        return 0;
    if (a === null)
        return 1;
    if (b === null)
        return -1;
    if (typeof a === typeof b)
        return a < b ? -1 : 1;
    return TYPE_ORDER.indexOf(typeof a) - TYPE_ORDER.indexOf(typeof b);
}
const TYPE_ORDER = ['number', 'bigint', 'string', 'boolean'];
/** VAL-04, DATA-04. A caller's value as a handler receives it (moments in UTC, DATA-05), or undefined when it will not do. */
export function readValue(kind, value) {
    if (kind.values && !kind.values.includes(value))
        return undefined;
    switch (kind.of) {
        case 'text':
            return typeof value === 'string' ? value : undefined;
        case 'number':
            return isNumber(value, kind.integer) ? value : undefined;
        case 'boolean':
            return typeof value === 'boolean' ? value : undefined;
        case 'time':
            return typeof value === 'string' ? readTime(value, kind) : undefined;
        case 'bigint':
            return typeof value === 'string' && BIGINT.test(value) ? value : undefined;
        case 'any':
            return isScalar(value) ? value : undefined;
    }
}
function isNumber(value, integer = false) {
    return typeof value === 'number' && (integer ? Number.isInteger(value) : Number.isFinite(value));
}
/** DATA-05: a date alone is its midnight in UTC wherever moments are compared. */
function readTime(value, { day }) {
    if (isDate(value))
        return day ? value : `${value}T00:00:00.000Z`;
    return isDateTime(value) ? (canonical(timeOf(value)) ?? undefined) : undefined;
}
/** For the message of a failure. Allowed values are listed apart (ERR-05: they may hold any word). */
export function expectedOf({ of, integer, values }) {
    if (values)
        return 'one of the allowed values';
    return of === 'number' && integer ? 'an integer' : EXPECTED[of];
}
const EXPECTED = {
    text: 'a string',
    number: 'a number',
    boolean: 'true or false',
    time: 'an ISO 8601 date or time with zone, such as 2026-02-04 or 2026-02-04T10:30:00Z',
    bigint: 'an integer written as a string',
    any: 'a string, a number or a boolean',
};
