import { Buffer } from 'node:buffer'
import { optionValue, splitOptions, wordSet } from './options.ts'
import { isUnknown, UNKNOWN } from './scope.ts'
import { readSedCall, sedCommands } from './sed-script.ts'

/** What a filter makes of a known text; undefined where that cannot be said. Decoders are how commands hide. */
export type Filter = (args: readonly string[], text: string) => string | undefined

export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['base64', (args, text) => (decodes(args, '-d', '-D', '--decode', '-di', '-id') ? fromBase64(text) : toBase64(text))],
  ['base32', (args, text) => (decodes(args, '-d', '--decode') ? fromBase32(text) : undefined)],
  [
    'openssl',
    (args, text) =>
      args.some((arg) => arg.includes('base64') || arg === '-a') && args.includes('-d') ? fromBase64(text) : undefined,
  ],
  ['xxd', (args, text) => (args.some((arg) => arg.startsWith('-') && arg.includes('r')) ? fromHex(text) : undefined)],
  [
    'rev',
    (_, text) =>
      text
        .split('\n')
        .map((line) => Array.from(line).reverse().join(''))
        .join('\n'),
  ],
  ['tac', (_, text) => `${text.replace(/\n$/, '').split('\n').reverse().join('\n')}\n`],
  ['tr', (args, text) => translate(args, text)],
  ['sed', (args, text) => substitute(args, text)],
  ['cut', (args, text) => cutColumns(args, text)],
  ['head', (args, text) => lines(args, text, false)],
  ['tail', (args, text) => lines(args, text, true)],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Filter] => [name, printed]),
  ['cat', (args, text) => (args.every((arg) => arg === '-' || arg.startsWith('-')) ? text : undefined)],
  ...passing('tee sort uniq iconv fold expand unexpand strings pv less more column fmt ts sponge stdbuf grep egrep nl'),
])

/** Only a program that prints whole lines leaves them as they are. */
function printed(args: readonly string[], text: string): string | undefined {
  return args.some((arg) => arg.length < 40 && /^(1|(NF|NR>?\d*)? ?\{ *print( +\$0)? *(; *)?\})$/.test(arg.trim()))
    ? text
    : undefined
}

function passing(names: string): readonly (readonly [string, Filter])[] {
  return [...wordSet(names)].map((name) => [name, (_: readonly string[], text: string) => text] as const)
}

function decodes(args: readonly string[], ...names: readonly string[]): boolean {
  return args.some((arg) => names.includes(arg) || (arg.length > 3 && '--decode'.startsWith(arg)))
}

function fromBase64(text: string): string | undefined {
  return isUnknown(text) ? undefined : Buffer.from(text, 'base64').toString('utf8').replaceAll('\0', '')
}

function toBase64(text: string): string {
  return `${Buffer.from(text).toString('base64')}\n`
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

/** Plain hex, or the columns of a dump. */
function fromHex(text: string): string {
  const digits = text
    .split('\n')
    .map((line) => line.replace(/^[\da-f]+: /i, '').split('  ')[0] ?? '')
    .join('')
  return Buffer.from(digits.replaceAll(/[^\da-f]/gi, ''), 'hex')
    .toString('utf8')
    .replaceAll('\0', '')
}

function translate(args: readonly string[], text: string): string | undefined {
  const { flags, operands } = splitOptions(args)
  const from = charactersOf(operands[0] ?? '')
  if (flags.includes('-d'))
    return Array.from(text)
      .filter((char) => !from.includes(char))
      .join('')
  if (flags.includes('-c') || flags.includes('-C')) return undefined
  const to = charactersOf(operands[1] ?? '')
  if (operands.length < 2) return text
  return Array.from(text, (char) => {
    const at = from.indexOf(char)
    return at < 0 ? char : (to[Math.min(at, to.length - 1)] ?? '')
  }).join('')
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['[:upper:]', 'A-Z'],
  ['[:lower:]', 'a-z'],
  ['[:digit:]', '0-9'],
  ['[:alpha:]', 'A-Za-z'],
  ['[:space:]', ' \t\n\r'],
  ['[:blank:]', ' \t'],
])

function charactersOf(set: string): readonly string[] {
  let text = unescaped(set)
  for (const [name, range] of CLASSES) text = text.replaceAll(name, range)
  const found: string[] = []
  for (let i = 0; i < text.length; i++) {
    const first = text.charCodeAt(i)
    if (text[i + 1] === '-' && i + 2 < text.length) {
      for (let code = first; code <= text.charCodeAt(i + 2) && found.length < 512; code++)
        found.push(String.fromCharCode(code))
      i += 2
    } else found.push(text[i] ?? '')
  }
  return found
}

/** `s/plain/text/`: patterns that are no plain text are left unknown. */
function substitute(args: readonly string[], text: string): string | undefined {
  const commands = sedCommands(readSedCall(args).script, 64)
  let result = text
  for (const { name, change, isAddressed } of commands) {
    if (name !== 's' || !change || isAddressed) return undefined
    const { pattern, put, flags } = change
    if (/[\\^$.*[\]]/.test(pattern) || /[\\&]/.test(put)) return flags.includes('e') ? UNKNOWN : undefined
    result = flags.includes('g') ? result.replaceAll(pattern, () => put) : result.replace(pattern, () => put)
  }
  return commands.length === 0 ? undefined : result
}

function cutColumns(args: readonly string[], text: string): string | undefined {
  const { values } = splitOptions(args, new Set(['-c', '-b', '-d', '-f']))
  const columns = optionValue({ values }, '-c', '-b') ?? optionValue({ values }, '-f')
  const separator = optionValue({ values }, '-d') ?? '\t'
  if (columns === undefined) return undefined
  const [first = '', last] = columns.split('-')
  const from = Math.max(1, Number(first || 1))
  const to = last === undefined ? from : last === '' ? Number.POSITIVE_INFINITY : Number(last)
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined
  const pick = (line: string) =>
    values.has('-f')
      ? line
          .split(separator)
          .slice(from - 1, to)
          .join(separator)
      : line.slice(from - 1, to)
  return text.split('\n').map(pick).join('\n')
}

function lines(args: readonly string[], text: string, isTail: boolean): string | undefined {
  const { values } = splitOptions(args, new Set(['-n', '-c', '--lines', '--bytes']))
  const bytes = optionValue({ values }, '-c', '--bytes')
  const count = Number(
    (
      bytes ??
      optionValue({ values }, '-n', '--lines') ??
      args.find((arg) => /^-\d+$/.test(arg))?.slice(1) ??
      '10'
    ).replace('+', ''),
  )
  if (!Number.isInteger(count)) return undefined
  if (bytes !== undefined) {
    if (!isTail) return text.slice(0, count)
    return bytes.startsWith('+') ? text.slice(count - 1) : text.slice(-count)
  }
  const all = text.replace(/\n$/, '').split('\n')
  if (!isTail) return `${all.slice(0, count).join('\n')}\n`
  const isFrom = optionValue({ values }, '-n', '--lines')?.startsWith('+') === true
  return `${(isFrom ? all.slice(count - 1) : all.slice(-count)).join('\n')}\n`
}

/** Escapes as `echo -e`, `printf` and `tr` read them. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|0?[0-7]{1,3}|.)/g, (_, code: string) => {
    if (/^[xu]./.test(code) && /^[\da-f]+$/i.test(code.slice(1)))
      return String.fromCodePoint(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]+$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    return ESCAPES.get(code) ?? code
  })
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', ''],
  ['b', ''],
  ['c', ''],
  ['e', ''],
  ['f', ' '],
  ['v', ' '],
])
