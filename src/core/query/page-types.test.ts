import { expect, test } from 'vitest'
import { FIELD_SELECTION_TYPES } from './page-types.ts'

test('PAGE-05 PAGE-09 the types of page metadata', () => {
  const listed = FIELD_SELECTION_TYPES.map((type) => [type.name, type.kind === 'object' && Object.keys(type.fields)])
  expect(listed).toEqual([
    ['PageInfo', ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor', 'totalCount']],
    ['Pagination', ['limit', 'offset', 'returned', 'page', 'page_size', 'total_items', 'total_pages', 'has_more']],
  ])
})
