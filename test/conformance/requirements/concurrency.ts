import { may, must, type Requirement, should } from './row.ts'

/** Concurrency and versions. */
export const CONC: readonly Requirement[] = [
  must(
    'CONC-01',
    'The adapter declares one concurrency category (`serialized`, `read-concurrent`, `fully-concurrent` or `resource-locked`) and behaves accordingly under pipelined requests; beyond it no order is promised between independent requests, only between batch entries.',
    'spec 9.3, 9.3.1',
  ),
  should(
    'CONC-02',
    'Mutable resources are returned with `_etag` (for example `W/"a1b2c3d4"`) or `_version`, changing with every modification; neither is writable through `input`.',
    'spec 9.3.2, choice (not writable)',
  ),
  should(
    'CONC-03',
    '`if_match` stands in `params` next to `input` and the identifiers (never inside `input`) and is listed in `parameters`; the change is applied only if it equals the stored version, else `CONFLICT_VERSION_MISMATCH` is returned and nothing changes, check and write being atomic.',
    'spec 9.3.2, choice',
  ),
  may(
    'CONC-04',
    '`_protocol` reports `concurrency`, `supports_etag` (boolean) and `max_concurrent_requests` (number).',
    'spec 9.3.3',
  ),
]
