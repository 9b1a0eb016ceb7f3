import type { SafetyMode } from '../protocol/directive.ts'
import type { Concurrency, EndpointMode } from '../protocol/endpoints.ts'
import { fail } from '../protocol/errors.ts'
import { DEFAULT_LIMITS, LIMITS, type Limits } from '../protocol/limits.ts'
import { MAX_BATCH } from '../protocol/request.ts'
import { isFailure, type OperationFailure, type OperationResult } from '../protocol/result.ts'
import { createAuditBuffer } from './audit/audit-buffer.ts'
import { createDoubtingStore } from './audit/doubting-store.ts'
import type { Fields } from './call.ts'
import { createExecutions } from './execution/executions.ts'
import { lifecycleOperations, withExecutionType } from './execution/operations.ts'
import { recoverRuns } from './execution/recover.ts'
import { type Decided, decide } from './gatekeeper/approvals.ts'
import { answerForm, type FormAnswer } from './gatekeeper/form-answers.ts'
import { type GateOptions, openGate, type PolicyChange } from './gatekeeper/open-gate.ts'
import type { Permission, PolicyRecord } from './gatekeeper/policies.ts'
import { type ApprovalRequest, type LayerVerdict, requestRef } from './gatekeeper/request.ts'
import { revokeTokenOperations } from './gatekeeper/revoke-token.ts'
import { permissionOf, traceOf } from './gatekeeper/standing.ts'
import { openTrust, trustedBefore } from './gatekeeper/stored-trust.ts'
import { createFinder } from './introspection/find-operations.ts'
import { type Catalogue, introspectOperation } from './introspection/introspect.ts'
import { protocolBlock } from './introspection/protocol-block.ts'
import { createRests } from './introspection/rests.ts'
import { listTools, type Tool } from './introspection/tools.ts'
import { memoryOf } from './loop/view.ts'
import { publish, sourceRecord } from './operator/publish-source.ts'
import { type Call, createAnswerer } from './pipeline/answer.ts'
import type { StartRun } from './pipeline/call-context.ts'
import { handle, type Stations } from './pipeline/handle.ts'
import { createLocks } from './pipeline/locks.ts'
import type { Answer } from './pipeline/render.ts'
import { unknownOperation } from './pipeline/route.ts'
import { createUnderWay } from './pipeline/under-way.ts'
import type { Clock } from './ports/clock.ts'
import type { HumanDecision } from './ports/human.ts'
import { type Log, SILENT } from './ports/log.ts'
import type { Store } from './ports/store.ts'
import { createCursorCodec, cursorKey } from './query/cursor.ts'
import type { QuotaStatus } from './quota/quota-status.ts'
import type { AdapterDefinition } from './registry/adapter.ts'
import { createRegistry } from './registry/registry.ts'
import { maskAnswer } from './registry/secrets.ts'
import { nameTools } from './registry/tool-names.ts'
import { createReport } from './report.ts'
import { openSafety, type SafetyOptions } from './safety.ts'
import type { Session, SessionUse } from './session.ts'
import { createSessions, type SessionOptions } from './sessions.ts'
import { openSteadyClock } from './steady-clock.ts'
import { type TrustView, trustInfo } from './trust/source-trust.ts'

/** One adapter, ready to answer. Made by `createRuntime`. */
export interface Runtime {
  readonly adapter: AdapterDefinition
  readonly mode: EndpointMode
  readonly safetyMode: SafetyMode
  readonly profile: string
  readonly limits: Limits
  readonly concurrency: Concurrency
  /** How many operations there are, `introspect` included. */
  readonly operations: number
  /** What the gate makes of each operation as it stands. */
  readonly standings: readonly Permission[]
  /** How far the source is trusted now, and where that comes from. */
  readonly trust: TrustView
  /** The tools that this runtime accepts calls on, in the order in which they are listed. */
  readonly tools: readonly Tool[]
  /** Opens a session with an unpredictable id of its own (SES-06). `expires` is for a handle without a connection. */
  openSession(principal: string, options?: SessionOptions): Session
  /** The open session of that id if it belongs to the principal, and to that client record; a name, not a capability (MCP-25). */
  findSession(id: string, principal: string, client?: string): Session | undefined
  /** Why no more handles can be opened: each that the principal holds has something under way or open. */
  refuseHandle(principal: string): OperationFailure | undefined
  /** Is it a READ? Such a call can be broken off and sent again. */
  isRead(operation: string): boolean
  /** What the session was used for, and so what would be lost with it. */
  useOf(session: Session): SessionUse
  /** A caller without a session, for one request: what it starts gets a session that the answer names (MCP-25). */
  anonymous(principal: string, client?: string): Session
  /** SES-02, SES-03: drops the session's state and ends its unfinished executions. */
  closeSession(session: Session): Promise<void>
  /** The same for every session of a principal, and of that client record, that is only a handle: it may not come back. */
  closeSessionsOf(principal: string, client?: string): Promise<void>
  /** What the gate would say of a call, layer by layer; nothing is recorded and nothing runs. */
  explain(operation: string, params: Fields): Explanation | OperationFailure
  /** For the operator: what a READ shows, without an agent's session. Anything but a READ is refused. */
  preview(operation: string, params: Fields): Promise<OperationResult>
  quotaStatus(): Promise<QuotaStatus | undefined>
  /** A policy file was changed: what it tightens holds at once, what it loosens from the next start on (SELF-14). */
  addPolicies(records: readonly PolicyRecord[]): Promise<PolicyChange>
  /** A request that this session has raised, for a channel that puts it before the user (SELF-06). */
  findRequest(id: string, session: Session): Promise<ApprovalRequest | undefined>
  /** The operator plane: a human has decided. Nothing that an agent sends can make a `HumanDecision`. */
  decide(id: string, decision: HumanDecision): Promise<Decided>
  /** The client answered the form of a request; a "no" that nobody can have read leaves it waiting. */
  answerForm(request: ApprovalRequest, answer: FormAnswer): Promise<void>
  /** Never rejects: whatever goes wrong is an answer (VAL-02). */
  call(call: Call): Promise<Answer>
  close(): Promise<void>
}

export type { SessionOptions }

export interface Explanation {
  readonly operation: string
  readonly decision: Permission
  readonly danger_level: string
  readonly trust: string
  /** Where the trust comes from, in a word and in words; absent for the runtime's own operations. */
  readonly trust_from?: string
  readonly trust_why?: string
  readonly reasons: readonly string[]
  readonly trace: readonly LayerVerdict[]
}

export interface RuntimeOptions extends GateOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log?: Log
  /** The execution safety loop; without it the adapter has none. */
  readonly safety?: SafetyOptions
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
  const { log = SILENT, mode = 'semantic', batch = true } = options
  const store = createDoubtingStore(options.store, (cause, entries) => buffer.doubt(cause, entries))
  const clock = await openSteadyClock(store, options.clock)
  const buffer = createAuditBuffer(options.store, clock, { log })
  const limits = checkLimits(options.limits ?? {})
  const report = createReport(log)
  const executions = createExecutions(
    adapter.name,
    store,
    clock,
    (cause, secrets) => report(cause, {}, secrets),
    () => safety.stops,
  )
  const rests = createRests(store, clock, options.restTtlMs ?? 600_000)
  const sessions = createSessions(
    clock,
    {
      idleMs: 3_600_000,
      most: MOST_SESSIONS,
      isBusy: executions.isBusy,
      isRunning: (session) => safety.loop?.isRunning(session) ?? false,
    },
    (session) => void forget(session),
  )
  /** Never rejects: whoever leaves cannot be told that the disk is full. */
  const forget = async (session: Session): Promise<void> => {
    await executions.endOf(session).catch(report)
    await gate.endSession(session, 'the session has ended').catch(report)
    await safety.loop?.endSession(session).catch(report)
    await rests.drop(session).catch(report)
  }

  /** BLOCK-10: what runs already ends too, and what waits for a human finds the stop when it looks. */
  let stopUnderWay = (): void => {} // nothing runs before the runtime is complete
  const safety = await openSafety(options.safety, {
    store,
    clock,
    adapter: adapter.name,
    memory: memoryOf(options.store),
    report,
    note: buffer.note,
    isOwn: (operation) => gate.standing(operation).isOwn,
    operation: (name) => {
      const known = registry.operations.get(name)
      return known && gate.standing(known).classification.baselineRisk
    },
    onChange: () => stopUnderWay(),
    permission: (operation) => domainPermission(operation),
    trust: () => trust.view().level,
    ...(options.reach && { reach: options.reach }),
  })
  const domainPermission = (name: string): Permission | undefined => {
    const operation = registry.operations.get(name)
    const standing = operation && gate.standing(operation)
    return standing?.isOwn ? undefined : standing?.permission
  }
  const underWay = createUnderWay(safety.stops, report)
  stopUnderWay = () => {
    underWay.stopAll()
    try {
      executions.endWhere(safety.stops.ofSession)
    } catch (cause) {
      report(cause) // the blocks cannot be read
    }
  }
  const watching = setInterval(safety.look, WATCH_MS)
  watching.unref()
  let catalogue: Catalogue | undefined
  const builtIn = [
    introspectOperation(() => catalogue as Catalogue, adapter.rate_limits !== undefined), // set below, before any call
    ...lifecycleOperations(adapter, executions),
    ...revokeTokenOperations(adapter, store, clock),
    ...safety.operations,
  ]
  const registry = await createRegistry(withExecutionType(adapter), {
    profile: options.profile ?? 'crude',
    maxPageSize: options.maxPageSize ?? 100,
    builtIn,
    ...(options.include && { include: options.include }),
    ...(options.exclude && { exclude: options.exclude }),
  })
  const names = nameTools(registry.profile, mode, naming(adapter, options))
  const tools = listTools(registry, names, batch)
  const cursors = createCursorCodec(await cursorKey(store))
  const concurrency = adapter.concurrency ?? 'serialized'
  const protocol = protocolBlock(registry, { mode, batch, limits, concurrency, safety: safety.loop?.describe })
  const own = new Map<string, Permission>([
    ...builtIn.map(({ name }) => [name, 'allow'] as const),
    ...safety.permissions,
  ])
  const trust = await openTrust(adapter, options, store, clock)
  await recoverRuns(store, clock)
  const gate = await openGate(registry, options, {
    store,
    clock,
    own,
    report,
    buffer,
    trust,
    onChange: () => publishSource(),
    stops: safety.stops,
    full: executions.refuse,
    ...(safety.guard && { guard: safety.guard }),
  })
  const publishSource = async (): Promise<void> => {
    const view = trust.view()
    const trusted = view.drift.length > 0 ? await trustedBefore(store, adapter.name) : undefined
    const now = { trust: view, now: clock.now(), ...(trusted && { trusted }) }
    await publish(store, sourceRecord(registry, gate, options, now))
  }
  await publishSource()
  catalogue = {
    registry,
    names,
    finder: createFinder(registry),
    rests,
    gate,
    trust: () => trustInfo(adapter, trust.view()),
    listPage: options.listPage ?? 200,
    protocol: (session) => (session.id === undefined ? protocol : { ...protocol, session_id: session.id }),
  }

  const start: StartRun = (call, work, context) => {
    sessions.wrote(call.session)
    const watch = context.wantsProgress && { notify: context.notify.bind(context), signal: context.signal }
    const usage = () => context.usage
    return executions.start({ call, about: gate.aboutOf(call), work, usage, ...(watch && { watch }) })
  }
  const settle: Stations['settle'] = (call, ending) => {
    if (call.target.category !== 'READ') sessions.wrote(call.session)
    return call.retry ? executions.settle(gate.aboutOf(call), call, ending) : gate.settle(call, ending)
  }
  const strict = options.strict ?? true
  const onIgnored = (operation: string, unknown_params: readonly string[]) =>
    log.write({ level: 'warning', message: 'Unknown parameters were ignored', operation, unknown_params })
  const stations: Stations = {
    routes: { registry, names },
    binding: {
      cursors,
      strict,
      onIgnored,
      now: clock.now,
      isGateable: gate.isGateable,
    },
    gate,
    settle,
    retries: { target: registry.operations.get('retry_execution'), again: executions.again },
    execution: {
      locks: createLocks(concurrency),
      timeoutMs: options.timeoutMs ?? 30_000,
      now: clock.now,
      start,
      underWay,
      gate,
    },
    shaping: { cursors, rests, slowMs: options.slowMs ?? 0, now: clock.now },
    report: (cause, { operation, session }, secrets) => report(cause, { operation, session: session.id }, secrets),
  }
  const close = async (): Promise<void> => {
    const ended = sessions.closeAll()
    await executions.close().catch(report) // first, so that the trail names the end of the server as the reason
    for (const session of ended) await forget(session)
    await gate.close().catch(report)
    clearInterval(watching)
    safety.close()
    await adapter.close?.()
  }
  let closing: Promise<void> | undefined
  const call = createAnswerer(stations, {
    limits,
    batch,
    maxBatch: options.maxBatch ?? MAX_BATCH.default,
    strict,
    onIgnored,
    report,
    now: clock.now,
    sessions,
  })

  return {
    adapter,
    mode,
    safetyMode: options.safety?.mode ?? 'disabled',
    profile: registry.profile.name,
    limits,
    concurrency,
    operations: registry.operations.size,
    get standings() {
      return [...registry.operations.values()].map((operation) => gate.standing(operation).permission)
    },
    get trust() {
      return trust.view()
    },
    tools,
    openSession: sessions.open,
    findSession: sessions.find,
    refuseHandle: (principal) => (sessions.hasRoom(principal) ? undefined : tooManySessions(clock.now())),
    isRead: (operation) => registry.operations.get(operation)?.category === 'READ',
    useOf: sessions.useOf,
    anonymous: sessions.anonymous,

    async closeSession(session) {
      if (sessions.close(session)) await forget(session)
    },

    async closeSessionsOf(principal, client) {
      for (const session of sessions.closeHandles(principal, client)) await forget(session)
    },

    explain(operation, params) {
      const target = registry.operations.get(operation)
      if (!target) return unknownOperation(operation, { registry, names })
      const opinions = gate.opinions({ target, params })
      const { level, trust, trustFrom, classification } = gate.standing(target)
      return {
        operation,
        decision: permissionOf(opinions),
        danger_level: level,
        trust,
        ...(trustFrom && { trust_from: trustFrom.from, trust_why: trustFrom.text }),
        reasons: classification.reasons,
        trace: traceOf(opinions),
      }
    },

    addPolicies: gate.addPolicies,

    async quotaStatus() {
      const status = await gate.quotaStatus()
      return isFailure(status) ? undefined : status
    },

    async preview(operation, params) {
      const target = registry.operations.get(operation)
      if (target?.category !== 'READ')
        return fail('PERMISSION_DENIED', { reason: 'only a READ can be previewed', operation })
      const known = target.params
        .filter(({ name }) => Object.hasOwn(params, name))
        .map(({ name }) => [name, params[name]])
      const fields = { operation, params: Object.fromEntries(known) }
      const session = sessions.anonymous('operator')
      const call = { family: undefined, tool: 'operator', session, operation, fields, caller: {}, inBatch: false }
      const result = await handle(call, stations)
      return result.success ? { ...result, data: maskAnswer(target, result.data) } : result
    },

    async findRequest(id, session) {
      const request = await store.get(requestRef(id))
      return request?.session === session.id ? request : undefined
    },

    decide: (id, decision) => decide(store, clock, id, decision, options.decisionRules),

    answerForm: (request, answer) => answerForm(store, clock, request, answer, options.decisionRules),

    call,

    close() {
      closing ??= close()
      return closing
    },
  }
}

const MOST_SESSIONS = 10_000

function tooManySessions(now: number): OperationFailure {
  return fail('RATE_LIMIT_EXCEEDED', {
    limit: MOST_SESSIONS,
    remaining: 0,
    window: 'minute',
    resets_at: new Date(now + 30_000).toISOString(),
    retry_after_seconds: 30,
    hint: 'Every session has work under way or a question open. Calls without _session are still answered.',
  })
}

/** How long work that makes no request can go on after a stop by another process. */
const WATCH_MS = 250

function checkLimits(given: Partial<Limits>): Limits {
  const limits = { ...DEFAULT_LIMITS, ...given }
  for (const { key, least, most } of Object.values(LIMITS)) {
    if (!(limits[key] >= least && limits[key] <= most)) throw new Error(`${key} must lie between ${least} and ${most}`)
  }
  return Object.freeze(limits)
}

function naming(adapter: AdapterDefinition, { toolNames, toolPrefix }: RuntimeOptions) {
  const pattern = toolNames ?? adapter.toolNames
  return { adapter: adapter.name, ...(pattern && { pattern }), ...(toolPrefix && { prefix: toolPrefix }) }
}
