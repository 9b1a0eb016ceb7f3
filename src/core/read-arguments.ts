import { parseArgs } from 'node:util'

/*
 * How the words behind a command of mcpaql are read. The command line and the risk tables use this one reader: a
 * command that is judged must mean what it does when it runs.
 */

export interface OptionKind {
  readonly type: 'boolean' | 'string'
  /** The option may be repeated; its value is a list. */
  readonly multiple?: boolean
  readonly short?: string
  /** The value names a file that the command writes. */
  readonly writes?: boolean
}

export interface Grammar {
  readonly options: Readonly<Record<string, OptionKind>>
  /** How many positional arguments make sense. */
  readonly positionals: readonly [least: number, most: number]
  /** True when what follows `--` is a command to start. */
  readonly takesCommand?: boolean
}

export interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | readonly string[]>>
  readonly positionals: readonly string[]
  /** What stood after `--`, where the command takes one. */
  readonly command: readonly string[]
}

/** What does not fit; `given` is the word as it was written. */
export interface Misfit {
  readonly misfit: 'unknown option' | 'takes no value' | 'needs a value' | 'too many' | 'too few'
  readonly given: string
  /** The option's name, where it is one. */
  readonly name?: string
}

export function readArguments(grammar: Grammar, args: readonly string[]): Arguments | Misfit {
  const options: Grammar['options'] = { ...grammar.options, help: { type: 'boolean', short: 'h' } }
  const cut = grammar.takesCommand ? args.indexOf('--') : -1
  const own = cut < 0 ? args : args.slice(0, cut)
  const values: Record<string, string | boolean | readonly string[]> = {}
  const positionals: string[] = []

  for (const token of tokensOf(own, options)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, isNegated } = named(token.name, options)
    const row = Object.hasOwn(options, name) ? options[name] : undefined
    const misfit = (why: Misfit['misfit']): Misfit => ({ misfit: why, given: token.rawName, name })
    // Help cannot be taken back: what says --help only tells, whatever else is said.
    if (!row || (isNegated && (row.type !== 'boolean' || name === 'help'))) return misfit('unknown option')

    const { value } = token
    if (row.type === 'boolean') {
      if (value !== undefined) return misfit('takes no value')
      values[name] = !isNegated
      continue
    }
    if (value === undefined || (!token.inlineValue && /^-./.test(value))) return misfit('needs a value')
    values[name] = row.multiple ? [...((values[name] as readonly string[] | undefined) ?? []), value] : value
  }

  const given = { values, positionals, command: cut < 0 ? [] : args.slice(cut + 1) }
  return values.help ? given : (miscounted(grammar, given) ?? given)
}

/** What the first word asks for where it names no command. */
export function askedBy(first: string | undefined): 'help' | 'version' | undefined {
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') return 'help'
  return first === '--version' || first === '-V' || first === 'version' ? 'version' : undefined
}

export function isMisfit(read: Arguments | Misfit): read is Misfit {
  return Object.hasOwn(read, 'misfit')
}

/** `--no-open` is `open` turned off, unless an option is called so. */
function named(name: string, options: Grammar['options']): { readonly name: string; readonly isNegated: boolean } {
  const isNegated = name.startsWith('no-') && !Object.hasOwn(options, name)
  return { name: isNegated ? name.slice(3) : name, isNegated }
}

/** `parseArgs` splits the line; whether the pieces fit is judged above. */
function tokensOf(args: readonly string[], options: Grammar['options']) {
  const split = Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]),
  )
  return parseArgs({ args: [...args], options: split, strict: false, allowPositionals: true, tokens: true }).tokens
}

/** A command after `--` stands for the first argument, the SOURCE. */
function miscounted({ positionals: count }: Grammar, { positionals, command }: Arguments): Misfit | undefined {
  const started = command.length > 0 ? 1 : 0
  const extra = positionals[count[1] - started]
  if (extra !== undefined) return { misfit: 'too many', given: extra }
  return positionals.length < count[0] - started ? { misfit: 'too few', given: '' } : undefined
}
