import type { Progress } from '../../protocol/lifecycle.ts'
import { type ErrorDetail, isFailure } from '../../protocol/result.ts'
import type { Admitted } from '../gatekeeper/admit.ts'
import { type About, startedEntry } from '../gatekeeper/audit-entries.ts'
import { type Ending, intentRef, settled, settleRefs } from '../gatekeeper/intent.ts'
import { requestRef } from '../gatekeeper/request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { jsonText } from '../registry/json-text.ts'
import type { Session } from '../session.ts'
import { type OpenBlocks, openBlocksRef } from '../verification/block.ts'
import { cancelRef, type ExecutionRecord, executionRef, type LeftByRun, leftRef, transition } from './lifecycle.ts'

/** One run of one execution, under the admission that was made for it. */
export interface RunKey {
  readonly id: string
  readonly call: Admitted
  /** Whose run it is: the caller's session, or the one that was made for it. */
  readonly session: Session
  readonly about: About
}

/** How a run ended, for the execution and for the trail. */
export interface RunEnd {
  readonly to: 'completed' | 'failed' | 'cancelled'
  readonly result?: unknown
  readonly error?: ErrorDetail
  readonly progress?: Progress
  readonly ending: Ending
}

/** From here on the intent names the execution: whoever finds one of them after a crash finds both. */
export function createRun(store: Store, clock: Clock, { id, call, session, about }: RunKey): Promise<void> {
  const { intent = 'none' } = call.permit ?? {}
  const { principal, owner } = session
  const refs = { execution: executionRef(about.adapter, id), intent: intentRef(intent) }
  return store.update<typeof refs, void>(refs, (current) => {
    const begun: ExecutionRecord = {
      execution_id: id,
      operation: call.operation,
      principal,
      owner,
      status: 'pending',
      created_at: new Date(clock.now()).toISOString(),
      opener: store.opener,
      intent,
      attempt: 1,
      ...(call.target.lifecycle?.supports_cancel === false && { supports_cancel: false as const }),
    }
    const next = current.intent && { intent: { ...current.intent, execution: id } }
    return { next: { execution: begun, ...next }, result: undefined }
  })
}

/**
 * Returns the record; it is not `running` when somebody has cancelled it meanwhile. A retry was moved when it was
 * admitted. Nothing begins after the commit of a stop (BLOCK-10).
 */
export function startRun(
  store: Store,
  clock: Clock,
  key: RunKey,
  isStopped: (blocks: OpenBlocks | undefined) => boolean,
): Promise<ExecutionRecord | 'stopped' | undefined> {
  const { id, call, about } = key
  const permit = call.permit ?? {}
  const refs = {
    execution: executionRef(about.adapter, id),
    request: requestRef(permit.request ?? 'none'),
    blocks: openBlocksRef(),
  }
  return store.update<typeof refs, ExecutionRecord | 'stopped' | undefined>(refs, ({ execution, request, blocks }) => {
    if (isStopped(blocks)) return { result: 'stopped' }
    const now = clock.now()
    const step = { to: 'running', now, operation: call.operation } as const
    const moved =
      isOurs(execution, key) && execution?.status === 'pending' ? transition(id, step)(execution).next : execution
    if (!isOurs(moved, key) || moved?.status !== 'running') return { result: moved }
    return {
      next: { execution: moved, ...(request && { request: { ...request, outcome: 'started' } }) },
      audit: [startedEntry(about, permit, id, now)],
      result: moved,
    }
  })
}

/** One commit: the execution has ended, and the trail, the quota and the approval are told how. */
export function concludeRun(
  store: Store,
  clock: Clock,
  key: RunKey,
  end: RunEnd,
): Promise<ExecutionRecord | undefined> {
  const { id, call, about } = key
  const permit = call.permit ?? {}
  const refs = {
    ...settleRefs(about.adapter, permit),
    execution: executionRef(about.adapter, id),
    left: leftRef(about.adapter, id),
    order: cancelRef(about.adapter, id),
  }
  const { left, ...step } = withoutLong(end)
  return store.update<typeof refs, ExecutionRecord | undefined>(refs, ({ execution, order, left: before, ...open }) => {
    const now = clock.now()
    const moved = isOurs(execution, key) ? ended(execution, step, now) : execution
    const { next, audit } = settled(open, { about, permit, ending: end.ending }, now)
    const hasMoved = moved !== execution
    return {
      next: {
        ...next,
        ...(hasMoved && { execution: moved }),
        ...(hasMoved && (left || before) && { left }),
        ...(order && { order: undefined }),
      },
      audit,
      result: moved,
    }
  })
}

interface StoredEnd extends Omit<RunEnd, 'result'> {
  readonly left_chars?: number
  readonly left?: LeftByRun
}

/** What may be long is apart from the record of the execution. */
function withoutLong({ result, error, ...end }: RunEnd): StoredEnd {
  const isLong = error !== undefined && jsonText(error).length > MAX_ERROR_CHARS
  if (result === undefined && !isLong) return { ...end, ...(error && { error }) }
  const left = { ...(result !== undefined && { result }), ...(error && { error }) }
  const brief = error && { code: error.code, message: `${error.message.slice(0, MAX_ERROR_CHARS).toWellFormed()}…` }
  return { ...end, ...(brief && { error: isLong ? brief : error }), left, left_chars: jsonText(left).length }
}

/** Of an error in the record of an execution, in characters. */
const MAX_ERROR_CHARS = 1_000

/** Another run of the same execution is none of this one's business. */
function isOurs(execution: ExecutionRecord | undefined, { call }: RunKey): boolean {
  return execution !== undefined && execution.intent === (call.permit?.intent ?? 'none')
}

function ended(
  record: ExecutionRecord | undefined,
  end: Omit<StoredEnd, 'left'>,
  now: number,
): ExecutionRecord | undefined {
  if (!record) return record
  const { ending: _, to, ...rest } = end
  const step = {
    ...rest,
    to: record.status === 'pending' ? 'cancelled' : to,
    now,
    operation: record.operation,
  } as const
  const { result, next } = transition(record.execution_id, step)(record)
  return isFailure(result) ? record : next
}
