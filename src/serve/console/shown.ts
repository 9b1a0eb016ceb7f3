import {
  cutBefore,
  type Displayed,
  display,
  displayClaim,
  displayCut,
  displayMask,
  displayPart,
  displayRealHost,
  displayRedacted,
} from '../../core/display.ts'
import { type Cut, isCut, isMasked, sentKey } from '../../core/masked.ts'

export type { Displayed }

/** Foreign text for the page: segments that cannot deceive. The page writes them as text nodes and nothing else. */
export function shown(text: string): Displayed {
  return display(text)
}

/** A bound value, whole: a text as it is, anything else as JSON with one field on each line. */
export function shownValue(value: unknown): Displayed {
  return partOf(value, 0, Number.POSITIVE_INFINITY, false)
}

/** A part of a value: where it ends, and how long the value is when all of it is shown. */
export interface ShownPart extends Displayed {
  readonly to: number
  readonly of: number
}

/** So much of a value is shown at once. The page asks for the rest part by part, each from where the last one ended. */
export const PART_LENGTH = 32_768

/** A value as a record holds it, from one place on. Whatever is long is shown whole in several parts. */
export function shownRecorded(value: unknown, from = 0, length = PART_LENGTH): ShownPart {
  return partOf(value, from, length, true)
}

/** What a client calls itself: the page writes it between quotation marks. */
export function shownClaim(text: string): Displayed {
  return displayClaim(text)
}

/** A text as it is kept without credentials. */
export function shownRedacted(text: string): Displayed {
  return displayRedacted(text)
}

export function shownMask(): Displayed {
  return displayMask()
}

export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** Walking a value is cheap, so only what is in the part is made safe to show. */
function partOf(value: unknown, from: number, length: number, isRecord: boolean): ShownPart {
  const parts: Displayed[] = []
  const end = from + length
  let at = 0
  let to = from
  let isFull = false
  walk(value, isRecord, (token) => {
    const start = at
    at += token.text.length
    if (isFull || start > end || at < from) return
    if (token.kind === 'address') {
      if (start > from) parts.push(displayRealHost(token.of))
      return
    }
    isFull = at > end
    if (at === from || start === end) return
    const cut = isFull ? cutIn(token, end - start) : token.text.length
    to = start + cut
    parts.push(written(token, from > start ? cutIn(token, from - start) : 0, cut))
  })
  return { ...joined(parts), to, of: at }
}

/** An `address` has no length: it says behind a text what the network makes of it. A mask and a cut count as one character. */
type Token =
  | { readonly kind: 'plain' | 'text' | 'mask'; readonly text: string }
  | { readonly kind: 'cut'; readonly text: ' '; readonly of: Cut }
  | { readonly kind: 'address'; readonly text: ''; readonly of: string }

function cutIn({ kind, text }: Token, place: number): number {
  return kind === 'text' ? cutBefore(text, place) : place
}

function written(token: Token, from: number, to: number): Displayed {
  if (token.kind === 'mask') return displayMask()
  if (token.kind === 'cut') return displayCut(token.of)
  const { kind, text } = token
  return kind === 'text' ? displayPart({ text, from, to }) : plain(text.slice(from, to))
}

function walk(value: unknown, isRecord: boolean, visit: Visit): void {
  if (typeof value === 'string') {
    visit({ kind: 'text', text: value })
    visit({ kind: 'address', text: '', of: value })
  } else walkJson(value, '', isRecord, visit)
}

type Visit = (token: Token) => void

function walkJson(value: unknown, indent: string, isRecord: boolean, visit: Visit): void {
  if (typeof value === 'string') walkString(value, visit)
  else if (typeof value !== 'object' || value === null) visit({ kind: 'plain', text: JSON.stringify(value) ?? 'null' })
  else if (isRecord && isMasked(value)) visit({ kind: 'mask', text: ' ' })
  else if (isRecord && isCut(value)) visit({ kind: 'cut', text: ' ', of: value })
  else walkItems(value, indent, isRecord, visit)
}

/** Line ends and indentation are ours: those of the value itself are always written out as signs. */
function walkItems(value: object, indent: string, isRecord: boolean, visit: Visit): void {
  const isList = Array.isArray(value)
  const items = Object.entries(value)
  visit({ kind: 'plain', text: isList ? '[' : '{' })
  items.forEach(([key, held], at) => {
    visit({ kind: 'plain', text: `${at > 0 ? ',' : ''}\n${indent}  ` })
    if (!isList) {
      walkString(isRecord ? sentKey(key) : key, visit)
      visit({ kind: 'plain', text: ': ' })
    }
    walkJson(held, `${indent}  `, isRecord, visit)
  })
  visit({ kind: 'plain', text: `${items.length > 0 ? `\n${indent}` : ''}${isList ? ']' : '}'}` })
}

function walkString(text: string, visit: Visit): void {
  visit({ kind: 'plain', text: '"' })
  visit({ kind: 'text', text: text.replace(/["\\]/g, '\\$&') })
  visit({ kind: 'plain', text: '"' })
  visit({ kind: 'address', text: '', of: text })
}

function plain(text: string): Displayed {
  return { segments: [{ kind: 'text', text }], hidden: false, alike: false, scripts: [] }
}

function joined(parts: readonly Displayed[]): Displayed {
  const segments: Displayed['segments'][number][] = []
  let pending: string[] = []
  const flush = () => {
    if (pending.length > 0) segments.push({ kind: 'text', text: pending.join('') })
    pending = []
  }
  for (const part of parts) {
    for (const segment of part.segments) {
      if (segment.kind === 'text') pending.push(segment.text)
      else {
        flush()
        segments.push(segment)
      }
    }
  }
  flush()
  return {
    segments,
    hidden: parts.some(({ hidden }) => hidden),
    alike: parts.some(({ alike }) => alike),
    scripts: [...new Set(parts.flatMap(({ scripts }) => scripts))],
  }
}
