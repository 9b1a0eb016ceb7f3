import type { SafetyMode } from '../../protocol/directive.ts'
import { record, type Store } from '../ports/store.ts'
import { type AgentRecord, agentRef, withoutChallenge } from '../verification/agent.ts'
import { type Challenge, challengeRef, closed, isOpen } from '../verification/challenge.ts'
import { endedWith, executionEntry, TERMINATED } from './agent-execution.ts'
import type { LoopParts } from './parts.ts'

/** Before the first request: what processes that are gone have left behind ends (SESS-03, BLOCK-05). */
export async function recover(parts: LoopParts): Promise<void> {
  await noteMode(parts, parts.mode)
  const { store, clock } = parts
  for (const { value } of await store.list<AgentRecord>('agent')) await recoverAgent(value, parts)
  for (const { value } of await store.list<Challenge>('challenge')) {
    if (value.expiresAt < clock.now() - DAY_MS) await forget(store, value.id)
  }
}

const DAY_MS = 86_400_000

async function recoverAgent({ key, execution, challenge }: AgentRecord, { store, clock }: LoopParts): Promise<void> {
  const lost = execution && (await store.isGone(execution.opener)) ? execution.execution_id : undefined
  const isVoid = challenge !== undefined && (await isVoidChallenge(store, challenge.id))
  if (lost === undefined && !isVoid) return
  const refs = { agent: agentRef(key), challenge: challengeRef(challenge?.id ?? '') }
  await store.update<typeof refs, void>(refs, ({ agent, challenge: asked }) => {
    if (!agent) return { result: undefined }
    const now = clock.now()
    const isLost = lost !== undefined && agent.execution?.execution_id === lost
    const ended = isLost ? endedWith(agent, { status: 'failed', error: TERMINATED, now }) : agent
    const isSame = isVoid && agent.challenge?.id === challenge.id
    const next = isSame ? withoutVoid(ended) : ended
    return {
      next: { agent: next, ...(isSame && asked && isOpen(asked) && { challenge: closed(asked, now) }) },
      audit: isLost && next.ended[0] ? [executionEntry('EXECUTION_ENDED', next, next.ended[0], now)] : [],
      result: undefined,
    }
  })
}

/** BLOCK-09: a verify pause ends with the process that asked for the code; a block stays, and gets another challenge (BLOCK-05). */
export function withoutVoid(agent: AgentRecord): AgentRecord {
  const { challenge } = agent
  if (challenge?.cause !== 'block') return withoutChallenge(agent)
  return { ...agent, challenge: { ...challenge, state: 'failed' } }
}

/** A challenge whose maker has ended is void: nobody answers for what was shown. */
export async function isVoidChallenge(store: Store, id: string): Promise<boolean> {
  const challenge = await store.get(challengeRef(id))
  return challenge === undefined || store.isGone(challenge.opener)
}

function forget(store: Store, id: string): Promise<void> {
  const refs = { challenge: challengeRef(id) }
  return store.update<typeof refs, void>(refs, () => ({ next: { challenge: undefined }, result: undefined }))
}

/** AUDIT-05. A source that never had the loop has no mode to tell of. */
export function noteMode(
  { store, clock, adapter }: Pick<LoopParts, 'store' | 'clock' | 'adapter'>,
  mode: SafetyMode,
): Promise<void> {
  const refs = { mode: record<SafetyMode>('safety-mode', adapter) }
  return store.update<typeof refs, void>(refs, ({ mode: old }) => {
    if (old === mode || (old === undefined && mode === 'disabled')) return { result: undefined }
    const timestamp = new Date(clock.now()).toISOString()
    const change = { new: mode, ...(old && { old }), operator: 'configuration', adapter_name: adapter }
    return { next: { mode }, audit: [{ timestamp, event: 'SAFETY_MODE_CHANGED', ...change }], result: undefined }
  })
}
