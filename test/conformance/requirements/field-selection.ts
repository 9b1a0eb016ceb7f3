import { may, must, type Requirement, should } from './row.ts'

/** Field selection. */
export const FIELD: readonly Requirement[] = [
  must(
    'FIELD-01',
    'READ operations that return data accept `fields`, either one preset name or a list of field paths, and show it in `parameters` (type `string | string[]`).',
    'fields 2.1, 5.1, ops 4.4.1',
  ),
  should(
    'FIELD-02',
    'The presets `minimal` (identification only), `standard` (common fields) and `full` (everything) exist for every resource type; `fields: "minimal"` is equal to any other use of the preset.',
    'fields 3.1, 5.1',
  ),
  should(
    'FIELD-03',
    'Without `fields` and `preset`, single-item operations return `full`, list operations `standard`, search operations `minimal`.',
    'fields 3.2',
  ),
  must(
    'FIELD-04',
    'A dotted path (`settings.theme`) selects a nested value and the answer keeps the nesting (`{"settings":{"theme":...}}`).',
    'fields 2.4, 5.1',
  ),
  must(
    'FIELD-05',
    'Selection applies to each item of a collection and never removes `pageInfo`, `pagination`, `aggregations` or response metadata.',
    'fields 4.2',
  ),
  must(
    'FIELD-06',
    'A requested field that an item does not have is omitted without an error; a path the resource type does not know is omitted too and may be reported as a `low` warning with code `VALIDATION_UNKNOWN_FIELD`.',
    'fields 4.3, 5.2, choice',
  ),
  may(
    'FIELD-07',
    '`preset` is accepted as an older alias; together with an array in `fields` the result is the union of both.',
    'fields 2.2, 2.3',
  ),
  must(
    'FIELD-08',
    'A path not matching `^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$` or `^_computed\\.[a-z][a-z0-9_]*$`, or an unknown preset name, fails with `VALIDATION_INVALID_VALUE`.',
    'schema field-selection, choice (code)',
  ),
  should(
    'FIELD-09',
    'The options are discoverable as type `FieldSelection` (object with `presets`, `fields`, `computed_fields`); adapter-defined presets are listed there.',
    'fields 3.3, 5.3',
  ),
]
