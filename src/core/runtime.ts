import { randomBytes } from 'node:crypto'
import { CATEGORIES } from '../protocol/categories.ts'
import type { Concurrency, EndpointMode } from '../protocol/endpoints.ts'
import { fail } from '../protocol/errors.ts'
import { DEFAULT_LIMITS, LIMITS, type Limits } from '../protocol/limits.ts'
import { MAX_BATCH } from '../protocol/request.ts'
import { type BatchSuccess, isFailure, type OperationResult } from '../protocol/result.ts'
import { SPEC_VERSION } from '../protocol/version.ts'
import type { Fields } from './call.ts'
import { createExecutions } from './execution/executions.ts'
import { EXECUTION, executionOperations } from './execution/operations.ts'
import { createPolicies } from './gatekeeper/policies.ts'
import { createFinder } from './introspection/find-operations.ts'
import { type Catalogue, introspectOperation } from './introspection/introspect.ts'
import { createRests } from './introspection/rests.ts'
import { listTools } from './introspection/tools.ts'
import { notParallel, runBatch, runParallel, withoutUnwritable } from './pipeline/batch.ts'
import type { StartRun } from './pipeline/call-context.ts'
import { checkSize, type Decoded, decode, type Entry } from './pipeline/decode.ts'
import { handle, type Stations } from './pipeline/handle.ts'
import { createLocks } from './pipeline/locks.ts'
import { render } from './pipeline/render.ts'
import { metaOf } from './pipeline/shape.ts'
import type { Clock } from './ports/clock.ts'
import { type Log, SILENT } from './ports/log.ts'
import type { Store } from './ports/store.ts'
import { createCursorCodec } from './query/cursor.ts'
import type { AdapterDefinition } from './registry/adapter.ts'
import { createRegistry, type Registry } from './registry/registry.ts'
import { maskText, secretsOf } from './registry/secrets.ts'
import { nameTools } from './registry/tool-names.ts'
import type { Session } from './session.ts'
import { createSessions } from './sessions.ts'

/** One adapter, ready to answer. Made by `createRuntime`. */
export interface Runtime {
  readonly adapter: AdapterDefinition
  readonly mode: EndpointMode
  readonly profile: string
  readonly limits: Limits
  readonly concurrency: Concurrency
  /** How many operations there are, `introspect` included. */
  readonly operations: number
  /** The tools that this runtime accepts calls on, in the order in which they are listed. */
  readonly tools: readonly Tool[]
  /** Opens a session with an unpredictable id of its own (SES-06). `expires` is for a handle without a connection. */
  openSession(principal: string, options?: { readonly expires?: boolean }): Session
  /** The open session of that id if it belongs to the principal; a name, not a capability (MCP-25). */
  findSession(id: string, principal: string): Session | undefined
  /** A caller without a session; what it starts belongs to the principal. */
  anonymous(principal: string): Session
  /** SES-02, SES-03: drops the session's state and ends its unfinished executions. */
  closeSession(session: Session): Promise<void>
  /** Never rejects: whatever goes wrong is an answer (VAL-02). */
  call(call: Call): Promise<Answer>
  close(): Promise<void>
}

export interface Call {
  /** The name of the tool that received the call; one of `tools`. */
  readonly tool: string
  readonly arguments: unknown
  readonly session: Session
  /** Aborted by the client's cancellation or disconnection. */
  readonly signal?: AbortSignal
  /** Present only when the client sent a progress token in the request's own metadata (PROG-02). */
  readonly onProgress?: (progress: ProgressNotice) => void
}

/** Strictly increasing `progress`, as MCP wants it (PROG-03). */
export interface ProgressNotice {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface Answer {
  readonly result: OperationResult | BatchSuccess
  /** The compact JSON of `result` (RES-05). */
  readonly text: string
  /** ERR-07. */
  readonly isError: boolean
}

/** A tool as `tools/list` shows it; plain data. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' }
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

export interface RuntimeOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log?: Log
  readonly mode?: EndpointMode
  readonly profile?: string
  /** A pattern with `{adapter}` and `{endpoint}` (TOOL-03), or undefined for the adapter's own or the default. */
  readonly toolNames?: string
  /** `MCP_AQL_TOOL_PREFIX` (MULTI-02); wins over `toolNames`. */
  readonly toolPrefix?: string
  readonly limits?: Partial<Limits>
  readonly maxBatch?: number
  /** False turns batches off. */
  readonly batch?: boolean
  /** Nothing but READ is admitted. */
  readonly readOnly?: boolean
  /** Operation policies: glob → permission. The strictest that matches wins. */
  readonly policies?: readonly { readonly operation: string; readonly permission: 'allow' | 'deny' }[]
  /** Globs over operation names; what does not pass is not registered. */
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly timeoutMs?: number
  /** Above this many operations the list is paged (INT-03). */
  readonly listPage?: number
  /** A call slower than this carries PERFORMANCE_SLOW_QUERY_WARNING; 0 turns it off. */
  readonly slowMs?: number
  /** False: unknown parameters are ignored with a warning. For development only (VAL-06). */
  readonly strict?: boolean
  readonly maxPageSize?: number
  /** How long a rest can be read, in milliseconds. */
  readonly restTtlMs?: number
}

/** The only composition in core: from a definition and its surroundings to something that answers. */
export async function createRuntime(adapter: AdapterDefinition, options: RuntimeOptions): Promise<Runtime> {
  const { store, clock, log = SILENT, mode = 'semantic', batch = true } = options
  const limits = checkLimits(options.limits ?? {})
  const report = reporter(log)
  const executions = createExecutions(adapter.name, store, clock, (cause, secrets) => report(cause, {}, secrets))
  const rests = createRests(store, clock, options.restTtlMs ?? 600_000)
  const sessions = createSessions(clock, { idleMs: 3_600_000, most: 10_000 }, (session) => void forget(session))
  /** Never rejects: whoever leaves cannot be told that the disk is full. */
  const forget = async (session: Session): Promise<void> => {
    await executions.endOf(session).catch(report)
    await rests.drop(session).catch(report)
  }

  let catalogue: Catalogue | undefined
  const registry = await createRegistry(withExecutionType(adapter), {
    profile: options.profile ?? 'crude',
    maxPageSize: options.maxPageSize ?? 100,
    builtIn: [
      introspectOperation(() => catalogue as Catalogue), // set below, before any call can arrive
      ...lifecycleOperations(adapter, executions),
    ],
    ...(options.include && { include: options.include }),
    ...(options.exclude && { exclude: options.exclude }),
  })
  const names = nameTools(registry.profile, mode, naming(adapter, options))
  const tools = listTools(registry, names, batch)
  const cursors = createCursorCodec(await cursorKey(store))
  const concurrency = adapter.concurrency ?? 'serialized'
  const protocol = protocolOf(registry, { mode, batch, limits, concurrency })
  catalogue = {
    registry,
    names,
    finder: createFinder(registry),
    rests,
    listPage: options.listPage ?? 200,
    protocol: (session) => (session.id === undefined ? protocol : { ...protocol, session_id: session.id }),
  }

  const start: StartRun = (call, work, context) => {
    const { supports_cancel = true, supports_retry = false } = call.target.lifecycle ?? {}
    const watch = { notify: context.notify.bind(context), signal: context.signal }
    return executions.start({
      operation: call.operation,
      session: call.session,
      work,
      secrets: secretsOf(call.target, call.params),
      supportsCancel: supports_cancel,
      supportsRetry: supports_retry,
      ...(context.wantsProgress && { watch }),
    })
  }
  const stations: Stations = {
    routes: { registry, names },
    binding: {
      cursors,
      strict: options.strict ?? true,
      onIgnored: (operation, unknown_params) =>
        log.write({ level: 'warning', message: 'Unknown parameters were ignored', operation, unknown_params }),
      now: clock.now,
    },
    policies: createPolicies({ readOnly: options.readOnly ?? false, records: options.policies ?? [] }),
    execution: { locks: createLocks(concurrency), timeoutMs: options.timeoutMs ?? 30_000, now: clock.now, start },
    shaping: { cursors, rests, slowMs: options.slowMs ?? 0, now: clock.now },
    report: (cause, { operation, session }, secrets) => report(cause, { operation, session: session.id }, secrets),
  }
  const families = new Map(tools.map(({ name }) => [name, [...names.families].find(([, tool]) => tool === name)?.[0]]))
  const decoding = { limits, batch, maxBatch: options.maxBatch ?? MAX_BATCH.default }

  const answer = async (call: Call): Promise<OperationResult | BatchSuccess> => {
    const { tool, session, signal } = call
    if (!families.has(tool)) return fail('INTERNAL_ERROR', { description: 'no such tool here' })
    const decoded = decode(call.arguments, decoding)
    if (isFailure(decoded)) return decoded
    const family = families.get(tool)
    const each = ({ operation, fields }: Entry) =>
      handle({ family, tool, session, operation, fields, caller: call }, stations)
    if (decoded.kind === 'single') return each(decoded)
    const write = decoded.parallel ? findWrite(decoded, registry) : undefined
    if (write !== undefined) return notParallel(write)
    const run = decoded.parallel ? runParallel : runBatch
    return run(decoded.entries, {
      handle: each,
      checkSize: (fields) => checkSize(fields, limits),
      isStopped: () => signal?.aborted === true,
    })
  }

  const close = async (): Promise<void> => {
    for (const session of sessions.closeAll()) await forget(session)
    await executions.close().catch(report)
    await adapter.close?.()
  }
  let closing: Promise<void> | undefined

  return {
    adapter,
    mode,
    profile: registry.profile.name,
    limits,
    concurrency,
    operations: registry.operations.size,
    tools,
    openSession: (principal, { expires = false } = {}) => sessions.open(principal, expires),
    findSession: sessions.find,
    anonymous: sessions.anonymous,

    async closeSession(session) {
      if (sessions.close(session)) await forget(session)
    },

    async call(call) {
      const session_id = call.session.id
      const explain = (cause: unknown) =>
        fail('INTERNAL_ERROR', {
          description: `unexpected failure, reference ${report(cause, { session: session_id })}`,
          session_id,
        })
      const written = (result: OperationResult | BatchSuccess) =>
        render(isBatch(result) ? withMeta(result, call.arguments as Fields) : result, limits.max_response_size)
      let result: OperationResult | BatchSuccess | undefined
      try {
        result = await answer(call)
        return written(result)
      } catch (cause) {
        if (!isBatch(result)) return written(explain(cause))
      }
      try {
        return written(withoutUnwritable(result, explain))
      } catch (cause) {
        return written(explain(cause)) // each can be written, but all together are longer than a text can be
      }
    },

    close() {
      closing ??= close()
      return closing
    },
  }
}

function checkLimits(given: Partial<Limits>): Limits {
  const limits = { ...DEFAULT_LIMITS, ...given }
  for (const { key, least, most } of Object.values(LIMITS)) {
    if (!(limits[key] >= least && limits[key] <= most)) throw new Error(`${key} must lie between ${least} and ${most}`)
  }
  return Object.freeze(limits)
}

/** ERR-04: the cause goes to the log, without sensitive values (VAL-10); the caller gets a reference. */
function reporter(log: Log) {
  return (cause: unknown, about: Readonly<Record<string, unknown>> = {}, secrets: readonly string[] = []): string => {
    const reference = randomBytes(6).toString('hex')
    const { message, stack } = described(cause)
    log.write({
      level: 'error',
      message: maskText(message, secrets),
      reference,
      ...about,
      ...(stack && { stack: maskText(stack, secrets) }),
    })
    return reference
  }
}

/** Whatever was thrown: it may have no text, or throw when it is asked for one. */
function described(cause: unknown): { readonly message: string; readonly stack?: string } {
  try {
    const message = String(cause)
    return cause instanceof Error && typeof cause.stack === 'string' ? { message, stack: cause.stack } : { message }
  } catch {
    return { message: `something that is not an Error (${typeof cause})` }
  }
}

function naming(adapter: AdapterDefinition, { toolNames, toolPrefix }: RuntimeOptions) {
  const pattern = toolNames ?? adapter.toolNames
  return { adapter: adapter.name, ...(pattern && { pattern }), ...(toolPrefix && { prefix: toolPrefix }) }
}

function hasLifecycle({ operations }: AdapterDefinition): boolean {
  return (Array.isArray(operations) && operations?.some((operation) => operation?.lifecycle !== undefined)) ?? false
}

function withExecutionType(adapter: AdapterDefinition): AdapterDefinition {
  return hasLifecycle(adapter) ? { ...adapter, types: [...(adapter.types ?? []), EXECUTION] } : adapter
}

function lifecycleOperations(adapter: AdapterDefinition, executions: ReturnType<typeof createExecutions>) {
  if (!hasLifecycle(adapter)) return []
  return executionOperations(
    executions,
    adapter.operations.some((operation) => operation?.lifecycle?.supports_retry),
  )
}

/** PAGE-08: kept in the store, so that a cursor outlives a restart. */
async function cursorKey(store: Store): Promise<Uint8Array> {
  const fresh = randomBytes(32).toString('base64')
  const kept = await store.update<string, string>('key', 'cursor', (current) => ({
    next: current ?? fresh,
    result: current ?? fresh,
  }))
  return Buffer.from(kept, 'base64')
}

interface Circumstances {
  readonly mode: EndpointMode
  readonly batch: boolean
  readonly limits: Limits
  readonly concurrency: Concurrency
}

/** INT-05 to INT-08: each capability is true only if some operation has it. */
function protocolOf(registry: Registry, { mode, batch, limits, concurrency }: Circumstances) {
  const operations = [...registry.operations.values()]
  const { adapter, profile, types } = registry
  return Object.freeze({
    version: SPEC_VERSION,
    conformance: 'level-2',
    mode,
    profile: profile.name,
    adapter: adapter.name,
    display_name: adapter.displayName ?? adapter.name,
    capabilities: {
      batch,
      field_selection: operations.some(({ resource, category }) => resource && CATEGORIES[category].readOnly),
      aggregations: operations.some(({ collection }) => collection?.aggregationSupport.supported),
      computed_fields: operations.some(({ collection }) => collection && collection.computedFields.length > 0),
      pagination: operations.some(({ collection }) => collection !== undefined),
      relationship_queries: operations.some(({ definition }) => definition.relationships !== undefined),
      warnings: true,
      confirmation: false,
      dangerous_operations: false,
    },
    limits,
    concurrency,
    supports_etag: [...types.values()].some((type) => type.kind === 'object' && type.version !== undefined),
  })
}

function isBatch(result: OperationResult | BatchSuccess | undefined): result is BatchSuccess {
  return result !== undefined && Object.hasOwn(result, 'results')
}

/** REQ-12 for a batch; one that halted carries nothing beside what its schema has. */
function withMeta(done: BatchSuccess, fields: Fields): BatchSuccess {
  const meta = done.halted_at ? undefined : metaOf(fields, done.results)
  return meta ? { ...done, _meta: meta } : done
}

function findWrite({ entries }: Decoded & { readonly kind: 'batch' }, { operations }: Registry): string | undefined {
  const write = entries.find(({ operation }) => {
    const target = operations.get(operation)
    return target && !CATEGORIES[target.category].readOnly
  })
  return write?.operation
}
