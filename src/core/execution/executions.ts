import { randomBytes } from 'node:crypto'
import { fail } from '../../protocol/errors.ts'
import type { ExecutionState, Progress } from '../../protocol/lifecycle.ts'
import { type ErrorDetail, isFailure, type OperationFailure } from '../../protocol/result.ts'
import { redactBeginning, redactTexts } from '../audit/redact.ts'
import type { Bound } from '../call.ts'
import { type Admitted, takeOver } from '../gatekeeper/admit.ts'
import type { About } from '../gatekeeper/audit-entries.ts'
import type { CallStops } from '../gatekeeper/gate.ts'
import type { Ending } from '../gatekeeper/intent.ts'
import { persist, sleep } from '../gatekeeper/persist.ts'
import { nextTurn } from '../next-turn.ts'
import type { Clock } from '../ports/clock.ts'
import { type Store, type StoredRecord, updateRecord } from '../ports/store.ts'
import { jsonText, plainJson } from '../registry/json-text.ts'
import type { ApiUsage, Work } from '../registry/operation.ts'
import { maskError, maskText, secretsOf } from '../registry/secrets.ts'
import { type Session, seated } from '../session.ts'
import { stoppedBecause } from '../verification/stops.ts'
import { createKeptCalls } from './kept-calls.ts'
import {
  cancelKind,
  cancelRef,
  type ExecutionRecord,
  executionKind,
  executionRef,
  isUnfinished,
  leftRef,
  noteProgress,
  notFound,
  requestCancel,
  stateOf,
  transition,
} from './lifecycle.ts'
import { idPrefix, isTheirs, principalPrefix, surplusOf, visiblePrefix } from './ownership.ts'
import { loseExecution } from './recover.ts'
import { concludeRun, createRun, type RunEnd, type RunKey, startRun } from './run-commits.ts'
import { createRunPlaces } from './run-places.ts'

/** Long-running work: started, watched, cancelled, retried; its state outlives the process (spec §8.4). */
export interface Executions {
  /**
   * Starts the work of an admitted call and settles that call when the work ends. Answers at once, or, for a caller
   * that follows the progress, when it has ended. An admission starts one execution at most.
   */
  start(order: Order): Promise<ExecutionState | OperationFailure>
  /** Undefined where there is room for one more execution of this caller. */
  refuse(caller: Session): OperationFailure | undefined
  get(session: Session, id: string): Promise<ExecutionState | OperationFailure>
  /** Without what their work returned, which may be long. */
  list(session: Session): Promise<readonly ExecutionState[]>
  /** Tells the work to stop, in whatever process it runs, and answers with the state that follows within a second. */
  cancel(session: Session, id: string): Promise<ExecutionState | OperationFailure>
  /**
   * The call that a retry stands for: the operation that failed, with its parameters, from whoever retries it. It has
   * yet to pass the gate. Undefined when there is nothing to run again.
   */
  again(call: Bound): Bound | undefined
  /** Why there is nothing to run again. */
  refuseRetry(session: Session, id: string): Promise<OperationFailure>
  /** A retry whose handler ended without starting its work: the execution ends as the call did. */
  settle(about: About, call: Admitted, ending: Ending): Promise<void> | undefined
  /** SES-03: what a closing session leaves unfinished is cancelled. */
  endOf(session: Session): Promise<void>
  /** Is work of this session under way here? */
  isBusy(session: Session): boolean
  /** BLOCK-10: so is the work of whoever was stopped. */
  endWhere(stopOf: (session: Session) => OperationFailure | undefined): void
  close(): Promise<void>
}

export interface Order {
  readonly call: Admitted
  readonly about: About
  readonly work: Work
  /** What the work has told so far of its use of the API behind it. */
  readonly usage: () => ApiUsage | undefined
  /** Present when the caller waits for the end and follows the progress (PROG-01). */
  readonly watch?: Watcher
}

export interface Watcher {
  /** On a 100 scale, as PROG-04 maps a lifecycle. */
  readonly notify: (progress: number, total: number, message: string | undefined) => void
  readonly signal: AbortSignal
}

interface Run extends RunKey, Order {
  readonly controller: AbortController
  /** Sensitive values of the call; no error and no progress may repeat them (VAL-10). */
  readonly secrets: readonly string[]
  /** Its outcome is told once. */
  isSettled: boolean
  /** Its outcome was told. */
  readonly over: Promise<void>
  readonly markOver: () => void
  /** Its work has ended, or never began: another may take its place. */
  readonly leavePlace: () => void
}

interface Running {
  readonly run: Run
  /** The work has settled. */
  readonly ended: Promise<void>
}

/** How often work looks whether another process has cancelled it. */
const WATCH_MS = 250
/** How often a run looks whether its record is still its own. */
const BEAT_MS = 15_000
/** How long a cancellation waits for the work to confirm it; a little more than another process needs to hear of it. */
const CONFIRM_MS = 1_000
/** How long work that was told to stop may take; afterwards nobody knows what it still does. */
const GRACE_MS = 2_000
/** Calls of failed executions that can be made again, and how many characters their parameters may take together. */
const KEPT = { most: 1_000, room: 16_777_216 }
/** Of each principal so many that ended are remembered, and so many characters of what they left; the oldest ended make room. */
const MAX_REMEMBERED = 500
const MAX_LEFT_CHARS = 134_217_728
/** Looking for the oldest reads all of them, so it is not done for each that is started, but after so much of them. */
const TIDY_EVERY = 50
const TIDY_CHARS = 16_777_216
/** Read at once: records of earlier versions hold what their work returned. */
const PAGE = 20

/** Of one adapter: several may share a store, and none sees what another does. */
export function createExecutions(
  adapter: string,
  store: Store,
  clock: Clock,
  report: (cause: unknown, secrets?: readonly string[]) => string,
  stops: () => Pick<CallStops, 'among' | 'ofSession'>,
): Executions {
  const execution = (id: string) => executionRef(adapter, id)
  const running = new Map<string, Running>()
  const unsettled = new Set<Promise<void>>()
  const kept = createKeptCalls(KEPT)
  let isClosed = false
  const places = createRunPlaces(clock.now)
  /** By principal. */
  const started = new Map<string, number>()
  let leftSince = 0
  let watching: NodeJS.Timeout | undefined

  const launch = (run: Run): void => {
    run.controller.signal.addEventListener('abort', () => void giveUp(run, GRACE_MS), { once: true })
    const ended = perform(run).finally(() => {
      running.delete(run.id)
      run.leavePlace()
      if (running.size > 0) return
      clearInterval(watching)
      watching = undefined
    })
    running.set(run.id, { run, ended })
    watching ??= setInterval(() => void lookForOrders().catch(report), WATCH_MS).unref()
  }

  /** LIFE-02: what another process was asked to cancel. */
  const lookForOrders = async (): Promise<void> => {
    for (const { id } of await store.list(cancelKind(adapter))) {
      const here = running.get(id)
      if (here) abort(here.run.controller, CANCELLED)
    }
  }

  /** Never rejects: what the work throws is the execution's error. */
  const perform = async (run: Run): Promise<void> => {
    const { id, controller, secrets } = run
    const beat = setInterval(() => void look(run).catch(report), BEAT_MS)
    beat.unref()
    let notes: Promise<void> | undefined
    let latest: Progress | undefined
    /** What comes while one is being written is written next, the newest alone. */
    const note = async (): Promise<void> => {
      for (let noted: Progress | undefined; latest && noted !== latest; ) {
        noted = latest
        await updateRecord(store, execution(id), noteProgress(noted))
      }
    }
    const progress = (next: Progress): void => {
      if (controller.signal.aborted) return
      latest = plainProgress(next, secrets)
      run.watch?.notify(10 + 80 * shareOf(latest), 100, latest.message)
      notes ??= note()
        .catch((cause: unknown) => void report(cause))
        .finally(() => {
          notes = undefined
        })
    }
    const end = await endOfWork(run, progress)
    clearInterval(beat)
    await notes
    await settleRun(run, { ...end, ...(latest && { progress: latest }) })
  }

  const endOfWork = async (run: Run, progress: (next: Progress) => void): Promise<RunEnd> => {
    const { id, work, controller, secrets } = run
    try {
      const result = await work({ execution_id: id, signal: controller.signal, progress })
      if (isFailure(result)) return failed(run, keptError(maskError(result.error, secrets)))
      const plain = result === undefined ? undefined : plainJson(result)
      return ended(run, { to: 'completed', result: plain, ending: { outcome: 'success' } })
    } catch (cause) {
      return failed(run, controller.signal.aborted ? undefined : unexpected(cause, secrets))
    }
  }

  const unexpected = (cause: unknown, secrets: readonly string[]) =>
    fail('INTERNAL_ERROR', { description: `unexpected failure, reference ${report(cause, secrets)}` }).error

  const failed = (run: Run, error: ErrorDetail | undefined): RunEnd =>
    ended(run, {
      to: 'failed',
      ...(error && { error }),
      ending: { outcome: 'failure', ...(error && { code: error.code }) },
    })

  /**
   * With what was used. Work that was told to stop and failed has been cancelled; work that returned has run to its
   * end, and the trail says that the stop came too late.
   */
  const ended = ({ controller: { signal }, usage }: Run, end: RunEnd): RunEnd => {
    const used = usage()
    const more = used && { usage: used }
    if (!signal.aborted) return { ...end, ending: { ...end.ending, ...more } }
    if (end.to !== 'completed')
      return { to: 'cancelled', ending: { outcome: 'cancelled', reason: whyOf(signal), ...more } }
    return { ...end, ending: { ...end.ending, reason: `${whyOf(signal)}; too late, the work ran to its end`, ...more } }
  }

  /** The call is kept before anybody can see that it has failed. */
  const settleRun = async (run: Run, end: RunEnd): Promise<void> => {
    if (run.isSettled) return
    run.isSettled = true
    if (end.to === 'failed') remember(run, end)
    const write = async (): Promise<void> => {
      const record = await concludeRun(store, clock, run, end)
      if (record?.status !== 'failed') kept.drop(run.id)
      leftSince += record?.left_chars ?? 0
    }
    try {
      await write()
    } catch (cause) {
      report(cause)
      const trying = persist(write, () => isClosed).finally(() => unsettled.delete(trying))
      unsettled.add(trying)
    } finally {
      run.markOver()
    }
    if (leftSince >= TIDY_CHARS) await tidy(run.session.principal)
  }

  const tidy = async (principal: string): Promise<void> => {
    leftSince = 0
    await forgetOldest(store, adapter, principal).catch(report)
  }

  /** For the session that the work belongs to, which may have been made for it. */
  const remember = ({ id, call, session }: RunKey, { error }: RunEnd): void => {
    const { operation, target, params } = call
    if (!target.lifecycle?.supports_retry) return
    const { principal, owner } = session
    kept.keep(id, { operation, target, params, principal, owner, failedWith: error?.code ?? 'INTERNAL_ERROR' })
  }

  /** Work that does not stop when it is told to: what it still does, nobody knows. */
  const giveUp = async (run: Run, afterMs: number): Promise<void> => {
    if (afterMs > 0) await later(afterMs)
    const reason = `${whyOf(run.controller.signal)}; the work was told to stop and has not ended`
    const used = run.usage()
    const ending = { outcome: 'unknown', reason, ...(used && { usage: used }) } as const
    await settleRun(run, { to: 'cancelled', error: STILL_RUNS, ending })
  }

  /** Has another process ended it, because it took this one for dead? */
  const look = async ({ id, controller }: Run): Promise<void> => {
    const known = await store.get(execution(id))
    if (known?.status !== 'running') abort(controller, 'ended by another process')
  }

  /** Another's execution is unknown. The work of a process that is gone has ended with it (SESS-03). */
  const find = async (session: Session, id: string): Promise<ExecutionRecord | undefined> => {
    const known = await store.get(execution(id))
    return known && isTheirs(known, session) ? asItIs(known) : undefined
  }

  const asItIs = async (known: ExecutionRecord): Promise<ExecutionRecord> => {
    if (!isUnfinished(known) || running.has(known.execution_id)) return known
    return (await store.isGone(known.opener ?? '')) ? loseExecution(store, clock, adapter, known) : known
  }

  const current = async (session: Session, id: string): Promise<ExecutionState | OperationFailure> => {
    const known = await find(session, id)
    if (!known) return notFound(id)
    return stateOf(known, known.left_chars === undefined ? {} : await store.get(leftRef(adapter, id)))
  }

  /** Until their outcomes are told, within a limit: work that does not listen to its signal is waited for by nobody. */
  const settledWithin = async (runs: readonly Run[], ms: number): Promise<void> => {
    const isOver = new AbortController()
    await Promise.race([Promise.all(runs.map(({ over }) => over)), sleep(ms, isOver.signal)])
    isOver.abort()
  }

  /** An order for whatever process does the work; what has not begun is cancelled by it. */
  const orderCancel = (id: string): Promise<ExecutionRecord | OperationFailure> => {
    const refs = { execution: execution(id), order: cancelRef(adapter, id) }
    return store.update<typeof refs, ExecutionRecord | OperationFailure>(refs, (current) => {
      const now = clock.now()
      const { next, result } = requestCancel(id, now)(current.execution)
      const isOrdered = !isFailure(result) && result.status === 'running'
      return { next: { execution: next, ...(isOrdered && { order: { at: now } }) }, result }
    })
  }

  /** Has the process that does the work confirmed that it has ended? */
  const confirmed = async (session: Session, id: string): Promise<ExecutionState | OperationFailure> => {
    const here = running.get(id)
    if (here) {
      abort(here.run.controller, CANCELLED)
      await settledWithin([here.run], CONFIRM_MS)
      return current(session, id)
    }
    for (let waited = 0; waited < CONFIRM_MS; waited += CONFIRM_POLL_MS) {
      const known = await store.get(execution(id))
      if (!known || !isUnfinished(known)) break
      await sleep(CONFIRM_POLL_MS)
    }
    return current(session, id)
  }

  /** Written down, and begun unless its session or the server has ended meanwhile, or somebody has cancelled it. */
  const begin = async (run: Run): Promise<ExecutionState | OperationFailure> => {
    if (!run.call.retry) {
      await createRun(store, clock, run)
      const { principal } = run.session
      const count = started.get(principal) ?? 0
      started.set(principal, (count + 1) % TIDY_EVERY)
      if (count === 0) await tidy(principal)
    }
    const caller = { ...run.call, session: run.session }
    const known = await startRun(store, clock, run, (blocks) => stops().among(blocks, caller) !== undefined)
    // Nothing is awaited from here to the launch: whoever ends work later finds it among what runs.
    const stopped = stops().ofSession(run.session)
    const blocked = stopped ? stoppedBecause(stopped) : known === 'stopped' ? AGENT_STOPPED : undefined
    const why = isClosed ? STOPPED : (blocked ?? (run.session.signal.aborted ? SESSION_ENDED : undefined))
    if (known !== 'stopped' && known?.status === 'running' && why === undefined) {
      launch(run)
      return stateOf(known)
    }
    run.leavePlace()
    abort(run.controller, why ?? 'it was cancelled before it began')
    const ending = { outcome: 'cancelled', reason: whyOf(run.controller.signal), usage: NOTHING_SENT } as const
    await settleRun(run, { to: 'cancelled', ending })
    return current(run.session, run.id)
  }

  return {
    async start(order) {
      const { call, watch } = order
      if (!call.target.lifecycle)
        throw new Error(`operation '${call.operation}' has no lifecycle: it cannot start work`)
      const full = places.refuse(call.session)
      if (full) return full
      if (!takeOver(call)) throw new Error(`the call of '${call.operation}' has ended, or has started its work before`)
      const session = seated(call.session)
      const id = call.retry?.execution ?? idPrefix(session) + randomBytes(12).toString('base64url')
      const secrets = secretsOf(call.target, call.params)
      const run: Run = {
        ...order,
        id,
        session,
        secrets,
        ...unsettledRun(),
        leavePlace: places.take(session),
      }
      kept.drop(id)
      watch?.notify(0, 100, 'pending')
      let begun: ExecutionState | OperationFailure
      try {
        begun = await begin(run)
      } catch (cause) {
        run.leavePlace()
        const ending = { outcome: 'failure', code: 'INTERNAL_ERROR', usage: NOTHING_SENT } as const
        await settleRun(run, { to: 'failed', ending })
        throw cause
      }
      if (!watch) return begun
      await followed(run, watch.signal)
      watch.notify(100, 100, undefined)
      return current(session, id)
    },

    get: current,

    async list(session) {
      const own: ExecutionState[] = []
      for await (const value of executionsOf(store, adapter, visiblePrefix(session))) {
        if (!isTheirs(value, session)) continue
        const { result: _, ...state } = stateOf(await asItIs(value))
        own.push(state)
      }
      return own
    },

    async cancel(session, id) {
      const known = await find(session, id)
      if (!known) return notFound(id)
      if (known.supports_cancel === false && isUnfinished(known)) {
        return fail('CONFLICT_INVALID_STATE', { operation: 'cancel_execution', state: known.status, execution_id: id })
      }
      const ordered = await orderCancel(id)
      return isFailure(ordered) ? ordered : confirmed(session, id)
    },

    again(call) {
      const id = String(call.params.execution_id)
      const known = kept.get(id)
      if (!known || !isTheirs(known, call.session)) return undefined
      const { operation, target, params, failedWith } = known
      const claim = (held: unknown, intent: string, now: number) =>
        claimed(held as ExecutionRecord | undefined, { id, session: call.session, opener: store.opener, intent, now })
      const retry = { execution: id, failedWith, ref: execution(id), claim }
      return { ...call, operation, target, params, query: undefined, selection: undefined, retry }
    },

    async refuseRetry(session, id) {
      const known = await find(session, id)
      if (!known) return notFound(id)
      const step = { to: 'running', now: clock.now(), operation: 'retry_execution' } as const
      const { result } = transition(id, step)(known)
      if (isFailure(result) && known.status !== 'failed') return result
      const { operation } = known
      return fail('CONFLICT_INVALID_STATE', {
        operation: 'retry_execution',
        state: known.status,
        execution_id: id,
        reason: `'${operation}' supports no retry, or this server process does not hold its parameters; call '${operation}' again instead`,
      })
    },

    settle(about, call, ending) {
      if (!call.retry || !takeOver(call)) return undefined
      const id = call.retry.execution
      const secrets = secretsOf(call.target, call.params)
      const run = { id, call, session: call.session, about, secrets, ...unsettledRun(), leavePlace() {} }
      const { error = fail('INTERNAL_ERROR', { description: 'the operation failed before its work began' }).error } =
        ending
      const to = ending.outcome === 'success' ? 'completed' : 'failed'
      const end = { to, ending, ...(to === 'failed' && { error: keptError(maskError(error, run.secrets)) }) } as const
      return settleRun({ ...run, work: async () => undefined, usage: () => ending.usage }, end)
    },

    async endOf(session) {
      const theirs = [...running.values()].map(({ run }) => run).filter((run) => run.session.owner === session.owner)
      for (const { controller } of theirs) abort(controller, SESSION_ENDED)
      await settledWithin(theirs, CONFIRM_MS)
    },

    endWhere(stopOf) {
      for (const { run } of running.values()) {
        const stopped = stopOf(run.session)
        if (stopped) abort(run.controller, stoppedBecause(stopped))
      }
    },

    isBusy: ({ owner }) => places.has(owner),
    refuse: places.refuse,

    async close() {
      isClosed = true
      const left = [...running.values()].map(({ run }) => run)
      for (const { controller } of left) abort(controller, STOPPED)
      await settledWithin(left, GRACE_MS)
      await Promise.all(left.map((run) => giveUp(run, 0)))
      await Promise.all(unsettled)
      clearInterval(watching)
    },
  }
}

const SESSION_ENDED = 'its session has ended'
const STOPPED = 'the server was stopped'
const AGENT_STOPPED = 'its agent was stopped'
const CANCELLED = 'cancelled by its caller'
const CONFIRM_POLL_MS = 50

/** The trail says the same: an outcome that nobody knows. */
const STILL_RUNS = fail('INTERNAL_ERROR', {
  description: 'the work was told to stop and has not ended; whether it took effect is not known',
  cause_code: 'CANCELLED',
}).error

/** RATE-03. */
const NOTHING_SENT = { requests: 0 }

interface Claim {
  readonly id: string
  readonly session: Session
  readonly opener: string
  readonly intent: string
  readonly now: number
}

/** LIFE-02: from failed to running, under the intent that admits it. From now on it is the retrying session's. */
function claimed(known: ExecutionRecord | undefined, { id, session, opener, intent, now }: Claim) {
  if (!known || !isTheirs(known, session)) return notFound(id)
  const step = { to: 'running', now, operation: 'retry_execution', supportsRetry: true } as const
  const { result } = transition(id, step)(known)
  if (isFailure(result)) return result
  return { ...result, owner: session.owner, opener, intent, attempt: (known.attempt ?? 1) + 1 }
}

function abort(controller: AbortController, why: string): void {
  controller.abort(new Error('cancelled', { cause: why }))
}

function whyOf({ reason }: AbortSignal): string {
  return reason instanceof Error && typeof reason.cause === 'string' ? reason.cause : 'cancelled'
}

function unsettledRun(): Pick<Run, 'controller' | 'isSettled' | 'over' | 'markOver'> {
  let markOver = (): void => {}
  const over = new Promise<void>((resolve) => {
    markOver = resolve
  })
  return { controller: new AbortController(), isSettled: false, over, markOver }
}

/** Until the outcome is told, for a caller that waits for it; when the caller leaves, the work is told to stop. */
async function followed({ controller, over }: Run, caller: AbortSignal): Promise<void> {
  let leave = (): void => {}
  const left = new Promise<void>((resolve) => {
    leave = () => {
      abort(controller, leftBecause(caller))
      resolve()
    }
  })
  caller.addEventListener('abort', leave, { once: true })
  if (caller.aborted) leave() // while the record was being written
  await Promise.race([over, left])
  caller.removeEventListener('abort', leave)
}

/** Why the call of a caller that followed the work has ended. */
function leftBecause({ reason }: AbortSignal): string {
  if (!(reason instanceof Error)) return 'its caller has left'
  if (typeof reason.cause === 'string') return reason.cause
  return reason.message === 'time-out' ? 'it took too long' : 'its caller has left'
}

/** Keeps no process alive. */
function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

/** Page by page: others have their turns between two of them, and no more than one is in memory. */
async function* executionsOf(store: Store, adapter: string, prefix: string): AsyncGenerator<ExecutionRecord> {
  let after: string | undefined
  for (;;) {
    const options = { prefix, limit: PAGE, ...(after !== undefined && { after }) }
    const page: readonly StoredRecord<ExecutionRecord>[] = await store.list(executionKind(adapter), options)
    for (const { value } of page) yield value
    if (page.length < PAGE) return
    after = page.at(-1)?.id
    await nextTurn()
  }
}

async function forgetOldest(store: Store, adapter: string, principal: string): Promise<void> {
  const ended: Remembered[] = []
  for await (const each of executionsOf(store, adapter, principalPrefix(principal))) {
    if (each.finished_at !== undefined && each.principal === principal) ended.push(rememberedOf(each))
  }
  const tooMany = new Set(surplusOf(ended, ended.length - MAX_REMEMBERED))
  const others = ended.filter((each) => !tooMany.has(each))
  const chars = others.reduce((sum, each) => sum + each.chars, 0)
  const tooLong = surplusOf(others, chars - MAX_LEFT_CHARS, (each) => each.chars)
  for (const { execution_id } of [...tooMany, ...tooLong]) {
    const refs = { execution: executionRef(adapter, execution_id), left: leftRef(adapter, execution_id) }
    await store.update<typeof refs, void>(refs, () => ({
      next: { execution: undefined, left: undefined },
      result: undefined,
    }))
  }
}

type Remembered = Pick<ExecutionRecord, 'execution_id' | 'principal' | 'owner' | 'created_at' | 'finished_at'> & {
  /** What its end has left takes so much room. */
  readonly chars: number
}

function rememberedOf(known: ExecutionRecord): Remembered {
  const { execution_id, principal, owner, created_at, finished_at, left_chars, result } = known
  const chars = left_chars ?? (result === undefined ? 0 : jsonText(result).length)
  return { execution_id, principal, owner, created_at, ...(finished_at && { finished_at }), chars }
}

/** As the store keeps it and its caller reads it: without credentials (AUDIT-06). */
function keptError(error: ErrorDetail): ErrorDetail {
  return redactTexts(plainJson(error)) as ErrorDetail
}

/** LIFE-04: of what the work says, what can be written down. */
function plainProgress({ percentage, current, total, message }: Progress, secrets: readonly string[]): Progress {
  return {
    ...(Number.isFinite(percentage) && { percentage: percentage as number }),
    ...(Number.isFinite(current) && { current: current as number }),
    ...(Number.isFinite(total) && { total: total as number }),
    ...(typeof message === 'string' && { message: redactBeginning(maskText(message, secrets), MAX_MESSAGE_CHARS) }),
  }
}

const MAX_MESSAGE_CHARS = 1_000

function shareOf({ percentage, current, total }: Progress): number {
  const share = percentage !== undefined ? percentage / 100 : current !== undefined && total ? current / total : 0
  return Math.min(1, Math.max(0, share))
}
