/**
 * RFC 8785 writes −0 and 0 alike, so a token would be good for both: the handler gets 0, and what was hashed is what
 * runs. What holds no −0 is returned as it is.
 */
export function withoutNegativeZero(value: unknown): unknown {
  if (value === 0) return 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(withoutNegativeZero)
    return items.every((item, index) => Object.is(item, value[index])) ? value : items
  }
  const entries = Object.entries(value)
  const mended = entries.map(([key, inner]) => [key, withoutNegativeZero(inner)] as const)
  return mended.every(([, inner], index) => Object.is(inner, entries[index]?.[1])) ? value : Object.fromEntries(mended)
}
