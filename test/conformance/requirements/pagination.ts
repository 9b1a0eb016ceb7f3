import { may, must, type Requirement, should } from './row.ts'

/** Pagination. */
export const PAGE: readonly Requirement[] = [
  must(
    'PAGE-01',
    'Collection operations accept `first`, `after`, `last`, `before` with these meanings: `first` N from the start, `first`+`after` N following the cursor, `last` N from the end, `last`+`before` N preceding the cursor, none of them the first default page.',
    'pagination 2.1, 2.2, 6.1',
  ),
  should(
    'PAGE-02',
    "The default page size is 20 for cursor pagination (25 for `limit` and `page_size`), shown as the parameter's `default`; it is filled in only when the request has no pagination control at all, so `last` alone does not collide with a defaulted `first` and `after` alone still fails.",
    'pagination 5.2, 2.3, ops 4.4.2, choice',
  ),
  must(
    'PAGE-03',
    '`first`+`last`, `after` without `first`, `before` without `last`, `first`+`before` and `last`+`after` fail with `VALIDATION_INVALID_TYPE` and details `param_name: "pagination"`, `expected_type: "valid pagination combination"`, `actual_type: "conflicting parameters"`, `provided` (names sent), `hint`.',
    'pagination 2.3',
  ),
  should(
    'PAGE-04',
    'A page size above the configured maximum (100 by default, never above 1000) is reduced to it, not refused; therefore the maximum is stated in the description and not as a `maximum` constraint.',
    'pagination 5.3, choice',
  ),
  must(
    'PAGE-05',
    'Cursor responses carry `data.pageInfo` with `hasNextPage` and `hasPreviousPage` always, `startCursor` and `endCursor` whenever at least one item is returned, and `totalCount` when it is cheap.',
    'pagination 3.1, 3.2',
  ),
  should(
    'PAGE-06',
    'Results are in `data.items`; if per-item cursors are wanted `data.edges` (`node`, `cursor`) is returned in its place, never both.',
    'pagination 4.1',
  ),
  must(
    'PAGE-07',
    'Order is total and stable during iteration (ties broken by a unique key), so that walking all pages yields each item once.',
    'pagination 1.2, 6.1, choice (tie-break)',
  ),
  must(
    'PAGE-08',
    'Cursors are opaque and URL-safe (base64url) and always denote the same position; they should be compact, self-contained and signed or otherwise checked, and a damaged one fails with `VALIDATION_INVALID_VALUE`.',
    'pagination 6.4, choice (code)',
  ),
  may(
    'PAGE-09',
    'Offset (`limit`, `offset`) or page (`page` from 1, `page_size`) pagination is offered where documented; the response then has `data.pagination` with `limit`, `offset`, `returned?`, `total_items?`, `has_more?` or `page`, `page_size`, `total_items?`, `total_pages?`, `has_more?`.',
    'ops 4.4.3, pagination 4.5',
  ),
  should(
    'PAGE-10',
    'Mixing cursor, offset and page controls in one request is refused in the same way as PAGE-03.',
    'collections 2.6, 5',
  ),
]
