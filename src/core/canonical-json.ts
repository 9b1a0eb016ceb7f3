import { sha256 } from './sha256.ts'

/** RFC 8785. The same value has the same text, whatever the order of its keys and the spelling of its numbers. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = value as Readonly<Record<string, unknown>>
  let text = ''
  // The default order is that of UTF-16 code units, which is the one that RFC 8785 §3.2.3 asks for.
  for (const name of Object.keys(fields).sort()) {
    const inner = fields[name]
    if (inner === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(inner)}`
  }
  return `{${text}}`
}

export function canonicalHash(value: unknown): string {
  return sha256(canonicalJson(value))
}
