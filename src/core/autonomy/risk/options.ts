import { known } from './scope.ts'

/** The words of a command as most programs read them. */
export interface Options {
  readonly flags: readonly string[]
  readonly values: ReadonlyMap<string, string>
  readonly operands: readonly string[]
  /** Every flag with a value, also where it is given again. */
  readonly given: readonly (readonly [flag: string, value: string])[]
}

/**
 * `-rf` is `-r` and `-f`; `valued` names the flags that take the next word, or the rest of theirs. A flag whose value
 * can only be the rest of its own word stands there with a question mark: `-i?`.
 */
export function splitOptions(words: readonly string[], valued: ReadonlySet<string> = NO_VALUES): Options {
  const flags: string[] = []
  const operands: string[] = []
  const given: (readonly [string, string])[] = []
  const values = new Map<string, string>()
  const keep: Keep = (flag, value) => {
    values.set(flag, value)
    given.push([flag, value])
  }
  for (let i = 0; i < words.length; i++) {
    const raw = words[i] ?? ''
    const word = known(raw)
    if (word === '--') {
      operands.push(...words.slice(i + 1))
      break
    }
    if (!word.startsWith('-') || word === '-' || raw.startsWith('\0')) operands.push(raw)
    else if (word.startsWith('--')) {
      const at = word.indexOf('=')
      const name = at < 0 ? word : word.slice(0, at)
      flags.push(name)
      if (at >= 0) keep(name, word.slice(at + 1))
      else if (valued.has(name)) keep(name, words[++i] ?? '')
    } else i += cluster(word, words[i + 1], valued, flags, keep)
  }
  return { flags, values, operands, given }
}

/** True where the option takes the next word: the first letter of a cluster that takes a value takes the rest of it. */
export function takesNext(word: string, valued: ReadonlySet<string>): boolean {
  return word.startsWith('--') ? valued.has(word) : cluster(word, undefined, valued, [], () => {}) === 1
}

/** True where no list says whether the option takes the next word. */
export function mayTakeNext(word: string, valued: ReadonlySet<string>): boolean {
  if (!/^--?[a-zA-Z]/.test(word) || word.includes('=') || takesNext(word, valued)) return false
  return word.startsWith('--') || !hasAttached(word, valued)
}

/** True when one of the names was given; long names may be cut as GNU allows. */
export function has({ flags }: Pick<Options, 'flags'>, ...names: readonly string[]): boolean {
  return names.some((name) => flags.some((flag) => flag === name || isCutOf(flag, name)))
}

export function optionValue({ values }: Pick<Options, 'values'>, ...names: readonly string[]): string | undefined {
  for (const name of names) if (values.has(name)) return values.get(name)
  return undefined
}

export function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text))
}

const NO_VALUES: ReadonlySet<string> = new Set()

type Keep = (flag: string, value: string) => void

/** How many further words it took. */
function cluster(
  word: string,
  next: string | undefined,
  valued: ReadonlySet<string>,
  flags: string[],
  keep: Keep,
): number {
  if (valued.has(word)) {
    flags.push(word)
    keep(word, next ?? '')
    return 1
  }
  for (let i = 1; i < word.length; i++) {
    const flag = `-${word[i]}`
    flags.push(flag)
    const rest = word.slice(i + 1)
    if (valued.has(`${flag}?`)) {
      keep(flag, rest)
      return 0
    }
    if (!valued.has(flag)) continue
    keep(flag, rest === '' ? (next ?? '') : rest)
    return rest === '' ? 1 : 0
  }
  if (word.length > 2) flags.push(word)
  return 0
}

/** `-uroot`, `-c0`: the value stands in the same word. */
function hasAttached(word: string, valued: ReadonlySet<string>): boolean {
  return Array.from(word.slice(1)).some((letter) => valued.has(`-${letter}`) || valued.has(`-${letter}?`))
}

function isCutOf(flag: string, name: string): boolean {
  return flag.length > 3 && flag.startsWith('--') && name.startsWith(flag)
}
