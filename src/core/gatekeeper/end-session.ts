import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { attentionRef, withoutPrompt } from './attention.ts'
import { type Desk, deskRef } from './desk.ts'
import { deskWithout } from './redeem.ts'
import { type ApprovalRequest, requestRef } from './request.ts'

/** SESS-02, TOK-15: with the session go its tokens and approvals; whoever holds one has nothing. */
export async function endDesk(store: Store, clock: Clock, session: string, reason: string): Promise<void> {
  const desk = await store.get(deskRef(session))
  if (!desk) return
  for (const id of Object.values(desk.live))
    await revoke(store, clock, { id, session, principal: desk.principal }, reason)
  await store.update({ desk: deskRef(session) }, () => ({ next: { desk: undefined }, result: undefined }))
}

/** Start-up: the sessions that a dead process held. */
export async function recoverDesks(store: Store, clock: Clock): Promise<void> {
  for (const { id, value } of await store.list<Desk>('desk')) {
    if (await store.isGone(value.opener)) await endDesk(store, clock, id, 'the process that held the session is gone')
  }
}

/** Takes a pending or approved request back. Returns false where there was none to take. */
export function revoke(
  store: Store,
  clock: Clock,
  { id, session, principal }: Pick<ApprovalRequest, 'id' | 'session' | 'principal'>,
  reason: string,
): Promise<boolean> {
  const refs = { request: requestRef(id), desk: deskRef(session), attention: attentionRef(principal) }
  return store.update<typeof refs, boolean>(refs, ({ request, desk, attention }) => {
    if (!request || (request.state !== 'pending' && request.state !== 'approved')) return { result: false }
    const now = clock.now()
    return {
      next: {
        request: { ...request, version: request.version + 1, state: 'revoked' },
        ...(desk && { desk: deskWithout(desk, request) }),
        attention: withoutPrompt(attention, id, now),
      },
      audit: [
        {
          timestamp: new Date(now).toISOString(),
          event: 'TOKEN_REVOKED',
          token_id: id,
          operation: request.operation,
          adapter_name: request.adapter,
          outcome: 'success',
          reason,
          user_id: request.principal,
          session_id: request.session,
          client_context: { session_id: request.session, user_id: request.principal },
        },
      ],
      result: true,
    }
  })
}

/** TOK-17: nobody needs a request an hour after it expired. */
export async function sweepRequests(store: Store, clock: Clock): Promise<void> {
  const past = clock.now() - KEEP_MS
  for (const { id, value } of await store.list<{ readonly expiresAt: number }>('request')) {
    if (value.expiresAt > past) continue
    await store.update({ request: requestRef(id) }, () => ({ next: { request: undefined }, result: undefined }))
  }
}

const KEEP_MS = 45 * 60_000
