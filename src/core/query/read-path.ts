import type { Param, Params } from '../registry/param.ts'
import type { ObjectType } from '../registry/type.ts'
import { parseType } from '../registry/type-grammar.ts'
import type { Item } from './collection.ts'
import type { Types } from './field-kind.ts'

/** Reads a dotted path off stored items. Functions are no data, which also hides what a prototype holds. */
export function readPath(path: string): (item: Item) => unknown {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) return (item) => ownData(item[first])
  return (item) => {
    let value = ownData(item[first])
    for (const step of rest) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
      value = (value as Item)[step]
    }
    return value
  }
}

function ownData(value: unknown): unknown {
  return typeof value === 'function' ? undefined : value
}

/** The row that describes a dotted path: undefined where the type has none, `'open'` where it allows anything. */
export function fieldAt(type: ObjectType, path: string, types?: Types): Param | 'open' | undefined {
  let fields: Params | 'open' | undefined = type.fields
  let field: Param | undefined
  for (const step of path.split('.')) {
    if (fields === 'open') return 'open'
    field = fields && Object.hasOwn(fields, step) ? fields[step] : undefined
    if (!field) return undefined
    fields = membersOf(field, types)
  }
  return field
}

/** What is inside a field; a listed type that is out of sight is taken for open. */
function membersOf(field: Param, types: Types | undefined): Params | 'open' | undefined {
  if (field.fields) return field.open ? 'open' : field.fields
  const bases = parseType(field.type)?.map(({ base }) => base) ?? []
  const [only, ...others] = bases.filter((base) => base !== 'null')
  if (only === 'object' || only === 'array' || others.length > 0) return 'open'
  if (only === undefined || SCALARS.has(only)) return undefined
  const type = types?.get(only)
  if (!type || type.kind === 'union') return 'open'
  return type.kind === 'object' ? type.fields : undefined
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])
