import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The folder and those above it that are missing, their owner's alone. Level by level: where a file system says of a
 * folder that may not be made that it is not there, as /proc does, Node's own recursive `mkdir` never returns.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  if (isFolder(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (cause) {
    // Somebody was faster.
    if (!isFolder(folder)) throw cause
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
