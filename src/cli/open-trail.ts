import { statSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Store, Trail } from '../core/ports/store.ts'
import { EXIT, isStop, messageOf, type Stop, stop } from './command.ts'
import { openStateStore } from './open-state-store.ts'
import { readConfig } from './read-config.ts'
import { storeUrl } from './state-folder.ts'
import type { World } from './world.ts'

/** Opens the trail of the store that the servers of this account use, and closes it when `work` is done. */
export async function withTrail(
  values: Readonly<Record<string, unknown>>,
  world: World,
  work: (trail: Trail, config: Config, store: Store) => Promise<number | Stop>,
): Promise<number | Stop> {
  const config = await readConfig(values, world, {}, 'operate')
  if (isStop(config)) return config
  const url = storeUrl(config.store_url, world)
  const hindrance = unreachable(url)
  if (hindrance) return hindrance
  const store = await openStateStore(config, world, WHICH_STORE)
  if (isStop(store)) return store
  try {
    return await work(store.trail, config, store)
  } catch (error) {
    return stop(EXIT.failed, messageOf(error))
  } finally {
    await store.close()
  }
}

const WHICH_STORE = 'Name the store of the server: --store sqlite:PATH'

/** Looking at a trail must not make one. */
function unreachable(url: string): Stop | undefined {
  if (url === 'memory:') {
    return stop(EXIT.badUsage, 'A store in memory cannot be reached from another process', WHICH_STORE)
  }
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
  const fault = file === undefined ? undefined : faultOf(file)
  if (fault === undefined) return undefined
  return stop(EXIT.badUsage, `${fault} ${file}`, WHICH_STORE)
}

/** A folder of another account hides whether there is a store in it. */
function faultOf(file: string): string | undefined {
  try {
    statSync(file)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EACCES' ? 'This account may not look at' : 'There is no store at'
  }
}
