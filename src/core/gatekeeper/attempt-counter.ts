import type { AuditEntry } from '../audit/entry.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * AUDIT-03: attempts that ran nothing. The first ones of a minute are recorded one by one: of each call, of each
 * operation in each session, and of the principal, where the first of each session at each operation has room of its
 * own. The last of them says that those beyond are counted,
 * so that the trail knows of it at once; their number follows within a minute. So repeating a call, or sending ever new
 * ones, costs little room on the disk, and noise at one operation or in one session hides no attempt at another.
 */
export interface AttemptCounter {
  /** Asked before anything is decided. */
  begin(attempt: Attempt): Recording
  /** Records what was counted so far. */
  close(): void
}

export interface Attempt {
  readonly principal: string
  readonly session: string
  readonly operation: string
  /** The same call of the same session; without it every one is another. */
  readonly call?: string
}

/** How one attempt is recorded if nothing runs. */
export interface Recording {
  /** By its number alone. */
  readonly isCounted: boolean
  /** What is written of its entries now. */
  kept(entries: readonly AuditEntry[]): readonly AuditEntry[]
  /** The attempt is over, with these entries; none where it ran. */
  ended(entries: readonly AuditEntry[]): void
  /** The store could not be written: what would only have been counted is counted all the same. */
  failed(cause: unknown): never
}

export interface AttemptParts {
  readonly clock: Clock
  readonly note: (entry: AuditEntry) => void
}

export const ATTEMPTS = {
  windowMs: 60_000,
  ofCall: 12,
  ofOperation: 60,
  ofPrincipal: 300,
  firsts: 1_000,
  tallies: 200,
} as const

/** A limit that an attempt counts on: so many are recorded, with the one that says that others are counted. */
interface Share {
  readonly key: string
  readonly most: number
  readonly what: string
}

export function createAttemptCounter({ clock, note }: AttemptParts): AttemptCounter {
  let recorded = new Map<string, number>()
  let announced = new Set<string>()
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
    announced = new Set()
    ends = now + ATTEMPTS.windowMs
  }

  const timer = setInterval(turn, ATTEMPTS.windowMs)
  timer.unref()

  const timesOf = (key: string): number => recorded.get(key) ?? 0
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
    begin(attempt) {
      turn()
      const shares = sharesOf(attempt, timesOf)
      const full = shares.filter(({ key, most }) => timesOf(key) >= most - 1)
      const unannounced = full.filter(({ key }) => !announced.has(key))
      const isCounted = full.length > 0 && unannounced.length === 0
      const isRepeat = full.some(({ key }) => key === attempt.call)
      const [first] = unannounced
      let left: readonly AuditEntry[] = []
      return {
        isCounted,
        kept(entries) {
          left = entries
          if (isCounted) return []
          return first ? entries.map((entry) => announcing(entry, first)) : entries
        },
        ended(entries) {
          if (entries.length === 0) return
          if (isCounted) for (const entry of entries) count(isRepeat ? entry : withoutHash(entry))
          else for (const { key } of shares) recorded.set(key, timesOf(key) + 1)
          for (const { key } of unannounced) announced.add(key)
        },
        failed(cause) {
          if (isCounted) for (const entry of left) count(isRepeat ? entry : withoutHash(entry))
          throw cause
        },
      }
    },

    close() {
      clearInterval(timer)
      record()
    },
  }
}

/** The smallest first. */
function sharesOf(
  { principal, session, operation, call }: Attempt,
  timesOf: (key: string) => number,
): readonly Share[] {
  const { ofCall, ofOperation, ofPrincipal, firsts } = ATTEMPTS
  const ofSession = JSON.stringify([principal, session, operation])
  const isFirst = timesOf(ofSession) === 0
  return [
    ...(call === undefined ? [] : [{ key: call, most: ofCall, what: 'repeats of this call' }]),
    { key: ofSession, most: ofOperation, what: 'attempts of this session at this operation' },
    isFirst
      ? {
          key: JSON.stringify([principal, 'first']),
          most: firsts,
          what: `attempts of further sessions of ${principal}`,
        }
      : { key: JSON.stringify([principal]), most: ofPrincipal, what: `repeated attempts of ${principal}` },
  ]
}

function announcing(entry: AuditEntry, { what }: Share): AuditEntry {
  const told = `from here on ${what} are counted, and their number follows within a minute`
  return { ...entry, reason: entry.reason === undefined ? told : `${entry.reason}; ${told}` }
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
