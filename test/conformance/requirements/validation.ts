import { may, must, type Requirement, should } from './row.ts'

/** Validation. */
export const VAL: readonly Requirement[] = [
  must(
    'VAL-01',
    'Checks run in this order and the first failing stage decides the response: encoding and size limits; request shape; operation exists; family matches; parameter resolution and aliases; required parameters; types; unknown parameters; constraints; defaults; permission, danger, quota and confirmation gates; handler.',
    'spec 3.2, ops 5.4, choice (gates)',
  ),
  must(
    'VAL-02',
    'A validation failure is returned as a failure result; no exception crosses the tool boundary and no side effect has happened.',
    'ops 5.4',
  ),
  must(
    'VAL-03',
    'A required parameter that is absent fails with `VALIDATION_MISSING_PARAM`; with several absent the first in declaration order is reported.',
    'ops 5.4, errors 4.3, choice (order)',
  ),
  must(
    'VAL-04',
    'Types are checked without coercion: the string `"5"` is not a number, `1.5` is not an integer, an array is not an object, and `null` is not accepted unless the parameter is documented as nullable.',
    'ops 5.4, errors 4.4, choice (null)',
  ),
  must(
    'VAL-05',
    'Any undeclared parameter, in `params` or at the top level, is refused with `VALIDATION_UNKNOWN_PARAM` before defaults are applied.',
    'spec 4.6, ops 5.4',
  ),
  may(
    'VAL-06',
    'A development-only `strict_mode: false` turns that refusal into a logged warning; unset or true means refusal, and the setting is not visible in introspection.',
    'spec 4.6.2',
  ),
  must(
    'VAL-07',
    'The constraints `enum`, `minimum` and `maximum` (inclusive), `minLength`, `maxLength`, `pattern`, `format` and array `items` are enforced when declared and reported as `VALIDATION_INVALID_VALUE` (or `VALIDATION_INVALID_TYPE` for an element of the wrong type, with a name such as `tags[2]`).',
    'ops 5.2, 5.4, introspection 3.4, choice (code)',
  ),
  must(
    'VAL-08',
    'Defaults are filled in only after unknown-parameter and constraint checks, and only for absent optional parameters; an omitted parameter behaves exactly as its documented default.',
    'ops 5.4, conformance 3.2',
  ),
  must(
    'VAL-09',
    'An operation definition without `semantic_category` or `description`, or (semantic mode) without `endpoint`, is refused at registration; each parameter definition needs `type`, `required` defaults to false, and the optional flag `dangerous: true` marks operations with serious consequences for policy, audit and confirmation.',
    'ops 5.1, 5.2, 6.4',
  ),
  must(
    'VAL-10',
    'The value of a parameter marked `sensitive: true` never appears in an error message, error details, warning or log line.',
    'introspection 3.4.1, ops 8.4, mcp (logging)',
  ),
  should(
    'VAL-11',
    'Writing a read-only field fails with `VALIDATION_READ_ONLY_FIELD` and rewriting append-only data fails with `VALIDATION_APPEND_ONLY`, and both restrictions are stated in introspection.',
    'conformance 3.5, introspection 8.2.2',
  ),
]
