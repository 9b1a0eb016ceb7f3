/**
 * How a value that is not shown stands in a record (VAL-10, AUDIT-06). It is an object with a key that no other value
 * has: wherever a caller sends such a key itself, it is written with one `$` more. So nothing that is sent can pass for
 * a masked value, and a masked value passes for nothing that was sent.
 */
export interface Masked {
  /** The JSON type of what is not shown. Its length stays unknown: it narrows down a short secret. */
  readonly $masked: string
}

/** What stands in the trail for a value that is too long for it. Like a masked value, nothing that is sent can pass for it. */
export interface Cut {
  readonly $cut: {
    /** Of the canonical JSON of the value as it would have been recorded. */
    readonly sha256: string
    readonly bytes: number
    readonly preview?: string
  }
}

export function isCut(value: unknown): value is Cut {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$cut')
}

export function maskOf(value: unknown): Masked {
  return { $masked: value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value }
}

export function isMasked(value: unknown): value is Masked {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$masked')
}

/** A key as a record writes it. */
export function recordKey(name: string): string {
  return RESERVED.test(name) ? `$${name}` : name
}

/** A key of a record as it was sent. */
export function sentKey(name: string): string {
  return ESCAPED.test(name) ? name.slice(1) : name
}

/** A value without anything masked, as a record writes it. What needs no other spelling is returned as it is. */
export function asRecorded(value: unknown): unknown {
  return holdsReserved(value) ? rewritten(value) : value
}

/** `$cut` stands for what is too long for the trail. */
const RESERVED = /^\$+(?:masked|cut)$/
const ESCAPED = /^\$\$+(?:masked|cut)$/

function holdsReserved(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsReserved)
  // Of an object with very many keys a list of entries takes twice as long as its keys do.
  for (const name in value)
    if ((name.startsWith('$') && RESERVED.test(name)) || holdsReserved((value as Fields)[name])) return true
  return false
}

type Fields = Readonly<Record<string, unknown>>

function rewritten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(rewritten)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [recordKey(name), rewritten(inner)]))
}
