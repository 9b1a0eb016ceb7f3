import { randomUUID } from 'node:crypto'
import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { ErrorDetail } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import { type Counters, quotaRef } from '../quota/counters.ts'
import { quotaChanges } from '../quota/quota-status.ts'
import { settle as settleQuota } from '../quota/settle.ts'
import type { ApiUsage } from '../registry/operation.ts'
import type { Permit } from './admit.ts'
import { type About, intentEntry, quotaEntries } from './audit-entries.ts'
import { hashParams } from './question.ts'
import { type ApprovalRequest, requestRef } from './request.ts'

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
  /** The execution that the call has started: the intent stays open until it ends. */
  readonly execution?: string
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
  readonly outcome: 'success' | 'failure' | 'cancelled' | 'unknown'
  /** The code of a failure. */
  readonly code?: string
  /** The failure itself, for an execution that keeps it. */
  readonly error?: ErrorDetail
  /** Why it was cancelled, or why nobody knows. */
  readonly reason?: string
  /** As the handler reported it. */
  readonly usage?: ApiUsage
  /** It was refused after its admission: nothing was run, and `reason` says why. */
  readonly isRefused?: true
}

/** The intent of a call that was not recorded before its effect, while its handler runs. */
export function recordRunning(store: Store, clock: Clock, about: About): Promise<string> {
  const { call, adapter, session, standing } = about
  const id = randomUUID()
  const paramsHash = hashParams(call.params)
  const refs = { intent: intentRef(id) }
  return store.update<typeof refs, string>(refs, () => {
    const now = clock.now()
    const intent = {
      id,
      opener: store.opener,
      operation: call.operation,
      adapter,
      level: DANGER_LEVELS[standing.level],
      principal: call.session.principal,
      session,
      paramsHash,
      at: now,
    }
    return { next: { intent }, audit: [intentEntry({ ...about, paramsHash }, id, undefined, now)], result: id }
  })
}

/** The outcome transaction: the second durable commit, before the answer. */
export function settle(store: Store, clock: Clock, about: About, permit: Permit, ending: Ending): Promise<void> {
  const refs = settleRefs(about.adapter, permit)
  return store.update<typeof refs, void>(refs, (current) => ({
    ...settled(current, { about, permit, ending }, clock.now()),
    result: undefined,
  }))
}

/** What an outcome closes. */
export function settleRefs(adapter: string, { intent = 'none', request = 'none' }: Permit) {
  return {
    intent: intentRef(intent),
    request: requestRef(request),
    counters: quotaRef(adapter),
    unknown: unknownRef(intent),
  }
}

interface Settling {
  readonly about: About
  readonly permit: Permit
  readonly ending: Ending
}

interface Open {
  readonly intent?: Intent | undefined
  readonly request?: ApprovalRequest | undefined
  readonly counters?: Counters | undefined
}

/** The outcome as a pure change, for whoever ends more than the call in the same commit. */
export function settled(
  { intent, request, counters: before }: Open,
  { about, permit: { reservation }, ending }: Settling,
  now: number,
) {
  const counters = reservation ? settleQuota(before, reservation, ending.usage ?? {}, now) : before
  return {
    next: {
      ...(intent && { intent: undefined }),
      ...(intent && ending.outcome === 'unknown' && { unknown: intent }),
      ...(request && { request: { ...request, outcome: ending.outcome } }),
      ...(counters !== before && { counters }),
    },
    audit: [
      ...(intent ? [outcomeEntry(intent, ending, now)] : []),
      ...(reservation?.held
        ? quotaEntries(about, quotaChanges(before, counters, reservation.held.limits, now), now)
        : []),
    ],
  }
}

export function outcomeEntry(intent: Intent, { outcome, code, reason }: Ending, now: number): AuditEntry {
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
    ...(intent.execution !== undefined && { execution_id: intent.execution }),
    ...(intent.request !== undefined && { confirmation_token: intent.request }),
    ...(code !== undefined && { error_code: code }),
    ...(reason !== undefined && { reason }),
  }
}
