import { isObject } from './check-value.ts'
import { couldMatch } from './matchers.ts'
import { type Branch, lazy, type Shape, type Shapes } from './shape.ts'
import { walkOn } from './walk.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * What of a value is sensitive by its JSON Schema: `sensitive: true` may stand in any schema inside it. Of alternatives
 * those count that the value can be; where several can, what one of them calls sensitive is.
 */
export function schemaShape(schema: Schema, root: Schema = schema): Shape {
  const known = SHAPES.get(schema)
  if (known) return known
  const made = makeShape(schema, (inner) => schemaShape(inner, root), root)
  SHAPES.set(schema, made)
  return made
}

/** A large catalogue has many schemas, and hardly any says this: they are not read further at start-up. */
export function mentionsSensitive(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ((schema as Schema).sensitive === true) return true
  for (const name in schema) if (mentionsSensitive((schema as Schema)[name])) return true
  return false
}

const SHAPES = new WeakMap<Schema, Shape>()

const REFERENCES = ['$ref', '$dynamicRef']
const OTHER_FIELDS = ['additionalProperties', 'unevaluatedProperties']
const OTHER_ELEMENTS = ['additionalItems', 'unevaluatedItems']

function makeShape(schema: Schema, shapeOf: (inner: Schema) => Shape, root: Schema): Shape {
  const shapes = (found: readonly unknown[]): Shapes => found.filter(isObject).map(shapeOf)
  const at = (keywords: readonly string[]) => keywords.flatMap((keyword) => schema[keyword] ?? [])
  const branch = (inner: Schema): Branch => ({ shape: shapeOf(inner), fits: (value) => fits(value, inner, root) })
  const branches = (keyword: string): Shapes =>
    Array.isArray(schema[keyword]) ? [{ branches: lazy(() => at([keyword]).filter(isObject).map(branch)) }] : []
  return {
    ...(schema.sensitive === true && { hides: () => true }),
    also: lazy(() => [
      ...shapes([...at(['allOf']), ...REFERENCES.map((keyword) => referred(schema[keyword], root))]),
      ...branches('anyOf'),
      ...branches('oneOf'),
    ]),
    cases: lazy(() => casesOf(schema, branch, root)),
    ...fieldsOf(schema, shapes, at),
    ...elementsOf(schema, shapes, branch, at),
  }
}

/** Schemas that hold under a condition. */
function casesOf(schema: Schema, branch: (inner: Schema) => Branch, root: Schema): readonly Branch[] {
  const { if: condition, then, else: otherwise } = schema
  const dependent = Object.entries(tableAt(schema, 'dependentSchemas')).flatMap(([name, inner]) =>
    isObject(inner)
      ? [{ ...branch(inner), fits: (value: unknown) => isObject(value) && Object.hasOwn(value, name) }]
      : [],
  )
  if (!isObject(condition)) return dependent
  const holds = branch(condition)
  return [
    ...dependent,
    holds,
    ...(isObject(then) ? [{ ...branch(then), fits: holds.fits }] : []),
    ...(isObject(otherwise)
      ? [{ ...branch(otherwise), fits: (value: unknown) => !(isDecided(condition) && fits(value, condition, root)) }]
      : []),
  ]
}

type ShapesOf = (found: readonly unknown[]) => Shapes
type At = (keywords: readonly string[]) => readonly unknown[]

/** A key is described by its name and by each pattern that it matches; where nothing is, by what is said of all others. */
function fieldsOf(schema: Schema, shapes: ShapesOf, at: At): Pick<Shape, 'field' | 'fields'> {
  const named = new Map(
    Object.entries(tableAt(schema, 'properties')).map(([name, inner]) => [name, lazy(() => shapes([inner]))]),
  )
  const patterns = Object.entries(tableAt(schema, 'patternProperties')).map(([source, inner]) => ({
    matches: couldMatch(source),
    list: lazy(() => shapes([inner])),
  }))
  const others = lazy(() => shapes(at(OTHER_FIELDS)))
  const joined = new Map<string, Shapes>()
  return {
    field: (name) => {
      const own = named.get(name)
      const matching = patterns.filter(({ matches }) => matches(name))
      if (matching.length === 0) return (own ?? others)()
      const key = `${matching.map((pattern) => patterns.indexOf(pattern)).join()} ${own ? name : ''}`
      const known = joined.get(key) ?? [...(own?.() ?? []), ...matching.flatMap(({ list }) => list())]
      joined.set(key, known)
      return known
    },
    fields: lazy(() => [
      ...[...named.values()].flatMap((list) => list()),
      ...patterns.flatMap(({ list }) => list()),
      ...others(),
    ]),
  }
}

/** The first elements have schemas of their own, the others one in common. `contains` holds for those that it fits. */
function elementsOf(
  schema: Schema,
  shapes: ShapesOf,
  branch: (inner: Schema) => Branch,
  at: At,
): Pick<Shape, 'items' | 'elements'> {
  const { items, prefixItems, contains } = schema
  const first = [prefixItems, items].find(Array.isArray) as readonly unknown[] | undefined
  const some: Shapes = isObject(contains) ? [{ cases: lazy(() => [branch(contains)]) }] : []
  const heads = (first ?? []).map((inner) => lazy((): Shapes => [...shapes([inner]), ...some]))
  const rest = lazy((): Shapes => [...shapes(isObject(items) ? [items] : at(OTHER_ELEMENTS)), ...some])
  return {
    items: (index) => (heads[index] ?? rest)(),
    elements: lazy(() => [...heads.flatMap((list) => list()), ...rest()]),
  }
}

/**
 * Could the value be one of this schema? By what can be told without going far into it; false only where it is surely
 * none.
 */
function fits(value: unknown, schema: unknown, root: Schema, depth = 0): boolean {
  if (!isObject(schema) || depth > DEEPEST || !walkOn(LOOK * 3)) return schema !== false
  const inner = (each: unknown) => fits(value, each, root, depth + 1)
  const all = (keyword: string) => (Array.isArray(schema[keyword]) ? (schema[keyword] as readonly unknown[]) : [])
  const referredTo = REFERENCES.map((keyword) => referred(schema[keyword], root)).filter((each) => each !== undefined)
  return (
    fitsType(value, schema.type) &&
    fitsValue(value, schema) &&
    (!isObject(value) || fitsFields(value, schema, root, depth)) &&
    [...all('allOf'), ...referredTo].every(inner) &&
    ['anyOf', 'oneOf'].every((keyword) => all(keyword).length === 0 || all(keyword).some(inner))
  )
}

const DEEPEST = 3

/** What it costs to look at one keyword, and to list one key. */
const LOOK = 20
const KEY = 10

function fitsType(value: unknown, type: unknown): boolean {
  const names = [type].flat()
  return type === undefined || names.includes(jsonType(value)) || (names.includes('integer') && Number.isInteger(value))
}

function jsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function fitsValue(value: unknown, { const: only, enum: allowed, pattern, minLength, maxLength }: Schema): boolean {
  if (only !== undefined && only !== value && !isComposite(only)) return false
  if (Array.isArray(allowed) && !isAmong(value, allowed)) return false
  if (typeof value !== 'string') return true
  const isMeasured = minLength !== undefined || maxLength !== undefined
  const length =
    isMeasured && walkOn(LOOK * Math.min(value.length, LONGEST_COUNTED)) ? countCharacters(value) : undefined
  if (length === undefined) return typeof pattern !== 'string' || couldMatch(pattern)(value)
  if (typeof minLength === 'number' && length < Math.min(minLength, LONGEST_COUNTED / 2)) return false
  if (typeof maxLength === 'number' && length > maxLength) return false
  return typeof pattern !== 'string' || couldMatch(pattern)(value)
}

const LONGEST_COUNTED = 4_096

function countCharacters(text: string): number {
  let count = 0
  for (const _ of text.slice(0, LONGEST_COUNTED)) count++
  return count
}

function isAmong(value: unknown, allowed: readonly unknown[]): boolean {
  const known = ALLOWED.get(allowed)
  if (known) return known === ANYTHING || known.has(value)
  ALLOWED.set(allowed, allowed.some(isComposite) ? ANYTHING : new Set(allowed))
  return isAmong(value, allowed)
}

/** Lists that allow something with parts are not looked into. */
const ANYTHING: ReadonlySet<unknown> = new Set()

const ALLOWED = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

function isComposite(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function fitsFields(value: Schema, schema: Schema, root: Schema, depth: number): boolean {
  const { required, additionalProperties } = schema
  if (Array.isArray(required) && required.some((name) => !Object.hasOwn(value, String(name)))) return false
  const named = tableAt(schema, 'properties')
  const isClosed = additionalProperties === false
  const patterns = isClosed ? Object.keys(tableAt(schema, 'patternProperties')).map(couldMatch) : []
  const given = isClosed ? Object.keys(value) : Object.keys(named).filter((name) => Object.hasOwn(value, name))
  if (!walkOn(LOOK * Object.keys(named).length + KEY * given.length)) return true
  return given.every((name) => {
    if (Object.hasOwn(named, name)) return fits(value[name], named[name], root, depth + 1)
    return patterns.some((matches) => matches(name))
  })
}

/** A condition of which `fits` can say that it holds, and not only that it could. */
function isDecided(schema: unknown, depth = 0): boolean {
  if (!isObject(schema)) return true
  if (depth > DEEPEST) return false
  return Object.entries(schema).every(([keyword, held]) => {
    if (keyword === 'properties')
      return isObject(held) && Object.values(held).every((each) => isDecided(each, depth + 1))
    if (keyword === 'const') return typeof held !== 'object'
    if (keyword === 'enum') return Array.isArray(held) && held.every((each) => typeof each !== 'object')
    return DECIDED.has(keyword)
  })
}

const DECIDED: ReadonlySet<string> = new Set(['type', 'required', 'title', 'description', 'sensitive'])

function tableAt(schema: Schema, keyword: string): Schema {
  const table = schema[keyword]
  return isObject(table) ? table : {}
}

/** Inside the schema itself: there is nothing else that one could refer to. */
function referred(reference: unknown, root: Schema): unknown {
  if (typeof reference !== 'string') return undefined
  if (reference !== '#' && !reference.startsWith('#/')) return byName(reference, root)
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = unescaped(step)
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Schema)[name] : undefined
  }
  return found
}

function byName(reference: string, root: Schema): unknown {
  const definitions = ['$defs', 'definitions'].flatMap((table) => Object.values(tableAt(root, table)))
  return definitions.find(
    (each) =>
      isObject(each) &&
      (each.$id === reference || `#${each.$anchor}` === reference || `#${each.$dynamicAnchor}` === reference),
  )
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
