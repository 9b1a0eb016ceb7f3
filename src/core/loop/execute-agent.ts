import { randomBytes } from 'node:crypto'
import type { AutonomySettings } from '../../protocol/directive.ts'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { redactBeginning, unseenIn } from '../audit/redact.ts'
import { type AutonomyOverrides, autonomyFaults, tighten } from '../autonomy/settings.ts'
import { canonicalJson } from '../canonical-json.ts'
import { unseenReason } from '../gatekeeper/agent-messages.ts'
import type { Session } from '../session.ts'
import { type AgentExecution, type AgentRecord, agentRef, newAgent } from '../verification/agent.ts'
import { agentKey, normaliseName } from '../verification/agent-key.ts'
import { inForce, type OpenBlock, type OpenBlocks, openBlocksRef, startBlock } from '../verification/block.ts'
import { endedWith, executionEntry, isRunBy, TERMINATED } from './agent-execution.ts'
import type { LoopParts } from './parts.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import type { View } from './view.ts'

export interface StartOrder {
  readonly element_name: string
  readonly goal?: string
  readonly autonomy?: AutonomyOverrides
}

/** LOOP-08. */
export interface Started {
  readonly execution_id: string
  readonly status: 'running'
  readonly started_at: string
  readonly element_name: string
  readonly autonomy: AutonomySettings
}

/** LOOP-08 to LOOP-10. Whether a human has agreed is the gate's business; here it begins. */
export async function executeAgent(
  session: Session,
  order: StartOrder,
  parts: LoopParts,
  view: View,
): Promise<Started | OperationFailure> {
  const fault = faultOf(order, parts)
  if (fault) return fault
  const { store } = parts
  const key = agentKey(session.principal, order.element_name)
  const running = (await store.get(agentRef(key)))?.execution
  const gone = running && (await store.isGone(running.opener)) ? running.execution_id : undefined
  const execution = executionOf(session, order, parts)
  const refs = { agent: agentRef(key), open: openBlocksRef() }
  const result = await store.update<typeof refs, StartResult>(refs, (current) =>
    start(session, order, execution, gone, parts, current),
  )
  if (result.kind === 'refused') return result.failure
  if (result.kind === 'blocked') {
    const call = { operation: 'execute_agent', session: session.owner, principal: session.principal }
    return refuseBlocked(result.block, call, parts)
  }
  view.started(session.owner, { key, principal: session.principal, element_name: order.element_name })
  return {
    execution_id: execution.execution_id,
    status: 'running',
    started_at: new Date(execution.startedAt).toISOString(),
    element_name: order.element_name,
    autonomy: execution.settings,
  }
}

/** For the gate: what the handler would refuse anyway, so that no human is asked in vain (BLOCK-02, BLOCK-04, LOOP-10). */
export async function refuseStart(
  session: Session,
  order: StartOrder,
  parts: LoopParts,
): Promise<OperationFailure | undefined> {
  const fault = faultOf(order, parts)
  if (fault) return fault
  const { store, mode } = parts
  const { owner, principal } = session
  const { element_name } = order
  const [agent, open = {}] = await Promise.all([
    store.get(agentRef(agentKey(principal, element_name))),
    store.get(openBlocksRef()),
  ])
  const block = startBlock(inForce(open, mode), { principal, session: owner, element_name, agent })
  if (block) return refuseBlocked(block, { operation: 'execute_agent', session: owner, principal }, parts)
  const running = agent?.execution
  return running && !(await store.isGone(running.opener)) ? alreadyRunning(running, session) : undefined
}

/** LOOP-10. */
function alreadyRunning(running: AgentExecution, session: Session): OperationFailure {
  return fail('CONFLICT_INVALID_STATE', {
    operation: 'execute_agent',
    state: 'running',
    ...(isRunBy(running, session) && { execution_id: running.execution_id }),
  })
}

type StartResult =
  | { readonly kind: 'started' }
  | { readonly kind: 'blocked'; readonly block: OpenBlock }
  | { readonly kind: 'refused'; readonly failure: OperationFailure }

interface StartChange {
  readonly next?: { readonly agent: AgentRecord }
  readonly audit?: readonly AuditEntry[]
  readonly result: StartResult
}

function start(
  session: Session,
  { element_name }: StartOrder,
  execution: AgentExecution,
  gone: string | undefined,
  parts: LoopParts,
  { agent, open = {} }: { readonly agent?: AgentRecord | undefined; readonly open?: OpenBlocks | undefined },
): StartChange {
  const { principal, owner } = session
  const block = startBlock(inForce(open, parts.mode), { principal, session: owner, element_name, agent })
  if (block) return { result: { kind: 'blocked', block } }
  const running = agent?.execution
  if (running && running.execution_id !== gone)
    return { result: { kind: 'refused', failure: alreadyRunning(running, session) } }
  const now = execution.startedAt
  const key = agentKey(principal, element_name)
  const known = agent ?? newAgent({ key, principal, element_name, firstSeenAt: now })
  const ready = running ? endedWith(known, { status: 'failed', error: TERMINATED, now }) : known
  const next: AgentRecord = { ...ready, element_name, execution }
  return {
    next: { agent: next },
    audit: [executionEntry('EXECUTION_STARTED', next, execution, now)],
    result: { kind: 'started' },
  }
}

function faultOf(order: StartOrder, { mode }: LoopParts): OperationFailure | undefined {
  const { element_name, autonomy } = order
  if (normaliseName(element_name) === '')
    return fail('VALIDATION_MISSING_PARAM', { param_name: 'element_name', operation: 'execute_agent' })
  const [fault] = autonomy === undefined ? [] : autonomyFaults(autonomy, 'agent')
  if (fault !== undefined)
    return fail('VALIDATION_INVALID_VALUE', { param_name: 'autonomy', constraint: fault, operation: 'execute_agent' })
  return mode === 'enforcing' ? unseenFault(order) : undefined
}

/** SELF-12: nobody reads more, and it takes time to look through it. */
const LONGEST_READ = 65_536

/** LOOP-09: a human is asked about every start, and sees all of it. */
function unseenFault(order: StartOrder): OperationFailure | undefined {
  for (const [param_name, value] of Object.entries(order)) {
    const text = typeof value === 'string' ? value : canonicalJson(value)
    const unseen = text.length > LONGEST_READ ? undefined : unseenIn(text)
    const constraint =
      text.length > LONGEST_READ
        ? `no more than ${LONGEST_READ} characters, because a human reads them`
        : unseen && `a text without a credential, because ${unseenReason(param_name, unseen)}`
    if (constraint === undefined) continue
    return fail('VALIDATION_INVALID_VALUE', { param_name, constraint, operation: 'execute_agent' })
  }
  return undefined
}

function executionOf({ owner }: Session, { goal, autonomy }: StartOrder, parts: LoopParts): AgentExecution {
  return {
    execution_id: `agent_${randomBytes(12).toString('base64url')}`,
    adapter: parts.adapter,
    session: owner,
    opener: parts.store.opener,
    status: 'running',
    ...(goal !== undefined && { goal: redactBeginning(goal, 2_000) }),
    startedAt: parts.clock.now(),
    steps: 0,
    count: 0,
    settings: tighten(parts.settings, autonomy),
    denied: [],
  }
}
