import { DANGER_LEVELS } from '../../protocol/danger.ts'
import { tokenRef } from '../audit/token-ref.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import { hideSecrets, secretsOf } from '../registry/secrets.ts'
import { fillMessage } from '../trust/confirmation-message.ts'
import { type AttentionLimits, advance, attentionRef, isShown, withPrompt } from './attention.ts'
import { deniedEntry, issuedEntry, refusedEntries, waitingEntry } from './audit-entries.ts'
import { type Desk, deskRef, emptyDesk, recent, retryAfterSeconds, scopeKey, TOKEN_RATES } from './desk.ts'
import { asDeclared } from './public-params.ts'
import type { Question } from './question.ts'
import { type ApprovalRequest, requestRef, stateOf } from './request.ts'
import { traceOf } from './standing.ts'
import { type Lifetimes, lifetimeOf, makeToken, TOKEN_PREFIXES } from './tokens.ts'

export interface IssueSettings {
  readonly store: Store
  readonly clock: Clock
  readonly lifetimes: Lifetimes
  readonly toleranceSeconds: number
  /** TOK-17: how many unexpired tokens an adapter may have; a full house refuses, nothing is evicted. */
  readonly capacity: number
  readonly attention: AttentionLimits
}

export type Issued =
  | { readonly kind: 'asked'; readonly request: ApprovalRequest }
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'limited'; readonly limit: number; readonly retryAfter: number }

/** TOK-05, TOK-18: puts the question before a human, or finds that it stands there already. */
export async function issue(question: Question, settings: IssueSettings): Promise<Issued> {
  const { store } = settings
  const scope = scopeKey(question.adapter, question.call.operation, question.paramsHash + suffix(question))
  for (;;) {
    const known = (await store.get(deskRef(question.session)))?.live[scope]
    const issued = await attemptIssue(question, scope, known, settings)
    if (issued !== 'again') return issued
  }
}

/** A quota continuation is another question than the confirmation of the same call. */
function suffix({ kind }: Question): string {
  return kind === 'quota' ? ' quota' : ''
}

function attemptIssue(
  question: Question,
  scope: string,
  known: string | undefined,
  settings: IssueSettings,
): Promise<Issued | 'again'> {
  const { store, clock } = settings
  const { call, adapter, session } = question
  const token = makeToken(TOKEN_PREFIXES[question.kind === 'quota' ? 'quota' : 'operation'])
  const id = tokenRef(token)
  const refs = {
    desk: deskRef(session),
    attention: attentionRef(call.session.principal),
    house: houseRef(adapter),
    share: houseRef(JSON.stringify([adapter, call.session.principal])),
    fresh: requestRef(id),
    waiting: requestRef(known ?? id),
  }
  return store.update<typeof refs, Issued | 'again'>(refs, ({ desk, attention, house, share, waiting }) => {
    const now = clock.now()
    const held = desk ?? emptyDesk(call.session.principal, store.opener)
    if (held.live[scope] !== known) return { result: 'again' }
    const refusal = refusalOf(held, scope, call.operation)
    if (refusal !== undefined) return { audit: [deniedEntry(question, refusal, now)], result: denied(refusal) }

    if (waiting && (stateOf(waiting, now) === 'pending' || stateOf(waiting, now) === 'approved')) {
      const queue = attention && advance(attention, now)
      const request = { ...waiting, shown: waiting.shown || isShown(queue, waiting.id) }
      return {
        ...(request.shown !== waiting.shown && { next: { waiting: request, attention: queue } }),
        audit: [waitingEntry(question, waiting, question.reasons[0], now)],
        result: asked(request),
      }
    }
    const issues = recent(held.issues, now, TOKEN_RATES.windowMs)
    if (issues.length >= TOKEN_RATES.issues) {
      return {
        audit: refusedEntries(question, 'the session has asked too much', now),
        result: limited(TOKEN_RATES.issues, retryAfterSeconds(issues, now, TOKEN_RATES.windowMs)),
      }
    }
    const lifetimeMs = 1_000 * lifetimeOf(question.kind, question.standing.level, settings.lifetimes)
    const all = occupied(house, now)
    const own = occupied(share, now)
    const most = all.total >= settings.capacity ? settings.capacity : mostOfOne(settings)
    if (all.total >= settings.capacity || own.total >= most) {
      return {
        audit: refusedEntries(question, 'too many tokens are open', now),
        result: limited(most, Math.ceil(lifetimeMs / 1_000)),
      }
    }

    const expiresAt = now + lifetimeMs
    const queue = withPrompt(attention, { id, expiresAt }, now, settings.attention)
    const request = requestOf(question, { id, token, scope, now, expiresAt, shown: isShown(queue, id) }, settings)
    return {
      next: {
        desk: { ...held, live: { ...held.live, [scope]: id }, issues: [...issues, now] },
        attention: queue,
        house: withOne(all.buckets, expiresAt),
        share: withOne(own.buckets, expiresAt),
        fresh: request,
      },
      audit: [waitingEntry(question, request, question.reasons[0], now), issuedEntry(question, request, now)],
      result: asked(request),
    }
  })
}

/** SELF-11, SELF-13: what a human refused is not asked again in this session. */
function refusalOf(desk: Desk, scope: string, operation: string): string | undefined {
  if (Object.hasOwn(desk.denied, scope)) return 'a human has denied this call'
  const denials = Object.hasOwn(desk.denials, operation) ? (desk.denials[operation] ?? 0) : 0
  return denials >= TOKEN_RATES.denials
    ? `a human has denied '${operation}' ${denials} times in this session`
    : undefined
}

interface Making {
  readonly id: string
  readonly token: string
  readonly scope: string
  readonly now: number
  readonly expiresAt: number
  readonly shown: boolean
}

function requestOf(
  { kind, call, adapter, session, standing, opinions, paramsHash, reasons, quota }: Question,
  { id, token, scope, now, expiresAt, shown }: Making,
  { toleranceSeconds }: IssueSettings,
): ApprovalRequest {
  const { danger, level, trust } = standing
  const secrets = secretsOf(call.target, call.params)
  const { preview_with } = call.target.definition
  return {
    id,
    kind,
    class: classOf(standing),
    version: 1,
    token,
    adapter,
    operation: call.operation,
    category: call.target.category,
    endpoint: call.target.endpoint,
    level,
    trust,
    params: hideSecrets(call.params, secrets),
    paramsHash,
    scope,
    session,
    principal: call.session.principal,
    ...(call.caller.client !== undefined && { client: call.caller.client }),
    reasons,
    ...(danger.confirmationMessage !== undefined && {
      message: fillMessage(danger.confirmationMessage, asDeclared(call), secrets),
    }),
    trace: traceOf(opinions),
    issuedAt: now,
    expiresAt,
    toleranceMs: level === 'forbidden' ? 0 : toleranceSeconds * 1_000,
    cooldownSeconds: danger.cooldownSeconds,
    requiresReauth: danger.requiresReauth,
    ...(quota && { quotaMetric: quota.metric }),
    ...(preview_with && { preview: { operation: preview_with, params: hideSecrets(asDeclared(call), secrets) } }),
    state: 'pending',
    shown,
    decisions: [],
    maxUses: 1,
    useCount: 0,
  }
}

/** SELF-14. */
function classOf({ level, danger, hasDrift }: Question['standing']): ApprovalRequest['class'] {
  if (danger.requiresReauth || level === 'forbidden') return 'C3'
  return hasDrift || DANGER_LEVELS[level] >= DANGER_LEVELS.dangerous ? 'C2' : 'C1'
}

/** Tokens of an adapter by the minute in which they expire: the count of the living without their list. */
type House = Readonly<Record<string, number>>

function houseRef(of: string): RecordRef<House> {
  return record('tokens', of)
}

function occupied(house: House = {}, now: number) {
  const buckets = Object.fromEntries(Object.entries(house).filter(([at]) => Number(at) >= Number(minute(now))))
  return { buckets, total: Object.values(buckets).reduce((sum, count) => sum + count, 0) }
}

function withOne(buckets: House, expiresAt: number): House {
  const at = minute(expiresAt)
  return { ...buckets, [at]: (buckets[at] ?? 0) + 1 }
}

/** No principal fills the house for the others. */
function mostOfOne({ capacity }: IssueSettings): number {
  return Math.max(1_000, capacity / 10)
}

function minute(time: number): string {
  return String(Math.floor(time / 60_000))
}

function asked(request: ApprovalRequest): Issued {
  return { kind: 'asked', request }
}

function denied(reason: string): Issued {
  return { kind: 'denied', reason }
}

function limited(limit: number, retryAfter: number): Issued {
  return { kind: 'limited', limit, retryAfter }
}
