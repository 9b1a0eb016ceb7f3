import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import type { CategoryName } from '../conformance/check.ts'
import type { TargetSpec } from '../conformance/link.ts'
import type { ReportFormat } from '../conformance/report.ts'
import type { ConformanceReport } from '../conformance/run.ts'
import { EXIT, type Given, isStop, type Stop, stop } from './command.ts'
import { nearestWord } from './nearest-word.ts'
import { readConfig } from './read-config.ts'
import { columns, painter } from './render.ts'
import { isLocal, readSource } from './source.ts'
import { startThrowaway, type Throwaway } from './start-throwaway.ts'
import type { World } from './world.ts'

/** What both names of the suite, `mcpaql conformance` and `mcpaql-conformance test`, understand. */
export interface SuiteOrder {
  readonly level: 1 | 2
  readonly format: ReportFormat
  readonly categories: readonly CategoryName[] | undefined
  readonly output: string | undefined
  readonly evidence: string | undefined
}

/** Runs the suite and writes what was asked for; how the report ends the program is the caller's business. */
export async function runSuite(given: Given, world: World): Promise<ConformanceReport | Stop> {
  const order = await readOrder(given.values)
  if (isStop(order)) return order
  const config = await readConfig(given.values, world)
  if (isStop(config)) return config
  const source = readSource(given.positionals[0], given.command)
  if (isStop(source)) return source

  const targets = await openTargets(source, config, world)
  if (isStop(targets)) return targets
  try {
    const report = await Promise.race([run(order, targets, world), interruption(world)])
    if (isStop(report)) return report
    const written = await write(report, order, world)
    return written ?? report
  } finally {
    await targets.close()
  }
}

async function run(order: SuiteOrder, { spec, single }: Targets, world: World): Promise<ConformanceReport> {
  const { runConformance } = await import('../conformance/run.ts')
  const report = await runConformance(spec, {
    level: order.level,
    evidence: order.evidence !== undefined,
    onProgress: ({ done, total, check }) => world.progress(`${done}/${total} ${check.category}`),
    ...(single && { single }),
    ...(order.categories && { categories: order.categories }),
  })
  world.progress('')
  return report
}

interface Targets {
  readonly spec: TargetSpec
  /** The same adapter in single mode, where it is ours to start. */
  readonly single?: TargetSpec
  readonly close: () => Promise<void>
}

/** A SOURCE is started twice, once for each mode, on stores that nobody else sees. */
async function openTargets(
  source: Exclude<ReturnType<typeof readSource>, Stop>,
  config: Config,
  world: World,
): Promise<Targets | Stop> {
  if (source.kind === 'url') return { spec: { url: source.url }, close: async () => {} }
  if (source.kind === 'command') {
    return { spec: { command: source.command, args: source.args, env: givenEnvironment(world) }, close: async () => {} }
  }
  if (!isLocal(source)) return stop(EXIT.badUsage, 'Only a source or a server can be tested')
  const semantic = await startThrowaway(source, { ...config, endpoint_mode: 'semantic' }, world)
  if (isStop(semantic)) return semantic
  const single = await startThrowaway(source, { ...config, endpoint_mode: 'single' }, world)
  if (isStop(single)) {
    await semantic.close()
    return single
  }
  const close = async () => {
    await semantic.close()
    await single.close()
  }
  return { spec: specOf(semantic), single: specOf(single), close }
}

/** What this program has started is also decided on by it: nothing there is worth anybody's attention. */
function specOf({ url, approve }: Throwaway): TargetSpec {
  return { url, approve }
}

async function readOrder(values: Readonly<Record<string, unknown>>): Promise<SuiteOrder | Stop> {
  const { FORMATS } = await import('../conformance/report.ts')
  const level = oneOf('--level', values.level ?? '1', ['1', '2'])
  if (isStop(level)) return level
  const format = oneOf('--format', values.json ? 'json' : (values.format ?? 'text'), FORMATS)
  if (isStop(format)) return format
  const categories = await readCategories(values.category as readonly string[] | undefined, Number(level))
  if (isStop(categories)) return categories
  const { output, evidence } = values as { readonly output?: string; readonly evidence?: string }
  return { level: level === '2' ? 2 : 1, format, categories, output, evidence }
}

function oneOf<const T extends string>(flag: string, given: unknown, allowed: readonly T[]): T | Stop {
  const found = allowed.find((one) => one === given)
  return found ?? stop(EXIT.badUsage, `${flag} ${String(given)} must be one of ${allowed.join(', ')}`)
}

/** `Parameter Handling`, `parameter-handling`, `parameter_handling`. */
async function readCategories(
  given: readonly string[] | undefined,
  level: number,
): Promise<readonly CategoryName[] | undefined | Stop> {
  if (given === undefined) return undefined
  const { CATEGORIES } = await import('../conformance/check.ts')
  const names = Object.keys(CATEGORIES) as CategoryName[]
  const plain = (name: string) => name.toLowerCase().replace(/[-_\s]+/g, ' ')
  const found: CategoryName[] = []
  for (const word of given) {
    const name = names.find((each) => plain(each) === plain(word))
    if (!name) {
      const nearest = nearestWord(plain(word), names.map(plain))
      const hint = nearest ? `Did you mean ${names.find((each) => plain(each) === nearest)}?` : ''
      return stop(EXIT.badUsage, `There is no category ${word}`, hint, `Categories: ${names.join(', ')}`)
    }
    const { level: needed } = CATEGORIES[name]
    if (needed > level) {
      return stop(EXIT.badUsage, `The checks of ${name} belong to level ${needed}`, `Add --level ${needed}`)
    }
    found.push(name)
  }
  return found
}

async function write(report: ConformanceReport, order: SuiteOrder, world: World): Promise<Stop | undefined> {
  const { formatReport } = await import('../conformance/report.ts')
  const { evidence, ...rest } = report
  const text = formatReport(rest, order.format, columns(world)).trimEnd()
  try {
    if (order.output === undefined) world.out(order.format === 'text' ? painted(text, world) : text)
    else await writeFile(resolve(world.cwd, order.output), `${text}\n`)
    if (order.evidence !== undefined && evidence !== undefined) {
      await writeFile(resolve(world.cwd, order.evidence), `${JSON.stringify(evidence, null, 2)}\n`)
    }
    return undefined
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return stop(
      EXIT.badUsage,
      `The report could not be written (${code})`,
      'Check the paths after --output and --evidence',
    )
  }
}

const COLOURS = { PASS: 'green', FAIL: 'red', WARN: 'yellow', SKIP: 'dim' } as const

function painted(text: string, world: World): string {
  const paint = painter(world)
  return text.replace(/\b(PASS|FAIL|WARN|SKIP)\b/g, (word) => paint(COLOURS[word as keyof typeof COLOURS], word))
}

function interruption({ interrupted }: World): Promise<Stop> {
  const made = stop(EXIT.failed, 'Interrupted; the suite did not finish')
  if (interrupted.aborted) return Promise.resolve(made)
  return new Promise((done) => interrupted.addEventListener('abort', () => done(made), { once: true }))
}

/** The command after `--` gets the environment that the user gave us: it is the user's own command. */
function givenEnvironment({ env }: World): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
