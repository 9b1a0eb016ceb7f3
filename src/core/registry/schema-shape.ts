import { isObject } from './check-value.ts'
import { lazy, type Shape, type Shapes } from './shape.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * What of a value is sensitive by its JSON Schema: `sensitive: true` may stand in any schema inside it. A name that
 * several keywords could describe is looked for in all of them.
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

/** Keywords that hold one schema, or a list of them. */
const SAME = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']
const REFERENCES = ['$ref', '$dynamicRef']
const OTHER_FIELDS = ['additionalProperties', 'unevaluatedProperties']
const ELEMENTS = ['items', 'prefixItems', 'contains', 'unevaluatedItems', 'additionalItems']

function makeShape(schema: Schema, shapeOf: (inner: Schema) => Shape, root: Schema): Shape {
  const shapes = (found: readonly unknown[]): Shapes => found.filter(isObject).map(shapeOf)
  const at = (keywords: readonly string[]) => keywords.flatMap((keyword) => schema[keyword] ?? [])
  const named = new Map(
    Object.entries(tableAt(schema, 'properties')).map(([name, inner]) => [name, lazy(() => shapes([inner]))]),
  )
  const others = lazy(() => shapes([...at(OTHER_FIELDS), ...Object.values(tableAt(schema, 'patternProperties'))]))
  return {
    ...(schema.sensitive === true && { hides: () => true }),
    also: lazy(() =>
      shapes([
        ...at(SAME),
        ...Object.values(tableAt(schema, 'dependentSchemas')),
        ...REFERENCES.map((keyword) => referred(schema[keyword], root)),
      ]),
    ),
    field: (name) => named.get(name)?.() ?? others(),
    fields: lazy(() => [...[...named.values()].flatMap((list) => list()), ...others()]),
    items: lazy(() => shapes(at(ELEMENTS))),
  }
}

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
