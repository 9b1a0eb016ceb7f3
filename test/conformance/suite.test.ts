import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/conformance/checks/all.ts'
import { verifyEvidence } from '../../src/conformance/evidence.ts'
import { exitCode } from '../../src/conformance/report.ts'
import { type ConformanceReport, runConformance } from '../../src/conformance/run.ts'
import type { Reply } from '../../src/conformance/target.ts'
import { checkIntrospection, checkResult } from '../schemas.ts'
import { type DemoServer, serveDemo } from './demo-server.ts'

/** Each check and the rules that it shows the demo to keep. */
const ROWS: readonly (readonly [id: string, requirements: string])[] = [
  ['introspection-operations', 'INT-01 INT-03 INT-04 INT-05'],
  ['introspection-types', 'INT-15'],
  ['introspection-details', 'INT-09 INT-11 INT-12 INT-13 INT-14'],
  ['introspection-parameters', 'INT-17'],
  ['parameters-required', 'VAL-02 VAL-03 ERR-20'],
  ['parameters-unknown', 'VAL-05 ERR-23 X-09'],
  ['parameters-defaults', 'VAL-08'],
  ['parameters-snake-case', 'REQ-05'],
  ['errors-shape', 'RES-01 RES-03 ERR-01 ERR-06'],
  ['errors-no-leaks', 'ERR-03 ERR-04 ERR-05'],
  ['errors-actionable', 'ERR-03'],
  ['roundtrip-create-read', 'CONF-06'],
  ['roundtrip-update-preserves', 'CONF-06 UPD-03'],
  ['level2-modes', 'CONF-02 MODE-01'],
  ['level2-field-selection', 'CONF-02 FIELD-01'],
  ['level2-batch', 'CONF-02 BATCH-01'],
  ['constraints-enforced', 'VAL-07 ERR-22'],
  ['constraints-disclosed', 'VAL-11 ERR-25 ERR-26'],
  ['semantic-discovery', 'CONF-05 TOOL-10'],
  ['semantic-naming', 'OPN-01 OPN-03'],
  ['semantic-examples', 'INT-13'],
  ['mcp-unknown-tool', 'MCP-15 ERR-06'],
  ['mcp-unknown-method', 'ERR-06 MCP-01'],
  ['mcp-no-batch-arrays', 'MCP-01'],
  ['mcp-version-negotiation', 'MCP-02 MCP-03'],
  ['mcp-ping', 'MCP-02'],
  ['mcp-origin', 'MCP-07'],
  ['mcp-version-header', 'MCP-08'],
  ['mcp-session-ids', 'MCP-09'],
  ['mcp-eras', 'MCP-20'],
  ['mcp-session-state', 'SES-01 SES-06'],
  ['tools-list', 'MCP-14 TOOL-14 TOOL-15'],
  ['tools-names', 'TOOL-01 TOOL-02 TOOL-04'],
  ['tools-titles', 'TOOL-05'],
  ['tools-annotations', 'TOOL-06 TOOL-07 TOOL-09'],
  ['tools-descriptions', 'TOOL-10 TOOL-13'],
  ['request-without-operation', 'REQ-02 ERR-07'],
  ['request-wrong-shape', 'REQ-01 REQ-02 ERR-07'],
  ['request-unknown-operation', 'ERR-30 MCP-15 X-04'],
  ['request-top-level-params', 'REQ-03'],
  ['request-underscore-keys', 'REQ-04'],
  ['request-types', 'VAL-04 ERR-21'],
  ['request-order', 'VAL-01'],
  ['request-prototype-keys', 'UPD-09 VAL-05'],
  ['request-dry-run', 'REQ-10'],
  ['request-id-echo', 'REQ-12 RES-04 X-19'],
  ['update-input-required', 'UPD-01 UPD-02 X-07'],
  ['update-unknown-field', 'UPD-06 UPD-07 ERR-24'],
  ['update-identifier-in-input', 'UPD-08'],
  ['update-merge', 'UPD-03 UPD-04 UPD-05 X-08'],
  ['update-prototype', 'UPD-09'],
  ['introspect-parameters', 'INT-02 INT-21'],
  ['introspect-bad-query', 'INT-22'],
  ['introspect-unknown-name', 'INT-16 X-06'],
  ['introspect-bare', 'INT-24 X-26'],
  ['introspect-stable', 'INT-23'],
  ['introspect-protocol', 'INT-05 INT-06 INT-08 MODE-09 X-03 X-29 CONC-01 CONC-04 CONF-03'],
  ['introspect-limits', 'DATA-08 DATA-11'],
  ['introspect-capabilities', 'INT-07 BATCH-01'],
  ['introspect-types', 'TYPE-02 INT-15 X-27'],
  ['introspect-type-names', 'TYPE-03 TYPE-04'],
  ['introspect-protocol-types', 'TYPE-01'],
  ['endpoints-mismatch', 'MODE-07 CONF-01'],
  ['endpoints-mismatch-details', 'ERR-27 X-05'],
  ['endpoints-mcp-tool', 'INT-10 TOOL-04'],
  ['endpoints-families', 'MODE-04 INT-04'],
  ['endpoints-single', 'MODE-08'],
  ['endpoints-reserved', 'INT-01'],
  ['endpoints-read-changes-nothing', 'OPN-01'],
  ['batch-answer', 'BATCH-03 BATCH-04 BATCH-06 X-16'],
  ['batch-continues', 'BATCH-05'],
  ['batch-same-as-alone', 'BATCH-01 BATCH-04'],
  ['batch-malformed', 'BATCH-02 X-18'],
  ['batch-all-or-nothing', 'BATCH-02'],
  ['batch-order', 'BATCH-05'],
  ['batch-wrong-family', 'BATCH-11'],
  ['fields-documented', 'FIELD-01'],
  ['fields-selected', 'FIELD-01 FIELD-05'],
  ['fields-nested', 'FIELD-04'],
  ['fields-presets', 'FIELD-02 FIELD-03'],
  ['fields-unknown', 'FIELD-06 X-30'],
  ['fields-malformed', 'FIELD-08'],
  ['fields-type', 'FIELD-09'],
  ['collection-filter', 'COLL-04 COLL-06'],
  ['collection-filter-unknown', 'COLL-04'],
  ['collection-sort', 'COLL-05 COLL-06'],
  ['collection-sort-unknown', 'COLL-05'],
  ['collection-search', 'COLL-02 COLL-03'],
  ['paging-forward', 'PAGE-01 PAGE-07'],
  ['paging-backward', 'PAGE-01 PAGE-07'],
  ['paging-page-info', 'PAGE-05 PAGE-06'],
  ['paging-conflicts', 'PAGE-03'],
  ['paging-damaged-cursor', 'PAGE-08'],
  ['paging-cursor-form', 'PAGE-08'],
  ['paging-maximum', 'PAGE-04 X-25'],
  ['paging-default', 'PAGE-02 X-24'],
  ['paging-offset', 'PAGE-09 PAGE-10'],
  ['aggregate-count', 'AGG-01 AGG-02 AGG-03 AGG-04'],
  ['aggregate-groups', 'AGG-01 AGG-03'],
  ['aggregate-functions', 'AGG-01 AGG-03 AGG-06'],
  ['aggregate-refused', 'AGG-05'],
  ['aggregate-same-filter', 'AGG-04 COLL-06 AGG-06'],
  ['computed-returned', 'COMP-01 COMP-02'],
  ['computed-refused', 'COMP-03 FIELD-08'],
  ['relationships-answer', 'REL-01 REL-02'],
  ['relationships-graph', 'REL-02 REL-04'],
  ['relationships-include', 'REL-03'],
  ['relationships-refused', 'REL-01'],
  ['concurrency-pipelined', 'CONC-01 MCP-01'],
  ['concurrency-declared', 'CONC-01 CONC-04'],
  ['concurrency-version', 'CONC-02'],
  ['concurrency-if-match', 'CONC-03 ERR-37'],
  ['concurrency-one-winner', 'CONC-03 CONC-01'],
  ['control-holds', 'GATE-01 GATE-08 DNG-13'],
  ['control-demand', 'TOK-01 TOK-05 ERR-35 X-13 R-13'],
  ['control-echo', 'TOK-07 SELF-03 R-01'],
  ['control-unknown-token', 'TOK-01 TOK-08 TOK-10 ERR-42'],
  ['control-scope', 'TOK-04 TOK-08 TOK-10 ERR-45 R-08'],
  ['control-once', 'TOK-06 TOK-13 SELF-02 ERR-44'],
  ['control-batch', 'BATCH-07 BATCH-08 RES-03'],
  ['control-batch-continued', 'BATCH-09 TOK-19'],
  ['control-documented', 'REQ-08 DNG-20 INT-07 INT-19'],
  ['lifecycle-declared', 'LIFE-06'],
  ['lifecycle-states', 'LIFE-01 LIFE-03 LIFE-04'],
  ['lifecycle-cancel', 'LIFE-02 ERR-38'],
  ['data-dates', 'DATA-04'],
  ['data-timestamps', 'DATA-05'],
  ['data-safe-integers', 'DATA-06'],
  ['data-binary', 'DATA-07'],
  ['data-unicode', 'DATA-01 CONF-06'],
  ['responses-shape', 'RES-01 RES-02 RES-03'],
  ['responses-content', 'RES-05 RES-06'],
  ['responses-is-error', 'ERR-07 X-21'],
  ['responses-codes', 'ERR-01 ERR-02 X-18 X-23'],
  ['responses-details', 'ERR-20 ERR-21 ERR-22 ERR-23 ERR-30'],
  ['responses-warnings', 'RES-07 RES-08'],
  ['responses-not-found', 'ERR-31'],
  ['encoding-bad-continuation', 'DATA-01 DATA-02 ERR-28'],
  ['encoding-truncated', 'DATA-01'],
  ['encoding-overlong', 'DATA-01'],
  ['encoding-surrogate-bytes', 'DATA-01'],
  ['encoding-lone-surrogate', 'DATA-02'],
  ['encoding-lone-surrogate-key', 'DATA-02'],
  ['encoding-nul', 'DATA-03'],
  ['limits-depth', 'DATA-08 DATA-09 DATA-10 ERR-29'],
  ['limits-array', 'DATA-08 DATA-10'],
  ['limits-string', 'DATA-08 DATA-10'],
  ['limits-request', 'DATA-08 DATA-10'],
  ['limits-accepted', 'DATA-09'],
  ['encoding-survived', 'DATA-10 VAL-02'],
  ['leaks-nothing-internal', 'ERR-03 ERR-04'],
  ['leaks-published-pattern', 'ERR-05'],
  ['leaks-no-crash', 'VAL-02'],
  ['leaks-sensitive', 'VAL-10'],
  ['clean-up', ''],
]

/** What the demo over HTTP has nothing to show for; the mutants have. */
const NOT_APPLICABLE = ['mcp-stdout-clean', 'mcp-neighbours']

let semantic: DemoServer
let single: DemoServer
let report: ConformanceReport
let received = 0
const faults = new Set<string>()

beforeAll(async () => {
  semantic = await serveDemo('semantic')
  single = await serveDemo('single')
  report = await runConformance(
    { url: semantic.url, approve: semantic.approve },
    { level: 2, single: { url: single.url, approve: single.approve }, evidence: true, onReply: checkReply },
  )
}, 300_000)

afterAll(async () => {
  await semantic.close()
  await single.close()
})

describe('the demo', () => {
  test.each(ROWS)('%s (%s)', (id) => {
    expect(resultOf(id)).toMatchObject({ result: 'PASS' })
  })

  test.each(NOT_APPLICABLE)('%s is skipped, not passed', (id) => {
    expect(resultOf(id)).toMatchObject({ result: 'SKIP' })
  })

  test('CONF-02 reaches level 2 without a failure or a warning', () => {
    expect(report).toMatchObject({ conformanceLevel: 2, requestedLevel: 2, summary: { failed: 0, warned: 0 } })
    expect(exitCode(report)).toBe(0)
  })

  test('CONF-03 CONF-07 the report states what was tested, against which version, and what came of it', () => {
    expect(report).toMatchObject({ implementation: 'tracker', version: '0.1.0', specVersion: '1.0.0-draft' })
    expect(Object.keys(report.summary)).toEqual(['total', 'passed', 'warned', 'failed', 'skipped'])
    expect(Object.keys(report.categories[0] ?? {})).toEqual(
      expect.arrayContaining(['name', 'required', 'result', 'tests']),
    )
  })

  test('CONF-04 CONF-05 the published categories have their tests', () => {
    const published = report.categories.filter((category) => category.published)
    expect(published.map(({ name, required, tests }) => [name, required, tests.length])).toEqual([
      ['Introspection Fidelity', true, 4],
      ['Parameter Handling', true, 4],
      ['Error Quality', true, 3],
      ['Round-Trip Integrity', true, 2],
      ['Level 2 Features', false, 3],
      ['Constraint Documentation', false, 2],
      ['Semantic Evaluation', false, 3],
    ])
  })

  test('CONF-09 the evidence passes the published checks', () => {
    const { evidence } = report
    expect(evidence).toMatchObject({
      endpoint_modes: ['crude', 'single'],
      capabilities: { field_selection: true, batch_operations: true },
    })
    expect(checkResult(evidence?.batch_example)).toEqual([])
    expect(checkIntrospection(evidence?.introspection.operations_list)).toEqual([])
    const verified = verifyEvidence(evidence, 2)
    const open = verified.categories.flatMap(({ tests }) => tests).filter(({ result }) => result !== 'PASS')
    expect(open).toEqual([])
    expect(verified).toMatchObject({ conformanceLevel: 2, summary: { passed: 19, failed: 0 } })
  })

  test('RES-01 INT-03 every answer of the run is valid by the published schemas', () => {
    expect(received).toBeGreaterThan(1_000)
    expect([...faults].slice(0, 10)).toEqual([])
  })
})

test('CONF-04 the table above is that of the suite', () => {
  const shown = CHECKS.filter(({ id }) => !NOT_APPLICABLE.includes(id))
  expect(ROWS).toEqual(shown.map(({ id, requirements }) => [id, requirements.join(' ')]))
  expect(CHECKS).toHaveLength(ROWS.length + NOT_APPLICABLE.length)
})

test('CONF-01 CONF-04 a server with nothing to test passes none of the 13 and reaches no level', async () => {
  const bare = await serveBare()
  const found = await runConformance({ url: bare.url }, { level: 2 })
  await bare.close()
  const required = found.categories.filter((category) => category.published && category.required)
  expect(required.flatMap(({ tests }) => tests).filter(({ result }) => result === 'PASS')).toEqual([])
  expect(required.flatMap(({ tests }) => tests)).toHaveLength(13)
  expect(found.conformanceLevel).toBe(0)
  expect(exitCode(found)).toBe(1)
})

test('CONF-08 a server that cannot be reached is no verdict', async () => {
  const found = await runConformance({ url: 'http://127.0.0.1:9/mcp' }, { level: 1 })
  expect(found).toMatchObject({ conformanceLevel: 0, categories: [], unreachable: expect.any(String) })
  expect(exitCode(found)).toBe(2)
})

test('TOK-07 without an operator nothing is agreed to: what needs one is skipped, and what stays behind is said', async () => {
  const checks = [
    'control-holds',
    'control-scope',
    'control-once',
    'control-batch',
    'control-batch-continued',
    'clean-up',
  ]
  const found = await runConformance({ url: semantic.url }, { level: 2, checks })
  const results = found.categories.flatMap(({ tests }) => tests).map(({ id, result, detail }) => [id, result, detail])
  expect(results).toEqual([
    ['control-holds', 'PASS', 'Removals: 1.'],
    ['control-scope', 'PASS', 'Removals: 1.'],
    ['control-once', 'SKIP', 'There is no operator who could agree to anything.'],
    ['control-batch', 'PASS', 'Removals: 1.'],
    ['control-batch-continued', 'SKIP', 'There is no operator who could agree to anything.'],
    ['clean-up', 'WARN', 'one issue was left behind: its removal waits for approval'],
  ])
})

test('SESS-07 R-38 in both eras the token is redeemed in the session that it is bound to', async () => {
  for (const era of ['legacy', 'modern'] as const) {
    const spec = { url: semantic.url, approve: semantic.approve }
    const found = await runConformance(spec, { level: 2, era, checks: ['control-once', 'control-batch-continued'] })
    expect([era, found.summary]).toMatchObject([era, { total: 2, passed: 2 }])
  }
})

describe('over stdio', () => {
  const bridge = fileURLToPath(new URL('stdio-bridge.mjs', import.meta.url))
  const judged = ['mcp-stdout-clean', 'encoding-bad-continuation', 'introspection-types']

  test.each([
    ['a quiet server passes', {}, 'PASS'],
    ['a server that prints something else is caught', { NOISE: '1' }, 'FAIL'],
  ])('%s', async (_title, env, expected) => {
    const spec = { command: process.execPath, args: [bridge, semantic.url], env }
    const found = await runConformance(spec, { level: 1, checks: judged })
    const tests = found.categories.flatMap((category) => category.tests)
    expect(tests.find(({ id }) => id === 'mcp-stdout-clean')).toMatchObject({ result: expected })
    expect(tests.find(({ id }) => id === 'introspection-types')).toMatchObject({ result: 'PASS' })
  })
})

function resultOf(id: string) {
  return report.categories.flatMap(({ tests }) => tests).find((each) => each.id === id)
}

function checkReply({ result, sent }: Reply): void {
  if (!result) return
  received += 1
  const isIntrospection = (sent as { operation?: unknown }).operation === 'introspect' && result.success === true
  for (const fault of (isIntrospection ? checkIntrospection : checkResult)(result)) faults.add(fault)
}

/** An ordinary MCP server with one tool that repeats what it hears. */
async function serveBare(): Promise<Omit<DemoServer, 'approve'>> {
  const schema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } })
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bare', version: '1.0.0' })
    server.registerTool('echo', { description: 'Repeats.', inputSchema: schema }, (args) => ({
      content: [{ type: 'text', text: JSON.stringify(args) }],
    }))
    return server
  })
  const handle = toNodeHandler(handler)
  const server = createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      await handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
