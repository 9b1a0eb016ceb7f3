import type { AutonomySettings } from '../../protocol/directive.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { evaluate } from '../autonomy/evaluate.ts'
import type { OwnPlaces } from '../autonomy/own-places.ts'
import { attentionRef } from '../gatekeeper/attention.ts'
import type { Reach } from '../gatekeeper/demand.ts'
import { recent, TOKEN_RATES } from '../gatekeeper/desk.ts'
import { type ApprovalRequest, requestRef, stateOf } from '../gatekeeper/request.ts'
import { nextTurn } from '../next-turn.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { findBlock, openBlocksRef } from '../verification/block.ts'
import { askAboutCall, entryOf, HOOK_PRINCIPAL, newRequestId } from './ask-about-call.ts'
import {
  type Case,
  type HookVerdict,
  type Known,
  type Ruling,
  refuse,
  usedUp,
  verdictOf,
  whereToDecide,
} from './case.ts'
import {
  emptyHookDesk,
  type HookDesk,
  hookDeskRef,
  sweepHookDesks,
  withAllowed,
  withDenial,
  withQuestion,
} from './hook-desk.ts'
import { isReport } from './hook-events.ts'
import { ruleOnHeld, ruleOnReport } from './rule-on-report.ts'
import { hashCall, hashDeed, type ToolCall } from './tool-call.ts'
import { refusedAsUnseen } from './unseen-in-call.ts'
import { createUnwrittenReports, type Judged } from './unwritten-reports.ts'
import { weighCall } from './weigh-call.ts'

export type Judge = (call: ToolCall) => Promise<HookVerdict>

export interface JudgeParts {
  readonly store: Store
  readonly clock: Clock
  readonly settings: AutonomySettings
  readonly reach?: () => Reach
  /** Ports on which servers of this program answer. */
  readonly ports?: () => readonly number[]
  /** What the server uses itself. */
  readonly own?: OwnPlaces
  /** How long an approved call can be made (AUTO-17). */
  readonly grantMs?: number
  /** The store did not take these entries, and nobody tries again. */
  readonly lost?: (cause: unknown, entries: readonly AuditEntry[]) => void
}

/**
 * DONGLE-05: the same stages and lists as for a reported hint, over the call itself. A hook never waits for a human: it
 * is told what is waited for, and the same call passes once when it is made again after an approval. The hook after the
 * call tells what has run.
 */
export async function createJudge(parts: JudgeParts): Promise<Judge> {
  await sweepHookDesks(parts.store, parts.clock)
  const unwritten = createUnwrittenReports((report) => decideOnce(report, parts))
  return async (call) => {
    // A call may hold a hundred thousand values, and each step looks through all of them.
    await nextTurn()
    const weighed = weighCall(call, { ports: parts.ports?.() ?? [], ...(parts.own && { own: parts.own }) })
    const evaluation = evaluate({ ...weighed, count: 0, settings: parts.settings })
    await nextTurn()
    const hash = hashCall(call)
    await nextTurn()
    const unseen = isReport(call.event) ? undefined : await refusedAsUnseen(call, weighed.hint, evaluation.outcome)
    const judged = { call, weighed, evaluation, unseen, hash, deed: hashDeed(call) }
    try {
      await unwritten.write(call)
      return await decideOnce(judged, parts)
    } catch (cause) {
      // Told of in the trail: as it is when there is room for it, or by its number.
      if (!isReport(call.event) || !unwritten.keep(judged)) parts.lost?.(cause, [missing(parts.clock.now())])
      throw cause
    }
  }
}

function missing(now: number): AuditEntry {
  return { timestamp: new Date(now).toISOString(), event: 'OPERATION_DENIED' }
}

async function decideOnce(judged: Judged, parts: JudgeParts): Promise<HookVerdict> {
  for (;;) {
    const known = requestFor(await parts.store.get(hookDeskRef(judged.call)), judged.hash)
    const verdict = await decideOn({ ...judged, known, fresh: newRequestId() }, parts)
    if (verdict !== 'again') return verdict
  }
}

const GRANT_MS = 300_000

/** A request that holds the session comes before one about a single call. */
function requestFor(desk: HookDesk | undefined, hash: string): string | undefined {
  return desk?.pausedBy ?? desk?.live[hash]
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
  if (requestFor(desk, it.hash) !== it.known) return { result: 'again' }
  const held = { desk, asked: known.asked, attention: known.attention, now, reach: parts.reach }
  if (isReport(it.call.event)) return ruleOnReport(it, held)
  const block = findBlock(known.open ?? {}, HOOK_PRINCIPAL, it.call.client)
  if (block) return refuse(it, now, `The agent is blocked: ${block.reason}. Only the operator can lift the block`)
  if (desk.pausedBy !== undefined) return ruleOnHeld(it, held)
  const { outcome, reason = 'Refused' } = it.evaluation
  if (outcome === 'stop') return refuse(it, now, `${reason}. Nobody can approve it here; the user can do it by hand`)
  if (it.unseen !== undefined) return refuse(it, now, `${reason}; ${it.unseen}, and make the call again`)
  if (outcome === 'continue') return allow(it, desk, now)
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
  const entry = entryOf(it, 'TOKEN_VALIDATED', 'confirmed', now)
  return {
    next: { asked: usedUp(asked, now), desk: withAllowed({ ...desk, live }, it.deed, now) },
    audit: [{ ...entry, token_id: asked.id, approval_id: asked.id }],
    result: { ...verdictOf(it), continue: true, reason: 'A human has approved this call', approval_id: asked.id },
  }
}

function allow(it: Case, desk: HookDesk, now: number): Ruling {
  return {
    next: { desk: withAllowed(desk, it.deed, now) },
    audit: [entryOf(it, 'STEP_EVALUATED', 'allowed', now)],
    result: { ...verdictOf(it), continue: true, reason: reasonToGoOn(it) },
  }
}

function reasonToGoOn({ evaluation: { score, tier, verdicts } }: Case): string {
  return verdicts.find(({ outcome }) => outcome === 'approve')?.reason ?? `Risk ${score} is in the tier ${tier}`
}

function waitingFor(
  { evaluation: { reason = 'Paused' } }: Case,
  asked: ApprovalRequest,
  { reach }: JudgeParts,
): string {
  return `${reason}. A human must approve it first: ${whereToDecide(asked, reach)}. Tell the user; when it is approved, make exactly the same call again (approval ${asked.id})`
}
