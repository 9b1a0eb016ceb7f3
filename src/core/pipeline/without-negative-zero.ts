import type { Fields } from '../call.ts'

/**
 * RFC 8785 writes −0 and 0 alike, so a token would be good for both: the handler gets 0, and what was hashed is what
 * runs. Looked for before anything is copied: hardly any call has one, and every call is looked through.
 */
export function withoutNegativeZero(value: unknown): unknown {
  return holdsOne(value) ? mended(value) : value
}

function holdsOne(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0)
  if (Array.isArray(value)) return value.some(holdsOne)
  // Of an object with very many keys `Object.values` takes twice as long as its keys do.
  for (const key of Object.keys(value)) if (holdsOne((value as Fields)[key])) return true
  return false
}

function mended(value: unknown): unknown {
  if (value === 0) return 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mended)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mended(inner)]))
}
