import { randomBytes } from 'node:crypto'
import type { AuditEvent } from '../../protocol/audit.ts'
import { BASELINE_RISK, DANGER_LEVEL_NAMES, DANGER_LEVELS, type DangerLevel } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redactProse } from '../audit/redact.ts'
import type { StageVerdict } from '../autonomy/evaluate.ts'
import { type Attention, isShown, withPrompt } from '../gatekeeper/attention.ts'
import { scopeKey } from '../gatekeeper/desk.ts'
import type { ApprovalRequest, LayerVerdict } from '../gatekeeper/request.ts'
import { asRecorded } from '../masked.ts'
import { agentKey } from '../verification/agent-key.ts'
import type { Case } from './case.ts'

/** Whatever comes through a hook is one principal: nobody is authenticated there. */
export const HOOK_PRINCIPAL = 'hook'
const ADAPTER = 'hook'

export interface AskedAboutCall {
  readonly request: ApprovalRequest
  readonly attention: Attention
  readonly audit: AuditEntry
}

export function newRequestId(): string {
  return randomBytes(8).toString('hex')
}

/** What a human is asked for. */
interface Question {
  readonly reason: string
  readonly message: string
  readonly isAlarm?: true
}

/** AUTO-08, AUTO-11: the whole call is put before a human, who approves exactly it, once. */
export function askAboutCall(
  it: Case,
  attention: Attention | undefined,
  now: number,
  question: Question = { reason: it.evaluation.reason ?? 'Paused', message: ALLOWS_CALL },
): AskedAboutCall {
  const { call, hash, fresh: id, evaluation, weighed } = it
  const { score, tier } = evaluation
  const { reason, message, isAlarm } = question
  const expiresAt = now + LIFETIME_MS
  const queue = withPrompt(attention, { id, expiresAt, from: sessionOf(it), ...(isAlarm && { isAlarm }) }, now)
  const isLong = JSON.stringify(call.input).length > LONGEST_FORM
  const request: ApprovalRequest = {
    id,
    kind: 'pause',
    class: tier === 'verify' || isLong ? 'C2' : 'C1',
    version: 1,
    adapter: ADAPTER,
    operation: call.tool,
    category: 'EXECUTE',
    endpoint: 'hook',
    level: levelOf(score),
    trust: 'untested',
    params: { hint: weighed.hint, tool: call.tool, input: asRecorded(call.input), cwd: call.cwd, client: call.client },
    paramsHash: hash,
    scope: scopeKey(ADAPTER, call.tool, hash),
    session: sessionOf(it),
    principal: HOOK_PRINCIPAL,
    agent: { key: agentKey(HOOK_PRINCIPAL, call.client), element_name: call.client },
    client: call.client,
    reasons: [reason, ...weighed.scored.factors],
    message,
    trace: evaluation.verdicts.map((verdict) => layerOf(verdict, reason)),
    issuedAt: now,
    expiresAt,
    toleranceMs: 0,
    cooldownSeconds: 0,
    requiresReauth: false,
    state: 'pending',
    shown: isShown(queue, id),
    decisions: [],
    maxUses: 1,
    useCount: 0,
  }
  const audit = { ...entryOf(it, 'CONFIRMATION_REQUIRED', 'denied', now), approval_id: id, reason }
  return { request, attention: queue, audit }
}

/** Nobody is asked any more about what a human has not decided: the same question under a new id. */
export function askAgain(asked: ApprovalRequest | undefined, made: AskedAboutCall): AskedAboutCall {
  if (!asked) return made
  const { id, issuedAt, expiresAt, shown, version, state, decisions } = made.request
  return { ...made, request: { ...asked, id, issuedAt, expiresAt, shown, version, state, decisions } }
}

/** AUDIT-01: what was called appears as the words that were judged, without what looks like a secret. */
export function entryOf(
  it: Case,
  event: AuditEvent,
  result: 'allowed' | 'denied' | 'confirmed',
  now: number,
): AuditEntry {
  const { call, hash, evaluation, weighed } = it
  return {
    timestamp: new Date(now).toISOString(),
    event,
    operation: call.tool,
    endpoint: 'hook',
    adapter_name: ADAPTER,
    danger_level: DANGER_LEVELS[levelOf(evaluation.score)],
    result,
    hint: redactProse(weighed.hint.slice(0, LONGEST_HINT)),
    score: evaluation.score,
    ...(evaluation.tier && { tier: evaluation.tier }),
    params_hash: hash,
    agent_key: agentKey(HOOK_PRINCIPAL, call.client),
    element_name: call.client,
    user_id: HOOK_PRINCIPAL,
    session_id: sessionOf(it),
  }
}

const ALLOWS_CALL = 'Approving allows this one tool call once, within five minutes.'
const LIFETIME_MS = 3_600_000
const LONGEST_FORM = 16_384
const LONGEST_HINT = 10_000

function sessionOf({ call: { client, session } }: Case): string {
  return `hook:${client}:${session}`
}

/** DNG-21 read backwards: the level in whose range the score lies. */
function levelOf(score: number): DangerLevel {
  return DANGER_LEVEL_NAMES.find((level) => score <= BASELINE_RISK[level].highest) ?? 'forbidden'
}

const LAYER_VERDICTS = {
  pass: 'allow',
  approve: 'allow',
  skip: 'none',
  pause: 'confirm',
  verify: 'confirm',
  stop: 'deny',
} as const

function layerOf({ stage, outcome, reason }: StageVerdict, decisive: string): LayerVerdict {
  return { layer: stage, verdict: LAYER_VERDICTS[outcome], text: reason, decisive: reason === decisive }
}
