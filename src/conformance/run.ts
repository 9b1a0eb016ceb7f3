import { type CategoryName, type Check, failed, type Outcome, type Tier } from './check.ts'
import { CHECKS } from './checks/all.ts'
import { collectEvidence, type Evidence } from './evidence.ts'
import type { Era, TargetSpec } from './link.ts'
import { type Report, type Tested, type TestReport, writeReport } from './report.ts'
import { openTarget, type Reply, type Target } from './target.ts'

export interface ConformanceOptions {
  readonly level: 1 | 2
  /** The same server in single mode; Level 2 needs both. */
  readonly single?: TargetSpec
  readonly categories?: readonly CategoryName[]
  /** Ids of single checks; for trying one out. */
  readonly checks?: readonly string[]
  readonly tier?: Tier
  readonly era?: Era
  readonly adapter?: string
  /** For one check. */
  readonly timeoutMs?: number
  readonly onProgress?: (progress: Progress) => void
  /** Sees every call with its answer. */
  readonly onReply?: (reply: Reply) => void
  /** True also collects the bundle of CONF-09. */
  readonly evidence?: boolean
}

export interface Progress {
  readonly done: number
  readonly total: number
  readonly check: Check
  readonly outcome: Outcome
}

export type ConformanceReport = Report & { readonly evidence?: Evidence }

/**
 * Conformance document §4. Drives a running server through MCP and believes nothing that it has not seen. A server that
 * cannot be reached gives a report with the reason in `unreachable`.
 */
export async function runConformance(spec: TargetSpec, options: ConformanceOptions): Promise<ConformanceReport> {
  const { level, tier = 'both', timeoutMs = 60_000 } = options
  const other = options.single ? await openTarget(options.single, linkOptions(options)) : undefined
  if (other && 'reason' in other) return writeReport({ level, tested: [], unreachable: other.reason })
  const target = await openTarget(spec, { ...linkOptions(options), ...(other && { other }) })
  if ('reason' in target) {
    await other?.close()
    return writeReport({ level, tested: [], unreachable: target.reason })
  }
  try {
    const chosen = CHECKS.filter((check) => isChosen(check, options))
    const tested: Tested[] = []
    for (const check of chosen.filter(({ category }) => category !== 'Clean-up'))
      await run(check, chosen.length, tested)
    const evidence = options.evidence ? await collectEvidence(target, level) : undefined
    for (const check of chosen.filter(({ category }) => category === 'Clean-up'))
      await run(check, chosen.length, tested)
    const partial = options.categories !== undefined || options.checks !== undefined
    return { ...writeReport({ level, tested, target, partial }), ...(evidence && { evidence }) }
  } finally {
    await target.cleanUp()
    await target.close()
    await other?.close()
  }

  async function run(check: Check, total: number, tested: Tested[]): Promise<void> {
    const outcome = await within(timeoutMs, check, target as Target, tier)
    tested.push({ check, outcome })
    options.onProgress?.({ done: tested.length, total, check, outcome })
  }
}

export type { Report, TestReport }

function linkOptions({ era, adapter, onReply }: ConformanceOptions) {
  return { ...(era && { era }), ...(adapter !== undefined && { adapter }), ...(onReply && { onReply }) }
}

function isChosen(check: Check, { level, categories, checks }: ConformanceOptions): boolean {
  if (checks) return checks.includes(check.id)
  return check.level <= level && (!categories || categories.includes(check.category))
}

/** A check that hangs or throws has not passed. */
async function within(timeoutMs: number, check: Check, target: Target, tier: Tier): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(failed(`No verdict within ${timeoutMs / 1000} seconds.`)), timeoutMs)
  })
  try {
    return await Promise.race([check.run(target, tier), late])
  } catch (error) {
    return failed(`The check could not be finished: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    clearTimeout(timer)
  }
}
