import type { Config } from '../config.ts'
import type { Log } from '../core/ports/log.ts'
import type { Store } from '../core/ports/store.ts'
import type { Runtime } from '../core/runtime.ts'
import type { World } from './world.ts'

export interface BesideParts {
  readonly store: Store
  readonly runtimes: readonly Runtime[]
  /** The store's address. */
  readonly place: string
  readonly config: Config
  readonly log: Log
}

/** SELF-08: the console of a running server, on its own port. It prints no link; `mcpaql console` does, on a terminal. */
export async function openBeside(
  { store, runtimes, place, config, log }: BesideParts,
  world: World,
): Promise<{ readonly url: string; close(): Promise<void> } | undefined> {
  const { openConsole } = await import('../serve/console/server.ts')
  const { createOperator } = await import('../core/operator/operator.ts')
  const { createOperatorAccount } = await import('../core/operator/operator-account.ts')
  const { publishConsole, withdrawConsole } = await import('../core/operator/console-record.ts')
  const { isFailure } = await import('../protocol/result.ts')
  const { osSeparation } = await import('./os-separation.ts')
  const { readAnchors } = await import('./audit-anchor.ts')
  const { version } = await import('./version.ts')
  const clock = { now: world.now }
  const { audit_anchor: anchor } = config
  const operator = createOperator({
    store,
    clock,
    version: version(),
    storeName: { kind: 'SQLite', place: place.replace(/^sqlite:/, '') },
    separation: async () => osSeparation(place),
    rules: { elicitC2: config.elicit_dangerous, twoPerson: config.two_person },
    ...(anchor !== '' && { anchors: () => readAnchors(anchor), anchorPlace: anchor }),
    async explain(source, operation, params) {
      const runtime = runtimes.find(({ adapter }) => adapter.name === source)
      const explained = runtime?.explain(operation, (params ?? {}) as Readonly<Record<string, unknown>>)
      if (!explained) return { kind: 'refused', why: `no source ${source} is served here` }
      if (isFailure(explained)) return { kind: 'refused', why: explained.error.message }
      return { kind: 'explained', decision: explained.decision, trace: explained.trace }
    },
  })
  try {
    const opened = await openConsole({
      operator,
      account: createOperatorAccount({ store, clock }),
      port: config.console_port,
      onError: (error) => log.write({ level: 'error', message: `The console failed: ${String(error)}` }),
    })
    await publishConsole(store, opened.url, clock.now())
    return {
      url: opened.url,
      async close() {
        await opened.close()
        operator.close()
        await withdrawConsole(store)
      },
    }
  } catch (error) {
    operator.close()
    const why = error instanceof Error ? error.message : String(error)
    log.write({ level: 'warning', message: `No console beside this server: ${why}. mcpaql console opens one` })
    return undefined
  }
}
