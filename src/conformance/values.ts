/** Reading answers that nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member at a dotted path; own members only, since the object is foreign. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    return (found as Fields)[key]
  }, value)
}

export function objectAt(value: unknown, path: string): Fields | undefined {
  const found = at(value, path)
  return isObject(found) ? found : undefined
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path)
  return Array.isArray(found) ? found : []
}

export function textAt(value: unknown, path: string): string {
  const found = at(value, path)
  return typeof found === 'string' ? found : ''
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

/** Equal as JSON, whatever the order of the keys. */
export function same(one: unknown, two: unknown): boolean {
  return canonical(one) === canonical(two)
}

export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? 'undefined'
  )
}

/** A value as a message shows it: short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
