import { requestRef } from '../gatekeeper/request.ts'
import type { Store } from '../ports/store.ts'
import { type AgentRecord, agentRef } from '../verification/agent.ts'
import { holdsBack } from './hold-agent.ts'
import type { LoopParts } from './parts.ts'
import { settlePause } from './settle-pause.ts'
import type { View } from './view.ts'

/**
 * LOOP-20, R-29: an execution that has ended lifts neither its pause nor its challenge, so they hold the session as if
 * it still ran: until a human decides, or the code has expired.
 */
export async function leftWaiting(session: string, parts: LoopParts, view: View): Promise<string | undefined> {
  for (const key of view.leftWaiting(session)) {
    const agent = await parts.store.get(agentRef(key))
    const waits = agent && (await isUndecided(agent, parts.store, parts.clock.now()))
    if (waits) return agent.element_name
    view.settled(session, key)
  }
  return undefined
}

async function isUndecided(agent: AgentRecord, store: Store, now: number): Promise<boolean> {
  if (holdsBack(agent, NO_ACTION, now)) return true
  if (!agent.pause) return false
  const asked = await store.get(requestRef(agent.pause.approvalId))
  return settlePause(agent, asked, 0, now).pause !== 'none'
}

/** Hash of no hint. */
const NO_ACTION = ''
