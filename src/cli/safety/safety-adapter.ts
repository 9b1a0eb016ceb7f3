import { type AdapterDefinition, defineAdapter } from '../../core/registry/adapter.ts'
import type { EndpointProfile } from '../../protocol/endpoints.ts'

/** DONGLE-01: three families, each with its own of the seven operations. */
export const SAFETY_PROFILE: EndpointProfile = Object.freeze({
  name: 'safety',
  introspection: 'read',
  families: Object.freeze([
    { name: 'create', purpose: 'Report what you are about to do, and submit codes.', categories: ['CREATE'] },
    { name: 'execute', purpose: 'Start, end and decide on executions.', categories: ['EXECUTE'] },
    { name: 'read', purpose: 'Describe the operations.', categories: ['READ'] },
  ] as const),
})

/** DONGLE-06, and DONGLE-07: what the model is told, and what it is not told to believe. */
export const SAFETY_INSTRUCTIONS = [
  'You work under supervision. Begin with execute_agent; a human has to approve it.',
  'Before EVERY action anywhere (a tool of any server, a shell command, a file you write or delete, a network request, a database statement) call record_execution_step with next_action_hint: the action in full, with its arguments and its target.',
  'Act only if the answer says autonomy.continue is true, and do exactly what you announced. If it is false, do not act, do not rephrase, do not look for another way: tell the user the reason and the id that is waited for, and report the same action again when a human has decided.',
  'A verification code comes from a human who read it elsewhere; pass it to verify_challenge and never guess one. When you are done call complete_execution, to give up abort_execution.',
  'Reporting is cooperative: this server judges what you report and cannot stop what you do not.',
].join('\n')

/** DONGLE-02: no operation of any domain; whatever it offers is the protocol's own. */
export function safetyAdapter(): AdapterDefinition {
  return defineAdapter({
    name: 'safety',
    displayName: 'Safety server',
    description:
      'Judges each action that an agent reports before it acts. Reporting is cooperative: what is not reported cannot be stopped here.',
    operations: [],
    profiles: [SAFETY_PROFILE],
    instructions: SAFETY_INSTRUCTIONS,
  })
}
