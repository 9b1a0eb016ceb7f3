import { randomUUID } from 'node:crypto';
import { failure, isFailure } from "../../protocol/result.js";
import { MAX_WARNINGS, warn } from "../../protocol/warnings.js";
import { fitAnswer } from "../introspection/fit-answer.js";
import { estimateTokens } from "../introspection/tokens.js";
import { answerQuery } from "../query/answer-query.js";
import { selectFields } from "../query/select-fields.js";
import { isObject } from "../registry/check-value.js";
import { jsonText } from "../registry/json-text.js";
import { maskError, maskWarning, secretsOf } from "../registry/secrets.js";
import { declares, deprecation } from "./bind-params.js";
import { settleWarnings } from "./warnings.js";
/** Spec §5 — from what the handler returned to what the caller receives. */
export function shape(call, { value, context }, settings) {
    context.finish();
    if (isFailure(value))
        return masked(value, call);
    const { target, params } = call;
    const warnings = [...call.warnings, ...handlerWarnings(context.warnings, call)];
    let data = HAS_NO_JSON.has(typeof value) ? null : value;
    let shortened;
    if (target.collection) {
        const rows = value; // which it checks
        const answer = answerQuery(target.collection, context.query, rows, settings.cursors, context.now);
        data = answer.data;
        shortened = answer.shortened;
        warnings.push(...answer.warnings);
    }
    else if (call.selection && target.resource && isObject(data)) {
        data = selectFields(data, call.selection, target.resource, context.now);
    }
    if (target.name === 'introspect')
        return { success: true, data };
    if (target.definition.deprecated)
        warnings.push(deprecation('operation', target.name, target.definition.deprecated, context.now));
    if (settings.slowMs > 0)
        warnSlow(target.name, settings.now() - context.now, settings.slowMs, warnings);
    if (typeof params.max_tokens === 'number' && target.category === 'READ' && !declares(target, 'max_tokens'))
        return fitToBudget({ call, data, shortened, budget: params.max_tokens, warnings }, settings);
    return success(call, data, warnings);
}
/** RES-01: `data` is always there. */
const HAS_NO_JSON = new Set(['undefined', 'function', 'symbol']);
/** RES-01 to RES-04, RES-07: nothing that nobody asked for. */
function success(call, data, warnings) {
    const meta = metaOf(call.fields, data);
    if (warnings.length === 0 && !meta)
        return { success: true, data };
    const settled = warnings.length > 0 ? settleWarnings(warnings) : undefined;
    return { success: true, data, ...(settled && { warnings: settled }), ...(meta && { _meta: meta }) };
}
/** REQ-12: the caller's own id comes back; `_meta: {tokens: true}` asks for the size of the answer. */
export function metaOf(fields, data) {
    const sent = fields._request_id;
    const given = typeof sent === 'number' ? String(sent) : sent;
    const asked = isObject(fields._meta) && fields._meta.tokens === true;
    if (given === undefined && !asked)
        return undefined;
    const request_id = typeof given === 'string' && given.length <= 200 ? given : randomUUID();
    return asked ? { request_id, tokens: estimateTokens(jsonText(data)) } : { request_id };
}
/** ERR-51. */
function warnSlow(operation, duration_ms, threshold_ms, warnings) {
    if (duration_ms <= threshold_ms)
        return;
    const factor = duration_ms / threshold_ms;
    const severity = factor > 10 ? 'high' : factor >= 2 ? 'medium' : 'low';
    warnings.push(warn('PERFORMANCE_SLOW_QUERY_WARNING', { operation, duration_ms, threshold_ms }, severity));
}
/** Extension "answers that fit", ERR-50. The warning that tells of a cut is paid from the budget as well. */
async function fitToBudget(long, { rests }) {
    const { call, budget, warnings, shortened } = long;
    const room = Math.max(budget - WARNING_TOKENS, budget / 2);
    const whole = estimateTokens(jsonText(long.data)) <= budget;
    const fitted = fitAnswer(long.data, whole ? budget : room, MAX_WARNINGS - settleWarnings(warnings).length);
    const cut = await Promise.all(fitted.cuts.map(async (each) => {
        const rest = await rests.keep(call.session, each, budget);
        const { field, originalCount: original_count, kept } = each;
        const severity = (original_count - kept) / original_count > 0.5 ? 'medium' : 'low';
        const details = { field, original_count, truncated_count: kept, limit: kept, rest };
        return warn('VALIDATION_TRUNCATED_WARNING', details, severity);
    }));
    const items = fitted.cuts.find(({ field }) => field === 'items');
    const data = items && shortened ? { ...fitted.data, ...shortened(items.kept) } : fitted.data;
    return success(call, data, [...warnings, ...cut]);
}
/** What a warning of one cut costs. */
const WARNING_TOKENS = 70;
/** VAL-10: what a handler put into its failure is cleared of sensitive values. */
function masked(failed, { target, params }) {
    const secrets = secretsOf(target, params);
    return secrets.length === 0 ? failed : failure(maskError(failed.error, secrets));
}
/** RES-07: a warning has four keys; VAL-10 holds for it too. */
function handlerWarnings(warnings, { target, params }) {
    if (warnings.length === 0)
        return warnings;
    const secrets = secretsOf(target, params);
    return warnings.map(({ code, message, details, severity }) => maskWarning({ code, message, ...(details && { details }), ...(severity && { severity }) }, secrets));
}
