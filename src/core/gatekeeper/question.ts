import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redact } from '../audit/redact.ts'
import type { Bound } from '../call.ts'
import { canonicalHash } from '../canonical-json.ts'
import type { Opinion, Standing } from './standing.ts'

/** A call that a human must decide on, with everything that the decision rests upon. */
export interface Question {
  readonly kind: 'operation' | 'agent' | 'quota'
  readonly call: Bound
  readonly adapter: string
  /** The session that tokens are bound to; minted where the call came without one (MCP-25). */
  readonly session: string
  readonly standing: Standing
  readonly opinions: readonly Opinion[]
  /** Over all resolved parameters (TOK-04). */
  readonly paramsHash: string
  readonly reasons: readonly string[]
  readonly quota?: { readonly metric: string; readonly details: Readonly<Record<string, unknown>> }
}

/** TOK-04: the frozen object that the handler will get is the one that is hashed, shown and recorded (GATE-09). */
export function hashParams(params: Bound['params']): string {
  return canonicalHash(params)
}

export type Attempt = Required<
  Pick<
    AuditEntry,
    | 'timestamp'
    | 'operation'
    | 'endpoint'
    | 'adapter_name'
    | 'adapter_trust'
    | 'danger_level'
    | 'parameters'
    | 'user_id'
    | 'session_id'
    | 'client_context'
  >
> &
  Pick<AuditEntry, 'audit_context'>

/** The fields that AUDIT-01 to AUDIT-03 want of every attempt. */
export function attempt(
  { call, adapter, session, standing }: Pick<Question, 'call' | 'adapter' | 'session' | 'standing'>,
  now: number,
): Attempt {
  const { auditContext } = standing.danger
  const user_id = call.session.principal
  return {
    timestamp: new Date(now).toISOString(),
    operation: call.operation,
    endpoint: call.target.endpoint,
    adapter_name: adapter,
    adapter_trust: standing.trust,
    danger_level: DANGER_LEVELS[standing.level],
    parameters: redact(call.target, call.params),
    ...(auditContext.length > 0 && { audit_context: auditContext }),
    user_id,
    session_id: session,
    client_context: { session_id: session, user_id },
  }
}
