import { wordSet } from './options.ts'
import { proseFinding } from './prose.ts'
import { withoutQuoted } from './quoted.ts'

/** Words around an action: spec §8.6.3 has "executing shell command: …" and "calling write_file on … to …". */
export interface Framed {
  /** The action in its own words. */
  readonly action: string
  /** True where the words say that it is a command of a shell. */
  readonly isCommand: boolean
  /** What the sentence says besides. */
  readonly rest: string
}

const BEFORE =
  "(?:(?:i['’]?m|i am|i['’]?ll|i will|we['’]?ll|we will|let me|let['’]?s|now|next|first|finally|please|then|going to|about to|want to|need to|try(?:ing)? to|should)[\\s,]+){0,4}"
const VERB = '(?:run|running|execute|executing|invoke|invoking|call|calling|use|using)'
const ARTICLE = '(?:\\s+(?:the|a|this|following)){0,2}'
const PLACE = '(?:\\s+(?:shell|bash|sh|zsh|terminal|console|cli|command[- ]line|mcp|sql|database|http))?'
const THING = '(?:\\s+(command|tool|operation|function|query|statement|request|program))?'

const FRAME = new RegExp(`^\\s*${BEFORE}${VERB}${ARTICLE}${PLACE}${THING}(?:\\s*:)?\\s+(?=\\S)`, 'i')
const LABEL = /^\s*(?:(?:shell|bash|terminal)\s+)?(command|cmd|shell|bash|tool|operation|query|sql)\s*:\s+(?=\S)/i
const PROMPT = /^\s*\$\s+(?=\S)/

/** Undefined where the text has no such words before its action. */
export function frameOf(text: string): Framed | undefined {
  if (text.length > 4_000) return undefined
  const found = FRAME.exec(text) ?? LABEL.exec(text) ?? PROMPT.exec(text)
  if (!found) return undefined
  const said = found[1]?.toLowerCase()
  const isCommand = found[0].trim() === '$' || COMMANDS.has(said ?? '') || /\b(?:shell|bash|terminal)\b/i.test(found[0])
  const inner = text.slice(found[0].length).trim()
  // "Run `npm test` to …": what stands in the marks is the action.
  const [, , marked, behind = ''] = /^(```|`|"|')([^`"'\n]+)\1(?:\s+([^`\n]*))?[.…]?$/.exec(inner) ?? []
  return marked === undefined ? { action: inner, isCommand, rest: '' } : { action: marked, isCommand, rest: behind }
}

const COMMANDS = wordSet('command cmd shell bash program')

/** "read_file on a.ts to see …": the action, and what it is for. */
export function withoutPurpose({ action, isCommand, rest }: Framed): Framed {
  const cut = isCommand ? -1 : action.search(/(?<!\s)\s+(?:to|in order to|so that|because|since)\s/)
  return cut < 0
    ? { action, isCommand, rest }
    : { action: action.slice(0, cut), isCommand, rest: `${action.slice(cut)} ${rest}` }
}

/** True where words beside an action speak of no other one. */
export function isAside(words: string): boolean {
  return words.length < 200 && !JOINS.test(words) && proseFinding(words) === undefined && !/[;|&`<>\n]/.test(words)
}

/** What a sentence says behind its command: from the first word that only sentences have. */
export function asideOf(commandLine: string): string {
  const bare = withoutQuoted(commandLine)
  const at = bare.search(/\s(?:to|in order to|so that|because|since|for the|in the|on the|before|after|again|now)\s/)
  return at < 0 ? '' : bare.slice(at)
}

/** True for a command line with bare words that sentences go on with. */
export function goesOn(commandLine: string): boolean {
  const bare = withoutQuoted(commandLine)
  return JOINS.test(BLOCK.test(bare) ? bare.replaceAll(BLOCK_WORDS, ' ') : bare)
}

/** Words of a shell that open a block, and those that go on with it. */
const BLOCK = /(?:^|[;\n&|(][ \t]*)(?:if|elif|while|until|for|select|case)\s/
const BLOCK_WORDS = /(?:^|[;&|(]\s*|(?<!\s)[^\S\n]*\n\s*)(?:then|do|while|until)\b/g

const JOINS =
  /(?:^|[\s,])(?:and|then|afterwards?|thereafter|subsequently|also|plus|besides|additionally|followed by|finally|before that|after that|after which|while|until|instead|but)(?=$|[\s,])/i
