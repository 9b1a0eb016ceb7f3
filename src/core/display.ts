import { createSheet, type Displayed, type Segment, type Sheet } from './display-sheet.ts'
import { cutBefore, type Part, writeText } from './display-word.ts'
import { type Cut, isCut, isMasked, sentKey } from './masked.ts'
import { parseUrl } from './parse-url.ts'

export type { Displayed, Part, Segment }

export function display(text: string): Displayed {
  return displayPart({ text, from: 0, to: text.length })
}

/**
 * A part of a text as it is in the whole, where both ends come from `cutBefore`. A run of right-to-left letters that is
 * cut ends in either part.
 */
export function displayPart(part: Part): Displayed {
  const sheet = createSheet()
  writeText(part, sheet)
  return sheet.done()
}

export { cutBefore }

export function displayText(text: string): string {
  return textOf(display(text))
}

export function textOf({ segments }: Pick<Displayed, 'segments'>): string {
  return segments.map(({ text }) => text).join('')
}

/**
 * A JSON value on one line, whole, keys in the order given. Strings are quoted, so that `"1"` is not `1`, and behind a
 * string that is an address stands the host that would really be called, where it reads otherwise.
 */
export function displayValue(value: unknown): Displayed {
  const sheet = createSheet()
  writeValue(value, sheet)
  return sheet.done()
}

/** The same of a value as a record holds it: what is masked is seen to be masked, in a form that no text can have. */
export function displayRecorded(value: unknown): Displayed {
  const sheet = createSheet()
  writeValue(value, sheet, true)
  return sheet.done()
}

/** A text as `redactProse` leaves it: its marks are seen as marks, which no text can have written. */
export function displayRedacted(text: string): Displayed {
  const sheet = createSheet()
  text.split(REDACTED).forEach((part, at) => {
    if (at % 2 === 0) writeText({ text: part, from: 0, to: part.length }, sheet)
    else sheet.mark(part, 'MASKED')
  })
  return sheet.done()
}

/** Captured, so that `split` returns texts and marks in turn. */
const REDACTED = /(⟨masked [A-Za-z ]+(?: [0-9a-f]{16})?⟩|⟨U\+27E[89]⟩)/

/** What somebody calls itself, for a place between quotation marks: it cannot end them. */
export function displayClaim(text: string): Displayed {
  const sheet = createSheet()
  text.split(QUOTES).forEach((part, at) => {
    if (at % 2 === 0) writeText({ text: part, from: 0, to: part.length }, sheet)
    else sheet.escape(part, 'QUOTATION MARK')
  })
  return sheet.done()
}

const QUOTES = /(["“”„«»])/

/** In place of a masked value. No text can look like it: `display` writes these brackets as their codes. */
export function displayMask(): Displayed {
  const sheet = createSheet()
  sheet.mark(HIDDEN, 'MASKED')
  return sheet.done()
}

const HIDDEN = '⟨hidden⟩'

/** In place of a value that was too long for the trail. */
export function displayCut(value: Cut): Displayed {
  const sheet = createSheet()
  sheet.mark(cutNote(value), 'CUT')
  return sheet.done()
}

function cutNote({ $cut: { bytes, sha256, preview } }: Cut): string {
  const beginning = preview === undefined ? '' : `, begins ${displayText(preview)}`
  return `⟨cut: ${bytes} bytes, SHA-256 ${sha256}${beginning}⟩`
}

/** Behind a string that is an address: the host that would really be called, where it reads otherwise. */
export function displayRealHost(text: string): Displayed {
  const sheet = createSheet()
  writeRealHost(text, sheet)
  return sheet.done()
}

/** The host of an address (or a host alone), followed by what the network would make of it where that differs. */
export function displayHost(address: string): string {
  const host = hostIn(address) ?? address
  const real = realHost(`http://${host}`)
  return real === host ? displayText(host) : `${displayText(host)} ⟨${hostNote(real)}⟩`
}

function writeValue(value: unknown, sheet: Sheet, isRecord = false): void {
  if (typeof value === 'string') {
    writeString(value, sheet)
  } else if (Array.isArray(value)) {
    writeList('[]', value, sheet, (item) => writeValue(item, sheet, isRecord))
  } else if (isRecord && isMasked(value)) {
    sheet.mark(HIDDEN, 'MASKED')
  } else if (isRecord && isCut(value)) {
    sheet.mark(cutNote(value), 'CUT')
  } else if (typeof value === 'object' && value !== null) {
    writeList('{}', Object.entries(value), sheet, ([key, held]) => {
      writeString(isRecord ? sentKey(key) : key, sheet)
      sheet.plain(': ')
      writeValue(held, sheet, isRecord)
    })
  } else if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
    sheet.plain(Object.is(value, -0) ? '-0' : String(value))
  } else {
    sheet.mark(`⟨${typeof value} ${displayText(String(value))}⟩`, 'NOT JSON')
  }
}

/** Quotation mark and backslash are escaped as in JSON. */
function writeString(text: string, sheet: Sheet): void {
  sheet.plain('"')
  const quoted = text.replace(/["\\]/g, '\\$&')
  writeText({ text: quoted, from: 0, to: quoted.length }, sheet)
  sheet.plain('"')
  writeRealHost(text, sheet)
}

function writeRealHost(text: string, sheet: Sheet): void {
  const host = hostIn(text)
  if (host === undefined) return
  const real = realHost(text)
  if (real !== host) sheet.mark(`⟨${hostNote(real)}⟩`, 'HOST')
}

function writeList<T>(brackets: string, items: readonly T[], sheet: Sheet, write: (item: T) => void): void {
  sheet.plain(brackets.slice(0, 1))
  items.forEach((item, at) => {
    if (at > 0) sheet.plain(', ')
    write(item)
  })
  sheet.plain(brackets.slice(1))
}

/** As written between `//` and the path, without the user and the port. */
function hostIn(address: string): string | undefined {
  const start = address.indexOf('://')
  if (start < 1 || !/^[a-z][a-z0-9+.-]*$/i.test(address.slice(0, Math.min(start, 32)))) return undefined
  const rest = address.slice(start + 3)
  const end = rest.search(/[/\\?#]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const port = host.search(/:\d*$/)
  return port < 0 ? host : host.slice(0, port)
}

/** As the network sees it: in punycode, numbers as an address. */
function realHost(address: string): string | undefined {
  return parseUrl(address)?.hostname
}

function hostNote(real: string | undefined): string {
  return real === undefined ? 'not an address' : `host ${displayText(real)}`
}
