import { EXIT, isStop, type Stop } from '../command.ts'
import { createLog } from '../log.ts'
import { refusedAddress } from '../refused-address.ts'
import { version } from '../version.ts'
import type { World } from '../world.ts'
import { type OpenSafety, openSafety, type SafetyOrder } from './open-safety.ts'

/** Until the input ends or somebody interrupts. */
export async function serveSafety(
  order: SafetyOrder & { readonly json: boolean },
  world: World,
): Promise<number | Stop> {
  const opened = await openSafety(order, world)
  if (isStop(opened)) return opened
  try {
    const { http_port: port } = order.config
    return await (port === null ? overStdio(order, opened, world) : overHttp(order, port, opened, world))
  } finally {
    await opened.close()
  }
}

async function overStdio({ config }: SafetyOrder, opened: OpenSafety, world: World): Promise<number> {
  const { serveStdio } = await import('../../serve/stdio.ts')
  const log = createLog(config.log_level, world)
  const { stdin: input, stdout: output } = world
  const served = serveStdio([opened.runtime], {
    input,
    output,
    version: version(),
    log,
    elicitation: askedBy(config, opened),
  })
  // A client reads along.
  world.err(greeting('on stdio', opened, opened.console?.plainUrl, world))
  await Promise.race([served.closed, interruption(world)])
  await served.close()
  return EXIT.ok
}

async function overHttp(
  { config, json }: SafetyOrder & { readonly json: boolean },
  port: number,
  opened: OpenSafety,
  world: World,
): Promise<number | Stop> {
  const { serveHttp } = await import('../../serve/http.ts')
  const server = await serveHttp([opened.runtime], {
    version: version(),
    host: config.http_host,
    port,
    hosts: config.http_allowed_hosts,
    origins: config.http_allowed_origins,
    clients: opened.clients,
    requireClient: config.require_client,
    maxSessions: config.http_max_sessions,
    idleMs: config.http_session_idle_seconds * 1_000,
    log: createLog(config.log_level, world),
    elicitation: askedBy(config, opened),
  }).catch((error: unknown) => refusedAddress(error, port))
  if (isStop(server)) return server
  const tools = opened.runtime.tools.map(({ name }) => name)
  const { hooks } = opened
  const consoleUrl = opened.console?.url
  if (json)
    world.out(JSON.stringify({ url: server.url, tools, ...(hooks && { hooks }), ...(consoleUrl && { consoleUrl }) }))
  world.err(greeting(`at ${server.url}`, opened, consoleUrl, world))
  await interruption(world)
  await server.close()
  return EXIT.ok
}

function askedBy(config: SafetyOrder['config'], { console: opened }: OpenSafety) {
  return {
    isOn: config.elicitation,
    allowsDangerous: config.elicit_dangerous,
    ...(opened && { consoleUrl: opened.plainUrl.replace(/\/$/, '') }),
  }
}

/** DONGLE-07, SELF-08: what it can do and what not; no secret and no link that logs in. */
function greeting(
  where: string,
  { runtime, hooks, approvals }: OpenSafety,
  consoleUrl: string | undefined,
  { program }: World,
): string {
  return [
    `The safety server judges what agents report, ${where} (${runtime.operations} operations, ${runtime.tools.length} tools).`,
    'Reporting is cooperative: an action that is not reported cannot be stopped here.',
    ...(hooks
      ? [
          `Clients with hooks need not be trusted to report: ${program} hook install claude --key ${hooks.key} --port ${new URL(hooks.url).port}`,
          `Hooks are answered at ${hooks.url}`,
        ]
      : []),
    approvals,
    ...(consoleUrl ? [`Verification codes: ${program} console (${consoleUrl})`] : []),
  ].join('\n')
}

function interruption({ interrupted }: World): Promise<void> {
  if (interrupted.aborted) return Promise.resolve()
  return new Promise((resolve) => interrupted.addEventListener('abort', () => resolve(), { once: true }))
}
