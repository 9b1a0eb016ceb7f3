import type { Store } from '../ports/store.ts'
import { isStoreFault } from '../ports/store-fault.ts'
import { blocksAgainst, grantsAgainst } from './compare-agents.ts'
import { clientsAgainst } from './compare-clients.ts'
import { operatorAgainst } from './compare-operator.ts'
import { requestsAgainst } from './compare-requests.ts'
import { trustAgainst } from './compare-trust.ts'
import { type Contradiction, readTold } from './read-told.ts'

export interface Compared {
  readonly contradictions: readonly Contradiction[]
  /** Those that a record of the store shows, and not the trail alone. */
  readonly ofStore: readonly Contradiction[]
  /** Present where records were removed by an earlier version, which noted nothing of how things stood. */
  readonly unknown?: {
    /** The last record of which nothing is known. */
    readonly to: number
    /** What the store has, and the trail may have told of until then. */
    readonly what: readonly string[]
  }
}

/** What a comparison of the store with the trail has found. */
export interface Difference extends Contradiction {
  /** The trail says nothing of it; where records were removed without a trace, it may have. */
  readonly isUntold?: true
}

/**
 * The chain shows that nobody changed an entry; this shows that the entries fit together and that the records which the
 * gate trusts fit the entries. No time that stands in the store excuses anything.
 */
export async function compareRecords(store: Store): Promise<Compared> {
  const first = await compareOnce(store)
  if (first.contradictions.length === 0) return first
  // Servers go on meanwhile: what they wrote between two reads is gone at the second look.
  const second = await compareOnce(store)
  const again = new Set(second.contradictions.map(keyOf))
  const isStill = (each: Contradiction) => again.has(keyOf(each))
  return { ...first, contradictions: first.contradictions.filter(isStill), ofStore: first.ofStore.filter(isStill) }
}

const COMPARISONS = [
  ['approvals', requestsAgainst],
  ['blocks', blocksAgainst],
  ['agents', grantsAgainst],
  ['clients', clientsAgainst],
  ['trust', trustAgainst],
  ['the operator', operatorAgainst],
] as const

/** What a record says can keep it from being compared. A store that cannot be read says nothing about its records. */
function misshapen(of: string) {
  return (cause: unknown): readonly Difference[] => {
    if (isStoreFault(cause)) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    return [{ what: `What the store has of ${of} cannot be compared: ${why}` }]
  }
}

function keyOf({ seq, what }: Contradiction): string {
  return `${seq} ${what}`
}

async function compareOnce(store: Store): Promise<Compared> {
  const told = await readTold(store.trail)
  const fault = await store.trail.searchFault?.()
  const differences: Difference[] = []
  for (const [of, compare] of COMPARISONS) differences.push(...(await compare(store, told).catch(misshapen(of))))
  const { unknownTo } = told
  const isExcused = ({ isUntold }: Difference) => unknownTo !== undefined && isUntold === true
  const ofStore = differences.filter((each) => !isExcused(each)).map(({ isUntold: _, ...each }) => each)
  return {
    contradictions: [...(fault === undefined ? [] : [{ what: fault }]), ...told.found, ...ofStore],
    ofStore,
    ...(unknownTo !== undefined && {
      unknown: { to: unknownTo, what: differences.filter(isExcused).map(({ what }) => what) },
    }),
  }
}
