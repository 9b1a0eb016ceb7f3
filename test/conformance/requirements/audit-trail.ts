import { must, type Requirement, should } from './row.ts'

/** What the trail holds. */
export const AUDIT: readonly Requirement[] = [
  must(
    'AUDIT-01',
    'Gatekeeper events `OPERATION_DENIED` (operation, reason), `CONFIRMATION_REQUIRED` and `CONFIRMATION_GRANTED` (operation, token reference) are written with `timestamp`, `event`, `operation`, `endpoint`, `result` (`allowed`, `denied`, `confirmed`) and optional `reason`.',
    'gate 5.1, 5.2 (up: SHOULD)',
  ),
  must(
    'AUDIT-02',
    'Token events `TOKEN_ISSUED`, `TOKEN_VALIDATED`, `TOKEN_REJECTED`, `TOKEN_REVOKED` carry `timestamp`, `token_id`, `operation`, `adapter_name`, `outcome` (`success`, `failure`), `failure_reason` and `client_context` {`session_id`, `user_id`}.',
    'tokens 6.4, 7.1',
  ),
  must(
    'AUDIT-03',
    'Each attempt at an operation of level 2 or higher, whatever its outcome, is written with `timestamp`, `adapter_name`, `operation`, `danger_level` (number), `adapter_trust`, `outcome` (`allowed`, `confirmed`, `denied`), `confirmation_token` (reference), `user_id`, redacted `parameters` and the declared `audit_context`.',
    'danger 7.1, 7.4; trust 6.1',
  ),
  must(
    'AUDIT-04',
    'Further events exist for `STEP_EVALUATED` (directive, score, tier, stage), `CHALLENGE_ISSUED`, `CHALLENGE_VERIFIED`, `CHALLENGE_FAILED`, `CHALLENGE_EXPIRED`, `CHALLENGE_UNDELIVERABLE`, `VERIFICATION_RATE_LIMITED`, `AGENT_BLOCKED`, `AGENT_UNBLOCKED`, `ADMIN_OVERRIDE`, `APPROVAL_DENIED`, `SELF_APPROVAL_REJECTED` and `PROTOCOL_VIOLATION`.',
    'spec 8.8.5; R-37',
  ),
  must(
    'AUDIT-05',
    '`TRUST_CHANGED`, `POLICY_CHANGED`, `SAFETY_MODE_CHANGED`, `QUOTA_PAUSED` and `QUOTA_EXHAUSTED` are recorded with old and new value and the acting operator or process.',
    'trust 6.2; R-37',
  ),
  must(
    'AUDIT-06',
    'Verification codes, credentials and redeemable token strings never enter the log; tokens appear as the first 16 hex characters of their SHA-256, and parameters named or typed as secrets are masked.',
    'spec 8.8.4; R-37',
  ),
  must(
    'AUDIT-07',
    'Entries are appended to storage that outlives sessions, include the server-made session ID and principal, and cannot be read, altered or deleted by an agent-callable operation.',
    'spec 2.3.4, 2.3.5; R-37',
  ),
  must(
    'AUDIT-08',
    'For level 2 and higher the entry is durable before the handler runs; if it cannot be written, the operation is refused with `INTERNAL_ERROR`.',
    'danger 7.4; R-37',
  ),
  should(
    'AUDIT-09',
    'The log is a hash chain in the store (each entry holds the hash of its predecessor), shown and exported as JSON Lines, anchored outside the store at intervals, and a command verifies chain and anchors.',
    'R-37',
  ),
  must(
    'AUDIT-10',
    'Calls of level 0 are counted per operation, principal and second and not recorded one by one unless the setting `audit_reads` asks for it; calls of level 1 are recorded after the answer, in batches; both are written before an orderly shutdown.',
    'choice',
  ),
]
