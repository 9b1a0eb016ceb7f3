import { groupTools, type ToolGroup } from '../core/registry/group-tools.ts'
import { EXIT, isStop, type Stop, stop } from './command.ts'
import type { Connection, ListedTool, Reply } from './connect.ts'

/** MCP-AQL spoken over a connection: finds the tool that takes an operation. */
export interface Client {
  readonly tools: readonly ListedTool[]
  readonly adapters: readonly ToolGroup<ListedTool>[]
  introspect(adapter: ToolGroup<ListedTool>, params: Readonly<Record<string, unknown>>): Promise<Reply | Stop>
  call(operation: string, params: Readonly<Record<string, unknown>>): Promise<Reply | Stop>
  /** The body of a batch: `operations`, and perhaps `parallel`. */
  batch(body: Batch): Promise<Reply | Stop>
  /** To a tool of the caller's choice. */
  send: Connection['send']
  close(): Promise<void>
}

export interface Batch {
  readonly operations: readonly unknown[]
  readonly [key: string]: unknown
}

export function createClient(connection: Connection): Client | Stop {
  const adapters = adaptersAmong(connection.tools)
  const [first] = adapters
  if (!first) {
    const names = connection.tools.map(({ name }) => name)
    return stop(
      EXIT.failed,
      'This server offers no MCP-AQL tool',
      names.length > 0 ? `Its tools are: ${names.slice(0, 20).join(', ')}` : 'It offers no tools at all',
    )
  }
  const doors = new Map<ToolGroup<ListedTool>, string>()

  async function introspect(
    adapter: ToolGroup<ListedTool>,
    params: Readonly<Record<string, unknown>>,
  ): Promise<Reply | Stop> {
    let reply: Reply | Stop = stop(
      EXIT.failed,
      `None of the tools of ${adapter.prefix || 'this server'} takes introspect`,
    )
    const known = doors.get(adapter)
    for (const tool of known ? [known] : doorsOf(adapter)) {
      reply = await connection.send(tool, { operation: 'introspect', params })
      if (isStop(reply) || isElsewhere(reply)) continue
      doors.set(adapter, tool)
      return reply
    }
    return reply
  }

  /** The tool that takes an operation, by each adapter's own word; undefined when none has it. */
  async function toolFor(operation: string): Promise<string | Stop | undefined> {
    const owners: string[] = []
    for (const adapter of adapters) {
      const reply = await introspect(adapter, { query: 'operations', name: operation })
      if (isStop(reply)) return reply
      const tool = toolIn(reply)
      if (tool !== undefined) owners.push(tool)
    }
    if (owners.length < 2) return owners[0]
    return stop(
      EXIT.badUsage,
      `Several adapters have the operation ${operation}`,
      `Say which: --tool ${owners.join(' or --tool ')}`,
    )
  }

  return {
    tools: connection.tools,
    adapters,
    introspect,
    async call(operation, params) {
      const tool = await toolFor(operation)
      if (isStop(tool)) return tool
      // Of an operation that nobody has, the server itself says what comes nearest.
      return connection.send(tool ?? doors.get(first) ?? firstTool(first), { operation, params })
    },
    async batch(body) {
      const tool = await batchTool(body, adapters, toolFor)
      return isStop(tool) ? tool : connection.send(tool ?? doors.get(first) ?? firstTool(first), body)
    },
    send: (tool, args) => connection.send(tool, args),
    close: () => connection.close(),
  }
}

/** RES-11: warnings, known or not, leave a success a success. */
export function isSuccess({ result }: Reply): boolean {
  return result.success
}

/**
 * The exit code that a result means. A batch is well when each of its entries is and none has halted it; an execution
 * when it has not failed.
 */
export function exitOf(reply: Reply): number {
  if (!isSuccess(reply)) return exitOfCode(codeOf(reply.result))
  const { execution_id, status } = (reply.result.data ?? {}) as Readonly<Record<string, unknown>>
  if (execution_id !== undefined && (status === 'failed' || status === 'cancelled')) return EXIT.failed
  const { result: halted } = (reply.result.halted_at ?? {}) as { readonly result?: Reply['result'] }
  if (halted !== undefined) return exitOfCode(codeOf(halted))
  const results = Array.isArray(reply.result.results) ? reply.result.results : []
  const failed = results.find((entry: { result?: { success?: unknown } }) => entry?.result?.success === false)
  return failed === undefined ? EXIT.ok : EXIT.failed
}

export function codeOf(result: Readonly<Record<string, unknown>>): string {
  const { code } = (result.error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'INTERNAL_ERROR'
}

function exitOfCode(code: string): number {
  if (code === 'CONFIRMATION_REQUIRED' || code === 'RATE_LIMIT_QUOTA_PAUSE') return EXIT.waiting
  return code.startsWith('PERMISSION_') ? EXIT.denied : EXIT.failed
}

/** By name (MULTI-04). Where no name says it, tools that take `operation` and speak of `introspect` are one adapter. */
function adaptersAmong(tools: readonly ListedTool[]): readonly ToolGroup<ListedTool>[] {
  const groups = groupTools(tools)
  if (groups.length > 0) return groups
  const likely = tools.filter(({ description, inputSchema }) => {
    const properties = inputSchema.properties as Readonly<Record<string, unknown>> | undefined
    return properties !== undefined && Object.hasOwn(properties, 'operation') && description?.includes('introspect')
  })
  return likely.length > 0 ? [{ prefix: '', tools: likely, families: new Map() }] : []
}

/** Tools in the order in which `introspect` is likely to be taken (INT-01). */
function doorsOf({ unified, families, tools }: ToolGroup<ListedTool>): readonly string[] {
  const safe = tools.filter(({ annotations }) => annotations?.readOnlyHint === true)
  const likely = [unified, families.get('read'), ...safe, ...tools].filter((tool) => tool !== undefined)
  return [...new Set(likely.map(({ name }) => name))]
}

function firstTool(adapter: ToolGroup<ListedTool>): string {
  return doorsOf(adapter)[0] ?? ''
}

function isElsewhere({ result }: Reply): boolean {
  return !result.success && codeOf(result) === 'VALIDATION_ENDPOINT_MISMATCH'
}

function toolIn({ result }: Reply): string | undefined {
  const { operation } = (result.data ?? {}) as { readonly operation?: { readonly mcpTool?: unknown } | null }
  return typeof operation?.mcpTool === 'string' ? operation.mcpTool : undefined
}

/** The unified tool takes any batch; a family's tool takes one whose operations are all its own. */
async function batchTool(
  { operations }: Batch,
  adapters: readonly ToolGroup<ListedTool>[],
  toolFor: (operation: string) => Promise<string | Stop | undefined>,
): Promise<string | Stop | undefined> {
  if (adapters.length === 1 && adapters[0]?.unified) return adapters[0].unified.name
  const names = new Set(operations.map((entry) => (entry as { operation?: unknown } | null)?.operation))
  const tools = new Map<string, string>()
  for (const name of names) {
    const tool = typeof name === 'string' ? await toolFor(name) : undefined
    if (isStop(tool)) return tool
    if (tool !== undefined) tools.set(String(name), tool)
  }
  if (new Set(tools.values()).size < 2) return [...tools.values()][0]
  const listed = [...tools].map(([name, tool]) => `${name} belongs to ${tool}`).join(', ')
  return stop(
    EXIT.badUsage,
    `The batch mixes tools: ${listed}`,
    'Serve with --mode single or all, or send one batch for each tool',
  )
}
