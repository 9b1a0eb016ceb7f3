import { type Requirement, ruling } from './row.ts'

/** Rulings where the sources contradict one another. */
export const X: readonly Requirement[] = [
  ruling(
    'X-01',
    ['TOOL-01', 'TOOL-02', 'MULTI-02'],
    'Tool names. Sources: spec 3.3, integ and crude use `mcp_aql_{endpoint}`; naming wants the adapter in the name; a prefix variable exists in integ. Rule: Default `{adapter}_mcpaql_{endpoint}` / `{adapter}_mcpaql`; `mcp_aql_{endpoint}` selectable; `MCP_AQL_TOOL_PREFIX` gives `{prefix}mcp_aql_{endpoint}` (TOOL-01, TOOL-02, MULTI-02).',
  ),
  ruling(
    'X-02',
    ['TOOL-07', 'INT-11'],
    'Is UPDATE destructive? Sources: spec 6.1, integ and crude: yes; naming and one conformance fixture: no. Rule: `destructiveHint: true` and `permissions.destructive: true`.',
  ),
  ruling(
    'X-03',
    ['MODE-02', 'MODE-09', 'CONF-09'],
    'Name of the mode. Sources: naming and the conformance runner: `crude`; introspection: `semantic` preferred. Rule: `_protocol.mode` is `semantic` with `profile: "crude"`; `crude` accepted as configuration input and written only into the evidence bundle (CONF-09).',
  ),
  ruling(
    'X-04',
    ['ERR-30'],
    'Unknown operation. Sources: modes 5.5: `VALIDATION_UNKNOWN_OPERATION`; errors, ops, integ: `NOT_FOUND_OPERATION`. Rule: `NOT_FOUND_OPERATION`; the other code is never emitted.',
  ),
  ruling(
    'X-05',
    ['ERR-27', 'MODE-07'],
    'Wrong family. Sources: crude and modes show a plain-string error naming tools; ops shows `VALIDATION_ENDPOINT_MISMATCH` with families in upper case; introspection shows families in lower case. Rule: Structured error with the ops details; upper-case identifiers for CRUDE in this error only, lower-case family names in introspection; tool names added as `expected_tool`, `actual_tool`.',
  ),
  ruling(
    'X-06',
    ['INT-16'],
    '`introspect` with an unknown name. Sources: introspection: success with null; general rule suggests a not-found error. Rule: Success with null.',
  ),
  ruling(
    'X-07',
    ['UPD-02', 'CONC-03'],
    'UPDATE `input`. Sources: spec: MUST; ops 4.5: SHOULD; spec 9.3.2 example puts `title` flat beside `if_match`. Rule: `input` is mandatory; `if_match` stands beside it; the flat example is not followed.',
  ),
  ruling(
    'X-08',
    ['UPD-03', 'UPD-04'],
    'Merge depth. Sources: spec 4.5.1 says top-level fields replace entirely, yet its example keeps `metadata.author`. Rule: Objects merge at every depth including the first; only scalars and arrays replace.',
  ),
  ruling(
    'X-09',
    ['VAL-05', 'VAL-06'],
    'Unknown parameters. Sources: spec and ops: refuse; introspection 8.2.1 and conformance 3.2 also allow a warning. Rule: Refuse; warn only with `strict_mode: false`.',
  ),
  ruling(
    'X-10',
    ['ERR-23'],
    'Message of `VALIDATION_UNKNOWN_PARAM`. Sources: spec names the first parameter; errors offers a list form and a first-plus-count form. Rule: First-plus-count form, which satisfies both, followed by the valid names.',
  ),
  ruling(
    'X-11',
    ['ERR-20'],
    'Message of `VALIDATION_MISSING_PARAM`. Sources: three lengths (errors, spec 5.3, introspection 8.2.3). Rule: One message that contains all three parts in that order.',
  ),
  ruling(
    'X-12',
    ['REQ-07'],
    'Token parameter. Sources: ops `confirmation_token`; danger and gatekeeper documents `_confirmation`; rate limits `_quota_continue`. Rule: All accepted (REQ-07); `confirmation_token` is the documented one.',
  ),
  ruling(
    'X-13',
    ['ERR-35', 'RES-03'],
    'Shape of the confirmation demand. Sources: gatekeeper: string error plus `errorCode`; schema: `confirmation` object; errors: `error.details`. Rule: `error.details` always, the `confirmation` object in addition outside batch entries (the batch schema forbids it there), `errorCode` never.',
  ),
  ruling(
    'X-14',
    ['OPN-06'],
    '`record_execution_step` parameters. Sources: spec 8.6.3 table is camelCase; spec 4.3 demands snake_case. Rule: Snake_case documented, camelCase accepted.',
  ),
  ruling(
    'X-15',
    ['TOOL-14', 'TOOL-15'],
    '`operation` required in the tool schema. Sources: integ 3.1: always; ops 7.1: a batch has none. Rule: Required only when batch is off; otherwise either key, checked by the server.',
  ),
  ruling(
    'X-16',
    ['BATCH-03'],
    '`data` in a batch response. Sources: ops and batch schema: null; a fixture has an object. Rule: `data: null`.',
  ),
  ruling(
    'X-17',
    ['BATCH-04', 'RES-02'],
    'Extra keys of batch responses. Sources: result schema lacks `halted_at`, `pending_operations`; batch schema lacks `warnings`, `_meta` and error `details`. Rule: A halted batch follows the batch schema (no `warnings`, no `_meta`); a completed one may have merged `warnings` at top level; entries contain neither; whole-batch errors keep `details` optional.',
  ),
  ruling(
    'X-18',
    ['BATCH-02', 'BATCH-03'],
    'Batch error codes. Sources: batch schema example `BATCH_VALIDATION_ERROR`; errors 8.4 sketches `BATCH_PARTIAL_FAILURE`. Rule: Neither is emitted: registry codes for malformed batches, success plus per-entry results otherwise.',
  ),
  ruling(
    'X-19',
    ['REQ-12', 'RES-04'],
    'Request id in metadata. Sources: ops: `_meta.requestId`; schema: `_meta.request_id`. Rule: Emit `request_id`.',
  ),
  ruling(
    'X-20',
    ['RES-03'],
    'Metadata on failures. Sources: ops 3.4 and spec 2.3.5 suggest metadata in any response; schema allows no `_meta` on failures. Rule: Session id and the like go to `error.details`.',
  ),
  ruling(
    'X-21',
    ['ERR-07'],
    'Which codes set `isError`. Sources: integ 4.1.3 lists nine recoverable codes; 4.1.2 gives a criterion and also calls unknown operations and pre-dispatch schema failures unrecoverable. Rule: Listed codes false; all others by the criterion as shown in the code table; request-shape failures true.',
  ),
  ruling(
    'X-22',
    ['ERR-08'],
    'HTTP 409 and 429. Sources: errors 6.2 sends other 4xx to `VALIDATION_INVALID_TYPE`; integ 4.3 maps them. Rule: 409 `CONFLICT_ALREADY_EXISTS`, 429 `RATE_LIMIT_EXCEEDED`.',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  ruling(
    'X-23',
    ['ERR-22', 'VAL-07', 'PAGE-03'],
    'Constraint violations. Sources: errors 8.1 reserves `VALIDATION_INVALID_ENUM`, `VALIDATION_OUT_OF_RANGE`, `VALIDATION_PATTERN_MISMATCH`; integ uses `VALIDATION_INVALID_VALUE`; introspection schema example `INVALID_QUERY_TYPE`; older texts `VALIDATION_ERROR`. Rule: `VALIDATION_INVALID_VALUE` with `details.constraint`; conflicting pagination keeps `VALIDATION_INVALID_TYPE` as documented; the rest are not emitted.',
  ),
  ruling(
    'X-24',
    ['PAGE-02'],
    'Default page size. Sources: pagination: 20; ops 4.4.2: 25. Rule: 20 for cursors, 25 for `limit` and `page_size`.',
  ),
  ruling(
    'X-25',
    ['PAGE-04'],
    'Page size above the maximum. Sources: pagination: reduce; a declared `maximum` would be enforced by the validator. Rule: Reduce; no `maximum` on `first`, `last`, `limit`, `page_size`.',
  ),
  ruling(
    'X-26',
    ['INT-14'],
    'Extra keys in introspection. Sources: pagination 5.4 (`supports_pagination`), danger document (`danger`) and others add keys; schema forbids them. Rule: No extra keys; separate queries, types and descriptions.',
  ),
  ruling(
    'X-27',
    ['INT-15'],
    'Types list. Sources: ops 9.6 shows `values` and `fields` in the list; introspection and schema allow only `name`, `kind`, `description`. Rule: Short form in the list, details by name.',
  ),
  ruling(
    'X-28',
    ['INT-22', 'ERR-47'],
    'Details on `introspect` failures. Sources: introspection schema allows only `code` and `message`; general errors should have `details`. Rule: Failures found by the common validator keep `details`; `INTROSPECTION_ERROR` has none.',
  ),
  ruling(
    'X-29',
    ['INT-05'],
    'Version string. Sources: examples show `1.0.0`, `1.0.0-alpha.1`; the specification is `1.0.0-draft`. Rule: Emit `1.0.0-draft`.',
  ),
  ruling(
    'X-30',
    ['FIELD-06', 'FIELD-08'],
    'Unknown field in `fields`. Sources: fields 4.3: skip silently; fields 5.2: validate names. Rule: Skip, optionally with a low warning; malformed paths are refused.',
  ),
  ruling(
    'X-31',
    ['PROG-02'],
    'Where the progress token is. Sources: integ: inside the tool arguments; mcp: request metadata. Rule: Request metadata first, arguments as fallback.',
  ),
  ruling(
    'X-32',
    ['SES-07'],
    'End of a session. Sources: spec names an MCP shutdown message; MCP has none and closes the transport; HTTP sessions span connections. Rule: Transport close, end of stdin, or end of the `Mcp-Session-Id`.',
  ),
  ruling(
    'X-33',
    ['MCP-17'],
    'Elicitation answers. Sources: summary: `reject`; published MCP text: `decline`. Rule: `decline`, reading `reject` as the same.',
  ),
  ruling(
    'X-34',
    ['ERR-49'],
    'Deprecation details. Sources: warnings 2.2 example `deprecated_operation`; warnings 4.2 `type` and `deprecated_item`. Rule: The 4.2 form.',
  ),
  ruling(
    'X-35',
    ['VAL-04', 'UPD-05'],
    'Explicit `null` for a parameter. Sources: spec: null is absence, but may differ from omission. Rule: Wrong type unless the parameter is documented as nullable; inside UPDATE `input` it removes the field.',
  ),
  ruling(
    'X-36',
    ['ERR-02'],
    'Number of registry codes. Sources: errors announces 8 and 7, lists 9 and 11. Rule: The complete table above applies.',
  ),
  ruling(
    'X-37',
    ['LIFE-02'],
    'Leaving `failed`. Sources: the state diagram draws a cancel edge near `failed`; the list of transitions has none. Rule: The list applies: from `failed` only a retry to `running`.',
  ),
  ruling(
    'X-38',
    ['INT-02', 'INT-21', 'INT-22'],
    '`query` kinds of `introspect`. Sources: spec 7.2 names two; trust, rate-limit and token documents use `adapter_info`, `quota_status`, `revoke_token`, the last with a side effect although READ has none. Rule: The two are mandatory; `adapter_info`, `quota_status`, `danger`, `search` and `rest` are additions that appear in the `enum` only where supported; `revoke_token` is not a query.',
  ),
]
