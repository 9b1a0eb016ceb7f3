import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { type Account, faultOf } from '../channels/trusted-file.ts'

/**
 * What lets another account than root and this one change a file, replace it, or put one where there is none: the file,
 * every folder above it and every link on the way to it. In the folder itself even a sticky bit is no help, since it
 * lets everybody add files: the log of a database, for one, is believed by whoever opens the database.
 */
export function whoCanWrite(path: string, account: Account): readonly string[] {
  const places = placesToward(path)
  const last = places.at(-1) ?? ''
  const folder = isFolder(last) ? last : dirname(last)
  return places.flatMap((place) => faultOf(place, account, place !== folder) ?? [])
}

/** From the root folder on; what is not there, or cannot be looked at, ends the list. */
export function placesToward(path: string): readonly string[] {
  return followed(resolve(path), 0)
}

function followed(path: string, links: number): readonly string[] {
  const { root } = parse(path)
  const parts = path.slice(root.length).split(sep).filter(Boolean)
  const places = [root]
  for (const [at, part] of parts.entries()) {
    const place = join(places.at(-1) ?? root, part)
    const target = linkOf(place)
    if (target === undefined) return places
    if (target === '') places.push(place)
    else if (links === MOST_LINKS) return [...places, place]
    else {
      const onward = followed(resolve(dirname(place), target, ...parts.slice(at + 1)), links + 1)
      return [...new Set([...places, place, ...onward])]
    }
  }
  return places
}

const MOST_LINKS = 40

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Where a link leads; empty for anything else, undefined where nothing can be seen. */
function linkOf(place: string): string | undefined {
  try {
    return lstatSync(place).isSymbolicLink() ? readlinkSync(place) : ''
  } catch {
    return undefined
  }
}
