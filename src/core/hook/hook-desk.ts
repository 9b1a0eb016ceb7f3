import { createHash } from 'node:crypto'
import { recent, TOKEN_RATES } from '../gatekeeper/desk.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import type { ToolCall } from './tool-call.ts'

/** What is remembered of one session of a client: which calls wait for a human, and which a human has denied. */
export interface HookDesk {
  /** Hash of the call → id of its request. */
  readonly live: Readonly<Record<string, string>>
  readonly denied: readonly string[]
  readonly issues: readonly number[]
  readonly seenAt: number
}

export function hookDeskRef({ client, session }: Pick<ToolCall, 'client' | 'session'>): RecordRef<HookDesk> {
  return record(
    'hook_desk',
    createHash('sha256')
      .update(JSON.stringify([client, session]))
      .digest('hex'),
  )
}

export function emptyHookDesk(now: number): HookDesk {
  return { live: {}, denied: [], issues: [], seenAt: now }
}

export function withQuestion(desk: HookDesk, hash: string, id: string, now: number): HookDesk {
  const issues = [...recent(desk.issues, now, TOKEN_RATES.windowMs), now]
  const live = Object.entries({ ...desk.live, [hash]: id }).slice(-MOST_LIVE)
  return { ...desk, live: Object.fromEntries(live), issues, seenAt: now }
}

/** SELF-11: for the rest of the session. */
export function withDenial(desk: HookDesk, hash: string, now: number): HookDesk {
  const { [hash]: _, ...live } = desk.live
  return { ...desk, live, denied: [...desk.denied, hash].slice(-MOST_DENIED), seenAt: now }
}

/** A session that has been silent for a week is over. */
export async function sweepHookDesks(store: Store, clock: Clock): Promise<void> {
  const past = clock.now() - WEEK_MS
  for (const { id, value } of await store.list<HookDesk>('hook_desk')) {
    if (value.seenAt > past) continue
    const refs = { desk: record<HookDesk>('hook_desk', id) }
    await store.update<typeof refs, void>(refs, () => ({ next: { desk: undefined }, result: undefined }))
  }
}

/** An older question that falls out is merely asked again. */
const MOST_LIVE = 500
const MOST_DENIED = 1_000
const WEEK_MS = 7 * 86_400_000
