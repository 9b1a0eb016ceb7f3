import { must, type Requirement, should } from './row.ts'

/** Progress. */
export const PROG: readonly Requirement[] = [
  should(
    'PROG-01',
    'An EXECUTE operation that runs longer than about a second, has measurable stages and was sent a progress token emits `notifications/progress`; other categories may do so for bulk work.',
    'integ 5.1, 5.5',
  ),
  must(
    'PROG-02',
    "The token is taken from the JSON-RPC request's `params._meta.progressToken`; a `_meta.progressToken` inside the tool arguments is accepted as a fallback.",
    'mcp (progress), integ 5.2, choice',
  ),
  must(
    'PROG-03',
    'Each notification has `progressToken`, `progress` and optionally `total` and `message`; `progress` strictly increases, and nothing is sent without a token or after the response.',
    'integ 5.3, mcp (progress)',
  ),
  should(
    'PROG-04',
    'On a 100 scale a lifecycle maps to: pending 0, initialising 0-10, running 10 plus 80 times the completed share, completing 90-100, completed 100.',
    'integ 5.4',
  ),
]
