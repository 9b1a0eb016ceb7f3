import { canonicalJson } from '../canonical-json.ts'
import type { Cut } from '../masked.ts'
import { sha256 } from '../sha256.ts'
import type { AuditEntry } from './entry.ts'

/** In bytes of canonical JSON. */
export const MOST_OF_FIELD = 4_096
/** What an agent does is kept whole if it can be. */
const MOST_OF_HINT = 12_288
/** In bytes of an entry as it is stored: whatever an agent sends, it costs no more. */
export const MOST_OF_ENTRY = 16_384
const PREVIEW = 1_000
/** In characters of a text by which the trail is searched. */
const MOST_OF_NAME = 512

/** Every entry of every store is written by this function, so that none is longer than the trail can bear. */
export function entryText(entry: AuditEntry): string {
  const text = JSON.stringify(entry)
  if (text.length <= MOST_OF_FIELD / 4) return text
  const fields = Object.entries(entry).map(([name, value]) => [name, fieldOf(name, value)] as const)
  const bounded = JSON.stringify(Object.fromEntries(fields))
  return Buffer.byteLength(bounded) <= MOST_OF_ENTRY ? bounded : withoutPreviews(fields)
}

/** A value of an entry, or what stands for it. */
export function bounded(value: unknown, most = MOST_OF_FIELD): unknown {
  if (isWithin(value, most)) return value
  const text = canonicalJson(value ?? null)
  const bytes = Buffer.byteLength(text)
  return bytes <= most ? value : cutOf(text, bytes, text.slice(0, PREVIEW).toWellFormed())
}

/** What stands for a value that is surely too long, with the beginning of it as `clean` leaves it. */
export function cut(value: unknown, clean: (text: string) => string): Cut {
  const text = canonicalJson(value ?? null)
  const beginning = clean(text.slice(0, 2 * PREVIEW))
    .slice(0, PREVIEW)
    .toWellFormed()
  return cutOf(text, Buffer.byteLength(text), beginning)
}

function cutOf(text: string, bytes: number, preview?: string): Cut {
  return { $cut: { sha256: sha256(text), bytes, ...(preview !== undefined && { preview }) } }
}

/** The columns of the trail stay texts. */
const NAMES: ReadonlySet<string> = new Set([
  'timestamp',
  'event',
  'operation',
  'endpoint',
  'adapter_name',
  'user_id',
  'session_id',
  'result',
  'outcome',
])

function fieldOf(name: string, value: unknown): unknown {
  if (name === 'hint') return bounded(value, MOST_OF_HINT)
  if (!NAMES.has(name) || typeof value !== 'string') return bounded(value)
  if (value.length <= MOST_OF_NAME) return value
  return `${value.slice(0, MOST_OF_NAME / 2).toWellFormed()}… SHA-256 ${sha256(value)}`
}

/** The longest give way until the others fit. */
function withoutPreviews(fields: readonly (readonly [string, unknown])[]): string {
  const sized = fields.map(([name, value]) => ({ name, value, bytes: Buffer.byteLength(JSON.stringify(value) ?? '') }))
  const longest = sized.filter(({ name }) => !NAMES.has(name)).toSorted((a, b) => b.bytes - a.bytes)
  const given = new Set<string>()
  let text = ''
  for (const { name } of [{ name: '' }, ...longest]) {
    given.add(name)
    text = JSON.stringify(
      Object.fromEntries(sized.map((field) => [field.name, given.has(field.name) ? bare(field.value) : field.value])),
    )
    if (Buffer.byteLength(text) <= MOST_OF_ENTRY) return text
  }
  return JSON.stringify(
    Object.fromEntries(sized.filter(({ name }) => NAMES.has(name)).map(({ name, value }) => [name, value])),
  )
}

function bare(value: unknown): unknown {
  const known = (value as Partial<Cut> | null | undefined)?.$cut
  if (known) return { $cut: { sha256: known.sha256, bytes: known.bytes } }
  const text = canonicalJson(value ?? null)
  return text.length <= 100 ? value : cutOf(text, Buffer.byteLength(text))
}

/** Is its JSON surely no longer? Without writing it down: no character takes more than six bytes. */
export function isWithin(value: unknown, bytes: number): boolean {
  return roomAfter(value, bytes) >= 0
}

function roomAfter(value: unknown, room: number): number {
  if (room < 0) return room
  if (typeof value === 'string') return room - 6 * value.length - 3
  if (typeof value !== 'object' || value === null) return room - 25
  let left = room - 3
  for (const name in value) {
    left = roomAfter((value as Readonly<Record<string, unknown>>)[name], left - 6 * name.length - 4)
    if (left < 0) return left
  }
  return left
}
