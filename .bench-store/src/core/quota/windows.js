import { firstFiring } from "./schedule.js";
/** RATE-02 and RATE-08; a month has no fixed length. */
export const WINDOW_LENGTHS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** windows are fixed and in UTC. A schedule that paces the window moves its boundaries to its own firings. */
export function spanAt(window, now, schedule) {
    const fixed = fixedSpan(window, now);
    if (!schedule)
        return fixed;
    const firing = (from) => firstFiring(schedule, from) ?? from;
    const first = firing(fixed.from);
    if (first <= now)
        return { from: first, until: firing(fixed.until) };
    return { from: firing(fixedSpan(window, fixed.from - 1).from), until: first };
}
/** RATE-04, RATE-11, RATE-13: never 0, which would invite a caller to try again at once. */
export function secondsUntil(moment, now) {
    return Math.max(1, Math.ceil((moment - now) / 1_000));
}
export function isoTime(moment) {
    return new Date(moment).toISOString();
}
function fixedSpan(window, now) {
    if (window === 'month') {
        const date = new Date(now);
        const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
        return { from: Date.UTC(year, month), until: Date.UTC(year, month + 1) };
    }
    const length = WINDOW_LENGTHS[window];
    const from = Math.floor(now / length) * length;
    return { from, until: from + length };
}
