import type { Config } from '../config.ts'
import type { GateOptions } from '../core/gatekeeper/open-gate.ts'

/** What the gate needs of the settings. */
export function gateOptions(config: Config): GateOptions {
  const { minimum_trust_for_writes, minimum_trust_for_deletes, require_confirmation_below } = config
  return {
    ...(config.trust && { trustSetting: config.trust }),
    trustPolicy: {
      ...(minimum_trust_for_writes && { minimum_trust_for_writes }),
      ...(minimum_trust_for_deletes && { minimum_trust_for_deletes }),
      ...(require_confirmation_below && { require_confirmation_below }),
    },
    dangerPatterns: {
      dangerous: config.danger_patterns_dangerous,
      forbidden: config.danger_patterns_forbidden,
      remove: config.danger_patterns_remove,
    },
    tokenLifetimes: {
      confirmation: config.confirmation_seconds,
      forbidden: config.forbidden_confirmation_seconds,
      quota: config.quota_confirmation_seconds,
    },
    clockSkewSeconds: config.clock_skew_tolerance_seconds,
    maxWaitSeconds: config.max_wait_seconds,
    attention: { open: config.max_open_prompts, shown: config.max_new_prompts, windowMs: 600_000 },
    auditReads: config.audit_reads,
    decisionRules: { elicitC2: config.elicit_dangerous, twoPerson: config.two_person },
  }
}
