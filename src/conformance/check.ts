import type { Target } from './target.ts'

/** Conformance document §1.3. */
export const RESULTS = ['PASS', 'FAIL', 'WARN', 'SKIP'] as const

export type Result = (typeof RESULTS)[number]

/** Which half of a two-tier check counts (§5): structure, meaning, or both. */
export const TIERS = ['1', '2', 'both'] as const

export type Tier = (typeof TIERS)[number]

/** What one check found. A check without anything to test is SKIP, never PASS. */
export interface Outcome {
  readonly result: Result
  readonly message?: string
  readonly evidence?: unknown
}

export interface Check {
  readonly id: string
  readonly category: CategoryName
  /** The lowest level that needs it. */
  readonly level: 1 | 2
  readonly requirements: readonly string[]
  readonly title: string
  /** A failure keeps Level 2 out of reach even in a category whose failures only warn. */
  readonly blocks?: boolean
  readonly run: (target: Target, tier: Tier) => Promise<Outcome>
}

/**
 * Conformance document §4. `published` marks the categories of that document; the others are this suite's own.
 * In a category that is not required a failure counts as a warning (§4.2).
 */
export const CATEGORIES = {
  'Introspection Fidelity': { level: 1, required: true, published: true },
  'Parameter Handling': { level: 1, required: true, published: true },
  'Error Quality': { level: 1, required: true, published: true },
  'Round-Trip Integrity': { level: 1, required: true, published: true },
  'Level 2 Features': { level: 2, required: false, published: true },
  'Constraint Documentation': { level: 2, required: false, published: true },
  'Semantic Evaluation': { level: 2, required: false, published: true },
  'MCP Basics': { level: 1, required: true, published: false },
  Tools: { level: 1, required: true, published: false },
  'Request Format': { level: 1, required: true, published: false },
  Updates: { level: 1, required: true, published: false },
  Responses: { level: 1, required: true, published: false },
  'Introspection Details': { level: 1, required: true, published: false },
  Endpoints: { level: 1, required: true, published: false },
  'Data Types': { level: 1, required: true, published: false },
  Batches: { level: 2, required: true, published: false },
  'Field Selection': { level: 2, required: true, published: false },
  Collections: { level: 2, required: true, published: false },
  Pagination: { level: 2, required: true, published: false },
  Aggregation: { level: 2, required: true, published: false },
  'Computed Fields': { level: 2, required: true, published: false },
  Relationships: { level: 2, required: true, published: false },
  Concurrency: { level: 2, required: true, published: false },
  'Human Control': { level: 2, required: true, published: false },
  Lifecycle: { level: 2, required: true, published: false },
  Encoding: { level: 1, required: true, published: false },
  Leaks: { level: 1, required: true, published: false },
  'Clean-up': { level: 1, required: false, published: false },
} as const satisfies Record<string, CategoryRow>

export type CategoryName = keyof typeof CATEGORIES

export function defineCheck(check: Check): Check {
  return Object.freeze(check)
}

/** The checks of one category, one row each. */
export function checksOf(
  category: CategoryName,
  level: 1 | 2,
  rows: readonly Omit<Check, 'category' | 'level'>[],
): readonly Check[] {
  return Object.freeze(rows.map((row) => defineCheck({ category, level, ...row })))
}

export function passed(message?: string, evidence?: unknown): Outcome {
  return outcome('PASS', message, evidence)
}

export function failed(message: string, evidence?: unknown): Outcome {
  return outcome('FAIL', message, evidence)
}

export function warned(message: string, evidence?: unknown): Outcome {
  return outcome('WARN', message, evidence)
}

export function skipped(message: string): Outcome {
  return outcome('SKIP', message)
}

/** The usual end of a check: nothing tested is SKIP, any fault is FAIL (WARN where the rule is a SHOULD). */
export function verdict(tested: number, what: string, faults: readonly string[], level: 'must' | 'should' = 'must') {
  if (faults.length > 0) return (level === 'must' ? failed : warned)(listed(faults))
  if (tested === 0) return skipped(`The server offers no ${what} to test.`)
  return passed(`${what.charAt(0).toUpperCase()}${what.slice(1)}: ${tested}.`)
}

function listed(faults: readonly string[]): string {
  const more = faults.length - SHOWN
  return faults.slice(0, SHOWN).join(' · ') + (more > 0 ? ` · and ${more} more` : '')
}

function outcome(result: Result, message?: string, evidence?: unknown): Outcome {
  return { result, ...(message !== undefined && { message }), ...(evidence !== undefined && { evidence }) }
}

const SHOWN = 5

interface CategoryRow {
  readonly level: 1 | 2
  readonly required: boolean
  readonly published: boolean
}
