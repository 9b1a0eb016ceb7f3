import { displayText } from '../../core/display.ts'
import type { World } from '../world.ts'
import type { Finding } from './inspect-installation.ts'
import { scriptsOf } from './named-scripts.ts'
import { commandsOf, type ReadPlaces, type SettingsPlace } from './read-places.ts'

/** A command line in the settings that is not ours. */
interface ForeignCommand {
  readonly place: SettingsPlace
  /** The event or the setting under which it stands. */
  readonly under: string
  readonly command: string
}

/**
 * What the client runs by itself, without asking any hook: hooks of other events, the status line, helpers. Each is named;
 * one that speaks of the settings or of the environment of the client can take our hook out, and is BAD.
 */
export async function foreignCommands({ places, entries }: ReadPlaces, world: World): Promise<readonly Finding[]> {
  const hooks = entries
    .filter(({ isOwn }) => !isOwn)
    .flatMap(({ place, event, entry }) =>
      commandsOf(entry).map((fields) => ({
        place,
        under: event,
        command: textOf(fields.command ?? fields.url ?? fields),
      })),
    )
  const all = [...hooks, ...places.flatMap(helpersIn)].slice(0, MOST_COMMANDS)
  return Promise.all(all.map((each) => findingOf(each, world)))
}

const MOST_COMMANDS = 100

async function findingOf({ place, under, command }: ForeignCommand, world: World): Promise<Finding> {
  const name = 'the client runs a command that is not ours'
  const texts = [command, ...(await scriptsOf(command, world))]
  const isAgainst = texts.some((text) => TOUCHES_CLIENT.test(text))
  const shown = `${place.path}, ${under}: ${command.slice(0, LONGEST)}`
  return isAgainst
    ? {
        name,
        found: displayText(`${shown} speaks of the client's settings or environment; take it out`),
        isGood: false,
      }
    : {
        name,
        found: displayText(`${shown} runs without a question; look at what it does`),
        isGood: true,
        isWarning: true,
      }
}

const LONGEST = 200
/** The files in which hooks stand, and where a hook may write variables for the client. */
const TOUCHES_CLIENT =
  /CLAUDE_ENV_FILE|CLAUDE_CODE_SHELL|disableAllHooks|settings(?:\.local)?\.json|hooks\.json|managed-settings/i

/** Settings whose value is a command line: `statusLine`, `apiKeyHelper`, `awsAuthRefresh`, and any other that holds one. */
function helpersIn(place: SettingsPlace): readonly ForeignCommand[] {
  return Object.entries(place.fields)
    .filter(([key]) => key !== 'hooks')
    .flatMap(([key, value]) => commandsBelow(key, value, 0).map((command) => ({ place, under: key, command })))
}

function commandsBelow(key: string, value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return COMMAND_SETTING.test(key) && value !== '' ? [value] : []
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    commandsBelow(Array.isArray(value) ? key : name, inner, depth + 1),
  )
}

const MOST_DEPTH = 6
const COMMAND_SETTING = /^(?:command|cmd|script|exec)$|(?:Helper|Command|Refresh|CredentialExport|Script)$/

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
