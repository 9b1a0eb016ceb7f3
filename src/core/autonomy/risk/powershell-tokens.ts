/** A piece of PowerShell. What stands in brackets is kept as text and read when it is run. */
export interface Token {
  readonly kind: 'word' | 'text' | 'variable' | 'group' | 'index' | 'block' | 'table' | 'type' | 'sign' | 'pipe' | 'end'
  /** Of brackets what stands in them; of a quoted text what it says. */
  readonly text: string
  /** True where no blank stands before it. */
  readonly isGlued: boolean
  /** True for a text in double quotes: variables and `$(…)` in it are replaced. */
  readonly isOpen: boolean
}

/** The pieces of the text, or undefined where a quote or a bracket is not closed. */
export function tokensOf(source: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  let at = 0
  let touches = true
  while (at < source.length) {
    const blank = BLANK.exec(source.slice(at, at + LONGEST_BLANK))?.[0].length ?? 0
    const read = blank > 0 ? { end: at + blank } : next(source, at, tokens.at(-1), touches)
    if (!read) return undefined
    if (read.token) tokens.push(read.token)
    touches = blank === 0
    at = read.end
  }
  return tokens
}

const LONGEST_BLANK = 200
const BLANK = /^(?:[ \t\r]|`\r?\n)+/

interface Read {
  readonly token?: Token
  readonly end: number
}

function next(source: string, at: number, before: Token | undefined, touches: boolean): Read | undefined {
  const isGlued = touches && before !== undefined && !/^(end|pipe|sign)$/.test(before.kind)
  const make = (kind: Token['kind'], text: string, end: number, isOpen = false): Read => ({
    token: { kind, text, isGlued, isOpen },
    end,
  })
  const char = source[at] ?? ''
  const two = source.slice(at, at + 2)
  if (two === '<#' || (char === '#' && !isGlued)) {
    const end = source.indexOf(two === '<#' ? '#>' : '\n', at + 1)
    return end < 0 ? (two === '<#' ? undefined : { end: source.length }) : { end: end + (two === '<#' ? 2 : 0) }
  }
  if (two === '&&' || two === '||') return make('end', two, at + 2)
  if (char === '\n' || char === ';') return make('end', char, at + 1)
  if (char === '|') return make('pipe', char, at + 1)
  if (char === ',' || char === '&') return make('sign', char, at + 1)
  const quote = quoteAt(source, at)
  if (quote) return quote.end < 0 ? undefined : make('text', quote.text, quote.end, quote.isOpen)
  const [open = ''] = /^[@$]?\(|^@?\{|^\[/.exec(two) ?? []
  if (open !== '') {
    const end = closingOf(source, at + open.length)
    if (end < 0) return undefined
    const kind = open.endsWith('(')
      ? 'group'
      : open === '@{'
        ? 'table'
        : open === '{'
          ? 'block'
          : isGlued
            ? 'index'
            : 'type'
    return make(kind, source.slice(at + open.length, end), end + 1)
  }
  if (/[)}\]]/.test(char)) return undefined
  const [variable] = VARIABLE.exec(source.slice(at, at + LONGEST_NAME)) ?? []
  if (variable !== undefined) return make('variable', nameIn(variable), at + variable.length)
  const isAssigned = before !== undefined && /^(variable|group|index|type|word)$/.test(before.kind)
  const [sign] =
    (isAssigned ? ASSIGNS : REDIRECTS).exec(source.slice(at, at + 4)) ?? REDIRECTS.exec(source.slice(at, at + 6)) ?? []
  if (sign !== undefined) return make('sign', sign, at + sign.length)
  const [word = char] = WORD.exec(source.slice(at, at + LONGEST_WORD)) ?? []
  return make('word', word.replaceAll(/`(.)/gs, '$1'), at + word.length)
}

const LONGEST_NAME = 200
const LONGEST_WORD = 4_000
const VARIABLE = /^(?:\$(?:\{[^}\n]*\}|(?:\w+:(?!:))?\w+|[?$^])|@\w+(?![\w/-]))/
/** `=` alone, behind what can be assigned to. */
const ASSIGNS = /^(?:[-+*/%]|\?\?)?=(?!=)/
const REDIRECTS = /^(?:[\d*]?>>?&\d|[\d*]?>>?)/
/** A backtick takes the meaning from the sign behind it. */
const WORD = /^(?:`[\s\S]|[^\s;|&(){}'"$,`])+/

/** `name` of `$name` and `${name}`, in lower case as PowerShell reads it. */
function nameIn(text: string): string {
  return text.replaceAll(/[${}@]/g, '').toLowerCase()
}

interface Quote {
  readonly text: string
  readonly isOpen: boolean
  /** Behind the quote; -1 where it is not closed. */
  readonly end: number
}

/** `'…'`, `"…"` and the here-strings `@'…'@` and `@"…"@`. */
function quoteAt(source: string, at: number): Quote | undefined {
  const [start, sign = ''] = /^@(['"])[ \t]*\r?\n/.exec(source.slice(at, at + 40)) ?? []
  if (start !== undefined) {
    const end = source.indexOf(`\n${sign}@`, at + start.length - 1)
    return {
      text: source.slice(at + start.length, Math.max(end, 0)),
      isOpen: sign === '"',
      end: end < 0 ? -1 : end + 3,
    }
  }
  const quote = source[at]
  if (quote !== "'" && quote !== '"') return undefined
  const isOpen = quote === '"'
  for (let to = at + 1; to < source.length; to++) {
    if (isOpen && source[to] === '`') to++
    else if (isOpen && source[to] === '$' && source[to + 1] === '(') {
      to = closingOf(source, to + 2)
      if (to < 0) break
    } else if (source[to] === quote) {
      if (source[to + 1] !== quote) return { text: plainOf(source.slice(at + 1, to), quote), isOpen, end: to + 1 }
      to++
    }
  }
  return { text: '', isOpen, end: -1 }
}

function plainOf(text: string, quote: string): string {
  return text.replaceAll(quote + quote, quote)
}

const MOST_NESTED = 60

/** Where the bracket that is open here is closed; -1 where it is not. */
function closingOf(source: string, from: number): number {
  let depth = 1
  for (let at = from; at < source.length; at++) {
    const char = source[at] ?? ''
    if (char === '`') at++
    else if (char === '<' && source[at + 1] === '#') {
      at = source.indexOf('#>', at)
      if (at < 0) return -1
    } else if (char === '#' && /\s/.test(source[at - 1] ?? '\n')) {
      at = source.indexOf('\n', at)
      if (at < 0) return -1
    } else if (/['"@]/.test(char)) {
      const quote = quoteAt(source, at)
      if (quote && quote.end < 0) return -1
      if (quote) at = quote.end - 1
    } else if (/[({[]/.test(char)) {
      if (++depth > MOST_NESTED) return -1
    } else if (/[)}\]]/.test(char) && --depth === 0) return at
  }
  return -1
}
