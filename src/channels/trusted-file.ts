import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

/** Who may change a file, as far as its owner, its mode and the folders above it say. */
export type FileTrust =
  | { readonly kind: 'trusted'; readonly path: string }
  | { readonly kind: 'untrusted'; readonly why: string }

export interface Account {
  /** Undefined where the system has no such numbers (Windows). */
  readonly uid: number | undefined
  readonly gid: number | undefined
  readonly platform: string
  /** Groups are others as well, even the one of this account alone: where access lists are set, they look like it. */
  readonly isStrict?: true
}

/**
 * A regular file that only root and this account can change or replace: links are followed, and the file and every
 * folder above it belong to one of the two and cannot be written by others.
 */
export function trustFile(path: string, account: Account): FileTrust {
  let real: string
  try {
    real = realpathSync(path)
  } catch {
    return { kind: 'untrusted', why: `${path} does not exist` }
  }
  const stats = statOf(real)
  if (!stats?.isFile()) return { kind: 'untrusted', why: `${real} is not a regular file` }
  if (account.uid === undefined) return { kind: 'trusted', path: real }
  for (const place of [real, ...foldersAbove(real)]) {
    const why = faultOf(place, account)
    if (why !== undefined) return { kind: 'untrusted', why }
  }
  return { kind: 'trusted', path: real }
}

/** What lets another account than root and this one write there. Links have no mode of their own. */
export function faultOf(place: string, account: Account, isSticky = true): string | undefined {
  const stats = statOf(place)
  if (!stats) return `${place} cannot be looked at`
  if (stats.uid !== 0 && stats.uid !== account.uid) return `${place} belongs to another account (uid ${stats.uid})`
  if (stats.isSymbolicLink()) return undefined
  // In a sticky folder nobody can replace the files of others.
  if (isSticky && stats.isDirectory() && (stats.mode & STICKY) !== 0) return undefined
  if ((stats.mode & 0o002) !== 0) return `${place} can be written by every account`
  if ((stats.mode & 0o020) !== 0 && !isOwnGroup(stats.gid, account)) return `${place} can be written by its group`
  return undefined
}

const STICKY = 0o1000
/** The members of this group are the administrators of a Mac, who can become root. */
const MAC_ADMIN = 80

/** The group of root, or the private group that many systems make for each account. */
function isOwnGroup(group: number, { uid, gid, platform, isStrict }: Account): boolean {
  if (isStrict) return false
  return group === 0 || (group === gid && group === uid) || (platform === 'darwin' && group === MAC_ADMIN)
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}
