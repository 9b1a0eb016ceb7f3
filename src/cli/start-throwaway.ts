import type { Config } from '../config.ts'
import { isStop, type Stop } from './command.ts'
import type { LocalSource } from './source.ts'
import type { World } from './world.ts'

export interface Throwaway {
  readonly url: string
  /** Whoever starts it is its operator: a yes to what a token stands for, and whether it counted. */
  readonly approve: (token: string) => Promise<boolean>
  close(): Promise<void>
}

/** A server for a source on a store that nobody else sees and that ends with it. */
export async function startThrowaway(source: LocalSource, config: Config, world: World): Promise<Throwaway | Stop> {
  const { openRuntimes } = await import('./open-runtime.ts')
  const { serveHttp } = await import('../serve/http.ts')
  const { humanDecision } = await import('../core/ports/human.ts')
  const { tokenRef } = await import('../core/audit/token-ref.ts')
  const { version } = await import('./version.ts')
  const reach = () => ({ channels: ['terminal'] }) // whoever starts it decides, as `approve` below
  const opened = await openRuntimes([source], { ...config, store_url: 'memory:' }, world, reach)
  if (isStop(opened)) return opened
  const server = await serveHttp(opened.runtimes, { version: version(), graceMs: 500 })
  return {
    url: server.url,
    async approve(token) {
      const by = { subject: 'operator', channel: 'terminal', role: 'admin', authenticatedAt: world.now() } as const
      for (const runtime of opened.runtimes) {
        const { kind } = await runtime.decide(tokenRef(token), humanDecision({ decision: 'approve', by }))
        if (kind === 'decided') return true
      }
      return false
    },
    async close() {
      await server.close()
      await opened.close()
    },
  }
}
