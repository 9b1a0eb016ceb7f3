import { randomBytes } from 'node:crypto'
import type { AuditEvent } from '../../protocol/audit.ts'
import { BASELINE_RISK, DANGER_LEVEL_NAMES, DANGER_LEVELS, type DangerLevel } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redactAction, redactInput } from '../audit/redact.ts'
import type { StageVerdict } from '../autonomy/evaluate.ts'
import { type Attention, isShown, withPrompt } from '../gatekeeper/attention.ts'
import { scopeKey } from '../gatekeeper/desk.ts'
import type { ApprovalRequest, LayerVerdict } from '../gatekeeper/request.ts'
import { asRecorded } from '../masked.ts'
import { agentKey } from '../verification/agent-key.ts'
import type { Case } from './case.ts'
import { LONGEST_HINT, recordedHint } from './recorded-hint.ts'

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
  /** It has run, so that nothing in it is approved. */
  readonly hasRun?: true
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
  const { reason, message, hasRun } = question
  const reasons = [reason, ...weighed.scored.factors]
  const expiresAt = now + LIFETIME_MS
  const queue = withPrompt(attention, { id, expiresAt, from: sessionOf(it), ...(hasRun && { isAlarm: hasRun }) }, now)
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
    params: hasRun ? redactedParams(it) : paramsOf(it),
    paramsHash: hash,
    scope: scopeKey(ADAPTER, call.tool, hash),
    session: sessionOf(it),
    principal: HOOK_PRINCIPAL,
    agent: { key: agentKey(HOOK_PRINCIPAL, call.client), element_name: call.client },
    client: call.client,
    reasons: hasRun ? reasons.map(redactAction) : reasons,
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

function paramsOf({ call: { tool, input, cwd, client }, weighed: { hint } }: Case) {
  return { hint, tool, input: asRecorded(input), cwd, client }
}

/** AUDIT-06: a human has to look at what ran, and nothing that they do not see can run by their word. */
function redactedParams(it: Case) {
  const { hint, input, cwd, ...names } = paramsOf(it)
  return { hint: toldHint(it, hint), input: redactInput(input), cwd: redactAction(cwd), ...names }
}

/** Where it is not all of it, that is said; `params_hash` is of the whole call. */
function toldHint(it: Case, { length }: string): string {
  return length > LONGEST_HINT ? `${recordedHint(it)}… (${length} characters)` : recordedHint(it)
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
  const { call, hash, evaluation } = it
  return {
    timestamp: new Date(now).toISOString(),
    event,
    operation: call.tool,
    endpoint: 'hook',
    adapter_name: ADAPTER,
    danger_level: DANGER_LEVELS[levelOf(evaluation.score)],
    result,
    hint: toldHint(it, it.weighed.hint),
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
