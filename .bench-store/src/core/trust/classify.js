import { CATEGORY_DANGER, DANGER_LEVELS, higherDanger, SAFE_PATTERNS, UNKNOWN_DANGER, } from "../../protocol/danger.js";
import { isTrusted } from "../../protocol/trust.js";
import { matchesGlob } from "../registry/glob.js";
import { baselineRisk } from "./baseline-risk.js";
import { matchesName } from "./danger-patterns.js";
/**
 * Danger levels document §3.3 and §5, DNG-02 to DNG-11. Raising always works; a declaration below what category and
 * name say counts only from trust `validated` on, or when the operator pinned it.
 */
export function classify(operation, settings) {
    const { name, category } = operation;
    const inferred = infer(operation, settings.patterns);
    const byCategory = category === undefined ? UNKNOWN_DANGER : CATEGORY_DANGER[category];
    const floor = inferred ? higherDanger(byCategory, inferred.level) : byCategory;
    const declared = declaredLevel(operation);
    const level = decide(floor, declared, settings);
    return Object.freeze({
        level,
        ...(declared && { declared }),
        ...(inferred && { inferred }),
        reasons: Object.freeze(reasonsFor(level, operation, declared, inferred, settings)),
        warnings: Object.freeze(warningsFor(name, { level, floor, declared }, operation, settings)),
        baselineRisk: baselineRisk(level, category),
    });
}
function decide(floor, declared, settings) {
    const { pinned, trust } = settings;
    if (pinned)
        return declared ? higherDanger(pinned, declared) : pinned;
    if (!declared)
        return floor;
    return isTrusted(trust, 'validated') ? declared : higherDanger(floor, declared);
}
function declaredLevel({ danger: { declared }, dangerous }) {
    if (!dangerous)
        return declared;
    return declared ? higherDanger(declared, 'dangerous') : 'dangerous';
}
/** The highest row that matches; among equals the first (DNG-09). */
function infer(operation, patterns) {
    const isShielded = isGenuineRead(operation) && SAFE_PATTERNS.some((safe) => matchesGlob(safe, operation.name));
    let found = methodInference(operation);
    for (const { pattern, level, reason } of patterns) {
        if (found && DANGER_LEVELS[found.level] >= DANGER_LEVELS[level])
            continue;
        if (!matchesName(pattern, operation.name, !isShielded))
            continue;
        found = { level, pattern, reason: `its name matches ${pattern}: ${reason}` };
    }
    return found && Object.freeze(found);
}
/** DNG-10: what a safe name may shield. */
function isGenuineRead({ category, method }) {
    return category === 'READ' && (method === undefined || method.toUpperCase() === 'GET');
}
/** a READ by another method than GET may well write. */
function methodInference(operation) {
    const { category, method } = operation;
    if (category !== 'READ' || method === undefined || isGenuineRead(operation))
        return undefined;
    const pattern = method.toUpperCase();
    return { level: 'reversible', pattern, reason: `it reads by the HTTP method ${pattern}, which may write` };
}
function reasonsFor(level, { danger, dangerous, category }, declared, inferred, { pinned }) {
    const reasons = [...danger.reasons];
    if (dangerous)
        reasons.push('its definition marks it as dangerous');
    if (inferred && DANGER_LEVELS[inferred.level] >= DANGER_LEVELS[level])
        reasons.push(inferred.reason);
    if (pinned === level)
        reasons.push(`the operator pinned it to ${level}`);
    if (reasons.length > 0)
        return reasons;
    if (declared === level)
        return [`its definition declares ${level}`];
    return [category ? `${category} operations are ${level} unless declared otherwise` : 'its category is unknown'];
}
function warningsFor(name, { level, floor, declared }, { danger, dangerous }, { trust, pinned }) {
    const warnings = [];
    if (dangerous && danger.declared && DANGER_LEVELS[danger.declared] < DANGER_LEVELS.dangerous) {
        warnings.push(`Operation '${name}' is marked dangerous and declares ${danger.declared}; dangerous applies`);
    }
    if (pinned && pinned !== level) {
        warnings.push(`Operation '${name}' is pinned to ${pinned} and declares ${declared}; the higher level applies`);
    }
    if (!pinned && declared && DANGER_LEVELS[declared] < DANGER_LEVELS[level]) {
        warnings.push(`Operation '${name}' declares ${declared}, but its category and name say ${floor}; at trust ${trust} ${level} applies`);
    }
    return warnings;
}
