import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  type LoggingLevel,
  type McpServer,
  ProtocolError,
  Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server'
import type { Tool } from '../core/introspection/tools.ts'
import type { Call } from '../core/pipeline/answer.ts'
import type { Answer } from '../core/pipeline/render.ts'
import type { Runtime } from '../core/runtime.ts'
import { isToolError } from '../protocol/errors.ts'
import { NAME_PATTERN } from '../protocol/request.ts'
import { isFailure } from '../protocol/result.ts'
import { SPEC_VERSION } from '../protocol/version.ts'
import { canElicit } from './can-elicit.ts'
import { createElicitation, type Elicitation, type ElicitationSettings, NO_ELICITATION } from './elicit.ts'
import { createProgress } from './progress.ts'
import { readJsonTexts } from './read-json-text.ts'
import { byteLimits, INVALID_PARAMS, type ServerInfo } from './receive.ts'
import type { Sessions } from './sessions.ts'

/** What one server instance serves: a connection, a session, or on the stateless revision a single request. */
export interface Unit {
  readonly era: 'legacy' | 'modern'
  readonly sessions: Pick<Sessions, 'resolve'>
  /** Is a human known to sit behind this caller? Without one a form would be answered by the agent itself (SELF-05). */
  readonly mayElicit: boolean
}

/** Makes a fresh server for each unit. It has no side effects: the SDK may throw an instance away unused. */
export type ServerFactory = (unit: Unit) => Server | McpServer

/** The one place that knows both a runtime and the SDK. */
export function createServerFactory(
  runtimes: readonly Runtime[],
  info: ServerInfo,
  settings: ElicitationSettings = NO_ELICITATION,
): ServerFactory {
  const elicitation = createElicitation(settings)
  const owners = ownersOf(runtimes)
  const limits = byteLimits(runtimes.map((runtime) => runtime.limits))
  const instructions = [
    INSTRUCTIONS,
    ...runtimes.flatMap(({ adapter }) => adapter.instructions ?? []),
    ...(runtimes.some(isSupervising) ? [SUPERVISED] : []),
  ].join('\n\n')
  const tools = Object.freeze(runtimes.flatMap((runtime) => runtime.tools))
  const extension = { version: SPEC_VERSION, modes: [...new Set(runtimes.map((runtime) => runtime.mode))] }

  return ({ era, sessions, mayElicit }) => {
    const server = new Server(info, {
      instructions,
      cacheHints: CACHE_HINTS,
      requestState: { verify: elicitation.verify },
      capabilities: {
        tools: {},
        ...(era === 'legacy' && { logging: {} }),
        extensions: { 'dev.mcpaql/core': extension },
      },
    })
    const logger = createLogger()
    if (era === 'legacy') {
      takeFailureForCancel(server)
      server.setRequestHandler('logging/setLevel', { params: AS_SENT }, (params) => logger.setLevel(params))
    }
    server.setRequestHandler('tools/list', { params: AS_SENT }, (params) => listTools(tools, params))
    server.setRequestHandler('tools/call', { params: AS_SENT }, async (params, ctx) => {
      const { name, arguments: given } = params as { readonly name: string; readonly arguments?: unknown }
      const runtime = owners.get(name)
      if (!runtime)
        throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${name.slice(0, 128)}. tools/list names the tools`)
      return await callTool(
        runtime,
        { tool: name, ...readJsonTexts(given, limits) },
        { server, sessions, elicitation: mayElicit ? elicitation : undefined, logger },
        ctx,
      )
    })
    return server
  }
}

/** How the specification's own introspection is reached; short, since every client reads it. */
const INSTRUCTIONS =
  'Each tool takes {"operation": NAME, "params": {…}}. Find operations with ' +
  '{"operation":"introspect","params":{"query":"search","text":"what you want to do"}}; ' +
  '"text" may be a list, and "category" narrows it; details of one: {"query":"operations","name":NAME}. ' +
  'Several at once: {"operations":[{"operation":NAME,"params":{…}}]}.'

/** DONGLE-06 for a server of one's own with the loop enforcing; one that says it in its own words needs no more. */
const SUPERVISED =
  'You work under supervision: call execute_agent first, then before every write announce it with record_execution_step ' +
  '(next_action_hint: the operation with its parameters) and act only if autonomy.continue is true. If it is false, tell ' +
  'the user what is waited for; never look for another way.'

function isSupervising({ adapter, safetyMode }: Runtime): boolean {
  return safetyMode === 'enforcing' && adapter.instructions?.includes('record_execution_step') !== true
}

/** MCP-24. The list depends on nothing but the configuration, so it is good for as long as a client likes. */
const CACHE_HINTS = {
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 300_000, cacheScope: 'public' },
} as const

/**
 * What is wrong with the arguments is for the runtime to say, in its own words; it gets them as they were sent. That
 * `name` is text and `arguments` an object was checked before (MCP-15).
 */
const AS_SENT: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
  '~standard': { version: 1, vendor: 'mcpaql', validate: (value) => ({ value: value as Record<string, unknown> }) },
}

/**
 * SELF-05, SELF-10: a client that fails at its question, or never answers it, has not approved; its agent is told what
 * it waits for, as if the user had closed the form. Of itself the SDK ends the call with a sentence of its own.
 */
function takeFailureForCancel(server: Server): void {
  const send = server.request.bind(server) as Send
  const asking: Send = (request, ...rest) => {
    const sent = send(request, ...rest)
    if (request.method !== 'elicitation/create') return sent
    const { signal } = (rest.at(-1) ?? {}) as { readonly signal?: AbortSignal }
    return sent.catch((error: unknown) => {
      if (signal?.aborted) throw error
      return { action: 'cancel' }
    })
  }
  server.request = asking as Server['request']
}

type Send = (request: { readonly method: string }, ...rest: readonly unknown[]) => Promise<unknown>

function ownersOf(runtimes: readonly Runtime[]): ReadonlyMap<string, Runtime> {
  const owners = new Map<string, Runtime>()
  for (const runtime of runtimes) {
    for (const { name } of runtime.tools) {
      if (owners.has(name)) throw new TypeError(`Two adapters offer the tool ${name}: give one another prefix`)
      owners.set(name, runtime)
    }
  }
  return owners
}

/** MCP-14. One page; a cursor was never issued. */
function listTools(tools: readonly Tool[], { cursor }: Readonly<Record<string, unknown>>) {
  if (cursor !== undefined) throw new ProtocolError(INVALID_PARAMS, 'Unknown cursor: the tools fit on one page')
  return { tools: [...tools] }
}

/** What a call on one server instance meets. */
interface Counter {
  readonly server: Server
  readonly sessions: Unit['sessions']
  /** Undefined for a caller that must not be asked. */
  readonly elicitation: Elicitation | undefined
  readonly logger: Logger
}

async function callTool(
  runtime: Runtime,
  sent: Pick<Call, 'tool' | 'arguments' | 'warnings'>,
  { server, sessions, elicitation, logger }: Counter,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const known = sessions.resolve(runtime, sent.arguments)
  if (isFailure(known)) return textResult(JSON.stringify(known), isToolError(known))
  const { session, arguments: args } = elicitation
    ? await elicitation.resume(runtime, known, sent.arguments, ctx)
    : { session: known, arguments: sent.arguments }
  const token = ctx.mcpReq._meta?.progressToken ?? tokenInArguments(args)
  const progress = token === undefined ? undefined : createProgress(token, ctx.mcpReq.notify)
  const { signal } = ctx.mcpReq
  const onProgress = progress?.report
  const { tool, warnings } = sent
  const client = clientOf(server, ctx)
  const ability = elicitation !== undefined && canElicit(server, ctx)
  const call: Call = { tool, arguments: args, session, signal, onProgress, client, warnings, canElicit: ability }
  const answer = await runtime.call(call)
  if (progress) await progress.end()
  if (logger.isOn() && !signal.aborted) await logger.called(call, answer, ctx)
  const question = await elicitation?.ask(runtime, session, answer, server, ctx)
  if (question) return question
  return textResult(answer.text, answer.isError)
}

/** As it was said with this request (2026-07-28), or once in the handshake. */
function clientOf(server: Server, ctx: ServerContext): string | undefined {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  const said = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()
  const { name, version } = (said ?? {}) as { readonly name?: unknown; readonly version?: unknown }
  return typeof name === 'string'
    ? `${name} ${String(version ?? '')}`.trim().slice(0, LONGEST_NAME).toWellFormed()
    : undefined
}

const LONGEST_NAME = 200

/** RES-05. The text is the whole result; no `structuredContent`, which would say everything twice (RES-06). */
function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], isError }
}

/** where the MCP-AQL documents look for the token, if the request's own metadata has none. */
function tokenInArguments(args: unknown): string | number | undefined {
  const meta = own(args, '_meta')
  const token = own(meta, 'progressToken')
  return typeof token === 'string' || Number.isSafeInteger(token) ? (token as string | number) : undefined
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

/** MCP-13, in the order of severity. */
const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LoggingLevel[]

interface Logger {
  setLevel(params: Readonly<Record<string, unknown>>): Record<string, never>
  isOn(): boolean
  called(request: Pick<Call, 'tool' | 'arguments'>, answer: Answer, ctx: ServerContext): Promise<void>
}

/** MCP-13. Says nothing until the client asks, and then only which operation ended how: never a value. */
function createLogger(): Logger {
  let threshold: number = LEVELS.length
  return {
    setLevel({ level }) {
      const index = (LEVELS as readonly unknown[]).indexOf(level)
      if (index < 0) throw new ProtocolError(INVALID_PARAMS, `level must be one of ${LEVELS.join(', ')}`)
      threshold = index
      return {}
    },
    isOn: () => threshold < LEVELS.length,
    async called({ tool, arguments: args }, { result, isError }, ctx) {
      const level = isError ? 'error' : isFailure(result) ? 'info' : 'debug'
      if (LEVELS.indexOf(level) < threshold) return
      const operation = own(args, 'operation')
      const data = {
        tool,
        ...(typeof operation === 'string' && NAME_PATTERN.test(operation) && { operation: operation.slice(0, 64) }),
        outcome: isFailure(result) ? result.error.code : 'success',
      }
      await ctx.mcpReq
        .notify({ method: 'notifications/message', params: { level, logger: 'mcpaql', data } })
        .catch(() => {}) // the client has gone: nobody to tell
    },
  }
}
