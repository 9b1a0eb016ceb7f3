import type { SafetyMode } from '../protocol/directive.ts'
import { fail } from '../protocol/errors.ts'
import type { OperationFailure } from '../protocol/result.ts'
import type { TrustLevel } from '../protocol/trust.ts'
import type { AuditEntry } from './audit/entry.ts'
import { tokenRef } from './audit/token-ref.ts'
import type { AutonomyOverrides } from './autonomy/settings.ts'
import type { Bound } from './call.ts'
import { decide } from './gatekeeper/approvals.ts'
import type { Reach } from './gatekeeper/demand.ts'
import { clearDesk } from './gatekeeper/end-session.ts'
import type { CallStops, Guard } from './gatekeeper/gate.ts'
import type { Permission } from './gatekeeper/policies.ts'
import type { Opinion } from './gatekeeper/standing.ts'
import { isToken } from './gatekeeper/tokens.ts'
import type { StartOrder } from './loop/execute-agent.ts'
import type { GatePermission } from './loop/gate-says.ts'
import { createLoop, type Loop } from './loop/loop.ts'
import { loopOperations } from './loop/loop-operations.ts'
import type { LoopLimits } from './loop/parts.ts'
import { noteMode } from './loop/recover.ts'
import type { LoopMemory } from './loop/view.ts'
import type { DisplayChannel } from './ports/channel.ts'
import type { Clock } from './ports/clock.ts'
import { humanDecision } from './ports/human.ts'
import type { Store } from './ports/store.ts'
import type { Operation } from './registry/compile-operation.ts'
import type { OperationDefinition } from './registry/operation.ts'
import { openBlocksRef } from './verification/block.ts'
import { createStops, remains, type Stops } from './verification/stops.ts'

/** The execution safety loop of a runtime, as the operator sets it (LOOP-07). */
export interface SafetyOptions {
  readonly mode: SafetyMode
  readonly autonomy?: AutonomyOverrides
  /** `all` refuses what is not a READ outside of a running execution. */
  readonly scope?: 'executions' | 'all'
  /** How long challenges, pauses and grants last. */
  readonly limits?: Partial<LoopLimits>
  /** Where verification codes are shown. */
  readonly channels?: readonly DisplayChannel[]
  /** Principals that may decide on the requests of others; absent where the transport authenticates nobody (SELF-09). */
  readonly approvers?: (principal: string) => boolean
}

export interface Safety {
  readonly loop?: Loop
  /** Listed only where the loop does something. */
  readonly operations: readonly OperationDefinition[]
  /** GATE-12. */
  readonly permissions: ReadonlyMap<string, Permission>
  /** Who is stopped, in whatever mode. */
  readonly stops: CallStops
  /** The loop's voice at the gate: an execution that cannot start, an action that was not announced. */
  readonly guard?: Guard
  /** Looks whether anybody was stopped meanwhile, for work that makes no request. Never throws. */
  look(): void
  close(): void
}

export interface SafetySurroundings {
  readonly store: Store
  readonly clock: Clock
  readonly adapter: string
  /** What the loops of this process have in common. */
  readonly memory: LoopMemory
  readonly report: (cause: unknown) => void
  readonly note: (entry: AuditEntry) => void
  /** What an operation of the adapter is worth (DNG-21); undefined where there is none of that name. */
  readonly operation?: (name: string) => number | undefined
  /** How a human can be reached; absent where the embedding program decides. */
  readonly reach?: () => Reach
  /** What the gate would do with an operation of the adapter (GATE-14). */
  readonly permission: GatePermission
  /** One of the runtime's own operations, whatever its name: an adapter may use some of these names itself. */
  readonly isOwn: (operation: Operation) => boolean
  /** How far the adapter is trusted now. */
  readonly trust: () => TrustLevel
  /** The blocks are others than before. Must not throw. */
  readonly onChange: () => void
}

export async function openSafety(options: SafetyOptions | undefined, around: SafetySurroundings): Promise<Safety> {
  const { store, clock, adapter, report, note, operation, onChange } = around
  const blocks = store.follow(openBlocksRef(), onChange)
  const watching = {
    look() {
      try {
        blocks.current()
      } catch {
        // whoever asks for something hears of it
      }
    },
    close: blocks.close,
  }
  const mode = options?.mode ?? 'disabled'
  if (!options || mode === 'disabled') {
    await noteMode(around, mode).catch(report)
    const { of, among } = createStops({ mode, open: blocks.current })
    const stops = callStops(of, among, isLeft)
    return { operations: [], permissions: new Map(), stops, ...watching }
  }
  const { scoreHint } = await import('./autonomy/risk/score-hint.ts')
  const loop = await createLoop({
    store,
    clock,
    adapter,
    mode,
    score: (hint) => scoreHint(hint, operation ? { operation } : {}),
    report,
    blocks,
    memory: around.memory,
    permission: around.permission,
    trust: around.trust,
    ...(around.reach && { reach: around.reach }),
    revokeTokens: async (session, reason) => void (await clearDesk(store, clock, session, reason)),
    ...(options.autonomy && { settings: options.autonomy }),
    ...(options.limits && { limits: options.limits }),
    ...(options.channels && { channels: options.channels }),
    ...(options.approvers && { decideAsPrincipal: otherPrincipal(store, clock, options.approvers) }),
  })
  const operations = loopOperations(loop)
  const permissions = new Map<string, Permission>(operations.map(({ name }) => [name, 'allow']))
  if (mode === 'enforcing') permissions.set('execute_agent', 'confirm')
  const stops = callStops(
    loop.isBlocked,
    loop.isBlockedAmong,
    (call) => isLeft(call) || (mode === 'enforcing' && ANSWERED_BY_LOOP.has(call.target.name)),
  )
  const { isOwn } = around
  const voice = { note, isOwn, scope: options.scope }
  const guard: Guard = {
    judge: (call, isAnnounced) => guardOf(call, isAnnounced, loop, voice),
    holds: (call) => heldBack(call, loop, voice),
  }
  return { loop, operations, permissions, stops: { ...stops, tell: tellBy(loop) }, guard, ...watching }
}

function tellBy(loop: Loop): NonNullable<CallStops['tell']> {
  return ({ session, operation }, stopped) => loop.tellBlocked(session, operation, stopped)
}

/** Most calls meet no block at all, so that is asked first. */
function callStops(of: Stops['of'], among: Stops['among'], isExempt: (call: Bound) => boolean): CallStops {
  const unlessExempt = (call: Bound, stopped: OperationFailure | undefined) =>
    stopped && !isExempt(call) ? stopped : undefined
  return {
    of: (call) => unlessExempt(call, of(call.session)),
    among: (open, call) => unlessExempt(call, among(open, call.session)),
    ofSession: of,
  }
}

function isLeft({ target, params }: Bound): boolean {
  return remains(target.name, params)
}

/** OOB-14: the refusal that the loop itself gives brings a new challenge where the last one can no longer be answered. */
const ANSWERED_BY_LOOP: ReadonlySet<string> = new Set(['execute_agent', 'record_execution_step', 'complete_execution'])

type Voice = Pick<SafetySurroundings, 'note' | 'isOwn'> & { readonly scope: SafetyOptions['scope'] }

async function guardOf(call: Bound, isAnnounced: boolean, loop: Loop, voice: Voice): Promise<Opinion | undefined> {
  const { target, session, operation, params } = call
  const { note, isOwn, scope } = voice
  if (isOwn(target)) {
    if (target.name !== 'execute_agent') return undefined // LOOP-24 is about the adapter's
    const refused = await loop.refuseStart(session, params as unknown as StartOrder) // bound to what the operation declares
    return refused && refusal(refused)
  }
  if (scope === 'all' && loop.mode === 'enforcing' && !loop.isRunning(session)) {
    note(loop.violation(session, operation))
    return refusal(fail('PERMISSION_DENIED', { reason: NOT_STARTED, operation, next: START_FIRST }))
  }
  if (!isAnnounced && !loop.covers(session, operation)) {
    note(loop.violation(session, operation))
    return refusal(fail('PERMISSION_DENIED', { reason: NOT_ANNOUNCED, operation, next: ANNOUNCE_FIRST }))
  }
  return heldBack(call, loop, voice)
}

/** LOOP-16: at once where no agent of the session waits for a human. */
function heldBack(call: Bound, loop: Loop, voice: Voice): Promise<Opinion | undefined> | undefined {
  if (voice.isOwn(call.target)) return undefined
  return loop.undecided(call.session)?.then((agent) => heldBackBy(agent, call, loop, voice))
}

function heldBackBy(
  waiting: string | undefined,
  { session, operation }: Bound,
  loop: Loop,
  { note }: Voice,
): Opinion | undefined {
  if (waiting === undefined) return undefined
  const reason = `a human has yet to decide about agent '${waiting}' of this session`
  note(loop.violation(session, operation, reason))
  return refusal(fail('PERMISSION_DENIED', { reason, operation, next: ASK_THE_USER }))
}

const NOT_STARTED = 'this server runs nothing but READs outside of a supervised execution'
const START_FIRST =
  'Call execute_agent with your element_name (a human approves it), then announce each action with record_execution_step.'

const NOT_ANNOUNCED = 'the operation was not announced by record_execution_step'
const ANNOUNCE_FIRST =
  'Report it with record_execution_step of the same tool, and call it if autonomy.continue is true.'
const ASK_THE_USER = 'Stop, and tell the user. To ask again, start the agent with execute_agent and report the action.'

function refusal(failure: OperationFailure): Opinion {
  return { layer: 'safety', permission: 'deny', text: failure.error.message, failure }
}

/** SELF-02, fourth channel: another principal that the transport authenticated. */
function otherPrincipal(store: Store, clock: Clock, isApprover: (principal: string) => boolean) {
  return async (
    principal: string,
    {
      token,
      approval_id,
      decision,
    }: { readonly token?: string; readonly approval_id?: string; readonly decision: 'approve' | 'deny' },
  ): Promise<unknown> => {
    const id = isToken(token) ? tokenRef(token) : (approval_id ?? '')
    if (!isApprover(principal))
      return fail('PERMISSION_DENIED', { reason: 'this principal may not decide', operation: 'confirm_operation' })
    const by = { subject: principal, channel: 'principal', role: 'approver' } as const
    const decided = await decide(store, clock, id, humanDecision({ decision, by }))
    if (decided.kind === 'decided') {
      const { operation, expiresAt } = decided.request
      return { operation, decision, expires_in_seconds: Math.max(0, Math.ceil((expiresAt - clock.now()) / 1_000)) }
    }
    if (decided.why === 'own_subject') return fail('PERMISSION_SELF_APPROVAL_DENIED', { approval_id: id })
    return fail('PERMISSION_DENIED', {
      reason: `the decision does not count: ${decided.why}`,
      operation: 'confirm_operation',
    })
  }
}
