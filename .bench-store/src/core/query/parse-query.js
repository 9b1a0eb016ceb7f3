import { isFailure } from "../../protocol/result.js";
import { warn } from "../../protocol/warnings.js";
import { isObject } from "../registry/check-value.js";
import { totalOrder } from "./compile-collection.js";
import { parseAggregate } from "./parse-aggregate.js";
import { parseFilter } from "./parse-filter.js";
import { parsePage } from "./parse-page.js";
import { refuse } from "./refuse.js";
import { parseSelection } from "./select-fields.js";
/**
 * Collection querying §2 — the controls of one call, from parameters of the right types to a query that can be
 * answered. The binder has not filled in the defaults of `PAGING_PARAMS`.
 */
export function parseQuery(collection, params, cursors) {
    const text = parseText(collection, params.query);
    if (isFailure(text))
        return text;
    const filter = parseFilter(collection, params.filter);
    if (isFailure(filter))
        return filter;
    const sort = parseSort(collection, params.sort);
    if (isFailure(sort))
        return sort;
    const aggregate = parseAggregate(collection, params.aggregate);
    if (isFailure(aggregate))
        return aggregate;
    const page = parsePage(collection, params, sort, cursors);
    if (isFailure(page))
        return page;
    const fields = parseSelection(collection.type, params, collection.preset, collection.types);
    if (isFailure(fields))
        return fields;
    return {
        query: Object.freeze({
            ...(text && { text }),
            filter,
            sort,
            page,
            aggregate,
            wantsItems: aggregate.length === 0 || params.include_items === true,
            fields: fields.selection,
        }),
        warnings: fields.unknown.map((field) => warn('VALIDATION_UNKNOWN_FIELD', { field }, 'low')),
    };
}
/** Each word is looked for in every field of every item. */
const MAX_WORDS = 32;
/** COLL-03. A blank text asks for nothing. Quotes that do not close are left out. */
function parseText({ operation, searchFields }, given) {
    if (typeof given !== 'string')
        return undefined;
    const pieces = given.toLowerCase().split('"');
    const isQuoted = (index) => index % 2 === 1 && index < pieces.length - 1;
    const phrases = pieces.filter((piece, index) => isQuoted(index) && piece.trim() !== '').map((piece) => piece.trim());
    const loose = pieces.filter((_, index) => !isQuoted(index)).join(' ');
    const words = [...new Set(loose.split(/\s+/))].filter((word) => word !== '');
    if (words.length + phrases.length > MAX_WORDS) {
        return refuse('query', `no more than ${MAX_WORDS} words and phrases`, operation);
    }
    return words.length + phrases.length === 0 ? undefined : { words, phrases, fields: searchFields };
}
/** Collection querying §2.3 (COLL-05). */
function parseSort(collection, given) {
    const { operation, sortFields, key } = collection;
    if (given === undefined)
        return collection.order;
    const hasOnlyItsKeys = isObject(given) && Object.keys(given).every((name) => name === 'field' || name === 'order');
    if (!hasOnlyItsKeys)
        return refuse('sort', "an object of 'field' and 'order'", operation, ['field', 'order']);
    const { field, order = 'asc' } = given;
    if (!sortFields.includes(field))
        return refuse('sort', "'field' is a sort field", operation, sortFields);
    if (order !== 'asc' && order !== 'desc')
        return refuse('sort', "'order' is asc or desc", operation, ['asc', 'desc']);
    return totalOrder({ field: field, order }, key);
}
