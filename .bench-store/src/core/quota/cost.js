import { matchesEndpoint } from "./endpoint-pattern.js";
import { fromMicros, picosToMicros } from "./money.js";
/** RATE-16: what one request will cost as far as is known before it is sent; nothing where costs are not declared. */
export function estimateCost(limits, call) {
    if (!limits.cost)
        return undefined;
    return { amount: fromMicros(costOf(limits, call, 1, soundTokens(call.tokens))), currency: limits.cost.currency };
}
/** In millionths, rounded up. The first row that matches prices the call, for the rows are sorted. */
export function costOf({ cost }, call, requests, tokens) {
    const price = cost?.pricing.find(({ endpoint }) => matchesEndpoint(endpoint, call));
    if (!price)
        return 0;
    const forCalls = price.perCall * requests;
    if (!price.perToken || !tokens)
        return forCalls;
    const picos = price.perToken.input * BigInt(tokens.input) + price.perToken.output * BigInt(tokens.output);
    return forCalls + picosToMicros(picos);
}
/** Usage comes from outside: a negative or broken number must not lower a counter. */
export function soundTokens(tokens) {
    return tokens && isCount(tokens.input) && isCount(tokens.output) ? tokens : undefined;
}
export function isCount(value) {
    return Number.isSafeInteger(value) && value >= 0;
}
