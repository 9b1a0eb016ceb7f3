import type { AuditEntry } from '../../src/core/audit/entry.ts'
import type { Change, RecordRef, RecordRefs, Store } from '../../src/core/ports/store.ts'

/** Sees everything that is written, before it is. */
export interface Watcher {
  record(ref: RecordRef<unknown>, value: unknown): void
  entry(entry: AuditEntry): void
}

/** A store that can go back to where it was, so that sequences share what they have in common. It keeps no trail. */
export interface BranchingStore extends Store {
  mark(): Mark
  back(mark: Mark): void
}

export interface Mark {
  readonly records: ReadonlyMap<string, unknown>
}

export function createBranchingStore(watcher: Watcher): BranchingStore {
  let records: ReadonlyMap<string, unknown> = new Map()
  const keyOf = ({ kind, id }: RecordRef<unknown>) => `${kind} ${id}`
  const read = (ref: RecordRef<unknown>) => records.get(keyOf(ref))

  return {
    opener: 'here',
    isGone: async (opener) => opener !== 'here',
    mark: () => ({ records }),
    back(mark) {
      records = mark.records
    },

    async get<T>(ref: RecordRef<T>) {
      return read(ref) as T | undefined
    },

    async update<K extends RecordRefs, R>(refs: K, change: Change<K, R>) {
      const current = Object.fromEntries(Object.entries(refs).map(([name, ref]) => [name, read(ref)]))
      const { next = {}, audit = [], result } = change(current as Parameters<typeof change>[0])
      const changes = Object.entries(next)
      if (changes.length > 0) {
        const copy = new Map(records)
        for (const [name, value] of changes) {
          const ref = refs[name] as RecordRef<unknown>
          watcher.record(ref, value)
          if (value === undefined) copy.delete(keyOf(ref))
          else copy.set(keyOf(ref), value)
        }
        records = copy
      }
      for (const entry of audit) watcher.entry(entry)
      return result
    },

    async list<T>(kind: string) {
      const start = `${kind} `
      const found = [...records].filter(([key]) => key.startsWith(start))
      return found.map(([key, value]) => ({ id: key.slice(start.length), value: value as T }))
    },

    follow: <T>(ref: RecordRef<T>) => ({ current: () => read(ref) as T | undefined, close: () => {} }),
    prune: () => Promise.reject(new Error('nothing is pruned here')),
    trail: { read: async () => [], head: async () => ({ seq: 0, hash: '0'.repeat(64) }) },
    close: async () => {},
  }
}

/** A real store, seen through the same eyes. */
export function watched(store: Store, watcher: Watcher): Store {
  return {
    ...store,
    update: (refs, change) =>
      store.update(refs, (current) => {
        const changed = change(current)
        for (const [name, value] of Object.entries(changed.next ?? {}))
          watcher.record(refs[name] as RecordRef<unknown>, value)
        for (const entry of changed.audit ?? []) watcher.entry(entry)
        return changed
      }),
  }
}
