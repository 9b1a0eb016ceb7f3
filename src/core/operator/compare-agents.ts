import type { Store } from '../ports/store.ts'
import type { AgentRecord, Grant } from '../verification/agent.ts'
import { lookAlike } from '../verification/agent-key.ts'
import { type OpenBlock, openBlocksRef } from '../verification/block.ts'
import type { Difference } from './compare-records.ts'
import type { ToldState } from './read-told.ts'
import type { Told } from './trail-cut.ts'

export async function blocksAgainst(store: Store, { blocks }: ToldState): Promise<readonly Difference[]> {
  const open = (await store.get(openBlocksRef())) ?? {}
  const isBlocked = (told: Told | undefined): told is Told => told?.entry.event === 'AGENT_BLOCKED'
  const gone = [...blocks].flatMap(([key, told]) =>
    isBlocked(told) && !Object.hasOwn(open, key)
      ? [{ seq: told.seq, what: `The trail has a block of ${key} that nobody has lifted, but the store has none` }]
      : [],
  )
  const differing = Object.entries(open).flatMap(([key, block]): readonly Difference[] => {
    const told = blocks.get(key)
    if (!told) return [{ what: `The store has a block of ${key}, but the trail does not`, isUntold: true }]
    if (!isBlocked(told)) return [{ what: `The store has a block of ${key}, but the trail does not` }]
    return isAnother(key, block, told)
      ? [{ seq: told.seq, what: `The block of ${key} is not the one that was set` }]
      : []
  })
  return [...gone, ...differing]
}

/** Whom it stops, in which modes, and from when on. The session is recorded where the loop has set the block. */
function isAnother(key: string, block: OpenBlock, { entry }: Told): boolean {
  const { agentKey, principal, trigger, element_name, blockedAt, session } = block
  return (
    agentKey !== key ||
    principal !== entry.user_id ||
    (entry.session_id !== undefined && session !== entry.session_id) ||
    trigger !== entry.trigger ||
    element_name !== entry.element_name ||
    block.lookAlike !== lookAlike(element_name) ||
    blockedAt !== Date.parse(entry.timestamp)
  )
}

/** What an agent may do once although it was stopped: each comes from a human's approval, or from a code. */
export async function grantsAgainst(store: Store, told: ToldState): Promise<readonly Difference[]> {
  const agents = await store.list<AgentRecord>('agent')
  return agents.flatMap(({ value: { key, grants } }) =>
    grants.flatMap((grant): readonly Difference[] => {
      const what = `The store lets ${key} go on by ${grant.from}`
      const approval = told.grants.get(grant.from)
      const code = told.verified.get(grant.from)
      if (!approval && !code) return [{ what: `${what}, but the trail has no approval of it`, isUntold: true }]
      const isOther = approval ? isOtherAction(grant, approval) : code?.entry.agent_key !== key
      return isOther ? [{ what: `${what}, which the trail has for something else` }] : []
    }),
  )
}

function isOtherAction({ hintHash, session }: Grant, { entry }: Told): boolean {
  return hintHash !== entry.params_hash || session !== entry.session_id
}
