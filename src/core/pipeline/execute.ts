import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Admitted } from '../gatekeeper/admit.ts'
import { CallContext, type StartRun } from './call-context.ts'
import type { Locks, Release } from './locks.ts'

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
}

/** Runs the handler of a call that passed the gate; nothing else can (`Admitted`). */
export function execute(call: Admitted, settings: ExecuteSettings): Outcome | Promise<Outcome> {
  const context = new CallContext(call, settings.now(), settings.start)
  const release = settings.locks.acquire(call.target, call.params)
  if (typeof release === 'function') return run(call, context, release, settings)
  return release.then((granted) => {
    if (!context.isAbandoned) return run(call, context, granted, settings)
    granted()
    return { value: cancelled(context), context }
  })
}

function run(
  call: Admitted,
  context: CallContext,
  release: Release,
  settings: ExecuteSettings,
): Outcome | Promise<Outcome> {
  let value: unknown
  context.onRun = release
  try {
    value = call.target.handler(call.params, context)
  } catch (cause) {
    context.detach()
    release()
    throw cause
  }
  if (!isThenable(value)) {
    context.detach()
    release()
    return { value, context }
  }
  const { timeout_ms, lifecycle } = call.target.definition
  return settle(value, context, release, timeout_ms ?? (lifecycle ? 0 : settings.timeoutMs))
}

/**
 * The first of: the handler, its time-out, the caller's departure. The lock is held until the handler itself has
 * settled, so that an abandoned write is never overtaken.
 */
function settle(
  promise: PromiseLike<unknown>,
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
  const description = `no answer within ${timeoutMs} ms`
  end(fail('INTERNAL_ERROR', { description, cause_code: 'TIMEOUT', session_id: context.session.id }))
}

/** Seen by nobody when the client cancelled: MCP suppresses the response (MCP-12). */
function cancelled({ session }: CallContext): OperationFailure {
  const description = 'the request was cancelled'
  return fail('INTERNAL_ERROR', { description, cause_code: 'CANCELLED', session_id: session.id })
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
