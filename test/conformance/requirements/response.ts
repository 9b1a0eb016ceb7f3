import { may, must, type Requirement, should } from './row.ts'

/** Response, warnings, metadata. */
export const RES: readonly Requirement[] = [
  must(
    'RES-01',
    'Every operation answers with an object discriminated by boolean `success`: true comes with `data` (always present, possibly null) and no `error`; false comes with `error` and no `data`.',
    'spec 5.1, ops 3.1',
  ),
  must(
    'RES-02',
    'A success has no top-level keys other than `success`, `data`, `warnings`, `_meta` and, for batches, `results`, `summary`, `halted_at`, `pending_operations`.',
    'schema operation-result, schema batch-operation',
  ),
  must(
    'RES-03',
    'A failure has no top-level keys other than `success`, `error` and the optional `confirmation` (only with `CONFIRMATION_REQUIRED`: `token`, `expires_at`, `message?`, `reasons?`, repeating `error.details`, never inside a batch entry), `deprecated`, `deprecationMessage`, `deprecatedSince`, `removalVersion`; in particular no `_meta` and no `warnings`.',
    'schema operation-result, warnings 2.3',
  ),
  may(
    'RES-04',
    '`_meta` on a success carries `request_id` (string) and `duration_ms` (number, at least 0) and further keys; any metadata key added beside `data` begins with `_`.',
    'ops 3.4, schema operation-result',
  ),
  must(
    'RES-05',
    "The tool result's `content` has one `text` item whose text is the JSON serialisation of the whole result object, and `isError` is always present.",
    'integ 4.1.3, mcp (tools)',
  ),
  may(
    'RES-06',
    '`structuredContent` repeats the same result object; if a tool declares `outputSchema`, every result it returns conforms to it.',
    'mcp (tools), choice',
  ),
  must(
    'RES-07',
    '`warnings` appears only on successes, is an array even for one entry, and never changes the outcome; each entry has `code` and `message`, optionally `details` and `severity`, and no other key.',
    'warnings 1.2, 2.1, 3.1, 6.1, schema operation-result',
  ),
  should(
    'RES-08',
    '`severity` is `high`, `medium` or `low` (absent means `medium`), ranks 0, 1, 2 for ordering with `high` first, and does not change between requests for the same condition.',
    'warnings 3.2',
  ),
  should(
    'RES-09',
    'At most 10 warnings are returned; when more apply the most severe stay, and one extra entry may say that others were suppressed; thresholds are configurable.',
    'warnings 6.3, 6.4',
  ),
  should(
    'RES-10',
    'Warnings with equal `code` and `details` are merged within a response, the count may be given as `details.occurrence_count`, and a batch reports repeated item warnings once.',
    'warnings 6.5',
  ),
  must(
    'RES-11',
    'Client code shipped with the implementation treats a success with warnings, and warning codes it does not know, as an ordinary success.',
    'warnings 5.1',
  ),
]
