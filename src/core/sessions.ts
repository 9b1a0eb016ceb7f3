import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Clock } from './ports/clock.ts'
import type { Session } from './session.ts'

export interface Sessions {
  open(principal: string, expires: boolean, id?: string): Session
  find(id: string, principal: string): Session | undefined
  anonymous(principal: string): Session
  /** Returns false when it was closed before. */
  close(session: Session): boolean
  closeAll(): readonly Session[]
}

export interface SessionLimits {
  readonly idleMs: number
  readonly most: number
}

interface Held {
  readonly session: Session
  readonly expires: boolean
  readonly controller: AbortController
  seen: number
}

/**
 * Spec §2.3, SES-06: ids are the server's own and unpredictable. A session of a connection ends with it; one that is
 * only a handle ends after a time without use, or when newer ones need its place: then the principal with most of them
 * gives one up, so that nobody is driven out by another.
 */
export function createSessions(
  clock: Clock,
  { idleMs, most }: SessionLimits,
  onExpire: (session: Session) => void,
): Sessions {
  const held = new Map<string, Held>()
  const nameless = new Map<string, Session>()
  const handles = new Map<string, number>()

  const count = (principal: string, by: number): void => {
    const next = (handles.get(principal) ?? 0) + by
    if (next > 0) handles.set(principal, next)
    else handles.delete(principal)
  }

  const drop = (id: string): boolean => {
    const entry = held.get(id)
    if (!entry) return false
    held.delete(id)
    if (entry.expires) count(entry.session.principal, -1)
    entry.controller.abort(new Error('the session has closed'))
    return true
  }

  /** The map keeps the order of last use, so the first is the one idle longest. */
  const expire = (): void => {
    for (const [id, { session, seen, expires }] of held) {
      if (!expires) continue
      if (clock.now() - seen <= idleMs) break
      drop(id)
      onExpire(session)
    }
    while (held.size > most && handles.size > 0) giveUpOne(Math.max(...handles.values()))
  }

  const giveUpOne = (mostOfOne: number): void => {
    for (const [id, { session, expires }] of held) {
      if (!expires || handles.get(session.principal) !== mostOfOne) continue
      drop(id)
      onExpire(session)
      return
    }
  }

  return {
    open(principal, expires, given) {
      const controller = new AbortController()
      setMaxListeners(0, controller.signal)
      const id = given ?? randomBytes(16).toString('base64url')
      const session: Session = Object.freeze({ id, principal, owner: id, signal: controller.signal })
      const before = held.get(id) // an embedding program may bring a name again
      if (before?.expires) count(before.session.principal, -1)
      held.set(id, { session, expires, controller, seen: clock.now() })
      if (expires) count(principal, 1)
      expire()
      return session
    },

    find(id, principal) {
      expire()
      const entry = held.get(id)
      if (!entry || entry.session.principal !== principal) return undefined
      entry.seen = clock.now()
      held.delete(id)
      held.set(id, entry)
      return entry.session
    },

    anonymous(principal) {
      const known = nameless.get(principal)
      if (known) return known
      const session: Session = Object.freeze({ principal, owner: `principal:${principal}`, signal: NEVER })
      if (nameless.size < 1_000) nameless.set(principal, session)
      return session
    },

    close: (session) => session.id !== undefined && drop(session.id),

    closeAll() {
      const open = [...held.values()].map(({ session }) => session)
      for (const { owner } of open) drop(owner)
      return open
    },
  }
}

const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)
