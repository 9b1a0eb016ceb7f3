import { fail } from '../../protocol/errors.ts'
import { isFailure, type OperationFailure, type OperationResult } from '../../protocol/result.ts'
import type { Bound, Received } from '../call.ts'
import type { Admitted } from '../gatekeeper/admit.ts'
import type { Gate } from '../gatekeeper/gate.ts'
import type { Ending } from '../gatekeeper/intent.ts'
import { nextTurn } from '../next-turn.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { secretsOf } from '../registry/secrets.ts'
import { type BindSettings, bindParams } from './bind-params.ts'
import { type ExecuteSettings, execute, type Left, type Outcome } from './execute.ts'
import { misplaced, type Routes, route } from './route.ts'
import { type ShapeSettings, shape } from './shape.ts'

/** Everything a call meets on its way; made once for a runtime. */
export interface Stations {
  readonly routes: Routes
  readonly binding: BindSettings
  readonly gate: Pick<Gate, 'admit'>
  /** Records how an admitted call ended: durably before the answer where it was recorded durably before the effect. */
  readonly settle: (call: Admitted, ending: Ending) => Promise<void> | undefined
  /** `retry_execution`, and the call that it stands for; undefined leaves it to its own handler, which says why. */
  readonly retries?: { readonly target: Operation | undefined; readonly again: (call: Bound) => Bound | undefined }
  readonly execution: ExecuteSettings
  readonly shaping: ShapeSettings
  /** Records an unexpected error and names it, so that the caller learns the name and nothing else (ERR-04). */
  readonly report: (cause: unknown, call: Received, secrets: readonly string[]) => string
}

/**
 * Spec §3.2 — the life of one request. Every early return is a failure; nothing else leaves early. A large one gives the
 * others a turn between its stations, but never between the gate and the effect: what was decided is what runs.
 */
export async function handle(received: Received, stations: Stations, isLarge = false): Promise<OperationResult> {
  let known: Bound | undefined
  const at: At = { stage: 'reading' }
  try {
    const routed = route(received, stations.routes)
    if (isFailure(routed)) return routed
    if (isLarge) await nextTurn()

    const bound = bindParams(routed, stations.binding)
    if (isLarge) await nextTurn()
    if (isFailure(bound)) return bound
    const meant = meantBy(bound, stations)
    if (isFailure(meant)) return meant
    known = meant

    at.stage = 'deciding'
    const judged = stations.gate.admit(known)
    const admitted = judged instanceof Promise ? await judged : judged
    if (isFailure(admitted)) return admitted

    at.stage = 'running'
    const carried = carryOut(admitted, stations, at)
    const outcome = carried instanceof Promise ? await carried : carried
    at.stage = 'shaping'
    if (isLarge) await nextTurn()
    const shaped = shape(admitted, outcome, stations.shaping)
    return shaped instanceof Promise ? await shaped : shaped
  } catch (cause) {
    const secrets = known ? secretsOf(known.target, known.params) : []
    return unexpected(stations.report(cause, received, secrets), received, at)
  }
}

/** A retry is the operation that failed, once more: it belongs on the same tool, and from the gate on it is nothing else. */
function meantBy(bound: Bound, { retries, routes }: Stations): Bound | OperationFailure {
  if (retries?.target !== bound.target) return bound
  const meant = retries.again(bound) ?? bound
  return misplaced(meant, meant.target, routes) ?? meant
}

/** The effect, and what the trail is told of it whatever becomes of it. */
function carryOut(call: Admitted, stations: Stations, at: At): Outcome | Promise<Outcome> {
  try {
    const executing = execute(call, stations.execution)
    if (executing instanceof Promise) return followed(call, executing, stations, at)
    at.stage = 'recording'
    const settling = stations.settle(call, endingOf(executing))
    return settling ? settling.then(() => executing) : executing
  } catch (cause) {
    return thrown(call, cause, stations)
  }
}

async function followed(call: Admitted, executing: Promise<Outcome>, stations: Stations, at: At): Promise<Outcome> {
  let outcome: Outcome
  try {
    outcome = await executing
  } catch (cause) {
    return thrown(call, cause, stations)
  }
  at.stage = 'recording'
  await stations.settle(call, endingOf(outcome))
  return outcome
}

async function thrown(call: Admitted, cause: unknown, stations: Stations): Promise<never> {
  await stations.settle(call, { outcome: 'failure', code: 'INTERNAL_ERROR' })
  throw cause
}

/** A call that was given up while it ran may still take effect: nobody knows. */
function endingOf({ value, context: { usage }, left }: Outcome): Ending {
  if (!isFailure(value)) return usage ? { outcome: 'success', usage } : SUCCESS
  const { error } = value
  const { code, details } = error
  if (left) return { outcome: 'failure', code, error, usage: NOTHING_SENT, ...notRun(left) }
  return {
    outcome: details?.cause_code === 'TIMEOUT' || details?.cause_code === 'CANCELLED' ? 'unknown' : 'failure',
    code,
    error,
    ...(usage && { usage }),
  }
}

function notRun({ because, isRefused }: Left): Pick<Ending, 'reason' | 'isRefused'> {
  return { reason: `nothing was run: ${because}`, ...(isRefused && { isRefused }) }
}

const SUCCESS: Ending = { outcome: 'success' }

/** How far a request has come, for the one who hears of a failure and wonders whether to send it again. */
interface At {
  stage: keyof typeof TOLD
}

/** AUDIT-08: a store that fails before or after the effect leaves no doubt about the effect itself. */
const TOLD = {
  reading: 'unexpected failure',
  deciding: 'nothing was run, because the server could not decide on this call or record it',
  running: 'unexpected failure',
  recording: 'the call was carried out, but how it ended is not recorded yet',
  shaping: 'unexpected failure',
} as const

/** RATE-03. */
const NOTHING_SENT = { requests: 0 }

/** ERR-46, and ERR-47 for the registry that introspection reads. */
function unexpected(reference: string, { operation, session }: Received, { stage }: At): OperationFailure {
  if (operation === 'introspect') return fail('INTROSPECTION_ERROR', { reference })
  return fail('INTERNAL_ERROR', {
    description: `${TOLD[stage]}, reference ${reference}`,
    session_id: session.id,
  })
}
