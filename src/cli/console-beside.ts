import type { Config } from '../config.ts'
import type { Log } from '../core/ports/log.ts'
import type { Store } from '../core/ports/store.ts'
import type { Runtime } from '../core/runtime.ts'
import { messageOf } from './command.ts'
import type { OpenedConsole } from './open-console.ts'
import type { World } from './world.ts'

export interface BesideParts {
  readonly store: Store
  readonly runtimes: readonly Runtime[]
  /** The store's address. */
  readonly place: string
  readonly config: Config
  readonly log: Log
}

/** A port in use is no reason not to serve: another server's console may have it, and `mcpaql console` opens one. */
export async function openBeside(
  { store, runtimes, place, config, log }: BesideParts,
  world: World,
): Promise<OpenedConsole | undefined> {
  const { openOperatorConsole } = await import('./open-console.ts')
  const { createOperatorAccount } = await import('../core/operator/operator-account.ts')
  const clock = { now: world.now }
  const account = createOperatorAccount({ store, clock })
  const onError = (error: unknown) => log.write({ level: 'error', message: `The console failed: ${String(error)}` })
  try {
    return await openOperatorConsole({
      store,
      clock,
      account,
      place,
      config,
      port: config.console_port,
      onError,
      runtimes,
    })
  } catch (error) {
    const why = messageOf(error)
    world.err(`No console beside this server: ${why}. ${world.program} console opens one, or set another console_port.`)
    return undefined
  }
}
