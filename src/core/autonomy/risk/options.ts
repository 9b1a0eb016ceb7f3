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

/**
 * The values of an option, wherever its letter stands in a cluster and however its long name is cut: `-Xqc VALUE`,
 * `-NeVALUE`, `--comm=VALUE`. Letters of `before` begin a value of their own.
 */
export function valuesOf(args: readonly string[], names: readonly string[], before: string): readonly string[] {
  return args.flatMap((raw, at) => {
    const word = known(raw)
    const next = args[at + 1] ?? ''
    if (word.startsWith('--')) {
      const [, flag = '', value] = /^(--[\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? []
      return names.some((name) => name === flag || isCutOf(flag, name)) ? [value ?? next] : []
    }
    const start = word.startsWith('-') ? letterAt(word, names, before) : 0
    if (start === 0) return []
    const rest = word.slice(start + 1)
    if (rest === '') return [next]
    return start === 1 || /\s/.test(rest) ? [rest] : []
  })
}

/** Where the first of the letters stands in a cluster, or 0. */
function letterAt(word: string, names: readonly string[], before: string): number {
  for (let at = 1; at < word.length && /[a-zA-Z\d]/.test(word[at] ?? ''); at++) {
    if (names.includes(`-${word[at]}`)) return at
    if (before.includes(word[at] ?? '')) return 0
  }
  return 0
}

/** A value that an option may have. */
export interface PossibleValue {
  readonly flag: string
  readonly value: string
  /** True where it stands in the word of its option. */
  readonly isJoined: boolean
}

/**
 * Every value that an option may have where no list says which options take one: `--name=V`, `--name V`, `-name V`, and of
 * a cluster `-abc` behind each letter (`-ab V`, `-abV`).
 */
export function possibleValues(args: readonly string[]): readonly PossibleValue[] {
  return args.flatMap((arg, at): readonly PossibleValue[] => {
    const word = known(arg)
    if (!/^-./.test(word) || word === '--') return []
    const next = args[at + 1] ?? ''
    const cut = word.indexOf('=')
    const name = cut < 0 ? word : word.slice(0, cut)
    const whole = { flag: name, value: cut < 0 ? next : word.slice(cut + 1), isJoined: cut >= 0 }
    if (word.startsWith('--') || word.length === 2) return [whole]
    const last = Math.min(word.length - 1, MOST_LETTERS)
    return [
      whole,
      ...Array.from({ length: last }, (_, i) => ({
        flag: `-${word[i + 1] ?? ''}`,
        value: i + 2 < word.length ? word.slice(i + 2) : next,
        isJoined: i + 2 < word.length,
      })),
    ]
  })
}

const MOST_LETTERS = 24

/** Long names that were cut short, written out as GNU programs read them: `--output-doc=F` is `--output-document=F`. */
export function uncut(args: readonly string[], names: ReadonlySet<string>): readonly string[] {
  return args.map((arg) => {
    const [, name = '', rest = ''] = /^(--[a-z][\w-]*)(=.*)?$/s.exec(arg) ?? []
    if (name === '' || names.has(name)) return arg
    const whole = [...names].find((one) => isCutOf(name, one))
    return whole === undefined ? arg : whole + rest
  })
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

/** True for a long name that was cut short. */
export function isCutOf(flag: string, name: string): boolean {
  return flag.length > 3 && flag.startsWith('--') && name.startsWith(flag)
}
