import { Buffer } from 'node:buffer'
import { optionValue, splitOptions, wordSet } from './options.ts'
import { isUnknown, UNKNOWN } from './scope.ts'
import { readSedCall, sedCommands } from './sed-script.ts'
import { translate } from './translate.ts'

/** What a filter makes of a known text; undefined where that is not known to the letter. */
export type Filter = (args: readonly string[], text: string) => string | undefined

/** The work of one program; undefined, and nothing is known, for words that it is not written for. */
const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  [
    'base64',
    (args, text) => (decodes(args, '-d', '-D', '--decode', '-di', '-id') ? fromBase64(text) : toBase64(args, text)),
  ],
  [
    'base32',
    (args, text) =>
      decodes(args, '-d', '--decode') && /^[A-Z2-7]*=*$/.test(text.replaceAll('\n', '')) ? fromBase32(text) : undefined,
  ],
  [
    'openssl',
    (args, text) => (decodes(args, '-d') && args.every((arg) => ENCODED.has(arg)) ? fromBase64(text) : undefined),
  ],
  ['xxd', (args, text) => (PLAIN_HEX.test(args.join(' ')) ? fromHex(text) : undefined)],
  ['rev', (args, text) => unless(args, () => eachLine(text, (line) => [...line].reverse().join('')))],
  ['tac', (args, text) => unless(args, () => linesOf(text).reverse().join(''))],
  ['tr', translate],
  ['sed', substitute],
  ['cut', cutColumns],
  ['head', (args, text) => ends(args, text, false)],
  ['tail', (args, text) => ends(args, text, true)],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Filter] => [name, printed]),
  ...['grep', 'egrep', 'fgrep'].map((name): [string, Filter] => [name, (args, text) => picked(name, args, text)]),
  ['cat', (args, text) => (args.every((arg) => arg === '-' || arg === '-u') ? text : undefined)],
  ...['sponge', 'less', 'more', 'pv'].map((name): [string, Filter] => [name, (args, text) => unless(args, () => text)]),
  // Whatever the order is, one line stays where it is.
  [
    'sort',
    (args, text) => (args.every((arg) => ORDERS.test(arg)) && linesOf(text).length < 2 ? ended(text) : undefined),
  ],
  ['uniq', (args, text) => unless(args, () => distinct(text))],
  // Text of such lines has nothing that these would change.
  ['fold', (args, text) => unless(args, () => where(text, /^[ -~]{0,80}$/))],
  ['expand', (args, text) => unless(args, () => where(text, /^[ -~]*$/))],
  ['unexpand', (args, text) => unless(args, () => where(text, /^(?! )[ -~]*$/))],
  ['strings', (args, text) => unless(args, () => where(ended(text), /^[ -~]{4,}$/))],
  ['iconv', (args, text) => (SAME_LETTERS.test(args.join(' ')) ? where(text, /^[\t -~]*$/) : undefined)],
])

/**
 * What a program makes of a known text. A part that is known only at run time may hold any sign, so that only what
 * copies the text, or what looks at each sign for itself, says what is left.
 */
export function filterText(name: string, args: readonly string[], text: string): string | undefined {
  if (args.some(isUnknown) || (isUnknown(text) && !OF_EACH_SIGN.has(name))) return undefined
  return FILTERS.get(name)?.(args, text)
}

const OF_EACH_SIGN = wordSet('cat sponge less more pv tr sed')
const ENCODED = wordSet('enc base64 -base64 -a -A -d')
const PLAIN_HEX = /^(-r -p|-p -r|-rp|-pr|-r -ps|-ps -r|-r -plain|-plain -r|-revert -p|-p -revert)$/
const ORDERS = /^-[bdfgiMhnRrVsu]+$/
/** Both ends write the letters of ASCII as they are. */
const SAME_LETTERS = /^(?:(?:-c|-[ft] ?(?:utf-?8|ascii|us-ascii|latin1|iso-?8859-1)(?:\/\/\w+)?)(?: |$))*$/i

/** Without words only: each may change what comes out. */
function unless(args: readonly string[], made: () => string | undefined): string | undefined {
  return args.length === 0 ? made() : undefined
}

/** The lines with their ends; the last one may have none. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => `${line}\n`)
  const last = lines.pop()?.slice(0, -1) ?? ''
  return last === '' ? lines : [...lines, last]
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** Each line changed for itself; the last one keeps having no end. */
function eachLine(text: string, change: (line: string) => string): string {
  return linesOf(text)
    .map((line) => (line.endsWith('\n') ? `${change(line.slice(0, -1))}\n` : change(line)))
    .join('')
}

function where(text: string, line: RegExp): string | undefined {
  return linesOf(text).every((one) => line.test(one.replace('\n', ''))) ? text : undefined
}

function distinct(text: string): string {
  const lines = linesOf(ended(text))
  return lines.filter((line, at) => line !== lines[at - 1]).join('')
}

/** Programs that print whole lines: all, those that are not empty, one, or all behind one. */
function printed(args: readonly string[], text: string): string | undefined {
  const [program = '', ...more] = args
  const [isProgram, field, sign, number] =
    (program.length < 40 &&
      /^(?:(NF|1)|NR(>|==)(\d{1,6}))? ?(?:\{ *print(?: +\$0)? *(?:; *)?\})?$/.exec(program.trim())) ||
    []
  if (!isProgram || more.length > 0) return undefined
  const lines = linesOf(ended(text))
  const count = Number(number)
  if (field === 'NF') return lines.filter((line) => /\S/.test(line)).join('')
  return (sign === undefined ? lines : sign === '>' ? lines.slice(count) : lines.slice(count - 1, count)).join('')
}

/** Lines that hold a plain text, or hold none. What a pattern with signs finds is not known. */
function picked(name: string, args: readonly string[], text: string): string | undefined {
  const { operands, flags: all, given } = splitOptions(args, new Set(['-e']))
  // A cluster stands there as its letters and as a whole.
  const flags = all.filter((flag) => flag.length === 2 || flag.startsWith('--'))
  const patterns = [...given.map(([, pattern]) => pattern), ...(given.length === 0 ? operands.slice(0, 1) : [])]
  const isIn = (flag: string) => flags.includes(flag)
  if (flags.some((flag) => !PICKING.has(flag)) || patterns.length !== 1 || operands.length + given.length !== 1)
    return undefined
  const [, start = '', pattern = '', end = ''] = /^(\^?)([^\\^$.*[\]\n]*)(\$?)$/.exec(patterns[0] ?? '') ?? []
  // Every line that holds a sign.
  if (patterns[0] === '.' && flags.length === 0 && name !== 'fgrep')
    return linesOf(ended(text))
      .filter((line) => line !== '\n')
      .join('')
  const isAnchored = start + end !== ''
  if (pattern === '' || /[?+{}()|]/.test(pattern) || (isAnchored && (name === 'fgrep' || isIn('-F') || isIn('-o'))))
    return undefined
  if (isIn('-i') && /[^\t\n -~]/.test(text + pattern)) return undefined
  const fold = (line: string) => (isIn('-i') ? line.toLowerCase() : line)
  const wanted = fold(pattern)
  const isWhole = start !== '' && end !== ''
  const holds = (line: string) =>
    line.includes(wanted) &&
    (start === '' || line.startsWith(wanted)) &&
    (end === '' || line.endsWith(wanted)) &&
    (!isWhole || line === wanted)
  const found = linesOf(ended(text)).filter((line) => holds(fold(line.slice(0, -1))) !== isIn('-v'))
  return isIn('-o') ? onlyMatches(found, pattern, flags) : found.join('')
}

const PICKING = wordSet('-E -F -G -i -v -o -e -a -s')

function onlyMatches(found: readonly string[], pattern: string, flags: readonly string[]): string | undefined {
  if (flags.includes('-v')) return ''
  if (flags.includes('-i')) return undefined
  return found.map((line) => `${pattern}\n`.repeat(line.split(pattern).length - 1)).join('')
}

function decodes(args: readonly string[], ...names: readonly string[]): boolean {
  return args.some((arg) => names.includes(arg) || (arg.length > 3 && '--decode'.startsWith(arg)))
}

/** Signs of another alphabet, and a second text behind the end of the first, are read in more than one way. */
function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(text.replaceAll('\n', ''))) return undefined
  return Buffer.from(text, 'base64').toString('utf8').replaceAll('\0', '')
}

function toBase64(args: readonly string[], text: string): string | undefined {
  const encoded = Buffer.from(text).toString('base64')
  if (/^(-w ?0|--wrap=0)$/.test(args.join(' '))) return encoded
  return unless(args, () => encoded.replaceAll(/[^\n]{1,76}/g, '$&\n'))
}

export function fromBase32(text: string): string | undefined {
  let bits = ''
  for (const char of text.toUpperCase()) {
    const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char)
    if (value >= 0) bits += value.toString(2).padStart(5, '0')
  }
  const bytes = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2),
  )
  return Buffer.from(bytes).toString('utf8').replaceAll('\0', '')
}

function fromHex(text: string): string | undefined {
  if (/[^\da-f\s]/i.test(text)) return undefined
  return Buffer.from(text.replaceAll(/\s/g, ''), 'hex').toString('utf8').replaceAll('\0', '')
}

/** `s/plain/text/`, with all of its signs taken for themselves. */
function substitute(args: readonly string[], text: string): string | undefined {
  const call = readSedCall(args)
  const commands = sedCommands(call.script, 64)
  const switches = args.filter((arg) => /^-./.test(arg))
  if (commands.length === 0 || call.files.length > 0 || switches.some((arg) => !SED_SWITCHES.test(arg)))
    return undefined
  const signs = switches.some((arg) => /^-u*[Er]|^--r/.test(arg)) ? /[\\^$.*[\]+?(){}|]/ : /[\\^$.*[\]]/
  const changes = commands.map(({ name, change, isAddressed }) => (name === 's' && !isAddressed ? change : undefined))
  const isRun = changes.some((change) => change?.flags.includes('e'))
  const isPlain = (change: (typeof changes)[number]) =>
    change !== undefined &&
    change.pattern !== '' &&
    /^g?$/.test(change.flags) &&
    !signs.test(change.pattern) &&
    !/[\\&]/.test(change.put)
  if (!changes.every(isPlain)) return isRun ? UNKNOWN : undefined
  const put = eachLine(text, (line) =>
    changes.reduce((changed, change) => (change ? replaced(changed, change) : changed), line),
  )
  return put.length > LONGEST_CHANGED ? undefined : put
}

/** Doubling again and again must not fill the memory: what is longer is not known. */
function replaced(
  line: string,
  { pattern, put, flags }: { readonly pattern: string; readonly put: string; readonly flags: string },
): string {
  if (line.length > LONGEST_CHANGED) return line
  return flags === 'g' ? line.split(pattern).join(put) : line.replace(pattern, () => put)
}

const LONGEST_CHANGED = 12_000
const SED_SWITCHES = /^(?:-[Eru]+|-[Eru]*e[\s\S]*|--expression(?:=[\s\S]*)?|--regexp-extended)$/

/** One stretch of each line. A line without the separator is no columns and stays as it is. */
function cutColumns(args: readonly string[], text: string): string | undefined {
  const { values, flags, operands } = splitOptions(args, COLUMN_OPTIONS)
  const columns =
    optionValue({ values }, '-c', '-b', '--characters', '--bytes') ?? optionValue({ values }, '-f', '--fields')
  const separator = optionValue({ values }, '-d', '--delimiter') ?? '\t'
  const [, first = '', sign, last = ''] = /^(?=\d|-\d)(\d{0,9})(-?)(\d{0,9})$/.exec(columns ?? '') ?? []
  if (
    sign === undefined ||
    operands.length > 0 ||
    separator.length !== 1 ||
    flags.some((flag) => !COLUMN_OPTIONS.has(flag))
  )
    return undefined
  const from = Math.max(1, Number(first || 1))
  const to = sign === '' ? from : last === '' ? Number.POSITIVE_INFINITY : Number(last)
  const isOfFields = values.has('-f') || values.has('--fields')
  if (!isOfFields && where(text, /^[\t -~]*$/) === undefined) return undefined
  return eachLine(ended(text), (line) => {
    if (!isOfFields) return line.slice(from - 1, to)
    return line.includes(separator)
      ? line
          .split(separator)
          .slice(from - 1, to)
          .join(separator)
      : line
  })
}

const COLUMN_OPTIONS = wordSet('-c -b -d -f --characters --bytes --delimiter --fields')

/** The first or the last lines or signs, or all but so many. */
function ends(args: readonly string[], text: string, isTail: boolean): string | undefined {
  const { values, flags, operands } = splitOptions(args, COUNTS)
  const [, short] = /^-(\d{1,6})$/.exec(args[0] ?? '') ?? []
  if (operands.length > 0 || (short === undefined ? flags.some((flag) => !COUNTS.has(flag)) : args.length > 1))
    return undefined
  const signs = optionValue({ values }, '-c', '--bytes')
  const [, sign, digits] =
    /^([-+]?)(\d{1,9})$/.exec(signs ?? short ?? optionValue({ values }, '-n', '--lines') ?? '10') ?? []
  if (digits === undefined || (signs !== undefined && where(text, /^[\t -~]*$/) === undefined)) return undefined
  const all = signs === undefined ? linesOf(text) : [...text]
  const count = Number(digits)
  if (!isTail) return all.slice(0, sign === '-' ? Math.max(0, all.length - count) : count).join('')
  return all.slice(sign === '+' ? Math.max(0, count - 1) : Math.max(0, all.length - count)).join('')
}

const COUNTS = wordSet('-n -c --lines --bytes')
