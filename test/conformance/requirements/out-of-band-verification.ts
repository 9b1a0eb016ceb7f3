import { may, must, type Requirement, should } from './row.ts'

/** Codes that a human reads elsewhere. */
export const OOB: readonly Requirement[] = [
  must(
    'OOB-01',
    'A challenge is created for the tiers `verify` (61-85) and `danger_zone` (86-100) and for each `deny` match, and the agent cannot proceed with that action before it succeeds.',
    'spec 8.8, 8.8.1',
  ),
  must(
    'OOB-02',
    'The code holds at least 128 bits from the platform CSPRNG, independent of time, counters and identifiers, shown as 26 or more base32 characters in groups; short numeric codes are not offered even as an option.',
    'spec 8.8.2, 8.8.4; R-02',
  ),
  should('OOB-03', 'The challenge ID is a fresh UUID v4 without any relation to the code.', 'spec 8.8.2, 8.8.4'),
  must(
    'OOB-04',
    'The code appears in no MCP answer, tool result, resource, `_meta`, notification, error, elicitation, progress message, standard output or error stream, log, crash dump or diagnostic file, and is kept only as a salted hash compared in constant time; it is made at the moment it is shown, by the node that shows it.',
    'spec 8.8.2, 8.8.4',
  ),
  must(
    'OOB-05',
    'Display goes through a channel interface that reports delivered or failed, with at least OS dialog (macOS, Linux, Windows) and web console; the code is passed to the dialog process by pipe, never as command-line argument, environment variable or temporary file.',
    'spec 8.8.2, 8.8.6; R-03',
  ),
  must(
    'OOB-06',
    'If no channel is configured or all report failure, the challenge fails closed: the agent stays paused or blocked, the challenge is marked undeliverable and cannot be verified, and `reason` plus notification (with the challenge ID) state plainly that no display channel is available and what the operator can do.',
    'R-03',
  ),
  must(
    'OOB-07',
    'The agent receives only the challenge ID, a readable prompt and the expiry; the human display shows agent, full sanitised hint, tier, score, factors and expiry next to the code.',
    'spec 8.8.2',
  ),
  must(
    'OOB-08',
    'The directive that triggers a challenge already contains its ID, in `autonomy_pause` for `verify` and in `danger_zone` for `danger_zone` tier and `deny` matches.',
    'spec 8.8.2',
  ),
  must(
    'OOB-09',
    "`verify_challenge` accepts the code from any MCP session, the agent's own included, because only a human could have read it elsewhere; it needs no other approval and is bound to one challenge and one agent key.",
    'spec 8.8.2; R-04',
  ),
  must(
    'OOB-10',
    'One wrong code invalidates the challenge, a right code consumes it, and any second submission fails; wrong, unknown, used and expired all give `PERMISSION_VERIFICATION_FAILED` without saying which part was wrong.',
    'spec 8.8.2; R-26',
  ),
  should(
    'OOB-11',
    'A challenge expires after a configurable time, default 300 s, without clock tolerance; an expired challenge MUST count as failed even if the code is right.',
    'spec 8.8.2; R-20',
  ),
  should(
    'OOB-12',
    'More than 10 failed attempts per agent within 60 s are refused with `RATE_LIMIT_EXCEEDED` and `retry_after_seconds` before the code is compared; attempts with unknown IDs count for the calling session, and the counters survive a restart.',
    'spec 8.8.5',
  ),
  may('OOB-13', 'Repeated limit violations double the window (cap 1 hour).', 'spec 8.8.5'),
  must(
    'OOB-14',
    'At most one challenge per agent is pending; when it failed or expired, the next refused call of a blocked agent or the next report of the same action creates a new one, at most 5 per agent in 10 minutes.',
    'spec 8.8.3; R-35',
  ),
  must(
    'OOB-15',
    'Success lifts the pause or block, clears the notifications and grants the one action of AUTO-17, nothing else.',
    'spec 8.8.2; R-29',
  ),
]
