import { isCount, soundTokens } from './cost.ts'
import { type Changed, type Counters, counterAt, isBroken, withCounters } from './counters.ts'
import { observeHeaders, type ResponseHeaders } from './observe-headers.ts'
import type { Tokens } from './rate-limits.ts'
import { amountsOf, type Reservation, raised } from './reserve.ts'

/** What a request turned out to use. A failed one counts like any other: it was sent. */
export interface Usage {
  /** Attempts that were sent; 1 when nothing is said, 0 gives the slot back. */
  readonly requests?: number
  readonly tokens?: Tokens
  /** Of the last response (RATE-05). */
  readonly headers?: Headers | ResponseHeaders
}

/**
 * RATE-03, RATE-09: puts the actual usage in place of the reserved one. In any order, as sums do not mind. When the
 * window has ended meanwhile, what exceeds the reservation counts in the present one, and nothing is given back.
 * Returns the given counters themselves when nothing changes, so that the caller can spare a commit.
 */
export function settle(
  counters: Counters | undefined,
  reservation: Reservation,
  usage: Usage,
  now: number,
): Counters | undefined {
  const { held } = reservation
  if (!held || isBroken(counters)) return counters
  const requests = isCount(usage.requests) ? usage.requests : 1
  const tokens = soundTokens(usage.tokens) ?? (requests === 0 ? undefined : held.tokens)
  const actual = amountsOf(held.limits, held.call, requests, tokens)
  const changed: Changed[] = []
  for (const { counted, unit, amount, from } of held.slots) {
    const difference = actual[unit] - amount
    if (difference === 0) continue
    const counter = counterAt(counters, counted, now)
    if (difference > 0 || counter.from === from)
      changed.push({ key: counted.key, counter: raised(counter, difference) })
  }
  const settled = changed.length === 0 ? counters : withCounters(counters, changed, now)
  return usage.headers ? observeHeaders(settled, held.limits, held.call, plain(usage.headers), now) : settled
}

function plain(headers: Headers | ResponseHeaders): ResponseHeaders {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}
