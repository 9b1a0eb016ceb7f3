import { may, must, type Requirement, should } from './row.ts'

/** How far a source is trusted, and the matrix of trust and danger. */
export const TRUST: readonly Requirement[] = [
  must(
    'TRUST-01',
    'The ordered levels are `untested`, `generated`, `validated`, `community_reviewed`, `certified`, and no other vocabulary is used anywhere in output.',
    'trust 2.1; R-17',
  ),
  must(
    'TRUST-02',
    'An adapter without a `trust` block, or with an unknown or legacy level, loads as `untested` with a warning instead of crashing or being mapped upwards.',
    'trust 1.2, 6.1; R-17',
  ),
  must(
    'TRUST-03',
    "The level written in an adapter file is a claim: the effective level is the lower of the claim and the level recorded for exactly this content hash in the operator's trust store, and any edit of the file returns it to at most `generated`.",
    'trust 1.2; R-18',
  ),
  must(
    'TRUST-04',
    '`generated` is reached only if the YAML parses, `name`, `type`, `version` and `description` are present, the target is valid and every operation is structurally valid.',
    'trust 2.2.2, 4.2',
  ),
  must(
    'TRUST-05',
    '`validated` additionally needs a recorded harness run against the live API in which all read operations and a representative set of create and update operations succeeded and documented errors appeared, with a stored `validation_report`.',
    'trust 2.2.3, 4.2',
  ),
  must(
    'TRUST-06',
    '`community_reviewed` additionally needs approvals of at least N distinct reviewers (configurable, default 2), no open security concern and a documentation check.',
    'trust 2.2.4, 4.2',
  ),
  must(
    'TRUST-07',
    '`certified` additionally needs a non-null `certification` whose `signature` verifies over the adapter content with an authority key the operator configured, which has not expired and whose `scope` covers the called operation (`all_operations` covers all).',
    'trust 2.2.5, 3.2.9; R-18',
  ),
  must(
    'TRUST-08',
    'The `trust` block has `level` (required), `generated_at`, `generated_by`, `validated_at`, `validated_by`, `validation_report` {`tests_passed`, `tests_total`, `endpoints_verified` integers, `coverage_percent` number, `last_api_response` timestamp}, `promoted_from`, `promotion_history` [{`from`, `to`, `at`, `by`, optional `reason`}] and `certification` (null or {`authority`, `signature` base64, `certificate_id`, `issued_at`, `expires_at`, `scope` array}), all timestamps ISO 8601; any other key (also the sketched `operation_overrides`, `delegated_from`, `composite`) makes the block invalid under TRUST-02.',
    'trust 3.1, 3.2',
  ),
  must(
    'TRUST-09',
    'A promotion moves exactly one level up and is refused if it skips a level or its evidence is missing; it can be triggered only by the operator or the validation process, never by an agent-callable operation.',
    'trust 4.1, 4.2; R-18',
  ),
  must(
    'TRUST-10',
    'A demotion (validation failure, security issue, API change, certificate expiry) may drop several levels, appends a history record with the lower `to` and keeps `validated_at`; users SHOULD be told through a warning.',
    'trust 4.3',
  ),
  must(
    'TRUST-11',
    'From the moment `certification.expires_at` has passed, decisions use `community_reviewed` even if no demotion has been written yet.',
    'trust 4.3; R-18',
  ),
  should(
    'TRUST-12',
    'Re-validation is due on each load for `generated` (schema check), after 7 days or an API version change for `validated`, after 30 days for `community_reviewed` and per certificate terms for `certified`; overdue adapters carry a warning.',
    'trust 4.4',
  ),
  must(
    'TRUST-13',
    'Matrix row `safe`: untested `introspect_only`, generated `allow`, validated `allow`, community_reviewed `allow`, certified `allow`.',
    'danger 4.1 (up: SHOULD)',
  ),
  must(
    'TRUST-14',
    'Matrix row `reversible`: untested `deny`, generated `deny`, validated `allow`, community_reviewed `allow`, certified `allow`.',
    'danger 4.1 (up: SHOULD)',
  ),
  must(
    'TRUST-15',
    'Matrix row `destructive`: untested `deny`, generated `deny`, validated `confirm`, community_reviewed `allow`, certified `allow`, the two `allow` cells still being subject to DNG-13.',
    'danger 4.1, 7.1; R-10 (up: SHOULD)',
  ),
  must(
    'TRUST-16',
    'Matrix row `dangerous`: untested `deny`, generated `deny`, validated `deny`, community_reviewed `confirm`, certified `allow`, the last still being subject to DNG-13.',
    'danger 4.1, 7.1; R-10 (up: SHOULD)',
  ),
  must(
    'TRUST-17',
    'Matrix row `forbidden`: untested `deny`, generated `deny`, validated `deny`, community_reviewed `deny`, certified `confirm` (admin approver only).',
    'danger 4.1, 2.1; R-10 (up: SHOULD)',
  ),
  must(
    'TRUST-18',
    "`introspect_only` lets nothing but `introspect` through; every other operation of the adapter, also a safe read, is refused (the runtime's own safety operations are not adapter operations) with `PERMISSION_TRUST_LEVEL_INSUFFICIENT` and no request reaches the target API.",
    'danger 4.2; trust 5.4; R-09',
  ),
  may(
    'TRUST-19',
    'The operator sets `trust_policy` keys `minimum_trust_for_writes`, `minimum_trust_for_deletes`, `allow_untested_introspection` and `require_confirmation_below`; they can only tighten the matrix, and `minimum_trust_for_deletes: community_reviewed` reproduces the stricter per-category table.',
    'trust 5.1, 5.3; R-09',
  ),
  must(
    'TRUST-20',
    'A refusal caused by a trust minimum returns `PERMISSION_TRUST_LEVEL_INSUFFICIENT` with details `operation`, `required_trust`, `actual_trust` and `danger_level` as number 0-4.',
    'trust 5.4; errors 5.2',
  ),
  should(
    'TRUST-21',
    '`introspect` with query `adapter_info` returns `name`, `version` and `trust` (effective level, claimed level, `validated_at`, `validation_report`).',
    'trust 6.4; R-16',
  ),
]
