import { randomBytes } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store, updateRecord } from '../ports/store.ts'
import type { Session } from '../session.ts'
import { type Cut, keepable } from './fit-answer.ts'

/** What did not fit into an answer, kept for its owner until it expires. */
export interface Rests {
  /** Keeps the rest of one cut and returns its handle. */
  keep(session: Session, cut: Cut, budget: number): Promise<string>
  /** One page of a rest; undefined when the handle is unknown, expired, or somebody else's. */
  read(session: Session, handle: string): Promise<RestPage | undefined>
  /** SES-02: a session's rests go with it. */
  drop(session: Session): Promise<void>
}

export interface RestPage {
  readonly field: string
  readonly items?: readonly unknown[]
  readonly text?: string
  /** Elements or characters behind this page. */
  readonly remaining: number
  /** The handle of the next page. */
  readonly next?: string
}

interface RestRecord {
  readonly owner: string
  readonly expiresAt: number
  readonly field: string
  readonly budget: number
  readonly rest: readonly unknown[] | string
}

const KIND = 'rest'
/** All rests of one owner together, as JSON; the oldest make room. */
const MOST_KEPT = 64 * 1024 * 1024

/** What this process keeps for one owner, the oldest first. */
interface Shelf {
  readonly rests: Map<string, { readonly size: number; readonly expiresAt: number }>
  size: number
  /** When the newest expires. */
  until: number
}

export function createRests(store: Store, clock: Clock, ttlMs: number): Rests {
  /** In the order of the last use, so that the first is empty before the others. */
  const shelves = new Map<string, Shelf>()

  /** Returns those that have to make room. */
  const shelve = (owner: string, id: string, size: number, expiresAt: number): readonly string[] => {
    const now = clock.now()
    for (const [other, { until }] of shelves) {
      if (until > now) break
      shelves.delete(other)
    }
    const shelf: Shelf = shelves.get(owner) ?? { rests: new Map(), size: 0, until: expiresAt }
    shelves.delete(owner)
    shelves.set(owner, shelf)
    shelf.rests.set(id, { size, expiresAt })
    shelf.size += size
    shelf.until = expiresAt
    const surplus: string[] = []
    for (const [oldest, rest] of shelf.rests) {
      if (oldest === id || (shelf.size <= MOST_KEPT && rest.expiresAt > now)) break
      shelf.rests.delete(oldest)
      shelf.size -= rest.size
      surplus.push(oldest)
    }
    return surplus
  }

  return {
    async keep(session, { field, rest }, budget) {
      const expiresAt = clock.now() + ttlMs
      const id = `rest_${spelledTime(expiresAt)}${randomBytes(8).toString('base64url')}`
      if (session.signal.aborted) return id // nobody is left who could read it
      const kept: RestRecord = { owner: session.owner, expiresAt, field, budget, rest }
      const surplus = shelve(session.owner, id, JSON.stringify(rest).length, expiresAt)
      await sweep(store, clock.now())
      for (const old of surplus) await updateRecord(store, restOf(old), REMOVE)
      await updateRecord(store, restOf(id), () => ({ next: kept, result: undefined }))
      if (session.signal.aborted) await updateRecord(store, restOf(id), REMOVE)
      return id
    },

    async read(session, handle) {
      const parts = /^(rest_[\w-]{16})(?:\.(\d{1,9}))?$/.exec(handle)
      if (!parts) return undefined
      const [, id = '', offset = '0'] = parts
      const kept = await store.get(restOf(id))
      if (!kept || kept.owner !== session.owner || kept.expiresAt <= clock.now()) return undefined
      return pageOf(kept, id, Number(offset))
    },

    async drop(session) {
      const shelf = shelves.get(session.owner)
      shelves.delete(session.owner)
      for (const id of shelf?.rests.keys() ?? []) await updateRecord(store, restOf(id), REMOVE)
    },
  }
}

const restOf = (id: string): RecordRef<RestRecord> => record(KIND, id)
const REMOVE = () => ({ next: undefined, result: undefined })

/** In minutes and of one length, so that the store, which orders by id, has what expires first at the front. */
function spelledTime(time: number): string {
  return Math.ceil(time / 60_000)
    .toString(36)
    .padStart(5, '0')
}

/** The handle of a later page is the same handle with an offset: reading changes nothing. */
function pageOf({ rest, field, budget }: RestRecord, id: string, offset: number): RestPage | undefined {
  if (offset >= rest.length && offset > 0) return undefined
  const tail = rest.slice(offset)
  const count = Math.min(tail.length, keepableOrAll(tail, budget))
  const page = tail.slice(0, count)
  const remaining = tail.length - count
  return {
    field,
    ...(typeof page === 'string' ? { text: page } : { items: page }),
    remaining,
    ...(remaining > 0 && { next: `${id}.${offset + count}` }),
  }
}

function keepableOrAll(tail: readonly unknown[] | string, budget: number): number {
  // A text within the budget is given whole; `keepable` always leaves something behind.
  if (typeof tail === 'string' && tail.length <= budget * 3) return tail.length
  return keepable(tail, budget)
}

/** For each rest that comes two that have expired are removed: no call pays for many, and none are left behind. */
async function sweep(store: Store, now: number): Promise<void> {
  for (const { id, value } of await store.list<RestRecord>(KIND, { limit: 2 })) {
    if (value.expiresAt <= now) await updateRecord(store, restOf(id), REMOVE)
  }
}
