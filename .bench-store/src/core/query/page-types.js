/** Pagination document §3. */
export const PAGE_INFO = Object.freeze({
    name: 'PageInfo',
    kind: 'object',
    description: 'Where a page stands.',
    fields: {
        hasNextPage: { type: 'boolean', required: true },
        hasPreviousPage: { type: 'boolean', required: true },
        startCursor: { type: 'string', description: 'For before.' },
        endCursor: { type: 'string', description: 'For after.' },
        totalCount: { type: 'integer', description: 'Items on all pages.' },
    },
});
/** Operations document §4.4.3: `limit` and `offset`, or `page` and `page_size`. */
export const PAGINATION = Object.freeze({
    name: 'Pagination',
    kind: 'object',
    description: 'Where a page stands, for limit/offset or page/page_size.',
    fields: {
        limit: { type: 'integer' },
        offset: { type: 'integer' },
        returned: { type: 'integer' },
        page: { type: 'integer' },
        page_size: { type: 'integer' },
        total_items: { type: 'integer' },
        total_pages: { type: 'integer' },
        has_more: { type: 'boolean' },
    },
});
/** The types that collections refer to. `FieldSelection` depends on the adapter: `fieldSelectionType` makes it. */
export const FIELD_SELECTION_TYPES = Object.freeze([PAGE_INFO, PAGINATION]);
