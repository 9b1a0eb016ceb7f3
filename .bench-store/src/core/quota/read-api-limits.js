import { choiceOf, fieldsOf, listOf, textOf } from "./block-fields.js";
import { normalisePattern } from "./endpoint-pattern.js";
import { WINDOW_LENGTHS } from "./windows.js";
/** RATE-02. */
export function readApiLimits(value, path, errors) {
    const limits = [];
    for (const [index, entry] of (listOf(value, path, MOST_LIMITS, errors) ?? []).entries()) {
        const limit = readApiLimit(entry, `${path}[${index}]`, errors);
        if (!limit)
            continue;
        if (limits.some(({ key }) => key === limit.key))
            errors.push(`${path}[${index}] repeats the scope and window of an earlier entry: keep one of them.`);
        limits.push(limit);
    }
    return limits;
}
const MOST_LIMITS = 64;
const SCOPES = ['global', 'endpoint', 'category'];
const CATEGORIES = ['create', 'read', 'update', 'delete', 'execute'];
const API_WINDOWS = Object.keys(WINDOW_LENGTHS);
const KEYS = ['scope', 'endpoint', 'category', 'limit', 'window', 'remaining_header', 'reset_header'];
function readApiLimit(entry, path, errors) {
    const before = errors.length;
    const fields = fieldsOf(entry, path, KEYS, errors);
    if (!fields)
        return undefined;
    const scope = choiceOf(fields.scope, `${path}.scope`, SCOPES, errors);
    const window = choiceOf(fields.window, `${path}.window`, API_WINDOWS, errors);
    const { limit } = fields;
    if (!Number.isSafeInteger(limit) || limit < 1)
        errors.push(`${path}.limit must be a whole number from 1.`);
    const endpoint = scope === 'endpoint' ? textOf(fields.endpoint, `${path}.endpoint`, 'GET /users/*', errors) : undefined;
    const category = scope === 'category' ? choiceOf(fields.category, `${path}.category`, CATEGORIES, errors) : undefined;
    for (const key of ['endpoint', 'category']) {
        if (scope !== undefined && scope !== key && fields[key] !== undefined)
            errors.push(`${path}.${key} belongs to scope ${key}: remove it, or write scope: ${key}.`);
    }
    const remaining = headerName(fields.remaining_header, `${path}.remaining_header`, 'X-RateLimit-Remaining', errors);
    const reset = headerName(fields.reset_header, `${path}.reset_header`, 'X-RateLimit-Reset', errors);
    if (errors.length > before || scope === undefined || window === undefined)
        return undefined;
    const pattern = endpoint && normalisePattern(endpoint);
    return {
        key: [scope, pattern ?? category, window].filter(Boolean).join(':'),
        scope,
        limit: limit,
        window,
        ...(pattern && { endpoint: pattern }),
        ...(category && { category }),
        ...(remaining && { remainingHeader: remaining }),
        ...(reset && { resetHeader: reset }),
    };
}
function headerName(value, path, example, errors) {
    if (value === undefined)
        return undefined;
    if (typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(value))
        return value.toLowerCase();
    errors.push(`${path} must be the name of a header such as "${example}".`);
    return undefined;
}
