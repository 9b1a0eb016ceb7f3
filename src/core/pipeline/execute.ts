import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import { type Admitted, begin } from '../gatekeeper/admit.ts'
import type { OpenGate } from '../gatekeeper/open-gate.ts'
import { stoppedBecause } from '../verification/stops.ts'
import { CallContext, type StartRun } from './call-context.ts'
import { type Locks, NOTHING, type Release, type Waiting } from './locks.ts'
import type { Entry, UnderWay } from './under-way.ts'

export interface ExecuteSettings {
  readonly locks: Locks
  readonly timeoutMs: number
  readonly now: () => number
  readonly start: StartRun
  readonly underWay: UnderWay
  readonly gate: Pick<OpenGate, 'recheck' | 'isNoted' | 'recordRunning'>
}

export interface Outcome {
  /** What the handler returned: data, rows, or a failure. */
  readonly value: unknown
  readonly context: CallContext
  /** The call left the queue before its turn: nothing was done. */
  readonly left?: Left
}

/** How a call left the queue without a turn. */
export interface Left {
  /** For the trail. */
  readonly because: string
  /** It may not run any more. */
  readonly isRefused?: true
}

/** Runs the handler of a call that passed the gate, once; nothing else can (`Admitted`). */
export function execute(call: Admitted, settings: ExecuteSettings): Outcome | Promise<Outcome> {
  begin(call)
  const context = new CallContext(call, settings.now(), settings.start)
  // The product's own operations run no code of the adapter, which is what has to be serialized.
  const release = call.standing.isOwn ? NOTHING : settings.locks.acquire(call)
  if (typeof release === 'function') return run(call, context, release, settings)
  return wait(release, call, context, settings).then((granted) =>
    typeof granted === 'function' ? run(call, context, granted, settings) : { ...granted, context },
  )
}

type NotRun = Required<Pick<Outcome, 'left'>> & { readonly value: OperationFailure }

/** The lock, unless the caller leaves or nobody before it comes to an end for too long: then it is never run. */
function wait(
  waiting: Waiting,
  call: Admitted,
  context: CallContext,
  settings: ExecuteSettings,
): Promise<Release | NotRun> {
  const timeoutMs = timeoutOf(call, settings) || settings.timeoutMs
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const end = (value: Release | NotRun) => {
      isOver = true
      clearTimeout(timer)
      settings.underWay.remove(entry)
      resolve(value)
    }
    const giveUp = (value: OperationFailure, left: Left) => {
      if (isOver) return
      waiting.leave()
      context.detach()
      end({ value, left })
    }
    const depart = () => giveUp(cancelled(context), { because: context.departure })
    /** GATE-07, BLOCK-10: what is in force when its turn comes decides, not what was when it began to wait. */
    const take = async (release: Release) => {
      const refused = isOver ? undefined : await settings.gate.recheck(call)
      if (refused) giveUp(refused.failure, { because: refused.reason, isRefused: true })
      if (isOver) release()
      else end(release)
    }
    const stop = (failure: OperationFailure) => giveUp(failure, { because: failure.error.message, isRefused: true })
    const entry: Entry = { call, stop }
    settings.underWay.add(entry)
    const watch = (turns: number) => {
      const look = () =>
        waiting.turns() === turns ? giveUp(...notStarted(context, timeoutMs)) : watch(waiting.turns())
      if (timeoutMs > 0) timer = setTimeout(look, timeoutMs)
    }
    void waiting.granted.then(take)
    watch(waiting.turns())
    context.signal.addEventListener('abort', depart, { once: true })
    if (context.isAbandoned) depart()
  })
}

function timeoutOf({ target }: Admitted, { timeoutMs }: ExecuteSettings): number {
  const { timeout_ms, lifecycle } = target.definition
  return Math.min(timeout_ms ?? (lifecycle ? 0 : timeoutMs), LONGEST_TIMER)
}

/** Beyond it a timer fires at once. */
const LONGEST_TIMER = 2_147_483_647

function run(
  call: Admitted,
  context: CallContext,
  release: Release,
  settings: ExecuteSettings,
): Outcome | Promise<Outcome> {
  context.onRun = release
  try {
    const value = call.target.handler(paramsOf(call, settings), context)
    // `resolve` keeps a thenable to the rules: it settles once, and what its `then` throws is its failure.
    if (isThenable(value)) return settle(Promise.resolve(value), call, context, release, settings)
    context.detach()
    release()
    return { value, context }
  } catch (cause) {
    context.detach()
    release()
    throw cause
  }
}

/**
 * Of what is recorded after its effect, or can be retried, the handler gets a copy: what it does to it is not what the
 * trail says that was sent, nor what is run again. The parameters themselves are frozen, so only values in them matter.
 */
function paramsOf(call: Admitted, { gate }: ExecuteSettings): Admitted['params'] {
  const { target, params } = call
  if (!target.lifecycle?.supports_retry && !gate.isNoted(call)) return params
  return Object.values(params).some(isMutable) ? Object.freeze(structuredClone(params)) : params
}

function isMutable(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/**
 * The first of: the handler, its time-out, the caller's departure, a stop of its agent. The lock is held until the handler itself has
 * settled, so that an abandoned write is never overtaken.
 */
function settle(
  promise: Promise<unknown>,
  call: Admitted,
  context: CallContext,
  release: Release,
  settings: ExecuteSettings,
): Promise<Outcome> {
  const timeoutMs = timeoutOf(call, settings)
  return new Promise((resolve, reject) => {
    const end = (value: unknown) => resolve({ value, context })
    const timer = timeoutMs > 0 ? setTimeout(() => expire(context, timeoutMs, end), timeoutMs) : undefined
    const note = () => settings.gate.recordRunning(call)
    const slow = settings.gate.isNoted(call) ? setTimeout(note, RECORD_RUNNING_MS) : undefined
    const { session } = context
    const leave = () => end(cancelled(context))
    session.signal.addEventListener('abort', leave, { once: true })
    const stop = (failed: OperationFailure) => {
      context.abort(new Error('the agent was stopped', { cause: stoppedBecause(failed) }))
      end(interrupted(failed))
    }
    const entry: Entry = { call, stop }
    settings.underWay.add(entry)
    const done = () => {
      clearTimeout(timer)
      clearTimeout(slow)
      settings.underWay.remove(entry)
      session.signal.removeEventListener('abort', leave)
      context.detach()
      release()
    }
    promise.then(
      (value) => {
        done()
        end(value)
      },
      (cause) => {
        done()
        if (context.isAbandoned) end(cancelled(context))
        else reject(cause)
      },
    )
  })
}

/** A call that is not recorded before its effect is recorded when its handler has run for so long. */
const RECORD_RUNNING_MS = 100

function expire(context: CallContext, timeoutMs: number, end: (value: unknown) => void): void {
  context.abort(new Error('time-out'))
  end(expired(context, timeoutMs))
}

function expired({ session }: CallContext, timeoutMs: number): OperationFailure {
  const description = `no answer within ${timeoutMs} ms`
  return fail('INTERNAL_ERROR', { description, cause_code: 'TIMEOUT', session_id: session.id })
}

/** Unlike a call that ran too long, it can be sent again without a doubt. */
function notStarted({ session }: CallContext, timeoutMs: number): [OperationFailure, Left] {
  const because = `the call before it has not ended within ${timeoutMs} ms`
  const description = `nothing was run: ${because}`
  return [fail('INTERNAL_ERROR', { description, cause_code: 'NOT_STARTED', session_id: session.id }), { because }]
}

/** Seen by nobody when the client cancelled: MCP suppresses the response (MCP-12). */
function cancelled({ session }: CallContext): OperationFailure {
  const description = 'the request was cancelled'
  return fail('INTERNAL_ERROR', { description, cause_code: 'CANCELLED', session_id: session.id })
}

/** BLOCK-10: it had begun, so nobody knows what has come of it. */
function interrupted({ error: { details } }: OperationFailure): OperationFailure {
  const known = details as { readonly element_name: string }
  return fail('PERMISSION_AGENT_BLOCKED', {
    ...known,
    cause_code: 'CANCELLED',
    effect: 'The operation had begun when the agent was stopped; whether it took effect is not known.',
  })
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return mayBe && typeof (value as { then?: unknown }).then === 'function'
}
