import { dirname } from 'node:path'
import type { Desk } from './open-operator.ts'
import { stateFolder, storePointer } from './state-folder.ts'
import { pointedStore } from './store-pointer.ts'
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
  const path = isNamed ? undefined : pointedStore(storePointer(world))
  if (path === undefined || `sqlite:${path}` === place) return undefined
  const { openStore } = await import('../store/open.ts')
  const { createOperator } = await import('../core/operator/operator.ts')
  try {
    const store = await openStore(`sqlite:${path}`, { stateFolder: dirname(stateFolder(world)) })
    const operator = createOperator({ store, clock: { now: world.now } })
    try {
      const { open } = await operator.inbox()
      return open.length > 0 ? { store: `sqlite:${path}`, count: open.length } : undefined
    } finally {
      operator.close()
      await store.close()
    }
  } catch {
    return undefined // a store that cannot be read is told by whoever names it
  }
}
