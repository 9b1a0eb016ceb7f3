import { DANGER_BLOCK_KEYS, DANGER_CLASSIFICATION_KEYS, DANGER_LEVEL_NAMES, higherDanger, isDangerLevel, SKETCHED_DANGER_KEYS, } from "../../protocol/danger.js";
import { isObject } from "../registry/check-value.js";
import { COUNT, FLAG, faultOf, quoted, TEXT, TEXTS } from "./key-rules.js";
/** Danger levels document §3.2, DNG-04, DNG-05, DNG-23: block, bare level, flat pair and classification object. */
export function readDanger({ danger, danger_level, requires_confirmation, hook_blockable, }) {
    const flat = { level: danger_level, requires_confirmation, hook_blockable };
    const error = faultOfDanger(danger) ?? faultOfFlat(flat);
    if (error !== undefined)
        return { error };
    const stated = isObject(danger) ? { ...danger } : danger === undefined ? {} : { level: danger };
    return { danger: merged(stated, flat), warnings: disagreements(stated, flat) };
}
/** DNG-18: an approval must be able to outlive its own waiting time. Undefined when it does. */
export function faultOfCooldown({ cooldownSeconds }, tokenLifetimeSeconds) {
    if (cooldownSeconds < tokenLifetimeSeconds)
        return undefined;
    return `\`danger.cooldown_seconds\` must be shorter than the token lifetime of ${tokenLifetimeSeconds} s; it is ${cooldownSeconds}`;
}
const LEVEL = { test: isDangerLevel, expected: `one of ${DANGER_LEVEL_NAMES.join(', ')}` };
const REQUIRED_LEVEL = { ...LEVEL, required: true };
const BLOCK = {
    level: REQUIRED_LEVEL,
    reasons: TEXTS,
    confirmation_message: TEXT,
    cooldown_seconds: COUNT,
    requires_reauth: FLAG,
    audit_context: TEXTS,
};
const CLASSIFICATION = {
    level: REQUIRED_LEVEL,
    reason: TEXT,
    requires_confirmation: FLAG,
    hook_blockable: FLAG,
};
const FLAT = { level: LEVEL, requires_confirmation: FLAG, hook_blockable: FLAG };
/** Keys that only the classification object has, so that one of them tells it from the block. */
const CLASSIFICATION_ONLY = DANGER_CLASSIFICATION_KEYS.filter((key) => !Object.hasOwn(BLOCK, key));
function faultOfDanger(danger) {
    if (danger === undefined || isDangerLevel(danger))
        return undefined;
    if (!isObject(danger))
        return `\`danger\` must be ${LEVEL.expected}, or an object with \`level\`${numberAdvice(danger)}`;
    return sketched(danger) ?? mixed(danger) ?? levelByNumber(danger) ?? faultOf(danger, formOf(danger), 'danger');
}
function faultOfFlat(flat) {
    if (isObject(flat.level))
        return '`danger_level` must be a level; put the object under `danger`';
    return (levelByNumber(flat) ?? faultOf(flat, FLAT, 'danger'))
        ?.replaceAll('`danger.level`', '`danger_level`')
        .replaceAll('`danger.', '`');
}
function formOf(danger) {
    return CLASSIFICATION_ONLY.some((key) => Object.hasOwn(danger, key)) ? CLASSIFICATION : BLOCK;
}
/** DNG-23. */
function sketched(danger) {
    for (const [key, advice] of Object.entries(SKETCHED_DANGER_KEYS)) {
        if (Object.hasOwn(danger, key))
            return `\`danger.${key}\` is not specified yet and would be ignored; ${advice} instead`;
    }
    return undefined;
}
/** Half of each form is neither; the advice names the key that the other half spells differently. */
function mixed(danger) {
    const [ofClassification] = CLASSIFICATION_ONLY.filter((key) => Object.hasOwn(danger, key));
    const ofBlock = DANGER_BLOCK_KEYS.find((key) => key !== 'level' && Object.hasOwn(danger, key));
    if (ofClassification === undefined || ofBlock === undefined)
        return undefined;
    const place = ofClassification === 'reason' ? 'write it into `reasons`' : 'write it beside `danger`';
    return `\`danger.${ofClassification}\` does not go together with \`danger.${ofBlock}\`; ${place} instead`;
}
/** DNG-01: numbers are for output. */
function levelByNumber(block) {
    if (!Object.hasOwn(block, 'level') || typeof block.level !== 'number')
        return undefined;
    return `\`danger.level\` must be ${LEVEL.expected}${numberAdvice(block.level)}`;
}
function numberAdvice(value) {
    if (typeof value === 'string')
        return `; it is ${quoted(value)}`;
    const name = typeof value === 'number' ? DANGER_LEVEL_NAMES[value] : undefined;
    return name === undefined ? '' : `; for ${value} write '${name}'`;
}
function merged(stated, flat) {
    const declared = [stated.level, flat.level].reduce((a, b) => (a && b ? higherDanger(a, b) : (a ?? b)));
    return Object.freeze({
        ...(declared && { declared }),
        reasons: Object.freeze([...(stated.reason === undefined ? [] : [stated.reason]), ...(stated.reasons ?? [])]),
        ...(stated.confirmation_message !== undefined && { confirmationMessage: stated.confirmation_message }),
        cooldownSeconds: stated.cooldown_seconds ?? 0,
        requiresReauth: stated.requires_reauth ?? false,
        auditContext: Object.freeze([...(stated.audit_context ?? [])]),
        requiresConfirmation: stated.requires_confirmation === true || flat.requires_confirmation === true,
        hookBlockable: isHookBlockable(stated.hook_blockable, flat.hook_blockable),
    });
}
/** The default is true, and of two that disagree the stricter one counts. */
function isHookBlockable(...given) {
    return given.includes(true) || !given.includes(false);
}
function disagreements(stated, flat) {
    const pairs = [
        ['danger.level', stated.level, 'danger_level', flat.level],
        ['danger.requires_confirmation', stated.requires_confirmation, 'requires_confirmation', flat.requires_confirmation],
        ['danger.hook_blockable', stated.hook_blockable, 'hook_blockable', flat.hook_blockable],
    ];
    return pairs
        .filter(([, a, , b]) => a !== undefined && b !== undefined && a !== b)
        .map(([one, a, other, b]) => `\`${one}\` says ${a} and \`${other}\` says ${b}; the stricter one applies`);
}
