import { may, must, type Requirement, should } from './row.ts'

/** Execution lifecycle. */
export const LIFE: readonly Requirement[] = [
  should(
    'LIFE-01',
    'Long-running EXECUTE operations use the states `pending`, `running`, `completed`, `failed`, `cancelled`.',
    'spec 8.4.1',
  ),
  must(
    'LIFE-02',
    'Only these transitions are possible: pending to running or cancelled; running to completed, failed or cancelled; failed to running as a retry where supported; `completed`, `failed` and `cancelled` are otherwise terminal, and any other attempt is refused with `CONFLICT_INVALID_STATE` and leaves the state unchanged.',
    'spec 8.4.2, choice (code)',
  ),
  must(
    'LIFE-03',
    'A state response contains `execution_id` (string) and `status`, and optionally `started_at` and `finished_at` (ISO 8601; the latter present exactly in terminal states), `progress` and, when failed, `error` in the standard error form.',
    'spec 8.4.3',
  ),
  should(
    'LIFE-04',
    '`progress` holds at least one of `percentage` (0-100), the pair `current` and `total`, or `message`.',
    'spec 8.4.3',
  ),
  may(
    'LIFE-05',
    'Extra states (`queued`, `paused`, `retrying`) are added; they are documented through introspection (MUST), can be cancelled from unless terminal (MUST) map to a core state for generic clients (SHOULD), and what triggers each transition is documented (SHOULD).',
    'spec 8.4.4',
  ),
  should(
    'LIFE-06',
    'Details of a lifecycle operation carry `lifecycle` with `states` (required array) and the booleans `supports_cancel`, `supports_retry`, `progress_reporting` (default false) and nothing else.',
    'spec 8.4.5, schema introspection-response',
  ),
]
