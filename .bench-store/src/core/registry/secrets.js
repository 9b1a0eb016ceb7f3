import { isObject } from "./check-value.js";
/** VAL-10 — the values of sensitive parameters and fields in one call, as text, the longest first. */
export function secretsOf(target, params) {
    if (!target.hasSecrets)
        return NONE;
    const found = new Set();
    for (const { name, param } of target.params) {
        const row = name === 'input' && target.input ? { ...param, fields: target.input.rows } : param;
        collect(params[param.mapTo ?? name], row, found);
    }
    return [...found].sort((a, b) => b.length - a.length);
}
export function maskText(text, secrets) {
    return secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}
export function maskError(error, secrets) {
    if (secrets.length === 0)
        return error;
    const { code, message, details } = error;
    return { code, message: maskText(message, secrets), ...(details && { details: maskFields(details, secrets) }) };
}
export function maskWarning(warning, secrets) {
    if (secrets.length === 0)
        return warning;
    const { message, details } = warning;
    return {
        ...warning,
        message: maskText(message, secrets),
        ...(details && { details: maskFields(details, secrets) }),
    };
}
/** Is some row of the table, or a row inside it, sensitive? */
export function holdsSecrets(params) {
    return Object.values(params).some(isSecret);
}
function isSecret(param) {
    return (param.sensitive === true ||
        (param.fields !== undefined && holdsSecrets(param.fields)) ||
        (param.items !== undefined && isSecret(param.items)));
}
const NONE = [];
const MASK = '***';
function collect(value, row, found) {
    if (row.sensitive)
        collectAll(value, found);
    else if (Array.isArray(value)) {
        for (const item of value)
            collect(item, row.items ?? row, found);
    }
    else if (row.fields && isObject(value)) {
        for (const [name, field] of Object.entries(row.fields))
            collect(value[name], field, found);
    }
}
/** True and false are no secrets: masking them would mask half of the language. */
function collectAll(value, found) {
    if (typeof value === 'string' || typeof value === 'number') {
        if (value !== '')
            found.add(String(value));
    }
    else if (typeof value === 'object' && value !== null) {
        for (const inner of Object.values(value))
            collectAll(inner, found);
    }
}
function maskFields(fields, secrets) {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskValue(value, secrets)]));
}
function maskValue(value, secrets) {
    if (typeof value === 'string')
        return maskText(value, secrets);
    if (typeof value === 'number' || typeof value === 'bigint')
        return secrets.includes(String(value)) ? MASK : value;
    if (Array.isArray(value))
        return value.map((inner) => maskValue(inner, secrets));
    return isObject(value) ? maskFields(value, secrets) : value;
}
