/** The same value, with every character escaped that a terminal could obey, hide or reorder. */
export function jsonLine(value: unknown, space?: number): string {
  return escapeUnseen(JSON.stringify(value, undefined, space) ?? 'null', space !== undefined)
}

/** A JSON text. White space between the tokens of an indented one stays: inside of a value JSON has it escaped already. */
export function escapeUnseen(json: string, isIndented = false): string {
  return json.replace(UNSEEN, (letter) =>
    isIndented && SPACES.has(letter) ? (SPACES.get(letter) ?? '') : escaped(letter),
  )
}

/** A carriage return would write over the line. */
const SPACES: ReadonlyMap<string, string> = new Map([
  ['\n', '\n'],
  ['\t', '\t'],
  ['\r', ''],
])

/** Controls of both sets, invisible and reordering characters, line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

function escaped(letter: string): string {
  return [...Array(letter.length).keys()]
    .map((i) => `\\u${letter.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('')
}
