import { readHint } from "./hint-patterns.js";
import { tierOf } from "./risk/tiers.js";
import { STAGES } from "./stages.js";
/** Spec §8.7.2, AUTO-02: every stage speaks, the most severe wins. AUTO-19: what cannot be evaluated pauses. */
export function evaluate(input, stages = STAGES) {
    try {
        return judged(input, stages);
    }
    catch {
        return FAILED;
    }
}
/** A score is a number from 0 to 100, rounded up; whatever else it is, it is the worst. */
export function highestScore(scored, riskScore = 0) {
    const score = Math.ceil(Math.max(scored.score, riskScore));
    return score >= 0 && score <= 100 ? score : 100;
}
const FAILED = Object.freeze({
    outcome: 'pause',
    reason: 'The step could not be evaluated',
    factors: Object.freeze(['evaluation: failed, so a human has to look at it']),
    score: 100,
    verdicts: Object.freeze([]),
});
const SEVERITY = { skip: 0, pass: 0, approve: 0, pause: 1, stop: 2 };
const OUTCOMES = ['continue', 'pause', 'stop'];
function judged({ hint, outcome, count, scored, riskScore, settings }, stages) {
    const score = highestScore(scored, riskScore);
    const tier = tierOf(score);
    const step = { count: count + 1, hint: readHint(hint), score, tier, ...(outcome && { outcome }) };
    const verdicts = [];
    for (const stage of stages)
        verdicts.push(verdictOf(stage, step, settings, verdicts));
    const worst = Math.max(0, ...verdicts.map((verdict) => SEVERITY[verdict.outcome]));
    const decisive = worst === 0 ? undefined : verdicts.find((verdict) => SEVERITY[verdict.outcome] === worst);
    const isSkipped = verdicts.some((verdict) => verdict.outcome === 'skip');
    const isDenied = verdicts.some(({ stage, outcome: each }) => stage === 'action patterns' && each === 'stop');
    const shownTier = isDenied ? 'danger_zone' : tier;
    return {
        outcome: OUTCOMES[worst] ?? 'stop',
        ...(decisive && { reason: decisive.reason, stage: decisive.stage }),
        factors: [
            ...verdicts.map(({ stage, reason }) => `${stage}: ${reason}`),
            ...scored.factors.map((factor) => `risk: ${factor}`),
        ],
        score,
        ...(!isSkipped && { tier: shownTier }),
        verdicts,
    };
}
function verdictOf(stage, step, settings, before) {
    if (stage.skippable && before.some(({ outcome }) => outcome === 'approve'))
        return { stage: stage.name, outcome: 'skip', reason: 'skipped, the action is approved by a pattern' };
    const verdict = stage.judge(step, settings);
    return verdict ? { stage: stage.name, ...verdict } : { stage: stage.name, outcome: 'pass', reason: 'passed' };
}
