import type { TrustPolicy } from '../../protocol/trust.ts'
import { FLAG, faultOf, type KeyRule, TRUST } from './key-rules.ts'

/** TRUST-19: the operator's `trust_policy`, checked. */
export function readTrustPolicy(settings: unknown): { readonly policy: TrustPolicy } | { readonly error: string } {
  if (settings === undefined) return { policy: {} }
  const error = faultOf(settings, KEYS, 'trust_policy')
  if (error !== undefined) return { error }
  return { policy: Object.freeze({ ...(settings as TrustPolicy) }) }
}

const KEYS = {
  minimum_trust_for_writes: TRUST,
  minimum_trust_for_deletes: TRUST,
  allow_untested_introspection: FLAG,
  require_confirmation_below: TRUST,
} as const satisfies Record<keyof TrustPolicy, KeyRule>
