import { fail } from '../../protocol/errors.ts'
import type { ErrorDetail } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { isSameCaller, type Session } from '../session.ts'
import type { AgentExecution, AgentRecord } from '../verification/agent.ts'

/** SESS-03: the server process died, and the session with it. */
export const TERMINATED: ErrorDetail = fail('INTERNAL_ERROR', {
  description: 'the session ended before the execution did',
  reason: 'session_terminated',
}).error

export interface Ending {
  readonly status: 'completed' | 'cancelled' | 'failed'
  readonly now: number
  readonly error?: ErrorDetail
  readonly outcome?: string
  readonly summary?: string
  readonly reason?: string
}

/** LOOP-03: from running to one of the terminal states; pause, challenge and block stay as they are (LOOP-20). */
export function endedWith(agent: AgentRecord, { now, ...ending }: Ending): AgentRecord {
  const { execution, ...rest } = agent
  if (!execution) return agent
  const ended: AgentExecution = { ...execution, ...ending, finishedAt: now, denied: [] }
  return { ...rest, ended: [ended, ...agent.ended].slice(0, MOST_ENDED) }
}

const MOST_ENDED = 20

/** Whose it is: the session that started it, and any other of the same named client. */
export function isRunBy({ session }: AgentExecution, { owner, principal }: Session): boolean {
  return isSameCaller(principal, session, owner)
}

export function executionEntry(
  event: 'EXECUTION_STARTED' | 'EXECUTION_ENDED',
  { key, principal, element_name }: AgentRecord,
  { execution_id, adapter, session, status, goal, steps, outcome, summary, reason }: AgentExecution,
  now: number,
): AuditEntry {
  return {
    timestamp: new Date(now).toISOString(),
    event,
    adapter_name: adapter,
    agent_key: key,
    element_name,
    execution_id,
    status,
    ...(event === 'EXECUTION_ENDED' && { steps_recorded: steps }),
    ...(goal !== undefined && { goal }),
    ...(outcome !== undefined && { outcome }),
    ...(summary !== undefined && { summary }),
    ...(reason !== undefined && { reason }),
    user_id: principal,
    session_id: session,
  }
}
