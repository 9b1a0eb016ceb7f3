import { createHash } from 'node:crypto'
import { isSameCaller, isShared, type Session } from '../session.ts'

/** Whose work it is, as far as a record says. */
export interface Owned {
  readonly principal: string
  readonly owner: string
}

type Asking = Pick<Session, 'principal' | 'owner'>

/**
 * May this caller see and control it? The session that started it may, and every other session of the same named
 * client, which does not include a client that was given the name later. To anyone else it does not exist.
 */
export function isTheirs({ principal, owner }: Owned, session: Asking): boolean {
  return principal === session.principal && isSameCaller(principal, owner, session.owner)
}

/** Ids of one owner stand together in the store, and those of one principal. */
export function idPrefix({ principal, owner }: Asking): string {
  return principalPrefix(principal) + short(owner)
}

/** Where all that a caller may see stands; of a name that was given again, also what it may not. */
export function visiblePrefix(session: Asking): string {
  return isShared(session.principal) ? idPrefix(session) : principalPrefix(session.principal)
}

export function principalPrefix(principal: string): string {
  return `exec_${short(principal)}`
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 4)
}

/** Which of these have to go, the oldest of whoever has most first, until so many are left: nobody drives others out. */
export function surplusOf<T extends Owned & { readonly created_at: string }>(
  ended: readonly T[],
  count: number,
): readonly T[] {
  const groups = new Map<string, T[]>()
  for (const each of ended.toSorted((a, b) => b.created_at.localeCompare(a.created_at))) {
    const group = groups.get(each.owner)
    if (group) group.push(each)
    else groups.set(each.owner, [each])
  }
  const surplus: T[] = []
  while (surplus.length < count) {
    const largest = [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), [])
    const oldest = largest.pop()
    if (!oldest) break
    surplus.push(oldest)
  }
  return surplus
}
