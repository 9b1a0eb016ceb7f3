import { isCount, soundTokens } from "./cost.js";
import { counterAt, isBroken, withCounters } from "./counters.js";
import { amountsOf, raised } from "./reserve.js";
/**
 * RATE-03, RATE-09: puts the actual usage in place of the reserved one. In any order, as sums do not mind. When the
 * window has ended meanwhile, what exceeds the reservation counts in the present one, and nothing is given back.
 * Returns the given counters themselves when nothing changes, so that the caller can spare a commit.
 */
export function settle(counters, reservation, usage, now) {
    const { held } = reservation;
    if (!held || isBroken(counters))
        return counters;
    const requests = isCount(usage.requests) ? usage.requests : 1;
    const tokens = soundTokens(usage.tokens) ?? (requests === 0 ? undefined : held.tokens);
    const actual = amountsOf(held.limits, held.call, requests, tokens);
    const changed = [];
    for (const { counted, unit, amount, from } of held.slots) {
        const difference = actual[unit] - amount;
        if (difference === 0)
            continue;
        const counter = counterAt(counters, counted, now);
        if (difference > 0 || counter.from === from)
            changed.push({ key: counted.key, counter: raised(counter, difference) });
    }
    return changed.length === 0 ? counters : withCounters(counters, changed, now);
}
