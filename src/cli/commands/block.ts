import type { AgentRecord } from '../../core/verification/agent.ts'
import { defineCommand, EXIT, isStop, messageOf, type Stop, stop } from '../command.ts'
import { asOperator, atDesk, type Desk, storeOptions } from '../open-operator.ts'

export const block = defineCommand({
  name: 'block',
  summary: 'Stop an agent until a human lets it go on.',
  usage: ['AGENT --reason TEXT', '--principal NAME [--force] --reason TEXT'],
  about: [
    'At the terminal only, with the operator secret. An agent is stopped with everything of its principal, because its name is only what it calls itself. Callers over HTTP without a token share the principal anonymous, processes on stdio the principal stdio: a stop of it stops all of them.',
    'It holds in every safety mode and survives restarts, until `mcpaql unblock`.',
  ],
  examples: ['mcpaql block deploy-bot --reason "acts on text from a ticket"'],
  options: {
    reason: { type: 'string', value: 'TEXT', description: 'Why; kept in the audit trail.' },
    principal: { type: 'string', value: 'NAME', description: 'Stop all agents of this principal.' },
    force: { type: 'boolean', description: 'With --principal: stop a name in advance, which nobody has had so far.' },
    ...storeOptions(),
  },
  positionals: [0, 1],

  async run({ values, positionals: [agent] }, world) {
    const { reason = '', principal, force = false } = values
    if ((agent === undefined) === (principal === undefined))
      return stop(EXIT.badUsage, 'Name an AGENT, or a --principal')
    if (reason.trim() === '') return stop(EXIT.badUsage, 'Say why: --reason TEXT')
    const ended = atDesk(values, world, (desk) =>
      asOperator(world, desk, async ({ operator: by }, terminal) => {
        const { displayText } = await import('../../core/display.ts')
        const target =
          principal === undefined ? await findAgent(desk, agent ?? '') : await findPrincipal(desk, principal, force)
        if (isStop(target)) return target
        const done = await desk.operator.blocks.block({ ...target, reason, by: by.subject, channel: by.channel })
        const name = displayText(target.name)
        const { sharedNote, stopEffect } = await import('../../core/operator/connection.ts')
        terminal.write(`${name} is stopped${done === 'already' ? ' already' : ''}. ${stopEffect(target.principal)}\n`)
        terminal.write(`${sharedNote(target.principal) ?? NAMED}\n`)
        return EXIT.ok
      }),
    )
    return ended.catch(async (error: unknown) => {
      const { isStoreFault } = await import('../../core/ports/store-fault.ts')
      return isStoreFault(error) ? unstored(error) : Promise.reject(error)
    })
  },
})

/** BLOCK-01: whoever stops an agent must know at once when it goes on. */
function unstored(error: Error): Stop {
  return stop(
    EXIT.failed,
    `The stop could NOT be stored in full, so do not count on it: the agent may go on. ${messageOf(error)}`,
    'End the server (Ctrl-C where it runs, or kill its process): without it nothing is served',
    'Then make room or repair the disk, run this command again, and look at mcpaql blocks before the server is started',
  )
}

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

/** A name that nobody has would stop nobody, while whoever typed it believes that the agent is stopped. */
async function findPrincipal(desk: Desk, given: string, isForced: boolean): Promise<Target | Stop> {
  const { SHARED_PRINCIPALS } = await import('../../core/session.ts')
  const { HOOK_PRINCIPAL } = await import('../../core/hook/ask-about-call.ts')
  const { nearestNames } = await import('../../core/introspection/letter-pairs.ts')
  const { displayText } = await import('../../core/display.ts')
  const clients = (await desk.operator.clients.list()).map(({ name }) => name)
  const agents = (await knownAgents(desk)).map(({ principal }) => principal)
  const known = [...new Set([...SHARED_PRINCIPALS, HOOK_PRINCIPAL, ...clients, ...agents])]
  const isKnown = known.includes(given) || (await desk.store.trail.read({ principal: given, limit: 1 })).length > 0
  if (isKnown || isForced) return allOf(given)
  const near = nearestNames(given, known, 3)
  const names = (near.length > 0 ? near : known).map((name) => displayText(name)).join(', ')
  return stop(
    EXIT.failed,
    `Nobody is stopped: no client, session or record has the name ${displayText(given)}`,
    near.length > 0 ? `Did you mean ${names}?` : `There are: ${names}`,
    'To stop the name in advance all the same: --force',
  )
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
  if (!found)
    return stop(
      EXIT.failed,
      `No agent ${displayText(given)} is known`,
      ...(await claimedBy(desk, given)),
      ...listed(known),
    )
  if (others.length === 0) return found
  return stop(EXIT.failed, `Several agents are called ${given}; name one by its id`, ...listed([found, ...others]))
}

/** A name that a client gives itself stops nobody: any other client may give itself the same. Its principal can be stopped. */
async function claimedBy({ operator }: Desk, given: string): Promise<readonly string[]> {
  const { displayText } = await import('../../core/display.ts')
  const isIts = ({ client }: { readonly client?: string | undefined }) => client?.split(/[ /]/, 1)[0] === given
  const callers = (await operator.agents()).filter((agent) => [agent, ...agent.connections].some(isIts))
  return [...new Set(callers.map(({ principal }) => principal))].map(
    (principal) =>
      `A client of the principal ${displayText(principal)} calls itself so; to stop that principal: mcpaql block --principal ${displayText(principal)}`,
  )
}

/** Those that ever started, and whoever else was seen of late. */
async function knownAgents({ store, operator }: Desk): Promise<readonly Target[]> {
  const started = (await store.list<AgentRecord>('agent')).map(({ value: { key, element_name, principal } }) => {
    return { agentKey: key, name: element_name, principal }
  })
  const seen = (await operator.agents()).map(({ key, name, principal }) => ({ agentKey: key, name, principal }))
  return [...new Map([...seen, ...started].map((target) => [target.agentKey, target])).values()]
}
