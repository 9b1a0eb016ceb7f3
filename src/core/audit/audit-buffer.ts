import type { Clock } from '../ports/clock.ts'
import { type Log, SILENT } from '../ports/log.ts'
import { record, type Store } from '../ports/store.ts'
import type { AuditEntry } from './entry.ts'
import { createReadCounter } from './read-counter.ts'

/** AUDIT-10: what is recorded but waits for nobody. Written in batches, and before an orderly end. */
export interface AuditBuffer {
  /** A READ: counted by operation, principal and second. */
  count(operation: string, principal: string, adapter: string): void
  note(entry: AuditEntry): void
  /** Never rejects: what the store does not take is kept and tried again. */
  flush(): Promise<void>
  /** The last flush; afterwards nothing is taken. Says how many entries could not be written. */
  close(): Promise<number>
  /** May a write begin whose record comes through here? False from the first record that could not be written. */
  canRecord(): boolean
  /** Writes what waits, or tries out the store. Undefined when records can be kept again, else why they cannot. */
  recover(): Promise<string | undefined>
  /** Somebody else could not write to the store, and what these entries tell of is not tried again. */
  doubt(cause: unknown, entries?: readonly AuditEntry[]): void
}

/** Runs the work once, later; what it returns calls it off. */
export type Schedule = (work: () => void, ms: number) => () => void

export interface BufferOptions {
  readonly schedule?: Schedule
  readonly log?: Log
}

/** A count may wait longer than a record of something that has happened. */
const COUNT_MS = 1_000
const NOTE_MS = 100
/** Records that may wait while another write begins; beyond them it waits for their commit. */
const MOST_UNRECORDED = 64
/** How long the room on the disk is taken for granted. */
const SURE_MS = 100
const MOST_WAITING = 100_000
/** So that one flush does not hold up the event loop. */
const BATCH = 1_000

export function createAuditBuffer(store: Store, clock: Clock, options: BufferOptions = {}): AuditBuffer {
  const { schedule = later, log = SILENT } = options
  let waiting: AuditEntry[] = []
  let lost: Loss = NOTHING_LOST
  let due: { readonly at: number; readonly cancel: () => void } | undefined
  let flushing: Promise<boolean> | undefined
  let isClosed = false
  /** Why records cannot be kept at this moment. */
  let trouble: string | undefined
  let sureUntil = 0

  const reads = createReadCounter(clock.now, () => keep(reads.take()))

  const wake = (ms: number): void => {
    const at = clock.now() + ms
    if (due && due.at <= at) return
    due?.cancel()
    const cancel = schedule(() => {
      due = undefined
      void flush()
    }, ms)
    due = { at, cancel }
  }

  /** A store that is down must not fill the memory: the oldest give way, and their number is told. */
  const keep = (entries: readonly AuditEntry[]): void => {
    for (const entry of entries) waiting.push(entry)
    if (waiting.length <= MOST_WAITING) return
    lost = withLost(lost, waiting.splice(0, waiting.length - 0.9 * MOST_WAITING))
  }

  const fail = (cause: unknown): void => {
    const why = cause instanceof Error ? cause.message : String(cause)
    if (trouble === undefined && !isClosed) log.write({ level: 'error', message: `${UNWRITABLE} ${why}` })
    trouble = why
  }

  /** False when the store did not take it. */
  const writeAll = async (): Promise<boolean> => {
    keep(reads.take())
    // Where little room is left, it is for what happened: attempts that are refused only add to the number.
    const tells = isClosed || store.hasRoom?.() !== false
    while (waiting.length > 0 || (tells && lost.lost > 0)) {
      const told = tells ? lost : NOTHING_LOST
      const batch = waiting.slice(0, BATCH)
      const audit = told.lost > 0 ? [lossEntry(told, clock.now()), ...batch] : batch
      waiting = waiting.slice(BATCH)
      if (tells) lost = NOTHING_LOST
      try {
        await store.update({}, () => ({ audit, result: undefined }))
      } catch (cause) {
        const since = waiting
        waiting = batch
        lost = both(told, lost)
        keep(since)
        fail(cause)
        return false
      }
      if (told.lost > 0) log.write({ level: 'error', message: 'Audit records were lost.', ...told })
    }
    return true
  }

  const write = async (): Promise<boolean> => {
    await flushing
    flushing ??= writeAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  const flush = async (): Promise<void> => {
    const isDone = await write()
    if (!isClosed && (!isDone || lost.lost > 0)) wake(COUNT_MS)
  }

  /** As much as the longest entry, there and away again. */
  const tryOut = async (): Promise<void> => {
    const refs = { it: record<string>('probe', 'audit') }
    await store.update(refs, () => ({ next: { it: PROBE }, result: undefined }))
    await store.update(refs, () => ({ next: { it: undefined }, result: undefined }))
  }

  const recover = async (): Promise<string | undefined> => {
    const hadTrouble = trouble !== undefined
    if (!(await write())) return trouble
    try {
      if (hadTrouble) await tryOut()
      if (store.hasRoom?.() === false) throw new Error(NO_ROOM)
    } catch (cause) {
      fail(cause)
      return trouble
    }
    if (hadTrouble) log.write({ level: 'warning', message: 'Audit records can be written again.' })
    trouble = undefined
    sureUntil = clock.now() + SURE_MS
    return undefined
  }
  let recovering: Promise<string | undefined> | undefined

  return {
    count(operation, principal, adapter) {
      if (isClosed) return
      reads.count(operation, principal, adapter)
      if (due === undefined) wake(COUNT_MS)
    },

    note(entry) {
      if (isClosed) return
      waiting.push(entry)
      if (waiting.length === 1) wake(NOTE_MS)
      else if (waiting.length > MOST_WAITING) keep([])
    },

    flush,

    canRecord() {
      if (trouble !== undefined || waiting.length >= MOST_UNRECORDED) return false
      const now = clock.now()
      if (now < sureUntil) return true
      if (store.hasRoom?.() === false) {
        fail(new Error(NO_ROOM))
        return false
      }
      sureUntil = now + SURE_MS
      return true
    },

    recover() {
      recovering ??= recover().finally(() => {
        recovering = undefined
      })
      return recovering
    },

    doubt(cause, entries = []) {
      fail(cause)
      if (isClosed || entries.length === 0) return
      lost = withLost(lost, entries)
      wake(COUNT_MS)
    },

    async close() {
      isClosed = true
      due?.cancel()
      await flush()
      const left = withLost(lost, waiting)
      if (left.lost > 0) log.write({ level: 'error', message: `Audit records are lost: ${trouble}`, ...left })
      return left.lost
    },
  }
}

const UNWRITABLE = 'Audit records cannot be written, and every write is refused until they can be:'
const NO_ROOM = 'Less than 4 MiB are free where the store is.'
const PROBE = '-'.repeat(32_768)

/** AUDIT-10: lost counts are told. */
interface Loss {
  /** Entries, and the calls that they counted. */
  readonly lost: number
  readonly calls: number
  readonly from?: string
  readonly to?: string
}

const NOTHING_LOST: Loss = { lost: 0, calls: 0 }

function withLost(loss: Loss, entries: readonly AuditEntry[]): Loss {
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) return loss
  const calls = entries.reduce((sum, { calls: counted }) => sum + (typeof counted === 'number' ? counted : 1), 0)
  return both(loss, { lost: entries.length, calls, from: first.timestamp, to: last.timestamp })
}

function both(a: Loss, b: Loss): Loss {
  const [from, to] = [a.from ?? b.from, b.to ?? a.to]
  return {
    lost: a.lost + b.lost,
    calls: a.calls + b.calls,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function lossEntry({ lost, calls, from = '', to = '' }: Loss, now: number): AuditEntry {
  const reason = `${lost} records were lost between ${from} and ${to}, because the store could not be written`
  return {
    timestamp: new Date(now).toISOString(),
    event: 'RECORDS_LOST',
    outcome: 'lost',
    lost,
    calls,
    from,
    to,
    reason,
  }
}

/** The process need not stay for it. */
function later(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
