import { createHash } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import { displayText } from '../display.ts'
import { isMasked } from '../masked.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Danger levels document §3.2, DNG-17: the question that a human reads, ready to be shown. Values are filled in once
 * and never searched for placeholders themselves; what no parameter fills stays as it is written. The parameters come as
 * a record holds them, sensitive ones masked (VAL-10).
 */
export function fillMessage(template: string, params: Fields): string {
  return template
    .split(PLACEHOLDER)
    .map((part, at) => (at % 2 === 0 ? literal(part) : fill(part, params)))
    .join('')
}

/** Captured, so that `split` returns literal text and names in turn. */
const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/

/** Characters of a value that are shown. */
const ROOM = 200

/** One space between a word and a value is no blank at the edge of a text, which `displayText` would mark. */
function literal(part: string): string {
  const before = part.startsWith(' ') ? ' ' : ''
  const after = part.length > 1 && part.endsWith(' ') ? ' ' : ''
  return before + displayText(part.slice(before.length, part.length - after.length)) + after
}

function fill(name: string, params: Fields): string {
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  if (value === undefined) return `{${name}}`
  return isMasked(value) ? HIDDEN : cut(plain(value))
}

/** In words of ASCII: a channel may escape the message once more. */
const HIDDEN = '(hidden)'

/** Different values have different texts: a string that could be read as another value is quoted. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return canonicalJson(value)
  return value === '' || value.includes(HIDDEN) || isJson(value) ? JSON.stringify(value) : value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** No value can forge the mark, since `displayText` escapes its brackets; the digest tells equal beginnings apart. */
function cut(text: string): string {
  const shown = [...text.slice(0, 2 * ROOM)].slice(0, ROOM).join('')
  if (shown.length === text.length) return displayText(text)
  const digest = createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 32)
  return `${displayText(shown)}⟨cut: ${text.length - shown.length} more characters, SHA-256 ${digest}⟩`
}
