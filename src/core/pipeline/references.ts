import { fail } from '../../protocol/errors.ts'
import { FORBIDDEN_KEYS } from '../../protocol/request.ts'
import { isFailure, type OperationFailure, type OperationResult } from '../../protocol/result.ts'
import type { Fields } from '../call.ts'
import { isObject } from '../registry/check-value.ts'
import { tooLarge } from './decode.ts'
import { shortened, shortenedName } from './fault-failure.ts'

/** Results of earlier entries as the caller reads them, by position and by `_id`. */
export type Earlier = ReadonlyMap<string, () => OperationResult>

/** Bytes that references may still bring in, roughly as JSON counts them. */
export interface Room {
  left: number
}

/**
 * Extension "references in batches": `{"$ref": "0.data.id"}` takes a value from an earlier result of the same batch,
 * `{"$literal": …}` sends such an object as data. Nothing runs for an entry whose reference cannot be resolved.
 */
export function resolveReferences(
  fields: Fields,
  earlier: Earlier,
  where: string,
  room: Room,
): Fields | OperationFailure {
  if (!mentions(fields)) return fields
  const resolved = resolve(fields, { earlier, room, most: room.left }, where)
  return resolved as Fields | OperationFailure
}

interface Sources {
  readonly earlier: Earlier
  readonly room: Room
  readonly most: number
}

/** Most entries have none; they are not copied. */
function mentions(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && (Object.hasOwn(value, '$ref') || Object.hasOwn(value, '$literal'))) return true
  if (Array.isArray(value)) return value.some(mentions)
  for (const key of Object.keys(value)) if (mentions((value as Fields)[key])) return true
  return false
}

function resolve(value: unknown, sources: Sources, where: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const [index, item] of value.entries()) {
      const inner = resolve(item, sources, `${where}[${index}]`)
      if (isFailure(inner)) return inner
      items.push(inner)
    }
    return items
  }
  const keys = Object.keys(value)
  const record = value as Fields
  if (keys.length === 1 && keys[0] === '$ref') return taken(follow(record.$ref, sources.earlier, where), sources)
  if (keys.length === 1 && keys[0] === '$literal') return record.$literal
  const entries: [string, unknown][] = []
  for (const key of keys) {
    const inner = resolve(record[key], sources, `${where}.${key}`)
    if (isFailure(inner)) return inner
    entries.push([key, inner])
  }
  return Object.fromEntries(entries)
}

/** DATA-08: a small request could name a large value many times. It is refused before the copies are weighed. */
function taken(value: unknown, { room, most }: Sources): unknown {
  if (isFailure(value)) return value
  weigh(value, room)
  return room.left >= 0 ? value : tooLarge('request_size', most, most - room.left)
}

function weigh(value: unknown, room: Room): void {
  room.left -= 2
  if (typeof value === 'string') room.left -= value.length
  if (typeof value !== 'object' || value === null) return
  for (const key in value) {
    if (room.left < 0) return
    room.left -= key.length
    weigh((value as Fields)[key], room)
  }
}

function follow(reference: unknown, earlier: Earlier, where: string): unknown {
  if (typeof reference !== 'string') return unresolved(where, 'a reference such as "0.data.id"')
  const [source = '', ...path] = reference.split('.')
  const read = earlier.get(source)
  if (!read) return unresolved(where, 'a reference to an earlier entry of this batch, by index or _id')
  const result = read()
  if (!result.success)
    return unresolved(where, `a reference to a successful entry; entry '${source.slice(0, 64)}' failed`)
  let value: unknown = result
  for (const step of path) {
    const found = typeof value === 'object' && value !== null && !FORBIDDEN_KEYS.has(step) && Object.hasOwn(value, step)
    if (!found) return unresolved(where, `an existing path; entry '${source.slice(0, 64)}' has ${listKeys(value)}`)
    value = (value as Fields)[step]
  }
  return value
}

function listKeys(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length} there`
  if (!isObject(value)) return 'a plain value there'
  return `the keys ${shortened(Object.keys(value)).join(', ')} there`
}

function unresolved(path: string, constraint: string): OperationFailure {
  return fail('VALIDATION_INVALID_VALUE', { param_name: shortenedName(path), constraint })
}
