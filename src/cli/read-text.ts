import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { EXIT, type Stop, stop } from './command.ts'
import type { World } from './world.ts'

/** A file that the user has named; `flag` is where. What is wrong with it is said without the machine's own words. */
export async function readText(file: string, flag: string, { cwd }: Pick<World, 'cwd'>): Promise<string | Stop> {
  try {
    return await readFile(resolve(cwd, file), 'utf8')
  } catch (error) {
    return stop(EXIT.badUsage, faultOf(file, error), `Check the path after ${flag}`)
  }
}

/** What hinders reading or writing the file, as a sentence. */
export function faultOf(file: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const say = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined
  return say ? say(file) : `${file}: ${message}`
}

const FAULTS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}`,
  ENOTDIR: (file) => `There is no file ${file}`,
  EISDIR: (file) => `${file} is a folder, not a file`,
  EACCES: (file) => `${file} may not be opened: permission denied`,
  EPERM: (file) => `${file} may not be opened: permission denied`,
}
