import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { whoCanWrite } from './who-can-write.ts'
import type { World } from './world.ts'

/**
 * Clients strip the environment of the servers they start, so a server may not see the XDG_STATE_HOME that its operator
 * sees. The first lasting store that is opened without being named is written down at a place that depends on the home
 * folder alone; whoever knows no better goes there.
 */
export function pointedStore(pointer: string): string | undefined {
  try {
    const { mode, size, uid } = lstatSync(pointer)
    const isOwn = process.getuid === undefined || uid === process.getuid()
    if ((mode & FILE_TYPE) !== REGULAR || (mode & OTHERS_WRITE) !== 0 || !isOwn || size > LONGEST) return undefined
    const path = readFileSync(pointer, 'utf8').trimEnd()
    return isAbsolute(path) && !/[\0\n]/.test(path) && existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** Never replaces a pointer to a store that is there. A disk that refuses it costs a convenience and nothing else. */
export function pointTo(store: string, pointer: string, world: Pick<World, 'home' | 'platform'>): void {
  if (pointedStore(pointer) !== undefined || !isLasting(store, world)) return
  try {
    mkdirSync(dirname(pointer), { recursive: true, mode: 0o700 })
    writeFileSync(pointer, `${store}\n`, { mode: 0o600 })
  } catch {}
}

/** The name of the pointer in the state folder that the home folder alone decides. */
export const pointerIn = (folder: string) => join(folder, 'where')

const FILE_TYPE = 0o170_000
const REGULAR = 0o100_000
const OTHERS_WRITE = 0o022
const LONGEST = 4_096

/** In the home folder; or elsewhere, but not among temporary files, and where nobody else can put another store. */
function isLasting(store: string, { home, platform }: Pick<World, 'home' | 'platform'>): boolean {
  if (isWithin(store, home)) return true
  if (isWithin(store, tmpdir()) || process.getuid === undefined) return false
  return whoCanWrite(store, { uid: process.getuid(), gid: process.getgid?.(), platform }).length === 0
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(real(folder), real(path))
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

/** The home folder may be a link, and the store given by where it leads. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
