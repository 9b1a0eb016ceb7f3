export const LOOP_LIMITS = { challengeMs: 300_000, pauseMs: 3_600_000, grantMs: 300_000, showMs: 3_000 };
/** OOB-14. */
export const ISSUE_LIMIT = { most: 5, windowMs: 600_000 };
