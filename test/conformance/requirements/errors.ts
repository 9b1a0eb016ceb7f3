import { must, type Requirement, should } from './row.ts'

/** Error codes. */
export const ERR: readonly Requirement[] = [
  must(
    'ERR-01',
    '`error` holds `code` (matching `^[A-Z][A-Z0-9_]*$`, category word first) and `message`, optionally `details` (object), and no other key; plain-string errors are never emitted.',
    'spec 5.1, errors 1.4, 3.1, schema operation-result',
  ),
  must(
    'ERR-02',
    "Codes come from the table below (codes of the safety half are defined there); an adapter's own codes are documented, keep the same form and begin with a known category (`VALIDATION_`, `NOT_FOUND_`, `PERMISSION_`, `CONFLICT_`, `RATE_LIMIT_`, `TOKEN_`, `INTERNAL_`).",
    'errors 3.2, 7.1, spec 10.3, choice',
  ),
  should(
    'ERR-03',
    'Messages follow the templates below with dynamic values in single quotes, say what failed, which parameter is concerned and what was expected, and contain no secret, token value, file path or internal name.',
    'errors 4.2, ops 8.4, conformance 3.3',
  ),
  must(
    'ERR-04',
    'No message contains a language error name, stack trace, source location (`.ts:12`), class name or a path such as `/src/` or `/node_modules/`; an unexpected exception becomes `INTERNAL_ERROR` with a neutral description while the full cause goes to the server log only.',
    'introspection 8.1.3, errors 7.1, conformance 3.3',
  ),
  should(
    'ERR-05',
    'Messages avoid any word ending in "at" followed by a space (such as "at least", "that", "format"), since the published leak check flags the case-insensitive pattern `at\\s+\\S+`; a parameter description that would trip it is left out of the message.',
    'conformance 3.3 (reference runner), choice',
  ),
  must(
    'ERR-06',
    'Domain failures are tool results, never JSON-RPC errors; -32600, -32601, -32602 and -32603 are used only for malformed messages, unknown methods or tools, bad method parameters and protocol-level breakdown.',
    'integ 4.2',
  ),
  must(
    'ERR-07',
    '`isError` is false for every success and for failures the agent can act on, true for the rest, as given per code below; a request that fails the shape check before any operation is selected (REQ-02, BATCH-02) is always true.',
    'integ 4.1.1, 4.1.2, choice',
  ),
  should(
    'ERR-08',
    'When wrapping an HTTP API: 400 and 422 become `VALIDATION_INVALID_TYPE` unless the body identifies a more exact validation code; 401 and 403 `PERMISSION_DENIED`; 404 `NOT_FOUND_RESOURCE`; 409 `CONFLICT_ALREADY_EXISTS`; 429 `RATE_LIMIT_EXCEEDED`; 500 and above `INTERNAL_ERROR`; any other 4xx `VALIDATION_INVALID_TYPE`; the upstream status goes to `details.http_status` and a cleaned upstream message to `details.upstream_error`.',
    'integ 4.3, errors 6.1, 6.2, 7.1',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ERR-20',
    "`VALIDATION_MISSING_PARAM`. When: a required parameter (or `operation`, or UPDATE `input`) is absent. Message: `Missing required parameter '{param_name}' for operation '{operation}'. Expected: {type} ({description})`. Details: `param_name`, `operation?`. isError: false. HTTP: 400.",
    'spec 5.3, errors 4.3, introspection 8.2.3',
  ),
  must(
    'ERR-21',
    "`VALIDATION_INVALID_TYPE`. When: value of the wrong JSON type; also conflicting pagination controls (PAGE-03). Message: `Parameter '{param_name}' expected '{expected_type}', got '{actual_type}'`. Details: `param_name`, `expected_type`, `actual_type`, `value?`; pagination adds `provided`, `hint`. isError: false. HTTP: 400, 422.",
    'errors 4.4, pagination 2.3',
  ),
  must(
    'ERR-22',
    "`VALIDATION_INVALID_VALUE`. When: right type, constraint violated: enum, range, length, pattern, format, unsupported filter key, sort field, aggregate, preset, cursor or introspection query. Message: `Parameter '{param_name}' has an invalid value. Expected: {constraint}`. Details: `param_name`, `constraint`, `allowed?`, `value?`, `operation?`. isError: false. HTTP: 400, 422.",
    'integ 4.1.3, choice (details)',
  ),
  must(
    'ERR-23',
    "`VALIDATION_UNKNOWN_PARAM`. When: undeclared parameter. Message: `Unknown parameter '{first}' for operation '{operation}'`, plus ` (and {n} other(s))` when several, plus `. Valid parameters: {list}`. Details: `operation`, `unknown_params`, `valid_params`. isError: false. HTTP: 400, 422.",
    'spec 4.6, errors 4.5',
  ),
  must(
    'ERR-24',
    "`VALIDATION_UNKNOWN_FIELD`. When: undeclared field, or an identifier, inside UPDATE `input`. Message: `Unknown field '{first}' in input for operation '{operation}'`. Details: `operation`, `unknown_fields`, `valid_fields`. isError: false. HTTP: 400, 422.",
    'spec 4.5.3, errors 4.5, choice (details)',
  ),
  must(
    'ERR-25',
    "`VALIDATION_READ_ONLY_FIELD`. When: update of a read-only field. Message: `Field '{field}' is read-only and cannot be updated`. Details: `field`, `operation?`. isError: false. HTTP: 400, 422.",
    'conformance 3.5, choice',
  ),
  must(
    'ERR-26',
    "`VALIDATION_APPEND_ONLY`. When: rewrite of append-only data. Message: `Field '{field}' is append-only; use '{alternative}' instead`. Details: `field`, `alternative?`, `operation?`. isError: false. HTTP: 400, 422.",
    'conformance 3.5, choice',
  ),
  must(
    'ERR-27',
    "`VALIDATION_ENDPOINT_MISMATCH`. When: operation sent to another family's tool. Message: `Operation '{operation}' must use {expected_endpoint} endpoint, not {actual_endpoint}`. Details: `operation`, `expected_endpoint`, `actual_endpoint` (CRUDE: upper-case identifiers such as `CREATE`; other profiles: family name), `expected_tool?`, `actual_tool?`. isError: false. HTTP: 400.",
    'ops 6.3, choice (tool fields)',
  ),
  must(
    'ERR-28',
    '`VALIDATION_INVALID_ENCODING`. When: invalid UTF-8, lone surrogate or forbidden U+0000. Message: `Invalid character encoding in request`. Details: `location?`, `byte_offset?`. isError: false. HTTP: 400.',
    'errors 4.6, spec 4.7.1',
  ),
  must(
    'ERR-29',
    '`VALIDATION_PAYLOAD_TOO_LARGE`. When: one of the five limits exceeded. Message: `Payload exceeds {limit_type} limit of {limit_value}`. Details: `limit_type` (`request_size`, `response_size`, `string_length`, `array_elements`, `nesting_depth`), `limit_value`, `actual_value`, `unit` (`bytes`, `elements`, `levels`). isError: false. HTTP: 400.',
    'errors 4.7',
  ),
  must(
    'ERR-30',
    "`NOT_FOUND_OPERATION`. When: operation name not registered, in any mode; no nearby operation is run instead. Message: `Unknown operation: '{operation}'`, plus a hint to call `introspect`. Details: `operation`, `available?`, `suggestions?` (nearest names). isError: false. HTTP: 404.",
    'errors 4.8, ops 8.1, modes 5.5',
  ),
  must(
    'ERR-31',
    "`NOT_FOUND_RESOURCE`. When: target resource does not exist. Message: `Resource '{resource_type}' not found: '{resource_id}'`. Details: `resource_type?`, `resource_id?`, `http_status?`. isError: false. HTTP: 404.",
    'errors 4.9',
  ),
  must(
    'ERR-32',
    "`PERMISSION_DENIED`. When: caller or policy not allowed, upstream 401 or 403. Message: `Permission denied: '{reason}'`. Details: `reason?`, `http_status?`, `required_scope?`. isError: false. HTTP: 401, 403.",
    'errors 4.10',
  ),
  must(
    'ERR-33',
    "`PERMISSION_TRUST_LEVEL_INSUFFICIENT`. When: adapter trust below what the operation needs. Message: `Operation '{operation}' requires trust level '{required_trust}', adapter has '{actual_trust}'`. Details: `operation`, `required_trust`, `actual_trust`, `danger_level?` (number 0-4). isError: false. HTTP: 403.",
    'errors 5.2',
  ),
  must(
    'ERR-34',
    "`PERMISSION_DANGER_LEVEL_DENIED`. When: danger level too high for the adapter's trust. Message: `Operation '{operation}' (danger: {danger_level}) denied for adapter trust level '{adapter_trust}'`. Details: `operation`, `danger_level` (name), `adapter_trust`, `minimum_trust_required`, `reasons?`. isError: false. HTTP: 403.",
    'errors 5.3',
  ),
  must(
    'ERR-35',
    '`CONFIRMATION_REQUIRED`. When: gated operation called without a valid token. Message: `This operation requires confirmation`. Details: `operation`, `danger_level`, `reasons?`, `confirmation_message?`, `confirmation_token`, `expires_at`. isError: false. HTTP: 403.',
    'errors 5.4',
  ),
  must(
    'ERR-36',
    "`CONFLICT_ALREADY_EXISTS`. When: resource to create already exists. Message: `{Resource} '{resource_id}' already exists`. Details: `resource_type?`, `resource_id?`, `http_status?`. isError: false. HTTP: 409.",
    'ops 7.2, errors 8.1, integ 4.3, choice (details)',
  ),
  must(
    'ERR-37',
    "`CONFLICT_VERSION_MISMATCH`. When: `if_match` does not equal the stored version. Message: `Version mismatch for '{resource_id}'`. Details: `resource_type?`, `resource_id?`, `expected_version`, `actual_version`. isError: false. HTTP: 409.",
    'spec 9.3.2, errors 8.1, choice (details)',
  ),
  must(
    'ERR-38',
    "`CONFLICT_INVALID_STATE`. When: execution or resource is in a state that does not allow the step (LIFE-02). Message: `Operation '{operation}' is not allowed in state '{state}'`. Details: `execution_id?`, `state`, `allowed?`. isError: false. HTTP: 409.",
    'spec 8.4.2, choice',
  ),
  must(
    'ERR-39',
    '`RATE_LIMIT_EXCEEDED`. When: upstream rate limit reached. Message: `API rate limit exceeded`. Details: `limit`, `remaining`, `window` (`second`, `minute`, `hour`, `day`), `resets_at`, `retry_after_seconds`. isError: false. HTTP: 429.',
    'errors 5.5',
  ),
  must(
    'ERR-40',
    '`RATE_LIMIT_QUOTA_PAUSE`. When: user quota reached its pause threshold. Message: `Quota pause threshold reached`. Details: `metric`, `current`, `pause_threshold`, `hard_stop_threshold?`, `confirmation_token`, `expires_at`. isError: false. HTTP: 429.',
    'errors 5.6',
  ),
  must(
    'ERR-41',
    '`RATE_LIMIT_QUOTA_EXHAUSTED`. When: user quota reached its hard stop. Message: `Quota exhausted`. Details: `metric`, `current`, `hard_stop_threshold`, `resets_at`. isError: true. HTTP: 429.',
    'errors 5.7, choice (isError)',
  ),
  must(
    'ERR-42',
    '`TOKEN_INVALID`. When: token unknown or malformed (same answer for both). Message: `Invalid confirmation token`. Details: `token`. isError: false. HTTP: 400, 403.',
    'errors 5.9',
  ),
  must(
    'ERR-43',
    '`TOKEN_EXPIRED`. When: token past its expiry. Message: `Confirmation token has expired`. Details: `token`, `expired_at`, `current_time`. isError: false. HTTP: 400, 403.',
    'errors 5.10',
  ),
  must(
    'ERR-44',
    '`TOKEN_ALREADY_USED`. When: token redeemed before. Message: `Confirmation token has already been used`. Details: `token`, `consumed_at?`. isError: false. HTTP: 400, 403.',
    'errors 5.11',
  ),
  must(
    'ERR-45',
    '`TOKEN_SCOPE_MISMATCH`. When: token issued for another operation, other parameters or another adapter. Message: `Confirmation token scope mismatch`. Details: `token`, `token_operation`, `requested_operation`. isError: false. HTTP: 400, 403.',
    'errors 5.12',
  ),
  must(
    'ERR-46',
    "`INTERNAL_ERROR`. When: unexpected failure or upstream 5xx; also carries plugin, transport and credential failures, whose own code goes to `details`. Message: `Internal error: '{description}'`. Details: `http_status?`, `upstream_error?`, `cause_code?`. isError: true. HTTP: 500-599.",
    'errors 4.11, choice (`cause_code`)',
  ),
  must(
    'ERR-47',
    '`INTROSPECTION_ERROR`. When: the introspection registry itself fails. Message: free text, neutral. Details: none. isError: true. HTTP: 500.',
    'introspection 3.1',
  ),
  must(
    'ERR-48',
    '`RATE_LIMIT_QUOTA_WARNING` (warning only). When: usage past the warn threshold; `high` above 90 % of the quota, else `medium`. Message: `Approaching quota limit`. Details: `metric`, `current`, `warn_threshold`, `pause_threshold?`, `hard_stop_threshold?`. isError: false. HTTP: none.',
    'errors 5.8, warnings 4.1',
  ),
  must(
    'ERR-49',
    '`DEPRECATION_WARNING` (warning only). When: deprecated operation, parameter or feature used; `high` within 30 days of removal, `medium` before that, `low` without a date. Message: `{feature} is deprecated`. Details: `type` (`operation`, `parameter`, `feature`), `deprecated_item`, `replacement?`, `removal_date?`, `migration_guide?`. isError: false. HTTP: none.',
    'warnings 4.2',
  ),
  must(
    'ERR-50',
    '`VALIDATION_TRUNCATED_WARNING` (warning only). When: response data cut to a limit; `medium` above 50 % cut, else `low`. Message: `Response truncated to {limit} items`. Details: `field`, `original_count`, `truncated_count`, `limit`. isError: false. HTTP: none.',
    'warnings 4.3',
  ),
  must(
    'ERR-51',
    '`PERFORMANCE_SLOW_QUERY_WARNING` (warning only). When: operation slower than its threshold; `high` above 10 times, `medium` from 2 to 10 times, `low` below 2. Message: `Operation took {duration}ms (threshold: {threshold}ms)`. Details: `operation`, `duration_ms`, `threshold_ms`, `suggestions?`. isError: false. HTTP: none.',
    'warnings 4.4',
  ),
]
