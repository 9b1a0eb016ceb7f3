import { CATEGORIES } from "../../protocol/categories.js";
import { DANGER_LEVELS } from "../../protocol/danger.js";
import { classify } from "../trust/classify.js";
import { gateByTrust } from "../trust/gate-by-trust.js";
import { readDanger } from "../trust/read-danger.js";
import { policiesFor, SEVERITY, strictest } from "./policies.js";
/** Layers 2 and 3 in their order, as far as the operation alone decides them. Throws on a wrong danger block. */
export function standingOf(operation, settings) {
    const { name, category, definition } = operation;
    const own = settings.own.get(name);
    const danger = dangerOf(operation);
    const trust = own === undefined ? settings.trust(name) : 'certified';
    const pinned = Object.hasOwn(settings.pinned, name) ? settings.pinned[name] : undefined;
    const method = METHOD.exec(definition.path ?? '')?.[1];
    const classification = classify({ name, category, danger, dangerous: definition.dangerous === true, ...(method && { method }) }, { trust, patterns: own === undefined ? settings.patterns : [], ...(pinned && { pinned }) });
    const { level } = classification;
    const matching = own === undefined ? policiesFor(settings.policies, name) : [];
    const opinions = [
        tier(operation, settings.readOnly),
        ...matching.filter(({ holds }) => !holds).map(recordOpinion),
        ...(own === undefined || name === 'introspect' // TRUST-19: introspection of an untested adapter can be closed
            ? [trusted(operation, classification, settings.trust(name), settings.trustPolicy)]
            : []),
        ...(own === undefined ? [minimum(level)] : []),
        ...(danger.requiresConfirmation ? [DECLARED] : []),
        ...(own === undefined ? [] : [{ layer: 'safety', permission: own, text: 'an operation of the safety loop' }]),
    ];
    const conditional = matching.filter(({ holds }) => holds);
    const permission = permissionOf(opinions);
    return {
        danger,
        classification,
        level,
        trust,
        permission,
        opinions,
        conditional,
        isPlain: permission === 'allow' && conditional.length === 0,
        isOwn: own !== undefined,
    };
}
export function permissionOf(opinions) {
    return strictest(opinions.map(({ permission }) => (permission === 'none' ? 'allow' : permission)));
}
/** The voice that decided. */
export function decisive(opinions) {
    const permission = permissionOf(opinions);
    if (SEVERITY[permission] === 0)
        return undefined;
    return opinions.find((opinion) => opinion.permission === permission);
}
export function traceOf(opinions) {
    const chosen = decisive(opinions);
    return [
        { layer: 'route', verdict: 'allow', text: 'the operation exists and was called on its own tool', decisive: false },
        ...opinions.map((opinion) => ({
            layer: opinion.layer,
            verdict: opinion.permission,
            text: opinion.text,
            decisive: opinion === chosen,
        })),
    ];
}
export function recordOpinion({ record }) {
    const place = record.place ? ` (${record.place})` : '';
    return {
        layer: 'policy',
        permission: record.permission,
        text: `policy '${record.operation}' says ${record.permission}${place}`,
        refusal: { code: 'PERMISSION_DENIED', details: { reason: 'an operation policy of this server denies it' } },
    };
}
const METHOD = /^([A-Z]+) \//;
function dangerOf({ definition }) {
    const reading = readDanger(definition);
    if (Object.hasOwn(reading, 'error'))
        throw new Error(reading.error);
    return reading.danger;
}
/** Layer 2 (GATE-03): the flags describe the category; under `--read-only` they decide. */
function tier({ category }, readOnly) {
    const isReading = CATEGORIES[category].readOnly;
    if (!readOnly || isReading)
        return { layer: 'tier', permission: 'allow', text: `${category}${isReading ? ', reads only' : ''}` };
    const reason = `the server is read-only, and this is a ${category} operation`;
    return {
        layer: 'tier',
        permission: 'deny',
        text: reason,
        refusal: { code: 'PERMISSION_DENIED', details: { reason } },
    };
}
function trusted({ name, category }, { level, reasons }, trust, policy) {
    const verdict = gateByTrust({ operation: name, category, level, reasons, trust }, policy);
    const { permission, reason } = verdict;
    if (permission !== 'deny')
        return { layer: 'trust', permission, text: reason };
    return { layer: 'trust', permission, text: reason, refusal: { code: verdict.code, details: { ...verdict.details } } };
}
/** DNG-13. */
function minimum(level) {
    const asks = DANGER_LEVELS[level] >= DANGER_LEVELS.destructive;
    return {
        layer: 'danger',
        permission: asks ? 'confirm' : 'none',
        text: asks ? `level '${level}' always needs a human` : `level '${level}' asks for nothing by itself`,
    };
}
const DECLARED = { layer: 'declared', permission: 'confirm', text: 'the operation asks for a confirmation' };
