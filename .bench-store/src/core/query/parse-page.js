import { fail } from "../../protocol/errors.js";
import { refuse } from "./refuse.js";
import { CONTROLS } from "./shared-params.js";
/** Pagination document §2, ops §4.4.3. Defaults are filled in only where no control was sent (PAGE-02). */
export function parsePage(collection, params, sort, cursors) {
    const styles = collection.paging.filter((style) => CONTROLS[style].some((name) => params[name] !== undefined));
    const [style = collection.paging[0] ?? 'cursor', ...others] = styles;
    if (others.length > 0)
        return conflict(params, `Use one of: ${styles.map(controlsOf).join('; ')}.`);
    const sizes = parseSizes(collection, params, style);
    if (sizes)
        return sizes;
    switch (style) {
        case 'cursor':
            return parseCursorPage(collection, params, sort, cursors);
        case 'offset': {
            const limit = pageSize(collection, params.limit, 'offset');
            return { style, limit, offset: Number(params.offset ?? 0) };
        }
        case 'page': {
            const limit = pageSize(collection, params.page_size, 'page');
            const page = Number(params.page ?? 1);
            return { style, page, limit, offset: (page - 1) * limit };
        }
    }
}
/** What a cursor is good for: this operation, in this order. */
export function cursorScope(operation, sort) {
    return [operation, ...sort.map(({ field, order }) => `${field} ${order}`)].join('\n');
}
function controlsOf(style) {
    return CONTROLS[style].join(', ');
}
/** The least value of each control; a size above the maximum is reduced (PAGE-04). */
const LEAST = { first: 1, last: 1, limit: 1, offset: 0, page: 1, page_size: 1 };
function parseSizes({ operation }, params, style) {
    for (const name of CONTROLS[style]) {
        const least = LEAST[name];
        const value = params[name];
        if (least === undefined || value === undefined)
            continue;
        if (!Number.isSafeInteger(value) || value < least)
            return refuse(name, `an integer from ${least}`, operation);
    }
    return undefined;
}
function pageSize({ maxPageSize, pageSizes }, given, style) {
    return Math.min(given === undefined ? pageSizes[style] : Number(given), maxPageSize);
}
/** Pagination §2.3, in its order: what clashes, and what to send instead. */
const CLASHES = [
    {
        when: (sent) => sent.has('first') && sent.has('last'),
        hint: 'Use first to page forward or last to page backward.',
    },
    { when: (sent) => sent.has('first') && sent.has('before'), hint: 'Use after with first; before goes with last.' },
    { when: (sent) => sent.has('last') && sent.has('after'), hint: 'Use before with last; after goes with first.' },
    { when: (sent) => sent.has('after') && !sent.has('first'), hint: 'Send first together with after.' },
    { when: (sent) => sent.has('before') && !sent.has('last'), hint: 'Send last together with before.' },
];
function parseCursorPage(collection, params, sort, cursors) {
    const sent = new Set(CONTROLS.cursor.filter((name) => params[name] !== undefined));
    const clash = CLASHES.find(({ when }) => when(sent));
    if (clash)
        return conflict(params, clash.hint);
    const backward = sent.has('last');
    const limit = pageSize(collection, backward ? params.last : params.first, 'cursor');
    const name = backward ? 'before' : 'after';
    const cursor = params[name];
    if (cursor === undefined)
        return { style: 'cursor', limit, backward };
    const position = cursors.decode(String(cursor), cursorScope(collection.operation, sort));
    if (!position) {
        return refuse(name, 'an unchanged cursor from pageInfo of this operation with the same sort', collection.operation);
    }
    return { style: 'cursor', limit, backward, position };
}
/** PAGE-03 and PAGE-10. */
export function conflict(params, hint) {
    return fail('VALIDATION_INVALID_TYPE', {
        param_name: 'pagination',
        expected_type: 'valid pagination combination',
        actual_type: 'conflicting parameters',
        provided: Object.values(CONTROLS)
            .flat()
            .filter((name) => params[name] !== undefined),
        hint,
    });
}
