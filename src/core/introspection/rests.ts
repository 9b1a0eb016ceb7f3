import { randomBytes } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
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

export function createRests(store: Store, clock: Clock, ttlMs: number): Rests {
  const kept = new Map<string, Set<string>>()

  return {
    async keep(session, { field, rest }, budget) {
      const id = `rest_${randomBytes(12).toString('base64url')}`
      const record: RestRecord = { owner: session.owner, expiresAt: clock.now() + ttlMs, field, budget, rest }
      await sweep(store, clock.now())
      await store.update<RestRecord, void>(KIND, id, () => ({ next: record, result: undefined }))
      const ids = kept.get(session.owner) ?? new Set()
      kept.set(session.owner, ids.add(id))
      return id
    },

    async read(session, handle) {
      const parts = /^(rest_[\w-]{16})(?:\.(\d{1,9}))?$/.exec(handle)
      if (!parts) return undefined
      const [, id = '', offset = '0'] = parts
      const record = await store.get<RestRecord>(KIND, id)
      if (!record || record.owner !== session.owner || record.expiresAt <= clock.now()) return undefined
      return pageOf(record, id, Number(offset))
    },

    async drop(session) {
      const ids = kept.get(session.owner) ?? []
      kept.delete(session.owner)
      for (const id of ids) await store.update(KIND, id, REMOVE)
    },
  }
}

const REMOVE = () => ({ next: undefined, result: undefined })

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

/** Expired rests are removed when new ones come; a handful at a time keeps a single call cheap. */
async function sweep(store: Store, now: number): Promise<void> {
  for (const { id, value } of await store.list<RestRecord>(KIND, { limit: 20 })) {
    if (value.expiresAt <= now) await store.update(KIND, id, REMOVE)
  }
}
