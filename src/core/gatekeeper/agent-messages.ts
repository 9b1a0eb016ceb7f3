import { fillMessage } from '../trust/confirmation-message.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a human decides about `execute_agent` (LOOP-09), from its parameters as a record holds them. */
export function startMessage(params: Fields): string {
  return fillMessage(Object.hasOwn(params, 'goal') ? STARTS_ON_GOAL : STARTS, params)
}

const STARTS = "Let agent '{element_name}' start working under supervision? It allows no action by itself."
const STARTS_ON_GOAL =
  "Let agent '{element_name}' start working on '{goal}' under supervision? It allows no action by itself."

/** Why it is asked, whatever the danger level of the call. */
export const START_REASON = 'an agent starts only when a human says so; each of its actions is judged by itself'

/** What a human decides about a pause: `action` covers the action, the others only let the agent go on (AUTO-18). */
export function pauseMessage(cause: keyof typeof PAUSES, element_name: string): string {
  return fillMessage(PAUSES[cause], { element_name })
}

const PAUSES = {
  step_limit: "Let agent '{element_name}' go on? It has used up its steps. Approving allows no action.",
  failure: "Let agent '{element_name}' go on? Its last step failed. Approving allows no action.",
  action: "Let agent '{element_name}' take this next action, once, within five minutes?",
} as const

/** For the agent, whose words nobody is asked about. */
export function unseenReason(param: string, unseen: string): string {
  return `nobody can approve what nobody can see: ${param} holds what looks like a credential (${unseen}), which is shown and stored nowhere. Name it by reference instead (an environment variable, a file)`
}
