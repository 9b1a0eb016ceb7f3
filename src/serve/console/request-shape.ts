import { canonicalJson } from '../../core/canonical-json.ts'
import { type ApprovalRequest, stateOf } from '../../core/gatekeeper/request.ts'
import { isMasked, sentKey } from '../../core/masked.ts'
import { nextTurn } from '../../core/next-turn.ts'
import { agentId } from '../../core/operator/agents.ts'
import { shortSession } from '../../core/operator/connection.ts'
import type { Diff } from '../../core/operator/diff-of.ts'
import type { RequestView } from '../../core/operator/request-view.ts'
import { targetOf } from '../../core/operator/target-of.ts'
import { DANGER_LEVELS } from '../../protocol/danger.ts'
import { judge } from './deceptive.ts'
import { deedShape } from './deed-shape.ts'
import type { Flags } from './flags.ts'
import { shown, shownClaim, shownMask, shownRecorded, typeName } from './shown.ts'
import { sourceId } from './source-id.ts'

/** A line of the inbox. The token is on no answer of the console. */
export async function requestItem(request: ApprovalRequest, now: number, flags: Flags) {
  const { id, kind, version, category, level, agent, principal, decisions } = request
  const last = decisions.at(-1)
  return {
    id,
    kind,
    class: request.class,
    version,
    agent: {
      id: agentId(agent?.key ?? principal),
      name: shown(agent?.element_name ?? principal),
      principal: shown(principal),
      session: shown(shortSession(request.session)),
      label: request.label === undefined ? null : shown(request.label),
      says: request.client === undefined ? null : shownClaim(request.client.slice(0, 60).toWellFormed()),
    },
    operation: shown(request.operation),
    category,
    level: DANGER_LEVELS[level],
    source: { id: sourceId(request.adapter), name: shown(request.adapter) },
    target: targetOf(request.params).map(({ name, text }) => ({ name: shown(name), text: shown(text) })),
    why: shown(whyOf(request)),
    /** How many values are not what they look like. */
    flags: await flags(request),
    quota_metric: request.quotaMetric === undefined ? null : shown(request.quotaMetric),
    state: stateOf(request, now),
    issued_at: request.issuedAt,
    expires_at: request.expiresAt,
    ...(last && { decided: { decision: last.decision, by: shown(last.by), channel: last.channel, at: last.at } }),
  }
}

/** The whole page of one request. Of what is long, the beginning: the page asks for the rest. */
export async function requestBody(view: RequestView, now: number, flags: Flags) {
  const { request, state, source, history, denials, session, diff } = view
  const { params, approvedAt, cooldownSeconds } = request
  return {
    ...(await requestItem(request, now, flags)),
    state,
    params: await paramShapes(params),
    params_bytes: Buffer.byteLength(canonicalJson(params)),
    params_hash: request.paramsHash,
    trust: {
      level: request.trust,
      claim: source?.claim || null,
      /** The operation is not as it was when the operator trusted the source. */
      drifted: (source?.drift ?? []).some(({ operation }) => operation === request.operation),
      hash: source?.hash ?? null,
    },
    trace: request.trace.map(({ layer, verdict, text, decisive }) => ({
      layer: shown(layer),
      verdict,
      text: shown(text),
      decisive,
    })),
    reasons: request.reasons.map(shown),
    claims: [
      ...(request.message === undefined ? [] : [{ who: 'source', text: shown(request.message) }]),
      ...(request.client === undefined ? [] : [{ who: 'client', text: shown(request.client) }]),
    ],
    diff: diff ? await diffShape(diff) : null,
    cooldown_seconds: cooldownSeconds,
    cooldown_until: approvedAt !== undefined && cooldownSeconds > 0 ? approvedAt + cooldownSeconds * 1_000 : null,
    requires_reauth: request.requiresReauth || request.class === 'C3',
    session_scope: { allowed: session.allowed, max_uses: session.maxUses },
    max_uses: request.maxUses,
    use_count: request.useCount,
    consumed_at: request.consumedAt ?? null,
    outcome: request.outcome === undefined ? null : shown(request.outcome),
    decisions: request.decisions.map(({ decision, scope, channel, at, by, reason, tellAgent }) => ({
      decision,
      scope,
      channel,
      at,
      by: shown(by),
      reason: reason === undefined ? null : shown(reason),
      tell_agent: tellAgent === undefined ? null : shown(tellAgent),
    })),
    denials,
    history: history.map(deedShape),
  }
}

/** So much of all values together is shown before the page asks for more, and so much of each at least. */
const PAGE_LENGTH = 32_768
const LEAST_LENGTH = 1_024

async function paramShapes(params: ApprovalRequest['params']) {
  const entries = Object.entries(params)
  const length = Math.max(LEAST_LENGTH, Math.floor(PAGE_LENGTH / Math.max(1, entries.length)))
  const shapes: Awaited<ReturnType<typeof paramShape>>[] = []
  for (const entry of entries) shapes.push(await paramShape(entry, length))
  return shapes
}

/** What is masked says so, and tells nothing of its size. */
async function paramShape([name, value]: readonly [string, unknown], length: number) {
  const isHidden = isMasked(value)
  const text = typeof value === 'string' ? value : isHidden ? '' : canonicalJson(value)
  const { to, of, segments } = shownRecorded(value, 0, length)
  await nextTurn()
  return {
    name: shown(sentKey(name)),
    type: isHidden ? `${value.$masked}, hidden` : typeName(value),
    /** Its beginning; what is found in it is found in all of it. */
    value: { segments, ...(await judge(value)) },
    shown: { to, of },
    masked: isHidden,
    chars: text.length,
    lines: typeof value === 'string' ? value.split('\n').length : 1,
    bytes: Buffer.byteLength(text),
  }
}

/** What comes behind the beginning of a value; undefined when there is no such value. */
export function valuePart({ version, paramsHash, params }: ApprovalRequest, at: number, from: number) {
  const entry = Object.values(params)
  if (!(at < entry.length)) return undefined
  const { to, of, ...value } = shownRecorded(entry[at], from)
  return { version, params_hash: paramsHash, value, shown: { from, to, of } }
}

/** All that a comparison shows. The values to be written are whole beside it, so what is left out of it is counted. */
const DIFF_LENGTH = 32_768

async function diffShape({ readAt, unchanged, fields }: Diff) {
  let left = DIFF_LENGTH
  const shapes: object[] = []
  for (const { path, lines } of fields) {
    const fitting = lines.filter(({ text }) => {
      left -= text.length + LINE_LENGTH
      return left >= 0
    })
    shapes.push({
      path: shown(path),
      lines: fitting.map(({ sign, text, isMasked }) => ({ sign, text: isMasked ? shownMask() : shown(text) })),
      omitted: lines.length - fitting.length,
    })
    await nextTurn()
  }
  return { read_at: readAt, unchanged, fields: shapes }
}

/** What a line takes beside its text, in characters. */
const LINE_LENGTH = 16

/** One clause: what the decisive layer says, or the first reason. */
function whyOf({ trace, reasons, kind }: ApprovalRequest): string {
  return trace.find(({ decisive }) => decisive)?.text ?? reasons[0] ?? `A ${kind} that needs a person`
}
