import { fieldsOf } from "./block-fields.js";
import { readApiLimits } from "./read-api-limits.js";
import { readCost } from "./read-cost.js";
import { readQuotas } from "./read-quotas.js";
/** RATE-01: an adapter's `rate_limits` block. What cannot be enforced is refused, not ignored. */
export function readRateLimits(block, options = {}) {
    const { path = 'rate_limits', measuresTokens = false } = options;
    const errors = [];
    const fields = fieldsOf(block, path, [...LONG_FORM, ...SHORT_KEYS], errors);
    if (!fields)
        return { errors };
    const shortKeys = SHORT_KEYS.filter((key) => fields[key] !== undefined);
    if (shortKeys.length > 0 && fields.api_limits !== undefined) {
        errors.push(`${path} has both ${shortKeys[0]} and api_limits: write all limits in api_limits.`);
    }
    const cost = readCost(fields.cost, `${path}.cost`, measuresTokens, errors);
    const apiLimits = readApiLimits(fields.api_limits, `${path}.api_limits`, errors);
    const { quotas, persistence } = readQuotas(fields.quotas, `${path}.quotas`, { cost, measuresTokens }, errors);
    const short = shortKeys.flatMap((key) => shortLimit(fields[key], key, path, errors));
    if (errors.length > 0)
        return { errors };
    return Object.freeze({ apiLimits: [...apiLimits, ...short], quotas, persistence, ...(cost && { cost }) });
}
const LONG_FORM = ['api_limits', 'quotas', 'cost'];
/** A burst is what may come at once; with fixed windows, that is what may come in one second. */
const SHORT_FORM = {
    requests_per_minute: 'minute',
    requests_per_hour: 'hour',
    requests_per_day: 'day',
    burst_limit: 'second',
};
const SHORT_KEYS = Object.keys(SHORT_FORM);
function shortLimit(value, key, path, errors) {
    const window = SHORT_FORM[key];
    if (Number.isSafeInteger(value) && value >= 1)
        return [{ key: `global:${window}`, scope: 'global', limit: value, window }];
    errors.push(`${path}.${key} must be a whole number from 1.`);
    return [];
}
