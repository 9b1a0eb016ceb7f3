import { record } from "../ports/store.js";
export const ATTEMPTS = { most: 10, windowMs: 60_000, longestMs: 3_600_000 };
export function attemptsRef(subject) {
    return record('attempts', subject);
}
/** Asked before the code is compared. OOB-13: each new violation lasts twice as long as the one before, up to an hour. */
export function admitAttempt(attempts = NONE, now) {
    const { lastAt, windowMs, violated } = attempts;
    const failures = attempts.failures.filter((at) => at > now - windowMs);
    if (failures.length >= ATTEMPTS.most) {
        const [oldest = now] = failures;
        const retryAfterSeconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000));
        return { kind: 'limited', next: { ...attempts, failures, violated: true }, retryAfterSeconds };
    }
    if (lastAt <= now - ATTEMPTS.longestMs)
        return { kind: 'admitted', next: NONE };
    if (!violated)
        return { kind: 'admitted', next: { ...attempts, failures } };
    const wider = Math.min(2 * windowMs, ATTEMPTS.longestMs);
    return { kind: 'admitted', next: { failures: [], lastAt, windowMs: wider, violated: false } };
}
export function withFailure({ failures, windowMs, violated }, now) {
    return { failures: [...failures, now].slice(-ATTEMPTS.most), lastAt: now, windowMs, violated };
}
const NONE = { failures: [], lastAt: 0, windowMs: ATTEMPTS.windowMs, violated: false };
