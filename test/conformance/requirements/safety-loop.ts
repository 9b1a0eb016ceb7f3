import { may, must, type Requirement, should } from './row.ts'

/** Executions and the operations of the safety loop. */
export const LOOP: readonly Requirement[] = [
  must(
    'LOOP-01',
    'The names `introspect` (READ), `execute_agent`, `complete_execution`, `abort_execution`, `confirm_operation` (EXECUTE), `record_execution_step` and `verify_challenge` (CREATE) are reserved, and an adapter that defines one of them otherwise fails to load.',
    'spec 8.5.4; loop 9.1',
  ),
  must(
    'LOOP-02',
    'Operation names match `^[a-z][a-z0-9_]*$`; own operations SHOULD follow verb_resource with the canonical verbs create, get/list, update, delete, execute/cancel, and a deviating verb names its canonical equivalent in the description.',
    'spec 8.5.1-8.5.3',
  ),
  must(
    'LOOP-03',
    'Executions know the states `pending`, `running`, `completed`, `failed`, `cancelled` and only the transitions pending-running, pending-cancelled, running-completed, running-failed, running-cancelled and, if `supports_retry`, failed-running; every other transition is refused with `CONFLICT_INVALID_STATE` and leaves the state unchanged.',
    'spec 8.4.1, 8.4.2; R-23 (up: SHOULD)',
  ),
  should(
    'LOOP-04',
    'Execution answers carry `execution_id` and `status`, optionally `started_at`, `finished_at` (terminal states), `progress` (`percentage` 0-100, or `current` with `total`, or `message`) and `error` {`code`, `message`, `details`} when failed.',
    'spec 8.4.3',
  ),
  must(
    'LOOP-05',
    'Additional states are listed in introspection, map to a core state, and can always go to `cancelled` unless terminal; the operation detail exposes `lifecycle` {`states` required, `supports_cancel`, `supports_retry`, `progress_reporting`, each default false}.',
    'spec 8.4.4, 8.4.5; schema:introspection',
    { partly: 'additional states are listed; that an execution enters one, and maps it to a core state, is to come' },
  ),
  must(
    'LOOP-06',
    '`_protocol.capabilities.execution_safety_loop` reports the mode in force, exactly `enforcing`, `monitoring`, `logging` or `disabled`, and is absent when the loop is not supported.',
    'spec 8.6.1, 8.6.7; loop 8.2',
  ),
  must(
    'LOOP-07',
    'The mode comes from the setting `safety_loop` (the name `safetyLoop.mode` is accepted too), overridden by `MCPAQL_SAFETY_LOOP`, default `disabled` for domain adapters and `enforcing` for the safety dongle; an unknown value stops the start and no MCP request can change the mode.',
    'spec 8.6.1, 8.6.7; loop 8.2; R-25',
  ),
  must(
    'LOOP-08',
    '`execute_agent` takes `element_name` (string, required), optional `goal` (string) and optional `autonomy` (overrides that may only tighten the configuration) and returns `execution_id`, `status: "running"`, `started_at`, `element_name` and the autonomy configuration in force.',
    'spec 8.6.2, 8.7.4; R-26',
  ),
  must(
    'LOOP-09',
    'In `enforcing` mode each `execute_agent` call needs its own human approval before an execution exists; the approval starts monitored evaluation and authorises no later action.',
    'spec 8.6.2; loop 4.2',
  ),
  must(
    'LOOP-10',
    '`element_name` is normalised (NFKC, case folded, trimmed, inner white space collapsed) and combined with the authenticated principal to the agent key; a second `execute_agent` for an agent key with a running execution is refused with `CONFLICT_INVALID_STATE`.',
    'spec 8.8.3; R-27',
  ),
  must(
    'LOOP-11',
    "`record_execution_step` documents `element_name` and `next_action_hint` (required), `step_description`, `outcome`, `findings` (optional strings) plus our optional `execution_id` and `risk_score`; the spec's camelCase spellings `nextActionHint`, `stepDescription` and `riskScore` are accepted as aliases, and both spellings together with different values give `VALIDATION_INVALID_TYPE`.",
    'spec 8.6.3, 4.3; R-26',
  ),
  must(
    'LOOP-12',
    'A missing or blank hint gives `VALIDATION_MISSING_PARAM`; a hint is evaluated in full length and one longer than 10,000 characters is refused with `VALIDATION_PAYLOAD_TOO_LARGE`, never truncated.',
    'spec 8.6.3; R-28',
  ),
  must(
    'LOOP-13',
    '`outcome` is exactly `success`, `failure` or `skipped`; other values give `VALIDATION_INVALID_TYPE` and are not treated as omitted.',
    'spec 8.6.3',
  ),
  must(
    'LOOP-14',
    '`record_execution_step` without a running execution for that agent key in this session is refused with `NOT_FOUND_RESOURCE` and yields no directive with `continue: true`.',
    'spec 8.6.2; R-26',
  ),
  must(
    'LOOP-15',
    'Every accepted `record_execution_step` returns `data` with `execution_id`, `step_number`, `recorded_at` and `autonomy`, the AutonomyDirective.',
    'spec 8.7.1; loop 9.1; R-26',
  ),
  must(
    'LOOP-16',
    "In `enforcing` mode a directive with `stopped: true` makes the server refuse the agent's further execution operations, and a directive with `continue: false` holds until a human decides (AUTO-16), whatever the agent reports meanwhile.",
    'spec 8.6.4; R-29 (up: SHOULD)',
  ),
  must(
    'LOOP-17',
    'In `monitoring` mode the whole pipeline runs and `factors`, `reason` and `nextStepRisk` state what enforcement would have done, but `continue` is always true, `stopped` is never true, and no challenge, block or approval request is created.',
    'spec 8.6.4; loop 8.3',
  ),
  may(
    'LOOP-18',
    'In `logging` mode steps are stored and audited without evaluation and the directive is `continue: true` with a factor saying that nothing was evaluated; in `disabled` mode the four life cycle operations only track progress and return no directive.',
    'spec 8.6.4, 8.6.7; loop 8.3; R-25',
  ),
  must(
    'LOOP-19',
    '`complete_execution` takes `element_name`, optional `execution_id`, `outcome`, `summary`, sets `completed` with `finished_at` and returns the state plus `steps_recorded`; it is refused while the agent is hard-blocked.',
    'spec 8.6.2; R-26',
  ),
  must(
    'LOOP-20',
    '`abort_execution` takes `element_name`, optional `execution_id` and `reason`, sets `cancelled`, is never gated by the server and also works for a blocked or paused agent, but lifts neither block nor pause.',
    'spec 8.6.2, 8.4.4; R-24',
  ),
  must(
    'LOOP-21',
    '`confirm_operation` takes `confirmation_token` or `approval_id` and `decision` (`approve`, default, or `deny`), counts only from a human channel (SELF-01), and returns the decided operation, decision and remaining lifetime.',
    'spec 8.7.3; R-01, R-26 (up: SHOULD)',
  ),
  must(
    'LOOP-22',
    '`verify_challenge` takes `challenge_id` and `code` and on success returns `verified: true`, `challenge_id`, `element_name` and whether a hard block was lifted.',
    'spec 8.8.2; R-26 (up: SHOULD)',
  ),
  must(
    'LOOP-23',
    'Reports are accepted and evaluated alike for every kind of effect: tool calls to any MCP server, reading, writing or deleting files, shell commands, network requests, database access and other state changes.',
    'spec 8.6.3, 8.6.6',
  ),
  should(
    'LOOP-24',
    'While an execution runs in an embedding adapter, a non-READ domain operation of that session whose name does not occur in the last hint that got `continue: true` (each hint covers one call) is refused and audited as `PROTOCOL_VIOLATION`.',
    'spec 8.6.2, 8.6.5; R-28',
  ),
]
