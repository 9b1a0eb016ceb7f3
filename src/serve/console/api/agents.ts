import { type AgentView, agentId } from '../../../core/operator/agents.ts'
import { type BlockView, SHORTEST_REASON } from '../../../core/operator/blocks.ts'
import { shortSession } from '../../../core/operator/connection.ts'
import { deedShape } from '../deed-shape.ts'
import { type Answer, badBody, type Call, type ConsoleDesk, ok, type Route, refusal, textField } from '../route.ts'
import { shown, shownClaim, shownRedacted } from '../shown.ts'
import { PURPOSES } from './reauth.ts'

/** Who acts, who is stopped; stopping and letting go again (BLOCK-07, BLOCK-10). */
export const AGENTS: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/agents',
    needs: 'viewer',
    answer: async (_, { operator }) => ok({ items: (await operator.agents()).map(agentShape) }),
  },
  { method: 'GET', path: '/api/agents/:id', needs: 'viewer', answer: oneAgent },
  {
    method: 'GET',
    path: '/api/blocks',
    needs: 'viewer',
    answer: async (_, { operator }) => ok({ items: (await operator.blocks.list()).map(blockShape) }),
  },
  { method: 'POST', path: '/api/agents/:id/block', needs: 'approver', answer: blockAgent },
  { method: 'POST', path: '/api/blocks/:id/lift', needs: 'admin', answer: liftBlock },
]

async function oneAgent({ names }: Call, { operator }: ConsoleDesk): Promise<Answer> {
  const agent = (await operator.agents()).find(({ id }) => id === names.id)
  if (!agent) return noAgent()
  const [history, blocks] = await Promise.all([operator.history(agent.principal, 50), operator.blocks.list()])
  return ok({
    ...agentShape(agent),
    history: history.map(deedShape),
    blocks: blocks.filter(({ agentKey }) => agentKey === agent.key).map(blockShape),
  })
}

async function blockAgent({ names, body, signIn }: Call, { operator }: ConsoleDesk): Promise<Answer> {
  const reason = reasonIn(body)
  if (reason === undefined) return badReason()
  const agent = (await operator.agents()).find(({ id }) => id === names.id)
  if (!agent) return noAgent()
  const state = await operator.blocks.block({
    agentKey: agent.key,
    name: agent.name,
    principal: agent.principal,
    reason,
    by: signIn.subject,
    channel: 'console',
  })
  void operator.watch.look()
  return ok({ state })
}

async function liftBlock({ names, body, signIn }: Call, { operator, reauths }: ConsoleDesk): Promise<Answer> {
  const reason = reasonIn(body)
  if (reason === undefined) return badReason()
  const block = (await operator.blocks.list()).find(
    ({ agentKey, liftedAt }) => agentId(agentKey) === names.id && liftedAt === undefined,
  )
  if (!block) return refusal(404, 'unknown', 'There is no such block.')
  const proof = reauths.redeem(textField(body, 'reauth_id', 64), signIn.id, PURPOSES.block(names.id ?? ''))
  if (proof === undefined)
    return refusal(403, 'reauth', 'This needs the operator secret once more.', { needs: 'reauth' })
  const state = await operator.blocks.lift({
    agentKey: block.agentKey,
    reason,
    by: signIn.subject,
    channel: 'console',
  })
  void operator.watch.look()
  return ok({ state })
}

function reasonIn(body: Call['body']): string | undefined {
  const reason = textField(body, 'reason', 500)?.trim()
  return reason !== undefined && reason.length >= SHORTEST_REASON ? reason : undefined
}

function badReason(): Answer {
  return badBody(`Give a reason of ${SHORTEST_REASON} to 500 characters.`)
}

function noAgent(): Answer {
  return refusal(404, 'unknown', 'There is no such agent.')
}

function agentShape(agent: AgentView) {
  const { id, name, principal, session, client, connections, effect, shared, execution, state, lastSeenAt, day } = agent
  return {
    id,
    name: shown(name),
    principal: shown(principal),
    session: shown(session.slice(0, 8)),
    client: client === undefined ? null : shown(client),
    connections: connections.map((each) => ({
      session: shown(shortSession(each.session)),
      label: each.label === undefined ? null : shown(each.label),
      says: each.client === undefined ? null : shownClaim(each.client),
      last_seen_at: each.lastSeenAt,
    })),
    effect,
    shared: shared ?? null,
    execution: execution ? { ...execution, goal: execution.goal === undefined ? null : shown(execution.goal) } : null,
    state,
    last_seen_at: lastSeenAt,
    day,
  }
}

function blockShape(block: BlockView) {
  const { agentKey, name, principal, trigger, hint, score, since, by, reason, challenge } = block
  return {
    id: agentId(agentKey),
    name: shown(name),
    principal: shown(principal),
    trigger,
    hint: block.unseen ? shownRedacted(hint) : shown(hint),
    score: score ?? null,
    since,
    by: by === undefined ? null : shown(by),
    reason: reason === undefined ? null : shown(reason),
    challenge: challenge ?? null,
    lifted_at: block.liftedAt ?? null,
    lifted_by: block.liftedBy === undefined ? null : shown(block.liftedBy),
    lifted_reason: block.liftedReason === undefined ? null : shown(block.liftedReason),
  }
}
