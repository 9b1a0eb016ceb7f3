import { asStoreFault } from '../core/ports/store-fault.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written by this user',
  EPERM: 'it belongs to another user',
  EROFS: 'its file system is read-only',
  ENOENT: 'a folder of its path cannot be made there',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  SQLITE_NOTADB: 'it is not a SQLite database',
  SQLITE_CORRUPT: 'the database is damaged',
  SQLITE_READONLY: 'it may not be written by this user',
  SQLITE_CANTOPEN: 'it cannot be opened',
  SQLITE_BUSY: 'another process keeps it locked',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk does not work',
}

/** A cause in the words of an operator. An extended code (SQLITE_IOERR_WRITE) has the words of its family. */
export function reasonOf(cause: unknown): string {
  const code = codeOf(cause)
  const family = code.split('_', 2).join('_')
  for (const known of [code, family]) if (Object.hasOwn(REASONS, known)) return REASONS[known] as string
  return cause instanceof Error ? cause.message : String(cause)
}

export function isBusy(cause: unknown): boolean {
  return codeOf(cause).startsWith('SQLITE_BUSY')
}

function codeOf(cause: unknown): string {
  return cause instanceof Error ? String((cause as { code?: unknown }).code ?? '') : ''
}

export function storeFault(what: string, cause: unknown): Error {
  return asStoreFault(new Error(`${what}: ${reasonOf(cause)}.`, { cause }))
}
