import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One fenced block of a page. */
export interface Block {
  readonly page: string
  /** Of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  /** What the info string says after the language. */
  readonly marker: string
  readonly text: string
}

/** README.md and every page below docs. */
export function readPages(root: string): readonly string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`)
  return ['README.md', ...pages.sort()]
}

export function readBlocks(root: string, page: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { readonly line: number; readonly info: string; readonly lines: string[] } | undefined
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  for (const [index, text] of lines.entries()) {
    if (/^\s*~~~|<pre|<code/i.test(text) && !open) throw new Error(`${page}:${index + 1} hides code from this test`)
    if (!/^\s*```/.test(text)) {
      open?.lines.push(text)
    } else if (!open) {
      open = { line: index + 1, info: text.trim().slice(3), lines: [] }
    } else {
      const [, language = '', marker = ''] = /^(\S*)\s*(.*)$/.exec(open.info) ?? []
      blocks.push({ page, line: open.line, language, marker, text: `${open.lines.join('\n')}\n` })
      open = undefined
    }
  }
  if (open) throw new Error(`${page}:${open.line} is never closed`)
  return blocks
}

/** Where a link to a heading of the page leads: `#what-a-model-sees`. */
export function readAnchors(root: string, page: string): ReadonlySet<string> {
  const headings = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)
  const slug = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-')
  return new Set([...headings].map(([, text = '']) => slug(text)))
}

export type Kind = 'sh' | 'module' | 'file' | 'config' | 'request' | 'answer' | 'tools' | 'client'

/** Undefined where nobody would execute the block. */
export function kindOf({ language, marker }: Block): Kind | undefined {
  if (language === 'sh') return /^(?:agent|operator)?$/.test(marker) ? 'sh' : undefined
  if (language === 'ts' || language === 'js') return /^(?:[\w-]+\.[jt]s)?$/.test(marker) ? 'module' : undefined
  if (language === 'yaml') return /^(?:[\w-]+\.yaml)?$/.test(marker) ? 'config' : undefined
  if (language !== 'json') return undefined
  if (/^[\w-]+\.json$/.test(marker)) return 'file'
  return JSON_KINDS.find(({ pattern }) => pattern.test(marker))?.kind
}

const JSON_KINDS: readonly { readonly pattern: RegExp; readonly kind: Kind }[] = [
  { pattern: /^request demo(?: \w+)?$/, kind: 'request' },
  { pattern: /^answer$/, kind: 'answer' },
  { pattern: /^tools (?:single|semantic)$/, kind: 'tools' },
  { pattern: /^client$/, kind: 'client' },
]

export interface Command {
  readonly command: string
  /** The lines that stand below it. */
  readonly expected: readonly string[]
}

/** `$ ` begins a command, a backslash at the end of the line continues it, the rest is what it prints. */
export function readCommands({ page, line, text }: Block): readonly Command[] {
  const commands: { command: string; expected: string[] }[] = []
  for (const each of text.replace(/\\\n\s*/g, '').split('\n')) {
    const last = commands.at(-1)
    if (each.startsWith('$ ')) commands.push({ command: each.slice(2), expected: [] })
    else if (last) last.expected.push(each)
    else if (each.trim() !== '') throw new Error(`${page}:${line} must begin with a command: $ …`)
  }
  return commands.map(({ command, expected }) => ({ command, expected: trimmed(expected) }))
}

/** A line `…` stands for any number of lines, `…` within a line for any text. */
export function sayTheSame(expected: readonly string[], actual: string): boolean {
  const lines = trimmed(expected).map((line) => (line.trim() === '…' ? '(?:.*\n)*?' : `${glob(line.trimEnd())}\n`))
  const said = trimmed(actual.split('\n')).map((line) => `${line.trimEnd()}\n`)
  return new RegExp(`^${lines.join('')}$`).test(said.join(''))
}

/** Empty lines around a text do not count. */
function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}

/**
 * Undefined when `actual` is what the page says, otherwise where it is not. In the page `"…"` stands for any value and
 * for any text within a string, `"…": "…"` for further members, `"…"` as last element for further elements, and
 * `"<name>"` for any value, which a later request of the page may use.
 */
export function difference(said: unknown, actual: unknown, seen: Map<string, unknown>, path = '$'): string | undefined {
  if (typeof said === 'string') return ofText(said, actual, seen, path)
  if (Array.isArray(said)) return ofList(said, actual, seen, path)
  if (isObject(said)) return ofMembers(said, actual, seen, path)
  return Object.is(said, actual) ? undefined : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(said)}`
}

/** Puts remembered values in the place of their names. */
export function filledIn(value: unknown, seen: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string' && PLACEHOLDER.test(value)) {
    if (!seen.has(value)) throw new Error(`no answer above has ${value}`)
    return seen.get(value)
  }
  if (Array.isArray(value)) return value.map((each) => filledIn(each, seen))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, seen)]))
}

const PLACEHOLDER = /^<[a-z_]+>$/

function ofText(said: string, actual: unknown, seen: Map<string, unknown>, path: string): string | undefined {
  if (PLACEHOLDER.test(said)) {
    seen.set(said, actual)
    return undefined
  }
  if (said === '…') return undefined
  const isSame = typeof actual === 'string' && new RegExp(`^${glob(said)}$`, 's').test(actual)
  return isSame ? undefined : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(said)}`
}

function ofList(
  said: readonly unknown[],
  actual: unknown,
  seen: Map<string, unknown>,
  path: string,
): string | undefined {
  if (!Array.isArray(actual)) return `${path} is ${JSON.stringify(actual)}, not a list`
  const isOpen = said.at(-1) === '…'
  const shown = isOpen ? said.slice(0, -1) : said
  if (isOpen ? actual.length < shown.length : actual.length !== shown.length)
    return `${path} has ${actual.length} elements`
  return firstOf(shown.map((each, index) => difference(each, actual[index], seen, `${path}[${index}]`)))
}

function ofMembers(
  said: Readonly<Record<string, unknown>>,
  actual: unknown,
  seen: Map<string, unknown>,
  path: string,
): string | undefined {
  if (!isObject(actual)) return `${path} is ${JSON.stringify(actual)}, not an object`
  const shown = Object.keys(said).filter((key) => key !== '…')
  const more = Object.keys(actual).filter((key) => !Object.hasOwn(said, key))
  if (more.length > 0 && !Object.hasOwn(said, '…')) return `${path} also has ${more.join(', ')}`
  return firstOf(
    shown.map((key) =>
      Object.hasOwn(actual, key) ? difference(said[key], actual[key], seen, `${path}.${key}`) : `${path} has no ${key}`,
    ),
  )
}

function firstOf(found: readonly (string | undefined)[]): string | undefined {
  return found.find((each) => each !== undefined)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function glob(text: string): string {
  return text
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
}
