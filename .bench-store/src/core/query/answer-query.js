import { accumulate } from "./aggregate-items.js";
import { isPushed, pushed, } from "./collection.js";
import { conditionTest, textTest } from "./match-items.js";
import { createOrder, keepBest } from "./order-items.js";
import { cursorScope } from "./parse-page.js";
import { readPath } from "./read-path.js";
import { selectFields } from "./select-fields.js";
/**
 * Aggregations document §4 (COLL-06): query, filter, sort, aggregate, paginate, select — without what the handler has
 * done already. One pass over the items; only those that can still be on the page are kept and sorted.
 */
export function answerQuery(collection, query, rows, cursors, now) {
    if (!isPushed(rows) && !Array.isArray(rows))
        throw new TypeError('a collection handler returns a list, or `pushed` rows');
    const given = isPushed(rows) ? rows : pushed(rows, []);
    checkPushed(query, given);
    const reader = createReader(collection, given.items.length, now);
    const order = createOrder(query.sort, collection.kinds, reader);
    const totals = query.aggregate.map((aggregate) => accumulate(aggregate, reader));
    const aggregates = given.done.has('aggregate') ? [] : totals;
    const found = given.done.has('page')
        ? readyPage(query.page, given)
        : findPage(query, given, order, testOf(collection, query, given, reader), aggregates);
    const aggregations = given.done.has('aggregate')
        ? given.aggregations
        : Object.fromEntries(totals.map(({ label, result }) => [label, result()]));
    const parts = query.aggregate.length > 0 && { aggregations };
    if (!query.wantsItems)
        return { data: { ...parts }, warnings: [] };
    const items = found.items.map(({ item, index }) => selectFields(item, query.fields, collection.type, now, (name) => reader(COMPUTED_PREFIX + name)(item, index)));
    const cursorOf = ({ item, index }) => cursors.encode(order.position(item, index), cursorScope(collection.operation, query.sort));
    const shortened = (count) => describePage(query.page, { ...found, items: found.items.slice(0, count), after: true }, cursorOf);
    return { data: { items, ...describePage(query.page, found, cursorOf), ...parts }, warnings: [], shortened };
}
const COMPUTED_PREFIX = '_computed.';
/** A handler that cuts pages before it filters would lose items: better a bug report than a wrong answer. */
function checkPushed({ text, filter, aggregate, page }, { done }) {
    const needsPage = done.has('page');
    const needsMatch = needsPage || (done.has('aggregate') && aggregate.length > 0);
    if (needsMatch && text && !done.has('text'))
        throw new Error("pushed rows: 'text' must be done as well");
    if (needsMatch && filter.length > 0 && !done.has('filter'))
        throw new Error("pushed rows: 'filter' must be done as well");
    if (needsPage && !done.has('sort'))
        throw new Error("pushed rows: 'sort' must be done as well");
    if (needsPage && aggregate.length > 0 && !done.has('aggregate')) {
        throw new Error(`pushed rows: 'aggregate' must be done before the ${page.style} page is cut`);
    }
}
/** One reader for each field of this request. A computed value is worked out once for each item. */
function createReader(collection, count, now) {
    const readers = new Map();
    return (field) => {
        const known = readers.get(field);
        if (known)
            return known;
        const read = field.startsWith(COMPUTED_PREFIX) ? computedReader(collection, field, count, now) : readPath(field);
        readers.set(field, read);
        return read;
    };
}
function computedReader({ type }, field, count, now) {
    const compute = type.computed?.[field.slice(COMPUTED_PREFIX.length)]?.compute;
    if (!compute)
        return () => undefined;
    const values = new Array(count);
    const isKnown = new Uint8Array(count);
    return (item, index) => {
        if (isKnown[index] === 1)
            return values[index];
        isKnown[index] = 1;
        values[index] = compute(item, now);
        return values[index];
    };
}
function testOf(collection, query, { done }, reader) {
    const tests = [];
    if (!done.has('filter')) {
        for (const condition of query.filter) {
            const kind = collection.kinds.get(condition.field);
            if (kind)
                tests.push(conditionTest(condition, reader(condition.field), kind));
        }
    }
    if (query.text && !done.has('text'))
        tests.push(textTest(query.text, reader));
    const [only] = tests;
    if (!only)
        return () => true;
    return tests.length === 1 ? only : (item, index) => tests.every((test) => test(item, index));
}
function findPage(query, given, order, test, aggregates) {
    const { page } = query;
    const isSorted = given.done.has('sort');
    const window = !query.wantsItems ? NOTHING : isSorted ? sortedWindow(page, order) : unsortedWindow(page, order);
    let total = 0;
    for (let index = 0; index < given.items.length; index++) {
        const item = given.items[index];
        if (!test(item, index))
            continue;
        total++;
        for (const aggregate of aggregates)
            aggregate.add(item, index);
        window.add(item, index);
    }
    const { items, start, end } = window.take();
    return { items, before: start > 0, after: end < total, total };
}
const NOTHING = { add: () => { }, take: () => ({ items: [], start: 0, end: 0 }) };
function unsortedWindow(page, order) {
    const isBackward = page.style === 'cursor' && page.backward;
    const sign = isBackward ? -1 : 1;
    const skip = page.style === 'cursor' ? 0 : page.offset;
    const position = page.style === 'cursor' && page.position ? order.typed(page.position) : undefined;
    const best = keepBest(skip + page.limit, (a, b) => sign * order.compare(a, b));
    // One object for all items: most of them are looked at and forgotten.
    const probe = { item: {}, index: 0, value: null };
    let matching = 0;
    let eligible = 0;
    return {
        add(item, index) {
            matching++;
            probe.item = item;
            probe.index = index;
            probe.value = order.value(item, index);
            if (position && sign * order.against(probe, position) <= 0)
                return;
            eligible++;
            best.add(probe);
        },
        take() {
            const items = best.take().slice(skip);
            const passed = matching - eligible + Math.min(skip, matching);
            if (!isBackward)
                return { items, start: passed, end: passed + items.length };
            return { items: items.toReversed(), start: eligible - items.length, end: eligible };
        },
    };
}
/** The handler's order is kept: it may sort texts by other rules than ours. */
function sortedWindow(page, order) {
    const places = [];
    return {
        add: (item, index) => void places.push({ item, index }),
        take() {
            const [from, to] = page.style === 'cursor' ? cursorRange(page, places, order) : [page.offset, page.offset + page.limit];
            const items = places.slice(from, to);
            return { items, start: Math.min(from, places.length), end: Math.min(from, places.length) + items.length };
        },
    };
}
function cursorRange(page, places, order) {
    const { limit, backward, position } = page;
    if (!position)
        return backward ? [Math.max(0, places.length - limit), places.length] : [0, limit];
    const values = order.typed(position);
    const compare = ({ item, index }) => order.against({ item, index, value: order.value(item, index) }, values);
    const at = places.findIndex((place) => compare(place) === 0);
    const next = at >= 0 ? at + 1 : firstAfter(places, compare);
    const previous = at >= 0 ? at : next;
    return backward ? [Math.max(0, previous - limit), previous] : [next, next + limit];
}
/** Where the item at the cursor would be if it were still there. */
function firstAfter(places, compare) {
    const found = places.findIndex((place) => compare(place) > 0);
    return found < 0 ? places.length : found;
}
/** The handler has cut the page; one item beyond it tells that there are more. */
function readyPage(page, { items, total }) {
    const places = items.map((item, index) => ({ item, index }));
    const hasMore = places.length > page.limit;
    if (page.style !== 'cursor') {
        const after = hasMore || (total !== undefined && page.offset + places.length < total);
        return { items: places.slice(0, page.limit), before: page.offset > 0, after, total };
    }
    const beyond = page.position !== undefined;
    if (page.backward)
        return { items: places.slice(-page.limit), before: hasMore, after: beyond, total };
    return { items: places.slice(0, page.limit), before: beyond, after: hasMore, total };
}
function describePage(page, found, cursorOf) {
    const { items, before, after, total } = found;
    switch (page.style) {
        case 'cursor': {
            const [first, last] = [items[0], items.at(-1)];
            const cursors = first && last && { startCursor: cursorOf(first), endCursor: cursorOf(last) };
            const count = total !== undefined && { totalCount: total };
            return { pageInfo: { hasNextPage: after, hasPreviousPage: before, ...cursors, ...count } };
        }
        case 'offset': {
            const count = total !== undefined && { total_items: total };
            const { limit, offset } = page;
            return { pagination: { limit, offset, returned: items.length, ...count, has_more: after } };
        }
        case 'page': {
            const count = total !== undefined && { total_items: total, total_pages: Math.ceil(total / page.limit) };
            return { pagination: { page: page.page, page_size: page.limit, ...count, has_more: after } };
        }
    }
}
