import type { AgentRecord } from '../../core/verification/agent.ts'
import { defineCommand, EXIT, isStop, type Stop, stop } from '../command.ts'
import { asOperator, atDesk, type Desk, storeOptions } from '../open-operator.ts'

export const block = defineCommand({
  name: 'block',
  summary: 'Stop an agent until a human lets it go on.',
  usage: ['AGENT --reason TEXT', '--principal NAME --reason TEXT'],
  about: [
    'At the terminal only, with the operator secret. An agent is stopped with everything of its principal, because its name is only what it calls itself. Callers over HTTP without a token share the principal anonymous, processes on stdio the principal stdio: a stop of it stops all of them.',
    'It holds in every safety mode and survives restarts, until `mcpaql unblock`.',
  ],
  examples: ['mcpaql block deploy-bot --reason "acts on text from a ticket"'],
  options: {
    reason: { type: 'string', value: 'TEXT', description: 'Why; kept in the audit trail.' },
    principal: { type: 'string', value: 'NAME', description: 'Stop all agents of this principal.' },
    ...storeOptions(),
  },
  positionals: [0, 1],

  async run({ values, positionals: [agent] }, world) {
    const { reason = '', principal } = values
    if ((agent === undefined) === (principal === undefined))
      return stop(EXIT.badUsage, 'Name an AGENT, or a --principal')
    if (reason.trim() === '') return stop(EXIT.badUsage, 'Say why: --reason TEXT')
    return atDesk(values, world, (desk) =>
      asOperator(world, desk, async ({ operator: by }, terminal) => {
        const { displayText } = await import('../../core/display.ts')
        const target = principal === undefined ? await findAgent(desk, agent ?? '') : allOf(principal)
        if (isStop(target)) return target
        const done = await desk.operator.blocks.block({ ...target, reason, by: by.subject, channel: by.channel })
        const name = displayText(target.name)
        const { sharedNote, stopEffect } = await import('../../core/operator/connection.ts')
        terminal.write(`${name} is stopped${done === 'already' ? ' already' : ''}. ${stopEffect(target.principal)}\n`)
        terminal.write(`${sharedNote(target.principal) ?? NAMED}\n`)
        return EXIT.ok
      }),
    )
  },
})

const NAMED = 'Whoever uses it can still call without a token, as anonymous, unless serve runs with --require-client.'

interface Target {
  readonly agentKey: string
  readonly name: string
  readonly principal: string
}

/** The principal as key stands for all its agents (BLOCK-10). */
function allOf(principal: string): Target {
  return { agentKey: principal, name: principal, principal }
}

/** By the name that a human knows, the short id, or the whole key. */
async function findAgent(desk: Desk, given: string): Promise<Target | Stop> {
  const { displayText } = await import('../../core/display.ts')
  const { agentId } = await import('../../core/operator/agents.ts')
  const known = await knownAgents(desk)
  const listed = (agents: readonly Target[]) =>
    agents.map(({ agentKey, name, principal }) => {
      return `${agentId(agentKey)}  ${displayText(name)}, principal ${displayText(principal)}`
    })
  const [found, ...others] = known.filter(({ agentKey, name }) => [agentId(agentKey), agentKey, name].includes(given))
  if (!found) return stop(EXIT.failed, `No agent ${given} is known`, ...listed(known))
  if (others.length === 0) return found
  return stop(EXIT.failed, `Several agents are called ${given}; name one by its id`, ...listed([found, ...others]))
}

/** Those that ever started, and whoever else was seen of late. */
async function knownAgents({ store, operator }: Desk): Promise<readonly Target[]> {
  const started = (await store.list<AgentRecord>('agent')).map(({ value: { key, element_name, principal } }) => {
    return { agentKey: key, name: element_name, principal }
  })
  const seen = (await operator.agents()).map(({ key, name, principal }) => ({ agentKey: key, name, principal }))
  return [...new Map([...seen, ...started].map((target) => [target.agentKey, target])).values()]
}
