import { may, must, type Requirement, should } from './row.ts'

/** Batch. */
export const BATCH: readonly Requirement[] = [
  may(
    'BATCH-01',
    'Batches are supported and announced by `capabilities.batch`; the request is `{"operations": [{"operation", "params?"}, ...]}` with at least one entry and no top-level `operation`; an entry may place parameters like a single request (REQ-03).',
    'ops 7.1, schema batch-operation, choice',
  ),
  must(
    'BATCH-02',
    'A malformed batch fails as a whole before anything runs: `operations` not an array gives `VALIDATION_INVALID_TYPE`, empty or beside `operation` gives `VALIDATION_INVALID_VALUE`, an entry without a string `operation` gives `VALIDATION_MISSING_PARAM` for `operations[{i}].operation`.',
    'ops 7.3, schema batch-operation, choice (codes)',
  ),
  must(
    'BATCH-03',
    'A processed batch answers `success: true`, `data: null`, `results`, `summary`; overall `success` is false only for batch-level faults such as a malformed request or failed authentication.',
    'ops 7.2, 7.3',
  ),
  must(
    'BATCH-04',
    'Each entry of `results` has `index` (zero-based position in the request), `operation` and `result` (a full success or failure object holding only `success` with `data` or `error`).',
    'ops 7.2, schema batch-operation',
  ),
  must(
    'BATCH-05',
    "Entries run strictly in array order, one after the other, and an entry's failure does not stop later entries.",
    'ops 7.3',
  ),
  must(
    'BATCH-06',
    '`summary` has `total` (all requested entries), `succeeded` and `failed`, plus `halted` and `pending` in a halted batch.',
    'ops 7.2, 7.5.2',
  ),
  should(
    'BATCH-07',
    'When an entry answers `CONFIRMATION_REQUIRED` the batch halts: earlier results stay, the gated entry appears only in `halted_at` (`index`, `operation`, `result`), later entries are not run and appear in `pending_operations` (`index`, `operation`, `params?`) with their original indexes.',
    'ops 7.5.2, schema batch-operation',
  ),
  must(
    'BATCH-08',
    'A halt counts as neither success nor failure of the entry: overall `success` stays true, `failed` is not increased, `summary.halted` is 1, and `isError` is false.',
    'ops 7.5.5',
  ),
  must(
    'BATCH-09',
    "A continuation is a new batch that begins with the halted entry carrying its token (REQ-07); the token is bound to that entry's operation and parameters with references resolved, not to the batch; the resolved parameters are returned (in the gated entry's `error.details.params` and in `pending_operations` as far as they are known, with sensitive values masked, which a continuation sends again itself), and a reference beside a token is refused.",
    'ops 7.5.3, tokens 3.2',
  ),
  may(
    'BATCH-10',
    'An adapter setting (never a request option) selects skip-and-continue instead: all entries get results, gated ones carry `status: "pending_confirmation"`, and the summary counts them in `pending_confirmation`, not in `failed`.',
    'ops 7.5.4',
    { status: 'later', reason: 'the schema knows such an answer, and no setting of an adapter selects it yet' },
  ),
  should(
    'BATCH-11',
    'In semantic mode an entry of another family gets `VALIDATION_ENDPOINT_MISMATCH` as its own result while the rest of the batch proceeds; in single mode families may be mixed.',
    'ops 7.4, choice',
  ),
]
