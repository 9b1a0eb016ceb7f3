import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import type { Store } from '../core/ports/store.ts'
import { EXIT, messageOf, type Stop, stop } from './command.ts'
import { stateFolder, storeUrl } from './state-folder.ts'
import type { World } from './world.ts'

/** The store of the settings, or why it cannot be had. */
export async function openStateStore(config: Config, world: World, hint = ''): Promise<Store | Stop> {
  const { openStore } = await import('../store/open.ts')
  const url = storeUrl(config.store_url, world)
  try {
    return await openStore(url, { stateFolder: dirname(stateFolder(world)) })
  } catch (error) {
    return stop(EXIT.badUsage, `The store ${url} cannot be opened: ${messageOf(error)}`, hint)
  }
}

/** Where a server may do without what it would have kept. */
export const WITHOUT_DISK = 'With --store memory: nothing is kept on disk'
