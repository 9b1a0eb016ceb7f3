import { type Requirement, ruling } from './row.ts'

/** Rulings on human control and adapters where the sources contradict one another or are silent. */
export const R: readonly Requirement[] = [
  ruling(
    'R-01',
    [
      'GATE-13',
      'TOK-07',
      'RATE-12',
      'LOOP-21',
      'SELF-01',
      'SELF-02',
      'SELF-03',
      'SELF-04',
      'SELF-05',
      'SELF-06',
      'SELF-07',
      'SELF-08',
      'SELF-09',
      'SELF-10',
    ],
    "Self-approval. Sources: The approving entity must differ from the triggering agent, yet `confirm_operation` is auto-approved and the token is handed to the very client that must be gated. Rule: An approval counts only when it comes through a human channel: MCP elicitation answered by the user, the web console, the command line on the operator's terminal, or a different authenticated principal. A call by the same agent session never counts, and possession of a token is not an approval. The command line and console do not give way to an agent that merely runs commands; full protection against a shell on the operator's own account needs a separate account and is documented as such.",
  ),
  ruling(
    'R-02',
    ['TOK-02', 'OOB-02'],
    'Entropy. Sources: Tokens and codes need 128 bits, but UUID v4 with 122 bits is called acceptable for tokens and examples are far shorter. Rule: Secrets (tokens, codes) have at least 128 bits, tokens 256 by default. UUID v4 is used only for identifiers that are not secret. No short codes for convenience.',
  ),
  ruling(
    'R-03',
    ['OOB-05', 'OOB-06', 'SELF-10'],
    'No display channel. Sources: The code must be shown where the AI cannot look; nothing says what happens on a server without any such place. Rule: The challenge fails closed and says so honestly in `reason` and notification. The standard error stream, the log and elicitation are not display channels.',
  ),
  ruling(
    'R-04',
    ['OOB-09', 'SELF-01'],
    'Code over MCP. Sources: The code must never travel in MCP answers, yet `verify_challenge` is an MCP operation. Rule: `verify_challenge` accepts the code over MCP only because a human had to read it elsewhere; code and challenge are single-use and bound to one agent, so a code seen afterwards is worthless. It is the one exception to SELF-01, and the proof is the code.',
  ),
  ruling(
    'R-05',
    ['TOK-16', 'TOK-20'],
    'State change by READ. Sources: Tokens are to be revoked through an introspection query, but READ operations change nothing. Rule: READ operations never change state. Revocation is the DELETE operation `revoke_token`; the introspection query `revoke_token` is not provided. The dongle has no DELETE endpoint, there the operator revokes.',
  ),
  ruling(
    'R-06',
    ['DNG-02'],
    'EXECUTE default. Sources: The document says `reversible`, the danger schema leaves EXECUTE open, layer 2 flags EXECUTE as destructive. Rule: Default danger `reversible` as the document says; the pattern rules may raise it. The layer 2 flags describe the endpoint and do not set the danger level.',
  ),
  ruling(
    'R-07',
    ['AUTO-13'],
    'Omitted risk score. Sources: Risk may be supplied by the model; nothing says what omission means. Rule: An omitted score is never treated as zero: the server scores the hint itself, and a score supplied by the agent can only raise it.',
  ),
  ruling(
    'R-08',
    ['TOK-04', 'TOK-19', 'AUTO-17', 'SELF-11'],
    'Binding of approvals. Sources: "Critical parameters" are left to the implementer, session binding is optional. Rule: Approvals bind to operation + canonical parameters (all of them) + session; for hints to agent key + hint hash + session.',
  ),
  ruling(
    'R-09',
    ['TRUST-18', 'TRUST-19'],
    'Two gating tables. Sources: The trust document wants `community_reviewed` for deletes and `certified` for dangerous operations; the matrix is one level milder. Rule: The matrix is canonical. The other table is available as tightening `trust_policy`. Matrix `deny` uses `PERMISSION_DANGER_LEVEL_DENIED`, trust minimum and `introspect_only` use `PERMISSION_TRUST_LEVEL_INSUFFICIENT`.',
  ),
  ruling(
    'R-10',
    ['GATE-07', 'DNG-13', 'DNG-14', 'TRUST-15', 'TRUST-16', 'TRUST-17'],
    '`allow` cells versus mandatory confirmation. Sources: The matrix allows destructive and dangerous operations for high trust; the MUST list demands confirmation from level 2; level 4 is "admin override" here and "confirm" there; level 1 speaks of standard confirmation. Rule: Strictest wins: `allow` means only that trust adds no gate; level 2 and above always need confirmation; level 4 needs an admin approver; level 1 is left to the client\'s ordinary tool approval.',
  ),
  ruling(
    'R-11',
    ['DNG-03'],
    'Unlabelled operations. Sources: "At least reversible" versus READ `safe` and a schema default of `reversible`. Rule: Known category decides; `reversible` is the floor only if nothing is known.',
  ),
  ruling(
    'R-12',
    ['DNG-09', 'DNG-10', 'DNG-11'],
    'Pattern anchoring. Sources: `force_delete_all` is said to match `delete_all*`, which a plain glob does not; safe patterns could whitewash a mutating operation. Rule: Word-initial patterns are also tested after each underscore; safe patterns only confirm genuine READ operations and shield them from remainder matches (`get_reset_token`). A READ operation mapped to another method than GET is at least `reversible` unless lowered under DNG-11.',
  ),
  ruling(
    'R-13',
    ['GATE-10', 'TOK-05', 'TOK-06'],
    "Shape of the confirmation answer. Sources: Flat error with `errorCode`, nested details, or top-level `confirmation`; parameter `_confirmation` or `confirmation_token`. Rule: Structured error with details plus the schema's `confirmation` object outside batch entries; `confirmation_token` is the documented parameter, `_confirmation` is accepted too.",
  ),
  ruling(
    'R-14',
    ['DNG-05', 'DNG-23'],
    'Three spellings of danger metadata. Sources: Block, flat fields and classification object; the adapter schema forbids the block. Rule: All accepted and normalised; higher level wins; sketches for the future are load errors. Our published schema is a superset, and an export in the narrow upstream form exists.',
  ),
  ruling(
    'R-15',
    ['DNG-11'],
    'Lowering by declaration. Sources: A declared level overrides patterns, so an untrusted file could call `drop_table` safe. Rule: Raising always works; lowering only from trust `validated` or by operator pin.',
  ),
  ruling(
    'R-16',
    ['DNG-20', 'TRUST-21'],
    'Where danger, trust and quota data fit in introspection. Sources: They must be exposed, but the normative response schema allows no additional members except in `_protocol`. Rule: Lists expose them under `_protocol`; details come through the documented extension queries `danger`, `adapter_info`, `quota_status`. The standard queries stay schema-conformant.',
  ),
  ruling(
    'R-17',
    ['TRUST-01', 'TRUST-02'],
    'Trust vocabularies. Sources: Three different enumerations (trust document, adapter schema, element type draft). Rule: The trust document rules; every other value loads as `untested` with a warning and is never mapped upwards.',
  ),
  ruling(
    'R-18',
    ['TRUST-03', 'TRUST-07', 'TRUST-09', 'TRUST-11'],
    'Self-declared trust. Sources: The trust block sits in the file it vouches for. Rule: Claim versus record: the effective level is the lower of both, tied to the content hash; certificates are verified with configured keys; agents cannot promote.',
  ),
  ruling(
    'R-19',
    ['TOK-08', 'TOK-09'],
    "Order and secrecy of token failures. Sources: Table order and sample code differ; different errors leak whether a token exists; mismatch details name the other operation. Rule: The order of TOK-08; foreign tokens look unknown, so the mismatch details can only concern the caller's own token. A failed validation does not consume the token but counts for the limit.",
  ),
  ruling(
    'R-20',
    ['TOK-12', 'OOB-11'],
    'Clock tolerance. Sources: Expired tokens never accepted, yet 30 s grace, configurable to 300; the sample turns 0 into 30. Rule: Tolerance as documented, explicit 0 respected, none for level 4 and challenges.',
  ),
  ruling(
    'R-21',
    ['RATE-01', 'RATE-05', 'RATE-06', 'RATE-07', 'RATE-08', 'RATE-15', 'RATE-16', 'RATE-17'],
    'Element schema versus companions. Sources: Short and long rate limit forms; `header` versus `header_name`; name, version and enum patterns differ; metadata keys forbidden by the schema; windows, header formats and several cost models undefined. Rule: Accept the union, normalise, apply the stricter name rule and full semantic versioning, allow enum values of the declared type, use fixed UTC windows, reject what cannot be enforced.',
  ),
  ruling(
    'R-22',
    ['RATE-09', 'RATE-12'],
    'Quota thresholds. Sources: "Above" and "at" are mixed and one example is inconsistent; scope of a continuation is open. Rule: Comparison with >= on completed usage; one approval lets one request pass.',
  ),
  ruling(
    'R-23',
    ['LOOP-03', 'SESS-03'],
    'Life cycle details. Sources: `failed` is terminal but may be retried; the diagram suggests failed-cancelled; no code for illegal transitions; session end leaves a choice. Rule: The transition list rules; `CONFLICT_INVALID_STATE`; the end of a session gives `cancelled`, also when the peer vanished; the death of the server process gives `failed`.',
  ),
  ruling(
    'R-24',
    ['GATE-12', 'LOOP-20', 'BLOCK-02'],
    'Stopping must stay possible. Sources: All execution operations of a blocked agent are refused, yet abort after a stop is the described ending; abort and complete are listed as needing approval each time. Rule: `abort_execution` always works and lifts nothing; the server asks approval only for `execute_agent`. Approval of `execute_agent` is the session approval for `record_execution_step`. UPDATE and DELETE, not listed upstream, default to `CONFIRM_SINGLE_USE` where these levels are used.',
  ),
  ruling(
    'R-25',
    ['LOOP-07', 'LOOP-18', 'BLOCK-02', 'BLOCK-06', 'BLOCK-10'],
    'Modes. Sources: A directive on every call versus none in `disabled`; clients may disable the loop. Rule: Directive in the first three modes, none in `disabled`. A client opts out by not starting an execution unless `safety_loop_scope: all` is set, which refuses non-READ calls outside a running execution and says how to start one; the mode itself belongs to the operator. A stop by the operator (block of a principal or agent, looks manipulated) holds in every mode, `disabled` included, and for READs too; blocks that the loop itself set stay stored while the mode is weaker and apply again afterwards.',
  ),
  ruling(
    'R-26',
    ['LOOP-08', 'LOOP-11', 'LOOP-14', 'LOOP-15', 'LOOP-19', 'LOOP-21', 'LOOP-22', 'NOTE-01', 'OOB-10'],
    'Missing parameter tables, result shapes and codes. Sources: Only `record_execution_step` is tabulated, in camelCase although parameters must be snake_case. Rule: The tables of LOOP-08 to LOOP-22; snake_case documented, the printed camelCase accepted as aliases. Documented extension codes: `PERMISSION_AGENT_BLOCKED`, `PERMISSION_SELF_APPROVAL_DENIED`, `PERMISSION_VERIFICATION_FAILED`, `CONFLICT_INVALID_STATE`.',
  ),
  ruling(
    'R-27',
    ['LOOP-10', 'BLOCK-01', 'BLOCK-03', 'BLOCK-04', 'BLOCK-05'],
    'Agent identity. Sources: Blocks apply to the agent, but its name is chosen by the client. Rule: Agent key = principal + normalised name; a session with an open block cannot start under another name; storage errors fail closed.',
  ),
  ruling(
    'R-28',
    ['LOOP-12', 'LOOP-24', 'AUTO-08', 'AUTO-09', 'AUTO-10', 'AUTO-13'],
    'Globs against prose. Sources: Patterns look like operation names, hints are sentences; an anchored glob misses them, and `read_*` would approve a chained command or any prose that begins so. Rule: Strict lists match inside the hint. The permissive list approves actions, not texts: every action in the hint (each parsed command after assignments and wrappers, each tool or operation named) must match by its own name; built-in patterns apply to operation and tool names alone; nothing above 60 is lifted by a pattern with a wildcard. Every part of a hint is scored whatever its first word is. Hints are never truncated.',
  ),
  ruling(
    'R-29',
    ['LOOP-16', 'AUTO-05', 'AUTO-16', 'AUTO-17', 'AUTO-18', 'OOB-15'],
    'What a pause and an approval cover. Sources: Not stated; omission of `outcome` or another hint would slip past a pause, and an unblocked agent would be blocked again by the same action. Rule: A pause holds until a human decides; an approval covers exactly one identical action for 5 minutes; approvals of step-limit or failure pauses cover none; a denial closes the pause and keeps that hint refused for the execution.',
  ),
  ruling(
    'R-30',
    ['AUTO-03', 'AUTO-04', 'AUTO-14'],
    'Step limit and tolerance. Sources: Default limit open; the tolerance thresholds 50 and 75 lie inside tiers that pause anyway. Rule: Default 10, "exceeds" is strictly greater. Literal stage order: tolerance only adds pauses, in practice `conservative` for scores 26-30.',
  ),
  ruling(
    'R-31',
    ['GATE-05', 'GATE-07', 'GATE-11', 'AUTO-19'],
    'Errors and missing policies. Sources: Not stated; `conditions` undefined. Rule: Fail closed. Conditions are {`param`, `op` (`eq`, `ne`, `in`, `matches`, `gt`, `lt`), `value`}; no matching policy leaves the decision to matrix and danger level.',
  ),
  ruling(
    'R-32',
    ['DNG-17', 'DNG-18', 'DNG-19'],
    'Cooldown, re-authentication, message templates. Sources: Fields exist without behaviour. Rule: DNG-17 to DNG-19.',
  ),
  ruling(
    'R-33',
    ['TOK-17', 'TOK-18'],
    'Token store limits. Sources: Capacity is a minimum; abuse limits have no numbers. Rule: Refuse instead of evicting; numbers of TOK-18, configurable downwards.',
  ),
  ruling(
    'R-34',
    ['NOTE-02', 'NOTE-03', 'NOTE-05', 'NOTE-08', 'NOTE-09'],
    'Notification details. Sources: `permission_pending` is cleared by the confirmation in one place and by the next step in another; a pattern pause is shown as `permission_pending` in an example but defined as `autonomy_pause`; `status` and `error` have no life cycle; broadcasts could leak. Rule: Cleared at confirmation, or when the token can no longer be redeemed; both types for `requiresApproval`; one-shot informational types; redacted broadcasts.',
  ),
  ruling(
    'R-35',
    ['OOB-14'],
    'New challenge after failure. Sources: A wrong code burns the challenge, the block remains, and no way to a new code is described; a dialog flood would tire the human. Rule: Re-issue on the next refused call, one pending per agent, 5 failed or expired ones per 10 minutes; verified ones do not count.',
  ),
  ruling(
    'R-36',
    ['BLOCK-07', 'BLOCK-08'],
    'Admin override. Sources: Named but undefined. Rule: BLOCK-07 and BLOCK-08; never an MCP operation.',
  ),
  ruling(
    'R-37',
    ['AUDIT-04', 'AUDIT-05', 'AUDIT-06', 'AUDIT-07', 'AUDIT-08', 'AUDIT-09'],
    'Three audit formats, token in the log. Sources: Different entry shapes, and the redeemable token is to be logged. Rule: One envelope with the union of fields; token references instead of tokens; durable before execution from level 2; not readable by agents.',
  ),
  ruling(
    'R-38',
    ['SESS-07'],
    'Session on HTTP. Sources: One connection per session does not fit request-per-connection transports. Rule: Session = server-issued session ID between `initialize` and termination; on the revision without `initialize` (2026-07-28) the process under stdio, and under HTTP a handle that the server mints for the authenticated principal (idle time-out, cap; a name, not a capability); where neither exists nothing that needs a confirmation runs.',
  ),
  ruling(
    'R-39',
    ['DONGLE-03'],
    'Policy file of the dongle. Sources: Only the flag and the three lists are shown. Rule: JSON with the keys of DONGLE-03, strict validation.',
  ),
  ruling(
    'R-40',
    [],
    'Runtime hardening. Sources: Parameter placement, retries, redirects, YAML features and variable access are unspecified. Rule: ELEM-05, ELEM-18, PLUG-04, PLUG-06, PLUG-07, PLUG-09, PLUG-11, PLUG-12.',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  ruling(
    'R-41',
    [],
    'Generator details. Sources: Type names in the example break the snake_case rule; licence files of upstream are demanded; hash, error types and several exit cases are open; names differ from element names. Rule: GEN-06, GEN-09, GEN-14, GEN-17 to GEN-20; other error types are `INTERNAL_ERROR`, `CONFIGURATION_ERROR`, `IO_ERROR`, `TEMPLATE_ERROR`; an element name is the generator name with hyphens for underscores.',
    { status: 'later', reason: 'adapter generator' },
  ),
  ruling(
    'R-42',
    [],
    'Bundle limits. Sources: Only one transport, string enums, hints of the source server are untrusted. Rule: Schema kept as it is; other transports are refused with a clear message; hints may raise, never lower; unresolved operations are not callable. A `maps_to` that is a proxy route instead of METHOD /path stays in the bundle but cannot be loaded by the `rest` plugin.',
    { status: 'later', reason: 'sources (adapters that wrap HTTP APIs)' },
  ),
  ruling(
    'R-43',
    [],
    'Trust of sources without an adapter file. Sources: The matrix refuses everything for `untested`; a document, server or database named by the operator carries no trust block. Rule: Naming a source in `serve` or the configuration records `generated` for its content hash once it has compiled; `--trust LEVEL`, `trust:` in the configuration or the console records another level, at most `validated`, for that hash, as an act of the operator, audited (higher ones only by TRUST-06 and -07; TRUST-05 and -09 bind promotion by evidence); own modules and the demo start at `validated`. A change of the source affects only the operations whose definition changed.',
  ),
  ruling(
    'R-44',
    [],
    'What the console may grant. Sources: Session approval is read as per operation in one place and per identical call in another; previews, codes and second persons are not mentioned. Rule: `CONFIRM_SESSION` (per operation) exists only for the runtime\'s own safety operations; a human\'s "for this session" covers the identical call (TOK-14). An operation may name the READ that previews its target (`preview_with`), from which the diff is drawn. A code is shown once to one person; whoever missed it waits for the next challenge. The setting `two_person` demands two different approvers for level 4.',
  ),
  ruling(
    'R-45',
    ['AUTO-02'],
    'Which stage decides. Sources: The specification lets the first stage that does not continue end the evaluation; then a step limit or a failed step would hide a `deny` or `danger_zone`. Rule: AUTO-02: all stages are evaluated, the most severe outcome wins (stop, then verify, then approval, then continue), the earliest among equals gives the reason.',
  ),
  ruling(
    'R-46',
    [],
    'Loop operations of a domain adapter with the loop `disabled`. Sources: Listing six operations that do nothing costs every agent tokens. Rule: They are listed only when the mode is not `disabled`.',
  ),
]
