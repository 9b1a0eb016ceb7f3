import { fail } from '../../protocol/errors.ts'
import { isFailure, type OperationFailure, type OperationResult } from '../../protocol/result.ts'
import type { Bound, Received } from '../call.ts'
import { admit, type Policy } from '../gatekeeper/admit.ts'
import { secretsOf } from '../registry/secrets.ts'
import { type BindSettings, bindParams } from './bind-params.ts'
import { type ExecuteSettings, execute } from './execute.ts'
import { type Routes, route } from './route.ts'
import { type ShapeSettings, shape } from './shape.ts'

/** Everything a call meets on its way; made once for a runtime. */
export interface Stations {
  readonly routes: Routes
  readonly binding: BindSettings
  readonly policies: readonly Policy[]
  readonly execution: ExecuteSettings
  readonly shaping: ShapeSettings
  /** Records an unexpected error and names it, so that the caller learns the name and nothing else (ERR-04). */
  readonly report: (cause: unknown, call: Received, secrets: readonly string[]) => string
}

/** Spec §3.2 — the life of one request. Every early return is a failure; nothing else leaves early. */
export async function handle(received: Received, stations: Stations): Promise<OperationResult> {
  let known: Bound | undefined
  try {
    const routed = route(received, stations.routes)
    if (isFailure(routed)) return routed

    const bound = bindParams(routed, stations.binding)
    if (isFailure(bound)) return bound
    known = bound

    const admitted = admit(bound, stations.policies)
    if (isFailure(admitted)) return admitted

    const executing = execute(admitted, stations.execution)
    const outcome = executing instanceof Promise ? await executing : executing
    return await shape(admitted, outcome, stations.shaping)
  } catch (cause) {
    const secrets = known ? secretsOf(known.target, known.params) : []
    return unexpected(stations.report(cause, received, secrets), received)
  }
}

/** ERR-46, and ERR-47 for the registry that introspection reads. */
function unexpected(reference: string, { operation, session }: Received): OperationFailure {
  if (operation === 'introspect') return fail('INTROSPECTION_ERROR', { reference })
  return fail('INTERNAL_ERROR', {
    description: `unexpected failure, reference ${reference}`,
    session_id: session.id,
  })
}
