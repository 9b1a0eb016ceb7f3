import { isMisfit, type Misfit, readArguments } from '../core/read-arguments.ts'
import { type Command, EXIT, type Given, type Options, type Stop, stop } from './command.ts'
import { nearestWord } from './nearest-word.ts'

/** What `--help` and its kin are on every command. */
export const EVERYWHERE = {
  help: { type: 'boolean', short: 'h', description: 'Show this text.' },
} as const satisfies Options

/** Reads the command line by the command's own table; what does not fit is explained. */
export function parseArguments(command: Command, args: readonly string[]): Given | Stop {
  const read = readArguments(command, args)
  return isMisfit(read) ? explain(command, read) : (read as Given)
}

export function usageOf(command: Command): string {
  return `Usage: ${command.usage.map((form) => `mcpaql ${command.name} ${form}`).join('\n       ')}`
}

export function seeHelp(command: Command): string {
  return `See mcpaql ${command.name} --help`
}

function explain(command: Command, { misfit, given, name = '' }: Misfit): Stop {
  const refuse = (message: string, ...next: readonly string[]) =>
    stop(EXIT.badUsage, message, ...next, seeHelp(command))
  switch (misfit) {
    case 'unknown option': {
      const nearest = nearestWord(given.replace(/^-+(?:no-)?/, ''), Object.keys({ ...command.options, ...EVERYWHERE }))
      return refuse(`Unknown option ${given}`, nearest ? `Did you mean --${nearest}?` : '')
    }
    case 'takes no value':
      return refuse(`${given} takes no value`)
    case 'needs a value':
      return refuse(`${given} needs a value: ${given}=${command.options[name]?.value ?? 'VALUE'}`)
    case 'too many':
      return refuse(`'${given}' is one argument too many`, usageOf(command))
    case 'too few':
      return refuse(`mcpaql ${command.name} needs more arguments`, usageOf(command))
  }
}
