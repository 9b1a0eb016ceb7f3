import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import type { Trail } from '../core/ports/store.ts'
import { EXIT, isStop, messageOf, type Stop, stop } from './command.ts'
import { readConfig } from './read-config.ts'
import { stateFolder, storeUrl } from './state-folder.ts'
import type { World } from './world.ts'

/** Opens the trail of the store that the servers of this account use, and closes it when `work` is done. */
export async function withTrail(
  values: Readonly<Record<string, unknown>>,
  world: World,
  work: (trail: Trail, config: Config) => Promise<number | Stop>,
): Promise<number | Stop> {
  const config = await readConfig(values, world)
  if (isStop(config)) return config
  const url = storeUrl(config.store_url, world)
  const hindrance = unreachable(url)
  if (hindrance) return hindrance
  const { openStore } = await import('../store/open.ts')
  try {
    const store = await openStore(url, { stateFolder: dirname(stateFolder(world)) })
    try {
      return await work(store.trail, config)
    } finally {
      await store.close()
    }
  } catch (error) {
    return stop(EXIT.failed, messageOf(error))
  }
}

/** Looking at a trail must not make one. */
function unreachable(url: string): Stop | undefined {
  if (url === 'memory:') {
    return stop(
      EXIT.badUsage,
      'A store in memory cannot be reached from another process',
      'Name the store of the server: --store sqlite:PATH',
    )
  }
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
  if (file === undefined || existsSync(file)) return undefined
  return stop(EXIT.failed, `There is no store at ${file}`, 'Name the store of the server: --store sqlite:PATH')
}
