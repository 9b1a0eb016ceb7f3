import type { SessionIdentity } from './registry/operation.ts'

/**
 * Spec §2.3. Who calls, and what lives as long as they stay. Over HTTP without a handshake a caller may hold none:
 * `anonymous` sessions have no id, and what they start belongs to the principal (MCP-25).
 */
export interface Session extends SessionIdentity {
  /** The key under which rests and executions are kept: the session's id, or the principal's name. */
  readonly owner: string
  /** Aborted when the session closes. */
  readonly signal: AbortSignal
}
