import type { AuditEntry } from '../audit/entry.ts'
import type { Store, TrailEntry } from '../ports/store.ts'

export interface UnknownOutcome {
  readonly seq: number
  readonly at: string
  readonly operation: string
  readonly adapter: string
  readonly principal: string
}

/** Effects that may or may not have happened before a crash, and that no operator has looked into yet. */
export interface UnknownOutcomes {
  list(): Promise<readonly UnknownOutcome[]>
}

/** Reads the trail once and afterwards only what is new. */
export function createUnknownOutcomes(store: Store): UnknownOutcomes {
  const open = new Map<number, UnknownOutcome>()
  let readTo = 0
  let running: Promise<void> | undefined

  const catchUp = async () => {
    for (;;) {
      const entries = await store.trail.read({ order: 'oldest', after: readTo, events: EVENTS, limit: PAGE })
      for (const { seq, entry } of entries) {
        readTo = seq
        if (entry.event === 'OUTCOME_FINDING') open.delete(Number(entry.finding_for))
        else if (isUnknown(entry)) open.set(seq, outcomeOf({ seq, entry }))
      }
      if (entries.length < PAGE) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    async list() {
      running ??= catchUp().finally(() => {
        running = undefined
      })
      await running
      return [...open.values()]
    },
  }
}

export function isUnknown({ event, outcome }: AuditEntry): boolean {
  return event === 'OPERATION_OUTCOME' && outcome === 'unknown'
}

const EVENTS = ['OPERATION_OUTCOME', 'OUTCOME_FINDING']
const PAGE = 500

function outcomeOf({ seq, entry }: Pick<TrailEntry, 'seq' | 'entry'>): UnknownOutcome {
  const { timestamp, operation = '', adapter_name = '', user_id = '' } = entry
  return { seq, at: timestamp, operation, adapter: adapter_name, principal: user_id }
}
