import { canonicalJson } from '../../core/canonical-json.ts'
import { type ApprovalRequest, stateOf } from '../../core/gatekeeper/request.ts'
import { isMasked, sentKey } from '../../core/masked.ts'
import { agentId } from '../../core/operator/agents.ts'
import { shortSession } from '../../core/operator/connection.ts'
import type { RequestView } from '../../core/operator/request-view.ts'
import { targetOf } from '../../core/operator/target-of.ts'
import { DANGER_LEVELS } from '../../protocol/danger.ts'
import { deedShape } from './deed-shape.ts'
import type { Flags } from './flags.ts'
import { shown, shownMask, shownRecorded, typeName } from './shown.ts'
import { sourceId } from './source-id.ts'

/** A line of the inbox. The token is on no answer of the console. */
export function requestItem(request: ApprovalRequest, now: number, flags: Flags) {
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
      says: request.client === undefined ? null : shown(request.client.slice(0, 60).toWellFormed()),
    },
    operation: shown(request.operation),
    category,
    level: DANGER_LEVELS[level],
    source: { id: sourceId(request.adapter), name: shown(request.adapter) },
    target: targetOf(request.params).map(({ name, text }) => ({ name: shown(name), text: shown(text) })),
    why: shown(whyOf(request)),
    /** How many values are not what they look like. */
    flags: flags(request),
    quota_metric: request.quotaMetric === undefined ? null : shown(request.quotaMetric),
    state: stateOf(request, now),
    issued_at: request.issuedAt,
    expires_at: request.expiresAt,
    ...(last && { decided: { decision: last.decision, by: shown(last.by), channel: last.channel, at: last.at } }),
  }
}

/** The whole page of one request. */
export function requestBody(view: RequestView, now: number, flags: Flags) {
  const { request, state, source, history, denials, session, diff } = view
  const { params, approvedAt, cooldownSeconds } = request
  return {
    ...requestItem(request, now, flags),
    state,
    params: Object.entries(params).map(paramShape),
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
    diff: diff
      ? {
          read_at: diff.readAt,
          unchanged: diff.unchanged,
          fields: diff.fields.map(({ path, lines }) => ({
            path: shown(path),
            lines: lines.map(({ sign, text, isMasked }) => ({ sign, text: isMasked ? shownMask() : shown(text) })),
          })),
        }
      : null,
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

/** What is masked says so, and tells nothing of its size. */
function paramShape([name, value]: readonly [string, unknown]) {
  const isHidden = isMasked(value)
  const text = typeof value === 'string' ? value : isHidden ? '' : canonicalJson(value)
  return {
    name: shown(sentKey(name)),
    type: isHidden ? `${value.$masked}, hidden` : typeName(value),
    value: shownRecorded(value),
    chars: text.length,
    lines: typeof value === 'string' ? value.split('\n').length : 1,
    bytes: Buffer.byteLength(text),
  }
}

/** One clause: what the decisive layer says, or the first reason. */
function whyOf({ trace, reasons, kind }: ApprovalRequest): string {
  return trace.find(({ decisive }) => decisive)?.text ?? reasons[0] ?? `A ${kind} that needs a person`
}
