import { nearestNames } from '../core/introspection/letter-pairs.ts'
import { type Command, EXIT, isStop, type Stop, stop } from './command.ts'
import { call } from './commands/call.ts'
import { conformance } from './commands/conformance.ts'
import { introspect } from './commands/introspect.ts'
import { measure } from './commands/measure.ts'
import { serve } from './commands/serve.ts'
import { commandHelp, programHelp } from './help.ts'
import { parseArguments } from './parse-arguments.ts'
import { plainText } from './render.ts'
import { version } from './version.ts'
import type { World } from './world.ts'

export const COMMANDS: readonly Command[] = [serve, introspect, call, measure, conformance]

/** Find the command, parse with its own options, run. */
export async function main(args: readonly string[], world: World): Promise<number> {
  const ended = await dispatch(args, world)
  if (!isStop(ended)) return ended
  // A server's words may stand in it.
  world.err(plainText([`mcpaql: ${ended.message}`, ...ended.next].join('\n')))
  return ended.exit
}

async function dispatch([first, ...rest]: readonly string[], world: World): Promise<number | Stop> {
  if (first === undefined || first === '--help' || first === '-h') return show(programHelp(COMMANDS, world), world)
  if (first === '--version' || first === '-V' || first === 'version') return show(version(), world)
  if (first === 'help')
    return rest[0] === undefined ? dispatch(['--help'], world) : dispatch([rest[0], '--help'], world)

  const command = COMMANDS.find(({ name }) => name === first)
  if (!command) return unknownCommand(first)
  const given = parseArguments(command, rest)
  if (isStop(given)) return given
  return given.values.help ? show(commandHelp(command, world), world) : command.run(given, world)
}

function show(text: string, world: World): number {
  world.out(text)
  return EXIT.ok
}

function unknownCommand(given: string): Stop {
  const names = COMMANDS.map(({ name }) => name)
  const [nearest] = nearestNames(given, names, 1)
  const what = given.startsWith('-') ? 'option' : 'command'
  const hint = nearest && what === 'command' ? `Did you mean mcpaql ${nearest}?` : `Commands: ${names.join(', ')}`
  return stop(EXIT.badUsage, `Unknown ${what} ${given}`, hint, 'See mcpaql --help')
}
