import { has, splitOptions, wordSet } from './options.ts'

export interface SedCall {
  /** Every `-e` is a part of the script. */
  readonly script: string
  readonly scriptFiles: readonly string[]
  readonly files: readonly string[]
  readonly isInPlace: boolean
  /** `-i.bak`: what was there stays beside it. */
  readonly keepsOld: boolean
}

const VALUES = wordSet(`-e -f -l -i? --expression --file --line-length
  ${['--expression', '--file', '--line-length'].flatMap((name) => cutsOf(name)).join(' ')}`)

export function readSedCall(args: readonly string[]): SedCall {
  const options = splitOptions(args, VALUES)
  const given = (short: string, long: string) =>
    options.given.flatMap(([flag, value]) =>
      flag === short || (flag.length > 2 && long.startsWith(flag)) ? [value] : [],
    )
  const scripts = given('-e', '--expression')
  const scriptFiles = given('-f', '--file')
  const isInPlace = has(options, '-i', '--in-place') || options.flags.includes('--i')
  // `-i ''` of the other family: the empty word says that no copy is kept.
  const operands = options.operands.slice(isInPlace && options.operands[0] === '' ? 1 : 0)
  const isGiven = scripts.length + scriptFiles.length > 0
  return {
    script: isGiven ? scripts.join('\n') : (operands[0] ?? ''),
    scriptFiles,
    files: isGiven ? operands : operands.slice(1),
    isInPlace,
    keepsOld: given('-i', '--in-place').some((suffix) => /^\.\w+$/.test(suffix)),
  }
}

/** `--exp`: a long name may be cut where only one begins so. */
function cutsOf(name: string): readonly string[] {
  return Array.from({ length: name.length - 3 }, (_, cut) => name.slice(0, cut + 3))
}

/** One command of a script for `sed`, as far as it says what is run, written or replaced. */
export interface SedCommand {
  readonly name: string
  /** What stands behind the letter: a file, a command line, a label. */
  readonly text: string
  /** True where an address says which lines it is for. */
  readonly isAddressed: boolean
  /** Of `s` and `y`: what is looked for, what is put in its place, and how. */
  readonly change?: {
    readonly pattern: string
    readonly put: string
    readonly flags: string
    /** The file of the flag `w`. */
    readonly file: string | undefined
  }
}

/** Reads a script as GNU sed does; commands that have no meaning there are left out. One pass over the text. */
export function sedCommands(script: string, most: number): readonly SedCommand[] {
  const commands: SedCommand[] = []
  let at = 0
  while (at < script.length && commands.length < most) {
    const start = behindAddresses(script, at)
    const name = script[start.end] ?? ''
    const from = start.end + 1
    const end = endOf(name, script, from)
    const change = name === 's' || name === 'y' ? readChange(script, from) : undefined
    if (/[a-zA-Z=:]/.test(name))
      commands.push({
        name,
        text: script.slice(from, end),
        isAddressed: start.isAddressed,
        ...(change && { change: change.parts }),
      })
    at = Math.max(change?.end ?? end, from)
  }
  return commands
}

/** Where the command begins: behind blanks, brackets of a block, and addresses. */
export function behindAddresses(
  script: string,
  from: number,
  before: ReadonlySet<string> = BEFORE_COMMAND,
): { readonly end: number; readonly isAddressed: boolean } {
  let at = from
  let isAddressed = false
  while (at < script.length) {
    const char = script[at] ?? ''
    // `\,regex,`: behind a backslash any sign is the mark.
    const mark = char === '\\' ? at + 1 : at
    const isRegex = char === '/' || char === '\\'
    if (isRegex) at = behindFlags(script, endOfPart(script, mark + 1, script[mark] ?? '', true) + 1)
    else if (before.has(char)) at++
    else break
    isAddressed ||= isRegex || ADDRESS.has(char)
  }
  return { end: at, isAddressed }
}

const ADDRESS: ReadonlySet<string> = new Set('0123456789$.%')
const BEFORE_COMMAND: ReadonlySet<string> = new Set(' \t\n\r;{},!~+-0123456789$.%')

/** An order of `ed`, `ex` or `vim` without its addresses, also behind `g/regex/`. */
export function withoutAddresses(order: string): string {
  const rest = order.slice(behindAddresses(order, 0, BEFORE_ORDER).end)
  return /^[gGvV]!?\//.test(rest) ? rest.slice(behindAddresses(rest, rest.indexOf('/'), BEFORE_ORDER).end) : rest
}

const BEFORE_ORDER: ReadonlySet<string> = new Set(' \t:,;+-0123456789$.%')

function behindFlags(script: string, from: number): number {
  let at = from
  while (script[at] === 'I' || script[at] === 'M') at++
  return at
}

/** Files and command lines go to the end of the line; labels and numbers end where the next command begins. */
function endOf(name: string, script: string, from: number): number {
  if (name === 'a' || name === 'i' || name === 'c') return endOfText(script, from)
  if (/[rRwWe#]/.test(name)) return found(script.indexOf('\n', from), script)
  if (!/[:btTqQlLv]/.test(name)) return from
  let at = from
  while (at < script.length && !/[;\n}]/.test(script[at] ?? '')) at++
  return at
}

/** A line that ends with a backslash goes on. */
function endOfText(script: string, from: number): number {
  let at = from
  while (at < script.length && script[at] !== '\n') at += script[at] === '\\' ? 2 : 1
  return at
}

/** `s/pattern/put/flags` and `y`, with any sign between the parts. */
function readChange(script: string, from: number) {
  const mark = script[from] ?? ''
  const first = endOfPart(script, from + 1, mark, true)
  const second = endOfPart(script, first + 1, mark, false)
  let at = second + 1
  while (FLAGS.has(script[at] ?? '')) at++
  const flags = script.slice(second + 1, at)
  const isWritten = script[at] === 'w'
  const end = isWritten ? found(script.indexOf('\n', at), script) : at
  return {
    end,
    parts: {
      pattern: script.slice(from + 1, first),
      put: withoutMarks(script.slice(first + 1, second), mark),
      flags,
      file: isWritten ? script.slice(at + 1, end).trim() : undefined,
    },
  }
}

const FLAGS: ReadonlySet<string> = new Set('gpiImMe0123456789 \t')

/** Where the part ends: at the mark that is not escaped and, in a pattern, in no class of characters. */
function endOfPart(script: string, from: number, mark: string, isPattern: boolean): number {
  let hasClasses = isPattern
  for (let at = from; at < script.length; at++) {
    const char = script[at]
    if (char === '\\') at++
    else if (char === mark) return at
    else if (hasClasses && char === '[') {
      const end = endOfClass(script, at)
      if (end < 0) hasClasses = false
      else at = end
    }
  }
  return script.length
}

/** `[^]abc]`, `[[:alpha:]/]`: the bracket that closes the class, or -1 without one. */
function endOfClass(script: string, from: number): number {
  let at = from + (script[from + 1] === '^' ? 2 : 1)
  if (script[at] === ']') at++
  for (; at < script.length; at++) {
    const next = script[at + 1] ?? ''
    if (script[at] === ']') return at
    if (script[at] === '\n') return -1
    if (script[at] !== '[' || !/[:.=]/.test(next)) continue
    const end = script.indexOf(`${next}]`, at + 2)
    if (end < 0) return -1
    at = end + 1
  }
  return -1
}

/** The mark behind a backslash is a sign like any other. */
function withoutMarks(text: string, mark: string): string {
  return text.replaceAll(/\\([\s\S])/g, (whole, sign: string) =>
    sign === mark || sign === '\n' ? sign : sign === 'n' ? '\n' : whole,
  )
}

function found(at: number, script: string): number {
  return at < 0 ? script.length : at
}
