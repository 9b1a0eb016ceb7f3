import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import type { Store } from '../core/ports/store.ts'
import { EXIT, messageOf, type Stop, stop } from './command.ts'
import { otherStore, type StoreUse, stateFolder, storePointer, storeUrl } from './state-folder.ts'
import { pointTo } from './store-pointer.ts'
import type { World } from './world.ts'

/** The store of the settings, or why it cannot be had. */
export async function openStateStore(
  config: Config,
  world: World,
  hint = '',
  use: StoreUse = 'operate',
): Promise<Store | Stop> {
  const { openStore } = await import('../store/open.ts')
  const url = storeUrl(config.store_url, world, use)
  try {
    const store = await openStore(url, { stateFolder: dirname(stateFolder(world)) })
    await tellReach(url, world)
    if (use === 'operate' && config.store_url === '') await tellOther(url, world)
    if (config.store_url === '') pointTo(url.slice('sqlite:'.length), storePointer(world), world)
    return store
  } catch (error) {
    return stop(EXIT.badUsage, `The store ${url} cannot be opened: ${messageOf(error)}`, hint)
  }
}

/** Whoever can put another store in its place decides with a secret of its own. */
async function tellReach(url: string, { platform, err }: World): Promise<void> {
  if (!url.startsWith('sqlite:') || process.getuid === undefined) return
  const { whoCanWrite } = await import('./who-can-write.ts')
  const account = { uid: process.getuid(), gid: process.getgid?.(), platform }
  const openings = whoCanWrite(url.slice('sqlite:'.length), account)
  if (openings.length === 0) return
  const { displayText } = await import('../core/display.ts')
  err(
    `Other accounts can replace the store, and then approve what they ask: ${openings.map((each) => displayText(each)).join('; ')}.`,
  )
}

/** What is decided or stopped in one store is not in another, where servers with less of the environment may be. */
async function tellOther(url: string, world: World): Promise<void> {
  const other = otherStore(url, world)
  if (other === undefined) return
  const { displayText } = await import('../core/display.ts')
  world.err(`Store: ${displayText(url)}. Servers of this account may use another one: --store ${displayText(other)}`)
}

/** Where a server may do without what it would have kept. */
export const WITHOUT_DISK = 'With --store memory: nothing is kept on disk'
