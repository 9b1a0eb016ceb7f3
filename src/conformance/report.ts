import { SPEC_VERSION } from '../protocol/version.ts'
import { CATEGORIES, type CategoryName, type Check, type Outcome, type Result } from './check.ts'
import type { Target } from './target.ts'

/** Conformance document §6.1 (CONF-07). */
export interface Report {
  readonly implementation: string
  readonly version: string
  readonly specVersion: string
  readonly requestedLevel: 1 | 2
  /** Null where only some of the checks ran, which establishes no level. */
  readonly conformanceLevel: 0 | 1 | 2 | null
  readonly summary: Summary
  readonly categories: readonly CategoryReport[]
  /** Why nothing could be tested. */
  readonly unreachable?: string
  /** Only some of the checks ran. */
  readonly partial?: true
}

export interface Summary {
  readonly total: number
  readonly passed: number
  readonly warned: number
  readonly failed: number
  readonly skipped: number
}

export interface CategoryReport {
  readonly name: string
  readonly required: boolean
  /** False for the categories that this suite adds to the document's. */
  readonly published: boolean
  readonly result: Result
  readonly tests: readonly TestReport[]
}

export interface TestReport {
  readonly id: string
  readonly name: string
  readonly result: Result
  readonly detail?: string
  readonly requirements: readonly string[]
}

export interface Tested {
  readonly check: Check
  readonly outcome: Outcome
}

export const FORMATS = ['text', 'json', 'markdown', 'junit'] as const

export type ReportFormat = (typeof FORMATS)[number]

export function writeReport(run: {
  readonly level: 1 | 2
  readonly tested: readonly Tested[]
  readonly target?: Target
  readonly unreachable?: string
  readonly partial?: boolean
}): Report {
  const { level, tested, target, unreachable, partial = false } = run
  const names = [...new Set(tested.map(({ check }) => check.category))]
  const categories = names.map((name) => writeCategory(name, tested))
  return {
    implementation: adapterName(target),
    version: target?.server.version ?? 'unknown',
    specVersion: typeof target?.protocol.version === 'string' ? target.protocol.version : SPEC_VERSION,
    requestedLevel: level,
    conformanceLevel: unreachable !== undefined ? 0 : partial ? null : levelOf(level, tested, categories),
    summary: summarise(categories),
    categories,
    ...(unreachable !== undefined && { unreachable }),
    ...(partial && { partial }),
  }
}

export function summarise(categories: readonly Pick<CategoryReport, 'tests'>[]): Summary {
  const results = categories.flatMap(({ tests }) => tests.map(({ result }) => result))
  const count = (result: Result) => results.filter((each) => each === result).length
  return {
    total: results.length,
    passed: count('PASS'),
    warned: count('WARN'),
    failed: count('FAIL'),
    skipped: count('SKIP'),
  }
}

/**
 * Exit codes of `mcpaql conformance`: 0 the requested level is reached, 1 it is not, 2 there was nothing to test.
 * Of some checks only: 0 when some passed and none that must pass has failed.
 */
export function exitCode(report: Report): 0 | 1 | 2 {
  if (report.unreachable !== undefined) return 2
  const { conformanceLevel, requestedLevel, summary } = report
  if (conformanceLevel === null) return summary.failed === 0 && summary.passed + summary.warned > 0 ? 0 : 1
  return conformanceLevel >= requestedLevel ? 0 : 1
}

export function formatReport(report: Report, format: ReportFormat, width = 80): string {
  switch (format) {
    case 'text':
      return asText(report, width)
    case 'json':
      // The bundle that a run may carry has a file of its own.
      return `${JSON.stringify(report, (key, value: unknown) => (key === 'evidence' ? undefined : value), 2)}\n`
    case 'markdown':
      return asMarkdown(report)
    case 'junit':
      return asJunit(report)
  }
}

/** A failure where failures only warn (CONF-05) is reported as the warning that it is, unless it blocks a level. */
function writeCategory(name: CategoryName, tested: readonly Tested[]): CategoryReport {
  const { required, published } = CATEGORIES[name]
  const tests = tested
    .filter(({ check }) => check.category === name)
    .map(({ check, outcome }): TestReport => {
      const softened = outcome.result === 'FAIL' && !required && !check.blocks
      return {
        id: check.id,
        name: check.title,
        result: softened ? 'WARN' : outcome.result,
        ...(outcome.message !== undefined && { detail: outcome.message }),
        requirements: check.requirements,
      }
    })
  return { name, required, published, result: categoryResult(tests, required), tests }
}

export function categoryResult(tests: readonly Pick<TestReport, 'result'>[], required: boolean): Result {
  const some = (result: Result) => tests.some((test) => test.result === result)
  if (some('FAIL')) return required ? 'FAIL' : 'WARN'
  if (some('WARN')) return 'WARN'
  return some('PASS') ? 'PASS' : 'SKIP'
}

/** Level 1: nothing required has failed, and the three categories that every server can show are not empty. */
function levelOf(requested: 1 | 2, tested: readonly Tested[], categories: readonly CategoryReport[]): 0 | 1 | 2 {
  const blocking = tested.filter(
    ({ check, outcome }) => outcome.result === 'FAIL' && (CATEGORIES[check.category].required || check.blocks),
  )
  const empty = categories.some(({ name, result }) => SHOWN_BY_ALL.includes(name) && result === 'SKIP')
  if (tested.length === 0 || empty || blocking.some(({ check }) => check.level === 1)) return 0
  return requested === 2 && blocking.length === 0 ? 2 : 1
}

const SHOWN_BY_ALL: readonly string[] = ['Introspection Fidelity', 'Parameter Handling', 'Error Quality']

function adapterName(target: Target | undefined): string {
  const told = target?.protocol.adapter
  return typeof told === 'string' ? told : (target?.server.name ?? 'unknown')
}

function asText(report: Report, width: number): string {
  if (report.unreachable !== undefined) return `The server could not be reached: ${report.unreachable}\n`
  const lines = [
    `${report.implementation} ${report.version}, MCP-AQL ${report.specVersion}`,
    ...wrap(`${reached(report)}: ${counts(report.summary)}`, width, '', '  '),
  ]
  for (const category of report.categories) {
    lines.push('', ...wrap(`${category.name} (${marks(category)}): ${category.result}`, width, '', '  '))
    for (const test of category.tests) {
      lines.push(...wrap(`${test.result.padEnd(4)}  ${test.name}`, width, '  ', '        '))
      if (test.detail !== undefined && test.result !== 'PASS')
        lines.push(...wrap(test.detail, width, '        ', '        '))
    }
  }
  return `${lines.join('\n')}\n`
}

function asMarkdown(report: Report): string {
  const lines = [
    '# MCP-AQL conformance report',
    '',
    `- Implementation: \`${report.implementation}\` ${report.version}`,
    `- Specification: ${report.specVersion}`,
    `- ${reached(report)}`,
    `- Summary: ${counts(report.summary)}`,
    ...(report.unreachable !== undefined ? [`- Not reached: ${report.unreachable}`] : []),
  ]
  for (const category of report.categories) {
    lines.push(
      '',
      `## ${category.name}`,
      '',
      `${marks(category)}: **${category.result}**`,
      '',
      '| Result | Test | Requirements | Detail |',
      '|---|---|---|---|',
    )
    for (const test of category.tests) {
      const cells = [test.result, test.name, test.requirements.join(', '), test.detail ?? '']
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    }
  }
  return `${lines.join('\n')}\n`
}

function asJunit(report: Report): string {
  if (report.unreachable !== undefined) return notReached(report.implementation, report.unreachable)
  const { total, failed, skipped } = report.summary
  const suites = report.categories.map(({ name, tests }) => {
    const counted = summarise([{ tests }])
    const cases = tests.map((test) => junitCase(name, test)).join('\n')
    return `  <testsuite name="${xml(name)}" tests="${counted.total}" failures="${counted.failed}" skipped="${counted.skipped}">\n${cases}\n  </testsuite>`
  })
  const head = `<testsuites name="${xml(report.implementation)}" tests="${total}" failures="${failed}" skipped="${skipped}">`
  return `${XML_HEAD}${[head, ...suites, '</testsuites>'].join('\n')}\n`
}

/** Without a test in error, whoever reads the file would take nothing tested for nothing wrong. */
function notReached(implementation: string, why: string): string {
  const counts = 'tests="1" failures="0" errors="1" skipped="0"'
  return `${XML_HEAD}<testsuites name="${xml(implementation)}" ${counts}>
  <testsuite name="Connection" ${counts}>
    <testcase classname="Connection" name="The server can be reached"><error message="${xml(why)}"/></testcase>
  </testsuite>
</testsuites>
`
}

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

function junitCase(category: string, { id, name, result, detail = '' }: TestReport): string {
  const open = `    <testcase classname="${xml(category)}" name="${xml(`${id}: ${name}`)}"`
  if (result === 'FAIL') return `${open}><failure message="${xml(detail)}"/></testcase>`
  if (result === 'SKIP') return `${open}><skipped message="${xml(detail)}"/></testcase>`
  if (result === 'WARN') return `${open}><system-out>${xml(`WARN ${detail}`)}</system-out></testcase>`
  return `${open}/>`
}

function reached({ conformanceLevel, requestedLevel }: Report): string {
  return conformanceLevel === null
    ? 'Some checks only, no level'
    : `Level ${conformanceLevel} of the requested ${requestedLevel}`
}

function counts({ passed, warned, failed, skipped, total }: Summary): string {
  return `${passed} passed, ${warned} warned, ${failed} failed, ${skipped} skipped of ${total}`
}

function marks({ required, published }: CategoryReport): string {
  return `${required ? 'must' : 'should'} pass${published ? '' : ', beyond the published tests'}`
}

function wrap(text: string, width: number, first: string, rest: string): readonly string[] {
  const lines: string[] = []
  let line = first
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length + 1 > width && line.trim() !== '') {
      lines.push(line.trimEnd())
      line = rest
    }
    line += line.trim() === '' ? word : ` ${word}`
  }
  return [...lines, line.trimEnd()]
}

/** Control characters cannot stand in XML 1.0 at all, not even as references. */
function xml(text: string): string {
  const clean = [...text].filter((char) => char >= ' ' || char === '\n' || char === '\t').join('')
  return clean.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
