import { styleText } from 'node:util'
import type { World } from './world.ts'

/** Writes a text in a style, or as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export function painter({ colours }: Pick<World, 'colours'>): Paint {
  return colours ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text
}

/** Colours belong on a terminal that can show them, and to people who have not said no (https://no-color.org). */
export function wantsColours(isTerminal: boolean, { NO_COLOR, TERM }: World['env']): boolean {
  return isTerminal && !NO_COLOR && TERM !== 'dumb'
}

/** The room there is for running text; in a pipe, that of an old terminal. */
export function columns(world: Pick<World, 'columns'>): number {
  return Math.max(40, world.columns ?? 80)
}

export function heading(text: string, paint: Paint): string {
  return paint('bold', text)
}

/** `1 operation`, `2 operations`; what does not end in s is given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Lines of at most that many columns, broken between words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

/**
 * Rows under a headline, columns aligned, numbers to the right. On a terminal cells that do not fit end in `…`, the
 * last column first, or with `folds` the last column goes on below; in a pipe nothing is cut.
 */
export function table(header: readonly string[], rows: Rows, world: Terminal, { folds = false } = {}): string {
  const paint = painter(world)
  const cells = plainCells(rows)
  const widths = fitted(widthsOf(header, cells), world.columns ?? Number.POSITIVE_INFINITY)
  const isNumber = header.map((_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number'))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => aligned(cut(cell, widths[at] ?? 0), widths[at] ?? 0, isNumber[at] === true))
      .join('  ')
      .trimEnd()
  const write = (row: readonly string[]) =>
    folds
      ? folded(row, widths.at(-1) ?? 0)
          .map(line)
          .join('\n')
      : line(row)
  return [paint('bold', line(header)), ...cells.map(write)].join('\n')
}

/** How many columns a terminal shows readably, counted from the left: each has the room it needs, or at least 16. */
export function columnsWithRoom(header: readonly string[], rows: Rows, { columns }: Terminal): number {
  if (columns === undefined) return header.length
  let used = 0
  const tooMany = widthsOf(header, plainCells(rows)).findIndex((width, at) => {
    used += Math.min(width, READABLE) + (at > 0 ? GAP : 0)
    return used > columns
  })
  return tooMany < 0 ? header.length : Math.max(1, tooMany)
}

type Rows = readonly (readonly (string | number)[])[]

type Terminal = Pick<World, 'columns' | 'colours'>

const GAP = 2
const READABLE = 16

/** At most that many columns, with `…` for what is left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const letter of text) {
    const wide = letterWidth(letter)
    if (used + wide > width - 1) break
    kept += letter
    used += wide
  }
  return `${kept}…`
}

/** One line, and nothing that a terminal would obey. */
export function plainLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(CONTROLS, '\u{FFFD}')
}

/** Many lines, and nothing that a terminal would obey. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, (letter) => (letter === '\n' || letter === '\t' ? letter : '\u{FFFD}'))
}

const CONTROLS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Shortens the last column to 20, then whichever is widest, until the table fits; no column below 8. */
function fitted(widths: readonly number[], room: number): number[] {
  const fit = widths.map((width) => Math.min(width, room))
  const last = fit.length - 1
  let over = sum(fit) + GAP * last - room
  const given = Math.min(Math.max(0, over), Math.max(0, (fit[last] ?? 0) - 20))
  fit[last] = (fit[last] ?? 0) - given
  for (over -= given; over > 0; over--) {
    const widest = fit.indexOf(Math.max(...fit))
    const width = fit[widest] ?? 0
    if (width <= 8) break
    fit[widest] = width - 1
  }
  return fit
}

function widthsOf(header: readonly string[], cells: readonly (readonly string[])[]): number[] {
  return header.map((title, at) => Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at] ?? ''))))
}

function plainCells(rows: Rows): string[][] {
  return rows.map((row) => row.map((cell) => plainLine(String(cell))))
}

/** A row as several, its last cell broken between words, or within one that is longer than the column. */
function folded(row: readonly string[], width: number): string[][] {
  const cell = row.at(-1) ?? ''
  if (widthOf(cell) <= width) return [[...row]]
  const [first = '', ...more] = wrap(cell, width).flatMap((line) => pieces(line, width))
  const empty = row.slice(1).map(() => '')
  return [[...row.slice(0, -1), first], ...more.map((line) => [...empty, line])]
}

function pieces(text: string, width: number): string[] {
  const lines = ['']
  for (const letter of text) {
    const line = lines.at(-1) ?? ''
    if (widthOf(line) + letterWidth(letter) > width) lines.push(letter)
    else lines[lines.length - 1] = line + letter
  }
  return lines
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function aligned(text: string, width: number, right: boolean): string {
  const room = ' '.repeat(Math.max(0, width - widthOf(text)))
  return right ? room + text : text + room
}

export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

/** East Asian letters and pictures take two columns, combining marks none. */
function letterWidth(letter: string): number {
  if (/\p{Mn}/u.test(letter)) return 0
  return /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uFF01-\uFF60]/u.test(
    letter,
  )
    ? 2
    : 1
}
