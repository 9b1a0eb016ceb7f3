import type { Config } from '../../config.ts'
import type { SafetyPolicy } from '../../core/autonomy/read-safety-policy.ts'
import type { Reach } from '../../core/gatekeeper/demand.ts'
import type { ClientDirectory } from '../../core/operator/client-directory.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { SafetyMode } from '../../protocol/directive.ts'
import { approvalsLine, formClients } from '../approvers.ts'
import { openBell } from '../bell.ts'
import { EXIT, isStop, messageOf, type Stop, stop } from '../command.ts'
import { openBeside } from '../console-beside.ts'
import { createLog } from '../log.ts'
import { openAnchors } from '../open-anchors.ts'
import type { OpenedConsole } from '../open-console.ts'
import { runtimeOptions } from '../open-runtime.ts'
import { clientDirectory } from '../open-served.ts'
import { openStateStore, WITHOUT_DISK } from '../open-state-store.ts'
import { storeUrl } from '../state-folder.ts'
import type { World } from '../world.ts'
import { displayChannels } from './display-channels.ts'
import { ownPlaces } from './own-places.ts'
import { safetyAdapter } from './safety-adapter.ts'

export interface SafetyOrder {
  readonly config: Config
  readonly policy: SafetyPolicy
  readonly mode: Exclude<SafetyMode, 'disabled'>
  /** Where hooks are answered; null: nowhere. */
  readonly hookPort: number | null
  /** The files that the policy and the settings were read from. */
  readonly files?: readonly string[]
}

export interface OpenSafety {
  readonly runtime: Runtime
  readonly clients: ClientDirectory
  readonly console?: Pick<OpenedConsole, 'url' | 'plainUrl'>
  readonly hooks?: { readonly url: string; readonly key: string }
  /** SELF-10: every channel through which its questions can be approved. */
  readonly approvals: string
  close(): Promise<void>
}

/** The loop, the console beside it, the ear for hooks and the bell: everything but the MCP transport. */
export async function openSafety(order: SafetyOrder, world: World): Promise<OpenSafety | Stop> {
  const { config, policy } = order
  const store = await openStateStore(config, world, WITHOUT_DISK, 'serve')
  if (isStop(store)) return store
  const closers: (() => unknown)[] = [() => store.close()]
  const close = async () => {
    for (const end of closers.reverse().splice(0)) await end()
  }
  const place = storeUrl(config.store_url, world, 'serve')
  const hasConsole = config.console && place !== 'memory:'
  let reach: Reach = {
    channels: [...(place === 'memory:' ? [] : ['console', 'terminal']), ...(config.elicitation ? ['elicitation'] : [])],
  }
  try {
    const anchors = await openAnchors(store.trail, config, world)
    if (isStop(anchors)) {
      await close()
      return anchors
    }
    if (anchors) closers.push(anchors.close)
    const { createRuntime } = await import('../../core/runtime.ts')
    const log = createLog(config.log_level, world)
    const runtime = await createRuntime(safetyAdapter(), {
      ...runtimeOptions(config),
      store,
      clock: { now: world.now },
      log,
      profile: 'safety',
      reach: () => reach,
      safety: {
        mode: order.mode,
        autonomy: policy.autonomy,
        limits: { challengeMs: config.challenge_seconds * 1_000 },
        channels: await displayChannels(policy.channels, hasConsole, world),
      },
    })
    closers.push(() => runtime.close())
    const beside = hasConsole ? await openBeside({ store, runtimes: [runtime], place, config, log }, world) : undefined
    if (beside) {
      closers.push(() => beside.close())
      reach = { ...reach, consoleUrl: beside.plainUrl }
    }
    const { webhook } = policy.channels
    if (webhook) closers.push(await openBell(webhook, store, beside?.url ?? '', world))
    const hooks = order.hookPort === null ? undefined : await openHooks(order, store, () => reach, world)
    if (hooks) closers.push(() => hooks.close())
    return {
      runtime,
      clients: clientDirectory(store, config, world),
      ...(beside && { console: beside }),
      ...(hooks && { hooks: { url: hooks.url, key: hooks.key } }),
      approvals: approvalsLine(
        {
          config: { ...config, store_url: place },
          consoleUrl: config.http_port === null ? beside?.plainUrl : beside?.url,
          formClients: await formClients(store, world),
        },
        world.program,
      ),
      close,
    }
  } catch (error) {
    await close()
    return stop(EXIT.failed, `The safety server cannot start: ${messageOf(error)}`)
  }
}

/** The same lists and the same scorer as for what is reported (DONGLE-05). */
async function openHooks(
  { policy, hookPort, config, files = [] }: SafetyOrder,
  store: Store,
  reach: () => Reach,
  world: World,
) {
  const { serveHooks } = await import('../../serve/hook-endpoint.ts')
  const { openHookKey } = await import('../../core/hook/hook-key.ts')
  const { createJudge } = await import('../../core/hook/judge.ts')
  const { createAuditBuffer } = await import('../../core/audit/audit-buffer.ts')
  const { withDefaults } = await import('../../core/autonomy/settings.ts')
  const key = await openHookKey(store)
  const settings = withDefaults(policy.autonomy)
  const answered = new Set(config.http_port === null ? [] : [config.http_port])
  const ports = () => [...answered, ...portsOf(reach().consoleUrl)]
  const own = ownPlaces(storeUrl(config.store_url, world, 'serve'), files, world)
  const log = createLog(config.log_level, world)
  const clock = { now: world.now }
  const records = createAuditBuffer(store, clock, { log })
  const judge = await createJudge({ store, clock, settings, reach, ports, own, lost: records.doubt })
  try {
    const server = await serveHooks({ judge, key, port: hookPort ?? 0, log })
    answered.add(server.port)
    const close = () => server.close().finally(records.close)
    return { url: server.url, key: key.publicKey, close }
  } catch (error) {
    // Another safety server may answer there; hooks believe it only if it has the same key.
    world.err(`Hooks are not answered by this server: ${(error as Error).message}`)
    return undefined
  }
}

function portsOf(url = ''): readonly number[] {
  return URL.canParse(url) ? [Number(new URL(url).port)] : []
}
