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

/**
 * Which of these have to go until so much is freed, by number or by another size. Whoever holds most gives up its
 * oldest first, and of several who hold as much the one that has been idle for longest.
 */
export function surplusOf<T extends Owned & { readonly created_at: string }>(
  ended: readonly T[],
  excess: number,
  sizeOf: (each: T) => number = () => 1,
): readonly T[] {
  const groups = new Map<string, { readonly members: T[]; size: number }>()
  for (const each of ended.toSorted((a, b) => b.created_at.localeCompare(a.created_at))) {
    const group = groups.get(each.owner) ?? { members: [], size: 0 }
    group.members.push(each)
    group.size += sizeOf(each)
    groups.set(each.owner, group)
  }
  const surplus: T[] = []
  for (let freed = 0; freed < excess; ) {
    const [first, ...others] = [...groups.values()].filter(({ members }) => members.length > 0)
    if (!first) break
    const largest = others.reduce((most, group) => (group.size >= most.size ? group : most), first)
    const oldest = largest.members.pop() as T // it has members
    const size = sizeOf(oldest)
    largest.size -= size
    freed += size
    surplus.push(oldest)
  }
  return surplus
}
