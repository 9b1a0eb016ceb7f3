import { asksApproval, detailsOf, type Reply, type Target } from './target.ts'
import { type Fields, textAt } from './values.ts'

/** What a server says while a human has not decided. */
export interface Demand {
  readonly token: string
  readonly expiresAt: string
  /** Where a session travels with the call: the one that the token is bound to (MCP-25). */
  readonly beside: Fields
}

export function demandOf(reply: Reply): Demand | undefined {
  return asksApproval(reply) ? readDemand(detailsOf(reply)) : undefined
}

/** From the details of the failure, which stand in a batch entry as they stand alone. */
export function readDemand(details: Fields): Demand {
  const session = textAt(details, 'session_id')
  return {
    token: textAt(details, 'confirmation_token'),
    expiresAt: textAt(details, 'expires_at'),
    beside: session ? { _session: session } : {},
  }
}

/** An operation that may ask for approval: it gets it where the suite has an operator, and is sent again with its token. */
export async function operateApproved(target: Target, operation: string, params: Fields): Promise<Reply> {
  const reply = await target.operate(operation, params)
  const demand = demandOf(reply)
  if (!demand || !(await approve(target, demand))) return reply
  return target.operate(operation, withToken(params, demand.token), demand.beside)
}

/** False where the suite has no operator, or where the operator's word did not count. */
export async function approve({ spec }: Target, { token }: Demand): Promise<boolean> {
  return spec.approve ? spec.approve(token) : false
}

/** TOK-06: the identical request, and its token. */
export function withToken(params: Fields, token: string): Fields {
  return { ...params, confirmation_token: token }
}
