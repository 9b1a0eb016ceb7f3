import type { Session } from '../session.ts'

type Caller = Pick<Session, 'principal' | 'owner'>

/**
 * Principals take turns, and so do the sessions of one principal; the calls of one session keep their order. However
 * much one of them sends, another waits for one of its calls at most.
 */
export interface FairQueue<T> {
  readonly size: number
  /** Gives what takes it out again; false when it is out already. */
  add(caller: Caller, entry: T): () => boolean
  /** The one whose turn it is. */
  first(): T | undefined
  /** Takes the first out: its session and its principal come last from now on. */
  shift(): void
  /** Takes out what stands at the head of its session and passes, then what follows it there; nobody's turn changes. */
  takeHeads(passes: (entry: T) => boolean): readonly T[]
}

/** The entries of one session. */
type Line<T> = Set<T>

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns: principals, and the sessions of each. */
  const principals = new Map<string, Map<string, Line<T>>>()
  let size = 0

  const lineOf = ({ principal, owner }: Caller): Line<T> => {
    const sessions = principals.get(principal) ?? new Map<string, Line<T>>()
    principals.set(principal, sessions)
    const line = sessions.get(owner) ?? new Set<T>()
    sessions.set(owner, line)
    return line
  }

  const remove = ({ principal, owner }: Caller, entry: T): boolean => {
    const sessions = principals.get(principal)
    const line = sessions?.get(owner)
    if (!sessions || !line?.delete(entry)) return false
    size--
    if (line.size === 0) sessions.delete(owner)
    if (sessions.size === 0) principals.delete(principal)
    return true
  }

  /** Whose turn it is. */
  const next = (): (Caller & { readonly entry: T }) | undefined => {
    for (const [principal, sessions] of principals)
      for (const [owner, line] of sessions) for (const entry of line) return { principal, owner, entry }
    return undefined
  }

  return {
    get size() {
      return size
    },
    add(caller, entry) {
      lineOf(caller).add(entry)
      size++
      return () => remove(caller, entry)
    },
    first: () => (size === 0 ? undefined : next()?.entry),
    shift() {
      const taken = next()
      if (!taken) return
      remove(taken, taken.entry)
      const sessions = principals.get(taken.principal)
      if (!sessions) return
      toEnd(sessions, taken.owner)
      toEnd(principals, taken.principal)
    },
    takeHeads(passes) {
      const taken: T[] = []
      for (const [principal, sessions] of principals)
        for (const [owner, line] of sessions)
          for (const entry of line) {
            if (!passes(entry)) break
            remove({ principal, owner }, entry)
            taken.push(entry)
          }
      return taken
    },
  }
}

function toEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
