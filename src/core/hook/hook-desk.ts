import { createHash } from 'node:crypto'
import { recent, TOKEN_RATES } from '../gatekeeper/desk.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import type { ToolCall } from './tool-call.ts'

/** What is remembered of one session of a client: which calls wait for a human, were denied by one, or may run. */
export interface HookDesk {
  /** Hash of the call → id of its request. */
  readonly live: Readonly<Record<string, string>>
  readonly denied: readonly string[]
  /** Calls that were allowed and not yet reported to have run, oldest first. */
  readonly allowed?: readonly AllowedCall[]
  /** Something ran that was not allowed: the request that a human has to decide on before anything else. */
  readonly pausedBy?: string
  readonly issues: readonly number[]
  readonly seenAt: number
}

interface AllowedCall {
  readonly deed: string
  readonly at: number
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

/** Each permission is good for one run. */
export function withAllowed(desk: HookDesk, deed: string, now: number): HookDesk {
  const kept = (desk.allowed ?? []).filter(({ at }) => at > now - DAY_MS)
  return { ...desk, allowed: [...kept, { deed, at: now }].slice(-MOST_ALLOWED), seenAt: now }
}

/** Undefined when nothing of the kind was allowed. */
export function withoutAllowed(desk: HookDesk, deed: string, now: number): HookDesk | undefined {
  const { allowed = [] } = desk
  const at = allowed.findIndex((each) => each.deed === deed)
  return at < 0 ? undefined : { ...desk, allowed: allowed.toSpliced(at, 1), seenAt: now }
}

export function withoutPause({ pausedBy: _, ...desk }: HookDesk): HookDesk {
  return desk
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
/** Calls that a client did not make after all, or that failed, are never reported. */
const MOST_ALLOWED = 500
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
