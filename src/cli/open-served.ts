import type { Config } from '../config.ts'
import type { Reach } from '../core/gatekeeper/demand.ts'
import { type ClientDirectory, createClientDirectory } from '../core/operator/client-directory.ts'
import type { Store } from '../core/ports/store.ts'
import type { Runtime } from '../core/runtime.ts'
import type { ElicitationSettings } from '../serve/elicit.ts'
import { approvalsLine, formClients } from './approvers.ts'
import { bellFault, openBell } from './bell.ts'
import { EXIT, isStop, type Stop, stop } from './command.ts'
import { createLog } from './log.ts'
import { openAnchors } from './open-anchors.ts'
import { openRuntimes, reachOf } from './open-runtime.ts'
import { counted, plainLine } from './render.ts'
import type { Order } from './serve-sources.ts'
import { storeUrl } from './state-folder.ts'
import type { World } from './world.ts'

/** What a server serves, and the humans who can be reached while it does. */
export interface Served {
  readonly runtimes: readonly Runtime[]
  readonly elicitation: ElicitationSettings
  readonly clients: ClientDirectory
  /** What is allowed, and where the operator looks: for the greeting. */
  readonly about: string
  close(): Promise<void>
}

/** Store, runtimes, and the operator's console beside them. */
export async function openServed({ sources, config }: Order, world: World): Promise<Served | Stop> {
  const webhook = {
    url: config.webhook_url,
    secretEnv: config.webhook_secret_env,
    allowedHosts: config.webhook_allowed_hosts,
  }
  const fault = webhook.url === '' ? undefined : await bellFault(webhook, world)
  if (fault !== undefined) return stop(EXIT.badUsage, `'webhook_url' ${fault}`)
  let reach: Reach = reachOf(config)
  const opened = await openRuntimes(sources, config, world, () => reach)
  if (isStop(opened)) return opened
  const { runtimes, store } = opened
  const closers: (() => unknown)[] = [() => opened.close()] // the last one first
  const close = async () => {
    for (const end of closers.reverse().splice(0)) await end()
  }
  try {
    const anchors = await openAnchors(store.trail, config, world)
    if (isStop(anchors)) {
      await close()
      return anchors
    }
    if (anchors) opened.atEnd(anchors.close)
    const place = storeUrl(config.store_url, world, 'serve')
    const log = createLog(config.log_level, world)
    const beside =
      config.console && config.store_url !== 'memory:'
        ? await (await import('./console-beside.ts')).openBeside({ store, runtimes, place, config, log }, world)
        : undefined
    if (beside) {
      closers.push(() => beside.close())
      reach = { ...reach, consoleUrl: beside.plainUrl }
    }
    if (config.elicitation) reach = { ...reach, channels: [...reach.channels, 'elicitation'] }
    if (webhook.url !== '') closers.push(await openBell(webhook, store, beside?.url ?? '', world))
    if (config.policy_file !== '')
      closers.push((await import('./watch-policies.ts')).watchPolicies(config.policy_file, runtimes, world))

    return {
      runtimes,
      elicitation: {
        isOn: config.elicitation,
        allowsDangerous: config.elicit_dangerous,
        isOnlyChannel: config.store_url === 'memory:',
        ...(beside && { consoleUrl: beside.plainUrl.replace(/\/$/, '') }),
      },
      clients: clientDirectory(store, config, world),
      // On stdio a client reads along.
      about: [
        ...sourceLines(runtimes, world),
        approvalsLine(
          {
            config,
            consoleUrl: config.http_port === null ? beside?.plainUrl : beside?.url,
            formClients: await formClients(store, world),
          },
          world.program,
        ),
      ].join('\n'),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whom the operator has named; asked by whatever listens on HTTP. */
export function clientDirectory(store: Store, { log_level }: Pick<Config, 'log_level'>, world: World): ClientDirectory {
  const log = createLog(log_level, world)
  const report = (cause: unknown) =>
    log.write({ level: 'warning', message: `The last use of a client could not be noted: ${String(cause)}` })
  return createClientDirectory(store, { now: world.now }, report)
}

/** Decision 9: one line for each source on what is allowed. */
function sourceLines(runtimes: readonly Runtime[], world: World): readonly string[] {
  return runtimes.flatMap(({ adapter, standings, trust }) => {
    const count = (permission: string) => standings.filter((each) => each === permission).length
    const denied = count('deny')
    const name = adapter.displayName ?? adapter.name
    const drift = trust.drift.length
    return [
      `${name} (trust ${trust.level}): ${counted(count('allow'), 'operation runs', 'operations run')}, ${counted(count('confirm'), 'asks', 'ask')} a human${denied > 0 ? `, ${counted(denied, 'is', 'are')} refused` : ''}.`,
      ...(trust.from === 'default' || trust.from === 'program' ? [] : [`  Trust: ${plainLine(trust.text)}.`]),
      ...(drift > 0
        ? [
            `  ${counted(drift, 'operation is', 'operations are')} not as trusted: ${world.program} trust ${adapter.name}`,
          ]
        : []),
    ]
  })
}
