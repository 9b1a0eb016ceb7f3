import { dirname } from 'node:path'
import type { Desk } from './open-operator.ts'
import { otherStore, stateFolder } from './state-folder.ts'
import type { World } from './world.ts'

/** Requests in a store that this command did not read. */
export interface Elsewhere {
  readonly store: string
  readonly count: number
}

/**
 * A server whose client stripped its environment may use the store at the pointer while the operator's environment
 * leads to another. Says what waits there, unless the operator has named a store.
 */
export async function waitingElsewhere(
  { place, isNamed }: Pick<Desk, 'place' | 'isNamed'>,
  world: World,
): Promise<Elsewhere | undefined> {
  const other = isNamed ? undefined : otherStore(place, world)
  if (other === undefined) return undefined
  const { openStore } = await import('../store/open.ts')
  const { createOperator } = await import('../core/operator/operator.ts')
  try {
    const store = await openStore(other, { stateFolder: dirname(stateFolder(world)) })
    const operator = createOperator({ store, clock: { now: world.now } })
    try {
      const { open } = await operator.inbox()
      return open.length > 0 ? { store: other, count: open.length } : undefined
    } finally {
      operator.close()
      await store.close()
    }
  } catch {
    return undefined // a store that cannot be read is told by whoever names it
  }
}
