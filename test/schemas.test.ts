import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { check, checkIntrospection, checkRequest, checkResult, SCHEMA_FILES } from './schemas.ts'

type Accepted = readonly [name: string, value: unknown]
type Refused = readonly [name: string, value: unknown, fault: string]
type Validate = (value: unknown) => string[]

interface Sample extends Leeway {
  readonly name: string
  readonly validate: Validate
  readonly value: unknown
}

/** Places of a sample where a stray key, a missing key or a value of any kind is accepted. */
interface Leeway {
  readonly open?: readonly string[]
  readonly optional?: readonly string[]
  readonly free?: readonly string[]
}

interface Place {
  readonly path: readonly (string | number)[]
  readonly at: unknown
}

describe('the files', () => {
  test('are the nine of the package', () => {
    expect(SCHEMA_FILES).toEqual([
      'aggregation-query.schema.json',
      'batch-operation.schema.json',
      'collection-query.schema.json',
      'danger-level.schema.json',
      'field-selection.schema.json',
      'introspection-response.schema.json',
      'operation-input.schema.json',
      'operation-result.schema.json',
      'relationship-query.schema.json',
    ])
  })

  test.each(SCHEMA_FILES)('%s says what it is and needs no network', (file) => {
    const text = readFileSync(new URL(`../schemas/${file}`, import.meta.url), 'utf8')
    const schema = JSON.parse(text)
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.$id).toBe(`https://mcpaql.dev/schemas/${file}`)
    expect(schema.title).toMatch(/^[A-Z]/)
    expect(schema.description).toMatch(/\.$/)
    const references = [...text.matchAll(/"\$ref": "([^"#]*)/g)].map(([, target]) => target)
    expect(references.filter((target) => target !== '' && !SCHEMA_FILES.includes(target ?? ''))).toEqual([])
    expect(() => check(file, null)).not.toThrow()
  })
})

describe('a request', () => {
  // biome-ignore format: one row a case
  accepts(checkRequest, [
    ['REQ-01 an operation alone', { operation: 'list_issues' }],
    ['REQ-03 parameters on both levels', { operation: 'get_issue', id: 'a', params: { id: 'b' } }],
    ['REQ-04 metadata beside the operation', { operation: 'get_issue', _meta: {}, _request_id: 'r', _session: 's', _x: 1 }],
    ['REQ-06 a parameter in camelCase', { operation: 'get_issue', params: { issueId: 'b' } }],
    ['REQ-07 tokens', { operation: 'delete_issue', params: { _confirmation: 't', _quota_continue: 'u', confirmation_token: 'v' } }],
    ['BATCH-01 a batch', { operations: [{ operation: 'get_issue', params: { id: 'a' } }, { operation: 'get_issue', id: 'b' }] }],
    ['BATCH-01 a batch with names and metadata', { operations: [{ operation: 'get_issue', _id: 'one' }], parallel: true, _session: 's' }],
  ])
  // biome-ignore format: one row a case
  refuses(checkRequest, [
    ['REQ-01 an upper-case name', { operation: 'List_Issues' }, '/operation must match pattern'],
    ['REQ-01 an empty name', { operation: '' }, '/operation must match pattern'],
    ['REQ-01 a name that begins with a digit', { operation: '2_issues' }, '/operation must match pattern'],
    ['REQ-02 no operation', { params: {} }, "must have required property 'operation'"],
    ['REQ-02 an operation that is no string', { operation: 7 }, '/operation must be string'],
    ['REQ-02 parameters in a list', { operation: 'get_issue', params: [] }, '/params must be object'],
    ['REQ-02 null parameters', { operation: 'get_issue', params: null }, '/params must be object'],
    ['REQ-05 a parameter with a hyphen', { operation: 'get_issue', params: { 'issue-id': 1 } }, 'property name must be valid'],
    ['REQ-05 a parameter with a hyphen at the top', { operation: 'get_issue', 'issue-id': 1 }, 'property name must be valid'],
    ['REQ-07 a token that is no string', { operation: 'delete_issue', params: { _confirmation: 1 } }, '/params/_confirmation must be string'],
    ['REQ-12 a request id that is no string', { operation: 'get_issue', _request_id: 1 }, '/_request_id must be string'],
    ['BATCH-02 both keys', { operation: 'get_issue', operations: [{ operation: 'get_issue' }] }, '/operations boolean schema is false'],
    ['BATCH-02 no entries', { operations: [] }, '/operations must NOT have fewer than 1 items'],
    ['BATCH-02 entries that are no list', { operations: {} }, '/operations must be array'],
    ['BATCH-02 an entry without an operation', { operations: [{ params: {} }] }, "/operations/0 must have required property 'operation'"],
    ['BATCH-02 a batch inside a batch', { operations: [{ operation: 'get_issue', operations: [] }] }, '/operations/0/operations boolean'],
    ['BATCH-01 a stray key', { operations: [{ operation: 'get_issue' }], params: {} }, "additional properties 'params'"],
    ['not an object', 'get_issue', 'must be object'],
  ])
})

describe('a success', () => {
  const success = { success: true, data: { id: 'a' } }
  // biome-ignore format: one row a case
  accepts(checkResult, [
    ['RES-01 data', success],
    ['RES-01 null is data', { success: true, data: null }],
    ['RES-04 metadata', { ...success, _meta: { request_id: 'r', duration_ms: 0.4, tokens: 12, more: true } }],
    ['RES-07 warnings', { ...success, warnings: [{ code: 'ADAPTER_STALE', message: 'Old', details: {}, severity: 'low' }] }],
    ['ERR-49 deprecation', warned({ code: 'DEPRECATION_WARNING', message: 'x is deprecated', details: { type: 'operation', deprecated_item: 'x' } })],
    ['ERR-50 truncation', warned({ code: 'VALIDATION_TRUNCATED_WARNING', message: 'm', details: { field: 'items', original_count: 9, truncated_count: 5, limit: 5 } })],
    ['ERR-51 slowness', warned({ code: 'PERFORMANCE_SLOW_QUERY_WARNING', message: 'm', details: { operation: 'o', duration_ms: 9.5, threshold_ms: 5 } })],
    ['ERR-48 quota', warned({ code: 'RATE_LIMIT_QUOTA_WARNING', message: 'm', details: { metric: 'calls', current: 8, warn_threshold: 7 } })],
    ['FIELD-06 an unknown field', warned({ code: 'VALIDATION_UNKNOWN_FIELD', message: 'm', severity: 'low' })],
  ])
  // biome-ignore format: one row a case
  refuses(checkResult, [
    ['RES-01 no outcome', { data: {} }, "must have required property 'success'"],
    ['RES-01 an outcome that is no boolean', { success: 'true', data: {} }, '/success must be boolean'],
    ['RES-01 no data', { success: true }, "must have required property 'data'"],
    ['RES-01 data and error', { ...success, error: { code: 'INTERNAL_ERROR', message: 'm' } }, "additional properties 'error'"],
    ['RES-02 a stray key', { ...success, total: 3 }, "additional properties 'total'"],
    ['RES-02 batch keys without a batch', { ...success, halted_at: {} }, "additional properties 'halted_at'"],
    ['RES-04 metadata that is no object', { ...success, _meta: 'r' }, '/_meta must be object'],
    ['RES-04 a negative duration', { ...success, _meta: { duration_ms: -1 } }, '/_meta/duration_ms must be >= 0'],
    ['X-19 the older request id', { ...success, _meta: { requestId: 'r' } }, '/_meta/requestId boolean schema is false'],
    ['RES-07 a warning that is no list', { ...success, warnings: { code: 'A_B', message: 'm' } }, '/warnings must be array'],
    ['RES-07 a warning without a message', warned({ code: 'A_B' }), "must have required property 'message'"],
    ['RES-07 a warning without a code', warned({ message: 'm' }), "must have required property 'code'"],
    ['RES-07 a stray key in a warning', warned({ code: 'A_B', message: 'm', field: 'f' }), "additional properties 'field'"],
    ['RES-08 another severity', warned({ code: 'A_B', message: 'm', severity: 'critical' }), '/severity must be equal to one of'],
    ['X-34 the older deprecation details', warned({ code: 'DEPRECATION_WARNING', message: 'm', details: { deprecated_operation: 'x' } }), "property 'deprecated_item'"],
    ['ERR-48 no details', warned({ code: 'RATE_LIMIT_QUOTA_WARNING', message: 'm' }), "property 'details'"],
    ['ERR-50 no counts', warned({ code: 'VALIDATION_TRUNCATED_WARNING', message: 'm', details: { field: 'items' } }), "property 'original_count'"],
    ['ERR-51 no threshold', warned({ code: 'PERFORMANCE_SLOW_QUERY_WARNING', message: 'm', details: { operation: 'o', duration_ms: 1 } }), "property 'threshold_ms'"],
    ['FIELD-06 an unknown field without a severity, which would mean medium', warned({ code: 'VALIDATION_UNKNOWN_FIELD', message: 'm' }), "property 'severity'"],
    ['FIELD-06 an unknown field that alarms', warned({ code: 'VALIDATION_UNKNOWN_FIELD', message: 'm', severity: 'high' }), '/severity must be equal to constant'],
  ])
})

describe('a failure', () => {
  const gated = failed('CONFIRMATION_REQUIRED', {
    operation: 'delete_issue',
    danger_level: 'destructive',
    confirmation_token: 't',
    expires_at: '2026-02-04T12:05:00Z',
  })
  const confirmation = { token: 't', expires_at: '2026-02-04T12:05:00Z', message: 'm', reasons: ['r'] }

  // One row a code of the registry: the details that it must carry.
  // biome-ignore format: a table reads by columns
  const DETAILS = {
    VALIDATION_MISSING_PARAM: ['ERR-20', { param_name: 'id' }],
    VALIDATION_INVALID_TYPE: ['ERR-21', { param_name: 'id', expected_type: 'string', actual_type: 'number' }],
    VALIDATION_INVALID_VALUE: ['ERR-22', { param_name: 'state', constraint: 'one of open, closed' }],
    VALIDATION_UNKNOWN_PARAM: ['ERR-23', { operation: 'get_issue', unknown_params: ['x'], valid_params: ['id'] }],
    VALIDATION_UNKNOWN_FIELD: ['ERR-24', { operation: 'update_issue', unknown_fields: ['x'], valid_fields: ['title'] }],
    VALIDATION_READ_ONLY_FIELD: ['ERR-25', { field: 'created_at' }],
    VALIDATION_APPEND_ONLY: ['ERR-26', { field: 'history' }],
    VALIDATION_ENDPOINT_MISMATCH: ['ERR-27', { operation: 'get_issue', expected_endpoint: 'READ', actual_endpoint: 'CREATE' }],
    VALIDATION_PAYLOAD_TOO_LARGE: ['ERR-29', { limit_type: 'nesting_depth', limit_value: 32, actual_value: 33, unit: 'levels' }],
    NOT_FOUND_OPERATION: ['ERR-30', { operation: 'get_isue' }],
    PERMISSION_TRUST_LEVEL_INSUFFICIENT: ['ERR-33', { operation: 'o', required_trust: 'validated', actual_trust: 'generated' }],
    PERMISSION_DANGER_LEVEL_DENIED: ['ERR-34', { operation: 'o', danger_level: 'dangerous', adapter_trust: 'generated', minimum_trust_required: 'certified' }],
    CONFIRMATION_REQUIRED: ['ERR-35', { operation: 'o', danger_level: 'destructive', confirmation_token: 't', expires_at: '2026-02-04T12:05:00Z' }],
    CONFLICT_VERSION_MISMATCH: ['ERR-37', { expected_version: 'W/"1"', actual_version: 'W/"2"' }],
    CONFLICT_INVALID_STATE: ['ERR-38', { state: 'completed' }],
    RATE_LIMIT_EXCEEDED: ['ERR-39', { limit: 60, remaining: 0, window: 'minute', resets_at: '2026-02-04T12:05:00Z', retry_after_seconds: 12 }],
    RATE_LIMIT_QUOTA_PAUSE: ['ERR-40', { metric: 'calls', current: 90, pause_threshold: 90, confirmation_token: 't', expires_at: '2026-02-04T12:05:00Z' }],
    RATE_LIMIT_QUOTA_EXHAUSTED: ['ERR-41', { metric: 'calls', current: 100, hard_stop_threshold: 100, resets_at: '2026-02-04T12:05:00Z' }],
    TOKEN_INVALID: ['ERR-42', { token: 'conf_…' }],
    TOKEN_EXPIRED: ['ERR-43', { token: 'conf_…', expired_at: '2026-02-04T12:05:00Z', current_time: '2026-02-04T12:06:00Z' }],
    TOKEN_ALREADY_USED: ['ERR-44', { token: 'conf_…' }],
    TOKEN_SCOPE_MISMATCH: ['ERR-45', { token: 'conf_…', token_operation: 'a', requested_operation: 'b' }],
  } as const

  test.each(Object.entries(DETAILS).map(([code, [id, details]]) => [id, code, details] as const))(
    '%s %s carries each of its details',
    (_, code, details) => {
      expect(checkResult(failed(code, details))).toEqual([])
      expect(checkResult(failed(code, { ...details, signature: 'more is welcome' }))).toEqual([])
      expect(checkResult(failed(code)).join()).toContain("property 'details'")
      for (const name of Object.keys(details)) {
        expect(checkResult(failed(code, without(details, name))).join()).toContain(`property '${name}'`)
        expect(checkResult(failed(code, { ...details, [name]: {} })).join()).toContain(`/error/details/${name} must`)
      }
    },
  )

  // biome-ignore format: one row a case
  accepts(checkResult, [
    ['ERR-01 a code and a message', failed('INTERNAL_ERROR')],
    ['ERR-02 a code of the adapter', failed('CONFLICT_BRANCH_LOCKED', { branch: 'main' })],
    ['ERR-28 encoding', failed('VALIDATION_INVALID_ENCODING', { location: 'params.title', byte_offset: 3 })],
    ['ERR-31 no resource', failed('NOT_FOUND_RESOURCE', { resource_type: 'issue', resource_id: '7' })],
    ['ERR-32 permission', failed('PERMISSION_DENIED', { reason: 'read-only' })],
    ['ERR-36 it exists', failed('CONFLICT_ALREADY_EXISTS', { resource_type: 'label', resource_id: 'bug' })],
    ['ERR-46 a cause', failed('INTERNAL_ERROR', { http_status: 502, cause_code: 'TRANSPORT_TIMEOUT', session_id: 's' })],
    ['ERR-47 introspection', failed('INTROSPECTION_ERROR')],
    ['RES-03 a deprecated operation', { ...failed('INTERNAL_ERROR'), deprecated: true, deprecationMessage: 'm', deprecatedSince: '1.1', removalVersion: '2.0' }],
    ['RES-03 a demand for confirmation', { ...gated, confirmation }],
    ['PAGE-03 conflicting controls', conflicting({ provided: ['first', 'last'], hint: 'h' })],
  ])
  // biome-ignore format: one row a case
  refuses(checkResult, [
    ['RES-01 no error', { success: false }, "must have required property 'error'"],
    ['RES-01 data', { ...failed('INTERNAL_ERROR'), data: null }, "additional properties 'data'"],
    ['RES-03 metadata', { ...failed('INTERNAL_ERROR'), _meta: {} }, "additional properties '_meta'"],
    ['RES-03 warnings', { ...failed('INTERNAL_ERROR'), warnings: [] }, "additional properties 'warnings'"],
    ['RES-03 another stray key', { ...failed('INTERNAL_ERROR'), errorCode: 'X' }, "additional properties 'errorCode'"],
    ['RES-03 a confirmation without its code', { ...failed('INTERNAL_ERROR'), confirmation }, '/error/code must be equal to constant'],
    ['RES-03 a confirmation without a token', { ...gated, confirmation: without(confirmation, 'token') }, "property 'token'"],
    ['RES-03 a confirmation without an end', { ...gated, confirmation: without(confirmation, 'expires_at') }, "property 'expires_at'"],
    ['RES-03 a stray key in a confirmation', { ...gated, confirmation: { ...confirmation, code: 1 } }, "additional properties 'code'"],
    ['ERR-01 a plain string', { success: false, error: 'failed' }, '/error must be object'],
    ['ERR-01 no message', { success: false, error: { code: 'INTERNAL_ERROR' } }, "property 'message'"],
    ['ERR-01 no code', { success: false, error: { message: 'm' } }, "property 'code'"],
    ['ERR-01 a stray key', { success: false, error: { code: 'INTERNAL_ERROR', message: 'm', stack: 's' } }, "additional properties 'stack'"],
    ['ERR-01 a code in lower case', failed('internal_error'), '/error/code must match pattern'],
    ['ERR-01 details that are no object', failed('INTERNAL_ERROR', []), '/error/details must be object'],
    ['ERR-02 a category that nobody knows', failed('GITHUB_BROKEN'), '/error/code must match'],
    ['ERR-22 a constraint that is no text', failed('VALIDATION_INVALID_VALUE', { param_name: 'n', constraint: 5 }), '/constraint must be string'],
    ['ERR-23 no unknown name', failed('VALIDATION_UNKNOWN_PARAM', { operation: 'o', unknown_params: [], valid_params: [] }), '/unknown_params must NOT'],
    ['ERR-29 the wrong unit', failed('VALIDATION_PAYLOAD_TOO_LARGE', { limit_type: 'array_elements', limit_value: 1, actual_value: 2, unit: 'bytes' }), '/unit must be equal to constant'],
    ['ERR-29 another limit', failed('VALIDATION_PAYLOAD_TOO_LARGE', { limit_type: 'keys', limit_value: 1, actual_value: 2, unit: 'bytes' }), '/limit_type must be equal'],
    ['ERR-34 a level as a number', failed('PERMISSION_DANGER_LEVEL_DENIED', { operation: 'o', danger_level: 3, adapter_trust: 'a', minimum_trust_required: 'b' }), '/danger_level must be'],
    ['ERR-43 a time that is none', failed('TOKEN_EXPIRED', { token: 't', expired_at: 'noon', current_time: '2026-02-04T12:06:00Z' }), '/expired_at must match format'],
    ['ERR-47 details', failed('INTROSPECTION_ERROR', {}), '/error/details boolean schema is false'],
    ['ERR-48 a warning as an error', failed('RATE_LIMIT_QUOTA_WARNING'), '/error/code must NOT be valid'],
    ['X-04 the other code', failed('VALIDATION_UNKNOWN_OPERATION'), '/error/code must NOT be valid'],
    ['X-18 a code for batches', failed('BATCH_VALIDATION_ERROR'), '/error/code must match'],
    ['X-23 a code for ranges', failed('VALIDATION_OUT_OF_RANGE'), '/error/code must NOT be valid'],
    ['X-23 a code for queries', failed('INVALID_QUERY_TYPE'), '/error/code must match'],
    ['PAGE-03 conflicting controls without the names', conflicting({ hint: 'h' }), "property 'provided'"],
    ['PAGE-03 conflicting controls without a hint', conflicting({ provided: ['first'] }), "property 'hint'"],
    ['PAGE-03 other words', conflicting({ provided: ['first'], hint: 'h', actual_type: 'object' }), '/actual_type must be equal to constant'],
  ])
})

describe('a batch', () => {
  const done = { index: 0, operation: 'get_issue', result: { success: true, data: { id: 'a' } } }
  const broken = { index: 1, operation: 'get_issue', result: failed('NOT_FOUND_RESOURCE') }
  const batch = { success: true, data: null, results: [done, broken], summary: { total: 2, succeeded: 1, failed: 1 } }
  const demand = failed('CONFIRMATION_REQUIRED', {
    operation: 'delete_issue',
    danger_level: 'destructive',
    confirmation_token: 't',
    expires_at: '2026-02-04T12:05:00Z',
  })
  const halted = {
    success: true,
    data: null,
    results: [done],
    halted_at: { index: 1, operation: 'delete_issue', result: demand },
    pending_operations: [{ index: 2, operation: 'get_issue', params: { id: 'b' } }],
    summary: { total: 3, succeeded: 1, failed: 0, halted: 1, pending: 1 },
  }
  const skipped = {
    ...batch,
    results: [done, { ...halted.halted_at, status: 'pending_confirmation' }],
    summary: { total: 2, succeeded: 1, failed: 0, pending_confirmation: 1 },
  }

  // biome-ignore format: one row a case
  accepts(checkResult, [
    ['BATCH-03 processed, with a failed entry', batch],
    ['X-17 merged warnings and metadata', { ...batch, warnings: [{ code: 'A_B', message: 'm' }], _meta: {} }],
    ['BATCH-07 BATCH-08 halted', halted],
    ['BATCH-07 halted on the first entry', { ...halted, results: [], halted_at: { ...halted.halted_at, index: 0 }, pending_operations: [], summary: { total: 1, succeeded: 0, failed: 0, halted: 1, pending: 0 } }],
    ['BATCH-10 skipped', skipped],
    ['BATCH-02 malformed as a whole', failed('VALIDATION_MISSING_PARAM', { param_name: 'operations[0].operation' })],
  ])
  // biome-ignore format: one row a case
  refuses(checkResult, [
    ['BATCH-03 no data', without(batch, 'data'), "property 'data'"],
    ['X-16 data', { ...batch, data: {} }, '/data must be null'],
    ['BATCH-03 no summary', without(batch, 'summary'), "property 'summary'"],
    ['BATCH-03 no results', without(batch, 'results'), "property 'results'"],
    ['BATCH-03 an unsuccessful batch with results', { ...batch, success: false }, "property 'error'"],
    ['BATCH-03 empty results', { ...batch, results: [] }, '/results must NOT have fewer'],
    ['RES-02 a stray key', { ...batch, errors: [] }, "additional properties 'errors'"],
    ['BATCH-04 an entry without an index', { ...batch, results: [without(done, 'index'), broken] }, "property 'index'"],
    ['BATCH-04 an entry without an operation', { ...batch, results: [without(done, 'operation'), broken] }, "property 'operation'"],
    ['BATCH-04 an entry without a result', { ...batch, results: [without(done, 'result'), broken] }, "property 'result'"],
    ['BATCH-04 a stray key in an entry', { ...batch, results: [{ ...done, _id: 'a' }, broken] }, "additional properties '_id'"],
    ['BATCH-04 metadata in an entry', { ...batch, results: [{ ...done, result: { success: true, data: 1, _meta: {} } }, broken] }, "additional properties '_meta'"],
    ['BATCH-04 warnings in an entry', { ...batch, results: [{ ...done, result: { success: true, data: 1, warnings: [] } }, broken] }, "additional properties 'warnings'"],
    ['BATCH-04 no data in an entry', { ...batch, results: [{ ...done, result: { success: true } }, broken] }, "property 'data'"],
    ['BATCH-04 no error in an entry', { ...batch, results: [done, { ...broken, result: { success: false } }] }, "property 'error'"],
    ['BATCH-04 an entry without an outcome', { ...batch, results: [{ ...done, result: { data: 1 } }, broken] }, "property 'success'"],
    ['BATCH-04 an error of another form in an entry', { ...batch, results: [done, { ...broken, result: { success: false, error: 'e' } }] }, '/error must be object'],
    ['BATCH-04 positions that do not count up', { ...batch, results: [done, { ...broken, index: 2 }] }, 'must have index 1, not 2'],
    ['BATCH-05 results out of order', { ...batch, results: [broken, done] }, 'must have index 0, not 1'],
    ['BATCH-06 no total', { ...batch, summary: { succeeded: 1, failed: 1 } }, "property 'total'"],
    ['BATCH-06 a wrong total', { ...batch, summary: { total: 3, succeeded: 1, failed: 1 } }, '/summary/total must be 2'],
    ['BATCH-06 a wrong number of successes', { ...batch, summary: { total: 2, succeeded: 2, failed: 1 } }, '/summary/succeeded must be 1'],
    ['BATCH-06 a wrong number of failures', { ...batch, summary: { total: 2, succeeded: 1, failed: 0 } }, '/summary/failed must be 1'],
    ['BATCH-06 a stray count', { ...batch, summary: { ...batch.summary, skipped: 0 } }, "additional properties 'skipped'"],
    ['BATCH-06 halting counts in a batch that ran', { ...batch, summary: { ...batch.summary, halted: 1, pending: 0 } }, '/summary/halted boolean schema'],
    ['BATCH-06 no halting counts in a halted batch', { ...halted, summary: { total: 3, succeeded: 1, failed: 0 } }, "property 'halted'"],
    ['BATCH-07 a halted batch that does not say what is pending', without(halted, 'pending_operations'), "property 'pending_operations'"],
    ['BATCH-07 pending entries without a halt', { ...batch, pending_operations: [] }, '/pending_operations boolean schema'],
    ['BATCH-07 a gated entry among the results', { ...batch, results: [done, halted.halted_at] }, "property 'status'"],
    ['BATCH-07 a halt for another reason', { ...halted, halted_at: { ...halted.halted_at, result: failed('INTERNAL_ERROR') } }, '/code must be equal to constant'],
    ['BATCH-07 a result among the pending', { ...halted, pending_operations: [{ index: 2, operation: 'o', result: {} }] }, "additional properties 'result'"],
    ['BATCH-07 pending entries that lose their index', { ...halted, pending_operations: [{ index: 0, operation: 'o' }] }, 'must have index 2, not 0'],
    ['BATCH-08 a halt that counts as a failure', { ...halted, summary: { ...halted.summary, failed: 1 } }, '/summary/failed must be 0'],
    ['BATCH-08 two halts', { ...halted, summary: { ...halted.summary, halted: 2 } }, '/summary/halted must be equal to constant'],
    ['BATCH-10 a status on an entry that ran', { ...batch, results: [{ ...done, status: 'pending_confirmation' }, broken] }, '/status boolean schema'],
    ['BATCH-10 another status', { ...skipped, results: [done, { ...halted.halted_at, status: 'waiting' }] }, '/status must be equal to constant'],
    ['BATCH-10 a skipped entry that is not counted', { ...skipped, summary: { total: 2, succeeded: 1, failed: 0 } }, '/summary/pending_confirmation must be 1'],
    ['X-13 a confirmation object in an entry', { ...halted, halted_at: { ...halted.halted_at, result: { ...demand, confirmation: { token: 't', expires_at: '2026-02-04T12:05:00Z' } } } }, "additional properties 'confirmation'"],
    ['X-17 warnings on a halted batch', { ...halted, warnings: [] }, '/warnings boolean schema'],
    ['X-17 metadata on a halted batch', { ...halted, _meta: {} }, '/_meta boolean schema'],
  ])
})

describe('introspection', () => {
  const info = { name: 'get_issue', semantic_category: 'READ', endpoint: 'read', description: 'One issue.' }
  const protocol = {
    version: '1.0.0-draft',
    conformance: 'level-2',
    mode: 'semantic',
    profile: 'crude',
    adapter: 'apple-mail',
    display_name: 'Apple Mail',
    capabilities: { batch: true, confirmation: false, execution_safety_loop: 'enforcing' },
    limits: {
      max_request_size: 1_048_576,
      max_response_size: 10_485_760,
      max_string_length: 1_048_576,
      max_array_elements: 10_000,
      max_nesting_depth: 32,
    },
    concurrency: 'read-concurrent',
    supports_etag: true,
    max_concurrent_requests: 16,
    session_id: '0123456789abcdef0123456789abcdef',
    page: { total: 1223, next: 'list_issues', hint: 'Search instead.' },
  }
  const parameter = {
    name: 'state',
    type: 'string',
    required: false,
    description: 'd',
    default: 'open',
    enum: ['open', 'closed'],
  }
  const details = {
    ...info,
    mcpTool: 'tracker_mcpaql_read',
    permissions: { readOnly: true, destructive: false },
    parameters: [parameter, { name: 'fields', type: 'string | string[]', required: false }],
    returns: { name: 'Issue', kind: 'object', description: 'd' },
    examples: [{ request: { operation: 'get_issue', params: { id: '7' } }, description: 'd' }],
    computed_fields: [{ name: 'age_days', type: 'integer', description: 'd', filterable: true, sortable: false }],
    aggregation_support: {
      supported: true,
      default_mode: 'summary_only',
      functions: ['count', 'avg'],
      groupable_fields: ['state'],
      numeric_fields: ['votes'],
    },
    relationship_capabilities: { supported: true, directions: ['both'], relationship_types: ['uses'], max_depth: 3 },
    lifecycle: {
      states: ['pending', 'running'],
      supports_cancel: true,
      supports_retry: false,
      progress_reporting: true,
    },
  }
  const match = {
    operation: 'get_issue',
    endpoint: 'read',
    signature: 'get_issue(id*: string) → Issue',
    description: 'One issue.',
  }
  const rest = { field: 'items', items: [1, 2], remaining: 5, next: 'rest_2' }

  // biome-ignore format: one row a case
  accepts(checkIntrospection, [
    ['INT-03 INT-04 INT-05 the list', answer({ _protocol: protocol, operations: [info] })],
    ['INT-05 the least of the protocol', answer({ _protocol: { version: '1.0.0-draft' }, operations: [] })],
    ['INT-09 details', answer({ operation: details })],
    ['INT-11 CREATE', answer({ operation: { ...details, semantic_category: 'CREATE', permissions: { readOnly: false, destructive: false } } })],
    ['INT-11 EXECUTE', answer({ operation: { ...details, semantic_category: 'EXECUTE', permissions: { readOnly: false, destructive: true } } })],
    ['INT-12 every key of a parameter', answer({ operation: { ...details, parameters: [{ ...parameter, minimum: 0, maximum: 1, minLength: 0, maxLength: 9, pattern: '^a+$', format: 'date', items: { type: 'string' }, sensitive: true }] } })],
    ['INT-13 an example that is a batch', answer({ operation: { ...details, examples: [{ request: { operations: [{ operation: 'get_issue' }] } }] } })],
    ['INT-15 types', answer({ types: [{ name: 'Issue', kind: 'object' }, { name: 'State', kind: 'enum', description: 'd' }] })],
    ['INT-15 TYPE-02 an enum', answer({ type: { name: 'State', kind: 'enum', values: ['open'] } })],
    ['INT-15 TYPE-02 an object, with the names of results', answer({ type: { name: 'Page', kind: 'object', fields: [{ name: 'pageInfo', type: 'PageInfo', required: true }, { name: '_version', type: 'string', required: true }] } })],
    ['INT-15 TYPE-02 an object without fields', answer({ type: { name: 'Empty', kind: 'object', fields: [] } })],
    ['INT-15 TYPE-02 a union', answer({ type: { name: 'Either', kind: 'union', members: ['A', 'B'] } })],
    ['INT-15 TYPE-02 a scalar', answer({ type: { name: 'Date', kind: 'scalar', description: 'd' } })],
    ['INT-16 an unknown operation', answer({ operation: null })],
    ['INT-16 an unknown type', answer({ type: null })],
    ['INT-18 the adapter', answer({ name: 'a', version: '1.0.0', trust: { level: 'validated', validated_at: '2026-02-04T12:05:00Z' } })],
    ['INT-19 danger by operation', answer({ danger: { delete_issue: { level: 'destructive', reasons: ['r'] } } })],
    ['INT-19 danger of one', answer({ danger: { level: 'safe' } })],
    ['INT-19 danger of none', answer({ danger: null })],
    ['INT-20 quotas', answer({ adapter: 'a', api_limits: {}, quotas: [{ metric: 'usd', current: 1, warn: 2, pause: 3, hard_stop: 4, status: 'ok', currency: 'USD' }], next_reset: '2026-02-04T12:05:00Z' })],
    ['X-28 a failure with details', failed('VALIDATION_MISSING_PARAM', { param_name: 'query' })],
    ['X-38 a search', answer({ matches: [match, without(match, 'signature')] })],
    ['X-38 a search that found nothing', answer({ matches: [], nearest: ['get_issue'], tags: ['issues'] })],
    ['X-38 several searches', answer({ results: [{ text: 'a', matches: [match] }, { text: 'b', matches: [], nearest: [] }] })],
    ['X-38 the rest, items', answer({ rest })],
    ['X-38 the rest, text, at its end', answer({ rest: { field: 'body', text: 't', remaining: 0 } })],
  ])
  // biome-ignore format: one row a case
  refuses(checkIntrospection, [
    ['INT-03 no protocol', answer({ operations: [info] }), "property '_protocol'"],
    ['INT-03 no operations', answer({ _protocol: protocol }), "property 'operations'"],
    ['INT-03 a stray key', answer({ _protocol: protocol, operations: [info], total: 1 }), "additional properties 'total'"],
    ['INT-03 a page without a total', answer({ _protocol: { ...protocol, page: { next: 'x' } }, operations: [] }), "property 'total'"],
    ...Object.keys(info).map((key): Refused => [`INT-04 no ${key}`, answer({ _protocol: protocol, operations: [without(info, key)] }), `property '${key}'`]),
    ['INT-04 a stray key', answer({ _protocol: protocol, operations: [{ ...info, mcpTool: 't' }] }), "additional properties 'mcpTool'"],
    ['INT-04 an endpoint in upper case', answer({ _protocol: protocol, operations: [{ ...info, endpoint: 'READ' }] }), '/endpoint must match pattern'],
    ['OPN-03 a name in camelCase', answer({ _protocol: protocol, operations: [{ ...info, name: 'getIssue' }] }), '/name must match pattern'],
    ['OPN-01 a sixth category', answer({ _protocol: protocol, operations: [{ ...info, semantic_category: 'QUERY' }] }), '/semantic_category must be equal'],
    ['INT-05 no version', answer({ _protocol: without(protocol, 'version'), operations: [] }), "property 'version'"],
    ['X-29 INT-05 another version', answer({ _protocol: { version: '1.0.0' }, operations: [] }), '/version must be equal to constant'],
    ['MODE-09 X-03 crude as a mode', answer({ _protocol: { ...protocol, mode: 'crude' }, operations: [] }), '/mode must be equal'],
    ['INT-06 another level', answer({ _protocol: { ...protocol, conformance: 'level-3' }, operations: [] }), '/conformance must be equal'],
    ['INT-07 a flag that is no boolean', answer({ _protocol: { ...protocol, capabilities: { batch: 'yes' } }, operations: [] }), '/capabilities/batch must be boolean'],
    ['INT-07 another loop', answer({ _protocol: { ...protocol, capabilities: { execution_safety_loop: 'on' } }, operations: [] }), '/execution_safety_loop must be equal'],
    ['INT-08 a stray key in the protocol', answer({ _protocol: { ...protocol, tools: [] }, operations: [] }), "additional properties 'tools'"],
    ['DATA-11 a missing limit', answer({ _protocol: { ...protocol, limits: without(protocol.limits, 'max_nesting_depth') }, operations: [] }), "property 'max_nesting_depth'"],
    ['DATA-08 a limit out of its range', answer({ _protocol: { ...protocol, limits: { ...protocol.limits, max_nesting_depth: 65 } }, operations: [] }), '/max_nesting_depth must be <= 64'],
    ['CONC-04 CONC-01 another concurrency', answer({ _protocol: { ...protocol, concurrency: 'parallel' }, operations: [] }), '/concurrency must be equal'],
    ['SES-06 a guessable session id', answer({ _protocol: { ...protocol, session_id: '1' }, operations: [] }), '/session_id must NOT have fewer'],
    ...['name', 'semantic_category', 'endpoint', 'mcpTool', 'description', 'permissions', 'parameters', 'returns'].map(
      (key): Refused => [`INT-09 no ${key}`, answer({ operation: without(details, key) }), `property '${key}'`],
    ),
    ['INT-09 a list beside it', answer({ operation: details, similar: [] }), "additional properties 'similar'"],
    ['INT-14 X-26 danger among the details', answer({ operation: { ...details, danger: 'safe' } }), "additional properties 'danger'"],
    ['INT-14 X-26 pagination among the details', answer({ operation: { ...details, supports_pagination: true } }), "additional properties 'supports_pagination'"],
    ['INT-11 a READ that destroys', answer({ operation: { ...details, permissions: { readOnly: true, destructive: true } } }), '/permissions must be equal to constant'],
    ['INT-11 an UPDATE that does not', answer({ operation: { ...details, semantic_category: 'UPDATE', permissions: { readOnly: false, destructive: false } } }), '/permissions must be equal to constant'],
    ['INT-11 a third permission', answer({ operation: { ...details, permissions: { readOnly: true, destructive: false, idempotent: true } } }), "additional properties 'idempotent'"],
    ...['name', 'type', 'required'].map((key): Refused => [`INT-12 a parameter without ${key}`, answer({ operation: { ...details, parameters: [without(parameter, key)] } }), `property '${key}'`]),
    ['INT-12 REQ-11 a stray key in a parameter', answer({ operation: { ...details, parameters: [{ ...parameter, mapTo: 'x' }] } }), "additional properties 'mapTo'"],
    ['INT-12 deprecation in a parameter', answer({ operation: { ...details, parameters: [{ ...parameter, deprecated: true }] } }), "additional properties 'deprecated'"],
    ['INT-12 a pattern that is none', answer({ operation: { ...details, parameters: [{ ...parameter, pattern: '(' }] } }), '/pattern must match format'],
    ['REQ-05 a parameter in camelCase', answer({ operation: { ...details, parameters: [{ ...parameter, name: 'issueState' }] } }), '/name must match pattern'],
    ['TYPE-04 a type in another notation', answer({ operation: { ...details, parameters: [{ ...parameter, type: 'Array<string>' }] } }), '/type must match pattern'],
    ['INT-13 a return without a kind', answer({ operation: { ...details, returns: { name: 'Issue' } } }), "property 'kind'"],
    ['INT-13 a return of another kind', answer({ operation: { ...details, returns: { name: 'Issue', kind: 'list' } } }), '/kind must be equal'],
    ['INT-13 a stray key in a return', answer({ operation: { ...details, returns: { name: 'Issue', kind: 'object', fields: [] } } }), "additional properties 'fields'"],
    ['INT-13 an example without a request', answer({ operation: { ...details, examples: [{ description: 'd' }] } }), "property 'request'"],
    ['INT-13 a stray key in an example', answer({ operation: { ...details, examples: [{ request: { operation: 'get_issue' }, result: {} }] } }), "additional properties 'result'"],
    ['INT-13 an example that cannot be sent', answer({ operation: { ...details, examples: [{ request: { params: {} } }] } }), "/request must have required property 'operation'"],
    ['COMP-02 a computed field without a type', answer({ operation: { ...details, computed_fields: [{ name: 'age' }] } }), "property 'type'"],
    ['COMP-02 a computed field with its prefix', answer({ operation: { ...details, computed_fields: [{ name: '_computed.age', type: 'integer' }] } }), '/name must match pattern'],
    ['COMP-02 a stray key in a computed field', answer({ operation: { ...details, computed_fields: [{ name: 'age', type: 'integer', cost: 1 }] } }), "additional properties 'cost'"],
    ['AGG-06 support that is not stated', answer({ operation: { ...details, aggregation_support: { functions: [] } } }), "property 'supported'"],
    ['AGG-06 another mode', answer({ operation: { ...details, aggregation_support: { supported: true, default_mode: 'items' } } }), '/default_mode must be equal'],
    ['AGG-06 another function', answer({ operation: { ...details, aggregation_support: { supported: true, functions: ['median'] } } }), '/functions/0 must be equal'],
    ['AGG-06 a stray key', answer({ operation: { ...details, aggregation_support: { supported: true, labels: [] } } }), "additional properties 'labels'"],
    ['REL-06 support that is not stated', answer({ operation: { ...details, relationship_capabilities: {} } }), "property 'supported'"],
    ['REL-06 a depth of zero', answer({ operation: { ...details, relationship_capabilities: { supported: true, max_depth: 0 } } }), '/max_depth must be >= 1'],
    ['REL-06 a stray key', answer({ operation: { ...details, relationship_capabilities: { supported: true, depth: 1 } } }), "additional properties 'depth'"],
    ['LIFE-06 no states', answer({ operation: { ...details, lifecycle: { supports_cancel: true } } }), "property 'states'"],
    ['LIFE-06 a flag that is no boolean', answer({ operation: { ...details, lifecycle: { states: ['running'], supports_retry: 1 } } }), '/supports_retry must be boolean'],
    ['LIFE-06 a stray key', answer({ operation: { ...details, lifecycle: { states: ['running'], transitions: [] } } }), "additional properties 'transitions'"],
    ['X-27 details in the list of types', answer({ types: [{ name: 'State', kind: 'enum', values: ['open'] }] }), "additional properties 'values'"],
    ['INT-15 a stray key beside the types', answer({ types: [], _total: 0 }), "additional properties '_total'"],
    ['TYPE-02 an enum without values', answer({ type: { name: 'State', kind: 'enum' } }), "property 'values'"],
    ['TYPE-02 an enum of numbers', answer({ type: { name: 'State', kind: 'enum', values: [1] } }), '/values/0 must be string'],
    ['TYPE-02 an object without fields', answer({ type: { name: 'Issue', kind: 'object' } }), "property 'fields'"],
    ['TYPE-02 a field with a stray key', answer({ type: { name: 'Issue', kind: 'object', fields: [{ name: 'id', type: 'string', required: true, readOnly: true }] } }), "additional properties 'readOnly'"],
    ['TYPE-02 a union without members', answer({ type: { name: 'Either', kind: 'union' } }), "property 'members'"],
    ['TYPE-02 a scalar with values', answer({ type: { name: 'Date', kind: 'scalar', values: [] } }), '/values boolean schema'],
    ['TYPE-02 an enum with fields', answer({ type: { name: 'State', kind: 'enum', values: [], fields: [] } }), '/fields boolean schema'],
    ['TYPE-02 an object with members', answer({ type: { name: 'Issue', kind: 'object', fields: [], members: [] } }), '/members boolean schema'],
    ['TYPE-02 a fifth kind', answer({ type: { name: 'List', kind: 'array' } }), '/kind must be equal'],
    ['INT-24 metadata', { ...answer({ types: [] }), _meta: {} }, "additional properties '_meta'"],
    ['INT-24 warnings', { ...answer({ types: [] }), warnings: [] }, "additional properties 'warnings'"],
    ['INT-24 no data', { success: true }, "property 'data'"],
    ['INT-21 an answer to no query', answer({ revoked: true }), "additional properties 'revoked'"],
    ['INT-18 trust without a level', answer({ name: 'a', version: '1', trust: {} }), "property 'level'"],
    ['INT-19 another level of danger', answer({ danger: { delete_issue: { level: 'high' } } }), '/level must be equal'],
    ['INT-20 another status', answer({ adapter: 'a', api_limits: {}, quotas: [{ metric: 'm', current: 1, warn: 2, pause: 3, hard_stop: 4, status: 'low' }], next_reset: null }), '/status must be equal'],
    ['X-38 a match with a score', answer({ matches: [{ ...match, score: 1 }] }), "additional properties 'score'"],
    ['X-38 a match without a description', answer({ matches: [without(match, 'description')] }), "property 'description'"],
    ['X-38 nearest names beside matches', answer({ matches: [match], nearest: ['a'] }), '/nearest boolean schema'],
    ['X-38 tags beside matches', answer({ results: [{ text: 't', matches: [match], tags: ['a'] }] }), '/tags boolean schema'],
    ['X-38 a result without its text', answer({ results: [{ matches: [match] }] }), "property 'text'"],
    ['X-38 a rest of nothing', answer({ rest: without(rest, 'items') }), 'must match exactly one schema'],
    ['X-38 a rest of two things', answer({ rest: { ...rest, text: 't' } }), 'must match exactly one schema'],
    ['X-38 a rest that goes on after its end', answer({ rest: { ...rest, remaining: 0 } }), '/next boolean schema'],
    ['X-38 a rest that does not say how much', answer({ rest: without(rest, 'remaining') }), "property 'remaining'"],
  ])
})

describe('danger', () => {
  const level = (value: unknown) => check('danger-level.schema.json', value)
  const block = (value: unknown) => check('danger-level.schema.json#/$defs/block', value)
  // biome-ignore format: one row a case
  accepts(level, [
    ...['safe', 'reversible', 'destructive', 'dangerous', 'forbidden'].map((name): Accepted => [name, { level: name }]),
    ['every key', { level: 'safe', reason: 'r', requires_confirmation: true, hook_blockable: false }],
  ])
  // biome-ignore format: one row a case
  refuses(level, [
    ['a sixth level', { level: 'critical' }, '/level must be equal'],
    ['a number', { level: 3 }, '/level must be string'],
    ['no level', { reason: 'r' }, "property 'level'"],
    ['a stray key', { level: 'safe', reasons: ['r'] }, "additional properties 'reasons'"],
    ['a flag that is no boolean', { level: 'safe', hook_blockable: 'no' }, '/hook_blockable must be boolean'],
  ])
  // biome-ignore format: one row a case
  accepts(block, [['every key of the block', { level: 'safe', reasons: ['r'], confirmation_message: 'm', cooldown_seconds: 0, requires_reauth: true, audit_context: ['a'] }]])
  // biome-ignore format: one row a case
  refuses(block, [
    ['a stray key in the block', { level: 'safe', reason: 'r' }, "additional properties 'reason'"],
    ['a negative cooldown', { level: 'safe', cooldown_seconds: -1 }, '/cooldown_seconds must be >= 0'],
  ])
})

describe('a field selection', () => {
  const fields = (value: unknown) => check('field-selection.schema.json', value)
  // biome-ignore format: one row a case
  accepts(fields, [
    ['FIELD-01 FIELD-02 a preset', 'minimal'],
    ['FIELD-01 FIELD-04 paths', ['id', 'settings.theme']],
    ['FIELD-08 COMP-01 a computed field', ['_computed.age_days']],
  ])
  // biome-ignore format: one row a case
  refuses(fields, [
    ['FIELD-01 an object', { id: true }, 'must be array'],
    ['FIELD-08 an upper-case path', ['Title'], '/0 must match pattern'],
    ['FIELD-08 a path that ends with a dot', ['settings.'], '/0 must match pattern'],
    ['FIELD-08 another prefix', ['_private.age'], '/0 must match pattern'],
    ['FIELD-08 a computed field inside another', ['_computed.a.b'], '/0 must match pattern'],
    ['FIELD-08 a preset with a dot', 'a.b', 'must match pattern'],
  ])
})

describe('a collection', () => {
  const query = (value: unknown) => check('collection-query.schema.json', value)
  const pageInfo = { hasNextPage: true, hasPreviousPage: false, startCursor: 'YQ', endCursor: 'Yg', totalCount: 9 }
  const page = (data: unknown) => checkResult({ success: true, data })

  // biome-ignore format: one row a case
  accepts(query, [
    ['COLL-01 several controls', { query: 'crash', filter: { state: 'open' }, sort: { field: 'votes', order: 'desc' }, fields: 'minimal', first: 5, after: 'YQ', max_tokens: 500 }],
    ['COLL-02 a structured query', { query: { all: [] } }],
    ['COLL-05 COMP-03 an order by a computed field', { sort: { field: '_computed.age' } }],
    ['PAGE-01 backwards', { last: 5, before: 'YQ' }],
    ['PAGE-04 more than the maximum, which is reduced', { first: 100_000 }],
    ['PAGE-09 offset', { limit: 10, offset: 0 }],
    ['PAGE-09 pages', { page: 1, page_size: 10 }],
    ['AGG-01 AGG-02 aggregates with items', { aggregate: { total: { count: true } }, include_items: true }],
    ['FIELD-07 a preset and fields', { preset: 'minimal', fields: ['title'], project_id: 'p' }],
  ])
  // biome-ignore format: one row a case
  refuses(query, [
    ['COLL-04 a filter that is no object', { filter: 'open' }, '/filter must be object'],
    ['COLL-05 a sort without a field', { sort: { order: 'asc' } }, "property 'field'"],
    ['COLL-05 another order', { sort: { field: 'votes', order: 'down' } }, '/order must be equal'],
    ['COLL-05 a stray key in a sort', { sort: { field: 'votes', nulls: 'last' } }, "additional properties 'nulls'"],
    ['COLL-05 a sort that is text', { sort: 'votes' }, '/sort must be object'],
    ['PAGE-01 a page of none', { first: 0 }, '/first must be >= 1'],
    ['PAGE-03 first and last', { first: 1, last: 1 }, '/last boolean schema'],
    ['PAGE-03 after alone', { after: 'YQ' }, 'property first'],
    ['PAGE-03 before alone', { before: 'YQ' }, 'property last'],
    ['PAGE-03 first and before', { first: 1, before: 'YQ' }, '/before boolean schema'],
    ['PAGE-03 last and after', { last: 1, after: 'YQ' }, '/after boolean schema'],
    ['PAGE-08 a cursor that is not base64url', { first: 1, after: 'a+b/=' }, '/after must match pattern'],
    ['PAGE-10 cursor and offset', { first: 1, offset: 5 }, '/offset boolean schema'],
    ['PAGE-10 cursor and page', { last: 1, page: 2 }, '/page boolean schema'],
    ['PAGE-10 offset and page', { limit: 5, page: 2 }, '/limit boolean schema'],
  ])
  // biome-ignore format: one row a case
  accepts(page, [
    ['PAGE-05 PAGE-06 a page', { items: [{ id: 'a' }], pageInfo }],
    ['PAGE-05 an empty page', { items: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } }],
    ['PAGE-06 edges', { edges: [{ node: {}, cursor: 'YQ' }], pageInfo }],
    ['PAGE-09 offset', { items: [1], pagination: { limit: 5, offset: 0, returned: 1, total_items: 1, has_more: false } }],
    ['PAGE-09 pages', { items: [1], pagination: { page: 1, page_size: 5, total_items: 1, total_pages: 1, has_more: false } }],
    ['AGG-02 with aggregations', { items: [1], pageInfo, aggregations: { total: 9 } }],
  ])
  // biome-ignore format: one row a case
  refuses(page, [
    ['PAGE-05 no hasNextPage', { items: [1], pageInfo: without(pageInfo, 'hasNextPage') }, "property 'hasNextPage'"],
    ['PAGE-05 no hasPreviousPage', { items: [1], pageInfo: without(pageInfo, 'hasPreviousPage') }, "property 'hasPreviousPage'"],
    ['PAGE-05 items without cursors', { items: [1], pageInfo: { hasNextPage: false, hasPreviousPage: false } }, "property 'startCursor'"],
    ['PAGE-05 edges without cursors', { edges: [{ node: 1, cursor: 'YQ' }], pageInfo: { hasNextPage: false, hasPreviousPage: false } }, "property 'endCursor'"],
    ['PAGE-05 a stray key', { items: [1], pageInfo: { ...pageInfo, pages: 2 } }, "additional properties 'pages'"],
    ['PAGE-06 items and edges', { items: [1], edges: [], pageInfo }, '/edges boolean schema'],
    ['PAGE-06 an edge without a cursor', { edges: [{ node: 1 }], pageInfo }, "property 'cursor'"],
    ['PAGE-06 neither', { issues: [1], pageInfo }, "property 'items'"],
    ['PAGE-08 a cursor that is not base64url', { items: [1], pageInfo: { ...pageInfo, endCursor: 'a=' } }, '/endCursor must match pattern'],
    ['PAGE-09 half a pair', { items: [1], pagination: { limit: 5 } }, "property 'offset'"],
    ['PAGE-09 a page without its size', { items: [1], pagination: { page: 1 } }, "property 'page_size'"],
    ['PAGE-09 a mixture', { items: [1], pagination: { page: 1, page_size: 5, offset: 0 } }, "additional properties 'offset'"],
    ['PAGE-10 two kinds of paging', { items: [1], pageInfo, pagination: { limit: 5, offset: 0 } }, '/pagination boolean schema'],
  ])
})

describe('an aggregation', () => {
  const query = (value: unknown) => check('aggregation-query.schema.json', value)
  const result = (value: unknown) => check('aggregation-query.schema.json#/$defs/answer', value)
  // biome-ignore format: one row a case
  accepts(query, [
    ['AGG-01 several labels', { total: { count: true }, 'by state': { group_by: 'state', avg: 'votes', max: 'votes' } }],
  ])
  // biome-ignore format: one row a case
  refuses(query, [
    ['AGG-01 no label', {}, 'must NOT have fewer than 1 properties'],
    ['AGG-01 another function', { m: { median: 'votes' } }, "additional properties 'median'"],
    ['AGG-01 a count that is no boolean', { m: { count: 'votes' } }, '/count must be boolean'],
    ['AGG-01 a field that is no name', { m: { sum: true } }, '/sum must be string'],
    ['AGG-05 group_by alone', { m: { group_by: 'state' } }, 'must match a schema in anyOf'],
    ['AGG-05 nothing', { m: {} }, 'must match a schema in anyOf'],
  ])
  // biome-ignore format: one row a case
  accepts(result, [
    ['AGG-03 a bare value', { total: 25, newest: '2026-02-04', none: null }],
    ['AGG-03 by group', { by_state: { open: 18, closed: 7 } }],
    ['AGG-03 by function', { votes: { count: 3, avg: 2.5 } }],
    ['AGG-03 by group and function', { by_state: { open: { count: 3, avg: 2.5 } } }],
  ])
  // biome-ignore format: one row a case
  refuses(result, [
    ['AGG-03 one function wrapped', { by_state: { open: { count: 3 } } }, 'must NOT have fewer than 2 properties'],
    ['AGG-03 a list by function', { by_state: { open: { count: 3, max: [] } } }, '/by_state/open/max must be'],
    ['AGG-03 a list', { total: [25] }, '/total must be'],
  ])
})

describe('relationships', () => {
  const query = (value: unknown) => check('relationship-query.schema.json', value)
  const result = (value: unknown) => check('relationship-query.schema.json#/$defs/answer', value)
  const root = { element_type: 'issue', element_name: '7' }
  const relationship = {
    type: 'uses',
    direction: 'outgoing',
    target: { element_type: 'issue', element_name: '8' },
    depth: 1,
  }
  const node = { id: 'issue:7', ...root }
  const edge = { source: 'issue:7', target: 'issue:8', type: 'uses' }
  // biome-ignore format: one row a case
  accepts(query, [
    ['REL-01 the least', { root, direction: 'both' }],
    ['REL-01 REL-03 everything', { root, direction: 'incoming', relationship: 'uses', depth: 2, include: ['root', 'relationships', 'graph.nodes', 'graph.edges'], first: 5, after: 'YQ', fields: 'minimal', _session: 's' }],
  ])
  // biome-ignore format: one row a case
  refuses(query, [
    ['REL-01 no root', { direction: 'both' }, "property 'root'"],
    ['REL-01 no direction', { root }, "property 'direction'"],
    ['REL-01 half a root', { root: { element_type: 'issue' }, direction: 'both' }, "property 'element_name'"],
    ['REL-01 a stray key in the root', { root: { ...root, id: 7 }, direction: 'both' }, "additional properties 'id'"],
    ['REL-01 another direction', { root, direction: 'up' }, '/direction must be equal'],
    ['REL-01 a depth of zero', { root, direction: 'both', depth: 0 }, '/depth must be >= 1'],
    ['REL-01 a stray parameter', { root, direction: 'both', max: 5 }, "additional properties 'max'"],
    ['REL-03 another part', { root, direction: 'both', include: ['graph'] }, '/include/0 must be equal'],
    ['PAGE-03 after alone', { root, direction: 'both', after: 'YQ' }, 'property first'],
  ])
  // biome-ignore format: one row a case
  accepts(result, [
    ['REL-02 all parts', { root, relationships: [relationship], graph: { nodes: [node], edges: [edge] }, pageInfo: { hasNextPage: false, hasPreviousPage: false } }],
    ['REL-03 one part', { graph: { edges: [edge] } }],
  ])
  // biome-ignore format: one row a case
  refuses(result, [
    ['REL-03 no part', {}, "property 'root'"],
    ['REL-02 a stray part', { root, nodes: [] }, "additional properties 'nodes'"],
    ...Object.keys(relationship).map((key): Refused => [`REL-02 no ${key}`, { relationships: [without(relationship, key)] }, `property '${key}'`]),
    ['REL-02 a relationship in both directions', { relationships: [{ ...relationship, direction: 'both' }] }, '/direction must be equal'],
    ['REL-02 a stray key in a relationship', { relationships: [{ ...relationship, weight: 1 }] }, "additional properties 'weight'"],
    ...Object.keys(node).map((key): Refused => [`REL-02 a node without ${key}`, { graph: { nodes: [without(node, key)] } }, `property '${key}'`]),
    ['REL-02 an id of another form', { graph: { nodes: [{ ...node, id: '7' }] } }, '/id must match pattern'],
    ...Object.keys(edge).map((key): Refused => [`REL-02 an edge without ${key}`, { graph: { edges: [without(edge, key)] } }, `property '${key}'`]),
    ['REL-02 a stray key in an edge', { graph: { edges: [{ ...edge, depth: 1 }] } }, "additional properties 'depth'"],
  ])
})

/** Each sample has every key of its kind. What is not listed as leeway must be refused: the pin of all strictness at once. */
describe('every damage is refused but the leeway', () => {
  const TIME = '2026-02-04T12:05:00Z'
  const demand = failed('CONFIRMATION_REQUIRED', {
    operation: 'o',
    danger_level: 'safe',
    confirmation_token: 't',
    expires_at: TIME,
    reasons: ['r'],
    confirmation_message: 'm',
  })
  const info = { name: 'get_issue', semantic_category: 'READ', endpoint: 'read', description: 'd' }
  const field = {
    name: 'state',
    type: 'string',
    required: false,
    description: 'd',
    default: 'open',
    enum: ['open'],
    minimum: 0,
    maximum: 1,
    minLength: 0,
    maxLength: 9,
    pattern: '^a$',
    format: 'date',
    items: { type: 'string' },
    sensitive: true,
  }
  const match = { operation: 'get_issue', endpoint: 'read', signature: 's', description: 'd' }
  const element = { element_type: 'issue', element_name: '7' }
  const against = (schema: string) => (value: unknown) => check(schema, value)
  const warning = against('operation-result.schema.json#/$defs/warning')
  const details = against('introspection-response.schema.json#/$defs/operation_details')

  const SAMPLES: readonly Sample[] = [
    {
      name: 'REQ-01 a request',
      validate: checkRequest,
      value: { operation: 'o', params: { id: 1 }, _meta: {}, _request_id: 'r', _session: 's', _wait_seconds: 1 },
      open: ['', 'params', '_meta'],
      optional: ['params', 'params.id', '_meta', '_request_id', '_session', '_wait_seconds'],
      free: ['params.id'],
    },
    {
      name: 'BATCH-01 a batch request',
      validate: checkRequest,
      value: {
        operations: [{ operation: 'o', params: {}, _id: 'a' }],
        parallel: true,
        _meta: {},
        _request_id: 'r',
        _session: 's',
      },
      open: ['operations.0', 'operations.0.params', '_meta'],
      optional: ['operations.0.params', 'operations.0._id', 'parallel', '_meta', '_request_id', '_session'],
    },
    {
      name: 'RES-02 RES-07 a success',
      validate: checkResult,
      value: {
        success: true,
        data: 1,
        warnings: [{ code: 'A_B', message: 'm', details: {}, severity: 'low' }],
        _meta: { request_id: 'r', duration_ms: 1, tokens: 1 },
      },
      open: ['warnings.0.details', '_meta'],
      optional: [
        'warnings',
        'warnings.0.details',
        'warnings.0.severity',
        '_meta',
        '_meta.request_id',
        '_meta.duration_ms',
        '_meta.tokens',
      ],
      free: ['data'],
    },
    {
      name: 'ERR-48 RATE_LIMIT_QUOTA_WARNING',
      validate: warning,
      value: {
        code: 'RATE_LIMIT_QUOTA_WARNING',
        message: 'm',
        details: { metric: 'm', current: 1, warn_threshold: 1, pause_threshold: 1, hard_stop_threshold: 1 },
      },
      open: ['details'],
      optional: ['details.pause_threshold', 'details.hard_stop_threshold'],
    },
    {
      name: 'ERR-49 DEPRECATION_WARNING',
      validate: warning,
      value: {
        code: 'DEPRECATION_WARNING',
        message: 'm',
        details: {
          type: 'operation',
          deprecated_item: 'x',
          replacement: 'y',
          removal_date: '2027-01-01',
          migration_guide: 'g',
        },
      },
      open: ['details'],
      optional: ['details.replacement', 'details.removal_date', 'details.migration_guide'],
    },
    {
      name: 'ERR-50 VALIDATION_TRUNCATED_WARNING',
      validate: warning,
      value: {
        code: 'VALIDATION_TRUNCATED_WARNING',
        message: 'm',
        details: { field: 'items', original_count: 9, truncated_count: 5, limit: 5 },
      },
      open: ['details'],
    },
    {
      name: 'ERR-51 PERFORMANCE_SLOW_QUERY_WARNING',
      validate: warning,
      value: {
        code: 'PERFORMANCE_SLOW_QUERY_WARNING',
        message: 'm',
        details: { operation: 'o', duration_ms: 9, threshold_ms: 5, suggestions: ['s'] },
      },
      open: ['details'],
      optional: ['details.suggestions'],
    },
    {
      name: 'RES-03 ERR-01 a failure',
      validate: checkResult,
      value: {
        ...demand,
        confirmation: { token: 't', expires_at: TIME, message: 'm', reasons: ['r'] },
        deprecated: true,
        deprecationMessage: 'm',
        deprecatedSince: '1',
        removalVersion: '2',
      },
      open: ['error.details'],
      optional: [
        'error.details.reasons',
        'error.details.confirmation_message',
        'confirmation',
        'confirmation.message',
        'confirmation.reasons',
        'deprecated',
        'deprecationMessage',
        'deprecatedSince',
        'removalVersion',
      ],
    },
    {
      name: 'BATCH-03 BATCH-04 a batch',
      validate: checkResult,
      value: {
        success: true,
        data: null,
        results: [{ index: 0, operation: 'o', result: { success: true, data: 1 } }],
        summary: { total: 1, succeeded: 1, failed: 0, pending_confirmation: 0 },
        warnings: [],
        _meta: {},
      },
      open: ['_meta'],
      optional: ['summary.pending_confirmation', 'warnings', '_meta'],
      free: ['results.0.result.data'],
    },
    {
      name: 'BATCH-07 BATCH-08 a halted batch',
      validate: checkResult,
      value: {
        success: true,
        data: null,
        results: [],
        halted_at: { index: 0, operation: 'o', result: demand },
        pending_operations: [{ index: 1, operation: 'o', params: {} }],
        summary: { total: 2, succeeded: 0, failed: 0, halted: 1, pending: 1 },
      },
      open: ['halted_at.result.error.details', 'pending_operations.0.params'],
      optional: [
        'halted_at.result.error.details.reasons',
        'halted_at.result.error.details.confirmation_message',
        'pending_operations.0.params',
      ],
    },
    {
      name: 'INT-03 INT-04 INT-06 INT-08 a list of operations',
      validate: checkIntrospection,
      value: answer({
        _protocol: {
          version: '1.0.0-draft',
          conformance: 'level-2',
          mode: 'all',
          profile: 'crude',
          adapter: 'a',
          display_name: 'A',
          capabilities: {
            batch: true,
            field_selection: true,
            aggregations: true,
            computed_fields: true,
            pagination: true,
            relationship_queries: true,
            warnings: true,
            confirmation: true,
            dangerous_operations: true,
            execution_safety_loop: 'logging',
          },
          limits: {
            max_request_size: 64_000,
            max_response_size: 1_000_000,
            max_string_length: 64_000,
            max_array_elements: 100,
            max_nesting_depth: 8,
          },
          concurrency: 'serialized',
          supports_etag: true,
          max_concurrent_requests: 1,
          session_id: '0123456789abcdef',
          danger: { get_issue: 'safe' },
          page: { total: 0, next: 'n', hint: 'h' },
        },
        operations: [info],
      }),
      optional: [
        'data._protocol.conformance',
        'data._protocol.mode',
        'data._protocol.profile',
        'data._protocol.adapter',
        'data._protocol.display_name',
        'data._protocol.capabilities',
        'data._protocol.capabilities.batch',
        'data._protocol.capabilities.field_selection',
        'data._protocol.capabilities.aggregations',
        'data._protocol.capabilities.computed_fields',
        'data._protocol.capabilities.pagination',
        'data._protocol.capabilities.relationship_queries',
        'data._protocol.capabilities.warnings',
        'data._protocol.capabilities.confirmation',
        'data._protocol.capabilities.dangerous_operations',
        'data._protocol.capabilities.execution_safety_loop',
        'data._protocol.limits',
        'data._protocol.concurrency',
        'data._protocol.supports_etag',
        'data._protocol.max_concurrent_requests',
        'data._protocol.session_id',
        'data._protocol.danger',
        'data._protocol.danger.get_issue',
        'data._protocol.page',
        'data._protocol.page.next',
        'data._protocol.page.hint',
      ],
    },
    {
      name: 'INT-09 INT-12 INT-13 COMP-02 AGG-06 REL-06 LIFE-06 the details of an operation',
      validate: details,
      value: {
        ...info,
        mcpTool: 't',
        permissions: { readOnly: true, destructive: false },
        parameters: [field],
        returns: { name: 'Issue', kind: 'object', description: 'd' },
        examples: [{ request: { operation: 'o' }, description: 'd' }],
        computed_fields: [{ name: 'age', type: 'integer', description: 'd', filterable: true, sortable: true }],
        aggregation_support: {
          supported: true,
          default_mode: 'include_items',
          functions: ['sum'],
          groupable_fields: ['state'],
          numeric_fields: ['votes'],
        },
        relationship_capabilities: {
          supported: true,
          directions: ['both'],
          relationship_types: ['uses'],
          max_depth: 1,
        },
        lifecycle: { states: ['running'], supports_cancel: true, supports_retry: true, progress_reporting: true },
      },
      open: ['parameters.0.items', 'examples.0.request'],
      optional: [
        'parameters.0.description',
        'parameters.0.default',
        'parameters.0.enum',
        'parameters.0.minimum',
        'parameters.0.maximum',
        'parameters.0.minLength',
        'parameters.0.maxLength',
        'parameters.0.pattern',
        'parameters.0.format',
        'parameters.0.items',
        'parameters.0.items.type',
        'parameters.0.sensitive',
        'returns.description',
        'examples',
        'examples.0.description',
        'computed_fields',
        'computed_fields.0.description',
        'computed_fields.0.filterable',
        'computed_fields.0.sortable',
        'aggregation_support',
        'aggregation_support.default_mode',
        'aggregation_support.functions',
        'aggregation_support.groupable_fields',
        'aggregation_support.numeric_fields',
        'relationship_capabilities',
        'relationship_capabilities.directions',
        'relationship_capabilities.relationship_types',
        'relationship_capabilities.max_depth',
        'lifecycle',
        'lifecycle.supports_cancel',
        'lifecycle.supports_retry',
        'lifecycle.progress_reporting',
      ],
      free: ['parameters.0.default', 'parameters.0.enum.0', 'parameters.0.items.type'],
    },
    {
      name: 'INT-15 a list of types',
      validate: checkIntrospection,
      value: answer({ types: [{ name: 'State', kind: 'enum', description: 'd' }] }),
      optional: ['data.types.0.description'],
    },
    {
      name: 'TYPE-02 an enum',
      validate: checkIntrospection,
      value: answer({ type: { name: 'State', kind: 'enum', description: 'd', values: ['open'] } }),
      optional: ['data.type.description'],
    },
    {
      name: 'TYPE-02 an object',
      validate: checkIntrospection,
      value: answer({ type: { name: 'Issue', kind: 'object', description: 'd', fields: [field] } }),
      open: ['data.type.fields.0.items'],
      optional: [
        'data.type.description',
        'data.type.fields.0.description',
        'data.type.fields.0.default',
        'data.type.fields.0.enum',
        'data.type.fields.0.minimum',
        'data.type.fields.0.maximum',
        'data.type.fields.0.minLength',
        'data.type.fields.0.maxLength',
        'data.type.fields.0.pattern',
        'data.type.fields.0.format',
        'data.type.fields.0.items',
        'data.type.fields.0.items.type',
        'data.type.fields.0.sensitive',
      ],
      free: ['data.type.fields.0.default', 'data.type.fields.0.enum.0', 'data.type.fields.0.items.type'],
    },
    {
      name: 'TYPE-02 a union',
      validate: checkIntrospection,
      value: answer({ type: { name: 'Either', kind: 'union', description: 'd', members: ['A'] } }),
      optional: ['data.type.description'],
    },
    {
      name: 'TYPE-02 a scalar',
      validate: checkIntrospection,
      value: answer({ type: { name: 'Date', kind: 'scalar', description: 'd' } }),
      optional: ['data.type.description'],
    },
    {
      name: 'X-38 a search',
      validate: checkIntrospection,
      value: answer({ matches: [match] }),
      optional: ['data.matches.0.signature'],
    },
    {
      name: 'X-38 a search that found nothing',
      validate: checkIntrospection,
      value: answer({ matches: [], nearest: ['get_issue'], tags: ['t'] }),
      optional: ['data.nearest', 'data.tags'],
    },
    {
      name: 'X-38 several searches',
      validate: checkIntrospection,
      value: answer({ results: [{ text: 't', matches: [], nearest: ['get_issue'], tags: ['t'] }], tags: ['t'] }),
      optional: ['data.results.0.nearest', 'data.results.0.tags', 'data.tags'],
    },
    {
      name: 'X-38 the rest',
      validate: checkIntrospection,
      value: answer({ rest: { field: 'items', items: [1], remaining: 1, next: 'n' } }),
      optional: ['data.rest.next'],
      free: ['data.rest.items.0'],
    },
    {
      name: 'INT-18 the adapter',
      validate: checkIntrospection,
      value: answer({
        name: 'a',
        version: '1',
        trust: { level: 'validated', claimed: 'c', validated_at: TIME, validation_report: {} },
      }),
      open: ['data.trust.validation_report'],
      optional: ['data.trust.claimed', 'data.trust.validated_at', 'data.trust.validation_report'],
      free: ['data.trust.validation_report'],
    },
    {
      name: 'INT-19 danger',
      validate: checkIntrospection,
      value: answer({ danger: { level: 'safe', reasons: ['r'], confirmation_message: 'm' } }),
      optional: ['data.danger.reasons', 'data.danger.confirmation_message'],
    },
    {
      name: 'INT-20 quotas',
      validate: checkIntrospection,
      value: answer({
        adapter: 'a',
        api_limits: {},
        quotas: [{ metric: 'm', current: 1, warn: 1, pause: 1, hard_stop: 1, status: 'ok', currency: 'USD' }],
        next_reset: TIME,
      }),
      open: ['data.api_limits'],
      optional: ['data.quotas.0.currency'],
      free: ['data.api_limits'],
    },
    {
      name: 'a danger classification',
      validate: against('danger-level.schema.json'),
      value: { level: 'safe', reason: 'r', requires_confirmation: true, hook_blockable: true },
      optional: ['reason', 'requires_confirmation', 'hook_blockable'],
    },
    {
      name: 'a danger block',
      validate: against('danger-level.schema.json#/$defs/block'),
      value: {
        level: 'safe',
        reasons: ['r'],
        confirmation_message: 'm',
        cooldown_seconds: 0,
        requires_reauth: true,
        audit_context: ['a'],
      },
      optional: ['reasons', 'confirmation_message', 'cooldown_seconds', 'requires_reauth', 'audit_context'],
    },
    {
      name: 'COLL-01 PAGE-01 a collection query',
      validate: against('collection-query.schema.json'),
      value: {
        query: 'q',
        filter: {},
        sort: { field: 'f', order: 'asc' },
        fields: ['f'],
        preset: 'p',
        aggregate: { a: { count: true, group_by: 'f', sum: 'f', avg: 'f', min: 'f', max: 'f' } },
        include_items: true,
        first: 1,
        after: 'YQ',
        max_tokens: 1,
      },
      open: ['', 'filter'],
      optional: [
        'query',
        'filter',
        'sort',
        'sort.order',
        'fields',
        'preset',
        'aggregate',
        'aggregate.a.count',
        'aggregate.a.group_by',
        'aggregate.a.sum',
        'aggregate.a.avg',
        'aggregate.a.min',
        'aggregate.a.max',
        'include_items',
        'after',
        'max_tokens',
      ],
      free: ['fields'],
    },
    {
      name: 'PAGE-05 a page',
      validate: checkResult,
      value: answer({
        items: [1],
        pageInfo: { hasNextPage: true, hasPreviousPage: true, startCursor: 'YQ', endCursor: 'YQ', totalCount: 1 },
        aggregations: { a: 1 },
      }),
      open: ['data', 'data.aggregations'],
      optional: ['data.items', 'data.pageInfo', 'data.pageInfo.totalCount', 'data.aggregations', 'data.aggregations.a'],
      free: ['data', 'data.items.0'],
    },
    {
      name: 'PAGE-06 edges',
      validate: checkResult,
      value: answer({
        edges: [{ node: 1, cursor: 'YQ' }],
        pageInfo: { hasNextPage: true, hasPreviousPage: true, startCursor: 'YQ', endCursor: 'YQ' },
      }),
      open: ['data'],
      optional: ['data.pageInfo'],
      free: ['data', 'data.edges.0.node'],
    },
    {
      name: 'PAGE-09 by offset',
      validate: checkResult,
      value: answer({ items: [1], pagination: { limit: 1, offset: 0, returned: 1, total_items: 1, has_more: true } }),
      open: ['data'],
      optional: [
        'data.pagination',
        'data.pagination.returned',
        'data.pagination.total_items',
        'data.pagination.has_more',
      ],
      free: ['data', 'data.items.0'],
    },
    {
      name: 'PAGE-09 by page',
      validate: checkResult,
      value: answer({
        items: [1],
        pagination: { page: 1, page_size: 1, total_items: 1, total_pages: 1, has_more: true },
      }),
      open: ['data'],
      optional: [
        'data.pagination',
        'data.pagination.total_items',
        'data.pagination.total_pages',
        'data.pagination.has_more',
      ],
      free: ['data', 'data.items.0'],
    },
    {
      name: 'REL-01 a relationship query',
      validate: against('relationship-query.schema.json'),
      value: {
        root: element,
        direction: 'both',
        relationship: 'uses',
        depth: 1,
        include: ['root'],
        first: 1,
        after: 'YQ',
        fields: 'f',
        max_tokens: 1,
      },
      optional: ['relationship', 'depth', 'include', 'after', 'fields', 'max_tokens'],
    },
    {
      name: 'REL-02 relationships',
      validate: against('relationship-query.schema.json#/$defs/answer'),
      value: {
        root: element,
        relationships: [{ type: 'uses', direction: 'incoming', target: element, depth: 1 }],
        graph: {
          nodes: [{ id: 'issue:7', ...element }],
          edges: [{ source: 'issue:7', target: 'issue:7', type: 'uses' }],
        },
        pageInfo: { hasNextPage: true, hasPreviousPage: true },
      },
      optional: ['root', 'relationships', 'graph', 'graph.nodes', 'graph.edges', 'pageInfo'],
    },
  ]

  test.each(SAMPLES)('$name', ({ validate, value, open = [], optional = [], free = [] }) => {
    expect(validate(value)).toEqual([])
    expect(survivors(validate, value)).toEqual({ open, optional, free })
  })
})

function accepts(validate: Validate, rows: readonly Accepted[]): void {
  test.each(rows)('accepts %s', (_, value) => {
    expect(validate(value)).toEqual([])
  })
}

/** The fault is named, so that a sample cannot be refused for another reason than its own. */
function refuses(validate: Validate, rows: readonly Refused[]): void {
  test.each(rows)('refuses %s', (_, value, fault) => {
    expect(validate(value).join('\n')).toContain(fault)
  })
}

function answer(data: unknown): object {
  return { success: true, data }
}

function warned(warning: unknown): object {
  return { success: true, data: null, warnings: [warning] }
}

function failed(code: string, details?: unknown): object {
  return { success: false, error: { code, message: 'What was wrong.', ...(details !== undefined && { details }) } }
}

function conflicting(details: object): object {
  return failed('VALIDATION_INVALID_TYPE', {
    param_name: 'pagination',
    expected_type: 'valid pagination combination',
    actual_type: 'conflicting parameters',
    ...details,
  })
}

function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

/** The damages that a validator lets pass: a stray key, a missing key, a value of another kind, for every place in the value. */
function survivors(validate: Validate, value: unknown): Required<Leeway> {
  const passing = (damage: (place: Place) => unknown[]) =>
    placesIn(value)
      .filter((place) => damage(place).some((damaged) => damaged !== undefined && validate(damaged).length === 0))
      .map(({ path }) => path.join('.'))
  return {
    open: passing(({ path, at }) => [isObject(at) ? put(value, path, { ...at, stray_key: 1 }) : undefined]),
    optional: passing(({ path }) => [typeof path.at(-1) === 'string' ? put(value, path, undefined) : undefined]),
    free: passing(({ path, at }) => [put(value, path, Array.isArray(at) ? 'text' : [7])]),
  }
}

function placesIn(at: unknown, path: Place['path'] = []): Place[] {
  const inside = Array.isArray(at) ? [...at.entries()] : isObject(at) ? Object.entries(at) : []
  return [{ path, at }, ...inside.flatMap(([key, value]) => placesIn(value, [...path, key]))]
}

/** A copy with another value in one place; `undefined` leaves the key out. */
function put(value: unknown, [key, ...rest]: Place['path'], replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? put(item, rest, replacement) : item))
  const entries = Object.entries(value as object).map(([name, item]) => [
    name,
    name === key ? put(item, rest, replacement) : item,
  ])
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
