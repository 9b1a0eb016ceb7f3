import type { SafetyMode } from '../protocol/directive.ts'
import { fail } from '../protocol/errors.ts'
import type { OperationFailure } from '../protocol/result.ts'
import type { AuditEntry } from './audit/entry.ts'
import { tokenRef } from './audit/token-ref.ts'
import type { AutonomyOverrides } from './autonomy/settings.ts'
import type { Bound } from './call.ts'
import { decide } from './gatekeeper/approvals.ts'
import { clearDesk } from './gatekeeper/end-session.ts'
import type { Guard } from './gatekeeper/gate.ts'
import type { Permission } from './gatekeeper/policies.ts'
import type { Opinion } from './gatekeeper/standing.ts'
import { isToken } from './gatekeeper/tokens.ts'
import { createLoop, type Loop } from './loop/loop.ts'
import { loopOperations } from './loop/loop-operations.ts'
import type { DisplayChannel } from './ports/channel.ts'
import type { Clock } from './ports/clock.ts'
import { humanDecision } from './ports/human.ts'
import type { Store } from './ports/store.ts'
import type { OperationDefinition } from './registry/operation.ts'

/** The execution safety loop of a runtime, as the operator sets it (LOOP-07). */
export interface SafetyOptions {
  readonly mode: SafetyMode
  readonly autonomy?: AutonomyOverrides
  /** Where verification codes are shown. */
  readonly channels?: readonly DisplayChannel[]
  /** Principals that may decide on the requests of others; absent where the transport authenticates nobody (SELF-09). */
  readonly approvers?: (principal: string) => boolean
}

export interface Safety {
  readonly loop?: Loop
  /** Listed only where the loop does something. */
  readonly operations: readonly OperationDefinition[]
  /** GATE-12. */
  readonly permissions: ReadonlyMap<string, Permission>
  /** The loop's voice at the gate: a blocked agent, an action that was not announced. */
  readonly guard?: Guard
}

export interface SafetySurroundings {
  readonly store: Store
  readonly clock: Clock
  readonly adapter: string
  readonly report: (cause: unknown) => void
  readonly note: (entry: AuditEntry) => void
}

export async function openSafety(options: SafetyOptions | undefined, around: SafetySurroundings): Promise<Safety> {
  if (!options || options.mode === 'disabled') return { operations: [], permissions: new Map() }
  const { store, clock, adapter, report, note } = around
  const { scoreHint } = await import('./autonomy/risk/score-hint.ts')
  const loop = await createLoop({
    store,
    clock,
    adapter,
    mode: options.mode,
    score: scoreHint,
    report,
    revokeTokens: async (session, reason) => void (await clearDesk(store, clock, session, reason)),
    ...(options.autonomy && { settings: options.autonomy }),
    ...(options.channels && { channels: options.channels }),
    ...(options.approvers && { decideAsPrincipal: otherPrincipal(store, clock, options.approvers) }),
  })
  const operations = loopOperations(loop)
  const permissions = new Map<string, Permission>(operations.map(({ name }) => [name, 'allow']))
  if (options.mode === 'enforcing') permissions.set('execute_agent', 'confirm')
  return { loop, operations, permissions, guard: (call, isRedeeming) => guardOf(call, isRedeeming, loop, note) }
}

async function guardOf(
  { target, session, operation, params }: Bound,
  isRedeeming: boolean,
  loop: Loop,
  note: (entry: AuditEntry) => void,
): Promise<Opinion | undefined> {
  if (target.name === 'execute_agent') {
    const refused = await loop.refuseStart(session, String(params.element_name))
    return refused && refusal(refused)
  }
  if (OWN.has(target.name)) return undefined
  await loop.refresh()
  const blocked = loop.isBlocked(session)
  if (blocked) return refusal(blocked)
  if (isRedeeming || loop.covers(session, operation)) return undefined
  note(loop.violation(session, operation))
  return refusal(fail('PERMISSION_DENIED', { reason: NOT_ANNOUNCED, operation }))
}

const NOT_ANNOUNCED = 'the operation was not announced by record_execution_step'

const OWN: ReadonlySet<string> = new Set([
  'execute_agent',
  'record_execution_step',
  'complete_execution',
  'abort_execution',
  'confirm_operation',
  'verify_challenge',
])

function refusal(failure: OperationFailure): Opinion {
  return { layer: 'safety', permission: 'deny', text: failure.error.message, failure }
}

/** SELF-02, fourth channel: another principal that the transport authenticated. */
function otherPrincipal(store: Store, clock: Clock, isApprover: (principal: string) => boolean) {
  return async (
    principal: string,
    {
      token,
      approval_id,
      decision,
    }: { readonly token?: string; readonly approval_id?: string; readonly decision: 'approve' | 'deny' },
  ): Promise<unknown> => {
    const id = isToken(token) ? tokenRef(token) : (approval_id ?? '')
    if (!isApprover(principal))
      return fail('PERMISSION_DENIED', { reason: 'this principal may not decide', operation: 'confirm_operation' })
    const by = { subject: principal, channel: 'principal', role: 'approver' } as const
    const decided = await decide(store, clock, id, humanDecision({ decision, by }))
    if (decided.kind === 'decided') {
      const { operation, expiresAt } = decided.request
      return { operation, decision, expires_in_seconds: Math.max(0, Math.ceil((expiresAt - clock.now()) / 1_000)) }
    }
    if (decided.why === 'own_subject') return fail('PERMISSION_SELF_APPROVAL_DENIED', { approval_id: id })
    return fail('PERMISSION_DENIED', {
      reason: `the decision does not count: ${decided.why}`,
      operation: 'confirm_operation',
    })
  }
}
