import { rankOf, type SessionUse } from '../core/session.ts'

/** A session as far as it matters for who gives up a place. */
export interface Placed {
  /** Whose budget it counts on. */
  readonly key: string
  /** Exchanges under way, streams included. */
  readonly busy: number
  readonly use: () => SessionUse
  readonly seen: number
}

/**
 * Each named client has as many places as all unnamed callers together, so that nobody takes another's. Whoever opens
 * one more gives one of its own up: the one that was used for least, among equals the one that was silent longest.
 * Unnamed callers cannot be told apart, and it may be another's. So one with a request or a stream under way stays, and
 * since those are limited there are always others; one with an execution under way stays for as long as somebody asks
 * for it. Undefined when there is none to give up.
 */
export function placeToGiveUp<S extends Placed>(sessions: Iterable<S>, key: string, now: number): S | undefined {
  let least: { readonly session: S; readonly rank: number } | undefined
  for (const session of sessions) {
    if (session.key !== key || session.busy > 0) continue
    const use = session.use()
    if (use === 'working' && now - session.seen < UNASKED_MS) continue
    if (!least || isLess(rankOf(use), session, least.rank, least.session)) least = { session, rank: rankOf(use) }
  }
  return least?.session
}

const UNASKED_MS = 5 * 60_000

function isLess(rank: number, { seen }: Placed, leastRank: number, least: Placed): boolean {
  return rank === leastRank ? seen < least.seen : rank < leastRank
}
