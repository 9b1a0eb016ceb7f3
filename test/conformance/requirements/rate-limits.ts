import { may, must, type Requirement, should } from './row.ts'

/** Rate limits, quotas and cost. */
export const RATE: readonly Requirement[] = [
  must(
    'RATE-01',
    'The `rate_limits` block accepts `api_limits` (array), `quotas` (object) and `cost` (object), and alternatively the short form `requests_per_minute`, `requests_per_hour`, `requests_per_day`, `burst_limit` (integers >= 1), which is normalised to global limits plus a burst capacity.',
    'rate 2.1; schema:adapter; R-21',
  ),
  must(
    'RATE-02',
    'An API limit has `scope` (`global`, `endpoint`, `category`), `endpoint` (required only for scope endpoint, wildcards such as "GET /users/*"), `category` (`create`, `read`, `update`, `delete`, `execute`, required only for scope category), positive `limit`, `window` (`second`, `minute`, `hour`, `day`) and optional `remaining_header`, `reset_header`.',
    'rate 2.2',
  ),
  must(
    'RATE-03',
    'Before each outgoing request all matching API limits are checked and, if one would be exceeded, nothing is sent; attempts actually sent count (retries included), refused ones do not.',
    'rate 4.2, 7.1',
  ),
  must(
    'RATE-04',
    'A refusal by an API limit returns `RATE_LIMIT_EXCEEDED` with details `limit`, `remaining`, `window`, `resets_at` and `retry_after_seconds`.',
    'rate 4.2; errors 5.5',
  ),
  should(
    'RATE-05',
    'Remaining and reset headers update the local counters after each response (lower of local and reported remaining wins), and `Retry-After` in seconds or as HTTP date blocks the scope until that moment.',
    'rate 4.2, 7.2; R-21',
  ),
  must(
    'RATE-06',
    'API limits are checked before quotas, and slots are reserved before sending so that parallel requests cannot jointly exceed a limit.',
    'rate 4.1; R-21',
  ),
  must(
    'RATE-07',
    '`quotas` has `enabled` (boolean), `limits`, `persistence` (`memory`, `file`, `database`) and `reset_schedule` (cron expression); each limit has `metric`, `warn`, `pause`, optional `hard_stop` and `currency` (required for cost metrics), and a load error follows unless warn <= pause <= hard_stop.',
    'rate 3.1; R-21',
  ),
  must(
    'RATE-08',
    '`metric` is one of `requests_per_minute`, `requests_per_hour`, `requests_per_day`, `tokens_per_minute`, `tokens_per_hour`, `tokens_per_day`, `cost_per_hour`, `cost_per_day`, `cost_per_month`; a metric the adapter cannot measure is a load error rather than a counter stuck at 0.',
    'rate 3.1; R-21',
  ),
  must(
    'RATE-09',
    'With `current` = usage completed in the window, status is `ok` below warn, `warn` from warn, `paused` from pause, `exhausted` from hard_stop (all comparisons >=), and a cost quota is also exhausted if current plus the estimate of the request exceeds hard_stop.',
    'rate 3.2, 6.3; R-22 (up: SHOULD)',
  ),
  should(
    'RATE-10',
    'In status `warn` the operation runs and the success answer carries warning `RATE_LIMIT_QUOTA_WARNING` with details `metric`, `current`, `warn_threshold`, `pause_threshold`.',
    'rate 4.3; errors 5.8',
  ),
  must(
    'RATE-11',
    'In status `paused` the request is refused with `RATE_LIMIT_QUOTA_PAUSE` and details `metric`, `current`, `pause_threshold`, `hard_stop_threshold` (if set), `confirmation_token` (prefix `quota_continue_`), `expires_at`, `retry_after_seconds`.',
    'rate 4.3, 7.1; errors 5.6 (up: SHOULD)',
  ),
  must(
    'RATE-12',
    'Continuing needs the identical request with `params._quota_continue` and a human approval as for any token; each approval lets one request pass unless the operator granted a multi-use token.',
    'rate 4.4; tokens 1.1; R-01, R-22',
  ),
  must(
    'RATE-13',
    'In status `exhausted` every request is refused with `RATE_LIMIT_QUOTA_EXHAUSTED` and details `metric`, `current`, `hard_stop_threshold`, `resets_at`, `retry_after_seconds`, and no token overrides it.',
    'rate 4.3, 7.1; errors 5.7 (up: SHOULD)',
  ),
  must(
    'RATE-14',
    '`introspect` with query `quota_status` returns `adapter`, `api_limits` (per scope: `limit`, `remaining`, `window`, `resets_at`), `quotas` (`metric`, `current`, `warn`, `pause`, `hard_stop`, `status`, `currency`) and `next_reset`, and changes no counter.',
    'rate 6.1, 6.2',
  ),
  should(
    'RATE-15',
    'Quota counters survive sessions and restarts (in the configured store, the embedded database by default; the value `file` means the same); an unreadable counter store blocks calls with `INTERNAL_ERROR` until the operator resets it, instead of starting at zero.',
    'rate 7.2; R-21',
  ),
  may(
    'RATE-16',
    '`cost` has `model` (`per_call`, `per_token`, `per_byte`, `tiered`), `currency` and `pricing` [{`endpoint`, `cost_per_call`, `cost_per_token` {`input`, `output`}}]; the most specific endpoint pattern prices a call, and `per_byte` and `tiered` are load errors until their fields are specified.',
    'rate 2.1, 7.4; R-21',
  ),
  must(
    'RATE-17',
    'The reserved future keys `shared_pools`, `scheduling`, `alerts`, `coordination` and `count_method` are reported as unsupported at load and never silently ignored.',
    'rate 8; R-21',
  ),
]
