import type { Matchers } from './check-value.ts'
import type { Param } from './param.ts'
import { type Budget, fullBudget, loadPatterns, type Pattern } from './patterns.ts'
import { loadSchemas } from './schemas.ts'
import { WALK } from './walk.ts'

/**
 * Loads the pattern and schema engines, each only when some row needs it: most adapters need neither, and start-up
 * must not pay for them.
 */
export async function loadMatchers(params: Iterable<Param>): Promise<Matchers> {
  const needs = { pattern: false, schema: false }
  for (const param of params) collectNeeds(param, needs)
  if (!needs.pattern && !needs.schema) return { pattern: absent, schema: absent }
  const compilePattern = await loadPatterns()
  engine = compilePattern
  return {
    pattern(source) {
      const { test, longest } = compilePattern(source)
      return {
        longest,
        test(text) {
          refill()
          return test(text, budget)
        },
      }
    },
    schema: needs.schema ? await loadSchemas({ budget, refill, compilePattern }) : absent,
  }
}

function collectNeeds(param: Param, needs: { pattern: boolean; schema: boolean }): void {
  if (param.pattern !== undefined) needs.pattern = true
  if (param.schema !== undefined) needs.schema = true
  if (param.items) collectNeeds(param.items, needs)
  for (const field of Object.values(param.fields ?? {})) collectNeeds(field, needs)
}

const absent = () => {
  throw new Error('engine was not loaded')
}

/** The values of one request are checked without a pause between them, and share a budget. */
const budget: Budget = fullBudget()
let isFilled = false

function refill(): void {
  if (isFilled) return
  isFilled = true
  budget.steps = fullBudget().steps
  queueMicrotask(() => {
    isFilled = false
  })
}

/** Loaded for the first row that needs it. */
let engine: ((source: string) => Pattern) | undefined

/** Could the text match? False only where the engine says so: without it, or for a pattern that it refuses, nobody knows. */
export function couldMatch(source: string): (text: string) => boolean {
  return (text) => {
    const pattern = COMPILED.get(source) ?? compiled(source)
    if (!pattern) return true
    const isFound = pattern.test(text, WALK)
    if (isFound === undefined) WALK.steps = -1
    return isFound !== false
  }
}

/** Patterns come from adapters, so there are not many. */
const COMPILED = new Map<string, Pattern>()

function compiled(source: string): Pattern | undefined {
  if (!engine) return undefined
  let pattern: Pattern = { longest: Number.POSITIVE_INFINITY, test: () => true }
  try {
    pattern = engine(source)
  } catch {
    // It stays as it is: the text could match.
  }
  COMPILED.set(source, pattern)
  return pattern
}
