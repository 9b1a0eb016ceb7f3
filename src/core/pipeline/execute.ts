import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Admitted } from '../gatekeeper/admit.ts'
import { CallContext, type StartRun } from './call-context.ts'
import type { Locks, Release, Waiting } from './locks.ts'

export interface ExecuteSettings {
  readonly locks: Locks
  readonly timeoutMs: number
  readonly now: () => number
  readonly start: StartRun
}

export interface Outcome {
  /** What the handler returned: data, rows, or a failure. */
  readonly value: unknown
  readonly context: CallContext
  /** The call left the queue before its turn: nothing was done. */
  readonly hasNotRun?: true
}

/** Runs the handler of a call that passed the gate; nothing else can (`Admitted`). */
export function execute(call: Admitted, settings: ExecuteSettings): Outcome | Promise<Outcome> {
  const context = new CallContext(call, settings.now(), settings.start)
  const release = settings.locks.acquire(call.target, call.params)
  if (typeof release === 'function') return run(call, context, release, settings)
  return wait(release, context, timeoutOf(call, settings) || settings.timeoutMs).then((granted) =>
    typeof granted === 'function'
      ? run(call, context, granted, settings)
      : { value: granted, context, hasNotRun: true },
  )
}

/** The lock, unless the caller leaves or nobody before it comes to an end for too long: then it is never run. */
function wait(waiting: Waiting, context: CallContext, timeoutMs: number): Promise<Release | OperationFailure> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const end = (value: Release | OperationFailure) => {
      isOver = true
      clearTimeout(timer)
      resolve(value)
    }
    const giveUp = (failed: OperationFailure) => {
      if (isOver) return
      waiting.leave()
      context.detach()
      end(failed)
    }
    const watch = (turns: number) => {
      const look = () => (waiting.turns() === turns ? giveUp(expired(context, timeoutMs)) : watch(waiting.turns()))
      if (timeoutMs > 0) timer = setTimeout(look, timeoutMs)
    }
    waiting.granted.then((release) => (isOver ? release() : end(release)))
    watch(waiting.turns())
    context.signal.addEventListener('abort', () => giveUp(cancelled(context)), { once: true })
    if (context.isAbandoned) giveUp(cancelled(context))
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
    const value = call.target.handler(call.params, context)
    // `resolve` keeps a thenable to the rules: it settles once, and what its `then` throws is its failure.
    if (isThenable(value)) return settle(Promise.resolve(value), context, release, timeoutOf(call, settings))
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
 * The first of: the handler, its time-out, the caller's departure. The lock is held until the handler itself has
 * settled, so that an abandoned write is never overtaken.
 */
function settle(
  promise: Promise<unknown>,
  context: CallContext,
  release: Release,
  timeoutMs: number,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const end = (value: unknown) => resolve({ value, context })
    const timer = timeoutMs > 0 ? setTimeout(() => expire(context, timeoutMs, end), timeoutMs) : undefined
    const { session } = context
    const leave = () => end(cancelled(context))
    session.signal.addEventListener('abort', leave, { once: true })
    const done = () => {
      clearTimeout(timer)
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

function expire(context: CallContext, timeoutMs: number, end: (value: unknown) => void): void {
  context.abort(new Error('time-out'))
  end(expired(context, timeoutMs))
}

function expired({ session }: CallContext, timeoutMs: number): OperationFailure {
  const description = `no answer within ${timeoutMs} ms`
  return fail('INTERNAL_ERROR', { description, cause_code: 'TIMEOUT', session_id: session.id })
}

/** Seen by nobody when the client cancelled: MCP suppresses the response (MCP-12). */
function cancelled({ session }: CallContext): OperationFailure {
  const description = 'the request was cancelled'
  return fail('INTERNAL_ERROR', { description, cause_code: 'CANCELLED', session_id: session.id })
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return mayBe && typeof (value as { then?: unknown }).then === 'function'
}
