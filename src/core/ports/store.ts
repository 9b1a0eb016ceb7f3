/**
 * Everything the runtime must remember across calls and restarts. Records are JSON values, known by kind and id.
 * There is no `set`: the only way to write is to say how the old value becomes the new one.
 */
export interface Store {
  get<T>(kind: string, id: string): Promise<T | undefined>

  /**
   * Applies `change` to one record as a single atomic step.
   * `change` must be pure: an implementation may run it again after a conflict.
   */
  update<T, R>(kind: string, id: string, change: Change<T, R>): Promise<R>

  /** The records of a kind, ordered by the code points of their ids. */
  list<T>(kind: string, options?: ListOptions): Promise<readonly StoredRecord<T>[]>

  /** Afterwards every call is refused; closing twice is harmless. */
  close(): Promise<void>
}

/** From the current record to the next one (`undefined` removes it) and an answer for the caller. */
export type Change<T, R> = (current: T | undefined) => { readonly next: T | undefined; readonly result: R }

export interface ListOptions {
  /** Only ids that begin so. */
  readonly prefix?: string
  /** At most so many, from the first id on. */
  readonly limit?: number
}

export interface StoredRecord<T> {
  readonly id: string
  readonly value: T
}
