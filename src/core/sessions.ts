import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { MOST_REQUESTS } from '../protocol/limits.ts'
import type { Clock } from './ports/clock.ts'
import { canGiveUp, clientOf, NO_SESSION, ownerFor, rankOf, type Session, type SessionUse } from './session.ts'

export interface Sessions {
  open(principal: string, options?: SessionOptions): Session
  find(id: string, principal: string, client?: string): Session | undefined
  /** Can one more handle be opened without ending a session that is in use? */
  hasRoom(principal: string): boolean
  /** A caller without a session, for one request. */
  anonymous(principal: string, client?: string): Session
  /**
   * A call of the session begins; call what comes back when it has ended. A number when so many are under way already,
   * of the session, of its principal or of all: then it must not begin.
   */
  began(session: Session): (() => void) | number
  /** A call that has begun takes the places of so many more: the same, for what it keeps in memory while it waits. */
  weighed(session: Session, weight: number): (() => void) | number
  /** The session has done more than read. */
  wrote(session: Session): void
  /** A question of the session is open, or its approval can be used, until then. */
  asked(session: Session, until: number): void
  useOf(session: Session): SessionUse
  /** Returns false when it was closed before. */
  close(session: Session): boolean
  /** Those without a connection. */
  closeHandles(principal: string, client?: string): readonly Session[]
  closeAll(): readonly Session[]
}

export interface SessionOptions {
  /** A handle without a connection: it ends after a time without use. */
  readonly expires?: boolean
  /** For an embedding program that keeps sessions itself, over several processes on one store: 128 random bits or more. */
  readonly id?: string
  /** What the operator calls the connection. */
  readonly label?: string
  /** The id of the client record that the caller has proved to be. */
  readonly client?: string
}

export interface SessionLimits {
  readonly idleMs: number
  readonly most: number
  /** An execution of it is under way: it is not idle. */
  readonly isBusy?: (session: Session) => boolean
  /** An agent that was started in it has not ended; that alone does not keep it for ever. */
  readonly isRunning?: (session: Session) => boolean
}

interface Principal {
  readonly name: string
  sessions: number
  /** Those of them that are handles. */
  handles: number
  /** Calls under way, with a session or without. */
  calls: number
}

interface Held {
  readonly session: Session
  readonly of: Principal
  readonly expires: boolean
  readonly controller: AbortController
  /** Calls under way. */
  calls: number
  /** One of them has ended. */
  readonly ended: () => void
  use: 'opened' | 'read' | 'wrote'
  /** When its last question expires. */
  askedUntil: number
  seen: number
}

/**
 * Spec §2.3, SES-06: ids are the server's own and unpredictable. A session of a connection ends with it; one that is
 * only a handle ends after a time without use, or when newer ones need its place: then the principal with most of them
 * gives up the one that was used least, so that nobody is driven out by another. One with work under way or an open
 * question is never given up; where there are no others, sessions that leave something behind exceed the limit, which
 * questions and executions bound in turn.
 */
export function createSessions(
  clock: Clock,
  { idleMs, most, isBusy = () => false, isRunning = () => false }: SessionLimits,
  onExpire: (session: Session) => void,
): Sessions {
  const held = new Map<string, Held>()
  const principals = new Map<string, Principal>()
  let calls = 0

  const principalOf = (name: string): Principal => {
    const known = principals.get(name) ?? { name, sessions: 0, handles: 0, calls: 0 }
    principals.set(name, known)
    return known
  }

  const forgetIdle = ({ name, sessions, calls }: Principal): void => {
    if (sessions === 0 && calls === 0) principals.delete(name)
  }

  const countSession = (of: Principal, expires: boolean, by: 1 | -1): void => {
    of.sessions += by
    if (expires) of.handles += by
    forgetIdle(of)
  }

  const count = (holder: Pick<Held, 'of' | 'calls'>, by: number): void => {
    calls += by
    holder.calls += by
    holder.of.calls += by
    if (holder.of.sessions === 0) forgetIdle(holder.of)
  }

  /** Made once for a session, so that no call has to. */
  const endedOf = (holder: Pick<Held, 'of' | 'calls'>) => () => count(holder, -1)

  const drop = (id: string): boolean => {
    const entry = held.get(id)
    if (!entry) return false
    held.delete(id)
    countSession(entry.of, entry.expires, -1)
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
    while (held.size > most) {
      const least = leastUsed(fresh)
      if (!least) break
      drop(least.session.owner)
      onExpire(least.session)
    }
  }

  const usedFor = (entry: Held): SessionUse => {
    const { session, calls, use, askedUntil } = entry
    if (calls > 0 || (use === 'wrote' && isBusy(session))) return 'working'
    return askedUntil > clock.now() || (use === 'wrote' && isRunning(session)) ? 'asked' : use
  }

  const mostHandles = (): number => {
    let largest = 0
    for (const { handles } of principals.values()) largest = Math.max(largest, handles)
    return largest
  }

  const isOfLargest = (principal: string): boolean => {
    const handles = principals.get(principal)?.handles ?? 0
    return handles > 0 && handles === mostHandles()
  }

  /** Of whoever holds most handles, the one that can be given up with the least loss. */
  const leastUsed = (fresh?: Session): Held | undefined => {
    let least: { readonly entry: Held; readonly use: SessionUse } | undefined
    const largest = mostHandles()
    for (const entry of held.values()) {
      if (!entry.expires || entry.session === fresh || entry.of.handles !== largest) continue
      const use = usedFor(entry)
      if (!canGiveUp(use) || (least && rankOf(use) >= rankOf(least.use))) continue
      least = { entry, use }
      if (use === 'opened') break
    }
    return least?.entry
  }

  const open = (principal: string, options: SessionOptions = {}, use: Held['use'] = 'opened'): Session => {
    const { expires = false, id: given, label, client } = options
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    const id = ownerFor(given ?? randomBytes(16).toString('base64url'), client)
    const session: Session = Object.freeze({
      id,
      principal,
      owner: id,
      signal: controller.signal,
      ...(label !== undefined && { label }),
    })
    const before = held.get(id) // an embedding program may bring a name again
    const of = principalOf(principal)
    countSession(of, expires, 1)
    if (before) countSession(before.of, before.expires, -1)
    const entry = { session, of, expires, controller, calls: 0, use, askedUntil: 0, seen: clock.now() }
    held.set(id, Object.assign(entry, { ended: endedOf(entry) }))
    expire(session)
    return session
  }

  /** A caller without a session is kept nowhere. */
  const entryOf = ({ id }: Session): Held | undefined => (id === undefined ? undefined : held.get(id))

  const limitReached = (of: Principal, entry: Held | undefined): number | undefined => {
    const { ofSession, ofPrincipal, ofAll, modest } = MOST_REQUESTS
    if (entry && entry.calls >= ofSession) return ofSession
    if (entry && entry.calls < modest.ofSession) return undefined
    if (of.calls >= ofPrincipal) return ofPrincipal
    return calls >= ofAll && of.calls >= modest.ofPrincipal ? ofAll : undefined
  }

  const dropAll = (sessions: readonly Session[]): readonly Session[] => {
    for (const { owner } of sessions) drop(owner)
    return sessions
  }

  return {
    open: (principal, options) => open(principal, options),

    find(id, principal, client) {
      expire()
      const entry = held.get(id)
      if (!entry || entry.session.principal !== principal || clientOf(id) !== client) return undefined
      entry.seen = clock.now()
      if (entry.use === 'opened') entry.use = 'read'
      held.delete(id)
      held.set(id, entry)
      return entry.session
    },

    hasRoom: (principal) => held.size < most || !isOfLargest(principal) || leastUsed() !== undefined,

    anonymous(principal, client) {
      let made: Session | undefined
      return {
        principal,
        owner: ownerFor(NO_SESSION + principal, client),
        signal: NEVER,
        seat() {
          made ??= open(principal, { expires: true, ...(client !== undefined && { client }) }, 'wrote')
          return made
        },
        get minted() {
          return made?.id
        },
      }
    },

    began(session) {
      const entry = entryOf(session)
      const of = entry?.of ?? principalOf(session.principal)
      const full = calls < MOST_REQUESTS.ofSession ? undefined : limitReached(of, entry)
      if (full !== undefined) {
        forgetIdle(of)
        return full
      }
      calls++
      of.calls++
      if (entry) {
        if (entry.use === 'opened') entry.use = 'read'
        entry.calls++
      }
      return entry?.ended ?? endedOf({ of, calls: 0 })
    },

    weighed(session, weight) {
      const entry = entryOf(session)
      const of = entry?.of ?? principalOf(session.principal)
      const full = limitReached(of, entry)
      if (full !== undefined) return full
      const holder = entry ?? { of, calls: 0 }
      count(holder, weight)
      return () => count(holder, -weight)
    },

    wrote(session) {
      const entry = entryOf(session)
      if (entry) entry.use = 'wrote'
    },

    asked(session, until) {
      const entry = held.get(session.id ?? session.minted ?? '')
      if (entry) entry.askedUntil = Math.max(entry.askedUntil, until)
    },

    useOf(session) {
      const entry = entryOf(session)
      return entry ? usedFor(entry) : 'opened'
    },

    close: (session) => session.id !== undefined && drop(session.id),

    closeHandles: (principal, client) =>
      dropAll(
        [...held.values()]
          .filter(({ session, expires }) => expires && session.principal === principal)
          .filter(({ session }) => clientOf(session.owner) === client)
          .map(({ session }) => session),
      ),

    closeAll: () => dropAll([...held.values()].map(({ session }) => session)),
  }
}

const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)
