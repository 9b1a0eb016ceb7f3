import { may, must, type Requirement, should } from './row.ts'

/** MCP base protocol. */
export const MCP: readonly Requirement[] = [
  must(
    'MCP-01',
    'All messages are JSON-RPC 2.0: requests have a string or integer id unique in the session, responses echo it with either `result` or `error`, notifications have no id; JSON-RPC arrays (batches) are refused (for revision 2025-03-26, which had them, this is a documented deviation).',
    'mcp (messages)',
  ),
  must(
    'MCP-02',
    'The first exchange is `initialize`; the server answers with protocol version, capabilities (`tools`, plus `logging` if used) and server information, normal work starts after `notifications/initialized`, and `ping` is answered at once with an empty result in any phase.',
    'mcp (lifecycle, utilities)',
  ),
  must(
    'MCP-03',
    "The client's requested protocol version is echoed when supported (2025-06-18 at least); otherwise another supported version, preferably the newest, is offered.",
    'mcp (lifecycle)',
  ),
  must(
    'MCP-04',
    'Only negotiated capabilities are used: list-changed and log notifications only if the server declared them, sampling, elicitation and roots requests only if the client did.',
    'mcp (lifecycle), mcp base',
  ),
  must(
    'MCP-05',
    'Under stdio one message stands on one line without embedded newlines, stdout carries nothing but MCP messages (diagnostics go to stderr), and end of stdin ends the session and the process.',
    'mcp (stdio)',
  ),
  must(
    'MCP-06',
    'Streamable HTTP uses one endpoint for POST and GET; a POST body is one message, answered by JSON or an SSE stream for a request and by 202 without body for a notification or response; GET opens an SSE stream or answers 405.',
    'mcp (HTTP), mcp base',
  ),
  must(
    'MCP-07',
    'An `Origin` header on an HTTP request is checked against an allow list and a foreign one is refused with 403 (a request without the header is not from a browser and passes); a local server listens on 127.0.0.1 unless told otherwise, and an address other than loopback is refused at start without authentication.',
    'mcp (HTTP), choice (403, absent)',
  ),
  must(
    'MCP-08',
    'After initialization HTTP requests carry `MCP-Protocol-Version`; an unsupported value gets 400, and an absent one is read as the negotiated version or else 2025-03-26.',
    'mcp (HTTP), mcp base',
  ),
  must(
    'MCP-09',
    'A session id issued in `Mcp-Session-Id` is cryptographically random visible ASCII (at least 128 bits) and bound to the authenticated principal; later requests without it get 400, requests with an ended one 404, and DELETE ends it (or answers 405).',
    'mcp (session security), mcp base',
  ),
  must(
    'MCP-10',
    'With authorization on (HTTP only) the server is an OAuth 2.1 resource server: it publishes RFC 9728 metadata, answers 401 with `WWW-Authenticate`, accepts only `Authorization: Bearer` and never a token in the query string.',
    'mcp (authorization)',
    { status: 'later', reason: 'authorization' },
  ),
  must(
    'MCP-11',
    "Every request's token is validated for audience, signature and expiry; tokens issued for another resource are refused and the client's token is never forwarded to the wrapped API.",
    'mcp (authorization, token security)',
    { status: 'later', reason: 'authorization' },
  ),
  should(
    'MCP-12',
    '`notifications/cancelled` aborts the handler through an abort signal and suppresses the response; unknown or finished request ids are ignored, and `initialize` cannot be cancelled.',
    'mcp (cancellation), mcp base',
  ),
  must(
    'MCP-13',
    'If logging is declared, `logging/setLevel` sets the threshold among the eight syslog levels `debug` to `emergency` (another value gives -32602) and `notifications/message` respects it and holds no secrets.',
    'mcp (logging), mcp base',
  ),
  must(
    'MCP-14',
    '`tools/list` returns `tools`, each with `name`, `description`, `inputSchema` and `annotations`, and should have `title`; paging cursors are opaque.',
    'mcp (tools)',
  ),
  must(
    'MCP-15',
    '`tools/call` on an unregistered tool is the JSON-RPC error -32602, whereas an unknown MCP-AQL operation is a tool result.',
    'mcp base, integ 4.2',
  ),
  should(
    'MCP-16',
    'When the tool set changes at run time (mode switch, adapter reload) `notifications/tools/list_changed` is sent, and only if `tools.listChanged` was declared.',
    'mcp (tools)',
  ),
  must(
    'MCP-17',
    'If elicitation is used for confirmations, the schema is a flat object of primitives, secrets are never requested, and the actions `accept`, `decline` and `cancel` are told apart (a `reject` is read as `decline`).',
    'mcp (elicitation), mcp base',
  ),
  must(
    'MCP-18',
    'Names in `_meta` whose prefix starts with `modelcontextprotocol` or `mcp` are left to MCP.',
    'mcp (meta fields)',
  ),
  may(
    'MCP-19',
    'Resources, prompts, completions, roots or sampling are offered only if their capability is declared, and then with the list and result shapes MCP prescribes.',
    'mcp (server and client features)',
  ),
  must(
    'MCP-20',
    'MCP-02, -03, -08, -09, -13 and the GET stream of -06 bind in the handshake era (revisions to 2025-11-25); on revision 2026-07-28 the rows MCP-21 to MCP-25 bind in their place, and the same operation gives the same MCP-AQL result in both eras.',
    'choice',
  ),
  must(
    'MCP-21',
    '`server/discover` names the supported versions, capabilities and instructions; each request carries version, client information and capabilities in its `_meta`, and one without them is refused as the revision prescribes.',
    'mcp base 2026-07-28',
  ),
  must(
    'MCP-22',
    "Over HTTP the headers `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` must agree with the body; a disagreement is refused with the revision's code.",
    'mcp base 2026-07-28',
  ),
  must(
    'MCP-23',
    "Results carry the revision's `resultType`; a question to the user is an `input_required` result whose continuation is single-use and bound to the principal and the call.",
    'mcp base 2026-07-28',
  ),
  should(
    'MCP-24',
    '`tools/list` and `server/discover` carry cache hints (`ttlMs`, `cacheScope`); changes are announced only to `subscriptions/listen`.',
    'mcp base 2026-07-28',
  ),
  must(
    'MCP-25',
    'A call that needs session state takes the server-minted handle in `_session` beside `operation`; without one the server mints it and returns it as `error.details.session_id` or `_protocol.session_id`; it is bound to the principal and is a name, not a capability; executions started without a handle get a minted one in their answer and do not end with the request.',
    'choice',
  ),
]
