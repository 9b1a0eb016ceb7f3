import { must, type Requirement, should } from './row.ts'

/** What an agent is told with its next report. */
export const NOTE: readonly Requirement[] = [
  must(
    'NOTE-01',
    'A notification has `type`, `message`, `timestamp` (ISO 8601) and optional `metadata` {`operation`, `reason`, `level`, `verificationId`, our extension `approvalId`}, with `type` one of `permission_pending`, `autonomy_pause`, `danger_zone`, `status`, `error`.',
    'spec 8.7.3; R-26',
  ),
  must(
    'NOTE-02',
    'Notifications are pull-only: they collect per agent and are delivered solely in `record_execution_step` answers; `permission_pending`, `autonomy_pause` and `danger_zone` repeat in every answer until cleared, without duplicates.',
    'spec 8.7.3; R-34',
  ),
  must(
    'NOTE-03',
    '`permission_pending` is created when the gatekeeper holds an operation for confirmation, carries `metadata.operation` and `metadata.level`, and is cleared at the moment a valid confirmation of that operation through a human channel succeeds, or when its token expires or is revoked.',
    'spec 8.7.3; gate 7.1, 7.3; R-34',
  ),
  must(
    'NOTE-04',
    'A failed, invalid or self-approving `confirm_operation` call leaves the notification in place.',
    'spec 8.7.3',
  ),
  must(
    'NOTE-05',
    'Every evaluator result with `continue: false` creates `autonomy_pause` with reason and factors; for `confirm` tier, step-limit, failure and `requiresApproval` pauses it is cleared by a human decision on that pause, and a `requiresApproval` match adds a `permission_pending` cleared by the same decision.',
    'spec 8.7.3; loop 5.3; R-34 (up: SHOULD)',
  ),
  must(
    'NOTE-06',
    'A `verify` tier `autonomy_pause` carries `metadata.verificationId`, goes only to the affected agent and is cleared by successful verification of that challenge or by its expiry.',
    'spec 8.7.3, 8.8.2; danger 8.2',
  ),
  must(
    'NOTE-07',
    "A hard block sends `danger_zone` with the affected agent's `metadata.verificationId` to all agents executing at that moment, the affected one included (already in the directive that stops it), and clears it everywhere on unblock by verification or admin override.",
    'spec 8.7.3, 8.8.1',
  ),
  must(
    'NOTE-08',
    'Copies of `danger_zone` for agents of other principals contain no hint text, parameters or principal names.',
    'R-34',
  ),
  should(
    'NOTE-09',
    '`status` and `error` notifications are delivered once; at most 100 wait per agent, the oldest of these two types are dropped first and state-bearing types are never dropped.',
    'R-34',
  ),
]
