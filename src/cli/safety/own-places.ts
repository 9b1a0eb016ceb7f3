import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OwnPlaces } from '../../core/autonomy/own-places.ts'
import { HOME } from '../../core/autonomy/risk/scope.ts'
import type { World } from '../world.ts'

/** What this server really uses: its policy and settings, its store and the folder around it, its program and what that loads. */
export function ownPlaces(
  store: string,
  files: readonly string[],
  { cwd, home }: Pick<World, 'cwd' | 'home'>,
): OwnPlaces {
  const path = store.startsWith('sqlite:') ? store.slice('sqlite:'.length) : undefined
  const database = path === undefined ? [] : SIDES.map((side) => `${path}${side}`)
  const folder = path === undefined ? [] : [`${dirname(path)}/`].filter((one) => !isAbove(one, [cwd, home]))
  const named = files.map((file) => resolve(cwd, file))
  const seen = (places: readonly string[]) => [
    ...new Set(places.flatMap(real).flatMap((place) => fromHome(place, home))),
  ]
  return { trusted: seen([...named, ...database, ...folder, ...program()]), secret: seen(database) }
}

/** A home or a folder of projects holds the work of others: of a store that lies there only its own files are meant. */
function isAbove(folder: string, places: readonly string[]): boolean {
  const folders = real(folder)
  return places.flatMap(real).some((place) => folders.some((one) => `${place}/`.startsWith(one)))
}

/** SQLite keeps what is not yet written to the file beside it. */
const SIDES = ['', '-wal', '-shm', '-journal']

/** The installed package with all that lies beside it, or what was built and loaded in a clone. */
function program(): readonly string[] {
  const here = dirname(fileURLToPath(import.meta.url))
  const root = ['../../..', '../../../..']
    .map((up) => resolve(here, up))
    .find((up) => existsSync(join(up, 'package.json')))
  if (root === undefined) return [`${here}/`]
  const [before = ''] = root.split(/[/\\]node_modules[/\\]/, 1)
  return before === root
    ? [join(root, 'package.json'), `${join(root, 'dist')}/`, `${join(root, 'node_modules')}/`]
    : [`${join(before, 'node_modules')}/`]
}

/** As it is named, and where links lead. */
function real(place: string): readonly string[] {
  try {
    return [place, realpathSync(place) + (place.endsWith('/') ? '/' : '')]
  } catch {
    return [place]
  }
}

/** `~` is one and the same folder wherever a text is judged. */
function fromHome(place: string, home: string): readonly string[] {
  return home.length > 1 && place.startsWith(`${home}/`) ? [place, HOME + place.slice(home.length)] : [place]
}
