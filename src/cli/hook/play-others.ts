import { displayText } from '../../core/display.ts'
import type { World } from '../world.ts'
import type { HookClient } from './clients.ts'
import { bad, type Finding } from './inspect-installation.ts'
import { eventFor, playLine } from './play-line.ts'
import { commandsOf, type FoundEntry } from './read-places.ts'

/** Hooks of others are asked as well. One that says yes to everything, or changes the call, works against ours. */
export async function playOthers(
  client: HookClient,
  others: readonly FoundEntry[],
  world: World,
): Promise<readonly Finding[]> {
  if (others.length === 0) return []
  const name = 'other hooks that are asked before a tool runs approve nothing'
  const event = eventFor(client, 'mkfs.ext4 /dev/sda', false, 'doctor')
  const wrong: string[] = []
  for (const { place, entry } of others) {
    for (const { type = 'command', command } of commandsOf(entry)) {
      const isPlayable = type === 'command' && typeof command === 'string'
      const said = isPlayable ? (await playLine(command, event, world)).stdout : ''
      const shown = displayText(String(isPlayable ? command : JSON.stringify(entry)).slice(0, 200))
      if (!isPlayable) wrong.push(`${place.path}: ${shown} cannot be played here; look at it yourself`)
      else if (APPROVES.test(said)) wrong.push(`${place.path}: ${shown} approves or changes a destructive call`)
    }
  }
  return [wrong.length > 0 ? bad(name, wrong.join('; ')) : { name, found: `${others.length} of them`, isGood: true }]
}

const APPROVES = /"(?:permissionDecision|permission|decision|behavior)"\s*:\s*"(?:allow|approve)"|"updatedInput"/
