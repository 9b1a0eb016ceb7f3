import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { tokenRef } from '../audit/token-ref.ts'
import { nextTurn } from '../next-turn.ts'
import type { Clock } from '../ports/clock.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import { maskSensitive, withoutSensitive } from '../registry/secrets.ts'
import { isShared } from '../session.ts'
import { fillMessage } from '../trust/confirmation-message.ts'
import { openBlocksRef } from '../verification/block.ts'
import { startMessage } from './agent-messages.ts'
import type { Attempt, AttemptCounter, Recording } from './attempt-counter.ts'
import { type AttentionLimits, advance, attentionRef, isShown, promptOf, withPrompt } from './attention.ts'
import { deniedEntry, issuedEntry, refusedEntries, waitingEntry } from './audit-entries.ts'
import {
  type Desk,
  deniedScope,
  deskRef,
  emptyDesk,
  recent,
  retryAfterSeconds,
  retryScope,
  scopeKey,
  TOKEN_RATES,
} from './desk.ts'
import type { FormSubject } from './form-text.ts'
import type { CallStops } from './gate.ts'
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
  readonly stops: Pick<CallStops, 'among'>
  readonly attempts: AttemptCounter
}

export type Issued =
  | { readonly kind: 'asked'; readonly request: ApprovalRequest }
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'stopped'; readonly failure: OperationFailure }
  | {
      readonly kind: 'limited'
      readonly limit: number
      readonly retryAfter: number
      readonly window: 'minute' | 'hour'
    }

/** TOK-05, TOK-18: puts the question before a human, or finds that it stands there already. */
export async function issue(asking: Question, settings: IssueSettings): Promise<Issued> {
  const { attempts } = settings
  const { adapter, call, paramsHash } = asking
  const scope = retryScope(scopeKey(adapter, call.operation, paramsHash + suffix(asking)), call.retry?.execution)
  const size = sizeOf(call.params)
  if (size > LARGE) await nextTurn()
  const recording = attempts.begin(attemptOf(asking))
  const question = { ...asking, isCounted: recording.isCounted, size }
  for (let known: string | undefined; ; ) {
    const attempted = await attemptIssue(question, scope, known, settings, recording).catch(recording.failed)
    if ('issued' in attempted) {
      recording.ended(attempted.unrun ?? [])
      return attempted.issued
    }
    known = attempted.known
  }
}

export function attemptOf({ adapter, session, call, paramsHash }: Question): Attempt {
  const { operation } = call
  const key = scopeKey(adapter, `${operation} ${session}`, paramsHash)
  return { principal: call.session.principal, session, operation: `${adapter} ${operation}`, call: key }
}

/** With the entries of an attempt that put no new question. */
interface Attempted {
  readonly issued: Issued
  readonly unrun?: readonly AuditEntry[]
}

/** The request that waits for the same question, undefined where none does, is another one than was thought. */
interface Mistaken {
  readonly known: string | undefined
}

/** A quota continuation is another question than the confirmation of the same call. */
function suffix({ kind }: Question): string {
  return kind === 'quota' ? ' quota' : ''
}

/** Its questions take a turn of their own. */
const LARGE = 65_536

function attemptIssue(
  question: Question & { readonly size: number },
  scope: string,
  known: string | undefined,
  settings: IssueSettings,
  recording: Recording,
): Promise<Attempted | Mistaken> {
  const { store, clock } = settings
  const unrun = (issued: Issued, entries: readonly AuditEntry[]) => ({
    audit: recording.kept(entries),
    result: { issued, unrun: entries },
  })
  const { call, adapter, session } = question
  const token = makeToken(TOKEN_PREFIXES[question.kind === 'quota' ? 'quota' : 'operation'])
  const id = tokenRef(token)
  const refs = {
    desk: deskRef(session),
    attention: attentionRef(call.session.principal),
    house: houseRef(adapter),
    share: shareRef(adapter, call.session.principal),
    fresh: requestRef(id),
    waiting: requestRef(known ?? id),
    blocks: openBlocksRef(),
  }
  return store.update<typeof refs, Attempted | Mistaken>(refs, ({ desk, attention, house, share, waiting, blocks }) => {
    const now = clock.now()
    const stopped = settings.stops.among(blocks, call)
    if (stopped) return unrun(stoppedBy(stopped), refusedEntries(question, stopped.error.message, now))
    const held = desk ?? emptyDesk(call.session.principal, store.opener)
    if (held.live[scope] !== known) return { result: { known: held.live[scope] } }
    const refusal = refusalOf(held, deniedScope(scope, call.retry?.execution), call.operation)
    if (refusal !== undefined) return unrun(denied(refusal), [deniedEntry(question, refusal, now)])

    if (waiting && (stateOf(waiting, now) === 'pending' || stateOf(waiting, now) === 'approved')) {
      const queue = attention && advance(attention, now)
      const request = { ...waiting, shown: waiting.shown || isShown(queue, waiting.id) }
      return {
        ...(request.shown !== waiting.shown && { next: { waiting: request, attention: queue } }),
        ...unrun(asked(request), [waitingEntry(question, waiting, question.reasons[0], now)]),
      }
    }
    const issues = recent(held.issues, now, TOKEN_RATES.windowMs)
    if (issues.length >= TOKEN_RATES.issues) {
      const retryAfter = retryAfterSeconds(issues, now, TOKEN_RATES.windowMs)
      const entries = refusedEntries(question, 'the session has asked too much', now)
      return unrun(limited(TOKEN_RATES.issues, retryAfter), entries)
    }
    const lifetimeMs = 1_000 * lifetimeOf(question.kind, question.standing.level, settings.lifetimes)
    const all = occupied(house, now)
    const own = occupied(share, now)
    const most = all.total >= settings.capacity ? settings.capacity : mostOfOne(settings)
    const isCrowded = own.total >= most && !isModest(call.session.principal, held, own.total, settings)
    if (all.total >= settings.capacity || isCrowded) {
      const entries = refusedEntries(question, 'too many tokens are open', now)
      return unrun(limited(most, Math.ceil(lifetimeMs / 1_000)), entries)
    }
    const { size } = question
    const room = roomFor(call.session.principal, held, own.sizes, size, now)
    if (room) {
      const entries = refusedEntries(question, 'its questions are too long to be kept', now)
      return unrun(limited(room.limit, room.retryAfter, 'hour'), entries)
    }

    const expiresAt = now + lifetimeMs
    const prompt = promptOf(id, expiresAt, call.session.principal, session)
    const queue = withPrompt(attention, prompt, now, settings.attention)
    const request = {
      ...requestOf(question, { id, token, scope, now, expiresAt, shown: isShown(queue, id) }, settings),
      size,
    }
    return {
      next: {
        desk: {
          ...held,
          live: { ...held.live, [scope]: id },
          issues: [...issues, now],
          ...(isShared(call.session.principal) && { sizes: withSize(sizesOf(held.sizes, now), size, now) }),
        },
        attention: queue,
        house: withOne(all.buckets, expiresAt),
        share: { ...withOne(own.buckets, expiresAt), ...withSize(own.sizes, size, now) },
        fresh: request,
      },
      audit: [
        waitingEntry({ ...question, isCounted: false }, request, question.reasons[0], now),
        issuedEntry(question, request, now),
      ],
      result: { issued: asked(request) },
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

/** What a human is shown of the question; known before anything is issued (SELF-10). */
export function subjectOf({ kind, call, adapter, standing, reasons }: Question): FormSubject {
  const { confirmationMessage } = standing.danger
  const params = maskSensitive(call.target, call.params)
  const declared = () => fillMessage(confirmationMessage ?? '', maskSensitive(call.target, asDeclared(call)))
  return {
    kind,
    adapter,
    operation: call.operation,
    category: call.target.category,
    level: standing.level,
    params,
    reasons,
    ...(kind === 'agent'
      ? { message: startMessage(params) }
      : confirmationMessage !== undefined && { message: declared() }),
  }
}

function requestOf(
  question: Question,
  { id, token, scope, now, expiresAt, shown: isShownNow }: Making,
  { toleranceSeconds }: IssueSettings,
): ApprovalRequest {
  const { kind, call, adapter, session, standing, opinions, paramsHash, reasons, quota } = question
  const { danger, level, trust } = standing
  const shown = subjectOf(question)
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
    params: shown.params,
    paramsHash,
    ...(call.retry && { retry: call.retry.execution }),
    scope,
    session,
    principal: call.session.principal,
    ...(call.session.label !== undefined && { label: call.session.label }),
    ...(call.caller.client !== undefined && { client: call.caller.client }),
    reasons,
    ...(shown.message !== undefined && { message: shown.message }),
    trace: traceOf(opinions),
    issuedAt: now,
    expiresAt,
    toleranceMs: level === 'forbidden' ? 0 : toleranceSeconds * 1_000,
    cooldownSeconds: danger.cooldownSeconds,
    requiresReauth: danger.requiresReauth,
    ...(quota && { quotaMetric: quota.metric }),
    ...(preview_with && {
      preview: { operation: preview_with, params: withoutSensitive(call.target, asDeclared(call)) },
    }),
    state: 'pending',
    shown: isShownNow,
    decisions: [],
    maxUses: 1,
    useCount: 0,
  }
}

/** SELF-14. */
export function classOf({ level, danger, hasDrift }: Question['standing']): ApprovalRequest['class'] {
  if (danger.requiresReauth || level === 'forbidden') return 'C3'
  return hasDrift || DANGER_LEVELS[level] >= DANGER_LEVELS.dangerous ? 'C2' : 'C1'
}

/**
 * Tokens of an adapter by the minute in which they expire: the count of the living without their list. For one principal
 * also, behind an `s`, the characters of its questions by the minute in which they were asked.
 */
export type House = Readonly<Record<string, number>>

export function houseRef(of: string): RecordRef<House> {
  return record('tokens', of)
}

function occupied(house: House = {}, now: number) {
  const buckets = Object.fromEntries(Object.entries(house).filter(([at]) => Number(at) >= Number(minute(now))))
  return { buckets, sizes: sizesOf(house, now), total: sumOf(buckets) }
}

/** What was asked in the last hour. */
function sizesOf(house: House = {}, now: number): House {
  const since = Number(minute(now - ASKED_MS))
  return Object.fromEntries(Object.entries(house).filter(([at]) => at.startsWith('s') && Number(at.slice(1)) > since))
}

function sumOf(house: House): number {
  return Object.values(house).reduce((sum, each) => sum + each, 0)
}

/** What one principal, and one of its sessions, may leave in the store by asking: a request is kept for about an hour. */
const MOST_CHARACTERS = { ofPrincipal: 8 * 1_048_576, ofSession: 2 * 1_048_576, modest: 8_192 }
const ASKED_MS = 3_600_000

/**
 * Undefined where there is room. Where many share a principal the session's own limit comes first, and a short question
 * of a session that has asked little is taken however much the others have asked.
 */
function roomFor(principal: string, desk: Desk, sizes: House, size: number, now: number) {
  const { ofPrincipal, ofSession, modest } = MOST_CHARACTERS
  if (isShared(principal)) {
    const own = sizesOf(desk.sizes, now)
    const used = sumOf(own)
    if (used > 0 && used + size > ofSession) return { limit: ofSession, retryAfter: secondsUntilLess(own, now) }
    if (used + size <= modest) return undefined
  }
  const total = sumOf(sizes)
  if (total === 0 || total + size <= ofPrincipal) return undefined
  return { limit: ofPrincipal, retryAfter: secondsUntilLess(sizes, now) }
}

/** Until what was asked in the oldest of these minutes counts no longer. */
function secondsUntilLess(sizes: House, now: number): number {
  const oldest = Math.min(...Object.keys(sizes).map((at) => Number(at.slice(1))))
  return Math.max(1, Math.ceil((oldest * 60_000 + 60_000 + ASKED_MS - now) / 1_000))
}

/** The question counts no longer. */
export function withoutQuestion(share: House | undefined, { issuedAt, expiresAt, size = 0 }: ApprovalRequest): House {
  const less = (house: House, at: string, by: number) => ({ ...house, [at]: Math.max(0, (house[at] ?? 0) - by) })
  return less(less(share ?? {}, `s${minute(issuedAt)}`, size), minute(expiresAt), 1)
}

export function shareRef(adapter: string, principal: string): RecordRef<House> {
  return houseRef(JSON.stringify([adapter, principal]))
}

function withSize(sizes: House, size: number, now: number): House {
  const at = `s${minute(now)}`
  return { ...sizes, [at]: (sizes[at] ?? 0) + size }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let sum = 2
  for (const name in value) sum += name.length + 4 + sizeOf((value as Readonly<Record<string, unknown>>)[name])
  return sum
}

function withOne(buckets: House, expiresAt: number): House {
  const at = minute(expiresAt)
  return { ...buckets, [at]: (buckets[at] ?? 0) + 1 }
}

/** No principal fills the house for the others. */
function mostOfOne({ capacity }: IssueSettings): number {
  return Math.max(1_000, capacity / 10)
}

/** Where many share a principal, one of them does not use it up for another that has asked little. */
function isModest(principal: string, { live }: Desk, total: number, { capacity }: IssueSettings): boolean {
  return isShared(principal) && Object.keys(live).length < FEW && total < capacity / 2
}

const FEW = 10

function minute(time: number): string {
  return String(Math.floor(time / 60_000))
}

function asked(request: ApprovalRequest): Issued {
  return { kind: 'asked', request }
}

function denied(reason: string): Issued {
  return { kind: 'denied', reason }
}

function stoppedBy(failure: OperationFailure): Issued {
  return { kind: 'stopped', failure }
}

function limited(limit: number, retryAfter: number, window: 'minute' | 'hour' = 'minute'): Issued {
  return { kind: 'limited', limit, retryAfter, window }
}
