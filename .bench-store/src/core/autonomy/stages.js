import { RISK_TOLERANCES } from "../../protocol/directive.js";
import { findInside, findWhole } from "./hint-patterns.js";
const stepLimit = {
    name: 'step limit',
    skippable: false,
    judge: ({ count }, { maxAutonomousSteps: most }) => most !== null && count > most ? pause('Step limit exceeded') : undefined,
};
const previousOutcome = {
    name: 'previous outcome',
    skippable: false,
    judge: ({ outcome }) => (outcome === 'failure' ? pause('Previous step failed') : undefined),
};
/** AUTO-06: deny before requiresApproval before autoApprove, whatever the order of the lists. */
const actionPatterns = {
    name: 'action patterns',
    skippable: false,
    judge: ({ hint }, { deny, requiresApproval, autoApprove }) => {
        const denied = findInside(deny, hint);
        if (denied !== undefined)
            return { outcome: 'stop', reason: `Action is denied by pattern '${denied}'`, pattern: denied };
        const held = findInside(requiresApproval, hint);
        if (held !== undefined)
            return { ...pause(`Action needs approval by pattern '${held}'`), pattern: held };
        const approved = findWhole(autoApprove, hint);
        if (approved === undefined)
            return undefined;
        return { outcome: 'approve', reason: `Action is approved by pattern '${approved}'`, pattern: approved };
    },
};
const TIER_VERDICTS = {
    advisory: undefined,
    confirm: 'pause',
    verify: 'pause',
    danger_zone: 'stop',
};
const safetyTier = {
    name: 'safety tier',
    skippable: true,
    judge: ({ score, tier }) => {
        const outcome = TIER_VERDICTS[tier];
        return outcome && { outcome, reason: `Risk ${score} is in the tier ${tier}` };
    },
};
const riskTolerance = {
    name: 'risk tolerance',
    skippable: true,
    judge: ({ score }, { riskTolerance: level }) => score > RISK_TOLERANCES[level] ? pause(`Risk ${score} is above the tolerance ${level}`) : undefined,
};
/** In the order the specification gives. A new stage is one constant above and one line here. */
export const STAGES = [stepLimit, previousOutcome, actionPatterns, safetyTier, riskTolerance];
function pause(reason) {
    return { outcome: 'pause', reason };
}
