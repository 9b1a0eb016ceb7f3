import { must, type Requirement, should } from './row.ts'

/** What a session holds and what outlives it. */
export const SESS: readonly Requirement[] = [
  must(
    'SESS-01',
    'A session starts when the MCP `initialize` handshake has succeeded and ends with shutdown or loss of the connection; a reconnect is a new session even for the same client; on MCP revisions without a handshake, see R-38.',
    'spec 2.3.1, 2.3.2',
  ),
  must(
    'SESS-02',
    'At session end, orderly or not, confirmation tokens and approvals, cached introspection, pending execution context and warning de-duplication are discarded; tokens from before then give `TOKEN_INVALID`.',
    'spec 2.3.3',
  ),
  should(
    'SESS-03',
    'Running executions of an ended session become `cancelled` when the session ends, orderly or by a vanished peer, and `failed` (`INTERNAL_ERROR`, `details.reason` `session_terminated`) when the server process itself died, at the latest when another process reads them.',
    'spec 2.3.3; R-23',
  ),
  must(
    'SESS-04',
    'Hard blocks, verification attempt counters, quota counters, trust records, audit entries and terminal execution results are not session-scoped and survive.',
    'spec 2.3.4, 8.8.3, 8.8.5',
  ),
  must(
    'SESS-05',
    'The server creates the session identifier itself (at least 128 random bits), uses it for bindings, and treats client-provided `_meta` values as log labels only.',
    'spec 2.3.5',
  ),
  should(
    'SESS-06',
    'A non-secret session label is reported in `_protocol.session_id`, in error `details.session_id` and in audit entries.',
    'spec 2.3.5',
  ),
  must(
    'SESS-07',
    'Over Streamable HTTP a session spans one `initialize` to its termination under the server-issued session ID (resuming a stream does not start a new one); a server running without sessions refuses everything that would need a confirmation.',
    'spec 2.3.1; R-38',
  ),
  must(
    'SESS-08',
    'The concurrency category, one of `serialized`, `read-concurrent`, `fully-concurrent`, `resource-locked`, is documented and reported with `supports_etag` and `max_concurrent_requests` in `_protocol`.',
    'spec 9.3.1, 9.3.3',
  ),
  should(
    'SESS-09',
    'Mutable resources carry `_etag` or `_version`, updates accept `if_match`, and a mismatch returns `CONFLICT_VERSION_MISMATCH` without changing anything.',
    'spec 9.3.2',
  ),
  must(
    'SESS-10',
    'Step counts, token redemption, challenge verification, grants and quota reservations are atomic under pipelined requests, so N parallel uses of a single-use item yield exactly one success.',
    'spec 9.3; tokens 6.1',
  ),
]
