import type { AutonomySettings } from '../../protocol/directive.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { type Evaluation, evaluate } from '../autonomy/evaluate.ts'
import { type Attention, attentionRef } from '../gatekeeper/attention.ts'
import type { Reach } from '../gatekeeper/demand.ts'
import { recent, TOKEN_RATES } from '../gatekeeper/desk.ts'
import { type ApprovalRequest, requestRef, stateOf } from '../gatekeeper/request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { findBlock, type OpenBlocks, openBlocksRef } from '../verification/block.ts'
import { askAboutCall, entryOf, HOOK_PRINCIPAL, newRequestId } from './ask-about-call.ts'
import { emptyHookDesk, type HookDesk, hookDeskRef, sweepHookDesks, withDenial, withQuestion } from './hook-desk.ts'
import { hashCall, type ToolCall } from './tool-call.ts'
import { type Weighed, weighCall } from './weigh-call.ts'

/** What a hook is told; the client shows the reason to the agent. */
export interface HookVerdict {
  readonly continue: boolean
  readonly reason: string
  readonly factors: readonly string[]
  readonly score?: number
  readonly tier?: string
  readonly approval_id?: string
}

export type Judge = (call: ToolCall) => Promise<HookVerdict>

export interface JudgeParts {
  readonly store: Store
  readonly clock: Clock
  readonly settings: AutonomySettings
  readonly reach?: () => Reach
  /** How long an approved call can be made (AUTO-17). */
  readonly grantMs?: number
}

/**
 * DONGLE-05: the same stages and lists as for a reported hint, over the call itself. A hook never waits for a human: it
 * is told what is waited for, and the same call passes once when it is made again after an approval.
 */
export async function createJudge(parts: JudgeParts): Promise<Judge> {
  await sweepHookDesks(parts.store, parts.clock)
  return async (call) => {
    const weighed = weighCall(call)
    const evaluation = evaluate({ ...weighed, count: 0, settings: parts.settings })
    const hash = hashCall(call)
    for (;;) {
      const known = (await parts.store.get(hookDeskRef(call)))?.live[hash]
      const verdict = await decideOn({ call, hash, weighed, evaluation, known, fresh: newRequestId() }, parts)
      if (verdict !== 'again') return verdict
    }
  }
}

const GRANT_MS = 300_000

/** A call on its way through the judgement. */
export interface Case {
  readonly call: ToolCall
  readonly hash: string
  readonly weighed: Weighed
  readonly evaluation: Evaluation
  /** The request that stands for this call, if there is one. */
  readonly known: string | undefined
  /** The id of the request that may be made. */
  readonly fresh: string
}

interface Ruling {
  readonly next?: {
    readonly desk?: HookDesk
    readonly asked?: ApprovalRequest
    readonly made?: ApprovalRequest
    readonly attention?: Attention
  }
  readonly audit?: readonly AuditEntry[]
  readonly result: HookVerdict | 'again'
}

interface Known {
  readonly open?: OpenBlocks | undefined
  readonly desk?: HookDesk | undefined
  readonly asked?: ApprovalRequest | undefined
  readonly attention?: Attention | undefined
}

function decideOn(it: Case, parts: JudgeParts): Promise<HookVerdict | 'again'> {
  const refs = {
    open: openBlocksRef(),
    desk: hookDeskRef(it.call),
    asked: requestRef(it.known ?? it.fresh),
    made: requestRef(it.fresh),
    attention: attentionRef(HOOK_PRINCIPAL),
  }
  return parts.store.update<typeof refs, HookVerdict | 'again'>(refs, (current) => rule(it, current, parts))
}

function rule(it: Case, known: Known, parts: JudgeParts): Ruling {
  const now = parts.clock.now()
  const desk = known.desk ?? emptyHookDesk(now)
  if (desk.live[it.hash] !== it.known) return { result: 'again' }
  const { outcome, reason = 'Refused' } = it.evaluation
  const block = findBlock(known.open ?? {}, HOOK_PRINCIPAL, it.call.client)
  if (block) return refuse(it, now, `The agent is blocked: ${block.reason}. Only the operator can lift the block`)
  if (outcome === 'stop') return refuse(it, now, `${reason}. Nobody can approve it here; the user can do it by hand`)
  if (outcome === 'continue') return allow(it, now, reasonToGoOn(it))
  if (desk.denied.includes(it.hash)) return refuse(it, now, DENIED)
  return ruleOnPause(it, known, desk, now, parts)
}

const DENIED = 'A human has denied this call. Do not try it again; ask the user what to do instead'

function ruleOnPause(it: Case, { asked, attention }: Known, desk: HookDesk, now: number, parts: JudgeParts): Ruling {
  const { grantMs = GRANT_MS } = parts
  if (it.known !== undefined && asked) {
    const isGranted = asked.state === 'approved' && asked.useCount < asked.maxUses
    if (isGranted && now <= (asked.approvedAt ?? 0) + grantMs) return redeem(it, asked, desk, now)
    if (asked.state === 'denied') {
      const ruling = refuse(it, now, DENIED)
      return { ...ruling, next: { desk: withDenial(desk, it.hash, now) } }
    }
    if (stateOf(asked, now) === 'pending') return refuse(it, now, waitingFor(it, asked, parts), asked.id)
  }
  const issues = recent(desk.issues, now, TOKEN_RATES.windowMs)
  if (issues.length >= TOKEN_RATES.issues)
    return refuse(it, now, 'Too many calls wait for a human. Ask the user before anything else')
  const made = askAboutCall(it, attention, now)
  const ruling = refuse(it, now, waitingFor(it, made.request, parts), it.fresh)
  return {
    ...ruling,
    next: { desk: withQuestion(desk, it.hash, it.fresh, now), made: made.request, attention: made.attention },
    audit: [made.audit],
  }
}

/** Once: the approval is used up in the commit that lets the call pass. */
function redeem(it: Case, asked: ApprovalRequest, desk: HookDesk, now: number): Ruling {
  const { [it.hash]: _, ...live } = desk.live
  const used: ApprovalRequest = {
    ...asked,
    version: asked.version + 1,
    state: 'consumed',
    useCount: asked.useCount + 1,
    consumedAt: now,
  }
  const entry = entryOf(it, 'TOKEN_VALIDATED', 'confirmed', now)
  return {
    next: { asked: used, desk: { ...desk, live, seenAt: now } },
    audit: [{ ...entry, token_id: asked.id, approval_id: asked.id }],
    result: { ...verdictOf(it), continue: true, reason: 'A human has approved this call', approval_id: asked.id },
  }
}

function allow(it: Case, now: number, reason: string): Ruling {
  return {
    audit: [entryOf(it, 'STEP_EVALUATED', 'allowed', now)],
    result: { ...verdictOf(it), continue: true, reason },
  }
}

function refuse(it: Case, now: number, reason: string, approval_id?: string): Ruling {
  const entry = entryOf(it, 'OPERATION_DENIED', 'denied', now)
  return {
    audit: [{ ...entry, reason, ...(approval_id !== undefined && { approval_id }) }],
    result: { ...verdictOf(it), continue: false, reason, ...(approval_id !== undefined && { approval_id }) },
  }
}

function reasonToGoOn({ evaluation: { score, tier } }: Case): string {
  return tier ? `Risk ${score} is in the tier ${tier}` : 'Approved by a pattern'
}

function verdictOf({ evaluation: { factors, score, tier } }: Case) {
  return { factors, score, ...(tier && { tier }) }
}

function waitingFor(
  { evaluation: { reason = 'Paused' } }: Case,
  { id, shown }: ApprovalRequest,
  parts: JudgeParts,
): string {
  const { channels, consoleUrl } = parts.reach?.() ?? { channels: ['terminal'] }
  const ways = [
    ...(channels.includes('console') ? [consoleUrl ? `the console ${consoleUrl}` : 'the console'] : []),
    ...(channels.includes('terminal') ? [`mcpaql approve ${id}`] : []),
  ]
  const where = !shown ? 'when the other requests are decided' : ways.join(' or ')
  return `${reason}. A human must approve it first: ${where}. Tell the user; when it is approved, make exactly the same call again (approval ${id})`
}
