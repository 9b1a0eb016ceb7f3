import type { AuditEntry } from '../audit/entry.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * AUDIT-03: attempts that ran nothing. The first ones of a minute are recorded one by one; those beyond are counted, so
 * that repeating a call, or sending ever new ones, costs no room on the disk.
 */
export interface AttemptCounter {
  /** Has this call, or its principal, been recorded often enough in this minute? Without a call every one is another. */
  isCounted(principal: string, call?: string): boolean
  /** What became of an attempt: recorded already, or to be counted. */
  add(principal: string, call: string | undefined, entries: readonly AuditEntry[], isCounted: boolean): void
  /** Records what was counted so far. */
  close(): void
}

export interface AttemptParts {
  readonly clock: Clock
  readonly note: (entry: AuditEntry) => void
}

export const ATTEMPTS = { windowMs: 60_000, ofCall: 12, ofPrincipal: 60, tallies: 200 } as const

export function createAttemptCounter({ clock, note }: AttemptParts): AttemptCounter {
  let recorded = new Map<string, number>()
  let tallies = new Map<string, { readonly entry: AuditEntry; calls: number }>()
  let ends = 0

  const record = (): void => {
    const now = new Date(clock.now()).toISOString()
    for (const { entry, calls } of tallies.values()) note({ ...entry, timestamp: now, since: entry.timestamp, calls })
    tallies = new Map()
  }

  const turn = (): void => {
    const now = clock.now()
    if (now < ends && now >= ends - ATTEMPTS.windowMs) return
    record()
    recorded = new Map()
    ends = now + ATTEMPTS.windowMs
  }

  const timer = setInterval(turn, ATTEMPTS.windowMs)
  timer.unref()

  const timesOf = (key: string | undefined): number => (key === undefined ? 0 : (recorded.get(key) ?? 0))
  const count = (entry: AuditEntry): void => {
    const key = JSON.stringify([
      entry.user_id,
      entry.session_id,
      entry.event,
      entry.operation,
      entry.reason,
      entry.params_hash,
    ])
    const isFull = tallies.size >= ATTEMPTS.tallies && !tallies.has(key)
    const [place, told] = isFull ? [JSON.stringify([entry.user_id, entry.event]), summaryOf(entry)] : [key, entry]
    const known = tallies.get(place)
    if (known) known.calls++
    else tallies.set(place, { entry: told, calls: 1 })
  }

  return {
    isCounted(principal, call) {
      turn()
      return timesOf(call) >= ATTEMPTS.ofCall || timesOf(keyOf(principal)) >= ATTEMPTS.ofPrincipal
    },

    add(principal, call, entries, isCounted) {
      if (entries.length === 0) return
      if (!isCounted) {
        for (const key of [call, keyOf(principal)]) if (key !== undefined) recorded.set(key, timesOf(key) + 1)
      } else for (const entry of entries) count(timesOf(call) >= ATTEMPTS.ofCall ? entry : withoutHash(entry))
    },

    close() {
      clearInterval(timer)
      record()
    },
  }
}

/** No call has this key: theirs begin with the name of an adapter. */
function keyOf(principal: string): string {
  return `\n${principal}`
}

/** Ever new calls are one row for each operation. */
function withoutHash({ params_hash: _, ...entry }: AuditEntry): AuditEntry {
  return entry
}

function summaryOf({ timestamp, event, adapter_name, user_id, result, outcome }: AuditEntry): AuditEntry {
  const reason = 'attempts at too many operations to name them'
  return {
    timestamp,
    event,
    reason,
    ...(adapter_name !== undefined && { adapter_name }),
    ...(user_id !== undefined && { user_id }),
    ...(result !== undefined && { result }),
    ...(outcome !== undefined && { outcome }),
  }
}
