import type { Decided } from '../src/core/gatekeeper/approvals.ts'
import { type Approver, type DecisionParts, humanDecision } from '../src/core/ports/human.ts'
import type { Answered, World } from './notes.ts'
import type { Runtime } from './support.ts'

/** An operator at the console who may do everything and has just proved who they are, whatever the clock says. */
export const ADMIN: Approver = {
  subject: 'operator',
  channel: 'console',
  role: 'admin',
  authenticatedAt: Number.MAX_SAFE_INTEGER,
}

/** A human decides; without a word they approve. */
export function decide(runtime: Runtime, id: unknown, parts: Partial<DecisionParts> = {}): Promise<Decided> {
  return runtime.decide(String(id), humanDecision({ decision: 'approve', by: ADMIN, ...parts }))
}

/** Calls like an agent whose human says yes: what asks for a confirmation is approved and sent again with its token. */
export function approving({ runtime, call }: Pick<World, 'runtime' | 'call'>): World['call'] {
  return async (args, tool) => {
    const answered = await call(args, tool)
    const demand = demandOf(answered)
    if (!demand) return answered
    await decide(runtime, demand.approval_id)
    return call(withToken(args, demand.confirmation_token), tool)
  }
}

export interface Demand {
  readonly confirmation_token: string
  readonly approval_id: string
  readonly expires_at: string
  readonly [detail: string]: unknown
}

export function demandOf({ error }: Answered): Demand | undefined {
  return error?.code === 'CONFIRMATION_REQUIRED' ? (error.details as unknown as Demand) : undefined
}

/** The identical request with its token (TOK-06). */
export function withToken(args: unknown, token: unknown, name = 'confirmation_token'): object {
  const { params = {}, ...rest } = args as { readonly params?: object }
  return { ...rest, params: { ...params, [name]: token } }
}
