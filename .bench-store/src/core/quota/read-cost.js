import { fieldsOf, listOf, textOf } from "./block-fields.js";
import { bySpecificity, normalisePattern } from "./endpoint-pattern.js";
import { toMicros, toPicos } from "./money.js";
/** RATE-16. */
export function readCost(value, path, measuresTokens, errors) {
    const fields = value === undefined ? undefined : fieldsOf(value, path, KEYS, errors);
    if (!fields)
        return undefined;
    const model = readModel(fields.model, `${path}.model`, errors);
    const currency = textOf(fields.currency, `${path}.currency`, 'USD', errors);
    const entries = listOf(fields.pricing, `${path}.pricing`, MOST_PRICES, errors);
    if (entries === undefined || entries.length === 0)
        errors.push(`${path}.pricing must have a price for each endpoint.`);
    const pricing = [];
    for (const [index, entry] of (entries ?? []).entries()) {
        const price = readPrice(entry, `${path}.pricing[${index}]`, model, measuresTokens, errors);
        if (price && pricing.some(({ endpoint }) => endpoint === price.endpoint))
            errors.push(`${path}.pricing[${index}].endpoint repeats an earlier one: keep one of them.`);
        if (price)
            pricing.push(price);
    }
    if (currency === undefined)
        return undefined;
    return { currency, pricing: pricing.sort((a, b) => bySpecificity(a.endpoint, b.endpoint)) };
}
const MOST_PRICES = 256;
const KEYS = ['model', 'currency', 'pricing'];
const PRICE_KEYS = ['endpoint', 'cost_per_call', 'cost_per_token'];
/** What each model needs in every row; the other two have no fields to count by. */
const MODELS = { per_call: 'cost_per_call', per_token: 'cost_per_token' };
function readModel(value, path, errors) {
    if (value === 'per_call' || value === 'per_token')
        return value;
    errors.push(value === 'per_byte' || value === 'tiered'
        ? `${path} ${value} has no specified fields and is not supported: use per_call or per_token.`
        : `${path} must be one of per_call, per_token.`);
    return undefined;
}
function readPrice(entry, path, model, measuresTokens, errors) {
    const before = errors.length;
    const fields = fieldsOf(entry, path, PRICE_KEYS, errors);
    if (!fields)
        return undefined;
    const endpoint = textOf(fields.endpoint, `${path}.endpoint`, 'GET /users/*', errors);
    const needed = model && MODELS[model];
    if (needed && fields[needed] === undefined)
        errors.push(`${path}.${needed} is missing, and the model is ${model}.`);
    const perCall = perCallOf(fields.cost_per_call, `${path}.cost_per_call`, errors);
    const perToken = perTokenOf(fields.cost_per_token, `${path}.cost_per_token`, measuresTokens, errors);
    if (errors.length > before || endpoint === undefined)
        return undefined;
    return { endpoint: normalisePattern(endpoint), perCall, ...(perToken && { perToken }) };
}
function perCallOf(value, path, errors) {
    const micros = value === undefined ? 0 : typeof value === 'number' ? toMicros(value) : undefined;
    if (micros === undefined || micros > MOST_PER_CALL)
        errors.push(`${path} must be a number from 0 to 1000000 with at most 6 decimals.`);
    return micros ?? 0;
}
/** In millionths. Keeps every product of a price and a number of requests exact. */
const MOST_PER_CALL = 1_000_000 * 1_000_000;
function perTokenOf(value, path, measuresTokens, errors) {
    if (value === undefined)
        return undefined;
    if (!measuresTokens) {
        errors.push(`${path} cannot be measured: this adapter reports no tokens. Use cost_per_call.`);
        return undefined;
    }
    const fields = fieldsOf(value, path, ['input', 'output'], errors);
    if (!fields)
        return undefined;
    const [input, output] = [fields.input, fields.output].map((price) => typeof price === 'number' ? toPicos(price) : undefined);
    if (input !== undefined && output !== undefined)
        return { input, output };
    errors.push(`${path} must have input and output, numbers from 0 with at most 12 decimals.`);
    return undefined;
}
