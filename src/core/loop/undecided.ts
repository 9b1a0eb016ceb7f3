import { requestRef } from '../gatekeeper/request.ts'
import type { Store } from '../ports/store.ts'
import { type AgentRecord, agentRef } from '../verification/agent.ts'
import { holdsBack } from './hold-agent.ts'
import type { LoopParts } from './parts.ts'
import { settlePause } from './settle-pause.ts'
import type { View } from './view.ts'

/**
 * LOOP-16, LOOP-20, R-29: the agent about which a human has yet to decide. Its pause or its challenge holds the session
 * until then, or until the code has expired, whatever other agents run there, and after the end of its own execution.
 * `except` is the key of an agent that is not meant.
 */
export async function undecidedIn(
  session: string,
  parts: LoopParts,
  view: View,
  except?: string,
): Promise<string | undefined> {
  for (const { key } of view.runs(session)) {
    if (key === except) continue
    const agent = await undecided(key, parts)
    if (agent) return agent.element_name
  }
  for (const key of view.leftWaiting(session)) {
    if (key === except) continue
    const agent = await undecided(key, parts)
    if (agent) return agent.element_name
    view.settled(session, key)
  }
  return undefined
}

async function undecided(key: string, { store, clock }: LoopParts): Promise<AgentRecord | undefined> {
  const agent = await store.get(agentRef(key))
  return agent && (await isUndecided(agent, store, clock.now())) ? agent : undefined
}

async function isUndecided(agent: AgentRecord, store: Store, now: number): Promise<boolean> {
  if (holdsBack(agent, NO_ACTION, now)) return true
  if (!agent.pause) return false
  const asked = await store.get(requestRef(agent.pause.approvalId))
  return settlePause(agent, asked, 0, now).pause !== 'none'
}

/** Hash of no hint. */
const NO_ACTION = ''
