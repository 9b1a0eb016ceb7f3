import { join } from 'node:path'
import type { World } from '../world.ts'
import { askServer } from './ask-server.ts'
import { readSettingsFile } from './change-settings.ts'
import { type HookClient, isOwnCommand, settingsPath } from './clients.ts'
import { isSwitchedOff, ownEntries } from './edit-settings.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly name: string
  readonly found: string
  readonly isGood: boolean
}

/** What stands in the client's settings, and whether the server that is named there answers. */
export async function inspectInstallation(client: HookClient, world: World): Promise<readonly Finding[]> {
  const places = [false, true].map((isUser) => settingsPath(client, isUser, world))
  const found: (ReturnType<typeof ownEntries>[number] & { readonly path: string })[] = []
  for (const path of places) {
    const text = await readSettingsFile(path)
    if (typeof text === 'string') found.push(...ownEntries(text, client).map((own) => ({ ...own, path })))
  }
  const missing = client.events.filter((event) => !found.some((own) => own.event === event))
  if (found.length === 0 || missing.length > 0) {
    const named = found.length === 0 ? places.join(' or ') : missing.join(', ')
    return [{ name: 'installed', found: `no, not in ${named}`, isGood: false }]
  }
  const { key, value, since } = client.failClosed
  const isClosed = found.every(({ entry }) => entry[key] === value)
  const offAt = await switchedOffAt(client, places, world)
  const served = await serverOf(found.map(({ entry }) => entry.command).find(isOwnCommand))
  return [
    { name: 'installed', found: [...new Set(found.map(({ path }) => path))].join(', '), isGood: true },
    {
      name: 'the client blocks when the hook cannot run',
      found: isClosed ? `${key} is set (needs ${client.title} ${since})` : `${key} is not set`,
      isGood: isClosed,
    },
    ...(client.off === undefined
      ? []
      : [
          {
            name: 'the client has its hooks switched on',
            found: offAt === undefined ? `${client.off} is not set` : `no: ${client.off} is set in ${offAt}`,
            isGood: offAt === undefined,
          },
        ]),
    served,
  ]
}

async function switchedOffAt(client: HookClient, places: readonly string[], { cwd }: World) {
  for (const path of [...places, ...(client.besides ?? []).map((file) => join(cwd, ...file))]) {
    const text = await readSettingsFile(path)
    if (typeof text === 'string' && isSwitchedOff(text, client)) return path
  }
  return undefined
}

async function serverOf(command: unknown): Promise<Finding> {
  const name = 'the safety server answers with the key of the hook'
  const [, url = '', key = ''] = / --url (\S+) --key (\S+)/.exec(String(command)) ?? []
  const call = { client: 'doctor', event: 'doctor', tool: 'TodoRead', input: {}, session: 'doctor', cwd: '' }
  const word = await askServer(call, { url, key }, AbortSignal.timeout(3_000))
  return { name, found: word.kind === 'allow' ? url : word.reason, isGood: word.kind === 'allow' }
}
