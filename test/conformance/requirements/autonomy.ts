import { must, type Requirement, should } from './row.ts'

/** The evaluation of a reported step. */
export const AUTO: readonly Requirement[] = [
  must(
    'AUTO-01',
    'A directive always has `continue` (boolean) and `factors` (array with at least one readable string) and may have `stopped`, `reason`, `stepsRemaining`, `nextStepRisk` (`advisory`, `confirm`, `verify`, `danger_zone`) and `notifications`; `stopped: true` implies `continue: false`.',
    'spec 8.7.1',
  ),
  must(
    'AUTO-02',
    'The stages are step limit, previous outcome, action patterns, safety tier, risk tolerance, in this order; all are evaluated and listed in `factors`, the most severe outcome wins (stop before pause before continue) and among equals the earliest stage gives the `reason`, so that a failed previous step or an exhausted limit never hides a `deny` or `danger_zone` stop.',
    'spec 8.7.2, 8.7.5, 8.8.1 (up: SHOULD, first stage ends the evaluation)',
  ),
  must(
    'AUTO-03',
    'Stage 1 counts each evaluated report and, when the count is greater than `maxAutonomousSteps`, returns `continue: false` with `reason` "Step limit exceeded"; with limit 10 the eleventh report pauses, and `stepsRemaining` is the limit minus the count, never below 0.',
    'spec 8.7.2 stage 1; R-30 (up: SHOULD)',
  ),
  must(
    'AUTO-04',
    '`maxAutonomousSteps` is configurable (non-negative integer, default 10, 0 pauses every step, no value means unlimited) and its default is visible in introspection; only a human approval of the pause resets the count.',
    'spec 8.7.2, 8.7.5; R-30',
  ),
  should(
    'AUTO-05',
    "Stage 2 returns `continue: false` when this call's `outcome` is `failure`, passes for `success` and `skipped`, and is skipped when `outcome` is omitted; an earlier failure pause is not lifted by reporting again without `outcome`.",
    'spec 8.7.2 stage 2; R-29',
  ),
  must(
    'AUTO-06',
    'Stage 3 tests all three lists and applies `deny` before `requiresApproval` before `autoApprove`, independent of list order and pattern length; no match continues with stage 4.',
    'spec 8.7.2 stage 3 (up: SHOULD)',
  ),
  must(
    'AUTO-07',
    'A `deny` match gives `continue: false`, `stopped: true`, `nextStepRisk: "danger_zone"`, a verification challenge and a hard block.',
    'spec 8.7.2, 8.8.1',
  ),
  must(
    'AUTO-08',
    'A `requiresApproval` match gives `continue: false` with an approval request; an `autoApprove` match gives `continue: true` and skips stages 4 and 5, unless the score is above 60 and the pattern has a wildcard (R-28).',
    'spec 8.7.2 stage 3 (up: SHOULD)',
  ),
  must(
    'AUTO-09',
    'Patterns use `*` and `?` on the NFKC-normalised, case-folded hint; `deny` and `requiresApproval` match at the start of the hint and at the start of every word or command inside it, and need not reach its end, so `rm -rf*` catches "executing shell command: rm -rf /"; `autoApprove` holds only if every action in the hint matches by its own name (R-28).',
    'spec 8.7.2; R-28',
  ),
  must(
    'AUTO-10',
    '`autoApprove` is not applied to a hint with command separators or substitutions (`;`, `&&`, `||`, pipe, backtick, `$(`, newline), which falls through to stage 4.',
    'R-28',
  ),
  must(
    'AUTO-11',
    'Stage 4 maps the score, rounded up to an integer, to `advisory` 0-30 (continue), `confirm` 31-60 (pause for `confirm_operation`), `verify` 61-85 (pause and challenge) and `danger_zone` 86-100 (hard stop and challenge), and reports the tier in `nextStepRisk`.',
    'spec 8.7.2 stage 4 (up: MAY)',
  ),
  must(
    'AUTO-12',
    'The `verify` tier gives `continue: false` without `stopped: true`; the `danger_zone` tier gives `continue: false` with `stopped: true`.',
    'spec 8.7.2, 8.8.1',
  ),
  must(
    'AUTO-13',
    'The server scores every hint itself; an omitted `riskScore` is never zero, a supplied one (number 0-100, else `VALIDATION_INVALID_TYPE`) only raises the result to the maximum of both, and a hint in which no known action or target is recognised scores at least 31.',
    'spec 8.7.2 stage 4; R-07',
  ),
  must(
    'AUTO-14',
    'Stage 5 pauses when the score is strictly greater than the tolerance threshold: `conservative` 25, `moderate` 50 (default), `aggressive` 75; it only adds pauses and never cancels a pause or stop of stage 4.',
    'spec 8.7.2 stage 5; R-30 (up: MAY)',
  ),
  should(
    'AUTO-15',
    '`maxAutonomousSteps`, `riskTolerance`, `deny`, `requiresApproval` and `autoApprove` are configurable per adapter and per agent, agent values may only tighten adapter values, and `_protocol.safety` shows defaults and supported options.',
    'spec 8.7.4',
  ),
  must(
    'AUTO-16',
    'While a pause or `verify` challenge of the agent is undecided, each report returns `continue: false` with the pending approval or challenge ID in `reason`, does not increase the count, and evaluates stages 3 and 4 only for a stop, which applies at once.',
    'spec 8.6.4, 8.8.3; R-29 (up: SHOULD)',
  ),
  must(
    'AUTO-17',
    'A human approval or successful verification grants one execution of exactly that action (same agent key, session and hint hash) for 5 minutes; the next identical report consumes it and continues, any other hint is evaluated from stage 1.',
    'spec 8.8.2; R-08, R-29',
  ),
  must(
    'AUTO-18',
    'An approval of a step-limit or failure pause resumes the execution but authorises no action: the hint must be reported again and still passes stages 3 to 5.',
    'spec 8.7.2; R-29',
  ),
  must(
    'AUTO-19',
    'An error inside the evaluator yields `continue: false` with a reason, and equal input, configuration and state yield an equal directive.',
    'R-31',
  ),
]
