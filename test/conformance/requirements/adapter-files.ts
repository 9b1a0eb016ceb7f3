import { must, type Requirement, should } from './row.ts'

/** Adapters written as Markdown files. */
export const ELEM: readonly Requirement[] = [
  must(
    'ELEM-01',
    'An adapter is a Markdown file `<name>-adapter.md` with YAML front matter (all configuration) between `---` lines and a documentation body; `name` equals the file name without `-adapter.md`.',
    'elem 1.3; schema:adapter',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-02',
    'Required keys are `name`, `type`, `version`, `description`, `target`, `operations`; optional are `display_name`, `tool_names` (`pattern`), `auth`, `trust`, `rate_limits`, `author`, `tags` (strings), `triggers` (strings), `created`, `modified` (ISO 8601); any other key is an error naming its path.',
    'elem 2.1; schema:adapter; R-21',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-03',
    '`name` matches `^[a-z][a-z0-9-]*[a-z0-9]$` with 2-64 characters and `type` is exactly `adapter`.',
    'elem 4.1, 4.2; R-21',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-04',
    '`version` is a string in Semantic Versioning 2.0.0 (an unquoted YAML number is an error); `description` outside 10-200 characters gives a warning only.',
    'elem 4.3, 4.4; R-21',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-05',
    '`target.base_url` is an absolute HTTPS URL (HTTP only for localhost and loopback addresses) without trailing slash, user info, query or fragment; a path prefix is allowed.',
    'elem 5.2; R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-06',
    '`target.transport`, `target.protocol` and `target.serialization` are required; only `http`, `rest` and `json` work, other schema values (`websocket`, `serial`, `native`; `graphql`, `grpc`, `custom`; `xml`, `protobuf`, `msgpack`, `form`) fail at load with `PLUGIN_NOT_FOUND`, unknown strings as validation errors.',
    'elem 5.3-5.5; schema:adapter',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-07',
    'A missing `auth` means `none`; `bearer` requires `token_env`, `api_key` requires `header_name` (alias `header`) and `key_env`; `basic` and `oauth2` fail at load with `PLUGIN_NOT_FOUND`.',
    'elem 6.1-6.4; schema:adapter; R-21',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-08',
    'Files never contain credentials: literal fields such as `token`, `key`, `password` or `secret` under `auth` are errors, values that look like secrets anywhere give a warning without repeating the value.',
    'elem 6.5',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-09',
    '`operations` has only the keys `create`, `read`, `update`, `delete`, `execute`, each an array; an operation has `name` and `maps_to` (required), `description`, `params`, `response`, `pagination`, `supports_fields`, `danger` or `danger_level`, `requires_confirmation`, `non_idempotent`, and no other key.',
    'elem 7.1, 7.2; schema:adapter',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-10',
    'Operation names match `^[a-z][a-z0-9_]*$`, are unique across all five categories and are not reserved (LOOP-01).',
    'elem 7.3; spec 8.5.4',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-11',
    '`maps_to` is one of GET, POST, PUT, PATCH, DELETE, one space and a path starting with `/`; each `{placeholder}` names a declared parameter that is required or has a default, otherwise loading fails with `PROTOCOL_INVALID_MAPPING`.',
    'elem 7.4; plug 8.3',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-12',
    'A parameter has `type` (`string`, `integer`, `number`, `boolean`, `array`, `object`; required), `required` (default false), `description`, `default`, `enum`, `minimum`, `maximum`, `pattern`, `format`; a default that violates type, enum or range and an invalid pattern are load errors.',
    'elem 8.1-8.6; schema:adapter',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-13',
    'At call time a missing required parameter gives `VALIDATION_MISSING_PARAM`, a wrong type, enum or range value a `VALIDATION_` error naming the parameter, and an undeclared one `VALIDATION_UNKNOWN_PARAM`, all before any network access.',
    'elem 8.3; spec 4.6',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-14',
    '`pagination` has `style` (`offset`, `cursor`, `page`), `default_limit` and `max_limit` (integers >= 1, default not above maximum).',
    'schema:adapter',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-15',
    'Introspection of an adapter is derived from its file alone, and the runtime executes no code from it.',
    'elem 1.2',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  should(
    'ELEM-16',
    'A changed file is reloaded without restart; an invalid version leaves the previous one active with a warning, a valid one revokes open tokens and re-determines trust (TRUST-03).',
    'elem 1.2; tokens 5.3',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  should(
    'ELEM-17',
    'JSON or programmatic representations can be exported to the canonical Markdown form, which is decisive when they differ, and export followed by import is lossless.',
    'elem 3.2',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  must(
    'ELEM-18',
    'YAML is parsed with the core schema only: no custom tags, duplicate keys are errors, alias expansion and file size (1 MiB) are limited, and `pattern` expressions are evaluated with protection against catastrophic backtracking.',
    'R-40',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
]
