import { NAME_PATTERN } from '../protocol/request.ts'
import { SPEC_VERSION } from '../protocol/version.ts'
import { CATEGORIES, type CategoryName, type Result, type Tier } from './check.ts'
import { documentedRefused } from './checks/introspection-fidelity.ts'
import { sendBatch, writeProtected } from './checks/level-2.ts'
import { PUBLISHED_LEAKS } from './leak-patterns.ts'
import { changes, probeConstraints, probeErrors, probeMissing, probeUnknown, roundTrips } from './probes.ts'
import { type CategoryReport, categoryResult, type Report, summarise, type TestReport } from './report.ts'
import { isVolatile, make, read } from './scratch.ts'
import { operationDetailsShape, operationsListShape, resultShape, typesListShape } from './shapes.ts'
import { codeOf, type Reply, type Target } from './target.ts'
import { at, type Fields, isObject, listAt, same, shown, textAt, textsOf } from './values.ts'

/** CONF-09: what the published runner reads. Spelled as it spells it. */
export interface Evidence {
  readonly implementation: string
  readonly version: string
  readonly spec_version: string
  readonly expected_level: 1 | 2
  readonly expected_exit_code: number
  /** `crude` is that runner's word for semantic mode. */
  readonly endpoint_modes: readonly string[]
  readonly capabilities: { readonly field_selection: boolean; readonly batch_operations: boolean }
  readonly introspection: {
    readonly operations_list: unknown
    readonly types_list: unknown
    readonly operation_details: readonly unknown[]
  }
  readonly accepted_parameters: Readonly<Record<string, readonly string[]>>
  readonly parameter_tests: {
    readonly missing_required: readonly ParameterCase[]
    readonly unknown_parameter: readonly ParameterCase[]
    readonly optional_defaults: readonly DefaultCase[]
  }
  readonly error_tests: readonly {
    readonly name: string
    readonly must_mention: readonly string[]
    readonly response: unknown
  }[]
  readonly round_trip_tests: readonly {
    readonly name: string
    readonly expected_fields: Fields
    readonly read_response: unknown
  }[]
  readonly update_preservation_tests: readonly {
    readonly name: string
    readonly preserved_fields: Fields
    readonly read_response: unknown
  }[]
  readonly batch_example?: unknown
  readonly constraint_tests: readonly {
    readonly name: string
    readonly documented: boolean
    readonly response: unknown
  }[]
  readonly semantic_tests: readonly SemanticCase[]
}

interface ParameterCase {
  readonly operation: string
  readonly parameter: string
  readonly response: unknown
}

interface DefaultCase extends ParameterCase {
  readonly expected_value_path: string
  readonly expected_value: unknown
}

interface SemanticCase {
  readonly name: string
  readonly response_text: string
  readonly tool_calls: readonly Fields[]
  readonly structural: { readonly required_patterns: readonly string[] }
  readonly semantic: {
    readonly phrase_groups: readonly (readonly string[])[]
    readonly expected_operations: readonly string[]
    readonly expected_parameters: readonly string[]
  }
}

/** Everything here was answered by the server during the run. */
export async function collectEvidence(target: Target, level: 1 | 2): Promise<Evidence> {
  const details = await target.allDetails()
  const batch = await sendBatch(target)
  const trips = await roundTrips(target)
  const modes = [target, ...(target.other ? [target.other] : [])].flatMap(({ mode }) => MODES.get(mode) ?? [])
  return {
    implementation: String(target.protocol.adapter ?? target.server.name),
    version: target.server.version,
    spec_version: String(target.protocol.version ?? SPEC_VERSION),
    expected_level: level,
    expected_exit_code: 0,
    endpoint_modes: [...new Set(modes)],
    capabilities: {
      field_selection: at(target.protocol, 'capabilities.field_selection') === true,
      batch_operations: codeOf(batch) === 'success',
    },
    introspection: {
      operations_list: (await target.introspect({ query: 'operations' })).result,
      types_list: (await target.introspect({ query: 'types' })).result,
      operation_details: details,
    },
    accepted_parameters: await accepted(target),
    parameter_tests: {
      missing_required: (await probeMissing(target)).map(asCase),
      unknown_parameter: (await probeUnknown(target)).map(asCase),
      optional_defaults: await defaults(target),
    },
    error_tests: (await probeErrors(target)).map(({ name, mention, reply }) => ({
      name,
      must_mention: mention,
      response: reply.result,
    })),
    round_trip_tests: trips.map(({ made, stored, expected }) => ({
      name: `create_${made.resource.noun} then get_${made.resource.noun}`,
      expected_fields: under('data', expected),
      read_response: { success: true, data: stored },
    })),
    update_preservation_tests: (await changes(target)).map((change) => ({
      name: `update_${change.made.resource.noun} of ${change.field}`,
      preserved_fields: under(
        'data',
        Object.fromEntries(
          Object.entries(change.before).filter(
            ([name, value]) => name !== change.field && !isVolatile(name) && !Array.isArray(value),
          ),
        ),
      ),
      read_response: { success: true, data: change.after },
    })),
    ...(codeOf(batch) === 'success' && { batch_example: batch.result }),
    constraint_tests: [
      ...(await writeProtected(target)).map(({ name, documented, reply }) => ({
        name,
        documented,
        response: reply.result,
      })),
      ...(await probeConstraints(target)).map(({ operation, parameter, constraint, reply }) => ({
        name: `${operation}.${parameter} ${constraint}`,
        documented: true,
        response: reply.result,
      })),
    ],
    semantic_tests: await semantic(target),
  }
}

/**
 * The published checks (CONF-04, CONF-05) over a bundle, with one difference: evidence that is missing does not pass.
 * The published runner grades an empty bundle 13 of 13.
 */
export function verifyEvidence(bundle: unknown, level: 1 | 2, tier: Tier = 'both'): Report {
  const given = isObject(bundle) ? bundle : {}
  const required: readonly (readonly [CategoryName, readonly TestReport[]])[] = [
    ['Introspection Fidelity', introspectionTests(given)],
    ['Parameter Handling', parameterTests(given)],
    ['Error Quality', errorTests(given)],
    ['Round-Trip Integrity', roundTripTests(given)],
  ]
  const more: readonly (readonly [CategoryName, readonly TestReport[]])[] = [
    ['Level 2 Features', featureTests(given)],
    ['Constraint Documentation', constraintTests(given)],
    ['Semantic Evaluation', semanticTests(given, tier)],
  ]
  const categories = [...required, ...(level === 2 ? more : [])].map(([name, tests]): CategoryReport => {
    const row = CATEGORIES[name]
    return { name, required: row.required, published: true, result: categoryResult(tests, row.required), tests }
  })
  const isFailed = categories.some((category) => category.required && category.result === 'FAIL')
  return {
    implementation: textAt(given, 'implementation') || 'unknown',
    version: textAt(given, 'version') || 'unknown',
    specVersion: textAt(given, 'spec_version') || SPEC_VERSION,
    requestedLevel: level,
    conformanceLevel: isFailed ? 0 : level,
    summary: summarise(categories),
    categories,
  }
}

const MODES: ReadonlyMap<string, readonly string[]> = new Map([
  ['semantic', ['crude']],
  ['single', ['single']],
  ['all', ['crude', 'single']],
])

function asCase({
  operation,
  parameter,
  reply,
}: {
  operation: string
  parameter: string
  reply: Reply
}): ParameterCase {
  return { operation, parameter, response: reply.result }
}

/** Paths to single values: the published runner compares texts, and objects may be written in another order. */
function under(root: string, fields: Fields): Fields {
  const leaves = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (!isObject(value) || Object.keys(value).some((key) => key.includes('.'))) return [[`${root}.${name}`, value]]
    return Object.entries(under(`${root}.${name}`, value))
  })
  return Object.fromEntries(leaves)
}

/** What each operation took when everything that is documented was sent to it. */
async function accepted(target: Target): Promise<Readonly<Record<string, readonly string[]>>> {
  const refused = new Set(await documentedRefused(target))
  const details = await target.allDetails()
  return Object.fromEntries(
    details.map(({ name, parameters }) => [
      name,
      parameters.map((row) => row.name).filter((parameter) => !refused.has(`${name}.${parameter}`)),
    ]),
  )
}

/** Defaults of `create_*` that can be seen in what was stored without them. */
async function defaults(target: Target): Promise<readonly DefaultCase[]> {
  const found: DefaultCase[] = []
  const made = [...new Set((await roundTrips(target)).map((trip) => trip.made.resource))]
  for (const resource of made) {
    const plain = await make(target, resource)
    const stored = plain && (await read(target, plain))
    for (const row of resource.create.parameters) {
      if (
        typeof row.default === 'object' || // the published runner compares by identity
        row.default === undefined ||
        !plain ||
        !stored ||
        Object.hasOwn(plain.submitted, row.name) ||
        !Object.hasOwn(stored, row.name)
      )
        continue
      found.push({
        operation: resource.create.name,
        parameter: row.name,
        expected_value_path: `data.${row.name}`,
        expected_value: row.default,
        response: { success: true, data: stored },
      })
    }
  }
  return found
}

/** No model is asked: the question is whether introspection itself says what one would have to find. */
async function semantic(target: Target): Promise<readonly SemanticCase[]> {
  const details = (await target.allDetails()).find(({ parameters }) => parameters.some((row) => row.name === 'fields'))
  if (!details) return []
  const params = { query: 'operations', name: details.name }
  const reply = await target.introspect(params)
  return [
    {
      name: 'field selection can be discovered',
      response_text: reply.text ?? '',
      tool_calls: [{ operation: 'introspect', params }],
      structural: { required_patterns: [details.name, 'fields'] },
      semantic: {
        phrase_groups: [['fields'], [details.name]],
        expected_operations: ['introspect'],
        expected_parameters: ['fields'],
      },
    },
  ]
}

function introspectionTests(bundle: Fields): readonly TestReport[] {
  const operations = at(bundle, 'introspection.operations_list')
  const types = at(bundle, 'introspection.types_list')
  const details = listAt(bundle, 'introspection.operation_details')
  const accepts = isObject(bundle.accepted_parameters) ? bundle.accepted_parameters : {}
  const named = details.filter(isObject).map((entry) => ({
    name: textAt(entry, 'name'),
    documented: listAt(entry, 'parameters').map((row) => textAt(row, 'name')),
  }))
  const missing = named.flatMap(({ name, documented }) =>
    textsOf(accepts[name])
      .filter((parameter) => !documented.includes(parameter))
      .map((parameter) => `${name}.${parameter}`),
  )
  const refused = named.flatMap(({ name, documented }) =>
    documented
      .filter((parameter) => !textsOf(accepts[name]).includes(parameter))
      .map((parameter) => `${name}.${parameter}`),
  )
  return [
    test(
      'Operations query is implemented',
      at(operations, 'success') === true ? 1 : 0,
      operationsListShape(at(operations, 'data')),
    ),
    test('Types query is implemented', at(types, 'success') === true ? 1 : 0, typesListShape(at(types, 'data'))),
    test(
      'Operation detail payloads validate',
      details.length,
      details.flatMap((entry) => operationDetailsShape(entry, textAt(entry, 'name'))),
    ),
    missing.length > 0 || refused.length === 0
      ? test(
          'Introspection completeness matches accepted parameters',
          Object.keys(accepts).length,
          missing.map((name) => `not documented: ${name}`),
        )
      : test(
          'Introspection completeness matches accepted parameters',
          named.length,
          refused.map((name) => `not accepted: ${name}`),
          'WARN',
        ),
  ]
}

function parameterTests(bundle: Fields): readonly TestReport[] {
  const details = listAt(bundle, 'introspection.operation_details').filter(isObject)
  const rows = details.flatMap((entry) =>
    listAt(entry, 'parameters')
      .filter(isObject)
      .map((row) => ({ operation: textAt(entry, 'name'), name: textAt(row, 'name'), required: row.required === true })),
  )
  const omitted = listAt(bundle, 'parameter_tests.missing_required')
  const required = rows.filter((row) => row.required)
  const unenforced = required.filter(({ operation, name }) => {
    const found = omitted.find((each) => textAt(each, 'operation') === operation && textAt(each, 'parameter') === name)
    return at(found, 'response.success') !== false || !textAt(found, 'response.error.message').includes(name)
  })
  const unknown = listAt(bundle, 'parameter_tests.unknown_parameter')
  const silent = unknown.filter((each) => {
    const refused =
      at(each, 'response.success') === false &&
      textAt(each, 'response.error.message').includes(textAt(each, 'parameter'))
    return !refused && !(at(each, 'response.success') === true && listAt(each, 'response.warnings').length > 0)
  })
  const defaulted = listAt(bundle, 'parameter_tests.optional_defaults')
  const other = defaulted.filter(
    (each) => !same(at(each, `response.${textAt(each, 'expected_value_path')}`), at(each, 'expected_value')),
  )
  const misnamed = rows.filter(({ name }) => !NAME_PATTERN.test(name))
  return [
    test('Required parameters are enforced', required.length, unenforced.map(nameOfRow)),
    test('Unknown parameters are handled explicitly', unknown.length, silent.map(nameOfCase)),
    // A bundle of a server whose defaults cannot be seen in any answer has no case here.
    test(
      'Documented defaults are observable',
      defaulted.length,
      other.map(nameOfCase),
      'FAIL',
      rows.length > 0 ? 'SKIP' : 'FAIL',
    ),
    test('Canonical parameter names use snake_case', rows.length, misnamed.map(nameOfRow)),
  ]
}

function errorTests(bundle: Fields): readonly TestReport[] {
  const cases = listAt(bundle, 'error_tests')
  const told = (each: unknown) => textAt(each, 'response.error.message')
  const malformed = cases.flatMap((each) => resultShape(at(each, 'response'), textAt(each, 'name')))
  const leaking = cases
    .filter((each) => PUBLISHED_LEAKS.some((pattern) => pattern.test(told(each))))
    .map((each) => `${textAt(each, 'name')}: ${told(each)}`)
  const vague = cases.flatMap((each) =>
    textsOf(at(each, 'must_mention'))
      .filter((word) => !told(each).includes(word))
      .map((word) => `${textAt(each, 'name')}: does not mention ${word}`),
  )
  return [
    test('Error responses match the discriminated union schema', cases.length, malformed),
    test('Error messages do not leak implementation internals', cases.length, leaking),
    test('Error messages remain actionable', cases.length, vague, 'WARN'),
  ]
}

function roundTripTests(bundle: Fields): readonly TestReport[] {
  const compare = (key: string, fields: string) => {
    const cases = listAt(bundle, key)
    const pairs = cases.flatMap((each) =>
      Object.entries(isObject(at(each, fields)) ? (at(each, fields) as Fields) : {}).map(([path, value]) => ({
        name: textAt(each, 'name'),
        path,
        value,
        found: at(at(each, 'read_response'), path),
      })),
    )
    return {
      tested: pairs.length,
      faults: pairs
        .filter(({ value, found }) => !same(value, found))
        .map(({ name, path, value, found }) => `${name}: ${path} is ${shown(found)} in place of ${shown(value)}`),
    }
  }
  const created = compare('round_trip_tests', 'expected_fields')
  const updated = compare('update_preservation_tests', 'preserved_fields')
  return [
    test('Create-read cycles preserve submitted fields', created.tested, created.faults),
    test('Updates preserve non-targeted fields', updated.tested, updated.faults),
  ]
}

function featureTests(bundle: Fields): readonly TestReport[] {
  const modes = textsOf(bundle.endpoint_modes)
  const lacking = ['crude', 'single'].filter((mode) => !modes.includes(mode))
  const batch = at(bundle, 'capabilities.batch_operations') === true && bundle.batch_example !== undefined
  return [
    test('Both endpoint modes are documented', modes.length, lacking),
    test('Field selection is supported', at(bundle, 'capabilities.field_selection') === true ? 1 : 0, []),
    test('Batch operations are supported', batch ? 1 : 0, resultShape(bundle.batch_example, 'batch_example')),
  ]
}

function constraintTests(bundle: Fields): readonly TestReport[] {
  const cases = listAt(bundle, 'constraint_tests')
  const ignored = cases.filter(
    (each) => at(each, 'response.success') !== false || textAt(each, 'response.error.message') === '',
  )
  const hidden = cases.filter((each) => at(each, 'documented') !== true)
  return [
    test(
      'Constraints are enforced with structured errors',
      cases.length,
      ignored.map((each) => textAt(each, 'name')),
    ),
    test(
      'Constraints are disclosed in introspection guidance',
      cases.length,
      hidden.map((each) => textAt(each, 'name')),
      'WARN',
    ),
  ]
}

/** CONF-05: a pass needs both tiers; the semantic one alone is a warning. */
function semanticTests(bundle: Fields, tier: Tier): readonly TestReport[] {
  const cases = listAt(bundle, 'semantic_tests')
  if (tier === '1' || cases.length === 0)
    return [{ id: 'semantic', name: 'Semantic evaluation', result: 'SKIP', requirements: ['CONF-05'] }]
  return cases.map((each) => {
    const text = plain(textAt(each, 'response_text'))
    const calls = listAt(each, 'tool_calls')
    const structural = textsOf(at(each, 'structural.required_patterns')).every((word) => text.includes(plain(word)))
    const meaning =
      listAt(each, 'semantic.phrase_groups').every((group) =>
        textsOf(group).some((phrase) => text.includes(plain(phrase))),
      ) &&
      textsOf(at(each, 'semantic.expected_operations')).every((name) =>
        calls.some((call) => textAt(call, 'operation') === name),
      ) &&
      textsOf(at(each, 'semantic.expected_parameters')).every(
        (name) =>
          text.includes(plain(name)) ||
          calls.some((call) => plain(JSON.stringify(at(call, 'params') ?? {})).includes(plain(name))),
      )
    const result: Result = meaning ? (structural ? 'PASS' : 'WARN') : 'FAIL'
    return { id: 'semantic', name: textAt(each, 'name'), result, requirements: ['CONF-05'] }
  })
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, ' ')
    .trim()
}

function test(
  name: string,
  tested: number,
  faults: readonly string[],
  worst: Result = 'FAIL',
  empty: Result = 'FAIL',
): TestReport {
  const id = name.toLowerCase().replace(/[^a-z]+/g, '-')
  const requirements = ['CONF-04', 'CONF-09']
  if (tested === 0) return { id, name, result: empty, detail: 'The bundle holds no evidence for this.', requirements }
  if (faults.length === 0) return { id, name, result: 'PASS', requirements }
  return { id, name, result: worst, detail: faults.slice(0, 5).join(' · '), requirements }
}

function nameOfRow({ operation, name }: { readonly operation: string; readonly name: string }): string {
  return `${operation}.${name}`
}

function nameOfCase(each: unknown): string {
  return `${textAt(each, 'operation')}.${textAt(each, 'parameter')}`
}
