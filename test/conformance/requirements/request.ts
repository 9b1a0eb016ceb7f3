import { may, must, type Requirement, should } from './row.ts'

/** Request and parameter resolution. */
export const REQ: readonly Requirement[] = [
  must(
    'REQ-01',
    'A single request is an object with `operation` (non-empty string matching `^[a-z][a-z0-9_]*$`, compared case-sensitively, so `List_Users` is not `list_users`) and optional `params` (object).',
    'spec 4.1, ops 2.2, 2.4, schema operation-input',
  ),
  must(
    'REQ-02',
    'A request with neither `operation` nor `operations` fails with `VALIDATION_MISSING_PARAM` (`param_name: "operation"`); a non-object `params` or non-string `operation` fails with `VALIDATION_INVALID_TYPE`.',
    'spec 4.1, choice (codes)',
  ),
  must(
    'REQ-03',
    'A parameter may be given inside `params` or at the top level; if it is in both, the value in `params` is used.',
    'spec 4.2, ops 2.3',
  ),
  must(
    'REQ-04',
    '`operation`, `params`, `operations` and every key beginning with `_` (such as `_meta`, `_request_id`, `_confirmation`, `_session`, `_wait_seconds`, and `_id` of a batch entry) are never treated as operation parameters nor reported as unknown, at either level.',
    'spec 4.6.1, choice (`operations`)',
  ),
  must(
    'REQ-05',
    'Public parameter names match `^[a-z][a-z0-9_]*$`; registering an operation with another spelling is refused.',
    'spec 4.3, ops 4.1',
  ),
  may(
    'REQ-06',
    'The camelCase form of a declared parameter is accepted and renamed to snake_case before validation; if both forms are sent the snake_case value is used, and introspection and errors show only the snake_case name.',
    'ops 4.1, choice (tie)',
  ),
  must(
    'REQ-07',
    'A confirmation token is accepted as `params.confirmation_token` or `params._confirmation`, and a quota continuation token additionally as `params._quota_continue`; whichever is used is removed before parameter hashing and before the handler sees `params`.',
    'ops 7.5.3, tokens 3.2, choice',
  ),
  must(
    'REQ-08',
    'Every operation that danger level or quota can gate lists `confirmation_token` (string, `required: false`) in its introspected `parameters`, so the token neither triggers `VALIDATION_UNKNOWN_PARAM` nor is accepted undocumented; if the adapter itself declares a parameter of that name, only `_confirmation` carries the token.',
    'introspection 8.1.2, spec 4.6, choice',
  ),
  should(
    'REQ-09',
    'Parameters shared by several operations (`fields`, `query`, `filter`, `sort`, `aggregate`, `first`/`after`/`last`/`before`, `limit`/`offset`/`page`/`page_size`, `dry_run`, `max_tokens`) are defined once and keep the same name, type, meaning and default everywhere.',
    'ops 4.4.1-4.4.4',
  ),
  should(
    'REQ-10',
    'A mutating operation that documents `dry_run` (boolean) validates and previews when it is true and leaves stored state unchanged.',
    'ops 4.4.1',
  ),
  may(
    'REQ-11',
    'A parameter definition names an internal target with `mapTo` and an ordered list of lookup paths with `sources`; neither appears in introspection.',
    'ops 5.2, schema introspection-response',
  ),
  should(
    'REQ-12',
    'A `_request_id` sent by the client is returned as `_meta.request_id` of a success; otherwise the server generates one if it emits `_meta`.',
    'spec 4.6.1, ops 3.4, choice',
  ),
]
