import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Bound } from '../call.ts'

/**
 * A call the gatekeeper let through. Only `admit` can make one, and `execute` takes nothing else, so a call that
 * skipped the gate does not compile.
 */
export interface Admitted extends Bound {
  readonly [admission]: true
}
declare const admission: unique symbol

export type Permission = 'allow' | 'deny'

/** One layer's opinion of a call. A layer that has none allows. */
export interface Policy {
  readonly name: string
  readonly rule: (call: Bound) => Verdict
}

export type Verdict = { readonly permission: 'allow' } | { readonly permission: 'deny'; readonly reason: string }

export const ALLOW: Verdict = { permission: 'allow' }

/** Gatekeeper specification §3.2: the most restrictive policy wins. A policy that throws denies. */
export function admit(call: Bound, policies: readonly Policy[]): Admitted | OperationFailure {
  for (const policy of policies) {
    const verdict = ask(policy, call)
    if (verdict.permission === 'deny')
      return fail('PERMISSION_DENIED', { reason: verdict.reason, operation: call.operation })
  }
  return call as Admitted // the one place where the mark is given; it exists for the compiler alone
}

function ask(policy: Policy, call: Bound): Verdict {
  try {
    return policy.rule(call)
  } catch {
    return { permission: 'deny', reason: `the policy '${policy.name}' could not be evaluated` }
  }
}
