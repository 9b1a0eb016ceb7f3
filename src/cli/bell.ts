import type { Store } from '../core/ports/store.ts'
import { createLog } from './log.ts'
import type { World } from './world.ts'

/** A webhook that calls a human, and decides nothing. The secret that signs its calls stands in the environment. */
export interface BellSettings {
  readonly url: string
  readonly secretEnv: string
  /** Hosts in a private network that may be called all the same. */
  readonly allowedHosts?: readonly string[]
}

/** What is wrong with the settings, for the operator. */
export async function bellFault({ url, secretEnv }: BellSettings, { env }: World): Promise<string | undefined> {
  const { webhookFault } = await import('../channels/webhook.ts')
  const fault = webhookFault(url)
  if (fault !== undefined) return fault
  return (env[secretEnv] ?? '').length >= 16
    ? undefined
    : `needs a secret of 16 characters or more in the environment variable ${secretEnv}`
}

/** Rings for every question that reaches the store, with the way to the console; returns how to stop. */
export async function openBell(
  { url, secretEnv, allowedHosts = [] }: BellSettings,
  store: Store,
  link: string,
  world: World,
): Promise<() => void> {
  const { createWebhook } = await import('../channels/webhook.ts')
  const { createWatch } = await import('../core/operator/watch.ts')
  const { Secret } = await import('../core/ports/secret.ts')
  const { ringFor } = await import('./ring-bell.ts')
  const secret = new Secret(world.env[secretEnv] ?? '')
  const bell = createWebhook({ url, secret, allowedHosts, clock: { now: world.now }, log: createLog('warning', world) })
  const watch = createWatch(store)
  const stopRinging = ringFor(watch, store, bell, link)
  return () => {
    stopRinging()
    watch.close()
  }
}
