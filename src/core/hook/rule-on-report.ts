import type { Attention } from '../gatekeeper/attention.ts'
import type { Reach } from '../gatekeeper/demand.ts'
import { type ApprovalRequest, stateOf } from '../gatekeeper/request.ts'
import { askAboutCall, askAgain, entryOf } from './ask-about-call.ts'
import { type Case, type Ruling, refuse, usedUp, verdictOf, whereToDecide } from './case.ts'
import { type HookDesk, withoutAllowed, withoutPause } from './hook-desk.ts'

export interface HeldBy {
  readonly desk: HookDesk
  readonly asked: ApprovalRequest | undefined
  readonly attention: Attention | undefined
  readonly now: number
  readonly reach: (() => Reach) | undefined
}

/** Section 6, 6: what has run must have been allowed. What was not pauses the agent until a human has looked at it. */
export function ruleOnReport(it: Case, { desk, asked, attention, now, reach }: HeldBy): Ruling {
  const ran = entryOf(it, 'OPERATION_CALLED', 'allowed', now)
  const settled = withoutAllowed(desk, it.deed, now)
  if (settled)
    return {
      next: { desk: settled },
      audit: [ran],
      result: { ...verdictOf(it), continue: true, reason: 'The call was allowed before it ran' },
    }
  const { result: _, ...unasked } = ran
  const violation = { ...entryOf(it, 'PROTOCOL_VIOLATION', 'denied', now), reason: UNASKED.reason }
  if (desk.pausedBy !== undefined) {
    const { result } = refuse(it, now, toldOf(asked, reach), desk.pausedBy)
    return { audit: [unasked, violation], result }
  }
  const made = askAboutCall(it, attention, now, UNASKED)
  const { result } = refuse(it, now, toldOf(made.request, reach), it.fresh)
  return {
    next: { desk: { ...desk, pausedBy: it.fresh, seenAt: now }, made: made.request, attention: made.attention },
    audit: [unasked, violation, made.audit],
    result,
  }
}

/** Nothing else runs until a human has decided; whoever denied it has ended the session. */
export function ruleOnHeld(it: Case, { desk, asked, attention, now, reach }: HeldBy): Ruling {
  const state = asked && stateOf(asked, now)
  if (asked && state === 'approved') return letGoOn(it, asked, desk, now)
  if (state === 'denied') return refuse(it, now, ENDED)
  if (state === 'pending') return refuse(it, now, toldOf(asked, reach), asked?.id)
  const made = askAgain(asked, askAboutCall(it, attention, now, UNASKED))
  const ruling = refuse(it, now, toldOf(made.request, reach), it.fresh)
  const next = { desk: { ...desk, pausedBy: it.fresh, seenAt: now }, made: made.request, attention: made.attention }
  return { ...ruling, next, audit: [made.audit] }
}

/** It allows no action: the call that brought the decision to light is judged like any other. */
function letGoOn(it: Case, asked: ApprovalRequest, desk: HookDesk, now: number): Ruling {
  const entry = { ...entryOf(it, 'TOKEN_VALIDATED', 'confirmed', now), token_id: asked.id, approval_id: asked.id }
  return { next: { asked: usedUp(asked, now), desk: withoutPause(desk) }, audit: [entry], result: 'again' }
}

const UNASKED = {
  reason: 'The tool ran without having been allowed: the hook before it is missing, or the call was changed after it',
  message: 'This call has run already. Approving lets the agent go on; it allows no action.',
  isAlarm: true,
} as const

const ENDED =
  'A tool ran without having been allowed, and a human has decided that this session ends here. Stop, and tell the user'

function toldOf(asked: ApprovalRequest | undefined, reach: (() => Reach) | undefined): string {
  const what = 'PROTOCOL_VIOLATION: a tool ran without having been allowed. The agent is paused until a human decides'
  return asked ? `${what}: ${whereToDecide(asked, reach)}. Stop, and tell the user (approval ${asked.id})` : what
}
