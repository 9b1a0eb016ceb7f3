import { unescaped } from './escapes.ts'
import { splitOptions } from './options.ts'
import { UNKNOWN } from './scope.ts'

/** `tr`: one sign for another, without some, or without repetitions; undefined for sets that are no plain lists. */
export function translate(args: readonly string[], text: string): string | undefined {
  const { flags, operands } = splitOptions(args)
  const letters = lettersOf(flags)
  const sets = operands.map(charactersOf)
  const [from, to] = sets
  const isAll = letters.includes('c')
  const removes = letters.includes('d')
  const squeezes = letters.includes('s')
  if (!from || letters.includes('?') || sets.length > 2 || sets.includes(undefined)) return undefined
  // Of what is left over only one sign can be said to take its place.
  if ((isAll && to && !removes && to.length !== 1) || (to ? removes && !squeezes : removes === squeezes))
    return undefined
  if (to && !removes && new Set(from).size < from.length) return undefined
  if (/[^\n\t\0 -~]/.test(text)) return undefined
  const isMeant = (char: string) => char !== UNKNOWN && from.includes(char) !== isAll
  const left = removes ? Array.from(text).filter((char) => !isMeant(char)) : Array.from(text)
  const put = to && !removes ? left.map((char) => (isMeant(char) ? replaced(char, from, to) : char)) : left
  if (!squeezes) return put.join('')
  const isOnce = (char: string) => (to ? to.includes(char) : isMeant(char))
  return put.filter((char, at) => char !== put[at - 1] || !isOnce(char)).join('')
}

/** The last sign of the second set stands for all that it lacks. */
function replaced(char: string, from: readonly string[], to: readonly string[]): string {
  return to[Math.min(Math.max(0, from.lastIndexOf(char)), to.length - 1)] ?? ''
}

const NAMES = ['--complement', '--delete', '--squeeze-repeats'] as const

/** The letters of the switches; `?` for one that changes more. */
function lettersOf(flags: readonly string[]): string {
  const short = flags.filter((flag) => !flag.startsWith('--') && flag.length === 2)
  const long = flags.filter((flag) => flag.startsWith('--'))
  return [...short.map((flag) => flag.slice(1).toLowerCase()), ...long.map(letterOf)]
    .join('')
    .replaceAll(/[^cds]/g, '?')
}

function letterOf(flag: string): string {
  return flag.length > 2 ? (NAMES.find((name) => name.startsWith(flag))?.[2] ?? '?') : '?'
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['[:upper:]', 'A-Z'],
  ['[:lower:]', 'a-z'],
  ['[:digit:]', '0-9'],
  ['[:alpha:]', 'A-Za-z'],
  ['[:alnum:]', '0-9A-Za-z'],
  ['[:space:]', ' \t\n\r\v\f'],
  ['[:blank:]', ' \t'],
  ['[:punct:]', '!-/:-@[-`{-~'],
])

/** A repetition, a class of another kind, and a dash or a notation that other programs read otherwise are not read. */
function charactersOf(set: string): readonly string[] | undefined {
  if (/\\(?:[-xuceabfv]|$)|\[[=.]|\[.\*/.test(set)) return undefined
  let text = unescaped(set)
  for (const [name, range] of CLASSES) text = text.replaceAll(name, range)
  if (/\[:|[^\n\t\r\v\f -~]/.test(text)) return undefined
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
