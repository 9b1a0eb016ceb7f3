import { may, type Requirement, should } from './row.ts'

/** Computed fields. */
export const COMP: readonly Requirement[] = [
  should(
    'COMP-01',
    "A derived value is requested as `_computed.{name}` in `fields` and returned under the item's `_computed` object, without the prefix.",
    'computed 1, 2, fields 4.4',
  ),
  should(
    'COMP-02',
    'Details carry `computed_fields` entries with `name` (snake_case, no prefix), `type` and optionally `description`, `filterable`, `sortable`, nothing else.',
    'computed 4, schema introspection-response',
  ),
  may(
    'COMP-03',
    '`filter` keys and `sort.field` may name `_computed.{name}` when the entry is `filterable` or `sortable`; otherwise the request is refused, not ignored.',
    'computed 3',
  ),
]
