import type { SessionIdentity } from './registry/operation.ts'

/**
 * Spec §2.3. Who calls, and what lives as long as they stay. Over HTTP without a handshake a caller may hold none: then
 * it has no id, and what it starts gets a session that is made for it (MCP-25).
 */
export interface Session extends SessionIdentity {
  /** The key under which rests and executions are kept: the session's id. For a caller without one nothing is kept. */
  readonly owner: string
  /** Aborted when the session closes. */
  readonly signal: AbortSignal
  /** What the operator calls this connection. */
  readonly label?: string
  /** For one request of a caller without a session: makes it one, the same for all that the request starts. */
  readonly seat?: () => Session
  /** The id of the session that was made so. */
  readonly minted?: string | undefined
}

/**
 * Principals of callers whom nobody has told apart. Blocks and quotas count them as one, so that reconnecting evades
 * nothing; what one of them makes belongs to its session alone.
 */
export const SHARED_PRINCIPALS: ReadonlySet<string> = new Set(['anonymous', 'stdio'])

/** How the owner of a call without a session begins. */
export const NO_SESSION = 'principal:'

export function isShared(principal: string): boolean {
  return SHARED_PRINCIPALS.has(principal)
}

/**
 * A name that the operator gives again after a revocation names another caller. So the id of a named client's session
 * ends with the id of its client record, and with the session goes whatever is kept under it.
 */
export function ownerFor(id: string, client: string | undefined): string {
  return client === undefined ? id : `${id}~${client}`
}

/** The client record behind a session; undefined for callers without one. */
export function clientOf(owner: string): string | undefined {
  return CLIENT_ID.exec(owner)?.[1]
}

const CLIENT_ID = /~(c_[\w-]{8})$/

/** Do two sessions of one principal belong to the same caller? */
export function isSameCaller(principal: string, owner: string, other: string): boolean {
  return owner === other || (!isShared(principal) && clientOf(owner) === clientOf(other))
}

/** What a session was used for, and so what is lost with it; the least first. */
export const SESSION_USES = ['opened', 'read', 'wrote', 'asked', 'working'] as const

/** `asked`: a question or an approval of it is open, or an agent is under way; `working`: a call or an execution runs. */
export type SessionUse = (typeof SESSION_USES)[number]

/** A session with more at stake is never ended to make room for another. */
export function canGiveUp(use: SessionUse): boolean {
  return rankOf(use) < rankOf('asked')
}

export function rankOf(use: SessionUse): number {
  return SESSION_USES.indexOf(use)
}

/** A caller with an id, made one if need be. */
export function seated(session: Session): Session {
  return session.id === undefined && session.seat ? session.seat() : session
}
