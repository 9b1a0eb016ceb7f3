import { may, must, type Requirement, should } from './row.ts'

/** Session. */
export const SES: readonly Requirement[] = [
  must(
    'SES-01',
    'Exactly one session exists per MCP connection: it opens when the `initialize` handshake has succeeded and closes with that connection; a reconnecting client always gets a new session with empty session state; on the MCP revision without a handshake the session is the process (stdio) or a server-minted handle bound to the principal (HTTP, MCP-25).',
    'spec 2.3.1, 2.3.2',
  ),
  must(
    'SES-02',
    'When a session closes (gracefully or abruptly) the server discards its confirmation tokens, cached introspection results, pending state of unfinished EXECUTE work and warning de-duplication memory; only an explicit adapter setting may let confirmation tokens outlive the session.',
    'spec 2.3.3',
  ),
  should(
    'SES-03',
    'Executions still `pending` or `running` when their session closes are moved to `cancelled` or `failed` instead of staying open.',
    'spec 2.3.3, 8.4',
  ),
  may(
    'SES-04',
    'Adapter configuration, operation schemas, stored resources, audit logs, telemetry and results of executions in a terminal state are kept across sessions.',
    'spec 2.3.4',
  ),
  must(
    'SES-05',
    'Values sent by the client in `_meta` are used only as log labels and never decide token validity, access rights or session identity.',
    'spec 2.3.5',
  ),
  should(
    'SES-06',
    'The server generates its own unpredictable session id at handshake completion (not the value of `Mcp-Session-Id`) and publishes it as `_protocol.session_id`, in audit records and as `error.details.session_id`.',
    'spec 2.3.5, choice (field names)',
  ),
  must(
    'SES-07',
    'The session boundary is the lifetime of the stdin stream under stdio and the lifetime of the `Mcp-Session-Id` under Streamable HTTP, so a dropped SSE stream that resumes under the same id does not start a new session.',
    'choice, mcp base',
  ),
]
