import { type RecordRef, record, type Store } from '../ports/store.ts'

/** Where a console of this store listens, so that `mcpaql console` need not start a second one. */
export interface ConsoleRecord {
  /** With the name of this start, which counts for nothing once that is over. */
  readonly url: string
  /** Whoever opened the store for it; when that is gone, so is the console. */
  readonly opener: string
  readonly startedAt: number
}

export async function publishConsole(store: Store, url: string, startedAt: number): Promise<void> {
  const refs = { it: consoleRef(store.opener) }
  await store.update(refs, () => ({ next: { it: { url, opener: store.opener, startedAt } }, result: undefined }))
}

export async function withdrawConsole(store: Store): Promise<void> {
  await store.update({ it: consoleRef(store.opener) }, () => ({ next: { it: undefined }, result: undefined }))
}

/** The newest that still runs. */
export async function findConsole(store: Store): Promise<ConsoleRecord | undefined> {
  const known = (await store.list<ConsoleRecord>('console')).map(({ value }) => value)
  for (const each of known.sort((a, b) => b.startedAt - a.startedAt)) {
    if (!(await store.isGone(each.opener))) return each
  }
  return undefined
}

function consoleRef(opener: string): RecordRef<ConsoleRecord> {
  return record('console', opener)
}
