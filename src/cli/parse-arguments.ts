import { parseArgs } from 'node:util'
import { type Command, EXIT, type Given, type Options, type Stop, stop } from './command.ts'
import { nearestWord } from './nearest-word.ts'

/** What `--help` and its kin are on every command. */
export const EVERYWHERE = {
  help: { type: 'boolean', short: 'h', description: 'Show this text.' },
} as const satisfies Options

/** Reads the command line by the command's own table; what does not fit is explained. */
export function parseArguments(command: Command, args: readonly string[]): Given | Stop {
  const options: Options = { ...command.options, ...EVERYWHERE }
  const cut = command.takesCommand ? args.indexOf('--') : -1
  const own = cut < 0 ? args : args.slice(0, cut)
  const values: Record<string, string | boolean | string[]> = {}
  const positionals: string[] = []

  for (const token of tokensOf(own, options)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const name = token.name.startsWith('no-') && !Object.hasOwn(options, token.name) ? token.name.slice(3) : token.name
    const row = Object.hasOwn(options, name) ? options[name] : undefined
    if (!row || (name !== token.name && row.type !== 'boolean')) return unknownOption(command, options, token.rawName)

    if (row.type === 'boolean') {
      if (token.value !== undefined) return stop(EXIT.badUsage, `${token.rawName} takes no value`, seeHelp(command))
      values[name] = name === token.name
      continue
    }
    const { value } = token
    if (value === undefined || (!token.inlineValue && /^-./.test(value))) {
      const shown = `${token.rawName}=${row.value ?? 'VALUE'}`
      return stop(EXIT.badUsage, `${token.rawName} needs a value: ${shown}`, seeHelp(command))
    }
    values[name] = row.multiple ? [...((values[name] as string[] | undefined) ?? []), value] : value
  }

  const given = { values, positionals, command: cut < 0 ? [] : args.slice(cut + 1) } as Given
  return values.help ? given : (miscounted(command, given) ?? given)
}

export function usageOf(command: Command): string {
  return `Usage: ${command.usage.map((form) => `mcpaql ${command.name} ${form}`).join('\n       ')}`
}

export function seeHelp(command: Command): string {
  return `See mcpaql ${command.name} --help`
}

/** `parseArgs` splits the line; whether the pieces fit is judged above, where an explanation can be given. */
function tokensOf(args: readonly string[], options: Options) {
  const split = Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]),
  )
  return parseArgs({ args: [...args], options: split, strict: false, allowPositionals: true, tokens: true }).tokens
}

/** A command after `--` stands for the first argument, the SOURCE. */
function miscounted(command: Command, { positionals, command: started }: Given): Stop | undefined {
  const [least, most] = command.positionals.map((count) => count - (started.length > 0 ? 1 : 0)) as [number, number]
  const extra = positionals[most]
  if (extra !== undefined) {
    return stop(EXIT.badUsage, `'${extra}' is one argument too many`, usageOf(command), seeHelp(command))
  }
  if (positionals.length >= least) return undefined
  return stop(EXIT.badUsage, `mcpaql ${command.name} needs more arguments`, usageOf(command), seeHelp(command))
}

function unknownOption(command: Command, options: Options, given: string): Stop {
  const nearest = nearestWord(given.replace(/^-+(?:no-)?/, ''), Object.keys(options))
  return stop(EXIT.badUsage, `Unknown option ${given}`, nearest ? `Did you mean --${nearest}?` : '', seeHelp(command))
}
