import type { AuditEvent } from '../../protocol/audit.ts'

/**
 * One envelope with the union of the fields that the specifications name; absent fields are left out. An entry
 * never holds a verification code, a credential or a redeemable token (AUDIT-06): tokens appear as `token_id`.
 */
export interface AuditEntry {
  readonly timestamp: string
  readonly event: AuditEvent
  readonly operation?: string
  readonly endpoint?: string
  readonly adapter_name?: string
  readonly adapter_trust?: string
  /** 0 to 4. */
  readonly danger_level?: number
  readonly result?: 'allowed' | 'denied' | 'confirmed'
  readonly outcome?: string
  readonly reason?: string
  readonly failure_reason?: string
  /** The first 16 hex characters of the token's SHA-256. */
  readonly token_id?: string
  readonly confirmation_token?: string
  /** Redacted, and cut where they are long (`bounded`). */
  readonly parameters?: unknown
  readonly audit_context?: readonly string[]
  /** The principal as the transport knows it. */
  readonly user_id?: string
  readonly session_id?: string
  readonly client_context?: {
    readonly session_id?: string
    readonly user_id?: string
    /** What the operator calls the connection. */
    readonly label?: string
    /** What the client calls itself; nobody has checked it. */
    readonly claims?: string
  }
  /** Who acted on the operator plane. */
  readonly operator?: string
  readonly channel?: string
  /** The failed execution that the call runs again. */
  readonly retry_of?: string
  readonly old?: unknown
  readonly new?: unknown
  readonly [extra: string]: unknown
}
