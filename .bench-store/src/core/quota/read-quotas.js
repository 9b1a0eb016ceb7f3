import { choiceOf, fieldsOf, listOf, textOf } from "./block-fields.js";
import { toMicros } from "./money.js";
import { METRICS, PERSISTENCE } from "./rate-limits.js";
import { paces, parseSchedule } from "./schedule.js";
/** RATE-07. Quotas that are not enabled are checked all the same. */
export function readQuotas(value, path, measures, errors) {
    const fields = value === undefined ? undefined : fieldsOf(value, path, KEYS, errors);
    if (!fields)
        return { quotas: [], persistence: 'database' };
    if (typeof fields.enabled !== 'boolean')
        errors.push(`${path}.enabled must be true or false.`);
    if (fields.limits === undefined && fields.enabled === true)
        errors.push(`${path}.limits is missing: write a list of limits, or enabled: false.`);
    const schedule = readSchedule(fields.reset_schedule, `${path}.reset_schedule`, errors);
    const persistence = choiceOf(fields.persistence ?? 'database', `${path}.persistence`, PERSISTENCE, errors);
    const quotas = [];
    for (const [index, entry] of (listOf(fields.limits, `${path}.limits`, METRIC_NAMES.length, errors) ?? []).entries()) {
        const quota = readQuota(entry, `${path}.limits[${index}]`, measures, schedule, errors);
        if (quota && quotas.some(({ metric }) => metric === quota.metric))
            errors.push(`${path}.limits[${index}].metric repeats ${quota.metric}: keep one of them.`);
        if (quota)
            quotas.push(quota);
    }
    if (schedule && quotas.length > 0 && quotas.every((quota) => !quota.schedule))
        errors.push(`${path}.reset_schedule fires less often than any of these quotas starts anew: remove it.`);
    return { quotas: fields.enabled === true ? quotas : [], persistence: persistence ?? 'database' };
}
const KEYS = ['enabled', 'limits', 'persistence', 'reset_schedule'];
const LIMIT_KEYS = ['metric', 'warn', 'pause', 'hard_stop', 'currency'];
const METRIC_NAMES = Object.keys(METRICS);
function readSchedule(value, path, errors) {
    if (value === undefined)
        return undefined;
    const schedule = typeof value === 'string' ? parseSchedule(value) : `must be a text such as '0 6 * * *'`;
    if (typeof schedule !== 'string')
        return schedule;
    errors.push(`${path} ${schedule}.`);
    return undefined;
}
function readQuota(entry, path, measures, schedule, errors) {
    const before = errors.length;
    const fields = fieldsOf(entry, path, LIMIT_KEYS, errors);
    if (!fields)
        return undefined;
    const metric = choiceOf(fields.metric, `${path}.metric`, METRIC_NAMES, errors);
    if (metric === undefined)
        return undefined;
    const { unit, window } = METRICS[metric];
    const currency = readCurrency(fields.currency, path, metric, errors);
    assertMeasured(path, metric, currency, measures, errors);
    const warn = threshold(fields, 'warn', path, unit, errors);
    const pause = threshold(fields, 'pause', path, unit, errors);
    const hardStop = fields.hard_stop === undefined ? undefined : threshold(fields, 'hard_stop', path, unit, errors);
    if (errors.length > before || warn === undefined || pause === undefined)
        return undefined;
    if (!(warn <= pause && pause <= (hardStop ?? pause))) {
        errors.push(`${path} must have warn <= pause <= hard_stop.`);
        return undefined;
    }
    const paced = schedule && paces(schedule, window) ? schedule : undefined;
    return {
        key: ['quota', metric, unit === 'cost' ? currency : undefined, paced?.text].filter(Boolean).join(':'),
        metric,
        unit,
        window,
        warn,
        pause,
        ...(hardStop !== undefined && { hardStop }),
        ...(currency && { currency }),
        ...(paced && { schedule: paced }),
    };
}
function threshold(fields, name, path, unit, errors) {
    const value = fields[name];
    const isNumber = typeof value === 'number' && Number.isFinite(value) && value >= 0;
    const units = isNumber && unit === 'cost' ? toMicros(value) : value;
    if (isNumber && typeof units === 'number')
        return units;
    errors.push(`${path}.${name} must be a number from 0${unit === 'cost' ? ' with at most 6 decimals' : ''}.`);
    return undefined;
}
function readCurrency(value, path, metric, errors) {
    if (value === undefined && METRICS[metric].unit !== 'cost')
        return undefined;
    return textOf(value, `${path}.currency`, 'USD', errors);
}
/** RATE-08: a counter that would stay at 0 protects nobody. */
function assertMeasured(path, metric, currency, { cost, measuresTokens }, errors) {
    const { unit } = METRICS[metric];
    if (unit === 'tokens' && !measuresTokens)
        errors.push(`${path}.metric ${metric} cannot be measured: this adapter reports no tokens. Count requests instead.`);
    if (unit === 'cost' && !cost)
        errors.push(`${path}.metric ${metric} cannot be measured: write rate_limits.cost with a price for each endpoint.`);
    if (unit === 'cost' && cost && currency !== undefined && currency !== cost.currency)
        errors.push(`${path}.currency must be ${cost.currency}, the currency of rate_limits.cost.`);
}
