import { may, must, type Requirement, should } from './row.ts'

/** Classification, naming grammar, reserved names. */
export const OPN: readonly Requirement[] = [
  must(
    'OPN-01',
    'Category follows the effect on state, not the subject: no state change is READ, additions only are CREATE, removal is DELETE, runtime or lifecycle control is EXECUTE, any other change is UPDATE (so `get_execution_status` is READ and `cancel_task` EXECUTE).',
    'spec 8.1, crude 6.1-6.3',
  ),
  should(
    'OPN-02',
    'Doubtful cases: no side effect goes to READ; create-or-update goes to CREATE; external effects such as sending mail go to EXECUTE; soft delete that hides data goes to DELETE; the reasoning is in the description.',
    'spec 8.3, crude 6.4',
  ),
  should(
    'OPN-03',
    'Names match `^[a-z][a-z0-9_]*$` (MUST) and have the form `{verb}_{resource}` with canonical verbs: `create`; `get` (one) and `list` (many); `update`; `delete`; `execute` and `cancel`; only system-wide operations drop the resource part.',
    'spec 8.5.1, 8.5.2, ops 2.4',
  ),
  may(
    'OPN-04',
    'Another verb (`upload`, `search`, `import`, `stop`) is used when the canonical one would mislead or custom favours it; the description then gives the reason and the canonical counterpart.',
    'spec 8.5.3, ops 6.2',
  ),
  must(
    'OPN-05',
    'The names `introspect` (READ), `execute_agent`, `complete_execution`, `abort_execution`, `confirm_operation` (EXECUTE), `record_execution_step` and `verify_challenge` (CREATE) are reserved; registering an adapter operation with one of them for another purpose is refused.',
    'spec 8.5.4',
  ),
  must(
    'OPN-06',
    'Where `record_execution_step` is offered its introspected parameters are `element_name` (required), `step_description`, `outcome` (`success`, `failure`, `skipped`), `next_action_hint` (required), `findings`; the spellings `stepDescription` and `nextActionHint` are accepted as input.',
    'spec 8.6.3, 4.3, choice',
  ),
  should('OPN-07', 'EXECUTE calls are written to the audit log.', 'crude 7.2'),
]
