import { askedBy } from '../core/read-arguments.ts'
import { type Command, EXIT, isStop, type Stop, stop } from './command.ts'
import { approvals } from './commands/approvals.ts'
import { approve } from './commands/approve.ts'
import { audit } from './commands/audit.ts'
import { block } from './commands/block.ts'
import { blocks } from './commands/blocks.ts'
import { call } from './commands/call.ts'
import { client } from './commands/client.ts'
import { conformance } from './commands/conformance.ts'
import { consoleCommand } from './commands/console.ts'
import { deny } from './commands/deny.ts'
import { explain } from './commands/explain.ts'
import { hook } from './commands/hook.ts'
import { introspect } from './commands/introspect.ts'
import { measure } from './commands/measure.ts'
import { risk } from './commands/risk.ts'
import { safety } from './commands/safety.ts'
import { secret } from './commands/secret.ts'
import { serve } from './commands/serve.ts'
import { trust } from './commands/trust.ts'
import { unblock } from './commands/unblock.ts'
import { verify } from './commands/verify.ts'
import { nearestWord } from './nearest-word.ts'
import { EVERYWHERE, parseArguments } from './parse-arguments.ts'
import { plainText } from './render.ts'
import type { World } from './world.ts'

export const COMMANDS: readonly Command[] = [
  serve,
  introspect,
  call,
  measure,
  conformance,
  consoleCommand,
  approvals,
  approve,
  deny,
  verify,
  blocks,
  block,
  unblock,
  client,
  trust,
  secret,
  explain,
  risk,
  audit,
  hook,
  safety,
]

/** Find the command, parse with its own options, run. */
export async function main(args: readonly string[], world: World): Promise<number> {
  const ended = await dispatch(args, world)
  if (!isStop(ended)) return ended
  // A server's words may stand in it.
  world.err(plainText([`mcpaql: ${ended.message}`, ...ended.next].join('\n')))
  return ended.exit
}

async function dispatch([first, ...rest]: readonly string[], world: World): Promise<number | Stop> {
  if (first === 'help' && rest[0] !== undefined) return dispatch([rest[0], '--help'], world)
  const asked = askedBy(first)
  if (first === undefined || asked === 'help') return showHelp(undefined, world)
  if (asked === 'version') return showVersion(world)

  const command = COMMANDS.find(({ name }) => name === first)
  if (!command) return unknownCommand(first)
  const given = parseArguments(command, rest)
  if (isStop(given)) return given
  if (given.values.help) return showHelp(command, world)
  try {
    return await command.run(given, world)
  } catch (error) {
    const { isStoreFault } = await import('../core/ports/store-fault.ts')
    if (isStoreFault(error)) return stop(EXIT.failed, error.message, NOTHING_DONE)
    throw error
  }
}

const NOTHING_DONE = 'Nothing was decided or changed by this command. Make room or repair the disk, then run it again'

async function showHelp(command: Command | undefined, world: World): Promise<number> {
  const { commandHelp, programHelp } = await import('./help.ts')
  world.out(command ? commandHelp(command, world) : programHelp(COMMANDS, world))
  return EXIT.ok
}

async function showVersion(world: World): Promise<number> {
  const { version } = await import('./version.ts')
  world.out(version())
  return EXIT.ok
}

function unknownCommand(given: string): Stop {
  const isOption = given.startsWith('-')
  const names = COMMANDS.map(({ name }) => name)
  const flags = [...Object.keys(EVERYWHERE), 'version'].map((name) => `--${name}`)
  const nearest = nearestWord(given, isOption ? flags : names)
  const hint = nearest ? `Did you mean mcpaql ${nearest}?` : `Commands: ${names.join(', ')}`
  return stop(EXIT.badUsage, `Unknown ${isOption ? 'option' : 'command'} ${given}`, hint, 'See mcpaql --help')
}
