import { must, type Requirement, should } from './row.ts'

/** Collections: query, filter, sort. */
export const COLL: readonly Requirement[] = [
  should(
    'COLL-01',
    '`list_*`, `search_*` and `query_*` operations share the parameter shapes `query`, `filter`, `sort`, `fields`, `aggregate` and pagination, and say in introspection which they lack.',
    'collections 1, 3',
  ),
  should(
    'COLL-02',
    '`search_*` takes free text in `query`; `list_*` never requires `query`; `query_*` may take a structured object in `query` and then documents its grammar in the description (MUST) with at least one example.',
    'collections 2.1, 4.2',
  ),
  should(
    'COLL-03',
    'A plain-text `query` of several words matches records containing any of the words unless documented otherwise; quoted phrases may demand an exact match.',
    'collections 4.1',
  ),
  should(
    'COLL-04',
    '`filter` is an object of adapter-defined keys; an unsupported key is refused with `VALIDATION_INVALID_VALUE` (`param_name: "filter"`), never ignored.',
    'collections 2.2, 5, choice (code)',
  ),
  should(
    'COLL-05',
    '`sort` is `{"field", "order"}` with `field` required and `order` `asc` or `desc` (default `asc`), no other key; an unsupported field is refused with `VALIDATION_INVALID_VALUE`; a string `sort` with a separate `order` is accepted only as documented compatibility input.',
    'collections 2.3, 5, schema collection-query, choice (default, code)',
  ),
  must(
    'COLL-06',
    'Controls apply in the order query, filter, sort, aggregate, paginate, field selection, so that filtering and sorting work on fields that are not selected.',
    'aggregations 4, choice',
  ),
  should(
    'COLL-07',
    'Accepted filter keys, sort fields and pagination style appear in parameter descriptions, with an example that combines several controls.',
    'collections 6',
  ),
]
