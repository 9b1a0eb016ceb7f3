import { type Displayed, display, displayMask, displayRealHost } from '../../core/display.ts'
import { isMasked, sentKey } from '../../core/masked.ts'

export type { Displayed }

/** Foreign text for the page: segments that cannot deceive. The page writes them as text nodes and nothing else. */
export function shown(text: string): Displayed {
  return display(text)
}

/** A bound value, whole: a text as it is, anything else as JSON with one field on each line. */
export function shownValue(value: unknown): Displayed {
  if (typeof value === 'string') return joined([display(value), displayRealHost(value)])
  const parts: Displayed[] = []
  writeJson(value, '', parts)
  return joined(parts)
}

/** The same of a value as a record holds it. */
export function shownRecorded(value: unknown): Displayed {
  if (typeof value === 'string') return shownValue(value)
  const parts: Displayed[] = []
  writeJson(value, '', parts, true)
  return joined(parts)
}

export function shownMask(): Displayed {
  return displayMask()
}

/** Whether the page would mark something in a value, without writing it out. */
export function isDeceptive(value: unknown): boolean {
  if (typeof value === 'string') return value.split('\n').some(isDeceptiveLine)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isDeceptive)
  return Object.entries(value).some(([key, held]) => isDeceptive(key) || isDeceptive(held))
}

/** Words end where lines end, and nothing in plain ASCII is marked. */
function isDeceptiveLine(line: string): boolean {
  if (/^[\t\x20-\x7e]*$/.test(line)) return false
  const { hidden, alike } = display(line)
  return hidden || alike
}

export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** Line ends and indentation are ours: those of the value itself are always written out as signs. */
function writeJson(value: unknown, indent: string, parts: Displayed[], isRecord = false): void {
  if (typeof value === 'string') {
    writeString(value, parts)
    return
  }
  if (typeof value !== 'object' || value === null) {
    parts.push(plain(JSON.stringify(value) ?? 'null'))
    return
  }
  if (isRecord && isMasked(value)) {
    parts.push(displayMask())
    return
  }
  const isList = Array.isArray(value)
  const items = Object.entries(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) {
    parts.push(plain(`${open}${close}`))
    return
  }
  parts.push(plain(open))
  items.forEach(([key, held], at) => {
    parts.push(plain(`${at > 0 ? ',' : ''}\n${indent}  `))
    if (!isList) {
      writeString(isRecord ? sentKey(key) : key, parts)
      parts.push(plain(': '))
    }
    writeJson(held, `${indent}  `, parts, isRecord)
  })
  parts.push(plain(`\n${indent}${close}`))
}

function writeString(text: string, parts: Displayed[]): void {
  parts.push(plain('"'), display(text.replace(/["\\]/g, '\\$&')), plain('"'), displayRealHost(text))
}

function plain(text: string): Displayed {
  return { segments: [{ kind: 'text', text }], hidden: false, alike: false, scripts: [] }
}

function joined(parts: readonly Displayed[]): Displayed {
  const segments: Displayed['segments'][number][] = []
  for (const segment of parts.flatMap((part) => part.segments)) {
    const last = segments.at(-1)
    if (segment.kind === 'text' && last?.kind === 'text') {
      segments[segments.length - 1] = { kind: 'text', text: last.text + segment.text }
    } else segments.push(segment)
  }
  return {
    segments,
    hidden: parts.some(({ hidden }) => hidden),
    alike: parts.some(({ alike }) => alike),
    scripts: [...new Set(parts.flatMap(({ scripts }) => scripts))],
  }
}
