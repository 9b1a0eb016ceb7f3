import type { Param } from './param.ts'
import { mentionsSensitive, schemaShape } from './schema-shape.ts'
import { lazy, type Shape, type Shapes } from './shape.ts'
import type { ObjectType, TypeDefinition } from './type.ts'

/** VAL-10: one place in a value, and what of it is declared sensitive, by whatever way its declaration is reached. */
export interface Place {
  /** Is the value at this place sensitive as a whole? */
  readonly hides: (value: unknown) => boolean
  /** Nothing here or further inside is sensitive. */
  readonly isPlain: () => boolean
  /** Where the elements of an array stand. */
  readonly items: () => Place
  /** Undefined where nothing is declared. */
  readonly field: (name: string) => Place | undefined
}

export type Types = ReadonlyMap<string, TypeDefinition>

export interface Places {
  readonly row: (row: Param) => Shape
  readonly place: (shapes: Shapes) => Place
}

/** The places of one table of types. Types that contain themselves give finitely many. */
export function placesOf(types: Types): Places {
  const known = PLACES.get(types)
  if (known) return known
  const made: Places = { row: rowShapes(types), place: createPlaces() }
  PLACES.set(types, made)
  return made
}

const PLACES = new WeakMap<Types, Places>()

/** Is there anything sensitive in what these describe? */
export function canHide(shapes: Shapes): boolean {
  const seen = new Set<Shape>(shapes)
  // A set that grows while it is walked is walked to its end.
  for (const { hides, also, items, fields } of seen) {
    if (hides) return true
    for (const next of [also, items, fields]) for (const shape of next?.() ?? NONE) seen.add(shape)
  }
  return false
}

/** Is what stands there, or something inside it, sensitive? Null says that there is nothing to hide. */
export function isHidden(value: unknown, place: Place | undefined): boolean {
  if (!place || value === undefined || value === null || place.isPlain()) return false
  if (place.hides(value)) return true
  if (Array.isArray(value)) return value.some((item) => isHidden(item, place.items()))
  if (typeof value !== 'object') return false
  return Object.entries(value).some(([name, inner]) => isHidden(inner, place.field(name)))
}

/** Is the field at the end of a dotted path sensitive, or one on the way to it? */
export function isSensitivePath({ fields }: Pick<ObjectType, 'fields'>, path: string, types: Types): boolean {
  const { row, place } = placesOf(types)
  let at: Place | undefined = place([row({ type: 'object', fields })])
  for (const step of path.split('.')) {
    at = at.items().field(step)
    if (!at) return false
    if (at.hides(path) || at.items().hides(path)) return true
  }
  return false
}

const NONE: Shapes = Object.freeze([])

function rowShapes(types: Types): (row: Param) => Shape {
  const ofRow = new WeakMap<Param, Shape>()
  const ofType = new Map<TypeDefinition, Shape>()

  const shapeOf = (row: Param): Shape => {
    const known = ofRow.get(row)
    if (known) return known
    const { fields = {}, items, schema } = row
    const lists = new Map(Object.entries(fields).map(([name, field]) => [name, lazy(() => [shapeOf(field)])]))
    const made: Shape = {
      ...(row.sensitive && { hides: always }),
      also: lazy(() => [...namedIn(row.type), ...(schema && mentionsSensitive(schema) ? [schemaShape(schema)] : [])]),
      field: (name) => lists.get(name)?.() ?? NONE,
      fields: lazy(() => [...lists.values()].flatMap((list) => list())),
      ...(items && { items: lazy(() => [shapeOf(items)]) }),
    }
    ofRow.set(row, made)
    return made
  }

  const namedIn = (text: string): Shapes =>
    (text.match(/\w+/g) ?? []).flatMap((name) => {
      const type = types.get(name)
      return type ? [typeShape(type)] : []
    })

  const typeShape = (type: TypeDefinition): Shape => {
    const known = ofType.get(type)
    if (known) return known
    const made = makeType(type)
    ofType.set(type, made)
    return made
  }

  const makeType = (type: TypeDefinition): Shape => {
    switch (type.kind) {
      case 'object':
        return shapeOf({ type: 'object', fields: type.fields })
      case 'union':
        return { also: lazy(() => type.members.flatMap(namedIn)) }
      case 'enum':
      case 'scalar':
        return {}
    }
  }

  return shapeOf
}

function createPlaces(): Places['place'] {
  const ofList = new WeakMap<Shapes, Place>()
  const ofLists = new Map<string, Place>()
  const ids = new WeakMap<Shapes, number>()
  let count = 0

  const idOf = (list: Shapes): number => {
    const known = ids.get(list)
    if (known !== undefined) return known
    ids.set(list, ++count)
    return count
  }

  const join = (lists: readonly Shapes[]): Place => {
    const [only = NONE, ...others] = [...new Set(lists)]
    if (others.length === 0) return single(only)
    const all = [only, ...others].toSorted((a, b) => idOf(a) - idOf(b))
    const key = all.map(idOf).join()
    const place = ofLists.get(key) ?? make(all)
    ofLists.set(key, place)
    return place
  }

  const single = (list: Shapes): Place => {
    const place = ofList.get(list) ?? make([list])
    ofList.set(list, place)
    return place
  }

  const make = (lists: readonly Shapes[]): Place => {
    const shapes = withOthers(lists.flat())
    const hiding = shapes.flatMap(({ hides }) => hides ?? [])
    const holding = shapes.flatMap(({ field }) => field ?? [])
    return {
      hides: (value) => hiding.some((hides) => hides(value)),
      items: lazy(() => join([...lists, ...shapes.flatMap(({ items }) => (items ? [items()] : []))])),
      isPlain: lazy(() => !canHide(shapes)),
      field: (name) => {
        let found: Shapes | undefined
        let others: Shapes[] | undefined
        for (const field of holding) {
          const list = field(name)
          if (list.length === 0) continue
          if (!found) found = list
          else if (others) others.push(list)
          else others = [list]
        }
        if (!found) return undefined
        return others ? join([found, ...others]) : single(found)
      },
    }
  }

  return single
}

function withOthers(shapes: Shapes): Shapes {
  const all = new Set(shapes)
  for (const { also } of all) for (const other of also?.() ?? NONE) all.add(other)
  return [...all]
}

const always = () => true
