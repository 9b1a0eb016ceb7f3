import type { AuditEntry } from '../audit/entry.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import { quotaRef } from '../quota/counters.ts'
import { quotaChanges } from '../quota/quota-status.ts'
import { settle as settleQuota } from '../quota/settle.ts'
import type { ApiUsage } from '../registry/operation.ts'
import type { Permit } from './admit.ts'
import { type About, quotaEntries } from './audit-entries.ts'
import { requestRef } from './request.ts'

/** An effect that may have begun. It is written before and removed after; what a crash leaves is an unknown outcome. */
export interface Intent {
  readonly id: string
  readonly opener: string
  readonly operation: string
  readonly adapter: string
  readonly level: number
  readonly principal: string
  readonly session: string
  readonly paramsHash: string
  /** The request whose approval was used. */
  readonly request?: string
  readonly at: number
}

export function intentRef(id: string): RecordRef<Intent> {
  return record('intent', id)
}

/** An effect of which nobody knows whether it happened; it stays until the operator has looked (`OUTCOME_FINDING`). */
export function unknownRef(id: string): RecordRef<Intent> {
  return record('unknown', id)
}

export interface Ending {
  readonly outcome: 'success' | 'failure' | 'unknown'
  /** The code of a failure. */
  readonly code?: string
  /** As the handler reported it. */
  readonly usage?: ApiUsage
}

/** The outcome transaction: the second durable commit, before the answer. */
export function settle(store: Store, clock: Clock, about: About, permit: Permit, ending: Ending): Promise<void> {
  const { intent, request, reservation } = permit
  const refs = {
    intent: intentRef(intent ?? 'none'),
    request: requestRef(request ?? 'none'),
    counters: quotaRef(about.adapter),
    unknown: unknownRef(intent ?? 'none'),
  }
  return store.update<typeof refs, void>(refs, (current) => {
    const now = clock.now()
    const counters = reservation
      ? settleQuota(current.counters, reservation, ending.usage ?? {}, now)
      : current.counters
    return {
      next: {
        ...(current.intent && { intent: undefined }),
        ...(current.intent && ending.outcome === 'unknown' && { unknown: current.intent }),
        ...(current.request && { request: { ...current.request, outcome: ending.outcome } }),
        ...(counters !== current.counters && { counters }),
      },
      audit: [
        ...(current.intent ? [outcomeEntry(current.intent, ending.outcome, now, ending.code)] : []),
        ...(reservation?.held
          ? quotaEntries(about, quotaChanges(current.counters, counters, reservation.held.limits, now), now)
          : []),
      ],
      result: undefined,
    }
  })
}

/** Start-up: what others left open is reported as unknown, never repeated. Returns how many there were. */
export async function recoverIntents(store: Store, clock: Clock): Promise<number> {
  let count = 0
  for (const { id, value } of await store.list<Intent>('intent')) {
    if (!(await store.isGone(value.opener))) continue
    const refs = { intent: intentRef(id), unknown: unknownRef(id) }
    await store.update(refs, ({ intent }) => {
      if (!intent) return { result: undefined }
      const entry = outcomeEntry(intent, 'unknown', clock.now())
      return { next: { intent: undefined, unknown: intent }, audit: [entry], result: undefined }
    })
    count++
  }
  return count
}

function outcomeEntry(intent: Intent, outcome: string, now: number, error_code?: string): AuditEntry {
  return {
    timestamp: new Date(now).toISOString(),
    event: 'OPERATION_OUTCOME',
    operation: intent.operation,
    adapter_name: intent.adapter,
    danger_level: intent.level,
    user_id: intent.principal,
    session_id: intent.session,
    outcome,
    intent_id: intent.id,
    ...(intent.request !== undefined && { confirmation_token: intent.request }),
    ...(error_code !== undefined && { error_code }),
  }
}
