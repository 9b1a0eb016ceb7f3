import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redactText } from '../audit/redact.ts'
import { tokenRef } from '../audit/token-ref.ts'
import { requestRef } from '../gatekeeper/request.ts'
import { isToken } from '../gatekeeper/tokens.ts'
import type { Session } from '../session.ts'
import type { LoopParts } from './parts.ts'

export interface ConfirmOrder {
  readonly confirmation_token?: string
  readonly approval_id?: string
  readonly decision: 'approve' | 'deny'
}

/**
 * LOOP-21, SELF-01. What arrives here comes from the agent plane: only another principal than the one that asked may
 * be heard, and only where the transport can tell two principals apart (SELF-09).
 */
export async function confirm(
  session: Session,
  { confirmation_token: token, approval_id, decision }: ConfirmOrder,
  parts: LoopParts,
): Promise<unknown> {
  if (token === undefined && approval_id === undefined)
    return fail('VALIDATION_MISSING_PARAM', { param_name: 'confirmation_token', operation: 'confirm_operation' })
  const ids = [...(approval_id === undefined ? [] : [approval_id]), ...(isToken(token) ? [tokenRef(token)] : [])]
  const requests = await Promise.all(ids.map((id) => parts.store.get(requestRef(id))))
  const isOwn = requests.some((request) => request?.principal === session.principal)
  if (!parts.decideAsPrincipal || isOwn) return rejectSelf(session, ids[0] ?? '', parts)
  return parts.decideAsPrincipal(session.principal, {
    decision,
    ...(token !== undefined && { token }),
    ...(approval_id !== undefined && { approval_id }),
  })
}

async function rejectSelf(
  session: Session,
  id: string,
  { store, clock, adapter }: LoopParts,
): Promise<OperationFailure> {
  const entry: AuditEntry = {
    timestamp: new Date(clock.now()).toISOString(),
    event: 'SELF_APPROVAL_REJECTED',
    operation: 'confirm_operation',
    adapter_name: adapter,
    result: 'denied',
    approval_id: redactText(id).slice(0, 64),
    user_id: session.principal,
    session_id: session.owner,
  }
  await store.update({}, () => ({ audit: [entry], result: undefined }))
  return fail('PERMISSION_SELF_APPROVAL_DENIED', {
    operation: 'confirm_operation',
    next: 'A human decides in the console, on the terminal or in a form of the client; ask the user.',
  })
}
