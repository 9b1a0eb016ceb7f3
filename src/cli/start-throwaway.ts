import type { Config } from '../config.ts'
import { isStop, type Stop } from './command.ts'
import type { LocalSource } from './source.ts'
import type { World } from './world.ts'

/** A server for a source on a store that nobody else sees and that ends with it. */
export async function startThrowaway(
  source: LocalSource,
  config: Config,
  world: World,
): Promise<{ readonly url: string; close(): Promise<void> } | Stop> {
  const { openRuntimes } = await import('./open-runtime.ts')
  const { serveHttp } = await import('../serve/http.ts')
  const { version } = await import('./version.ts')
  const opened = await openRuntimes([source], { ...config, store_url: 'memory:' }, world)
  if (isStop(opened)) return opened
  const server = await serveHttp(opened.runtimes, { version: version(), graceMs: 500 })
  return {
    url: server.url,
    async close() {
      await server.close()
      await opened.close()
    },
  }
}
