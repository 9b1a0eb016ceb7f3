import { describe, expect, test } from 'vitest'
import { aliasExit } from './alias.ts'
import { type CategoryName, defineCheck, failed, type Outcome, passed, skipped, verdict, warned } from './check.ts'
import { exitCode, formatReport, type Tested, writeReport } from './report.ts'

const GOOD: readonly Tested[] = [
  tested('Introspection Fidelity', 1, passed()),
  tested('Parameter Handling', 1, passed()),
  tested('Error Quality', 1, passed()),
]

describe('CONF-02 CONF-04 CONF-05 the level that is reached', () => {
  test.each<[string, 1 | 2, readonly Tested[], number, number]>([
    ['level 1 when nothing required failed', 1, GOOD, 1, 0],
    ['level 2 when it was asked for', 2, GOOD, 2, 0],
    ['none when a required test failed', 2, [...GOOD, tested('Encoding', 1, failed('x'))], 0, 1],
    ['level 1 when only a test of level 2 failed', 2, [...GOOD, tested('Pagination', 2, failed('x'))], 1, 1],
    ['level 2 in spite of failures that only warn', 2, [...GOOD, tested('Semantic Evaluation', 2, failed('x'))], 2, 0],
    ['level 1 when one mode is missing', 2, [...GOOD, tested('Level 2 Features', 2, failed('x'), true)], 1, 1],
    ['level 2 in spite of warnings', 2, [...GOOD, tested('Tools', 1, warned('x'))], 2, 0],
    ['none when there was nothing to test', 1, [tested('Introspection Fidelity', 1, skipped('x'))], 0, 1],
    ['none when nothing ran', 1, [], 0, 1],
  ])('%s', (_name, level, run, reached, code) => {
    const report = writeReport({ level, tested: run })
    expect([report.conformanceLevel, exitCode(report)]).toEqual([reached, code])
  })
})

test('CONF-05 a failure where failures only warn is counted as a warning', () => {
  const report = writeReport({ level: 2, tested: [...GOOD, tested('Semantic Evaluation', 2, failed('x'))] })
  expect(report.summary).toEqual({ total: 4, passed: 3, warned: 1, failed: 0, skipped: 0 })
  expect(report.categories.at(-1)).toMatchObject({ required: false, result: 'WARN', tests: [{ result: 'WARN' }] })
})

test('CONF-03 some checks only establish no level', () => {
  const good = writeReport({ level: 1, tested: GOOD, partial: true })
  expect([good.conformanceLevel, exitCode(good)]).toEqual([null, 0])
  const bad = writeReport({ level: 1, tested: [...GOOD, tested('Tools', 1, failed('x'))], partial: true })
  expect([bad.conformanceLevel, exitCode(bad)]).toEqual([null, 1])
  expect(formatReport(good, 'text')).toContain('Some checks only, no level: 3 passed')
  expect(JSON.parse(formatReport(good, 'json'))).toMatchObject({ conformanceLevel: null, partial: true })
})

test.each<[string, readonly Tested[], number]>([
  ['none ran', [], 1],
  ['all were skipped', [tested('Tools', 1, skipped('x'))], 1],
  ['one warned', [tested('Tools', 1, warned('x'))], 0],
])('CONF-02 some checks only, of which %s', (_name, run, code) => {
  const report = writeReport({ level: 1, tested: run, partial: true })
  expect([exitCode(report), aliasExit(report) === 1 ? 1 : 0]).toEqual([code, code])
})

describe('CONF-07 formats', () => {
  const report = writeReport({ level: 1, tested: [...GOOD, tested('Tools', 1, failed('a|b <c> & "d" '.repeat(12)))] })

  test('text keeps within the width and gives reasons', () => {
    const text = formatReport(report, 'text', 60)
    expect(text).toContain('Level 0 of the requested 1: 3 passed, 0 warned, 1 failed,')
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(text).toContain('a|b <c>')
  })

  test('json is the report', () => {
    expect(JSON.parse(formatReport(report, 'json'))).toMatchObject({ requestedLevel: 1, summary: { failed: 1 } })
  })

  test('markdown escapes what would break a table', () => {
    expect(formatReport(report, 'markdown')).toContain('a\\|b')
  })

  test('junit escapes what would break XML and counts failures', () => {
    const xml = formatReport(report, 'junit')
    expect(xml).toContain('<testsuites name="unknown" tests="4" failures="1" skipped="0">')
    expect(xml).toContain('a|b &lt;c&gt; &amp; &quot;d&quot;')
  })

  test('a server that was not reached says so', () => {
    const none = writeReport({ level: 1, tested: [], unreachable: 'connection refused' })
    expect(formatReport(none, 'text')).toBe('The server could not be reached: connection refused\n')
    expect(formatReport(none, 'markdown')).toContain('- Not reached: connection refused\n')
    expect(formatReport(none, 'junit')).toContain('tests="1" failures="0" errors="1"')
    expect(formatReport(none, 'junit')).toContain('<error message="connection refused"/>')
    expect(exitCode(none)).toBe(2)
  })

  test('what was tested is counted in words that fit any number', () => {
    expect(verdict(1, 'resources changed', [])).toEqual({ result: 'PASS', message: 'Resources changed: 1.' })
    expect(verdict(0, 'resources', [])).toMatchObject({ message: 'The server offers no resources to test.' })
  })
})

function tested(category: CategoryName, level: 1 | 2, outcome: Outcome, blocks = false): Tested {
  const check = { id: category, category, level, requirements: [], title: 'a title', blocks, run: async () => outcome }
  return { check: defineCheck(check), outcome }
}
