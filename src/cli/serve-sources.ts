import type { Config } from '../config.ts'
import type { Runtime } from '../core/runtime.ts'
import { EXIT, isStop, type Stop } from './command.ts'
import { createLog } from './log.ts'
import { openServed } from './open-served.ts'
import { refusedAddress } from './refused-address.ts'
import { counted } from './render.ts'
import type { LocalSource } from './source.ts'
import { version } from './version.ts'
import type { World } from './world.ts'

export interface Order {
  readonly sources: readonly LocalSource[]
  /** The sources as they were written. */
  readonly names: readonly string[]
  readonly config: Config
  readonly json: boolean
  /** What the operator calls the process; on stdio only. */
  readonly label?: string
}

/** Until the input ends or somebody interrupts. */
export async function serveOverStdio(order: Order, world: World): Promise<number | Stop> {
  const { serveStdio } = await import('../serve/stdio.ts')
  const served = await openServed(order, world)
  if (isStop(served)) return served
  const { runtimes } = served
  const log = createLog(order.config.log_level, world)
  const server = serveStdio(runtimes, {
    input: world.stdin,
    output: world.stdout,
    version: version(),
    log,
    elicitation: served.elicitation,
    ...(order.label !== undefined && { label: order.label }),
  })
  world.err(stdioGreeting(runtimes, order, world))
  world.err(served.about)
  await Promise.race([server.closed, interruption(world)])
  await server.close()
  await served.close()
  return EXIT.ok
}

/** Until somebody interrupts; what is in flight is answered first. */
export async function serveOverHttp(order: Order, port: number, world: World): Promise<number | Stop> {
  const { checkHost, serveHttp } = await import('../serve/http.ts')
  const { config } = order
  try {
    checkHost(config.http_host)
  } catch (error) {
    return refusedAddress(error, port)
  }
  const served = await openServed(order, world)
  if (isStop(served)) return served
  const { runtimes } = served
  try {
    const server = await serveHttp(runtimes, {
      version: version(),
      host: config.http_host,
      port,
      hosts: config.http_allowed_hosts,
      origins: config.http_allowed_origins,
      clients: served.clients,
      requireClient: config.require_client,
      maxSessions: config.http_max_sessions,
      idleMs: config.http_session_idle_seconds * 1_000,
      log: createLog(config.log_level, world),
      elicitation: served.elicitation,
    })
    if (order.json) world.out(JSON.stringify({ url: server.url, tools: toolNames(runtimes) }))
    world.err(httpGreeting(server.url, runtimes, [callersLine(config, world), served.about].join('\n'), world))
    await interruption(world)
    world.err('Stopping…')
    await server.close()
    return EXIT.ok
  } catch (error) {
    return refusedAddress(error, port)
  } finally {
    await served.close()
  }
}

function interruption({ interrupted }: World): Promise<void> {
  if (interrupted.aborted) return Promise.resolve()
  return new Promise((resolve) => interrupted.addEventListener('abort', () => resolve(), { once: true }))
}

/** What there is, how a client gets at it, and one thing to try. */
function httpGreeting(url: string, runtimes: readonly Runtime[], about: string, world: World): string {
  return [
    summary(runtimes),
    '',
    `Serving at ${url}`,
    '',
    'Connect a client, in its configuration:',
    `  ${clientEntry(runtimes, { type: 'http', url })}`,
    '',
    'Try:',
    `  ${world.program} introspect ${url}`,
    `  ${curl(url, runtimes)}`,
    '',
    about,
    '',
    'Ctrl-C stops the server.',
  ].join('\n')
}

/** Decision 10: who may call, and what it means that nobody has named them. */
export function callersLine(
  { require_client }: Pick<Config, 'require_client'>,
  { program }: Pick<World, 'program'>,
): string {
  return require_client
    ? `Callers: named clients alone (${program} client add NAME).`
    : `Callers: anyone on this computer. Those without a token share the name anonymous: one block or quota is for all of them. ${program} client add NAME tells one apart; --require-client refuses the others.`
}

function stdioGreeting(runtimes: readonly Runtime[], { names }: Order, world: World): string {
  const [command, ...args] = world.self
  const server = { command, args: [...args, 'serve', ...names] }
  const lines = [`${summary(runtimes)} Serving on stdio.`]
  if ((world.stdin as { readonly isTTY?: boolean }).isTTY !== true) return lines.join('\n')
  return [
    ...lines,
    '',
    'A client starts this command by itself. In its configuration:',
    `  ${clientEntry(runtimes, server)}`,
    '',
    'To try it by hand, stop it with Ctrl-C and run:',
    `  ${world.program} introspect ${names[0]}`,
  ].join('\n')
}

function summary(runtimes: readonly Runtime[]): string {
  const each = runtimes.map(({ adapter, operations, tools, mode }) => {
    const count = tools.length === 1 ? 'one tool' : `${tools.length} tools`
    return `${adapter.displayName ?? adapter.name}: ${counted(operations, 'operation')} behind ${count} (${mode} mode).`
  })
  return each.join('\n')
}

function clientEntry(runtimes: readonly Runtime[], server: object): string {
  return JSON.stringify({ mcpServers: { [runtimes[0]?.adapter.name ?? 'mcpaql']: server } })
}

/** A request on the revision without a handshake: one request, one answer. */
function curl(url: string, runtimes: readonly Runtime[]): string {
  const tools = runtimes[0]?.tools ?? []
  const tool = (tools.find(({ annotations }) => annotations.readOnlyHint) ?? tools[0])?.name ?? ''
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: tool,
      arguments: { operation: 'introspect', params: { query: 'operations' } },
      _meta: { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} },
    },
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': tool,
  }
  const given = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`)
  return `curl -s ${url} ${given.join(' ')} -d '${JSON.stringify(body)}'`
}

const REVISION = '2026-07-28'

function toolNames(runtimes: readonly Runtime[]): readonly string[] {
  return runtimes.flatMap(({ tools }) => tools.map(({ name }) => name))
}
