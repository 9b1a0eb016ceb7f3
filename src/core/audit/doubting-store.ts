import type { AuditEvent } from '../../protocol/audit.ts'
import type { Store } from '../ports/store.ts'
import type { AuditEntry } from './entry.ts'

/** The same store; it tells of every change that it could not write, and which entries of the trail were in it. */
export function createDoubtingStore(
  store: Store,
  doubt: (cause: unknown, entries: readonly AuditEntry[]) => void,
): Store {
  const update: Store['update'] = (refs, change) => {
    let audit: readonly AuditEntry[] = []
    const noting: typeof change = (current) => {
      const changed = change(current)
      audit = changed.audit ?? []
      return changed
    }
    return store.update(refs, noting).catch((cause) => {
      doubt(
        cause,
        audit.filter(({ event }) => !TRIED_AGAIN.has(event)),
      )
      throw cause
    })
  }
  return Object.assign(Object.create(store) as Store, { update })
}

/** What an effect has left is written again and again until it is stored. */
const TRIED_AGAIN: ReadonlySet<AuditEvent> = new Set(['OPERATION_OUTCOME', 'QUOTA_PAUSED', 'QUOTA_EXHAUSTED'])
