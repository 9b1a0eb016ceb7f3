import type { Terminal } from '../channels/read-secret.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { displayText, displayValue, textOf } from '../core/display.ts'
import type { Decided, Refusal } from '../core/gatekeeper/approvals.ts'
import type { ApprovalRequest } from '../core/gatekeeper/request.ts'
import { stopEffect } from '../core/operator/connection.ts'
import type { Right } from '../core/operator/operator-account.ts'
import type { RequestView } from '../core/operator/request-view.ts'
import { targetOf } from '../core/operator/target-of.ts'
import { type DecisionParts, humanDecision } from '../core/ports/human.ts'
import { EXIT, type Stop, stop } from './command.ts'
import { asOperator, type Desk } from './open-operator.ts'
import { layOut, MOST_BYTES, requestLines, showAll } from './show-request.ts'
import type { World } from './world.ts'

/** What the human wants, unless the terminal's question is answered otherwise. */
export type Wish = Pick<DecisionParts, 'decision' | 'reason' | 'manipulated'>

/** SELF-07, SELF-12: the secret, then everything that is bound, then the question; only then the decision. */
export function decideRequest(id: string, wish: Wish, desk: Desk, world: World): Promise<number | Stop> {
  return asOperator(world, desk, async (right, terminal) => {
    const { subject, channel } = right.operator
    const view = await desk.operator.request(id, { subject, channel, view: 'terminal' })
    const obstacle = obstacleOf(id, view, wish)
    if (obstacle || !view) return obstacle ?? EXIT.failed
    const isSeen = await showAll(
      terminal,
      layOut(requestLines(view.request, view.state, world.now()), terminal.columns),
    )
    if (!isSeen || !(await isMeant(terminal, view.request, wish))) {
      return stop(EXIT.waiting, 'Nothing was decided. The request waits until it expires')
    }
    const decided = await desk.operator.decide(id, decisionOf(wish, view.request, right))
    return tell(decided, wish, terminal)
  })
}

/** What makes it pointless, or wrong, to go on and ask. */
function obstacleOf(id: string, view: RequestView | undefined, { decision }: Wish): Stop | undefined {
  if (!view) return stop(EXIT.failed, `There is no request ${id}`, 'To see what waits: mcpaql approvals')
  if (view.state !== 'pending') return stop(EXIT.failed, `The request is ${view.state} already. Nothing was decided`)
  const isTooLong = Buffer.byteLength(canonicalJson(view.request.params)) > MOST_BYTES
  if (decision === 'approve' && isTooLong) {
    return stop(
      EXIT.denied,
      'Its parameters are too long to be read here, so it cannot be approved here',
      'Use the console: mcpaql console',
    )
  }
  return undefined
}

/** The answer is a word, never a key: what is done cannot always be undone. Denying is the safe way and the short one. */
async function isMeant(terminal: Terminal, request: ApprovalRequest, { decision }: Wish): Promise<boolean> {
  if (decision === 'deny') return true
  const answer = await terminal.readLine(
    `\nType approve to let ${whatIsAllowed(request)}, or Enter to leave it waiting [no]: `,
  )
  return answer?.trim() === 'approve'
}

/** A pause runs nothing by itself, and not every one is about an action (AUTO-18). */
function whatIsAllowed(request: ApprovalRequest): string {
  const { kind, agent, message = '' } = request
  if (kind !== 'pause') return `${whatRuns(request)} run once`
  const who = displayText(agent?.element_name ?? request.principal)
  return message.includes('allows no action') ? `${who} go on (no action is allowed by it)` : `${who} do this once`
}

function whatRuns({ operation, adapter, params }: ApprovalRequest): string {
  const target = targetOf(params).map(({ name, text }) => `${displayText(name)} ${textOf(displayValue(text))}`)
  const of = target.length > 0 ? ` with ${target.join(', ')}` : ''
  return `${displayText(operation)} of ${displayText(adapter)}${of}`
}

/** Names what was shown, so that a request which has changed in the meantime is not decided. */
function decisionOf(wish: Wish, { version, paramsHash }: ApprovalRequest, { operator }: Right) {
  return humanDecision({ ...wish, version, paramsHash, by: operator })
}

function tell(decided: Decided, { manipulated }: Wish, terminal: Terminal): number | Stop {
  if (decided.kind === 'refused') {
    const exit = FAILED.has(decided.why) ? EXIT.failed : EXIT.denied
    return stop(exit, `Nothing was decided: ${REFUSALS[decided.why]}`)
  }
  terminal.write(`${DONE[decided.request.state] ?? decided.request.state}\n`)
  if (manipulated && decided.request.state === 'denied') terminal.write(`${stoppedText(decided.request)}\n`)
  return decided.request.state === 'pending' ? EXIT.waiting : EXIT.ok
}

/** BLOCK-10: a denial that calls the agent manipulated stops its principal as well. */
function stoppedText({ principal, agent }: ApprovalRequest): string {
  const name = displayText(agent?.element_name ?? principal)
  return `${name} is stopped now, with everything of principal ${displayText(principal)}. ${stopEffect(principal)} To let it go on: mcpaql unblock ${name} --reason TEXT`
}

const DONE: Readonly<Record<string, string>> = {
  approved: 'Approved, once. The agent may now repeat the call.',
  denied: 'Denied. Nothing ran, and the same call is refused for the rest of the session.',
  pending: 'Recorded. A second person must approve as well.',
}

const FAILED: ReadonlySet<Refusal> = new Set(['unknown', 'already', 'expired', 'changed'])

const REFUSALS: Readonly<Record<Refusal, string>> = {
  unknown: 'the request is gone',
  already: 'somebody else has decided',
  expired: 'the request has expired',
  changed: 'the request has changed since it was shown',
  role: 'it needs another role',
  own_subject: 'whoever caused a request cannot decide on it',
  channel: 'it cannot be approved at the terminal',
  reauth: 'it was issued after the secret was typed',
  scope: 'it can be approved for one call only',
  same_person: 'a second person must approve',
}
