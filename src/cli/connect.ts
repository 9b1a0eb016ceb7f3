import type { Runtime } from '../core/runtime.ts'
import { EXIT, type Stop, stop } from './command.ts'
import { CLIENT_TOKEN } from './read-config.ts'
import { plainLine } from './render.ts'
import type { Source } from './source.ts'
import type { World } from './world.ts'

/** Something that lists tools and takes calls, wherever it runs. */
export interface Connection {
  readonly tools: readonly ListedTool[]
  /** The tool's answer as it was sent. */
  send(tool: string, args: Readonly<Record<string, unknown>>): Promise<Reply | Stop>
  close(): Promise<void>
}

export interface ListedTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined
}

/** Spec §5.1, as far as a client may rely on it: what was received is not trusted to be more. */
export interface Reply {
  readonly result: Readonly<Record<string, unknown>> & { readonly success: boolean }
  readonly text: string
}

/** A runtime in this process, by the same interface as one at the other end of a wire. */
export function connectRuntime(runtime: Runtime, world: Pick<World, 'interrupted'>): Connection {
  const session = runtime.openSession('cli')
  return {
    tools: runtime.tools,
    async send(tool, args) {
      const { result, text } = await runtime.call({ tool, arguments: args, session, signal: world.interrupted })
      return { result: { ...result }, text }
    },
    async close() {
      await runtime.closeSession(session)
      await runtime.close()
    },
  }
}

/** A running server of either era, or one that is started for the occasion. */
export async function connectRemote(
  source: Extract<Source, { kind: 'url' | 'command' }>,
  world: World,
): Promise<Connection | Stop> {
  const { Client } = await import('@modelcontextprotocol/client')
  const client = await firstOf(erasOf(source), async (mode) => {
    const made = new Client({ name: 'mcpaql', version: '1.0.0' }, { versionNegotiation: { mode } })
    await made.connect(await transportOf(source, world), { timeout: TIMEOUT_MS })
    return made
  })
  if (client instanceof Error) return unreachable(source, client)

  const tools: ListedTool[] = []
  try {
    let cursor: string | undefined
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: TIMEOUT_MS })
      tools.push(...page.tools)
      cursor = page.nextCursor
    } while (cursor !== undefined && tools.length < MOST_TOOLS)
  } catch (error) {
    await client.close().catch(() => {})
    return unreachable(source, error)
  }

  return {
    tools,
    async send(tool, args) {
      try {
        const answer = await client.callTool(
          { name: tool, arguments: { ...args } },
          { timeout: CALL_TIMEOUT_MS, signal: world.interrupted },
        )
        return readReply(tool, answer)
      } catch (error) {
        return stop(EXIT.failed, `The call of ${tool} failed: ${withCause(error)}`)
      }
    },
    close: () => client.close().catch(() => {}),
  }
}

const TIMEOUT_MS = 10_000
const CALL_TIMEOUT_MS = 600_000
const MOST_TOOLS = 10_000

/** Over stdio the SDK's probe starts a second process, so the handshake, which nearly everyone speaks, is tried first. */
function erasOf(source: Source): readonly ('auto' | 'legacy')[] {
  return source.kind === 'command' ? ['legacy', 'auto'] : ['auto']
}

async function firstOf<A, T>(choices: readonly A[], attempt: (choice: A) => Promise<T>): Promise<T | Error> {
  let last: unknown
  for (const choice of choices) {
    try {
      return await attempt(choice)
    } catch (error) {
      last = error
    }
  }
  return last instanceof Error ? last : new Error(String(last))
}

async function transportOf(source: Extract<Source, { kind: 'url' | 'command' }>, { cwd, env }: World) {
  if (source.kind === 'url') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const url = new URL(source.url)
    return new StreamableHTTPClientTransport(url, { ...requestOf(url, env[CLIENT_TOKEN]) })
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  return new StdioClientTransport({ command: source.command, args: [...source.args], cwd, stderr: 'inherit' })
}

/** A named client's token, which only a server on this computer is shown. */
function requestOf({ hostname }: URL, token: string | undefined) {
  if (!token || !LOOPBACK.test(hostname)) return undefined
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

function unreachable(source: Source, error: unknown): Stop {
  const reason = withCause(error)
  if (source.kind === 'url') {
    const { origin, pathname } = new URL(source.url) // a query may hold a key
    return stop(
      EXIT.failed,
      `No MCP server answers at ${origin}${pathname}: ${reason}`,
      'Is it running? The path is usually /mcp',
    )
  }
  const started = source.kind === 'command' ? [source.command, ...source.args].join(' ') : ''
  return stop(
    EXIT.failed,
    `'${started}' does not answer as an MCP server: ${reason}`,
    'Does it run by itself, and on stdio?',
  )
}

/** RES-05: the whole result stands as JSON in the first text. */
function readReply(tool: string, answer: unknown): Reply | Stop {
  const [first] =
    (answer as { readonly content?: readonly { readonly type: string; readonly text?: unknown }[] }).content ?? []
  const text = first?.type === 'text' && typeof first.text === 'string' ? first.text : ''
  const result = parsed(text)
  if (isReplyResult(result)) return { result, text }
  return stop(EXIT.failed, `The tool ${tool} did not answer as MCP-AQL does`, plainLine(text.slice(0, 200)))
}

function isReplyResult(value: unknown): value is Reply['result'] {
  return typeof value === 'object' && value !== null && typeof (value as { success?: unknown }).success === 'boolean'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withCause(error: unknown): string {
  const { message = String(error), cause } = error as { readonly message?: string; readonly cause?: unknown }
  const whole = cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message
  return plainLine(whole).trim()
}
