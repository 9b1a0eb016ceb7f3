import { may, must, type Requirement, should } from './row.ts'

/** Introspection. */
export const INT: readonly Requirement[] = [
  must(
    'INT-01',
    'Every adapter offers `introspect`, category READ, on one documented READ-oriented family (`read` in CRUDE) and on the unified tool.',
    'spec 7.2, introspection 8.1',
  ),
  must(
    'INT-02',
    'Its parameters are `query` (string, required, `enum` of the supported kinds, always including `operations` and `types`) and `name` (string, optional).',
    'spec 7.2, ops 9.2',
  ),
  must(
    'INT-03',
    '`query: "operations"` without `name` returns `data` with exactly `_protocol` and `operations`, listing every registered operation including `introspect` itself; above 200 operations (setting) it lists the first page, `_protocol.page` holds `total`, `next` and a hint to search, and the parameter `after` continues.',
    'introspection 4.1, 8.1, schema introspection-response',
  ),
  must(
    'INT-04',
    'Each list entry (OperationInfo) has exactly `name`, `semantic_category`, `endpoint`, `description`; `endpoint` is the lower-case family name (`read`, `query`), not the tool name, in every mode.',
    'introspection 3.2, 4.1, schema introspection-response',
  ),
  must(
    'INT-05',
    '`_protocol.version` is present and is the implemented specification version in semver form, `1.0.0-draft`.',
    'introspection 4.1.1, 8.1',
  ),
  should(
    'INT-06',
    "`_protocol` also has `conformance` (`level-1` or `level-2`), `mode`, `profile`, `adapter` (the adapter's name as written, `apple-mail`), `display_name` and `capabilities`; `adapter` and `display_name` are a MUST of the naming document.",
    'introspection 4.1.1, naming 4',
  ),
  should(
    'INT-07',
    '`_protocol.capabilities` has the boolean flags `batch`, `field_selection`, `aggregations`, `computed_fields`, `pagination`, `relationship_queries`, `warnings`, `confirmation`, `dangerous_operations`, each true only if the feature works, and the string `execution_safety_loop` (`enforcing`, `monitoring`, `logging`, `disabled`) where that loop exists.',
    'introspection 4.1.1, spec 8.6.1',
  ),
  may(
    'INT-08',
    '`_protocol` further has `limits` (DATA-11), `concurrency`, `supports_etag`, `max_concurrent_requests` (CONC-04), `session_id` (SES-06) and, where danger levels exist, `danger` (operation name to level).',
    'spec 4.7.5, 9.3.3, 2.3.5',
  ),
  must(
    'INT-09',
    '`query: "operations"` with `name` returns `data.operation` (OperationDetails) with `name`, `semantic_category`, `endpoint`, `mcpTool`, `description`, `permissions`, `parameters`, `returns` required and only `examples`, `computed_fields`, `aggregation_support`, `relationship_capabilities`, `lifecycle` optional.',
    'introspection 3.3, spec 8.4.5, schema introspection-response',
  ),
  must(
    'INT-10',
    '`mcpTool` is the registered tool that accepts the operation now: the family tool in `semantic` and `all` mode, the unified tool in `single` mode.',
    'introspection 3.3, choice (`all`)',
  ),
  must(
    'INT-11',
    '`permissions` is `{readOnly, destructive}` from the category: CREATE false/false, READ true/false, UPDATE, DELETE and EXECUTE false/true.',
    'spec 6.1, introspection 3.3',
  ),
  must(
    'INT-12',
    'A parameter entry (ParameterInfo) has `name`, `type`, `required` and only `description`, `default`, `enum`, `minimum`, `maximum`, `minLength`, `maxLength`, `pattern`, `format`, `items`, `sensitive` besides; deprecation notices with migration advice go into `description`.',
    'introspection 3.4, 8.2.4, schema introspection-response',
  ),
  must(
    'INT-13',
    '`returns` is a TypeInfo (`name`, `kind`, `description?`) and each entry of `examples` has `request` and optionally `description` and nothing else; every operation should have at least one runnable example.',
    'introspection 3.3, 8.2',
  ),
  must(
    'INT-14',
    'Danger, trust, quota, pagination and preset metadata are never added as extra keys to OperationInfo, OperationDetails or ParameterInfo; they are reachable through INT-18 to INT-20, types (FIELD-09) and descriptions.',
    'schema introspection-response, choice',
  ),
  must(
    'INT-15',
    '`query: "types"` returns `data.types`, an array of TypeInfo; with `name` it returns `data.type` as TypeDetails.',
    'introspection 3.5, 3.6, 5',
  ),
  must(
    'INT-16',
    'An unknown `name` is a success with `data.operation: null` or `data.type: null`, never an error.',
    'introspection 4.3, 8.1',
  ),
  must(
    'INT-17',
    'Names, types, `required` flags, defaults and constraints shown are those the validator uses: every accepted parameter is listed, none is listed that is refused, and all of it derives from one operation definition with shared parameters expanded in place.',
    'introspection 8.1.1, 8.1.2, 6.1, ops 4.4.5',
  ),
  should(
    'INT-18',
    '`query: "adapter_info"` returns `data.name`, `data.version` and `data.trust` (`level`, `validated_at?`, `validation_report?`).',
    'trust document 6.4, introspection 8.3',
  ),
  should(
    'INT-19',
    '`query: "danger"` returns `data.danger`, an object from operation name to `level`, `reasons?`, `confirmation_message?`; with `name` it returns that one entry, or null for an unknown name; where danger levels exist some such exposure is a MUST.',
    'danger document 3.4, 7.1, choice (query name, shape)',
  ),
  should(
    'INT-20',
    '`query: "quota_status"` returns `data.adapter`, `data.api_limits`, `data.quotas` (`metric`, `current`, `warn`, `pause`, `hard_stop`, `status` of `ok`, `warn`, `paused` or `exhausted`, `currency?`) and `data.next_reset`; a rate-limiting adapter must offer it.',
    'rate-limit document 6, 7.1',
  ),
  must(
    'INT-21',
    'No introspection query changes state: `revoke_token` is not a query kind, and token revocation is an operation of its own outside READ.',
    'spec 8.1, tokens 5.3, choice',
  ),
  must(
    'INT-22',
    'A missing `query` fails with `VALIDATION_MISSING_PARAM` and an unsupported one with `VALIDATION_INVALID_VALUE` listing the supported kinds.',
    'ops 5.4, choice (code)',
  ),
  should(
    'INT-23',
    'The same query gives the same answer throughout a session (cached per session), except that a change of server configuration invalidates the cache.',
    'introspection 7.3',
  ),
  must(
    'INT-24',
    'A successful `introspect` response has only `success` and `data` at the top level (no `_meta`, no `warnings`).',
    'schema introspection-response',
  ),
  may(
    'INT-25',
    'Operation lists are filtered on request (`category`, `after`, `first`), `introspect` honours `fields`, and library helpers group operations by family or category and render a text summary.',
    'introspection 6.3, 8.3',
  ),
]
