import { randomBytes } from 'node:crypto'
import { fail } from '../../protocol/errors.ts'
import type { ExecutionState, Progress } from '../../protocol/lifecycle.ts'
import { type ErrorDetail, isFailure, type OperationFailure } from '../../protocol/result.ts'
import type { Bound } from '../call.ts'
import { type Admitted, takeOver } from '../gatekeeper/admit.ts'
import type { About } from '../gatekeeper/audit-entries.ts'
import type { CallStops } from '../gatekeeper/gate.ts'
import type { Ending } from '../gatekeeper/intent.ts'
import { persist, sleep } from '../gatekeeper/persist.ts'
import type { Clock } from '../ports/clock.ts'
import { record, type Store, updateRecord } from '../ports/store.ts'
import { plainJson } from '../registry/json-text.ts'
import type { ApiUsage, Work } from '../registry/operation.ts'
import { maskError, maskText, secretsOf } from '../registry/secrets.ts'
import { type Session, seated } from '../session.ts'
import { createKeptCalls } from './kept-calls.ts'
import {
  type ExecutionRecord,
  executionKind,
  executionRef,
  isUnfinished,
  noteProgress,
  notFound,
  stateOf,
  transition,
} from './lifecycle.ts'
import { idPrefix, isTheirs, principalPrefix, surplusOf, visiblePrefix } from './ownership.ts'
import { loseExecution } from './recover.ts'
import { concludeRun, createRun, type RunEnd, type RunKey, startRun } from './run-commits.ts'

/** Long-running work: started, watched, cancelled, retried; its state outlives the process (spec §8.4). */
export interface Executions {
  /**
   * Starts the work of an admitted call and settles that call when the work ends. Answers at once, or, for a caller
   * that follows the progress, when it has ended. An admission starts one execution at most.
   */
  start(order: Order): Promise<ExecutionState | OperationFailure>
  get(session: Session, id: string): Promise<ExecutionState | OperationFailure>
  list(session: Session): Promise<readonly ExecutionState[]>
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
  endWhere(concerns: (session: Session) => boolean): Promise<void>
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
}

interface Running {
  readonly run: Run
  /** The work has settled. */
  readonly ended: Promise<void>
}

/** How often a run looks whether another process has cancelled it. */
const BEAT_MS = 15_000
/** How long work that was told to stop may take; afterwards nobody knows what it still does. */
const GRACE_MS = 2_000
/** Calls of failed executions that can be made again, and how many characters their parameters may take together. */
const KEPT = { most: 1_000, room: 16_777_216 }
/** Of each principal so many are remembered; the oldest that have ended make room. */
const MAX_REMEMBERED = 500
/** Looking for the oldest reads all of them, so it is not done for each that is started. */
const TIDY_EVERY = 50

/** Of one adapter: several may share a store, and none sees what another does. */
export function createExecutions(
  adapter: string,
  store: Store,
  clock: Clock,
  report: (cause: unknown, secrets?: readonly string[]) => string,
  stops: () => Pick<CallStops, 'among' | 'ofSession'>,
): Executions {
  const kind = executionKind(adapter)
  const execution = (id: string) => executionRef(adapter, id)
  const running = new Map<string, Running>()
  const unsettled = new Set<Promise<void>>()
  const kept = createKeptCalls(KEPT)
  let isClosed = false
  let started = 0

  const launch = (run: Run): void => {
    run.controller.signal.addEventListener('abort', () => void giveUp(run, GRACE_MS), { once: true })
    const ended = perform(run).finally(() => running.delete(run.id))
    running.set(run.id, { run, ended })
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
      if (isFailure(result)) return failed(run, plainJson(maskError(result.error, secrets)) as ErrorDetail)
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

  /** With what was used; and where the work was told to stop, it has been cancelled. */
  const ended = ({ controller: { signal }, usage }: Run, end: RunEnd): RunEnd => {
    const used = usage()
    const more = used && { usage: used }
    if (!signal.aborted) return { ...end, ending: { ...end.ending, ...more } }
    return { to: 'cancelled', ending: { outcome: 'cancelled', reason: whyOf(signal), ...more } }
  }

  /** The call is kept before anybody can see that it has failed. */
  const settleRun = async (run: Run, end: RunEnd): Promise<void> => {
    if (run.isSettled) return
    run.isSettled = true
    if (end.to === 'failed') remember(run, end)
    const write = async (): Promise<void> => {
      const record = await concludeRun(store, clock, run, end)
      if (record?.status !== 'failed') kept.drop(run.id)
    }
    try {
      await write()
    } catch (cause) {
      report(cause)
      const trying = persist(write, () => isClosed).finally(() => unsettled.delete(trying))
      unsettled.add(trying)
    }
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
    await settleRun(run, { to: 'cancelled', ending: { outcome: 'unknown', reason, ...(used && { usage: used }) } })
  }

  /** Has another process cancelled it? */
  const look = async ({ id, controller }: Run): Promise<void> => {
    const known = await store.get(execution(id))
    if (known?.status !== 'running') abort(controller, 'cancelled by another process')
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
    return known ? stateOf(known) : notFound(id)
  }

  /** The work is told whether or not its record can be written. */
  const end = async ({ run }: Running, why: string): Promise<void> => {
    await stop(run.id, run.call.operation, why).catch(report)
    abort(run.controller, why)
  }

  const endWhere = async (concerns: (session: Session) => boolean, why: string): Promise<void> => {
    const theirs = [...running.values()].filter(({ run }) => concerns(run.session))
    await Promise.all(theirs.map((each) => end(each, why)))
  }

  const stop = async (id: string, operation: string, why: string): Promise<ExecutionRecord | OperationFailure> => {
    const step = { to: 'cancelled', now: clock.now(), operation } as const
    const moved = await updateRecord(store, execution(id), transition(id, step))
    const here = running.get(id)
    if (!isFailure(moved) && here) abort(here.run.controller, why)
    return moved
  }

  /** Written down, and begun unless its session or the server has ended meanwhile, or somebody has cancelled it. */
  const begin = async (run: Run): Promise<ExecutionState | OperationFailure> => {
    if (!run.call.retry) {
      await createRun(store, clock, run)
      if (started++ % TIDY_EVERY === 0) await forgetOldest(store, kind, run.session.principal)
    }
    const caller = { ...run.call, session: run.session }
    const known = await startRun(store, clock, run, (blocks) => stops().among(blocks, caller) !== undefined)
    // Nothing is awaited from here to the launch: whoever ends work later finds it among what runs.
    const isStopped = known === 'stopped' || stops().ofSession(run.session) !== undefined
    const why = isClosed ? STOPPED : isStopped ? BLOCKED : run.session.signal.aborted ? SESSION_ENDED : undefined
    if (known !== 'stopped' && known?.status === 'running' && why === undefined) {
      launch(run)
      return stateOf(known)
    }
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
      if (!takeOver(call)) throw new Error(`the call of '${call.operation}' has ended, or has started its work before`)
      const session = seated(call.session)
      const id = call.retry?.execution ?? idPrefix(session) + randomBytes(12).toString('base64url')
      const secrets = secretsOf(call.target, call.params)
      const run: Run = { ...order, id, session, secrets, controller: new AbortController(), isSettled: false }
      kept.drop(id)
      watch?.notify(0, 100, 'pending')
      let begun: ExecutionState | OperationFailure
      try {
        begun = await begin(run)
      } catch (cause) {
        const ending = { outcome: 'failure', code: 'INTERNAL_ERROR', usage: NOTHING_SENT } as const
        await settleRun(run, { to: 'failed', ending })
        throw cause
      }
      if (!watch) return begun
      const leave = () => void stop(id, call.operation, leftBecause(watch.signal)).catch(report)
      if (watch.signal.aborted)
        leave() // while the record was being written
      else watch.signal.addEventListener('abort', leave, { once: true })
      await overOf(running.get(id))
      watch.signal.removeEventListener('abort', leave)
      watch.notify(100, 100, undefined)
      return current(session, id)
    },

    get: current,

    async list(session) {
      const records = await store.list<ExecutionRecord>(kind, {
        prefix: visiblePrefix(session),
        limit: 2 * MAX_REMEMBERED,
      })
      const own = records.filter(({ value }) => isTheirs(value, session))
      return Promise.all(own.map(async ({ value }) => stateOf(await asItIs(value))))
    },

    async cancel(session, id) {
      const known = await find(session, id)
      if (!known) return notFound(id)
      if (running.get(id)?.run.call.target.lifecycle?.supports_cancel === false) {
        return fail('CONFLICT_INVALID_STATE', { operation: 'cancel_execution', state: known.status, execution_id: id })
      }
      const moved = await stop(id, 'cancel_execution', 'cancelled by its caller')
      return isFailure(moved) ? moved : stateOf(moved)
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
      const controller = new AbortController()
      const secrets = secretsOf(call.target, call.params)
      const run = { id, call, session: call.session, about, controller, secrets, isSettled: false }
      const { error = fail('INTERNAL_ERROR', { description: 'the operation failed before its work began' }).error } =
        ending
      const to = ending.outcome === 'success' ? 'completed' : 'failed'
      const end = { to, ending, ...(to === 'failed' && { error: maskError(error, run.secrets) }) } as const
      return settleRun({ ...run, work: async () => undefined, usage: () => ending.usage }, end)
    },

    endOf: (session) => endWhere(({ owner }) => owner === session.owner, SESSION_ENDED),
    endWhere: (concerns) => endWhere(concerns, BLOCKED),

    isBusy: ({ owner }) => [...running.values()].some(({ run }) => run.session.owner === owner),

    async close() {
      isClosed = true
      const left = [...running.values()]
      await Promise.all(left.map((each) => end(each, STOPPED)))
      const over = new AbortController()
      await Promise.race([Promise.all(left.map((each) => each.ended)), sleep(GRACE_MS, over.signal)])
      over.abort()
      await Promise.all(left.map(({ run }) => giveUp(run, 0)))
      await Promise.all(unsettled)
    },
  }
}

const SESSION_ENDED = 'its session has ended'
const STOPPED = 'the server was stopped'
const BLOCKED = 'an operator has stopped its caller'

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

/** A caller that followed the work. */
function leftBecause({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.message === 'time-out' ? 'it took too long' : 'its caller has left'
}

/** Keeps no process alive. */
function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

/** Ended, or cancelled: work that does not listen to its signal is waited for by nobody. */
function overOf(running: Running | undefined): Promise<unknown> {
  if (!running || running.run.controller.signal.aborted) return Promise.resolve()
  const { signal } = running.run.controller
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return Promise.race([running.ended, aborted])
}

async function forgetOldest(store: Store, kind: string, principal: string): Promise<void> {
  const prefix = principalPrefix(principal)
  const records = (await store.list<ExecutionRecord>(kind, { prefix })).map(({ value }) => value)
  if (records.length <= MAX_REMEMBERED) return
  const ended = records.filter((each) => each.finished_at !== undefined && each.principal === principal)
  for (const { execution_id } of surplusOf(ended, records.length - MAX_REMEMBERED)) {
    await updateRecord(store, record(kind, execution_id), () => ({ next: undefined, result: undefined }))
  }
}

/** LIFE-04: of what the work says, what can be written down. */
function plainProgress({ percentage, current, total, message }: Progress, secrets: readonly string[]): Progress {
  return {
    ...(Number.isFinite(percentage) && { percentage: percentage as number }),
    ...(Number.isFinite(current) && { current: current as number }),
    ...(Number.isFinite(total) && { total: total as number }),
    ...(typeof message === 'string' && { message: maskText(message, secrets) }),
  }
}

function shareOf({ percentage, current, total }: Progress): number {
  const share = percentage !== undefined ? percentage / 100 : current !== undefined && total ? current / total : 0
  return Math.min(1, Math.max(0, share))
}
