export const OPERATORS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with', 'exists'];
export const AGGREGATE_FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max'];
/** The parts of a query that a handler can do itself. */
export const PUSHABLE = ['text', 'filter', 'sort', 'page', 'aggregate'];
/** For handlers: these rows, with this much of `context.query` already done. */
export function pushed(items, done, more = {}) {
    const rows = { items, done: new Set(done), ...more };
    PUSHED.add(rows);
    return rows;
}
export function isPushed(value) {
    return typeof value === 'object' && value !== null && PUSHED.has(value);
}
const PUSHED = new WeakSet();
