import type { Store } from '../ports/store.ts'

/** The same store; it tells of every change that it could not write. */
export function createDoubtingStore(store: Store, doubt: (cause: unknown) => void): Store {
  const update: Store['update'] = (refs, change) =>
    store.update(refs, change).catch((cause) => {
      doubt(cause)
      throw cause
    })
  return Object.assign(Object.create(store) as Store, { update })
}
