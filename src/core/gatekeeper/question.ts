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
  /** AUDIT-03: if nothing runs, the attempt is counted and not recorded by itself. */
  readonly isCounted?: boolean
  readonly quota?: { readonly metric: string; readonly details: Readonly<Record<string, unknown>> }
}

/** TOK-04: the frozen object that the handler will get is the one that is hashed, shown and recorded (GATE-09). */
export function hashParams(params: Bound['params']): string {
  return canonicalHash(params)
}
