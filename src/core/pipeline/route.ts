import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Received, Routed } from '../call.ts'
import { nearestNames } from '../introspection/search.ts'
import type { Operation } from '../registry/compile-operation.ts'
import type { Registry } from '../registry/registry.ts'
import type { ToolNames } from '../registry/tool-names.ts'
import { shortenedName } from './fault-failure.ts'

export interface Routes {
  readonly registry: Registry
  readonly names: ToolNames
}

/** Spec §6.2 — the operation exists, and the tool that was called is its own (MODE-07, ERR-27, ERR-30). */
export function route(call: Received, { registry, names }: Routes): Routed | OperationFailure {
  const target = registry.operations.get(call.operation)
  if (!target) return unknownOperation(call.operation, { registry, names })
  return misplaced(call, target, { registry, names }) ?? routed(call, target)
}

/** The refusal of an operation that was sent to the tool of others. */
export function misplaced(
  call: Received,
  target: Operation,
  { registry, names }: Routes,
): OperationFailure | undefined {
  if (call.family === undefined || call.family === target.endpoint) return undefined
  return fail('VALIDATION_ENDPOINT_MISMATCH', {
    operation: target.name,
    expected_endpoint: spelled(target.endpoint, registry),
    actual_endpoint: spelled(call.family, registry),
    expected_tool: names.families.get(target.endpoint),
    actual_tool: call.tool,
  })
}

/** What comes nearest is said, and where to look for it. */
export function unknownOperation(operation: string, { registry, names }: Routes): OperationFailure {
  const suggestions = nearestNames(operation.slice(0, 128), registry.operations.keys(), 3)
  const tool = names.families.get(registry.profile.introspection) ?? names.unified
  return fail('NOT_FOUND_OPERATION', {
    operation: shortenedName(operation),
    ...(suggestions.length > 0 && { suggestions }),
    hint: `Search with {"operation":"introspect","params":{"query":"search","text":"…"}} on ${tool}.`,
  })
}

/** Written out: a spread costs more than the rest of this station. */
function routed({ family, tool, session, operation, fields, caller, inBatch }: Received, target: Operation): Routed {
  return { family, tool, session, operation, fields, caller, inBatch, target }
}

/** CRUDE families are upper case in this error, and only here. */
function spelled(family: string, { profile }: Registry): string {
  return profile.name === 'crude' ? family.toUpperCase() : family
}
