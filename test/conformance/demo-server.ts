import { openTracker } from '../../examples/tracker/adapter.ts'
import { tokenRef } from '../../src/core/audit/token-ref.ts'
import { createRuntime } from '../../src/core/runtime.ts'
import type { EndpointMode } from '../../src/protocol/endpoints.ts'
import { serveHttp } from '../../src/serve/http.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { decide } from '../approve.ts'

export interface DemoServer {
  readonly url: string
  /** An operator who says yes. */
  readonly approve: (token: string) => Promise<boolean>
  close(): Promise<void>
}

/** The demo in this process, on a store and a database of its own. */
export async function serveDemo(mode: EndpointMode, include?: readonly string[]): Promise<DemoServer> {
  const tracker = openTracker(':memory:')
  const runtime = await createRuntime(tracker.adapter, {
    store: createMemoryStore(),
    clock: { now: Date.now },
    mode,
    ...(include && { include }),
  })
  const server = await serveHttp([runtime], { version: '0.1.0', graceMs: 50 })
  return {
    url: server.url,
    approve: async (token) => (await decide(runtime, tokenRef(token))).kind === 'decided',
    async close() {
      await server.close()
      await runtime.close()
    },
  }
}
