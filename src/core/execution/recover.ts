import { isFailure } from '../../protocol/result.ts'
import { type Intent, intentRef, outcomeEntry, unknownRef } from '../gatekeeper/intent.ts'
import { requestRef } from '../gatekeeper/request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { cancelRef, type ExecutionRecord, executionRef, isUnfinished, LOST, transition } from './lifecycle.ts'

/**
 * Before the first request: what processes that are gone have left open ends. The outcome is told as unknown and never
 * repeated, and an execution has failed (SESS-03). Returns how many there were.
 */
export async function recoverRuns(store: Store, clock: Clock): Promise<number> {
  let count = 0
  for (const { value } of await store.list<Intent>('intent')) {
    if (!(await store.isGone(value.opener))) continue
    await lose(store, clock, value)
    count++
  }
  return count
}

/** For whoever finds the execution of a process that is gone. Nothing is lost twice. */
export async function loseExecution(
  store: Store,
  clock: Clock,
  adapter: string,
  found: ExecutionRecord,
): Promise<ExecutionRecord> {
  const intent = found.intent === undefined ? undefined : await store.get(intentRef(found.intent))
  const lost = await lose(store, clock, intent ?? { adapter, execution: found.execution_id })
  return lost ?? found
}

type Left = Intent | (Pick<Intent, 'adapter' | 'execution'> & { readonly id?: undefined; readonly request?: undefined })

function lose(
  store: Store,
  clock: Clock,
  { id = 'none', request = 'none', adapter, execution = 'none' }: Left,
): Promise<ExecutionRecord | undefined> {
  const refs = {
    intent: intentRef(id),
    unknown: unknownRef(id),
    request: requestRef(request),
    execution: executionRef(adapter, execution),
    order: cancelRef(adapter, execution),
  }
  return store.update<typeof refs, ExecutionRecord | undefined>(refs, (current) => {
    const now = clock.now()
    const { intent } = current
    const record = current.execution && isUnfinished(current.execution) ? lost(current.execution, now) : undefined
    return {
      next: {
        ...(intent && { intent: undefined, unknown: intent }),
        ...(intent && current.request && { request: { ...current.request, outcome: 'unknown' } }),
        ...(record && { execution: record }),
        ...(current.order && { order: undefined }),
      },
      audit: intent ? [outcomeEntry(intent, { outcome: 'unknown' }, now)] : [],
      result: record ?? current.execution,
    }
  })
}

/** What had not begun was cancelled, for the table knows no way from pending to failed (LIFE-02). */
function lost(record: ExecutionRecord, now: number): ExecutionRecord {
  const { execution_id, operation, status } = record
  const to = status === 'pending' ? 'cancelled' : 'failed'
  const { result } = transition(execution_id, { to, now, operation, error: LOST })(record)
  return isFailure(result) ? record : result
}
