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
const SHARED: ReadonlySet<string> = new Set(['anonymous', 'stdio'])

export function isShared(principal: string): boolean {
  return SHARED.has(principal)
}

/** A caller with an id, made one if need be. */
export function seated(session: Session): Session {
  return session.id === undefined && session.seat ? session.seat() : session
}
