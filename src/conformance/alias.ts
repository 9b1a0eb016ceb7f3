import { parseArgs } from 'node:util'
import { SPEC_VERSION } from '../protocol/version.ts'
import { CATEGORIES, type CategoryName, TIERS, type Tier } from './check.ts'
import { verifyEvidence } from './evidence.ts'
import type { TargetSpec } from './link.ts'
import { FORMATS, formatReport, type Report, type ReportFormat } from './report.ts'
import { type ConformanceOptions, runConformance } from './run.ts'
import { isObject } from './values.ts'

/** What the alias needs of the world; the executable supplies it. */
export interface AliasWorld {
  out(text: string): void
  err(text: string): void
  readFile(path: string): Promise<string>
  writeFile(path: string, text: string): Promise<void>
  /** One line that replaces the one before; the empty line is the end. */
  progress?(text: string): void
  /** Starts a SOURCE on a throwaway store in the given mode; without it only addresses and commands can be tested. */
  startSource?(source: string, mode: 'semantic' | 'single'): Promise<TargetSpec>
}

/** Conformance document §7.4; other than `mcpaql`, this executable tells warnings from passes. */
export const ALIAS_EXIT = { passed: 0, failed: 1, warned: 2, badConfiguration: 3 } as const

/** Conformance document §7 (CONF-08): the runner `mcpaql-conformance`. */
export async function runAlias(argv: readonly string[], world: AliasWorld): Promise<number> {
  const asked = readArguments(argv)
  if (typeof asked === 'string') {
    world.err(`${asked}\n${USAGE}\n`)
    return ALIAS_EXIT.badConfiguration
  }
  switch (asked.command) {
    case 'version':
      world.out(`mcpaql-conformance, MCP-AQL ${SPEC_VERSION}\n`)
      return ALIAS_EXIT.passed
    case 'help':
      world.out(`${USAGE}\n`)
      return ALIAS_EXIT.passed
    case 'test':
      return deliver(await testTarget(asked, world), asked, world)
    case 'verify-fixtures':
      return verifyFiles(asked, world)
    case 'report':
      return reportAgain(asked, world)
  }
}

const COMMANDS = ['test', 'verify-fixtures', 'report', 'version', 'help'] as const

interface Asked {
  readonly command: (typeof COMMANDS)[number]
  readonly inputs: readonly string[]
  /** What stood after `--`. */
  readonly rest: readonly string[]
  readonly level: 1 | 2
  readonly format: ReportFormat
  readonly tier: Tier
  readonly output?: string
  readonly category?: CategoryName
}

const USAGE = `Usage: mcpaql-conformance COMMAND [OPTIONS]

Commands
  test TARGET            drive a server: an address, or a source to start
  test -- COMMAND…       drive a server on stdio
  test EVIDENCE.json     check an evidence bundle
  verify-fixtures FILE…  check bundles against what they expect
  report RESULTS.json    format saved results again
  version                show the version of the specification

Options
  -l, --level 1|2        level to test (1)
  -f, --format FORMAT    ${FORMATS.join(', ')} (text)
  -o, --output FILE      write there instead of to standard output
  -c, --category NAME    one category only
      --tier 1|2|both    structure, meaning, or both (both)
  -h, --help             show this text

Examples
  mcpaql-conformance test demo --level 2
  mcpaql-conformance test http://127.0.0.1:7420/mcp -f json -o results.json
  mcpaql-conformance report results.json -f markdown
  mcpaql-conformance test -- node server.js

Exit codes: 0 passed, 1 failed, 2 warned, 3 bad configuration`

/** The request, or what is wrong with it. */
function readArguments(argv: readonly string[]): Asked | string {
  const cut = argv.indexOf('--')
  const [own, rest] = cut < 0 ? [argv, []] : [argv.slice(0, cut), argv.slice(cut + 1)]
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(own)
  } catch (error) {
    // What follows the first sentence is about file names that look like options.
    return (error instanceof Error ? error.message : String(error)).replace(/\. .*$/s, '')
  }
  const { values, positionals } = parsed
  const [named = 'help', ...inputs] = values.help ? ['help'] : values.version ? ['version'] : positionals
  const command = COMMANDS.find((each) => each === named)
  if (!command) return `Unknown command '${named}'. Commands: ${COMMANDS.join(', ')}`
  if (values.level !== '1' && values.level !== '2') return `--level is 1 or 2, not '${values.level}'`
  const format = FORMATS.find((each) => each === values.format)
  if (!format) return `--format is one of ${FORMATS.join(', ')}, not '${values.format}'`
  const tier = TIERS.find((each) => each === values.tier)
  if (!tier) return `--tier is one of ${TIERS.join(', ')}, not '${values.tier}'`
  const category = categoryOf(values.category)
  if (values.category !== undefined && !category)
    return `Unknown category '${values.category}'. Categories: ${Object.keys(CATEGORIES).join(', ')}`
  if (category && CATEGORIES[category].level > Number(values.level))
    return `The checks of ${category} belong to level ${CATEGORIES[category].level}: add --level ${CATEGORIES[category].level}`
  if (command === 'test' && inputs.length + (rest.length > 0 ? 1 : 0) !== 1) return 'test takes one target'
  if ((command === 'report' || command === 'verify-fixtures') && inputs.length === 0) return `${command} takes a file`
  const level = values.level === '2' ? 2 : 1
  return {
    command,
    inputs,
    rest,
    level,
    format,
    tier,
    ...(values.output !== undefined && { output: values.output }),
    ...(category && { category }),
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: ALIAS_OPTIONS,
  })
}

/** `writes` as in the options of a command: the value names a file that is written. */
export const ALIAS_OPTIONS = {
  level: { type: 'string', short: 'l', default: '1' },
  output: { type: 'string', short: 'o', writes: true },
  format: { type: 'string', short: 'f', default: 'text' },
  tier: { type: 'string', default: 'both' },
  category: { type: 'string', short: 'c' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

function categoryOf(name: string | undefined): CategoryName | undefined {
  const wanted = name?.toLowerCase()
  return (Object.keys(CATEGORIES) as CategoryName[]).find((each) => each.toLowerCase() === wanted)
}

async function testTarget(asked: Asked, world: AliasWorld): Promise<Report | string> {
  const { level, tier, category } = asked
  const options: ConformanceOptions = {
    level,
    tier,
    onProgress: ({ done, total, check }) => world.progress?.(done < total ? `${done}/${total} ${check.category}` : ''),
    ...(category && { categories: [category] }),
  }
  const [command, ...args] = asked.rest
  if (command !== undefined) return runConformance({ command, args }, options)
  const [source = ''] = asked.inputs
  if (/^https?:\/\//.test(source)) return runConformance({ url: source }, options)
  if (source.endsWith('.json')) {
    const bundle = await readJson(source, world)
    return typeof bundle === 'string' ? bundle : verifyEvidence(bundle, level, tier)
  }
  if (!world.startSource) return `Cannot start '${source}': give an address, or a command after --`
  try {
    const spec = await world.startSource(source, 'semantic')
    const single = level === 2 ? await world.startSource(source, 'single') : undefined
    return await runConformance(spec, { ...options, ...(single && { single }) })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function verifyFiles(asked: Asked, world: AliasWorld): Promise<number> {
  let isWrong = false
  for (const path of asked.inputs) {
    const bundle = await readJson(path, world)
    if (typeof bundle === 'string') {
      world.err(`${bundle}\n`)
      return ALIAS_EXIT.badConfiguration
    }
    const level = isObject(bundle) && bundle.expected_level === 2 ? 2 : 1
    const expected = isObject(bundle) && typeof bundle.expected_exit_code === 'number' ? bundle.expected_exit_code : 0
    const report = verifyEvidence(bundle, level, asked.tier)
    const found = aliasExit(report)
    world.out(`${found === expected ? 'PASS' : 'FAIL'} ${path}: expected ${expected}, got ${found}\n`)
    if (found === expected) continue
    isWrong = true
    world.out(formatReport(report, 'text'))
  }
  return isWrong ? ALIAS_EXIT.failed : ALIAS_EXIT.passed
}

async function reportAgain(asked: Asked, world: AliasWorld): Promise<number> {
  const [path = ''] = asked.inputs
  const saved = await readJson(path, world)
  if (typeof saved === 'string' || !isReport(saved)) {
    world.err(`${typeof saved === 'string' ? saved : `${path} is no report: summary and categories are missing`}\n`)
    return ALIAS_EXIT.badConfiguration
  }
  await write(formatReport(saved, asked.format), asked, world)
  return ALIAS_EXIT.passed
}

async function deliver(report: Report | string, asked: Asked, world: AliasWorld): Promise<number> {
  const reason = typeof report === 'string' ? report : report.unreachable
  if (typeof report === 'string' || reason !== undefined) {
    world.err(`${reason}\n`)
    return ALIAS_EXIT.badConfiguration
  }
  const shown = asked.category
    ? { ...report, categories: report.categories.filter(({ name }) => name === asked.category) }
    : report
  await write(formatReport(shown, asked.format), asked, world)
  return aliasExit(report)
}

export function aliasExit(report: Report): number {
  const { conformanceLevel, summary } = report
  const blocked = report.categories.some(({ required, result }) => required && result === 'FAIL')
  const nothing = conformanceLevel === null && summary.passed + summary.warned === 0
  if (blocked || conformanceLevel === 0 || nothing) return ALIAS_EXIT.failed
  return report.categories.some(({ result }) => result === 'WARN' || result === 'FAIL')
    ? ALIAS_EXIT.warned
    : ALIAS_EXIT.passed
}

async function write(text: string, { output }: Asked, world: AliasWorld): Promise<void> {
  if (output === undefined) world.out(text)
  else await world.writeFile(output, text)
}

/** The value, or a message: files are the caller's. */
async function readJson(path: string, world: AliasWorld): Promise<unknown> {
  try {
    const value: unknown = JSON.parse(await world.readFile(path))
    return typeof value === 'string' ? `${path} holds no object` : value
  } catch (error) {
    return `Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`
  }
}

function isReport(value: unknown): value is Report {
  return isObject(value) && isObject(value.summary) && Array.isArray(value.categories)
}
