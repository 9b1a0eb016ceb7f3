import type { Collection } from '../query/compile-collection.ts'
import { isObject } from './check-value.ts'
import type { Operation } from './compile-operation.ts'
import type { Param } from './param.ts'
import { canHide, hasAlternatives, isSensitivePath, type Place, placesOf } from './places.ts'
import type { Shape, Shapes } from './shape.ts'

type Declared = Pick<Operation, 'params' | 'input' | 'collection' | 'types'>

/** Is some parameter sensitive, or something inside one? */
export function hasSensitive(declared: Declared): boolean {
  return declared.params.some((entry) => !isBare(entry) && canHide(shapesOf(entry, declared)))
}

/** Most rows are: a large catalogue is not to pay for them at start-up. */
function isBare({ name, param: { type, sensitive, fields, items, schema } }: Declared['params'][number]): boolean {
  return !sensitive && !fields && !items && !schema && !/[A-Z]/.test(type) && name !== 'input' && name !== 'filter'
}

/** The parameters of a call, under every name by which they can come. */
export function paramsPlace(target: Operation): Place {
  return kept(PARAMS, target, () => placesOf(target.types).place([paramsShape(target)]))
}

/** Does it depend on the values of the parameters what of them is sensitive? */
export function dependsOnValues(target: Operation): boolean {
  return kept(DEPENDENT, target, () => hasAlternatives([paramsShape(target)]))
}

/** One parameter of the operation, as the caller names it. */
export function isSensitiveParam(target: Operation, name: string): boolean {
  const entry = target.params.find((each) => each.name === name)
  return entry !== undefined && canHide(shapesOf(entry, target))
}

/** What the operation answers. */
export function answerPlace(target: Operation): Place {
  return kept(ANSWERS, target, () => {
    const { row, place } = placesOf(target.types)
    const { collection, definition } = target
    return place([row(collection ? pageRow(collection, target) : { type: definition.returns ?? 'object' })])
  })
}

const DEPENDENT = new WeakMap<Operation, boolean>()
const PARAMS = new WeakMap<Operation, Place>()
const ANSWERS = new WeakMap<Operation, Place>()

function kept<T>(all: WeakMap<Operation, T>, target: Operation, make: () => T): T {
  const known = all.get(target)
  if (known !== undefined) return known
  const made = make()
  all.set(target, made)
  return made
}

/** Two parameters that swap their names are both sensitive when one is: a name alone does not say which is meant. */
function paramsShape(declared: Declared): Shape {
  const byName = new Map<string, Shape[]>()
  const add = (name: string, shapes: Shapes) => byName.set(name, [...(byName.get(name) ?? []), ...shapes])
  for (const entry of declared.params) {
    const { name, alias, param } = entry
    const shapes = shapesOf(entry, declared)
    for (const each of new Set([name, alias, param.mapTo])) if (each !== undefined) add(each, shapes)
    for (const path of param.sources ?? []) {
      const [first = '', ...rest] = path.replace(/^params\./, '').split('.')
      add(
        first,
        rest.reduceRight<Shapes>((inner, step) => [holding(step, inner)], shapes),
      )
    }
  }
  return { field: (name) => byName.get(name) ?? NONE, fields: () => [...byName.values()].flat() }
}

function holding(name: string, shapes: Shapes): Shape {
  return { field: (given) => (given === name ? shapes : NONE), fields: () => shapes }
}

function shapesOf({ name, param }: Declared['params'][number], { input, collection, types }: Declared): Shapes {
  const { row } = placesOf(types)
  const own = row(param)
  if (name === 'input' && input) return [own, row({ type: 'object', fields: input.type.fields })]
  if (name === 'filter' && collection) return [own, filterShape(collection, types)]
  return [own]
}

/** COLL-04: what a sensitive field is compared with is as sensitive as the field. */
function filterShape({ type, filterKeys }: Collection, types: Declared['types']): Shape {
  const hidden = new Set(filterKeys.filter((key) => isSensitivePath(type, key, types)))
  return { field: (name) => (hidden.has(name) ? CONDITION : NONE), fields: () => (hidden.size > 0 ? CONDITION : NONE) }
}

const NONE: Shapes = Object.freeze([])

/** Which operators are used may be seen, and so may `exists`, which takes no value of the field. */
const OPERAND: Shapes = [{ hides: () => true }]
const PRESENCE: Shapes = [{ hides: (value) => typeof value !== 'boolean' }]
const CONDITION: Shapes = [
  {
    hides: (value) => !isObject(value),
    field: (operator) => (operator === 'exists' ? PRESENCE : OPERAND),
    fields: () => OPERAND,
  },
]

/** Groups are named by values of a field, and a cursor holds those of the item that it points to. */
function pageRow(collection: Collection, { types }: Operation): Param {
  const { type, aggregationSupport, params } = collection
  const { groupable_fields = [], numeric_fields = [] } = aggregationSupport
  const isCounted = [...groupable_fields, ...numeric_fields].some((field) => isSensitivePath(type, field, types))
  const cursor: Param = { type: 'string', sensitive: params.after?.sensitive === true }
  return {
    type: 'object',
    fields: {
      items: { type: 'object[]', fields: type.fields },
      pageInfo: { type: 'object', fields: { startCursor: cursor, endCursor: cursor } },
      aggregations: { type: 'object', sensitive: isCounted },
    },
  }
}
