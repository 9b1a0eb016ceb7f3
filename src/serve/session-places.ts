/** A session as far as it matters for who gives up a place. */
export interface Placed {
  /** Whose budget it counts on. */
  readonly key: string
  /** Requests that wait for their answer. */
  readonly inFlight: { readonly size: number }
  /** What it has done since the handshake. */
  readonly calls: number
  readonly seen: number
}

/**
 * Each named client has as many places as all unnamed callers together, so that nobody takes another's. Whoever opens
 * one more gives one of its own up: first a session that has done nothing since its handshake, then the one that was
 * silent longest; one with a request under way stays. Undefined when there is none to give up.
 */
export function placeToGiveUp<S extends Placed>(sessions: Iterable<S>, key: string): S | undefined {
  let least: S | undefined
  for (const session of sessions) {
    if (session.key !== key || session.inFlight.size > 0) continue
    if (!least || isLess(session, least)) least = session
  }
  return least
}

function isLess(a: Placed, b: Placed): boolean {
  const [aUnused, bUnused] = [a.calls === 0, b.calls === 0]
  return aUnused === bUnused ? a.seen < b.seen : aUnused
}
