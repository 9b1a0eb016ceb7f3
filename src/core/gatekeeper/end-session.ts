import type { Clock } from '../ports/clock.ts'
import type { Changed, Store } from '../ports/store.ts'
import { attentionRef, withoutPrompt } from './attention.ts'
import { type Desk, deskRef } from './desk.ts'
import { houseRef, shareRef, withoutQuestion } from './issue.ts'
import { deskWithout } from './redeem.ts'
import { type ApprovalRequest, requestRef } from './request.ts'

/** SESS-02, TOK-15: with the session go its tokens and approvals; whoever holds one has nothing. */
export async function endDesk(store: Store, clock: Clock, session: string, reason: string): Promise<void> {
  const refs = { desk: deskRef(session) }
  for (let isGone = false; !isGone; ) {
    if (!(await store.get(refs.desk))) return
    const taken = new Set(await clearDesk(store, clock, session, reason, true))
    isGone = await store.update(refs, ({ desk }): Changed<typeof refs, boolean> => {
      const isNew = Object.values(desk?.live ?? {}).some((id) => !taken.has(id)) // asked while the others were taken back
      return isNew ? { result: false } : { next: { desk: undefined }, result: true }
    })
  }
}

/** TOK-15: the tokens and approvals alone. What a human denied stays denied, and what was asked and guessed counts on. */
export async function clearDesk(
  store: Store,
  clock: Clock,
  session: string,
  reason: string,
  isEnd = false,
): Promise<readonly string[]> {
  const desk = await store.get(deskRef(session))
  if (!desk) return []
  const ids = Object.values(desk.live)
  for (const id of ids) await revoke(store, clock, { id, session, principal: desk.principal }, reason, { isEnd })
  return ids
}

/** TOK-15: the open tokens and approvals of many sessions; an approved pause has no token and is taken back as well. */
export async function revokeWhere(
  store: Store,
  clock: Clock,
  concerns: (request: ApprovalRequest) => boolean,
  reason: string,
  by: Taker,
): Promise<void> {
  for (const { value } of await store.list<ApprovalRequest>('request'))
    if (concerns(value)) await revoke(store, clock, value, reason, { by })
}

/** The operator who took it back; absent where the server did, or the session itself. */
interface Taker {
  readonly by: string
  readonly channel: string
}

interface Taking {
  /** The session ends with it. */
  readonly isEnd?: boolean
  readonly by?: Taker
}

/** Start-up: the sessions that a dead process held. */
export async function recoverDesks(store: Store, clock: Clock): Promise<void> {
  for (const { id, value } of await store.list<Desk>('desk')) {
    if (await store.isGone(value.opener)) await endDesk(store, clock, id, 'the process that held the session is gone')
  }
}

/**
 * Takes a pending or approved request back. Returns false where there was none to take. What a session that ends has
 * asked takes no room any more, so that sessions without end fill nothing for others.
 */
export async function revoke(
  store: Store,
  clock: Clock,
  { id, session, principal }: Pick<ApprovalRequest, 'id' | 'session' | 'principal'>,
  reason: string,
  { isEnd = false, by }: Taking = {},
): Promise<boolean> {
  const { adapter = '' } = (isEnd && (await store.get(requestRef(id)))) || {}
  const refs = {
    request: requestRef(id),
    desk: deskRef(session),
    attention: attentionRef(principal),
    house: houseRef(adapter),
    share: shareRef(adapter, principal),
  }
  return store.update<typeof refs, boolean>(refs, ({ request, desk, attention, house, share }) => {
    if (!request || (request.state !== 'pending' && request.state !== 'approved')) return { result: false }
    const now = clock.now()
    const isDropped = isEnd && request.size !== undefined
    return {
      next: {
        request: { ...(isDropped ? withoutLong(request) : request), version: request.version + 1, state: 'revoked' },
        ...(isDropped && {
          house: withoutQuestion(house, { ...request, size: 0 }),
          share: withoutQuestion(share, request),
        }),
        ...(desk && { desk: deskWithout(desk, request) }),
        attention: withoutPrompt(attention, id, now),
      },
      audit: [
        {
          timestamp: new Date(now).toISOString(),
          event: 'TOKEN_REVOKED',
          ...(request.token === undefined ? { approval_id: id } : { token_id: id }),
          operation: request.operation,
          adapter_name: request.adapter,
          outcome: 'success',
          reason,
          ...(by && { operator: by.by, channel: by.channel }),
          user_id: request.principal,
          session_id: request.session,
          client_context: { session_id: request.session, user_id: request.principal },
        },
      ],
      result: true,
    }
  })
}

function withoutLong({ size = 0, preview, ...request }: ApprovalRequest): ApprovalRequest {
  return size > SHORT ? { ...request, params: {} } : { ...request, ...(preview && { preview }) }
}

/** Characters of parameters that the operator can still look up after the session has ended. */
const SHORT = 1_024

/** TOK-17: nobody needs a request an hour after it expired. */
export async function sweepRequests(store: Store, clock: Clock): Promise<void> {
  const past = clock.now() - KEEP_MS
  for (const { id, value } of await store.list<{ readonly expiresAt: number }>('request')) {
    if (value.expiresAt > past) continue
    await store.update({ request: requestRef(id) }, () => ({ next: { request: undefined }, result: undefined }))
  }
}

const KEEP_MS = 45 * 60_000
