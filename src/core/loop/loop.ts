import { randomUUID } from 'node:crypto'
import {
  type AgentNotification,
  type AutonomySettings,
  RISK_TOLERANCES,
  SAFETY_MODES,
  type SafetyMode,
} from '../../protocol/directive.ts'
import { fail } from '../../protocol/errors.ts'
import { isFailure, type OperationFailure } from '../../protocol/result.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { type AutonomyOverrides, withDefaults } from '../autonomy/settings.ts'
import type { ConnectionReach } from '../gatekeeper/usable-channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { Followed, Store } from '../ports/store.ts'
import type { Session } from '../session.ts'
import { agentRef, withNotice } from '../verification/agent.ts'
import {
  type BlockOrder,
  blockAgent,
  type LiftOrder,
  liftBlock,
  type OpenBlocks,
  openBlocksRef,
} from '../verification/block.ts'
import { createStops, type Stops } from '../verification/stops.ts'
import { type Verified, verifyChallenge } from '../verification/verify-challenge.ts'
import { type ConfirmOrder, confirm } from './confirm.ts'
import { type Ended, type EndOrder, endExecution, endSession } from './end-execution.ts'
import { executeAgent, refuseStart, type Started, type StartOrder } from './execute-agent.ts'
import { writeKept } from './keep-blocks.ts'
import { LOOP_LIMITS, type LoopLimits, type LoopParts } from './parts.ts'
import { recordStep, type StepAnswer } from './record-step.ts'
import { recover } from './recover.ts'
import { tellBlocked } from './refuse-blocked.ts'
import type { Report } from './report.ts'
import { undecidedIn } from './undecided.ts'
import { createMemory, createView, type LoopMemory } from './view.ts'

/** Spec §8.6 to §8.8: the execution safety loop of one adapter. */
export interface Loop {
  readonly mode: SafetyMode
  readonly settings: AutonomySettings
  executeAgent(session: Session, order: StartOrder): Promise<Started | OperationFailure>
  /** Before a human is asked about `execute_agent`: the refusal that no approval could change. */
  refuseStart(session: Session, order: StartOrder): Promise<OperationFailure | undefined>
  recordStep(session: Session, report: Report, connection?: ConnectionReach): Promise<StepAnswer | OperationFailure>
  endExecution(session: Session, order: EndOrder): Promise<Ended | OperationFailure>
  confirm(session: Session, order: ConfirmOrder): Promise<unknown>
  verify(session: Session, challenge_id: string, code: string): Promise<Verified | OperationFailure>
  /** BLOCK-10 and BLOCK-07, for the operator plane of this process. */
  block(order: BlockOrder): Promise<'blocked' | 'already'>
  lift(order: LiftOrder): Promise<'lifted' | 'unknown'>
  /** NOTE-09: an informational notification, told with the agent's next report. */
  notify(agentKey: string, type: 'status' | 'error', message: string): Promise<void>
  /** GATE-07: the failure of every call that the session's agent may not make at all; known without asking the store. */
  isBlocked(session: Session): OperationFailure | undefined
  /** That failure as the agent is told it: with a challenge that can be answered, a new one if need be (OOB-14). */
  tellBlocked(session: Session, operation: string, stopped: OperationFailure): Promise<OperationFailure>
  /** The same by blocks that a commit has in hand. */
  isBlockedAmong: Stops['among']
  /** LOOP-24: false when the session runs an execution and the operation was not what it last announced. Takes the cover. */
  covers(session: Session, operation: string): boolean
  /** LOOP-16, LOOP-20: the agent of the session about which a human has yet to decide, whether or not its execution runs. */
  undecided(session: Session): Promise<string | undefined> | undefined
  /** whether the session runs an execution at all. */
  isRunning(session: Session): boolean
  /** What `covers` refused, for the trail. */
  violation(session: Session, operation: string, reason?: string): AuditEntry
  endSession(session: Session): Promise<void>
  /** `_protocol.safety` (AUTO-15). */
  readonly describe: Readonly<Record<string, unknown>>
}

export type LoopOptions = Pick<LoopParts, 'store' | 'clock' | 'adapter' | 'mode' | 'score'> &
  Partial<
    Pick<LoopParts, 'channels' | 'decideAsPrincipal' | 'revokeTokens' | 'report' | 'reach' | 'permission' | 'trust'>
  > & {
    readonly settings?: AutonomyOverrides
    readonly limits?: Partial<LoopLimits>
    /** The blocks as somebody else follows them already. */
    readonly blocks?: Followed<OpenBlocks>
    /** Shared with the other loops of this process. */
    readonly memory?: LoopMemory
  }

/** BLOCK-05: resolves when the blocks are known; if they cannot be read, every execution is refused until they can. */
export async function createLoop(options: LoopOptions): Promise<Loop> {
  const parts: LoopParts = {
    channels: [],
    report: () => {},
    trust: () => 'untested',
    ...options,
    settings: withDefaults(options.settings),
    limits: { ...LOOP_LIMITS, ...options.limits },
  }
  const { store, clock, mode, adapter } = parts
  const blocks = options.blocks ?? store.follow(openBlocksRef())
  const view = createView(blocks, adapter, options.memory ?? createMemory())
  const stops = createStops({ mode, open: view.open })
  await recover(parts).catch(parts.report)

  /** BLOCK-01, BLOCK-05: nothing begins or goes on while the blocks are not readable and written. */
  const guarded = async <T>(act: () => Promise<T>): Promise<T | OperationFailure> => {
    try {
      await writeKept(store, view)
      view.open()
    } catch (cause) {
      parts.report(cause)
      return UNSAFE
    }
    return act()
  }

  return {
    mode,
    settings: parts.settings,
    executeAgent: (session, order) => guarded(() => executeAgent(session, order, parts, view)),
    refuseStart: (session, order) => guarded(() => refuseStart(session, order, parts)),
    recordStep: (session, report, connection = {}) =>
      guarded(() => recordStep(session, report, parts, view, connection)),

    endExecution(session, order) {
      const act = () => endExecution(session, order, parts, view)
      return order.operation === 'abort_execution' ? act() : guarded(act)
    },

    confirm: (session, order) => confirm(session, order, parts),

    async verify({ owner, principal }, challenge_id, code) {
      const order = { challenge_id, code, session: owner, principal, grantMs: parts.limits.grantMs }
      const verified = await verifyChallenge(store, clock, order)
      if (isFailure(verified) && verified.error.code === 'RATE_LIMIT_EXCEEDED')
        await parts.revokeTokens?.(owner, 'too many verification attempts').catch(parts.report)
      return verified
    },

    block: (order) => blockAgent(store, clock, randomUUID(), order),
    lift: (order) => liftBlock(store, clock, order),

    notify: (key, type, message) => addNotice(store, clock, key, { type, message }),

    isBlocked(session) {
      if (mode === 'enforcing' && view.isKeeping()) return UNSAFE
      try {
        return stops.of(session)
      } catch (cause) {
        parts.report(cause)
        return UNSAFE
      }
    },
    isBlockedAmong: stops.among,

    async tellBlocked({ owner, principal }, operation, stopped) {
      if (mode !== 'enforcing' || view.isKeeping()) return stopped
      try {
        const block = stops.blockOn({ principal, owner })
        if (!block || block.trigger === 'operator') return stopped
        return await tellBlocked(block, { operation, session: owner, principal }, parts)
      } catch (cause) {
        parts.report(cause)
        return stopped
      }
    },

    covers: (session, operation) => mode !== 'enforcing' || view.takeCover(session.owner, operation),

    undecided({ owner }) {
      const isNone = view.leftWaiting(owner).length === 0 && view.runs(owner).length === 0
      if (mode !== 'enforcing' || isNone) return undefined
      return undecidedIn(owner, parts, view)
    },

    isRunning: (session) => view.runs(session.owner).length > 0,

    violation: (session, operation, reason = 'the operation was not announced by record_execution_step') => ({
      timestamp: new Date(clock.now()).toISOString(),
      event: 'PROTOCOL_VIOLATION',
      operation,
      adapter_name: adapter,
      result: 'denied',
      reason,
      user_id: session.principal,
      session_id: session.owner,
    }),

    endSession: (session) => endSession(session.owner, parts, view),

    describe: Object.freeze({
      mode,
      modes: SAFETY_MODES,
      defaults: parts.settings,
      risk_tolerances: RISK_TOLERANCES,
      reporting: 'cooperative: actions that are not reported cannot be stopped here',
    }),
  }
}

const UNSAFE = fail('INTERNAL_ERROR', {
  description: 'the record of blocked agents cannot be read or written, so no execution goes on',
  reason: 'block_store_unavailable',
})

async function addNotice(
  store: Store,
  clock: Clock,
  key: string,
  { type, message }: Pick<AgentNotification, 'type' | 'message'>,
): Promise<void> {
  const refs = { agent: agentRef(key) }
  await store.update<typeof refs, void>(refs, ({ agent }) => {
    const timestamp = new Date(clock.now()).toISOString()
    return { ...(agent && { next: { agent: withNotice(agent, { type, message, timestamp }) } }), result: undefined }
  })
}
