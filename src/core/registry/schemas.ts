import type { Ajv2020, CodeKeywordDefinition } from 'ajv/dist/2020.js'
import { canonicalJson } from '../canonical-json.ts'
import type { SchemaFault } from './check-value.ts'
import { isUrl } from './json-formats.ts'
import type { Budget, Pattern } from './patterns.ts'

/** What the check of one value may cost, and the patterns that are a part of it. */
export interface Means {
  readonly budget: Budget
  /** Called before each value. */
  readonly refill: () => void
  readonly compilePattern: (source: string) => Pattern
}

type Schema = Readonly<Record<string, unknown>>
type SchemaCheck = (value: unknown) => SchemaFault | undefined
/** Writes the code that checks one keyword. */
type Write = CodeKeywordDefinition['code']
type Ajv = Pick<typeof import('ajv/dist/2020.js'), '_' | 'nil'>
/** Throws once the budget is spent. */
type Spend = (steps: number) => void

/**
 * Alternatives inside alternatives of a schema that contains itself can take exponential time, and long lists in it
 * are compared with long lists of values: every keyword that is looked at is counted, and a value that needs more than
 * the budget is refused.
 */
export async function loadSchemas({ budget, refill, compilePattern }: Means): Promise<(schema: Schema) => SchemaCheck> {
  const library = await import('ajv/dist/2020.js')
  const { default: formats } = await import('ajv-formats')
  const spend: Spend = (steps) => {
    budget.steps -= steps
    if (budget.steps < 0) throw SPENT
  }
  const regExp = Object.assign((source: string) => counted(source, compilePattern(source), budget), { code: 'counted' })
  const ajv = new library.Ajv2020({
    strict: false,
    allErrors: false,
    logger: false,
    // A JSON Pointer would escape a key, however long, each time that anything under it does not fit.
    jsPropertySyntax: true,
    code: { regExp: regExp as never },
  })
  formats.default(ajv)
  countFormats(ajv, spend)
  addUniqueItems(ajv, spend)
  const memory = createMemory()
  rewrite(ajv, library, spend, memory)
  return (schema) => {
    const validate = unlimited(budget, () => ajv.compile(schema))
    return (value) => {
      refill()
      try {
        return validate(value) ? undefined : faultOf(validate.errors?.[0])
      } catch (cause) {
        if (cause !== SPENT && !isStackOverflow(cause)) throw cause
        return TOO_DEAR
      } finally {
        memory.clear()
      }
    }
  }
}

const SPENT = new Error('the budget of a check is spent')

/** A schema that refers to itself without looking into the value has no end. */
function isStackOverflow(cause: unknown): boolean {
  return cause instanceof RangeError && cause.message.includes('call stack')
}

const TOO_DEAR: SchemaFault = {
  path: '',
  message: 'a smaller value, because of the schema: this one takes too many steps to check',
  isType: false,
}

/** What a schema says of itself is checked when it is compiled, which is no work that a caller could cause. */
function unlimited<T>(budget: Budget, work: () => T): T {
  const { steps } = budget
  budget.steps = Number.POSITIVE_INFINITY
  try {
    return work()
  } finally {
    budget.steps = steps
  }
}

/** Ajv keys its pattern cache by `toString()` of what the factory returns. */
function counted(source: string, { test }: Pattern, budget: Budget) {
  return {
    toString: () => `/${source}/`,
    test(text: string): boolean {
      const isFound = test(text, budget)
      if (isFound === undefined) throw SPENT
      return isFound
    },
  }
}

function countFormats(ajv: Ajv2020, spend: Spend): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    const test = name === 'url' ? isUrl : textTest(format)
    if (!test) continue
    const validate = (text: string) => {
      spend(STEP + CHARACTER * text.length)
      return test(text)
    }
    ajv.addFormat(name, { type: 'string', validate })
  }
}

/** Undefined for those that numbers have, and for those that any text has. */
function textTest(format: unknown): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === 'function') return format as (text: string) => boolean
  const { type = 'string', validate } = Object(format) as { readonly type?: string; readonly validate?: unknown }
  return type === 'string' && validate !== undefined ? textTest(validate) : undefined
}

/** Ajv compares every item with every other, which takes seconds for ten thousand; equal ones have the same text. */
function addUniqueItems(ajv: Ajv2020, spend: Spend): void {
  const textOf = (item: unknown) => {
    const text = canonicalJson(item)
    spend(STEP + CHARACTER * text.length)
    return text
  }
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly unknown[]) =>
      !isWanted || new Set(items.map(textOf)).size === items.length,
  })
}

/** Each keyword counts before it looks at a value; those that would take too long for what they say are replaced. */
function rewrite(ajv: Ajv2020, library: Ajv, spend: Spend, memory: Memory): void {
  const rules = ajv.RULES.all as Readonly<Record<string, { readonly definition: { code?: Write } } | undefined>>
  const codeOf = (keyword: string): Write => {
    const code = rules[keyword]?.definition.code
    if (!code) throw new Error(`the schema engine has no ${keyword}`)
    return code
  }
  const refer = codeOf('$ref')
  ajv.addKeyword({ keyword: REFERENCE, schemaType: 'string', code: refer })
  const replaced: Readonly<Record<string, Write>> = {
    $ref: remembering(refer, library, memory),
    enum: comparing(codeOf('enum'), library, spend),
    const: comparing(codeOf('const'), library, spend),
  }
  for (const [keyword, rule] of Object.entries(rules)) {
    const code = replaced[keyword] ?? rule?.definition.code
    if (rule && code) rule.definition.code = counting(keyword, code, library, spend)
  }
}

/** In the units of a pattern's step, each as long as the machine takes at most. */
const STEP = 8
const CHARACTER = 2

/** What a keyword costs for itself and for each part of what it says, where that is more than one step. */
const COSTS: Readonly<Record<string, number>> = { anyOf: 64, oneOf: 64, if: 32, $ref: 64 }

function counting(keyword: string, write: Write, { _ }: Ajv, spend: Spend): Write {
  return (cxt, type) => {
    const { gen, data, schema } = cxt
    const parts = SEARCHED.has(keyword) || !isComposite(schema) ? 0 : Object.keys(schema).length
    const steps = (COSTS[keyword] ?? STEP) * (1 + parts)
    const counter = gen.scopeValue('func', { ref: spend })
    if (ITERATING.has(keyword)) {
      const size = gen.scopeValue('func', { ref: stepsThrough })
      gen.code(_`${counter}(${steps} + ${size}(${data}))`)
    } else gen.code(_`${counter}(${steps})`)
    write(cxt, type)
  }
}

/** Not gone through one by one. */
const SEARCHED: ReadonlySet<string> = new Set(['enum', 'const'])

/** They look at each element, key or character of a value. */
const ITERATING: ReadonlySet<string> = new Set([
  ...['items', 'contains', 'additionalItems', 'unevaluatedItems'],
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength'],
])

function stepsThrough(value: unknown): number {
  if (typeof value === 'string') return CHARACTER * value.length
  if (Array.isArray(value)) return STEP * value.length
  let count = 0
  for (const _ in Object(value)) count++
  return count > MANY_KEYS ? 8 * STEP * count : STEP * count
}

/** An object of more keys is a table, which takes longer to list. */
const MANY_KEYS = 500

/** Values without parts are found at once, whatever the number of those that are allowed. */
function comparing(write: Write, { _ }: Ajv, spend: Spend): Write {
  return (cxt, type) => {
    const allowed: readonly unknown[] = cxt.keyword === 'enum' ? (cxt.schema as readonly unknown[]) : [cxt.schema]
    if (allowed.length > 0 && allowed.length <= FEW && !allowed.some(isComposite)) return write(cxt, type)
    const plain = new Set(allowed.filter((each) => !isComposite(each)))
    const composite = allowed.filter(isComposite)
    const isAllowed = (value: unknown) => plain.has(value) || composite.some((each) => isSame(each, value, spend))
    cxt.pass(_`${cxt.gen.scopeValue('func', { ref: isAllowed })}(${cxt.data})`)
  }
}

/** As many are compared one by one as fast as they are looked up. */
const FEW = 8

function isSame(allowed: unknown, value: unknown, spend: Spend): boolean {
  if (!isComposite(allowed) || !isComposite(value)) return allowed === value
  spend(STEP + stepsThrough(value))
  const names = Object.keys(value)
  return (
    Array.isArray(allowed) === Array.isArray(value) &&
    names.length === Object.keys(allowed).length &&
    names.every((name) => Object.hasOwn(allowed, name) && isSame(allowed[name], value[name], spend))
  )
}

function isComposite(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

/** What a reference has come to for the parts of the value that is being checked. */
interface Memory {
  readonly known: (reference: string, value: unknown) => boolean | undefined
  readonly learn: (reference: string, value: unknown, isValid: boolean) => void
  readonly clear: () => void
}

function createMemory(): Memory {
  const results = new Map<string, Map<unknown, boolean>>()
  return {
    known: (reference, value) => results.get(reference)?.get(value),
    learn(reference, value, isValid) {
      if (!isComposite(value)) return
      const known = results.get(reference)
      if (known) known.set(value, isValid)
      else results.set(reference, new Map([[value, isValid]]))
    },
    clear() {
      if (results.size > 0) results.clear()
    },
  }
}

/** The keyword of Ajv's own that follows a reference. */
const REFERENCE = 'x-mcpaql-reference'

/** A part of a value is asked once whether it fits, so that expressions inside expressions take linear time. */
function remembering(refer: Write, { _, nil }: Ajv, memory: Memory): Write {
  return (cxt, type) => {
    const { gen, data, it, schema: target } = cxt
    if (dependsOnPath(it.schemaEnv.root.schema)) return refer(cxt, type)
    const remembered = gen.scopeValue('obj', { ref: memory })
    const reference = `${it.baseId} ${target}`
    const isValid = gen.let('valid', _`${remembered}.known(${reference}, ${data})`)
    const found = gen.name('valid')
    const schema = { [REFERENCE]: target }
    const topSchemaRef = gen.scopeValue('schema', { ref: schema })
    gen.if(_`${isValid} === undefined`)
    cxt.subschema({ schema, schemaPath: nil, topSchemaRef, errSchemaPath: String(target), dataTypes: [] }, found)
    gen.assign(isValid, found)
    gen.code(_`${remembered}.learn(${reference}, ${data}, ${isValid})`)
    gen.elseIf(_`!${isValid}`)
    cxt.error()
    gen.endIf()
    cxt.ok(isValid)
  }
}

/** These look at more than one part of a value and its schema: what else was looked at on the way to it. */
function dependsOnPath(root: unknown): boolean {
  if (!isComposite(root)) return false
  const known = DEPENDENT.get(root)
  if (known !== undefined) return known
  const found = /"(?:unevaluated|\$dynamic|\$recursive)/.test(JSON.stringify(root))
  DEPENDENT.set(root, found)
  return found
}

const DEPENDENT = new WeakMap<object, boolean>()

interface AjvError {
  readonly keyword: string
  readonly instancePath: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
}

function faultOf(error: AjvError | undefined): SchemaFault {
  const isType = error?.keyword === 'type'
  const message = isType ? String(error.params.type) : neutral(error?.message)
  return { path: dotted(error?.instancePath ?? ''), message, isType }
}

/** ERR-05: some messages of the validator ("must match format …") would trip the published leak check. */
function neutral(message = 'a value as documented'): string {
  const text = message.replace(/^must match format /, 'a value of the kind ')
  return /at\s/i.test(text) ? 'a value as documented' : text
}

/** `.tags[2]['name']` as `.tags[2].name`. */
function dotted(path: string): string {
  return path.replace(/\[(?:'([^']*)'|"([^"]*)")\]/g, '.$1$2')
}
