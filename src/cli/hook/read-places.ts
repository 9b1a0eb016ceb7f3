import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '../world.ts'
import { readSettingsFile } from './change-settings.ts'
import { type HookClient, isOwnCommand, settingsPath } from './clients.ts'
import { type Fields, isFields, readSettings } from './edit-settings.ts'

/** A settings file that the client reads, as it stands there. */
export interface SettingsPlace {
  readonly path: string
  /** Of the administrator. */
  readonly isManaged: boolean
  readonly fields: Fields
}

/** One entry of the hooks in a file. */
export interface FoundEntry {
  readonly place: SettingsPlace
  readonly event: string
  /** As it stands in the list of the event. */
  readonly entry: unknown
  readonly isOwn: boolean
}

export interface ReadPlaces {
  readonly places: readonly SettingsPlace[]
  readonly entries: readonly FoundEntry[]
  /** Files that are there and cannot be read: nobody knows what the client makes of them. */
  readonly faults: readonly string[]
  /** All files that it would read, also those that are not there. */
  readonly paths: readonly string[]
}

/** Every file from which the client takes hooks and the switches that leave them out. */
export async function readPlaces(client: HookClient, world: World): Promise<ReadPlaces> {
  const places: SettingsPlace[] = []
  const faults: string[] = []
  const paths = await pathsOf(client, world)
  for (const { path, isManaged } of paths) {
    const text = await readSettingsFile(path)
    if (text === undefined) continue
    const read = typeof text === 'string' ? readSettings(text.trim() === '' ? '{}' : text) : text
    if ('fault' in read) faults.push(typeof text === 'string' ? `${path}: ${read.fault}` : read.fault)
    else {
      places.push({ path, isManaged, fields: read.fields })
      faults.push(...shapeFaults(path, read.fields))
    }
  }
  return { places, faults, entries: places.flatMap(entriesOf), paths: paths.map(({ path }) => path) }
}

/** The commands that an entry starts, in the forms of both clients. */
export function commandsOf(entry: unknown): readonly Fields[] {
  if (!isFields(entry)) return []
  return Array.isArray(entry.hooks) ? entry.hooks.filter(isFields) : [entry]
}

async function pathsOf(client: HookClient, world: World) {
  const own = [false, true].map((isUser) => settingsPath(client, isUser, world))
  const besides = client.besides.map((file) => join(world.cwd, ...file))
  const folders = client.managed[world.platform] ?? []
  const managed = await Promise.all(folders.map((folder) => managedFiles(folder, client.managedFile)))
  return [
    ...[...new Set([...own, ...besides])].map((path) => ({ path, isManaged: false })),
    ...managed.flat().map((path) => ({ path, isManaged: true })),
  ]
}

/** `managed-settings.json`, and what stands in `managed-settings.d`. */
async function managedFiles(folder: string, file: string): Promise<readonly string[]> {
  const more = join(folder, file.replace(/\.json$/, '.d'))
  const names = await readdir(more).catch(() => [])
  return [join(folder, file), ...names.filter((name) => name.endsWith('.json')).map((name) => join(more, name))]
}

/** Clients pass over what has another shape than they document. */
function shapeFaults(path: string, { hooks }: Fields): readonly string[] {
  if (hooks === undefined) return []
  if (!isFields(hooks)) return [`${path}: hooks is not an object, so the client runs none of them`]
  return Object.entries(hooks).flatMap(([event, list]) =>
    Array.isArray(list) ? [] : [`${path}: hooks.${event} is not a list, so the client does not run what stands there`],
  )
}

function entriesOf(place: SettingsPlace): readonly FoundEntry[] {
  const { hooks } = place.fields
  if (!isFields(hooks)) return []
  return Object.entries(hooks).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : [list]).map((entry) => ({
      place,
      event,
      entry,
      isOwn: commandsOf(entry).some(({ command }) => isOwnCommand(command)),
    })),
  )
}
