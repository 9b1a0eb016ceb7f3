import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redactBeginning } from '../audit/redact.ts'
import { attentionRef, withoutPrompt } from '../gatekeeper/attention.ts'
import { requestRef } from '../gatekeeper/request.ts'
import type { Session } from '../session.ts'
import { type AgentExecution, type AgentRecord, agentRef } from '../verification/agent.ts'
import { agentKey } from '../verification/agent-key.ts'
import {
  findBlock,
  inForce,
  type OpenBlock,
  type OpenBlocks,
  openBlocksRef,
  withoutHolder,
} from '../verification/block.ts'
import { type Ending, endedWith, executionEntry, isRunBy } from './agent-execution.ts'
import type { LoopParts } from './parts.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import type { View } from './view.ts'

export interface EndOrder {
  readonly operation: 'complete_execution' | 'abort_execution'
  readonly element_name: string
  readonly execution_id?: string
  readonly outcome?: string
  readonly summary?: string
  readonly reason?: string
}

/** LOOP-19, LOOP-20. */
export interface Ended {
  readonly execution_id: string
  readonly status: string
  readonly element_name: string
  readonly started_at: string
  readonly finished_at: string
  readonly steps_recorded: number
}

/** Completing is refused to a blocked agent; aborting never is. Neither lifts anything. */
export async function endExecution(
  session: Session,
  order: EndOrder,
  parts: LoopParts,
  view: View,
): Promise<Ended | OperationFailure> {
  const { store } = parts
  const key = agentKey(session.principal, order.element_name)
  const refs = { agent: agentRef(key), open: openBlocksRef() }
  const result = await store.update<typeof refs, EndResult>(refs, (current) => end(session, order, parts, current))
  if (result.kind === 'refused') return result.failure
  if (result.kind === 'blocked') {
    const call = { operation: order.operation, session: session.owner, principal: session.principal }
    return refuseBlocked(result.block, call, parts)
  }
  const { execution, isWaiting } = result
  view.ended(execution.session, key, isWaiting)
  return {
    execution_id: execution.execution_id,
    status: execution.status,
    element_name: order.element_name,
    started_at: new Date(execution.startedAt).toISOString(),
    finished_at: new Date(execution.finishedAt ?? 0).toISOString(),
    steps_recorded: execution.steps,
  }
}

type EndResult =
  | { readonly kind: 'ended'; readonly execution: AgentExecution; readonly isWaiting: boolean }
  | { readonly kind: 'blocked'; readonly block: OpenBlock }
  | { readonly kind: 'refused'; readonly failure: OperationFailure }

interface EndChange {
  readonly next?: { readonly agent: AgentRecord }
  readonly audit?: readonly AuditEntry[]
  readonly result: EndResult
}

function end(
  session: Session,
  order: EndOrder,
  { mode, clock }: LoopParts,
  { agent, open = {} }: { readonly agent?: AgentRecord | undefined; readonly open?: OpenBlocks | undefined },
): EndChange {
  const isCompleting = order.operation === 'complete_execution'
  const block = isCompleting ? findBlock(inForce(open, mode), session.principal, order.element_name) : undefined
  if (block) return { result: { kind: 'blocked', block } }
  const running = agent?.execution && isRunBy(agent.execution, session) ? agent.execution : undefined
  const isMeant = running && (order.execution_id === undefined || order.execution_id === running.execution_id)
  if (!agent || !isMeant) return { result: { kind: 'refused', failure: notRunning(agent, order, session) } }
  const now = clock.now()
  const next = endedWith(agent, endingOf(order, now))
  const [execution = running] = next.ended
  return {
    next: { agent: next },
    audit: [executionEntry('EXECUTION_ENDED', next, execution, now)],
    result: { kind: 'ended', execution, isWaiting: isWaiting(next) },
  }
}

/** LOOP-20: the end lifts nothing. A block is in force by itself. */
function isWaiting({ pause, challenge }: AgentRecord): boolean {
  return pause !== undefined || challenge?.cause === 'verify'
}

function endingOf({ operation, outcome, summary, reason }: EndOrder, now: number): Ending {
  return {
    status: operation === 'complete_execution' ? 'completed' : 'cancelled',
    now,
    ...(outcome !== undefined && { outcome: keptText(outcome) }),
    ...(summary !== undefined && { summary: keptText(summary) }),
    ...(reason !== undefined && { reason: keptText(reason) }),
  }
}

/** AUDIT-06. */
function keptText(text: string): string {
  return redactBeginning(text, 2_000)
}

/** LOOP-03: what has ended cannot end again; what never was is unknown. */
function notRunning(agent: AgentRecord | undefined, order: EndOrder, session: Session): OperationFailure {
  const { operation, element_name, execution_id } = order
  const own = agent?.ended.filter((each) => isRunBy(each, session))
  const ended = own?.find((each) => execution_id === undefined || each.execution_id === execution_id)
  if (!ended)
    return fail('NOT_FOUND_RESOURCE', { resource_type: 'execution', resource_id: execution_id ?? element_name })
  return fail('CONFLICT_INVALID_STATE', { operation, state: ended.status, execution_id: ended.execution_id })
}

/**
 * SESS-02, SESS-03: the session's executions are cancelled, however it ended, and nobody is asked any more about what
 * they wanted. A pause holds all the same: the next report of the agent asks again.
 */
export async function endSession(session: string, parts: LoopParts, view: View): Promise<void> {
  for (const key of view.forget(session)) await leave(session, key, parts)
}

async function leave(session: string, key: string, { store, clock }: LoopParts) {
  const known = await store.get(agentRef(key))
  if (!known) return
  const refs = {
    agent: agentRef(key),
    asked: requestRef(known.pause?.approvalId ?? ''),
    attention: attentionRef(known.principal),
    open: openBlocksRef(),
  }
  await store.update<typeof refs, void>(refs, ({ agent, asked, attention, open = {} }) => {
    if (!agent) return { result: undefined }
    const now = clock.now()
    const running = agent.execution?.session === session ? agent.execution : undefined
    const left = running ? endedWith(agent, { status: 'cancelled', now }) : agent
    const blocks = withoutHolder(open, key, session)
    const isOpen = asked?.session === session && (asked.state === 'pending' || asked.state === 'approved')
    return {
      next: {
        agent: { ...left, grants: left.grants.filter((grant) => grant.session !== session) },
        ...(blocks !== open && { open: blocks }),
        ...(asked &&
          isOpen && {
            asked: { ...asked, version: asked.version + 1, state: 'revoked' as const },
            attention: withoutPrompt(attention, asked.id, now),
          }),
      },
      audit: running && left.ended[0] ? [executionEntry('EXECUTION_ENDED', left, left.ended[0], now)] : [],
      result: undefined,
    }
  })
}
