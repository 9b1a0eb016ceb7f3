import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Clock } from './ports/clock.ts'
import type { Session } from './session.ts'

export interface Sessions {
  open(principal: string, options?: SessionOptions): Session
  find(id: string, principal: string): Session | undefined
  /** A caller without a session, for one request. */
  anonymous(principal: string): Session
  /** Returns false when it was closed before. */
  close(session: Session): boolean
  /** Those without a connection. */
  closeHandles(principal: string): readonly Session[]
  closeAll(): readonly Session[]
}

export interface SessionOptions {
  /** A handle without a connection: it ends after a time without use. */
  readonly expires?: boolean
  /** For an embedding program that keeps sessions itself, over several processes on one store: 128 random bits or more. */
  readonly id?: string
  /** What the operator calls the connection. */
  readonly label?: string
}

export interface SessionLimits {
  readonly idleMs: number
  readonly most: number
  /** Work is under way for it: it is not idle. */
  readonly isBusy?: (session: Session) => boolean
}

interface Held {
  readonly session: Session
  readonly expires: boolean
  readonly controller: AbortController
  /** Something is kept under it, or it was used: one that was only handed out gives its place up first. */
  isUsed: boolean
  seen: number
}

/**
 * Spec §2.3, SES-06: ids are the server's own and unpredictable. A session of a connection ends with it; one that is
 * only a handle ends after a time without use, or when newer ones need its place: then the principal with most of them
 * gives one up, one that nobody has used if there is, so that nobody is driven out by another.
 */
export function createSessions(
  clock: Clock,
  { idleMs, most, isBusy = () => false }: SessionLimits,
  onExpire: (session: Session) => void,
): Sessions {
  const held = new Map<string, Held>()
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
  const expire = (fresh?: Session): void => {
    for (const [id, { session, seen, expires }] of held) {
      if (!expires) continue
      if (clock.now() - seen <= idleMs) break
      if (isBusy(session)) continue
      drop(id)
      onExpire(session)
    }
    while (held.size > most && handles.size > 0) giveUpOne(Math.max(...handles.values()), fresh)
  }

  const giveUpOne = (mostOfOne: number, fresh: Session | undefined): void => {
    let oldest: Held | undefined
    for (const entry of held.values()) {
      if (oldest && entry.session === fresh) continue
      if (!entry.expires || handles.get(entry.session.principal) !== mostOfOne) continue
      oldest ??= entry
      if (entry.isUsed) continue
      oldest = entry
      break
    }
    if (!oldest) return
    drop(oldest.session.owner)
    onExpire(oldest.session)
  }

  const open = (
    principal: string,
    { expires = false, id: given, label }: SessionOptions = {},
    isUsed = false,
  ): Session => {
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    const id = given ?? randomBytes(16).toString('base64url')
    const session: Session = Object.freeze({
      id,
      principal,
      owner: id,
      signal: controller.signal,
      ...(label !== undefined && { label }),
    })
    const before = held.get(id) // an embedding program may bring a name again
    if (before?.expires) count(before.session.principal, -1)
    held.set(id, { session, expires, controller, isUsed, seen: clock.now() })
    if (expires) count(principal, 1)
    expire(session)
    return session
  }

  const dropAll = (sessions: readonly Session[]): readonly Session[] => {
    for (const { owner } of sessions) drop(owner)
    return sessions
  }

  return {
    open: (principal, options) => open(principal, options),

    find(id, principal) {
      expire()
      const entry = held.get(id)
      if (!entry || entry.session.principal !== principal) return undefined
      entry.seen = clock.now()
      entry.isUsed = true
      held.delete(id)
      held.set(id, entry)
      return entry.session
    },

    anonymous(principal) {
      let made: Session | undefined
      return {
        principal,
        owner: `principal:${principal}`,
        signal: NEVER,
        seat() {
          made ??= open(principal, { expires: true }, true)
          return made
        },
        get minted() {
          return made?.id
        },
      }
    },

    close: (session) => session.id !== undefined && drop(session.id),

    closeHandles: (principal) =>
      dropAll(
        [...held.values()]
          .filter(({ session, expires }) => expires && session.principal === principal)
          .map(({ session }) => session),
      ),

    closeAll: () => dropAll([...held.values()].map(({ session }) => session)),
  }
}

const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)
