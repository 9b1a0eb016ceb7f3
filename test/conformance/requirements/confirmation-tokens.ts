import { may, must, type Requirement, should } from './row.ts'

/** Confirmation tokens. */
export const TOK: readonly Requirement[] = [
  must(
    'TOK-01',
    'A token is `conf_` (operation) or `quota_continue_` (quota) followed by 1-64 characters of `A-Z a-z 0-9 _ -`, 8-80 characters in total, case-sensitive; anything else is answered `TOKEN_INVALID` without a lookup.',
    'tokens 2.1, 2.2',
  ),
  must(
    'TOK-02',
    'The identifier holds at least 128 bits, by default 256 bits (32 bytes as 64 hex characters) from the platform CSPRNG; UUID v4 (122 bits), `Math.random`, counters and timestamps are not used.',
    'tokens 3.1, 7.1; R-02',
  ),
  must(
    'TOK-03',
    'Each token record kept on the server holds `id`, `type` (`confirmation` or `quota_continue`), `operation`, `params_hash`, `adapter_name`, `session_id`, `issued_at`, `expires_at`, `consumed`, approval state, and `context` {`danger_level`, `quota_metric`, `reasons`}; the string given to the client is only a lookup key and self-contained signed tokens are not offered.',
    'tokens 2.3, 6.2 (up: SHOULD)',
  ),
  must(
    'TOK-04',
    'An approval binds to operation, adapter, session and all resolved parameters (not a chosen subset): `params_hash` is SHA-256 over canonical JSON (RFC 8785, defaults applied) without the named protocol fields at the top level (`confirmation_token` unless the operation declares it, `_confirmation`, `_quota_continue`, `_meta`, `_request_id`, `_session`, `_wait_seconds`) and with everything else, nested underscore keys included, compared in constant time.',
    'tokens 3.2, 4.3; R-08',
  ),
  must(
    'TOK-05',
    'Issuing answers `success: false`, code `CONFIRMATION_REQUIRED`, message "This operation requires confirmation", details `operation`, `danger_level`, `reasons`, `confirmation_message`, `confirmation_token`, `expires_at`, plus, outside batch entries, the top-level `confirmation` object {`token`, `expires_at`, `message`, `reasons`} with the same values.',
    'tokens 3.3; errors 5.4; schema:result; R-13',
  ),
  must(
    'TOK-06',
    'The client redeems by repeating the identical request with `params.confirmation_token` (the documented name) or `params._confirmation` (the only name if the operation itself declares a parameter `confirmation_token`); the field is removed before hashing and before the handler sees the parameters.',
    'ops 7.5.3; gate 4.2; danger 4.3; R-13',
  ),
  must(
    'TOK-07',
    'Possession is not consent: redeeming a token that no human channel has approved answers `CONFIRMATION_REQUIRED` again with the same token and expiry, and executes nothing.',
    'spec 8.7.3; R-01',
  ),
  must(
    'TOK-08',
    'Validation checks in this order and reports the first failure: syntax, existence and session (`TOKEN_INVALID`), operation, parameters, adapter (`TOKEN_SCOPE_MISMATCH`), expiry (`TOKEN_EXPIRED`), consumption (`TOKEN_ALREADY_USED`), then approval and cooldown.',
    'tokens 4.1, 4.3; R-19',
  ),
  must(
    'TOK-09',
    'A token of another session, a revoked token and an unknown token give byte-identical `TOKEN_INVALID` answers apart from the echoed token, and no failure reveals parameter values, hashes or internal details.',
    'tokens 6.3; R-19',
  ),
  must(
    'TOK-10',
    'Failure details are: `TOKEN_INVALID` {`token`}; `TOKEN_EXPIRED` {`token`, `expired_at`, `current_time`}; `TOKEN_ALREADY_USED` {`token`, `consumed_at`}; `TOKEN_SCOPE_MISMATCH` {`token`, `token_operation`, `requested_operation`}.',
    'tokens 4.2; errors 5.9-5.12',
  ),
  must(
    'TOK-11',
    'Lifetimes (default/maximum): level 2-3 and policy confirmations 300/900 s, level 4 120/300 s, quota 300/600 s; a configured value above the maximum stops the start, approval never extends `expires_at`, and a record without expiry is invalid.',
    'tokens 5.1',
  ),
  may(
    'TOK-12',
    '`clock_skew_tolerance_seconds` (default 30, range 0-300, warning above 60) is added to `expires_at`; a configured 0 really means 0, and level 4 tokens and verification challenges get no tolerance.',
    'tokens 5.1; R-20',
  ),
  must(
    'TOK-13',
    'Redemption sets `consumed` and `consumed_at` atomically before the handler starts, so of two parallel redemptions one gets `TOKEN_ALREADY_USED`, and a failing handler does not give the token back.',
    'tokens 5.2, 6.1',
  ),
  may(
    'TOK-14',
    'Session-scoped tokens carry `session_id`, `max_uses` (default 1) and `use_count`, work only for the identical operation and parameters, respect expiry, die with the session and are never issued for level 3 or 4.',
    'tokens 5.2, 5.4; gate 4.3',
  ),
  must(
    'TOK-15',
    'Tokens are revoked automatically at session end, logout, reload or configuration change of the adapter, and on a security event (hard block of the agent, exceeded verification limit).',
    'tokens 5.3; spec 2.3.3 (up: MAY, MUST at session end)',
  ),
  should(
    'TOK-16',
    'Manual revocation is the DELETE operation `revoke_token` with parameter `token`, declared `reversible` and usable only for tokens of the own session; `introspect` with query `revoke_token` is answered as an unknown query and changes nothing.',
    'tokens 5.3; R-05',
  ),
  should(
    'TOK-17',
    'Expired records disappear within 1 hour, at least 1000 active tokens per adapter are held, and a full store refuses to issue (operation stays refused) instead of evicting a live token.',
    'tokens 5.5; R-33',
  ),
  should(
    'TOK-18',
    'Token traffic is limited per session: a repeated identical gated request returns the pending token instead of a new one, at most 30 issues per 60 s and at most 10 failed validations per 60 s, beyond which `RATE_LIMIT_EXCEEDED` with `retry_after_seconds` is returned.',
    'tokens 6.5; R-33',
  ),
  must(
    'TOK-19',
    'In a batch each gated operation gets its own token bound to its own parameters, and an approval of one never covers another.',
    'tokens 5.2; R-08',
  ),
  may(
    'TOK-20',
    'A READ query tells a session the state and expiry of its own tokens, reveals nothing else and changes nothing.',
    'tokens 7.3; R-05',
    {
      status: 'waived',
      reason:
        'a MAY: the state and expiry of a token are in the answer to the same call repeated with it, which changes nothing until a human has approved; another query would cost every agent tokens in the tool list',
    },
  ),
]
