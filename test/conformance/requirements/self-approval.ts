import { must, type Requirement } from './row.ts'

/** Nobody approves what they caused. */
export const SELF: readonly Requirement[] = [
  must(
    'SELF-01',
    'Whoever approves an operation, pause or quota continuation is never the agent that caused it: a decision sent by the same agent session is refused with `PERMISSION_SELF_APPROVAL_DENIED`, audited, and changes no state.',
    'spec 8.7.3; loop 9.1; R-01',
  ),
  must(
    'SELF-02',
    "Exactly four channels count as approval: MCP elicitation answered by the user, the web console, the command line on the operator's terminal, and a different principal authenticated by the transport.",
    'R-01',
  ),
  must(
    'SELF-03',
    'Echoing a `_confirmation` or `_quota_continue` value is redemption and never approval (TOK-07).',
    'R-01',
  ),
  must(
    'SELF-04',
    '`_meta`, client name, headers, `element_name` and any text claiming a human or an administrator never establish identity, and a second session of the same principal counts as the same agent.',
    'spec 2.3.5; R-01',
  ),
  must(
    'SELF-05',
    'Elicitation counts only if the client declared the capability, the server itself opened the request, and the answer is `accept` with the explicit boolean confirmation true; `decline`, `cancel`, timeout, error or a missing field are no approval.',
    'R-01',
  ),
  must(
    'SELF-06',
    'Elicitation shows operation, parameters, danger level, reasons and expiry, is never used to show or collect a verification code, and can be switched off by the operator as approval channel.',
    'spec 8.8.4; R-01',
  ),
  must(
    'SELF-07',
    "The approving command line needs an interactive terminal and an operator secret typed there; it refuses piped input and secrets from arguments, environment or files, so that an agent cannot approve by merely running it; the documentation says plainly that an agent with a shell on the operator's own account is outside the promise and how to separate the accounts.",
    'R-01',
  ),
  must(
    'SELF-08',
    "The web console listens on loopback unless configured otherwise, has its own login and anti-forgery protection, shares no credential or route with the MCP endpoint, and its secret appears in no log, stream or tool result; `serve` prints no log-in link, only `mcpaql console` on the operator's terminal does, once, short-lived.",
    'spec 8.8.4; R-01',
  ),
  must(
    'SELF-09',
    'Over stdio no second principal exists, so that channel is unavailable there; over HTTP the approving subject must differ from the triggering subject.',
    'R-01',
  ),
  must(
    'SELF-10',
    'Without any usable channel the operation stays refused and the error names the missing channels; there is no fallback in which asking twice, waiting or a flag in the request is enough.',
    'R-01, R-03',
  ),
  must(
    'SELF-11',
    'Each approval record stores channel, approver identity, time, operation, parameter or hint hash, session and decision; a human denial revokes the token, and the same request is then refused with `PERMISSION_DENIED` for the rest of the session or execution.',
    'R-08',
  ),
  must(
    'SELF-12',
    'A channel that cannot show every bound value in full cannot approve: the request stays pending and names the console.',
    'choice',
  ),
  must(
    'SELF-13',
    'Human attention is a resource: at most 5 open and 10 new prompts per connection, and four times that per principal, within 10 minutes reach a human (configurable; the operator can show or deny what is held back), further requests wait silently; after 3 denials of one operation it is refused for the rest of the session; there is no "approve all" and no default button.',
    'choice',
  ),
  must(
    'SELF-14',
    "Approval classes: C1 (policy confirmation, level 2, quota continuation, `execute_agent`, tier `confirm`) by any channel of SELF-02; C2 (level 3, what a form cannot show in full, sources with drift) not by elicitation unless the operator allows it; C3 (level 4, `requires_reauth`, admin override, trust and policy changes) only by console or terminal with the admin role after authenticating again; flags and files read at start are the operator's act, a reload that tightens applies at once, one that loosens waits for C3.",
    'choice',
  ),
]
