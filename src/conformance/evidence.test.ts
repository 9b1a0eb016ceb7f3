import { describe, expect, test } from 'vitest'
import { verifyEvidence } from './evidence.ts'

const DETAILS = {
  name: 'get_widget',
  semantic_category: 'READ',
  endpoint: 'read',
  mcpTool: 'widgets_mcpaql_read',
  description: 'Get one widget.',
  permissions: { readOnly: true, destructive: false },
  parameters: [{ name: 'widget_id', type: 'string', required: true }],
  returns: { name: 'Widget', kind: 'object' },
}
const REFUSED = {
  success: false,
  error: { code: 'VALIDATION_MISSING_PARAM', message: "Missing required parameter 'widget_id'" },
}
const UNKNOWN = { success: false, error: { code: 'VALIDATION_UNKNOWN_PARAM', message: "Unknown parameter 'colour'" } }
const READ = { success: true, data: { name: 'Atlas', size: 3 } }

/** The least that passes everything. */
const BUNDLE = {
  implementation: 'widgets',
  version: '1.0.0',
  spec_version: '1.0.0-draft',
  endpoint_modes: ['crude', 'single'],
  capabilities: { field_selection: true, batch_operations: true },
  introspection: {
    operations_list: {
      success: true,
      data: {
        _protocol: { version: '1.0.0-draft' },
        operations: [{ name: 'get_widget', semantic_category: 'READ', endpoint: 'read', description: 'Get one.' }],
      },
    },
    types_list: { success: true, data: { types: [{ name: 'Widget', kind: 'object' }] } },
    operation_details: [DETAILS],
  },
  accepted_parameters: { get_widget: ['widget_id'] },
  parameter_tests: {
    missing_required: [{ operation: 'get_widget', parameter: 'widget_id', response: REFUSED }],
    unknown_parameter: [{ operation: 'get_widget', parameter: 'colour', response: UNKNOWN }],
    optional_defaults: [
      {
        operation: 'get_widget',
        parameter: 'size',
        expected_value_path: 'data.size',
        expected_value: 3,
        response: READ,
      },
    ],
  },
  error_tests: [{ name: 'missing', must_mention: ['widget_id'], response: REFUSED }],
  round_trip_tests: [{ name: 'create', expected_fields: { 'data.name': 'Atlas' }, read_response: READ }],
  update_preservation_tests: [{ name: 'update', preserved_fields: { 'data.size': 3 }, read_response: READ }],
  batch_example: {
    success: true,
    data: null,
    results: [{ index: 0, operation: 'get_widget', result: READ }],
    summary: { total: 1, succeeded: 1, failed: 0 },
  },
  constraint_tests: [{ name: 'read-only', documented: true, response: REFUSED }],
  semantic_tests: [
    {
      name: 'discovery',
      response_text: 'get_widget takes widget_id',
      tool_calls: [{ operation: 'introspect', params: { query: 'operations' } }],
      structural: { required_patterns: ['get_widget'] },
      semantic: {
        phrase_groups: [['takes', 'wants']],
        expected_operations: ['introspect'],
        expected_parameters: ['widget_id'],
      },
    },
  ],
}

test('CONF-04 CONF-05 CONF-09 a complete bundle passes', () => {
  const report = verifyEvidence(BUNDLE, 2)
  expect(report).toMatchObject({ conformanceLevel: 2, summary: { total: 19, passed: 19 } })
  expect(report.categories.map(({ name, tests }) => [name, tests.length])).toEqual([
    ['Introspection Fidelity', 4],
    ['Parameter Handling', 4],
    ['Error Quality', 3],
    ['Round-Trip Integrity', 2],
    ['Level 2 Features', 3],
    ['Constraint Documentation', 2],
    ['Semantic Evaluation', 1],
  ])
})

test.each([[{}], [undefined], [[]], ['text']])('CONF-04 an empty bundle passes nothing: %j', (bundle) => {
  const report = verifyEvidence(bundle, 2)
  expect(report).toMatchObject({ conformanceLevel: 0, summary: { passed: 0 } })
  expect(report.categories.slice(0, 4).every(({ result }) => result === 'FAIL')).toBe(true)
})

describe('CONF-04 each test can fail', () => {
  const list = BUNDLE.introspection
  const tests = BUNDLE.parameter_tests
  const leaking = { success: false, error: { code: 'INTERNAL_ERROR', message: 'TypeError: x is not a function' } }
  test.each<[string, object, string]>([
    ['Operations query is implemented', { introspection: { ...list, operations_list: { success: false } } }, 'FAIL'],
    ['Types query is implemented', { introspection: { ...list, types_list: { success: true, data: {} } } }, 'FAIL'],
    [
      'Operation detail payloads validate',
      { introspection: { ...list, operation_details: [{ ...DETAILS, extra: 1 }] } },
      'FAIL',
    ],
    [
      'Introspection completeness matches accepted parameters',
      { accepted_parameters: { get_widget: ['widget_id', 'ghost'] } },
      'FAIL',
    ],
    ['Introspection completeness matches accepted parameters', { accepted_parameters: { get_widget: [] } }, 'WARN'],
    ['Required parameters are enforced', { parameter_tests: { ...tests, missing_required: [] } }, 'FAIL'],
    [
      'Unknown parameters are handled explicitly',
      {
        parameter_tests: {
          ...tests,
          unknown_parameter: [{ operation: 'get_widget', parameter: 'colour', response: READ }],
        },
      },
      'FAIL',
    ],
    [
      'Documented defaults are observable',
      {
        parameter_tests: {
          ...tests,
          optional_defaults: [{ expected_value_path: 'data.size', expected_value: 4, response: READ }],
        },
      },
      'FAIL',
    ],
    ['Documented defaults are observable', { parameter_tests: { ...tests, optional_defaults: [] } }, 'SKIP'],
    [
      'Canonical parameter names use snake_case',
      {
        introspection: {
          ...list,
          operation_details: [{ ...DETAILS, parameters: [{ name: 'widgetId', type: 'string', required: false }] }],
        },
      },
      'FAIL',
    ],
    [
      'Error responses match the discriminated union schema',
      { error_tests: [{ name: 'e', response: { success: false, error: 'no' } }] },
      'FAIL',
    ],
    [
      'Error messages do not leak implementation internals',
      { error_tests: [{ name: 'e', response: leaking }] },
      'FAIL',
    ],
    [
      'Error messages remain actionable',
      { error_tests: [{ name: 'e', must_mention: ['colour'], response: REFUSED }] },
      'WARN',
    ],
    [
      'Create-read cycles preserve submitted fields',
      { round_trip_tests: [{ name: 'r', expected_fields: { 'data.name': 'Other' }, read_response: READ }] },
      'FAIL',
    ],
    [
      'Updates preserve non-targeted fields',
      { update_preservation_tests: [{ name: 'u', preserved_fields: { 'data.size': 4 }, read_response: READ }] },
      'FAIL',
    ],
    ['Both endpoint modes are documented', { endpoint_modes: ['crude'] }, 'FAIL'],
    ['Field selection is supported', { capabilities: { field_selection: false, batch_operations: true } }, 'FAIL'],
    ['Batch operations are supported', { batch_example: { success: true } }, 'FAIL'],
    [
      'Constraints are enforced with structured errors',
      { constraint_tests: [{ name: 'c', documented: true, response: READ }] },
      'FAIL',
    ],
    [
      'Constraints are disclosed in introspection guidance',
      { constraint_tests: [{ name: 'c', documented: false, response: REFUSED }] },
      'WARN',
    ],
  ])('%s', (name, change, expected) => {
    const report = verifyEvidence({ ...BUNDLE, ...change }, 2)
    const found = report.categories.flatMap((category) => category.tests).find((each) => each.name === name)
    expect(found?.result).toBe(expected)
  })
})

describe('CONF-05 the two tiers', () => {
  const [semantic] = BUNDLE.semantic_tests
  test.each<[string, object, '1' | '2' | 'both', string]>([
    ['both agree', {}, 'both', 'PASS'],
    ['only the meaning is right', { structural: { required_patterns: ['nowhere'] } }, 'both', 'WARN'],
    ['only the structure is right', { tool_calls: [] }, 'both', 'FAIL'],
    ['neither', { response_text: 'no', tool_calls: [] }, 'both', 'FAIL'],
    ['tier 1 does not ask for meaning', {}, '1', 'SKIP'],
  ])('%s', (_name, change, tier, expected) => {
    const report = verifyEvidence({ ...BUNDLE, semantic_tests: [{ ...semantic, ...change }] }, 2, tier)
    expect(report.categories.at(-1)?.tests[0]?.result).toBe(expected)
    expect(report.conformanceLevel).toBe(2)
  })
})
