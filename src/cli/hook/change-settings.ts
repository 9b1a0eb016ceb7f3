import { chmod, copyFile, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { displayText } from '../../core/display.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { EXIT, type Stop, stop } from '../command.ts'
import { faultOf } from '../read-text.ts'
import type { World } from '../world.ts'
import { diffLines } from './diff-lines.ts'
import type { Edited } from './edit-settings.ts'

export interface SettingsChange {
  readonly path: string
  readonly edit: (text: string | undefined) => Edited
  /** False: only shown. */
  readonly isMeant: boolean
  readonly unchanged: string
  readonly done: string
}

/** Shows what changes; writes it, with a copy of the old file beside it, when that is meant. */
export async function changeSettings(change: SettingsChange, world: World): Promise<number | Stop> {
  const path = await realpath(change.path).catch(() => change.path)
  const strange = await leadsOut(change.path, world.cwd)
  if (strange !== undefined)
    return stop(
      EXIT.badUsage,
      `${change.path} is a link that leads out of the project, to ${displayText(strange)}`,
      'Nothing was changed; a repository can bring such a link along, so remove it or use --user',
    )
  const before = await readSettingsFile(path)
  if (typeof before === 'object') return stop(EXIT.badUsage, before.fault, 'Nothing was changed')
  const edited = change.edit(before)
  if ('fault' in edited)
    return stop(
      EXIT.badUsage,
      `${path} cannot be edited: ${edited.fault}`,
      'Nothing was changed; repair the file first',
    )
  const lines = diffLines(before ?? '', edited.text)
  if (lines.length === 0) {
    world.out(change.unchanged)
    return EXIT.ok
  }
  world.out([path, ...lines].join('\n'))
  if (!change.isMeant) {
    world.err('Nothing was changed yet. The same command with --yes writes it.')
    return EXIT.ok
  }
  try {
    const backup = await replace(path, before, edited.text, world.now())
    world.err([change.done, ...(backup === undefined ? [] : [`The file as it was: ${backup}`])].join('\n'))
    return EXIT.ok
  } catch (error) {
    return stop(EXIT.failed, faultOf(path, error), 'Nothing was changed')
  }
}

/** Where a file below the working folder really lies, if that is elsewhere: whoever wrote the project chose that place. */
async function leadsOut(path: string, cwd: string): Promise<string | undefined> {
  const root = await realpath(cwd).catch(() => cwd)
  if (!isBelow(path, cwd) && !isBelow(path, root)) return undefined
  for (const each of [path, dirname(path)]) {
    const led = await realpath(each).catch(() => undefined)
    if (led !== undefined && !isBelow(led, root)) return led
  }
  return undefined
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

const LONGEST_SETTINGS = 2 ** 24

/** Undefined where there is none. A pipe or a device would never end. */
export async function readSettingsFile(path: string): Promise<string | undefined | { readonly fault: string }> {
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size > LONGEST_SETTINGS)
      return { fault: `${path} is not a regular file of at most ${LONGEST_SETTINGS / 2 ** 20} MiB` }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (error) {
    if (error instanceof TypeError) return { fault: `${path} is not UTF-8` }
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { fault: faultOf(path, error) }
  }
}

/** Whole or not at all; returns where the old one is kept. */
async function replace(
  path: string,
  before: string | undefined,
  text: string,
  now: number,
): Promise<string | undefined> {
  makeFolder(dirname(path), 0o777)
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-')
  const backup = before === undefined ? undefined : `${path}.before-mcpaql-${stamp}`
  if (backup !== undefined) await copyFile(path, backup)
  const draft = `${path}.${stamp}.tmp`
  await writeFile(draft, text, { flag: 'wx' })
  if (backup !== undefined) await chmod(draft, (await stat(path)).mode & 0o7777)
  await rename(draft, path)
  return backup
}
