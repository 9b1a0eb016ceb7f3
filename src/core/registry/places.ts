import type { Param } from './param.ts'
import { mentionsSensitive, schemaShape } from './schema-shape.ts'
import { type Branch, lazy, type Shape, type Shapes } from './shape.ts'
import type { ObjectType, TypeDefinition } from './type.ts'
import { parseType } from './type-grammar.ts'
import { isWalkSpent, startWalk, walkOn } from './walk.ts'

/** VAL-10: one place in a value, and what of it is declared sensitive, by whatever way its declaration is reached. */
export interface Place {
  /** Is the value at this place sensitive as a whole? */
  readonly hides: (value: unknown) => boolean
  /** Nothing here or further inside is sensitive. */
  readonly isPlain: () => boolean
  /** The same place with what is known of it by its value: which member of a union it is, which alternative. */
  readonly of: (value: unknown) => Place
  /** Where the element of an array stands. */
  readonly items: (at: number) => Place
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
  return someShape(shapes, ({ hides }) => hides !== undefined)
}

/** Does it depend on the value what of it is sensitive? */
export function hasAlternatives(shapes: Shapes): boolean {
  return someShape(shapes, ({ branches, cases }) => (branches ?? cases) !== undefined)
}

function someShape(shapes: Shapes, isIt: (shape: Shape) => boolean): boolean {
  const seen = new Set<Shape>(shapes)
  // A set that grows while it is walked is walked to its end.
  for (const shape of seen) {
    if (isIt(shape)) return true
    const { also, branches, cases, elements, fields } = shape
    for (const next of [also, elements, fields]) for (const shape of next?.() ?? NONE) seen.add(shape)
    for (const next of [branches, cases]) for (const { shape } of next?.() ?? []) seen.add(shape)
  }
  return false
}

/** Is what stands there, or something inside it, sensitive? Null says that there is nothing to hide. */
export function isHidden(value: unknown, place: Place | undefined): boolean {
  startWalk()
  return isHiddenAt(value, place)
}

function isHiddenAt(value: unknown, place: Place | undefined): boolean {
  if (!place || value === undefined || value === null || place.isPlain()) return false
  const here = place.of(value)
  if (here.hides(value) || isWalkSpent()) return true
  if (Array.isArray(value)) return value.some((item, at) => isWalkSpent() || isHiddenAt(item, here.items(at)))
  if (typeof value !== 'object') return false
  return Object.entries(value).some(([name, inner]) => isHiddenAt(inner, here.field(name)))
}

/** Is the field at the end of a dotted path sensitive, or one on the way to it? */
export function isSensitivePath({ fields }: Pick<ObjectType, 'fields'>, path: string, types: Types): boolean {
  const { row, place } = placesOf(types)
  startWalk()
  let at: Place | undefined = place([row({ type: 'object', fields })])
  for (const step of path.split('.')) {
    at = at.items(0).field(step)
    if (!at) return false
    if (at.hides(path) || at.items(0).hides(path)) return true
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
    const elements = lazy((): Shapes => [made, ...(items ? [shapeOf(items)] : [])])
    const made: Shape = {
      ...(row.sensitive && { hides: always }),
      also: lazy(() => (schema && mentionsSensitive(schema) ? [schemaShape(schema)] : NONE)),
      branches: lazy(() => namedIn(row.type)),
      field: (name) => lists.get(name)?.() ?? NONE,
      fields: lazy(() => [...lists.values()].flatMap((list) => list())),
      // Its type may be that of a list: then the row describes the elements.
      items: elements,
      elements,
    }
    ofRow.set(row, made)
    return made
  }

  const namedIn = (text: string): readonly Branch[] =>
    (text.match(/\w+/g) ?? []).flatMap((name) => {
      const type = types.get(name)
      return type ? [{ shape: typeShape(type), fits: (value: unknown) => fitsType(value, type, types) }] : []
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
      case 'object': {
        // Of a list of them the row that names the type describes the elements.
        const { items: _, elements: __, ...shape } = shapeOf({ type: 'object', fields: type.fields })
        return shape
      }
      case 'union':
        return { branches: lazy(() => type.members.flatMap(namedIn)) }
      case 'enum':
      case 'scalar':
        return {}
    }
  }

  return shapeOf
}

/**
 * Could the value be of that type? By its keys and by the kinds of what stands under them, not further inside: false only
 * where a key is unknown to the type, one that it needs is missing, or a value is of another kind.
 */
function fitsType(value: unknown, type: TypeDefinition, types: Types, depth = 0): boolean {
  switch (type.kind) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
      const { fields } = type
      const given = value as Readonly<Record<string, unknown>>
      const declared = Object.keys(fields)
      if (!walkOn(LOOK * declared.length)) return true
      if (declared.some((name) => fields[name]?.required && !Object.hasOwn(given, name))) return false
      const names = Object.keys(given)
      return (
        !walkOn(KEY * names.length) ||
        names.every((name) => Object.hasOwn(fields, name) && fitsKind(given[name], fields[name]))
      )
    }
    case 'union':
      // Unions may hold each other.
      return (
        depth > DEEPEST ||
        !walkOn(LOOK * type.members.length) ||
        type.members.some((member) => {
          const named = types.get(member)
          return named ? fitsType(value, named, types, depth + 1) : fitsKind(value, { type: member })
        })
      )
    case 'enum':
    case 'scalar':
      return typeof value !== 'object'
  }
}

const DEEPEST = 8

/** What it costs to look at one field or member of a type, and at one key of a value. */
const LOOK = 10
const KEY = 10

function fitsKind(value: unknown, row: Param | undefined): boolean {
  const alternatives = row && alternativesOf(row.type)
  if (!alternatives || value === null) return true
  return alternatives.some(({ base, depth }) => {
    if (depth > 0 || base === 'array') return Array.isArray(value)
    const kind = KINDS[base]
    return kind === undefined || (typeof value === kind && !Array.isArray(value))
  })
}

/** Types are declared, so there are not many. */
const ALTERNATIVES = new Map<string, ReturnType<typeof parseType>>()

function alternativesOf(type: string): ReturnType<typeof parseType> {
  const known = ALTERNATIVES.get(type)
  if (known || ALTERNATIVES.has(type)) return known
  const parsed = parseType(type)
  ALTERNATIVES.set(type, parsed)
  return parsed
}

/** Of the built-in types; what stands under a name of the adapter's own is not looked at. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
}

function createPlaces(): Places['place'] {
  const ofList = new WeakMap<Shapes, Place>()
  const ofLists = new Map<string, Place>()
  const ofShape = new WeakMap<Shape, Shapes>()
  const ofValues = new Map<string, Place>()
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

  const alone = (shape: Shape): Shapes => {
    const known = ofShape.get(shape)
    if (known) return known
    const made: Shapes = [shape]
    ofShape.set(shape, made)
    return made
  }

  /** All descriptions of the value, or, without one, all that there can be. */
  const make = (lists: readonly Shapes[], isNarrowed = false): Place => {
    const shapes = isNarrowed ? lists.flat() : withOthers(lists.flat(), undefined)
    const hiding = shapes.flatMap(({ hides }) => hides ?? [])
    const holding = shapes.flatMap(({ field }) => field ?? [])
    const isOpen = !isNarrowed && shapes.some(({ branches, cases }) => (branches ?? cases) !== undefined)
    const place: Place = {
      of: (value) => {
        if (!isOpen || !walkOn(NARROWING)) return place
        const fitting = withOthers(lists.flat(), { value })
        return isWalkSpent() ? place : narrowed(fitting)
      },
      hides: (value) => hiding.some((hides) => hides(value)),
      items: (at) => {
        if (isNarrowed || isOpen) walkOn(JOINING)
        return join(shapes.flatMap(({ items }) => (items ? [items(at)] : [])))
      },
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
    return place
  }

  const narrowed = (shapes: Shapes): Place => {
    const lists = shapes.map(alone)
    const key = lists
      .map(idOf)
      .toSorted((a, b) => a - b)
      .join()
    const known = ofValues.get(key)
    if (known) return known
    const made = make(lists, true)
    if (ofValues.size < MOST_KEPT) ofValues.set(key, made)
    return made
  }

  return single
}

/** What it costs to tell which alternatives a value is, and what it costs to look at one of them. */
const NARROWING = 150
const ALTERNATIVE = 30

/** What it costs to find the place of an element where alternatives are near. */
const JOINING = 100

/** A caller chooses the values, and with them which places are made. */
const MOST_KEPT = 10_000

function withOthers(shapes: Shapes, given: { readonly value: unknown } | undefined): Shapes {
  const all = new Set(shapes)
  for (const { also, branches, cases } of all) {
    if (given && !walkOn(ALTERNATIVE)) return NONE
    for (const other of also?.() ?? NONE) all.add(other)
    const chosen = branches?.() ?? []
    const fitting = given ? chosen.filter(({ fits }) => fits(given.value)) : chosen
    for (const { shape } of fitting.length > 0 ? fitting : chosen) all.add(shape)
    for (const { shape, fits } of cases?.() ?? []) if (!given || fits(given.value)) all.add(shape)
  }
  return [...all]
}

const always = () => true
