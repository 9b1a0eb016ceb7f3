/** Spec §8.7.2 stage 4 (AUTO-11) — what a score asks for, from the mildest; `most` is the last score of the tier. */
export const RISK_TIERS = Object.freeze([
    Object.freeze({ tier: 'advisory', most: 30 }),
    Object.freeze({ tier: 'confirm', most: 60 }),
    Object.freeze({ tier: 'verify', most: 85 }),
    Object.freeze({ tier: 'danger_zone', most: 100 }),
]);
/** A score between two tiers belongs to the upper one. */
export function tierOf(score) {
    return RISK_TIERS.find(({ most }) => Math.ceil(score) <= most)?.tier ?? 'danger_zone';
}
