import { canonicalJson } from '../canonical-json.ts'
import type { Matchers, SchemaFault } from './check-value.ts'
import type { Param } from './param.ts'
import { type Budget, fullBudget, loadPatterns } from './patterns.ts'

/**
 * Loads the pattern and schema engines, each only when some row needs it: most adapters need neither, and start-up
 * must not pay for them.
 */
export async function loadMatchers(params: Iterable<Param>): Promise<Matchers> {
  const needs = { pattern: false, schema: false }
  for (const param of params) collectNeeds(param, needs)
  const pattern = needs.pattern || needs.schema ? await loadBudgeted() : absent
  return { pattern, schema: needs.schema ? await loadSchemas(pattern) : absent }
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
async function loadBudgeted(): Promise<Matchers['pattern']> {
  const compile = await loadPatterns()
  let budget: Budget | undefined
  const shared = (): Budget => {
    if (budget) return budget
    queueMicrotask(() => {
      budget = undefined
    })
    budget = fullBudget()
    return budget
  }
  engine = (source) => {
    const { test, longest } = compile(source)
    return { longest, test: (text) => test(text, shared()) }
  }
  return engine
}

/** Loaded for the first row that needs it. */
let engine: Matchers['pattern'] | undefined

/** Could the text match? False only where the engine says so: without it, or for a pattern that it refuses, nobody knows. */
export function couldMatch(source: string): (text: string) => boolean {
  return (text) => (COMPILED.get(source) ?? compiled(source))?.test(text) !== false
}

/** Patterns come from adapters, so there are not many. */
const COMPILED = new Map<string, ReturnType<Matchers['pattern']>>()

function compiled(source: string): ReturnType<Matchers['pattern']> | undefined {
  if (!engine) return undefined
  let matcher: ReturnType<Matchers['pattern']> = { longest: 0, test: () => undefined }
  try {
    matcher = engine(source)
  } catch {
    // It stays as it is: the text could match.
  }
  COMPILED.set(source, matcher)
  return matcher
}

async function loadSchemas(pattern: Matchers['pattern']): Promise<Matchers['schema']> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const formats = await import('ajv-formats')
  // Ajv keys its pattern cache by `toString()` of what the factory returns.
  const linear = (source: string) => {
    const { test } = pattern(source)
    return { test: (text: string) => test(text) === true, toString: () => `/${source}/` }
  }
  const regExp = Object.assign(linear, { code: 'linear' })
  const ajv = new Ajv2020({ strict: false, allErrors: false, code: { regExp: regExp as never } })
  formats.default.default(ajv)
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly unknown[]) => !isWanted || areUnique(items),
  })
  return (schema) => {
    const validate = ajv.compile(schema)
    return (value): SchemaFault | undefined => {
      if (validate(value)) return undefined
      const [error] = validate.errors ?? []
      const isType = error?.keyword === 'type'
      const message = isType ? String(error.params.type) : neutral(error?.message)
      return { path: dotted(error?.instancePath ?? ''), message, isType }
    }
  }
}

/** Ajv compares every item with every other, which takes seconds for ten thousand; equal ones have the same text. */
function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonicalJson)).size === items.length
}

/** ERR-05: some messages of the validator ("must match format …") would trip the published leak check. */
function neutral(message = 'a value as documented'): string {
  const text = message.replace(/^must match format /, 'a value of the kind ')
  return /at\s/i.test(text) ? 'a value as documented' : text
}

/** `/tags/2/name` as `.tags[2].name`. */
function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('')
}
