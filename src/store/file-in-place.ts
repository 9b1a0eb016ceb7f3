import { statSync } from 'node:fs'

/** Whether a database is still where everybody looks for it. */
export interface FileInPlace {
  /** Throws when the file is another one by now, or none. */
  assertFile(): void
  /** The same of its log and of the index to that: without them nobody finds what is committed. */
  assertAll(): void
}

/**
 * To be made once the database is open. A file that is deleted, moved or replaced can still be written by whoever has
 * it open, and SQLite does not mind: everything would be acknowledged, and lost with the process.
 */
export function createFileInPlace(file: string): FileInPlace {
  const names = [file, `${file}-wal`, `${file}-shm`]
  const known = names.map(identityOf)

  const assertSame = (count: number): void => {
    for (let i = 0; i < count; i++)
      if (known[i] !== undefined && identityOf(names[i] as string) !== known[i]) throw new Error(MOVED)
  }

  return { assertFile: () => assertSame(1), assertAll: () => assertSame(names.length) }
}

const MOVED =
  'its file was deleted, moved or replaced while it was in use; put it back as it was, or start the server again'

function identityOf(name: string): string | undefined {
  const found = statSync(name, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
