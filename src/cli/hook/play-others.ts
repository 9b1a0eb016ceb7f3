import { displayText } from '../../core/display.ts'
import type { World } from '../world.ts'
import type { HookClient } from './clients.ts'
import { bad, type Finding } from './inspect-installation.ts'
import { scriptsOf } from './named-scripts.ts'
import { eventFor, playLine } from './play-line.ts'
import { commandsOf, type FoundEntry } from './read-places.ts'

/**
 * Hooks of others are asked as well. One that says yes, or changes the call, works against ours: what it answers to a
 * destructive call is read, and its own words, since it may answer so to other calls only.
 */
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
      const shown = displayText(String(isPlayable ? command : JSON.stringify(entry)).slice(0, 200))
      const fault = isPlayable ? await faultOf(command, event, world) : 'cannot be played here; look at it yourself'
      if (fault !== undefined) wrong.push(`${place.path}: ${shown} ${fault}`)
    }
  }
  return [wrong.length > 0 ? bad(name, wrong.join('; ')) : { name, found: `${others.length} of them`, isGood: true }]
}

async function faultOf(command: string, event: string, world: World): Promise<string | undefined> {
  const { stdout } = await playLine(command, event, world)
  if (approves(answerIn(stdout)) || APPROVES.test(stdout)) return 'approves or changes a destructive call'
  const scripts = await scriptsOf(command, world)
  return [command, ...scripts].some((text) => MAY_APPROVE.test(text))
    ? 'may approve calls or change them; look at what it says yes to'
    : undefined
}

const APPROVES = /"(?:permissionDecision|permission|decision|behavior)"\s*:\s*"(?:allow|approve)"|"updatedInput"/
/** The words by which a hook approves, as they stand in a script; also with letters written as numbers. */
const MAY_APPROVE =
  /updated_?Input|permission(?:Decision|\\u0044ecision)?\\*["']?\s*[:=]\s*\\*["']?(?:allow|approve)|decision\\*["']?\s*[:=]\s*\\*["']?(?:allow|approve)|\\u00[0-7][0-9a-f]\w*\\*["']\s*:/i

/** The answer of a hook is JSON: whatever way its letters are written, these keys approve. */
function answerIn(text: string): unknown {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  try {
    return from < 0 || to < from ? undefined : JSON.parse(text.slice(from, to + 1))
  } catch {
    return undefined
  }
}

function approves(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, inner]) =>
      key === 'updatedInput' || (DECIDES.has(key) && /^(allow|approve)$/.test(String(inner))) || approves(inner),
  )
}

const DECIDES: ReadonlySet<string> = new Set(['permissionDecision', 'permission', 'decision', 'behavior'])
