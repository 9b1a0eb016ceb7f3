import { DANGER_LEVELS } from '../../protocol/danger.ts'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { AuditBuffer } from '../audit/audit-buffer.ts'
import type { Bound } from '../call.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { fullBudget } from '../registry/patterns.ts'
import { maskGiven } from '../registry/secrets.ts'
import { type Session, seated } from '../session.ts'
import type { OpenBlocks } from '../verification/block.ts'
import type { Stops } from '../verification/stops.ts'
import { type Admitted, admitted } from './admit.ts'
import { START_REASON } from './agent-messages.ts'
import type { DecisionRules } from './approvals.ts'
import { attempt } from './audit-entries.ts'
import { demand, type Reach } from './demand.ts'
import { type Entered, type EnterSettings, enter, type Keys } from './enter.ts'
import { fitsForm } from './form-text.ts'
import { classOf, issue, subjectOf } from './issue.ts'
import { asDeclared, publicParams } from './public-params.ts'
import { hashParams, type Question } from './question.ts'
import { rateLimited } from './redeem.ts'
import { type ApprovalRequest, requestRef } from './request.ts'
import { decisive, type Opinion, permissionOf, recordOpinion, type Standing } from './standing.ts'
import { isToken, TOKEN_PREFIXES } from './tokens.ts'
import { reachFrom, usableChannels } from './usable-channels.ts'

export interface Gate {
  /** At once for what needs nothing; everything else goes through the store. */
  admit(call: Bound): Admitted | OperationFailure | Promise<Admitted | OperationFailure>
  /**
   * A call that had to wait for its turn: why it may not run any more, by what is in force now. At once where nothing
   * has changed; whoever calls it runs the call without another wait. Never throws: doubt refuses (GATE-11).
   */
  recheck(call: Admitted): NotRun | undefined | Promise<NotRun | undefined>
  /** Every voice of layers 2 and 3 about one call, for `explain` and the console. */
  opinions(call: Pick<Bound, 'target' | 'params'>): readonly Opinion[]
  standing(operation: Operation): Standing
  /** REQ-08: can the operation ask for a token? */
  isGateable(operation: Operation): boolean
}

/** A refusal after the admission. Nothing was run. */
export interface NotRun {
  readonly failure: OperationFailure
  /** For the trail. */
  readonly reason: string
}

export interface GateSettings extends EnterSettings {
  readonly adapter: string
  /** Absent where the embedding program decides by itself: then it is not known who can approve. */
  readonly reach?: () => Reach
  readonly rules?: DecisionRules
  readonly maxWaitSeconds: number
  readonly stops: CallStops
  readonly guard?: Guard
  /** For what is recorded but waits for nobody, and whether it can be. */
  readonly records: Pick<AuditBuffer, 'note' | 'flush' | 'canRecord' | 'recover' | 'doubt'>
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Writes to the log what the caller must not see, and gives the name under which it stands there. */
  readonly report: (cause: unknown) => string
  /** Before whatever is judged anew: what the operator has changed elsewhere holds from here on. */
  readonly renew?: () => Promise<void>
  /** Why no more long-running work of this caller can start; undefined where it can. */
  readonly full: (caller: Session) => OperationFailure | undefined
}

/** Who is stopped: asked of every call, READs included (GATE-07, BLOCK-02). */
export interface CallStops {
  /** At once. Throws when the blocks cannot be read; then nothing is run (GATE-11). */
  of(call: Bound): OperationFailure | undefined
  /** By blocks that a commit has in hand, so that nothing is used up after the stop was written. */
  among(open: OpenBlocks | undefined, call: Bound): OperationFailure | undefined
  ofSession: Stops['of']
  /** What a call that is stopped is told, where more can be said than at once (OOB-14). Never rejects. */
  tell?(call: Bound, stopped: OperationFailure): Promise<OperationFailure>
}

/** The safety loop at the gate, for whatever is not a READ. */
export interface Guard {
  /**
   * An execution that cannot start, an action that was not announced, or one that must wait for a human. The redemption
   * of a token was announced with its question, and what has waited for a human before it waited.
   */
  judge(call: Bound, isAnnounced: boolean): Promise<Opinion | undefined>
  /** Must it wait for a human by now? Undefined at once where nobody of its session waits for one. */
  holds(call: Bound): Promise<Opinion | undefined> | undefined
}

/** Gatekeeper specification §2.1: the layers in order, the strictest voice decides, and doubt refuses (GATE-11). */
export function createGate(settings: GateSettings): Gate {
  const { standings, stops, guard, limits, renew, records } = settings

  const standing = ({ name }: Operation): Standing => {
    const known = standings.get(name)
    if (!known) throw new Error(`operation '${name}' has no standing`)
    return known
  }

  const opinions: Gate['opinions'] = (call) => {
    const { opinions: fixed, conditional } = standing(call.target)
    const own = isDryRun(call) ? fixed.map(spared) : fixed
    if (conditional.length === 0) return own
    const declared = asDeclared(call)
    const budget = fullBudget()
    return [...own, ...conditional.filter(({ holds }) => holds?.(declared, budget)).map(recordOpinion)]
  }

  const isGuarded = ({ target }: Bound) => guard !== undefined && target.category !== 'READ'
  const isLimited = (operation: Operation) => limits !== undefined && !standing(operation).isOwn

  /** AUDIT-10: no effect without a record, whatever its level. */
  const isRecordable = ({ target }: Bound) =>
    target.category === 'READ' || standing(target).isOwn || records.canRecord()

  const judgePlain = async (call: Bound): Promise<Admitted | OperationFailure> => {
    const why = await records.recover()
    return why === undefined ? admitted(call, standing(call.target)) : unrecorded(call, why, settings)
  }

  /** The entries of a batch wait together no longer than a single call may. */
  const deadlines = new WeakMap<Bound['caller'], number>()
  const deadlineOf = (call: Bound): number => {
    const wait = waitOf(call, settings) * 1_000
    const own = settings.clock.now() + wait
    if (!call.inBatch || wait === 0) return own
    const shared = deadlines.get(call.caller) ?? own
    deadlines.set(call.caller, shared)
    return Math.min(shared, own)
  }

  const judge = async (call: Bound): Promise<Admitted | OperationFailure> => {
    const why = isRecordable(call) ? undefined : await records.recover()
    if (why !== undefined) return unrecorded(call, why, settings)
    const deadline = deadlineOf(call)
    for (let isAgain = false; ; isAgain = true) {
      const judged = await judgeNow(call, deadline, isAgain)
      if (judged !== 'again') return judged
    }
  }

  const judgeNow = async (call: Bound, deadline: number, isAgain: boolean): Promise<Judged> => {
    await renew?.()
    const stopped = stops.of(call)
    if (stopped) return refuseStopped(call, stopped, settings)
    const own = opinions(call)
    const isRedeeming = permissionOf(own) === 'confirm' && call.controls?.confirmation !== undefined
    const guarded = isGuarded(call) ? await guard?.judge(call, isRedeeming || isAgain) : undefined
    const voices = guarded ? [guarded, ...own] : own
    const permission = permissionOf(voices)
    if (permission === 'deny') return refuse(call, voices, settings)
    const full = isLong(call) ? settings.full(call.session) : undefined
    if (full) return refuseFull(call, full, settings)
    const isRecorded = isLong(call) || DANGER_LEVELS[standing(call.target).level] >= DANGER_LEVELS.destructive // AUDIT-08: a dry run too
    if (permission === 'allow' && !isRecorded && !isLimited(call.target)) return admitted(call, standing(call.target))
    const question = questionOf(call, voices, standing(call.target), settings)
    const isStarting = permission === 'allow' && isLong(call) // its execution gets a session anyway, and the trail names it
    return pass(isStarting ? withSession(question) : question, permission === 'confirm', deadline, settings)
  }

  const stopNow = (call: Admitted): NotRun | undefined => {
    const failure = stops.of(call)
    return failure && { failure, reason: failure.error.message }
  }

  const recheckNow = async (call: Admitted, holding?: Promise<Opinion | undefined>): Promise<NotRun | undefined> => {
    const held = await holding
    if (held) return { failure: refusalBy(call, held), reason: held.text }
    const why = isRecordable(call) ? undefined : await records.recover()
    if (why !== undefined) return { failure: unrecordable(call, why, settings), reason: 'its record cannot be kept' }
    await renew?.()
    const stopped = stopNow(call)
    if (stopped || standing(call.target) === call.standing) return stopped
    const voices = opinions(call)
    switch (permissionOf(voices)) {
      case 'deny':
        return { failure: refusalBy(call, decisive(voices)), reason: decisive(voices)?.text ?? 'denied' }
      case 'confirm':
        return call.permit?.request === undefined ? needsHuman(call) : undefined
      case 'allow':
        return undefined
    }
  }

  const undecided = (call: Admitted, cause: unknown): NotRun => {
    const reason = 'nothing was run, because the server could not decide on this call'
    const description = `${reason}, reference ${settings.report(cause)}`
    return { failure: fail('INTERNAL_ERROR', { description, session_id: call.session.id }), reason }
  }

  return {
    standing,
    opinions,
    recheck(call) {
      try {
        const stopped = stopNow(call)
        if (stopped) return stopped
        const holding = isGuarded(call) ? guard?.holds(call) : undefined
        const isSame = call.standing.isPlain && standing(call.target) === call.standing
        if (!holding && isSame && isRecordable(call)) return undefined
        return recheckNow(call, holding).catch((cause) => undecided(call, cause))
      } catch (cause) {
        return undecided(call, cause)
      }
    },
    isGateable: (operation) => {
      const { opinions: fixed, conditional } = standing(operation)
      // Also where another voice denies it today: whoever asked before the denial hears of that, not of a wrong parameter.
      return (
        fixed.some(({ permission }) => permission === 'confirm') ||
        conditional.some(({ record }) => record.permission === 'confirm') ||
        isLimited(operation)
      )
    },
    admit(call) {
      const stopped = stops.of(call)
      if (stopped) return refuseStopped(call, stopped, settings)
      if (!standing(call.target).isPlain || isLimited(call.target) || isGuarded(call) || isLong(call))
        return judge(call)
      return isRecordable(call) ? admitted(call, standing(call.target)) : judgePlain(call)
    },
  }
}

/** What may go on after its answer is recorded before it begins, whatever its level: its outcome comes later. */
function isLong({ target }: Bound): boolean {
  return target.lifecycle !== undefined
}

/** AUDIT-10: an attempt without a record is told by its number, once there is room. */
function unrecorded(call: Bound, why: string, settings: GateSettings): OperationFailure {
  const { records, clock } = settings
  records.doubt(new Error(why), [{ timestamp: new Date(clock.now()).toISOString(), event: 'OPERATION_DENIED' }])
  return unrecordable(call, why, settings)
}

/** ERR-04: what is wrong with the disk is for the log. */
function unrecordable({ session }: Bound, why: string, { report }: GateSettings): OperationFailure {
  const description = `nothing was run, because its record cannot be kept, reference ${report(new Error(why))}`
  return fail('INTERNAL_ERROR', { description, session_id: session.id })
}

/** REQ-10: a call that the operation itself declares to change nothing. It is denied like any other, but not asked about. */
function isDryRun({ target, params }: Pick<Bound, 'target' | 'params'>): boolean {
  return target.definition.dryRun === true && params.dry_run === true
}

function spared(opinion: Opinion): Opinion {
  if (opinion.permission !== 'confirm' || opinion.layer === 'policy') return opinion
  return { ...opinion, permission: 'none', text: `${opinion.text}, but a dry run changes nothing` }
}

/** `again`: while the call waited, what it was judged by may have changed. */
type Judged = Admitted | OperationFailure | 'again'

/** Layer 4, and the quotas that share its commit. */
async function pass(question: Question, asks: boolean, deadline: number, settings: GateSettings): Promise<Judged> {
  const { call } = question
  const keys = keysOf(call)
  if (asks && question.standing.danger.requiresReauth && !canReauthenticate(settings)) {
    return refuseWithout(
      question,
      'no channel is set up that can authenticate the approver again (console, terminal)',
      settings,
    )
  }
  if (asks && keys.confirmation === undefined) {
    const why = whyNobody(question, settings)
    return why === undefined ? ask(question, settings) : refuseWithout(question, why, settings)
  }
  const entered = await enter(question, asks, keys, settings)
  switch (entered.kind) {
    case 'in':
      return admitted(withWarnings(call, entered), question.standing, entered.permit)
    case 'refused':
      return entered.failure
    case 'paused':
      return askForQuota(question, entered, settings)
    case 'outdated':
      return 'again'
    case 'waiting': {
      const answered = await decided(entered.request, deadline, call, settings)
      return answered ? 'again' : demandFor(question, entered, settings)
    }
  }
}

/** Design §5: a call may wait for the human, within a limit; whoever leaves stops waiting. */
async function decided(
  { id, version }: ApprovalRequest,
  deadline: number,
  call: Bound,
  { store, clock, sleep, stops }: GateSettings,
): Promise<boolean> {
  while (clock.now() < deadline && !call.caller.signal?.aborted && !call.session.signal.aborted) {
    if (stops.of(call)) return true
    await sleep(Math.min(POLL_MS, Math.max(1, deadline - clock.now())), call.caller.signal)
    const request = await store.get(requestRef(id))
    if (request?.version !== version) return true
    if (request?.state === 'approved' && cooled(request, clock.now())) return true
  }
  return false
}

const POLL_MS = 200

function cooled(
  { approvedAt = 0, cooldownSeconds }: { readonly approvedAt?: number; readonly cooldownSeconds: number },
  now: number,
) {
  return cooldownSeconds > 0 && now >= approvedAt + cooldownSeconds * 1_000
}

async function ask(asked: Question, settings: GateSettings): Promise<Admitted | OperationFailure> {
  const question = withSession(asked)
  const issued = await issue(question, settings)
  const now = settings.clock.now()
  switch (issued.kind) {
    case 'asked':
      return demand(issued.request, reachOf(question.call, settings), extrasOf(question))
    case 'denied':
      return fail('PERMISSION_DENIED', { reason: issued.reason, operation: question.call.operation })
    case 'stopped':
      return issued.failure
    case 'limited':
      return rateLimited(issued.limit, issued.retryAfter, now, issued.window)
  }
}

/** RATE-11, RATE-12. */
async function askForQuota(
  asked: Question,
  { metric, details }: Extract<Entered, { readonly kind: 'paused' }>,
  settings: GateSettings,
): Promise<OperationFailure> {
  const question = withSession(asked)
  const { call } = question
  const continuing: Question = {
    ...question,
    kind: 'quota',
    quota: { metric, details },
    reasons: [`quota ${metric} is paused`],
  }
  const why = whyNobody(continuing, settings)
  if (why !== undefined) return refuseWithout(question, why, settings)
  const issued = await issue(continuing, settings)
  const now = settings.clock.now()
  if (issued.kind === 'limited') return rateLimited(issued.limit, issued.retryAfter, now, issued.window)
  if (issued.kind === 'denied') return fail('PERMISSION_DENIED', { reason: issued.reason, operation: call.operation })
  if (issued.kind === 'stopped') return issued.failure
  const { token, expiresAt, id } = issued.request
  return fail('RATE_LIMIT_QUOTA_PAUSE', {
    ...details,
    confirmation_token: token,
    expires_at: new Date(expiresAt).toISOString(),
    approval_id: id,
    next: `Tell the user: ${id} waits for a human. Repeat the call with _quota_continue set to confirmation_token when it is approved.`,
    ...extrasOf(question),
  })
}

function demandFor(
  question: Question,
  { request, cooldownSeconds }: Extract<Entered, { readonly kind: 'waiting' }>,
  settings: GateSettings,
): OperationFailure {
  return demand(request, reachOf(question.call, settings), {
    ...extrasOf(question),
    ...(cooldownSeconds !== undefined && { cooldownSeconds }),
  })
}

/** MCP-25: a session is minted only for a question or an execution, so that calls that leave nothing cannot crowd others out. */
function withSession(question: Question): Question {
  const { session } = question.call
  return session.id === undefined ? { ...question, session: seated(session).owner } : question
}

function extrasOf({ call, session }: Question) {
  return {
    ...(call.session.id === undefined && { session }),
    ...(call.inBatch && { params: sentParams(call) }), // BATCH-09
  }
}

/** What the caller sends again with its token: of a retry, which execution. */
function sentParams(call: Bound) {
  if (call.retry) return { execution_id: call.retry.execution }
  return maskGiven(call.target, publicParams(call))
}

function questionOf(call: Bound, opinions: readonly Opinion[], standing: Standing, settings: GateSettings): Question {
  return {
    kind: isStart(call) ? 'agent' : 'operation',
    call,
    adapter: settings.adapter,
    session: call.session.owner,
    standing,
    opinions,
    paramsHash: hashParams(call.params),
    reasons: [...(isStart(call) ? [START_REASON] : reasonsOf(opinions, standing)), ...retryReasons(call)],
  }
}

function isStart({ operation }: Bound): boolean {
  return operation === 'execute_agent'
}

function retryReasons({ retry }: Bound): readonly string[] {
  return retry ? [`a retry of ${retry.execution}, which failed with ${retry.failedWith}`] : []
}

/** For the agent and the human: what made the gate ask, in few words. */
function reasonsOf(opinions: readonly Opinion[], { classification, danger }: Standing): readonly string[] {
  const chosen = decisive(opinions)
  const own = danger.reasons.length > 0 ? danger.reasons : classification.reasons.slice(0, 1)
  return chosen?.layer === 'policy' ? [chosen.text, ...own] : own
}

/** GATE-08, AUDIT-03: refused, recorded, and never handed on. */
async function refuse(call: Bound, opinions: readonly Opinion[], settings: GateSettings): Promise<OperationFailure> {
  const chosen = decisive(opinions)
  await record(call, chosen?.text ?? 'PERMISSION_DENIED', settings)
  return refusalBy(call, chosen)
}

function refusalBy({ operation }: Bound, chosen: Opinion | undefined): OperationFailure {
  if (chosen?.failure) return chosen.failure
  const { code, details } = chosen?.refusal ?? {
    code: 'PERMISSION_DENIED',
    details: { reason: chosen?.text ?? 'denied' },
  }
  return fail(code, { ...details, operation } as never) // the details fit the code they come with
}

function needsHuman({ operation }: Bound): NotRun {
  const reason = 'while it waited for its turn it came to need the approval of a human'
  return { failure: fail('PERMISSION_DENIED', { reason: `${reason}: call it again to ask for it`, operation }), reason }
}

/** BLOCK-02, AUDIT-03. */
async function refuseStopped(
  call: Bound,
  failure: OperationFailure,
  settings: GateSettings,
): Promise<OperationFailure> {
  await record(call, failure.error.message, settings)
  return (await settings.stops.tell?.(call, failure)) ?? failure
}

/** Before a human is asked and before an approval is used up: the work could not be started. */
async function refuseFull(call: Bound, failure: OperationFailure, settings: GateSettings): Promise<OperationFailure> {
  await record(call, failure.error.message, settings)
  return failure
}

async function refuseWithout(question: Question, reason: string, settings: GateSettings): Promise<OperationFailure> {
  await record(question.call, reason, settings)
  return fail('PERMISSION_DENIED', { reason, operation: question.call.operation })
}

/** AUDIT-03: from level 2 on it is on disk before the answer. */
async function record(call: Bound, reason: string, settings: GateSettings): Promise<void> {
  const standing = settings.standings.get(call.operation)
  if (!standing) return
  const { attempts, adapter, records, clock } = settings
  const { principal, id: session = 'none' } = call.session
  const recording = attempts.begin({ principal, session, operation: `${adapter} ${call.operation}` })
  const about = { call, adapter, session, standing, isCounted: recording.isCounted }
  const denied = { event: 'OPERATION_DENIED', result: 'denied', outcome: 'denied', reason } as const
  const entries = [{ ...attempt(about, clock.now()), ...denied }]
  const kept = recording.kept(entries)
  for (const entry of kept) records.note(entry)
  recording.ended(entries)
  if (kept.length > 0 && DANGER_LEVELS[standing.level] >= DANGER_LEVELS.destructive) await records.flush()
}

/** REQ-07: one token for the confirmation, one for the quota; a quota token may come under either name. */
function keysOf({ controls }: Bound): Keys {
  const given = controls?.confirmation
  const isQuota = typeof given === 'string' && isToken(given) && given.startsWith(TOKEN_PREFIXES.quota)
  return {
    ...(given !== undefined && !isQuota && { confirmation: given }),
    ...((controls?.quota !== undefined || isQuota) && { quota: controls?.quota ?? given }),
  }
}

function waitOf({ controls }: Bound, { maxWaitSeconds }: GateSettings): number {
  return Math.min(controls?.waitSeconds ?? 0, maxWaitSeconds)
}

/** SELF-10: asked of whoever could be reached from this connection. No token is issued that nobody can approve. */
function whyNobody(question: Question, settings: GateSettings): string | undefined {
  if (!settings.reach) return undefined
  const { call, standing } = question
  const usable = usableChannels(reachOf(call, settings), classOf(standing), settings.rules)
  if (usable.length === 0) return NOBODY
  const hasOnlyForm = usable.every((channel) => channel === 'elicitation')
  return hasOnlyForm && !fitsForm(subjectOf(question)) ? TOO_LONG : undefined
}

/** SELF-12: a form that is not shown in full approves nothing. */
const TOO_LONG =
  'it needs a human, and nobody can approve it here: it is too long for the form of this client (elicitation), and neither web console nor terminal is usable. Tell the user to serve with a store on disk and the console'

const NOBODY =
  'it needs a human, and nobody can approve it here: no channel that may approve it is usable (web console, terminal, elicitation by this client). Tell the user to serve with a store on disk and the console, or to use a client with elicitation'

function reachOf({ caller }: Bound, { reach }: GateSettings): Reach {
  return reachFrom(reach?.() ?? UNKNOWN, caller)
}

const UNKNOWN: Reach = { channels: [] }

function canReauthenticate({ reach }: GateSettings): boolean {
  const { channels } = reach?.() ?? UNKNOWN
  return channels.includes('console') || channels.includes('terminal')
}

function withWarnings(call: Bound, { warnings }: Extract<Entered, { readonly kind: 'in' }>): Bound {
  return warnings.length > 0 ? { ...call, warnings: [...call.warnings, ...warnings] } : call
}
