import { must, type Requirement, should } from './row.ts'

/** UPDATE merge. */
export const UPD: readonly Requirement[] = [
  must(
    'UPD-01',
    'An UPDATE operation takes the changed fields in `params.input` (object) and its identifiers directly in `params`.',
    'spec 4.5',
  ),
  must(
    'UPD-02',
    'A missing `input` fails with `VALIDATION_MISSING_PARAM` (`param_name: "input"`); an `input` that is null, an array or a scalar fails with `VALIDATION_INVALID_TYPE` (`expected_type: "object"`).',
    'spec 4.5.3',
  ),
  must(
    'UPD-03',
    'Where both the stored value and the new value are objects they are merged key by key at every depth, and stored keys absent from `input` survive (updating `metadata.priority` keeps `metadata.author`).',
    'spec 4.5.1',
  ),
  must(
    'UPD-04',
    'Scalars and arrays from `input` replace the stored value as a whole; arrays are never merged element by element.',
    'spec 4.5.1',
  ),
  must(
    'UPD-05',
    'An explicit `null` at any object depth removes that key from the resource; nulls inside a replacing array are kept as data.',
    'spec 4.5.1, 4.5.2, choice (arrays)',
  ),
  must(
    'UPD-06',
    'The keys and values of `input` are validated against the resource schema before anything is stored; a failed validation leaves the resource untouched.',
    'spec 4.5.3',
  ),
  should(
    'UPD-07',
    'A key in `input` that the resource schema does not know fails with `VALIDATION_UNKNOWN_FIELD`, not `VALIDATION_UNKNOWN_PARAM`.',
    'spec 4.5.3, errors 4.5',
  ),
  must(
    'UPD-08',
    'An identifier parameter repeated inside `input` is refused (reported as `VALIDATION_UNKNOWN_FIELD`).',
    'spec 4.5.3, choice (code)',
  ),
  must(
    'UPD-09',
    "The merge never writes through the keys `__proto__`, `constructor` or `prototype` and never mutates the caller's objects.",
    'choice',
  ),
]
