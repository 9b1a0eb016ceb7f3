import { may, must, type Requirement, should } from './row.ts'

/** The four layers of the gate and its policies. */
export const GATE: readonly Requirement[] = [
  must(
    'GATE-01',
    'Each operation request runs through exactly four layers in this order, route validation, safety tier, operation policy, confirmation, and the handler is invoked only after the fourth has passed.',
    'gate 2.1',
  ),
  must(
    'GATE-02',
    'Layer 1 refuses an unregistered operation (`NOT_FOUND_OPERATION`), an operation sent to the wrong semantic endpoint (message names the operation, the tool it belongs to and the tool that was used) and a request lacking a required parameter (`VALIDATION_MISSING_PARAM`) before any policy is consulted or any token is looked up, issued or consumed.',
    'gate 2.2, 6.1',
  ),
  must(
    'GATE-03',
    'Layer 2 assigns the flags readOnly/destructive per category as CREATE false/false, READ true/false, UPDATE false/true, DELETE false/true, EXECUTE false/true, and introspection reports the same pair in `permissions`.',
    'gate 2.3; schema:introspection',
  ),
  must(
    'GATE-04',
    'The category used for every decision is the one registered for the operation, so the same request gets the same decision in semantic and in single endpoint mode and no parameter, header or `_meta` value can change it.',
    'gate 1.3, 6.1',
  ),
  must(
    'GATE-05',
    'A policy record has `operation` (string, glob allowed), `permission` (exactly `allow`, `deny` or `confirm`) and optional `conditions` on parameter values (all conditions must hold); a record with any other key, permission value or malformed condition makes the whole policy file invalid.',
    'gate 2.4, 3.1; R-31',
  ),
  must(
    'GATE-06',
    'When several policy records match one request the strictest permission applies in the order `deny`, then `confirm`, then `allow`, irrespective of file order or pattern specificity.',
    'gate 3.2',
  ),
  must(
    'GATE-07',
    'The effective decision is the strictest of: agent block, policy record, trust x danger cell, danger-level minimum (DNG-13), `requires_confirmation`, and quota state; a missing policy record contributes nothing and is not an `allow`.',
    'gate 3.2; R-10, R-31',
  ),
  must(
    'GATE-08',
    'A `deny` result returns `success: false` with `PERMISSION_DENIED` (or the more specific `PERMISSION_DANGER_LEVEL_DENIED` / `PERMISSION_TRUST_LEVEL_INSUFFICIENT`), issues no token and never calls the handler; a `confirm` result returns `CONFIRMATION_REQUIRED` until an approval exists.',
    'gate 3.1, 6.1',
  ),
  must(
    'GATE-09',
    'Parameters are resolved once (`params` before top level, defaults applied) and this one frozen object is used for policy conditions, approval hashing, audit and the handler, so nothing can change between check and execution.',
    'gate 6.1; spec 4.2',
  ),
  must(
    'GATE-10',
    'All gatekeeper failures use the structured form `error: {code, message, details}`; the flat `error` string with a sibling `errorCode` is never produced.',
    'gate 4.1; schema:result; R-13',
  ),
  must(
    'GATE-11',
    'An exception while evaluating any layer, or an unreadable policy store, refuses the request with `INTERNAL_ERROR`; an invalid policy at start stops the start, and at reload the last valid policy stays in force.',
    'R-31',
  ),
  must(
    'GATE-12',
    'The permission levels `AUTO_APPROVE`, `CONFIRM_SESSION` and `CONFIRM_SINGLE_USE` mean allow, one approval per session and operation, and one approval per call; endpoint defaults for the safety operations are READ `AUTO_APPROVE`, CREATE `CONFIRM_SESSION`, EXECUTE `CONFIRM_SINGLE_USE`, while `confirm_operation`, `verify_challenge`, `complete_execution` and `abort_execution` are never gated by the server itself.',
    'loop 4.2, 4.3; R-24 (up: SHOULD)',
  ),
  must(
    'GATE-13',
    "Policies, trust records and safety modes can be changed only by configuration, the operator's command line or the web console; no operation reachable by an agent writes them.",
    'gate 6.3; R-01',
  ),
  should(
    'GATE-14',
    'Inside the safety loop layer 3 evaluates the hint with the same deny/confirm/allow meaning, and a resulting `CONFIRMATION_REQUIRED` appears as `continue: false` plus a `permission_pending` notification in the next directive.',
    'gate 7.1-7.3',
  ),
  may(
    'GATE-15',
    'Policies differ per caller, in which case the caller is the principal authenticated by the transport and nothing the client merely claims.',
    'gate 6.3; spec 2.3.5',
  ),
]
