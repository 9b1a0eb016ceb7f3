import { asciiOf, isAscii } from './confusables.ts'

/** One way to read a hint. Every form is scored and the highest counts, so that no reading can hide another. */
export interface Form {
  readonly text: string
  /** Why the text differs from what was sent; undefined for the text itself. */
  readonly because?: string
}

/** A hint that reads differently once it is cleaned is at least this. */
export const DISGUISED = 45

/** Some characters are many once they are written out; a form that grows beyond this is over budget. */
export const LONGEST_FORM = 20_000

export function formsOf(hint: string): readonly Form[] {
  const plain = hint.replaceAll('\0', ' ')
  const lines = plain.includes('\r') ? plain.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : plain
  const forms: Form[] = [{ text: lines }]
  if (plain.replaceAll('\r\n', '\n').includes('\r')) {
    forms[0] = { text: lines, because: 'carriage returns hide what stands before them' }
    forms.push({ text: plain.replaceAll('\r', ' ') }, { text: plain.replaceAll('\r', '') })
  }
  if (isAscii(lines) && !CONTROLS.test(lines)) return forms
  const visible = Array.from(lines.normalize('NFKC').slice(0, LONGEST_FORM)).filter(isVisible).join('')
  add(forms, visible, 'invisible, bidirectional or compatibility characters')
  const shown = shownOf(lines)
  if (shown !== lines)
    add(
      forms,
      Array.from(shown.normalize('NFKC').slice(0, LONGEST_FORM)).filter(isVisible).join(''),
      'characters that move a cursor',
    )
  const letters = asciiOf(visible)
  if (letters !== visible) add(forms, letters, disguises(visible) ? 'letters that look like ASCII ones' : undefined)
  return forms
}

/** What a terminal or a page shows: sequences gone, backspaces done, other line ends as such. */
function shownOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const plain = text.replaceAll(/\u001b\[[\d;?]{0,16}[@-~]/g, '').replaceAll(/[\u000b\u000c\u0085\u2028\u2029]/g, '\n')
  if (!plain.includes('\b')) return plain
  const chars: string[] = []
  for (const char of plain) {
    if (char === '\b') chars.pop()
    else chars.push(char)
  }
  return chars.join('')
}

/** A class of characters, without repetition: one pass. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function add(forms: Form[], text: string, because: string | undefined): void {
  if (forms.some((form) => form.text === text)) return
  forms.push(because === undefined ? { text } : { text, because })
}

/** Characters that a reader does not see, or that move others about. */
function isVisible(char: string): boolean {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20) return code === 9 || code === 10
  if (code < 0x7f) return true
  return !HIDDEN.some(([first, last]) => code >= first && code <= last)
}

const HIDDEN: readonly (readonly [first: number, last: number])[] = [
  [0x7f, 0x9f], // controls
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // grapheme joiner
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5],
  [0x180b, 0x180e], // Mongolian separators
  [0x200b, 0x200f], // zero width, direction marks
  [0x2028, 0x202e], // line separators, embeddings
  [0x2060, 0x206f], // joiners, isolates
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tags
]

/** Typographic quotes and dashes are careless; a letter that only looks like another is not. */
function disguises(text: string): boolean {
  return Array.from(text).some((char) => !isAscii(char) && /[A-Za-z]/.test(asciiOf(char)))
}
