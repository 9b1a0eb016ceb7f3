import { must, type Requirement, should } from './row.ts'

/** Types. */
export const TYPE: readonly Requirement[] = [
  should(
    'TYPE-01',
    'The type registry always contains `SemanticCategory` (enum: `CREATE`, `READ`, `UPDATE`, `DELETE`, `EXECUTE`), `OperationInput` (object), `OperationResult` (union of `OperationSuccess` and `OperationFailure`), those two objects and `EndpointPermissions` (object).',
    'spec 9.1, introspection 5.2, 5.3',
  ),
  must(
    'TYPE-02',
    'TypeDetails depend on `kind`: `enum` requires `values` (strings), `object` requires `fields` (ParameterInfo entries, possibly empty), `union` requires `members` (type names), `scalar` has none of these, and keys of another kind are not allowed.',
    'introspection 3.6, schema introspection-response',
  ),
  must(
    'TYPE-03',
    'All adapter-specific types are listed by `query: "types"`, and every type named in `returns`, `fields` or `members` is either a built-in name or a listed type, spelled identically everywhere.',
    'spec 9.2, introspection 8.1',
  ),
  must(
    'TYPE-04',
    'Built-in parameter types are `string`, `number`, `integer`, `boolean`, `object`, `array`; alternatives are written with a bar and element types with brackets, as in `string | string[]`.',
    'ops 5.2, 4.4.1, introspection 3.4',
  ),
]
