import { createHash, randomBytes } from 'node:crypto'
import { fail } from '../../protocol/errors.ts'
import type { ExecutionState, Progress } from '../../protocol/lifecycle.ts'
import { type ErrorDetail, isFailure, type OperationFailure } from '../../protocol/result.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store, updateRecord } from '../ports/store.ts'
import { plainJson } from '../registry/json-text.ts'
import type { Work } from '../registry/operation.ts'
import { maskError, maskText } from '../registry/secrets.ts'
import type { Session } from '../session.ts'
import { type ExecutionRecord, noteProgress, notFound, stateOf, transition } from './lifecycle.ts'

/** Long-running work: started, watched, cancelled, retried; its state outlives the process (spec §8.4). */
export interface Executions {
  /** Starts the work. Answers at once, or, for a caller that follows the progress, when it has ended. */
  start(order: Order): Promise<ExecutionState | OperationFailure>
  get(session: Session, id: string): Promise<ExecutionState | OperationFailure>
  list(session: Session): Promise<readonly ExecutionState[]>
  cancel(session: Session, id: string): Promise<ExecutionState | OperationFailure>
  retry(session: Session, id: string): Promise<ExecutionState | OperationFailure>
  /** SES-03: what a closing session leaves unfinished is cancelled. */
  endOf(session: Session): Promise<void>
  close(): Promise<void>
}

export interface Order {
  readonly operation: string
  readonly session: Session
  readonly work: Work
  /** Sensitive values of the call that started it; no error and no progress may repeat them (VAL-10). */
  readonly secrets: readonly string[]
  readonly supportsCancel: boolean
  readonly supportsRetry: boolean
  /** Present when the caller waits for the end and follows the progress (PROG-01). */
  readonly watch?: Watcher
}

export interface Watcher {
  /** On a 100 scale, as PROG-04 maps a lifecycle. */
  readonly notify: (progress: number, total: number, message: string | undefined) => void
  readonly signal: AbortSignal
}

interface Running {
  readonly order: Order
  readonly controller: AbortController
  /** The work has settled. */
  readonly ended: Promise<void>
}

const LEASE_MS = 60_000
const BEAT_MS = 15_000
/** Failed work that can be tried again; only its own process still holds the closure. */
const MAX_RETRYABLE = 100
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
): Executions {
  const kind = `execution:${adapter}`
  const execution = (id: string): RecordRef<ExecutionRecord> => record(kind, id)
  const running = new Map<string, Running>()
  const retryable = new Map<string, Order>()
  let isClosed = false
  let started = 0

  const launch = (id: string, order: Order): void => {
    const controller = new AbortController()
    const ended = perform(id, order, controller).finally(() => running.delete(id))
    running.set(id, { order, controller, ended })
  }

  /** Never rejects: what the work throws is the execution's error. */
  const perform = async (id: string, order: Order, controller: AbortController): Promise<void> => {
    const beat = setInterval(() => void touch(id, controller).catch(report), BEAT_MS)
    beat.unref()
    let notes: Promise<void> | undefined
    let latest: Progress | undefined
    /** What comes while one is being written is written next, the newest alone. */
    const note = async (): Promise<void> => {
      for (let noted: Progress | undefined; latest && noted !== latest; ) {
        noted = latest
        await updateRecord(store, execution(id), noteProgress(noted, clock.now() + LEASE_MS))
      }
    }
    const progress = (next: Progress): void => {
      if (controller.signal.aborted) return
      latest = plainProgress(next, order.secrets)
      order.watch?.notify(10 + 80 * shareOf(latest), 100, latest.message)
      notes ??= note()
        .catch((cause: unknown) => void report(cause))
        .finally(() => {
          notes = undefined
        })
    }
    try {
      const result = await order.work({ execution_id: id, signal: controller.signal, progress })
      await notes
      if (isFailure(result)) {
        const error = plainJson(maskError(result.error, order.secrets)) as ErrorDetail
        await finish(id, order, { to: 'failed', error, progress: latest })
      } else {
        const plain = result === undefined ? undefined : plainJson(result)
        await finish(id, order, { to: 'completed', result: plain, progress: latest })
      }
    } catch (cause) {
      await notes
      if (controller.signal.aborted) return
      const error = unexpected(cause, order)
      await finish(id, order, { to: 'failed', error, progress: latest }).catch(report)
    } finally {
      clearInterval(beat)
    }
  }

  const unexpected = (cause: unknown, { secrets }: Order) =>
    fail('INTERNAL_ERROR', { description: `unexpected failure, reference ${report(cause, secrets)}` }).error

  const finish = async (
    id: string,
    order: Order,
    end: {
      readonly to: 'completed' | 'failed'
      readonly result?: unknown
      readonly error?: ErrorDetail
      readonly progress: Progress | undefined
    },
  ): Promise<void> => {
    const { progress, ...rest } = end
    await updateRecord(
      store,
      execution(id),
      transition(id, { ...rest, ...(progress && { progress }), now: clock.now(), operation: order.operation }),
    )
    if (end.to === 'failed' && order.supportsRetry) remember(id, order)
  }

  const remember = (id: string, order: Order): void => {
    const { watch: _, ...again } = order
    retryable.set(id, again)
    const oldest = retryable.keys().next().value
    if (retryable.size > MAX_RETRYABLE && oldest !== undefined) retryable.delete(oldest)
  }

  /** Renews the lease, unless another process has cancelled the execution. */
  const touch = async (id: string, controller: AbortController): Promise<void> => {
    const isRunning = await updateRecord(store, execution(id), (current) =>
      current?.status === 'running'
        ? { next: { ...current, leaseUntil: clock.now() + LEASE_MS }, result: true }
        : { next: current, result: false },
    )
    if (!isRunning) controller.abort(new Error('cancelled'))
  }

  /** Only the principal that started it may see it; another's is unknown. Silent work of a dead process has failed. */
  const find = async (session: Session, id: string): Promise<ExecutionRecord | undefined> => {
    const record = await store.get(execution(id))
    if (record?.principal !== session.principal) return undefined
    return isLost(record) ? lost(record) : record
  }

  const isLost = (record: ExecutionRecord) =>
    (record.status === 'running' || record.status === 'pending') &&
    !running.has(record.execution_id) &&
    record.leaseUntil < clock.now()

  const lost = async (record: ExecutionRecord): Promise<ExecutionRecord> => {
    const { error } = fail('INTERNAL_ERROR', {
      description: 'the server ended before the work did',
      cause_code: 'LOST',
    })
    const id = record.execution_id
    const to = record.status === 'pending' ? 'cancelled' : 'failed'
    const moved = await updateRecord(
      store,
      execution(id),
      transition(id, { to, now: clock.now(), operation: record.operation, error }),
    )
    return isFailure(moved) ? record : moved
  }

  const current = async (session: Session, id: string): Promise<ExecutionState | OperationFailure> => {
    const record = await find(session, id)
    return record ? stateOf(record) : notFound(id)
  }

  /** The work is told whether or not its record can be written. */
  const end = async ([id, { order, controller }]: [string, Running]): Promise<void> => {
    await stop(id, order.operation).catch(report)
    controller.abort(new Error('cancelled'))
  }

  /** Its session, or the server, may have ended while the record was being written: then it does not begin. */
  const begin = async (id: string, order: Order, record: ExecutionRecord) => {
    if (!isClosed && !order.session.signal.aborted) {
      launch(id, order)
      return stateOf(record)
    }
    const stopped = await stop(id, order.operation)
    return isFailure(stopped) ? stopped : stateOf(stopped)
  }

  const stop = async (id: string, operation: string): Promise<ExecutionRecord | OperationFailure> => {
    const moved = await updateRecord(
      store,
      execution(id),
      transition(id, { to: 'cancelled', now: clock.now(), operation }),
    )
    if (!isFailure(moved)) running.get(id)?.controller.abort(new Error('cancelled'))
    return moved
  }

  return {
    async start(order) {
      const id = prefixOf(order.session.principal) + randomBytes(12).toString('base64url')
      const now = clock.now()
      const { operation, session, watch } = order
      const begun: ExecutionRecord = {
        execution_id: id,
        operation,
        principal: session.principal,
        owner: session.owner,
        status: 'pending',
        created_at: new Date(now).toISOString(),
        leaseUntil: now + LEASE_MS,
      }
      await updateRecord(store, execution(id), () => ({ next: begun, result: undefined }))
      if (started++ % TIDY_EVERY === 0) await forgetOldest(store, kind, session.principal)
      watch?.notify(0, 100, 'pending')
      const moved = await updateRecord(
        store,
        execution(id),
        transition(id, { to: 'running', now: clock.now(), operation }),
      )
      if (isFailure(moved)) return moved
      const answer = await begin(id, order, moved)
      if (!watch) return answer
      const leave = () => void stop(id, operation).catch(report)
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
        prefix: prefixOf(session.principal),
        limit: 2 * MAX_REMEMBERED,
      })
      const own = records.filter(({ value }) => value.principal === session.principal)
      return Promise.all(own.map(async ({ value }) => stateOf(isLost(value) ? await lost(value) : value)))
    },

    async cancel(session, id) {
      const record = await find(session, id)
      if (!record) return notFound(id)
      if (running.get(id)?.order.supportsCancel === false) {
        return fail('CONFLICT_INVALID_STATE', { operation: 'cancel_execution', state: record.status, execution_id: id })
      }
      const moved = await stop(id, 'cancel_execution')
      return isFailure(moved) ? moved : stateOf(moved)
    },

    async retry(session, id) {
      const record = await find(session, id)
      const order = retryable.get(id)
      if (!record) return notFound(id)
      const step = {
        to: 'running',
        now: clock.now(),
        operation: 'retry_execution',
        supportsRetry: order !== undefined,
      } as const
      const moved = await updateRecord(
        store,
        execution(id),
        transition(id, { ...step, leaseUntil: clock.now() + LEASE_MS }),
      )
      if (isFailure(moved) || !order) return isFailure(moved) ? moved : notFound(id)
      retryable.delete(id)
      return begin(id, { ...order, session }, moved)
    },

    async endOf(session) {
      for (const entry of [...running]) if (entry[1].order.session.owner === session.owner) await end(entry)
    },

    async close() {
      isClosed = true
      const ending = [...running]
      for (const entry of ending) await end(entry)
      await Promise.race([
        Promise.all(ending.map(([, { ended }]) => ended)),
        new Promise((resolve) => setTimeout(resolve, 2_000).unref()),
      ])
    },
  }
}

/** Ended, or cancelled: work that does not listen to its signal is waited for by nobody. */
function overOf(run: Running | undefined): Promise<unknown> {
  if (!run || run.controller.signal.aborted) return Promise.resolve()
  const aborted = new Promise((resolve) => run.controller.signal.addEventListener('abort', resolve, { once: true }))
  return Promise.race([run.ended, aborted])
}

/** The ids of one principal stand together in the store. */
function prefixOf(principal: string): string {
  return `exec_${createHash('sha256').update(principal).digest('base64url').slice(0, 4)}`
}

async function forgetOldest(store: Store, kind: string, principal: string): Promise<void> {
  const records = await store.list<ExecutionRecord>(kind, { prefix: prefixOf(principal), limit: 2 * MAX_REMEMBERED })
  if (records.length <= MAX_REMEMBERED) return
  const ended = records.filter(({ value }) => value.finished_at !== undefined && value.principal === principal)
  ended.sort((a, b) => a.value.created_at.localeCompare(b.value.created_at))
  for (const { id } of ended.slice(0, records.length - MAX_REMEMBERED)) {
    await updateRecord(store, record(kind, id), () => ({ next: undefined, result: undefined }))
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
