import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'

/** ERR-22 for a control of a collection. `constraint` holds names that the adapter declared, never what was sent. */
export function refuse(
  param_name: string,
  constraint: string,
  operation: string,
  allowed?: readonly unknown[],
): OperationFailure {
  return fail('VALIDATION_INVALID_VALUE', { param_name, constraint, allowed, operation })
}
