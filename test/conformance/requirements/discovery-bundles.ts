import { must, type Requirement, should } from './row.ts'

/** What a capture of another server holds. */
export const DISC: readonly Requirement[] = [
  must(
    'DISC-01',
    'A bundle has exactly `schema_version` (constant `1.0.0-draft`), `source`, `raw_capture` and `normalized_bundle`, and is validated against the bundle schema when written and when read.',
    'schema:bundle',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-02',
    '`source` has `name`, `server_url` (URI), `transport` (only `streamable_http`), `captured_at` (date-time), `auth`, `capture_config_redacted` (object), optional `server` {`name`, `version`, `title`}, and nothing else.',
    'schema:bundle; disc',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-03',
    '`source.auth` has `type` (`bearer` or `none`) and optional `header`, `prefix`, `token_env`, `token_command`; no secret value is stored anywhere in the bundle, and a command containing one is replaced by a redaction mark.',
    'schema:bundle; disc; R-42',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-04',
    "`raw_capture.tools` is the exact union of all pages of the server's tool list with original field names; cursors, `_meta` and other response facts may stand beside it, server identity, time and connection data belong to `source`.",
    'schema:bundle; disc',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-05',
    'Each operation record has `source_tool_name`, `operation_name`, `description`, `endpoint`, `endpoint_confidence`, `danger_level`, `needs_review`, `review_reasons`, `params`, `maps_to`, `returns`, `provenance` (all required) and optional `title`.',
    'schema:bundle',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-06',
    'Enumerations are `endpoint` CREATE, READ, UPDATE, DELETE, EXECUTE; `endpoint_confidence` `high`, `medium`, `low`; `danger_level` the five levels; warning `severity` `info`, `warning`, `error`.',
    'schema:bundle',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-07',
    'A parameter record has `name`, `original_name`, `type`, `required`, `source_path` (required; dot path into the raw tool such as `inputSchema.properties.owner`) and optional `description`, `default`, `enum` (strings), `minimum`, `maximum`, `pattern`, `format`; order follows the source.',
    'schema:bundle; disc',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-08',
    '`returns` is {`type`: constant `object`, `name`, `description`} even if the tool returns something else.',
    'schema:bundle; disc',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-09',
    '`provenance` has `name` and `input_schema_present` (required), `description`, `annotations` (names of the upstream annotation fields) and `inference_sources` for `operation_name`, `description`, `endpoint`, `danger_level`, `maps_to`, each `direct_source_metadata`, `deterministic_normalization`, `heuristic_classification` or `manual_override`, filled for every derived field.',
    'schema:bundle; disc (up: SHOULD)',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-10',
    '`warnings` entries have `code`, `severity`, `message` and optional `tool`, `field`, `heuristic`; `review_reasons` are the readable explanations local to one operation.',
    'schema:bundle; disc',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-11',
    'Classification is conservative: an ambiguous tool gets `endpoint_confidence: low`, `needs_review: true` and at least one review reason, annotations such as `readOnlyHint` never lower the danger level on their own, and such an operation is not callable in a generated adapter before review.',
    'disc; R-42',
    { status: 'later', reason: 'discovery bundles' },
  ),
  should(
    'DISC-12',
    'Capture only initialises and lists tools; tools are called only after explicit opt-in, and probe results are stored apart from declarations and labelled as observations.',
    'disc',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-13',
    'The schema builder turns the parameter array into the keyed `params` object, keeps source semantics before style, and records what the adapter format cannot hold (provenance, warnings, non-string enums) in a sidecar file with a warning instead of dropping it silently.',
    'disc; R-42',
    { status: 'later', reason: 'discovery bundles' },
  ),
  must(
    'DISC-14',
    'The same `raw_capture` and generator version give the same `normalized_bundle`, and an adapter built from a bundle starts at trust `untested`, or `generated` after its schema check.',
    'disc; trust 2.2; R-42',
    { status: 'later', reason: 'discovery bundles' },
  ),
]
