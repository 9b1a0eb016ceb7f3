import { randomUUID } from 'node:crypto'
import { DANGER_LEVELS } from '../../protocol/danger.ts'
import { fail } from '../../protocol/errors.ts'
import { isFailure, type OperationFailure, type Warning } from '../../protocol/result.ts'
import { warn } from '../../protocol/warnings.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { tokenRef } from '../audit/token-ref.ts'
import { type Counters, quotaRef } from '../quota/counters.ts'
import { quotaChanges, quotaStops } from '../quota/quota-status.ts'
import type { LimitedCall, RateLimits } from '../quota/rate-limits.ts'
import { type Reservation, reserve } from '../quota/reserve.ts'
import { openBlocksRef } from '../verification/block.ts'
import type { Permit } from './admit.ts'
import {
  deniedEntry,
  intentEntry,
  quotaEntries,
  refusedEntries,
  rejectedEntry,
  validatedEntry,
  waitingEntry,
} from './audit-entries.ts'
import { deskRef, emptyDesk } from './desk.ts'
import { intentRef } from './intent.ts'
import { attemptOf, type IssueSettings } from './issue.ts'
import type { Question } from './question.ts'
import { consumed, deskWithout, invalid, tooManyFailures, type Worth, weigh, withFailure } from './redeem.ts'
import { type ApprovalRequest, requestRef } from './request.ts'
import type { Standing } from './standing.ts'
import { isToken } from './tokens.ts'

/** What the agent sent to get in; not yet known to be tokens. */
export interface Keys {
  readonly confirmation?: unknown
  readonly quota?: unknown
}

export type Entered =
  | { readonly kind: 'in'; readonly permit: Permit; readonly warnings: readonly Warning[] }
  | {
      readonly kind: 'waiting'
      readonly id: string
      readonly request: ApprovalRequest
      readonly cooldownSeconds?: number
    }
  | { readonly kind: 'paused'; readonly metric: string; readonly details: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly failure: OperationFailure }
  /** The policies or the trust that the question rests upon are others by now. */
  | { readonly kind: 'outdated' }

export interface EnterSettings extends IssueSettings {
  /** As they are at this moment. */
  readonly standings: ReadonlyMap<string, Standing>
  readonly limits?: RateLimits
}

/**
 * The intent transaction: tokens are weighed and consumed, the quota is reserved and the intent is recorded in one
 * durable commit, and only then may the effect start (TOK-13, AUDIT-08, RATE-06).
 */
export async function enter(asking: Question, asks: boolean, keys: Keys, settings: EnterSettings): Promise<Entered> {
  const { store, clock, attempts } = settings
  const recording = attempts.begin(attemptOf(asking))
  const question = { ...asking, isCounted: recording.isCounted }
  let unrun: readonly AuditEntry[] = []
  /** An attempt that runs nothing; the change may be made again, and the last one counts. */
  const left = (entries: readonly AuditEntry[]): readonly AuditEntry[] => {
    unrun = entries
    return recording.kept(entries)
  }
  const { retry, target } = question.call
  const limits = question.standing.isOwn ? undefined : settings.limits
  const intent = randomUUID()
  const refs = {
    desk: deskRef(question.session),
    request: requestRef(refOf(keys.confirmation)),
    quotaRequest: requestRef(refOf(keys.quota)),
    counters: quotaRef(question.adapter),
    intent: intentRef(intent),
    ...(retry && { execution: retry.ref }),
    blocks: openBlocksRef(),
  }
  const entering = store.update<typeof refs, Entered>(refs, (current) => {
    unrun = []
    if (settings.standings.get(question.call.operation) !== question.standing) return { result: { kind: 'outdated' } }
    const now = clock.now()
    const blocked = settings.stops.among(current.blocks, question.call)
    if (blocked)
      return {
        audit: left(refusedEntries(question, blocked.error.message, now)),
        result: { kind: 'refused', failure: blocked },
      }
    const desk = current.desk ?? emptyDesk(question.call.session.principal, store.opener)
    const guessing =
      keys.confirmation !== undefined || keys.quota !== undefined ? tooManyFailures(desk, now) : undefined
    if (guessing) {
      const audit = left(refusedEntries(question, 'too many tokens were wrong', now))
      return { audit, result: { kind: 'refused', failure: guessing } }
    }

    const worth = asks ? worthOf(keys.confirmation, current.request, question, now) : undefined
    const quotaWorth =
      keys.quota === undefined
        ? undefined
        : worthOf(keys.quota, current.quotaRequest, { ...question, kind: 'quota' }, now)
    for (const each of [worth, quotaWorth]) {
      if (!each || each.kind === 'good') continue
      if (each.kind === 'bad') {
        const rejected = rejectedEntry(question, refOf(each === worth ? keys.confirmation : keys.quota), each.why, now)
        return {
          next: { desk: withFailure(desk, now) },
          audit: left([rejected, ...refusedEntries(question, `its token was refused: ${each.why}`, now)]),
          result: { kind: 'refused', failure: each.failure },
        }
      }
      if (each.kind === 'denied')
        return {
          audit: left([deniedEntry(question, 'denied by a human', now)]),
          result: { kind: 'refused', failure: denied(each.request) },
        }
      const { request, cooldownSeconds } = each
      return {
        audit: left([waitingEntry(question, request, 'nobody has approved it yet', now)]),
        result: { kind: 'waiting', id: request.id, request, ...(cooldownSeconds !== undefined && { cooldownSeconds }) },
      }
    }

    const tried = limits && reserve(current.counters, limits, limitedCall(question), now)
    // A continuation is spent on a pause alone; where none is in the way it keeps for the next time.
    const continuation = tried?.verdict.status === 'paused' && quotaWorth?.kind === 'good' ? quotaWorth : undefined
    const reservation =
      limits && continuation
        ? reserve(current.counters, limits, limitedCall(question), now, { continued: true })
        : tried
    const stopped = reservation && stop(reservation, question, now, { limits, counters: current.counters })
    if (stopped) return { ...stopped, audit: left(stopped.audit) }
    const claimed = retry?.claim(current.execution, intent, now)
    if (claimed && isFailure(claimed)) return refusedBy(claimed)

    const spent = [worth, continuation].flatMap((each) => (each?.kind === 'good' ? [consumed(each.request, now)] : []))
    const [first] = spent
    const level = DANGER_LEVELS[question.standing.level]
    const isRecorded = worth !== undefined || level >= DANGER_LEVELS.destructive || target.lifecycle !== undefined
    const nextDesk = spent.reduce(
      (held, request) => (request.state === 'consumed' ? deskWithout(held, request) : held),
      desk,
    )
    return {
      next: {
        ...(nextDesk !== current.desk && (current.desk || spent.length > 0) && { desk: nextDesk }),
        ...(worth?.kind === 'good' && { request: consumed(worth.request, now) }),
        ...(continuation && { quotaRequest: consumed(continuation.request, now) }),
        ...(reservation && { counters: reservation.next }),
        ...(isRecorded && {
          intent: {
            id: intent,
            opener: store.opener,
            operation: question.call.operation,
            adapter: question.adapter,
            level,
            principal: question.call.session.principal,
            session: question.session,
            paramsHash: question.paramsHash,
            ...(first && { request: first.id }),
            ...(retry && { execution: retry.execution }),
            at: now,
          },
        }),
        ...(claimed && { execution: claimed }),
      },
      audit: [
        ...spent.map((request) => validatedEntry(question, request, now)),
        ...(isRecorded ? [intentEntry({ ...question, isCounted: false }, intent, first, now)] : []),
        ...(limits && reservation
          ? quotaEntries(question, quotaChanges(current.counters, reservation.next, limits, now), now)
          : []),
      ],
      result: {
        kind: 'in',
        permit: {
          ...(isRecorded && { intent }),
          ...(worth?.kind === 'good' && { request: worth.request.id }),
          ...(reservation && { reservation }),
        },
        warnings: warningsOf(reservation),
      },
    }
  })
  const entered = await entering.catch(recording.failed)
  recording.ended(unrun)
  return entered
}

function refOf(token: unknown): string {
  return isToken(token) ? tokenRef(token) : 'none'
}

function worthOf(token: unknown, request: ApprovalRequest | undefined, question: Question, now: number): Worth {
  if (!isToken(token)) return { kind: 'bad', failure: invalid(token), why: 'syntax' }
  return weigh(token, request, question, now)
}

function limitedCall({ call }: Question): LimitedCall {
  const [, method, path] = PLACE.exec(call.target.definition.path ?? '') ?? []
  return {
    operation: call.operation,
    category: call.target.category,
    ...(method !== undefined && path !== undefined && { method, path }),
  }
}

const PLACE = /^([A-Z]+) (\/.*)$/

interface Counted {
  readonly limits: RateLimits | undefined
  readonly counters: Counters | undefined
}

/** RATE-04, RATE-13, RATE-15; a pause is a question (RATE-11). */
function stop({ verdict }: Reservation, question: Question, now: number, { limits, counters }: Counted) {
  switch (verdict.status) {
    case 'limited':
      return {
        ...refusedBy(fail('RATE_LIMIT_EXCEEDED', { ...verdict.details })),
        audit: refusedEntries(
          question,
          `the limit of ${verdict.details.limit} by the ${verdict.details.window} is used up`,
          now,
        ),
      }
    case 'exhausted':
      return {
        ...refusedBy(fail('RATE_LIMIT_QUOTA_EXHAUSTED', { ...verdict.details })),
        audit: [
          ...(limits ? quotaEntries(question, quotaStops(counters, verdict.details, limits, now), now) : []),
          deniedEntry(question, `quota ${verdict.details.metric} is exhausted`, now),
        ],
      }
    case 'broken':
      return {
        ...refusedBy(fail('INTERNAL_ERROR', { description: BROKEN_COUNTERS })),
        audit: refusedEntries(question, BROKEN_COUNTERS, now),
      }
    case 'paused':
      return {
        audit: [],
        result: { kind: 'paused', metric: verdict.details.metric, details: { ...verdict.details } } as const,
      }
    case 'warn':
    case 'ok':
      return undefined
  }
}

/** RATE-15. */
export const BROKEN_COUNTERS = 'the quota counters cannot be read; the operator must reset them'

function refusedBy(failure: OperationFailure) {
  return { result: { kind: 'refused', failure } as const }
}

function warningsOf(reservation: Reservation | undefined): readonly Warning[] {
  if (reservation?.verdict.status !== 'warn') return []
  return reservation.verdict.warnings.map((details) => {
    const { current, pause_threshold } = details
    return warn('RATE_LIMIT_QUOTA_WARNING', { ...details }, current > 0.9 * pause_threshold ? 'high' : 'medium')
  })
}

/** With what the human has to say to the agent, if anything. */
function denied({ operation, decisions }: ApprovalRequest): OperationFailure {
  const words = decisions.at(-1)?.tellAgent
  return fail('PERMISSION_DENIED', {
    reason: 'a human has denied this call',
    operation,
    ...(words !== undefined && { operator_message: words }),
  })
}
