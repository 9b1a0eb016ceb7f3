import { expect, test } from 'vitest'
import { EXIT } from '../src/cli/command.ts'
import { ATTENTION } from '../src/core/gatekeeper/attention.ts'
import { TOKEN_RATES } from '../src/core/gatekeeper/desk.ts'
import { LIFETIMES, TOKEN_PREFIXES } from '../src/core/gatekeeper/tokens.ts'
import { APPROVAL_CHANNELS } from '../src/core/ports/human.ts'
import { NAMED_PATTERNS } from '../src/core/registry/tool-names.ts'
import * as api from '../src/index.ts'
import { CATEGORIES } from '../src/protocol/categories.ts'
import { DANGER_LEVELS } from '../src/protocol/danger.ts'
import { CONCURRENCY, CRUDE, ENDPOINT_MODES } from '../src/protocol/endpoints.ts'
import { ERRORS } from '../src/protocol/errors.ts'
import { QUERY_KINDS } from '../src/protocol/introspection.ts'
import { STATES } from '../src/protocol/lifecycle.ts'
import { LIMITS } from '../src/protocol/limits.ts'
import { RESERVED_OPERATIONS } from '../src/protocol/reserved.ts'
import { TRUST_LEVEL_NAMES } from '../src/protocol/trust.ts'
import { SPEC_VERSION } from '../src/protocol/version.ts'
import { MAX_WARNINGS, SEVERITIES, WARNINGS } from '../src/protocol/warnings.ts'
import * as serve from '../src/serve/entry.ts'
import * as store from '../src/store/entry.ts'

/** What others depend on, as literals: a change here is a change that users see. */

test('the public names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ERRORS',
    'checkVersion',
    'createRuntime',
    'defineAdapter',
    'defineOperation',
    'defineRelationships',
    'defineType',
    'fail',
    'failWith',
    'groupTools',
    'humanDecision',
    'isFailure',
    'mergeInput',
    'pushed',
    'warn',
  ])
  expect(Object.keys(store).sort()).toEqual(['createMemoryStore', 'openSqliteStore', 'openStore'])
  expect(Object.keys(serve).sort()).toEqual(['guardStdout', 'serveHttp', 'serveStdio'])
})

test('ERR-02 X-04 X-18 X-23 X-36 the error codes, their HTTP class and whether they are tool errors', () => {
  expect(Object.entries(ERRORS).map(([code, { http, isError }]) => `${code} ${http} ${isError}`)).toEqual([
    'VALIDATION_MISSING_PARAM 400 false',
    'VALIDATION_INVALID_TYPE 400 false',
    'VALIDATION_INVALID_VALUE 400 false',
    'VALIDATION_UNKNOWN_PARAM 400 false',
    'VALIDATION_UNKNOWN_FIELD 400 false',
    'VALIDATION_READ_ONLY_FIELD 400 false',
    'VALIDATION_APPEND_ONLY 400 false',
    'VALIDATION_ENDPOINT_MISMATCH 400 false',
    'VALIDATION_INVALID_ENCODING 400 false',
    'VALIDATION_PAYLOAD_TOO_LARGE 400 false',
    'NOT_FOUND_OPERATION 404 false',
    'NOT_FOUND_RESOURCE 404 false',
    'PERMISSION_DENIED 403 false',
    'PERMISSION_TRUST_LEVEL_INSUFFICIENT 403 false',
    'PERMISSION_DANGER_LEVEL_DENIED 403 false',
    'PERMISSION_AGENT_BLOCKED 403 false',
    'PERMISSION_SELF_APPROVAL_DENIED 403 false',
    'PERMISSION_VERIFICATION_FAILED 403 false',
    'CONFIRMATION_REQUIRED 403 false',
    'CONFLICT_ALREADY_EXISTS 409 false',
    'CONFLICT_VERSION_MISMATCH 409 false',
    'CONFLICT_INVALID_STATE 409 false',
    'RATE_LIMIT_EXCEEDED 429 false',
    'RATE_LIMIT_QUOTA_PAUSE 429 false',
    'RATE_LIMIT_QUOTA_EXHAUSTED 429 true',
    'TOKEN_INVALID 403 false',
    'TOKEN_EXPIRED 403 false',
    'TOKEN_ALREADY_USED 403 false',
    'TOKEN_SCOPE_MISMATCH 403 false',
    'INTERNAL_ERROR 500 true',
    'INTROSPECTION_ERROR 500 true',
  ])
})

test('RES-08 RES-09 the warning codes, severities and how many are returned', () => {
  expect(Object.keys(WARNINGS)).toEqual([
    'DEPRECATION_WARNING',
    'VALIDATION_TRUNCATED_WARNING',
    'PERFORMANCE_SLOW_QUERY_WARNING',
    'VALIDATION_UNKNOWN_FIELD',
    'VALIDATION_UNKNOWN_PARAM',
    'VALIDATION_JSON_TEXT_WARNING',
    'RATE_LIMIT_QUOTA_WARNING',
    'WARNINGS_SUPPRESSED',
  ])
  expect(SEVERITIES).toEqual({ high: 0, medium: 1, low: 2 })
  expect(MAX_WARNINGS).toBe(10)
})

test('the exit codes of the command line', () => {
  expect(EXIT).toEqual({ ok: 0, failed: 1, badUsage: 2, denied: 3, waiting: 4 })
})

test('DNG-01 the danger levels; TRUST-01 the trust levels; SELF-02 the channels; TOK-01 TOK-11 tokens and their lifetimes', () => {
  expect(DANGER_LEVELS).toEqual({ safe: 0, reversible: 1, destructive: 2, dangerous: 3, forbidden: 4 })
  expect(TRUST_LEVEL_NAMES).toEqual(['untested', 'generated', 'validated', 'community_reviewed', 'certified'])
  expect(APPROVAL_CHANNELS).toEqual(['elicitation', 'console', 'terminal', 'principal'])
  expect(TOKEN_PREFIXES).toEqual({ operation: 'conf_', quota: 'quota_continue_' })
  expect(LIFETIMES).toEqual({
    confirmation: { default: 300, most: 900 },
    forbidden: { default: 120, most: 300 },
    quota: { default: 300, most: 600 },
  })
  expect(TOKEN_RATES).toEqual({ windowMs: 60_000, issues: 30, failures: 10, denials: 3 })
  expect(ATTENTION).toEqual({ open: 5, shown: 10, windowMs: 600_000 })
})

test('DATA-08 the five limits with default and range', () => {
  expect(
    Object.entries(LIMITS).map(([type, { key, default: usual, least, most }]) => [type, key, usual, least, most]),
  ).toEqual([
    ['request_size', 'max_request_size', 1_048_576, 65_536, 10_485_760],
    ['response_size', 'max_response_size', 10_485_760, 1_048_576, 104_857_600],
    ['string_length', 'max_string_length', 1_048_576, 65_536, 10_485_760],
    ['array_elements', 'max_array_elements', 10_000, 100, 100_000],
    ['nesting_depth', 'max_nesting_depth', 32, 8, 64],
  ])
})

test('INT-05 X-29 the specification version; MODE-01 the modes; MODE-04 the families of crude; CONC-01 the categories', () => {
  expect(SPEC_VERSION).toBe('1.0.0-draft')
  expect(ENDPOINT_MODES).toEqual(['semantic', 'single', 'all'])
  expect(CRUDE.families.map(({ name, categories }) => `${name} ${categories}`)).toEqual([
    'create CREATE',
    'read READ',
    'update UPDATE',
    'delete DELETE',
    'execute EXECUTE',
  ])
  expect(CONCURRENCY).toEqual(['serialized', 'read-concurrent', 'fully-concurrent', 'resource-locked'])
})

test('INT-11 X-02 what each category promises', () => {
  expect(
    Object.entries(CATEGORIES).map(([name, { readOnly, destructive }]) => `${name} ${readOnly} ${destructive}`),
  ).toEqual(['CREATE false false', 'READ true false', 'UPDATE false true', 'DELETE false true', 'EXECUTE false true'])
})

test('OPN-05 the reserved names; X-38 the query kinds; LIFE-01 the states; TOOL-02 the named patterns', () => {
  expect(RESERVED_OPERATIONS).toEqual({
    introspect: 'READ',
    execute_agent: 'EXECUTE',
    record_execution_step: 'CREATE',
    complete_execution: 'EXECUTE',
    abort_execution: 'EXECUTE',
    confirm_operation: 'EXECUTE',
    verify_challenge: 'CREATE',
  })
  expect(QUERY_KINDS).toEqual(['operations', 'types', 'search', 'danger', 'adapter_info', 'quota_status', 'rest'])
  expect(Object.keys(STATES)).toEqual(['pending', 'running', 'completed', 'failed', 'cancelled'])
  expect(NAMED_PATTERNS).toEqual({ classic: 'mcp_aql_{endpoint}', bare: 'mcpaql_{endpoint}' })
})
