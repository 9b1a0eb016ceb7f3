import type { Config } from '../config.ts'
import type { AutonomyOverrides } from '../core/autonomy/settings.ts'
import type { Reach } from '../core/gatekeeper/demand.ts'
import type { PolicyRecord } from '../core/gatekeeper/policies.ts'
import type { Store } from '../core/ports/store.ts'
import type { AdapterDefinition } from '../core/registry/adapter.ts'
import type { Runtime, RuntimeOptions } from '../core/runtime.ts'
import { EXIT, isStop, messageOf, type Stop, stop } from './command.ts'
import { gateOptions } from './gate-options.ts'
import { idleGlob } from './idle-glob.ts'
import { createLog } from './log.ts'
import { openStateStore, WITHOUT_DISK } from './open-state-store.ts'
import type { LocalSource } from './source.ts'
import { demoPath } from './state-folder.ts'
import type { World } from './world.ts'

/** Runtimes side by side on one store. */
export interface Opened {
  readonly runtimes: readonly Runtime[]
  readonly store: Store
  /** What is done when the last record has been written, before the store is closed. */
  atEnd(work: () => Promise<void>): void
  close(): Promise<void>
}

/** How a human can be reached by whoever serves; a one-off call reaches nobody but the operator's terminal. */
export type ReachOf = () => Reach

/** Store, adapters, runtimes: everything that answers, and nothing that listens. */
export async function openRuntimes(
  sources: readonly LocalSource[],
  config: Config,
  world: World,
  reach: ReachOf = () => reachOf(config),
  prepare?: (store: Store) => Promise<unknown>,
): Promise<Opened | Stop> {
  const policies = await policiesOf(config, world)
  if (isStop(policies)) return policies
  const store = await openStateStore(config, world, WITHOUT_DISK, 'serve')
  if (isStop(store)) return store
  await prepare?.(store)
  const closers: (() => unknown)[] = [() => store.close()] // the last one first
  const atEnd: Opened['atEnd'] = (work) => void closers.splice(1, 0, work)
  const close = async () => {
    for (const end of closers.reverse().splice(0)) await end()
  }
  const runtimes: Runtime[] = []
  for (const source of sources) {
    const runtime = await openRuntime(source, store, config, world, { policies, reach })
    if (isStop(runtime)) {
      await close()
      return runtime
    }
    closers.push(() => runtime.close())
    runtimes.push(runtime)
  }
  const clash = collision(runtimes) ?? idleGlob(config, runtimes)
  if (clash) await close()
  return clash ?? { runtimes, store, atEnd, close }
}

/** What the runtime needs of the settings. */
export function runtimeOptions(config: Config): Omit<RuntimeOptions, 'store' | 'clock' | 'log'> {
  return {
    mode: config.endpoint_mode,
    profile: config.endpoint_profile,
    ...(config.tool_names && { toolNames: config.tool_names }),
    ...(config.tool_prefix && { toolPrefix: config.tool_prefix }),
    limits: {
      max_request_size: config.max_request_size,
      max_response_size: config.max_response_size,
      max_string_length: config.max_string_length,
      max_array_elements: config.max_array_elements,
      max_nesting_depth: config.max_nesting_depth,
    },
    maxBatch: config.max_batch,
    batch: config.batch,
    readOnly: config.read_only,
    ...gateOptions(config),
    ...(config.include.length > 0 && { include: config.include }),
    ...(config.exclude.length > 0 && { exclude: config.exclude }),
    timeoutMs: config.timeout_ms,
    listPage: config.list_page_size,
    slowMs: config.slow_ms,
    strict: config.strict_mode,
    maxPageSize: config.max_page_size,
    restTtlMs: config.rest_ttl_seconds * 1_000,
  }
}

/** What another process can do for this store: nothing for one that lives in memory. */
export function reachOf(config: Config): Reach {
  return { channels: config.store_url === 'memory:' ? [] : ['console', 'terminal'] }
}

async function policiesOf({ policy_file }: Config, world: World): Promise<readonly PolicyRecord[] | Stop> {
  if (policy_file === '') return []
  const { readPolicyFile } = await import('./read-policy-file.ts')
  return readPolicyFile(policy_file, world)
}

interface Human {
  readonly policies: readonly PolicyRecord[]
  readonly reach: ReachOf
}

async function openRuntime(
  source: LocalSource,
  store: Store,
  config: Config,
  world: World,
  human: Human,
): Promise<Runtime | Stop> {
  const adapter = await openAdapter(source, config, world)
  if (isStop(adapter)) return adapter
  const { createRuntime } = await import('../core/runtime.ts')
  try {
    const log = createLog(config.log_level, world)
    const safety = await safetyOf(config, world)
    return await createRuntime(adapter, {
      store,
      clock: { now: world.now },
      log,
      ...runtimeOptions(config),
      ...human,
      ...safety,
    })
  } catch (error) {
    // A definition or a setting that does not fit; the message says which (VAL-09, MODE-03).
    await adapter.close?.()
    return stop(EXIT.badUsage, `${nameOf(source)} cannot be served: ${messageOf(error)}`)
  }
}

/** LOOP-07, OOB-05: codes are shown by a dialog of the desktop and by the console. */
async function safetyOf(config: Config, world: World): Promise<Pick<RuntimeOptions, 'safety'>> {
  if (config.safety_loop === 'disabled') return {}
  const { displayChannels } = await import('./safety/display-channels.ts')
  const channels = await displayChannels({}, config.console && config.store_url !== 'memory:', world)
  return {
    safety: {
      mode: config.safety_loop,
      scope: config.safety_loop_scope,
      channels,
      autonomy: autonomyOf(config),
      limits: { challengeMs: config.challenge_seconds * 1_000 },
    },
  }
}

/** AUTO-15: an empty list stands for the built-in one. */
function autonomyOf(config: Config): AutonomyOverrides {
  const { loop_deny, loop_requires_approval, loop_auto_approve } = config
  return {
    maxAutonomousSteps: config.loop_max_steps,
    riskTolerance: config.loop_risk_tolerance,
    ...(loop_deny.length > 0 && { deny: loop_deny }),
    ...(loop_requires_approval.length > 0 && { requiresApproval: loop_requires_approval }),
    ...(loop_auto_approve.length > 0 && { autoApprove: loop_auto_approve }),
  }
}

async function openAdapter(source: LocalSource, config: Config, world: World): Promise<AdapterDefinition | Stop> {
  if (source.kind === 'module') {
    const { loadModule } = await import('./load-module.ts')
    return loadModule(source.path, world)
  }
  const { openTracker } = await import('../../examples/tracker/index.ts')
  try {
    return openTracker(demoPath(config.store_url, world) ?? ':memory:').adapter
  } catch (error) {
    return stop(
      EXIT.failed,
      `The demo's database cannot be opened: ${messageOf(error)}`,
      'With --store memory: it needs no disk',
    )
  }
}

/** MULTI-01. */
function collision(runtimes: readonly Runtime[]): Stop | undefined {
  const owners = new Map<string, string>()
  for (const { adapter, tools } of runtimes) {
    for (const { name } of tools) {
      const other = owners.get(name)
      if (other !== undefined) {
        return stop(
          EXIT.badUsage,
          `The adapters ${other} and ${adapter.name} would both offer the tool ${name}`,
          'Tool names must differ: give the adapters different names, or use {adapter} in --tool-names; a tool prefix fits one adapter only',
        )
      }
      owners.set(name, adapter.name)
    }
  }
  return undefined
}

function nameOf(source: LocalSource): string {
  return source.kind === 'demo' ? 'The demo' : source.path
}
