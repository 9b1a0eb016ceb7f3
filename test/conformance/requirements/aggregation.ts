import { must, type Requirement, should } from './row.ts'

/** Aggregation. */
export const AGG: readonly Requirement[] = [
  must(
    'AGG-01',
    '`aggregate` is an object of caller-chosen labels, each an expression with the keys `count` (boolean), `group_by`, `sum`, `avg`, `min`, `max` (field names) and no other; several labels may be sent together.',
    'aggregations 1, 2, schema aggregation-query',
  ),
  should(
    'AGG-02',
    'The answer is `data.aggregations` under the same labels, and `items` is left out unless `include_items: true` is sent.',
    'aggregations 3',
  ),
  must(
    'AGG-03',
    'One ungrouped function returns a bare value (`"total": 25`), `group_by` with one function an object from group value to result (`{"active": 18}`), and several functions in one expression an object keyed by function name (per group when grouped).',
    'aggregations 2, 3, choice (several)',
  ),
  should(
    'AGG-04',
    'Aggregates are computed over all records left by `query` and `filter` that the caller may see, not over the returned page; `fields` does not affect their labels.',
    'aggregations 4',
  ),
  should(
    'AGG-05',
    'An unsupported function, a field outside `groupable_fields` or `numeric_fields`, or a `group_by` without any function is refused with `VALIDATION_INVALID_VALUE`.',
    'aggregations 2, 4, choice (code, bare `group_by`)',
  ),
  should(
    'AGG-06',
    'Details carry `aggregation_support` with `supported` (required), `default_mode` (`summary_only` or `include_items`), `functions`, `groupable_fields`, `numeric_fields`.',
    'aggregations 5, introspection 3.3',
  ),
]
