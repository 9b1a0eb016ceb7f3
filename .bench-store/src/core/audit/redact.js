import { maskText, secretsOf } from "../registry/secrets.js";
import { isSecretName } from "./secret-names.js";
import { tokenRef } from "./token-ref.js";
/** AUDIT-06: parameters for the trail, without what is named or typed as a secret and without redeemable tokens. */
export function redact(target, params) {
    return cleaned(params, secretsOf(target, params));
}
/** A value that no operation describes: a reason, a hint, a setting. */
export function redactValue(value) {
    return cleaned(value, NONE);
}
/** A redeemable token becomes its reference, and what looks like a credential is masked. */
export function redactText(text) {
    let rest = text;
    for (const { shape, becomes } of SHAPES)
        rest = rest.replace(shape, becomes);
    return rest;
}
const MASK = '***';
const NONE = [];
/** Each is matched in linear time: nothing that repeats is followed by something that it could have matched itself. */
const SHAPES = [
    { shape: /(?:conf|quota_continue)_(?:[0-9a-f]{64}|[A-Za-z0-9_-]{16,})/g, becomes: tokenRef },
    { shape: /\b[A-Z2-7]{4}(?:[ -]?[A-Z2-7]{4}){6}\b/gi, becomes: () => MASK }, // a verification code
    { shape: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}/g, becomes: () => MASK },
    {
        shape: /\b((?:Bearer|Basic|Digest|Negotiate) )[A-Za-z0-9._~+/=-]{8,}/gi,
        becomes: (_, scheme) => `${scheme}${MASK}`,
    },
    { shape: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]{0,2000})?/g, becomes: () => MASK },
    { shape: /(:\/\/)[^\s/?#@:]{0,200}:[^\s/?#@]{1,200}@/g, becomes: (_, slashes) => `${slashes}${MASK}@` },
    {
        shape: /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|sk_live_|rk_live_|AKIA|ASIA|AIza)[A-Za-z0-9_-]{16,}/g,
        becomes: () => MASK,
    },
];
function cleaned(value, secrets) {
    if (typeof value === 'string')
        return redactText(maskText(value, secrets));
    if (typeof value === 'number' || typeof value === 'bigint')
        return secrets.includes(String(value)) ? MASK : value;
    if (Array.isArray(value))
        return value.map((item) => cleaned(item, secrets));
    if (typeof value !== 'object' || value === null)
        return value;
    const fields = Object.entries(value).map(([name, inner]) => [
        redactText(maskText(name, secrets)),
        isSecretName(name, inner) ? MASK : cleaned(inner, secrets),
    ]);
    return Object.fromEntries(fields);
}
