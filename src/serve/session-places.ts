import { canGiveUp, rankOf, type SessionUse } from '../core/session.ts'

/** A session as far as it matters for who gives up a place. */
export interface Placed {
  /** Whose budget it counts on. */
  readonly key: string
  /** Requests that wait for their answer. */
  readonly inFlight: { readonly size: number }
  readonly use: () => SessionUse
  readonly seen: number
}

/**
 * Each named client has as many places as all unnamed callers together, so that nobody takes another's. Whoever opens
 * one more gives one of its own up: the one that was used for least, among equals the one that was silent longest. One
 * with a request or an execution under way, or with an open question, stays: unnamed callers cannot be told apart, and
 * it may be another's. Undefined when there is none to give up.
 */
export function placeToGiveUp<S extends Placed>(sessions: Iterable<S>, key: string): S | undefined {
  let least: { readonly session: S; readonly use: SessionUse } | undefined
  for (const session of sessions) {
    if (session.key !== key || session.inFlight.size > 0) continue
    const use = session.use()
    if (!canGiveUp(use)) continue
    if (!least || isLess(rankOf(use), session, rankOf(least.use), least.session)) least = { session, use }
  }
  return least?.session
}

function isLess(rank: number, { seen }: Placed, leastRank: number, least: Placed): boolean {
  return rank === leastRank ? seen < least.seen : rank < leastRank
}
