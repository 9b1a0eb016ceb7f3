import type { AuditEntry } from '../audit/entry.ts'

/**
 * Everything the runtime must remember across calls and restarts. Records are JSON values, known by kind and id.
 * There is no `set`: the only way to write is to say how the old values become the new ones, and what belongs together
 * (a consumed token, a reserved quota, the audit entry that says so) is one change and one durable commit.
 */
export interface Store {
  get<T>(ref: RecordRef<T>): Promise<T | undefined>

  /**
   * Applies `change` to the named records as a single atomic step, and appends its audit entries to the trail in the
   * same commit. When the promise resolves, everything is on disk; when it rejects, nothing has changed.
   * `change` must be pure: an implementation may run it again after a conflict.
   */
  update<K extends RecordRefs, R>(records: K, change: Change<K, R>): Promise<R>

  /** The records of a kind, ordered by the code points of their ids. */
  list<T>(kind: string, options?: ListOptions): Promise<readonly StoredRecord<T>[]>

  /**
   * Keeps one record at hand, as the last commit of any process left it, for a check on the path of every request:
   * what was committed before a request arrived is seen by it.
   */
  follow<T>(ref: RecordRef<T>, onChange?: () => void): Followed<T>

  readonly trail: Trail

  /**
   * AUDIT-09: removes the entries up to one of them, for good, and appends the entries that say so, one behind the
   * other, in one commit. The chain goes on: what is left is bound to what was removed. When it rejects, nothing has
   * changed: the trail has no such entry, or does not begin with the entry `first`, since somebody else has pruned it.
   */
  prune(upTo: TrailHead, entries: readonly AuditEntry[], first?: number): Promise<void>

  /** False when so little room is left that the next records may not fit. Absent where nobody can tell. */
  hasRoom?(): boolean

  /** Names this opening of the store, so that what it leaves unfinished can be told from what others still work on. */
  readonly opener: string

  /** True when whoever opened the store under this name can no longer come back to its work. */
  isGone(opener: string): Promise<boolean>

  /** Afterwards every call is refused; closing twice is harmless. */
  close(): Promise<void>
}

export interface Followed<T> {
  /** Without a promise. Throws when the store cannot be read. */
  current(): T | undefined
  close(): void
}

/** Names one record; what it holds is known to the compiler alone. */
export interface RecordRef<T> {
  readonly kind: string
  readonly id: string
  readonly [holds]?: T
}
declare const holds: unique symbol

export function record<T>(kind: string, id: string): RecordRef<T> {
  return { kind, id }
}

export type RecordRefs = Readonly<Record<string, RecordRef<unknown>>>

/** From the records as they are to the records as they shall be, and an answer for the caller. */
export type Change<K extends RecordRefs, R> = (current: Current<K>) => Changed<K, R>

export type Current<K extends RecordRefs> = { readonly [N in keyof K]: Held<K[N]> | undefined }

export interface Changed<K extends RecordRefs, R> {
  /** A record named here is written, or removed by `undefined`; one that is not named stays as it is. */
  readonly next?: { readonly [N in keyof K]?: Held<K[N]> | undefined }
  readonly audit?: readonly AuditEntry[]
  readonly result: R
}

type Held<R> = R extends RecordRef<infer T> ? T : never

/** One record: the common case. */
export function updateRecord<T, R>(
  store: Store,
  ref: RecordRef<T>,
  change: (current: T | undefined) => { readonly next: T | undefined; readonly result: R },
): Promise<R> {
  return store.update({ it: ref }, ({ it }) => {
    const { next, result } = change(it as T | undefined)
    return { next: { it: next } as never, result } // the compiler cannot see through a generic `Held`
  })
}

export interface ListOptions {
  /** Only ids that begin so. */
  readonly prefix?: string
  /** Only ids that come after this one. */
  readonly after?: string
  /** At most so many, from the first id on. */
  readonly limit?: number
}

export interface StoredRecord<T> {
  readonly id: string
  readonly value: T
}

/** AUDIT-09: the audit entries in the order of their commits, each bound to its predecessor by a hash. */
export interface Trail {
  read(query?: TrailQuery): Promise<readonly TrailEntry[]>
  head(): Promise<TrailHead>
  /** What keeps a search from finding entries that are there, in a sentence; undefined when nothing does. */
  searchFault?(): Promise<string | undefined>
}

export interface TrailHead {
  /** 0 when nothing was ever written. */
  readonly seq: number
  readonly hash: string
}

export interface TrailEntry {
  /** Without gaps; 1 is the first that was ever written. */
  readonly seq: number
  readonly previous: string
  readonly hash: string
  readonly entry: AuditEntry
}

/** All conditions must hold. */
export interface TrailQuery {
  /** Newest first is the default. */
  readonly order?: 'oldest' | 'newest'
  readonly after?: number
  readonly before?: number
  readonly limit?: number
  readonly events?: readonly string[]
  readonly operation?: string
  readonly principal?: string
  readonly session?: string
  readonly adapter?: string
  readonly result?: string
  readonly level?: number
  /** ISO 8601, inclusive. */
  readonly from?: string
  readonly to?: string
  /** Found anywhere in the entry, case-insensitively for ASCII. */
  readonly text?: string
}
