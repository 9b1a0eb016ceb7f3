/** Spec §8.6.1 — how much the execution safety loop does, from the most to the least (LOOP-06). */
export const SAFETY_MODES = ['enforcing', 'monitoring', 'logging', 'disabled'];
/** Spec §8.7.2 stage 4 — the tiers of the next step, from the mildest (AUTO-11). */
export const SAFETY_TIERS = ['advisory', 'confirm', 'verify', 'danger_zone'];
/** Spec §8.7.2 stage 5 — a score above the threshold pauses (AUTO-14), from the strictest. */
export const RISK_TOLERANCES = { conservative: 25, moderate: 50, aggressive: 75 };
/** Spec §8.6.3 (LOOP-13). */
export const STEP_OUTCOMES = ['success', 'failure', 'skipped'];
/** LOOP-12: a hint is judged in full or refused. */
export const MAX_HINT_LENGTH = 10_000;
/** Spec §8.7.3. What bears a state is told again until the state has gone; the rest is told once. */
export const NOTIFICATION_TYPES = {
    permission_pending: { repeats: true },
    autonomy_pause: { repeats: true },
    danger_zone: { repeats: true },
    status: { repeats: false },
    error: { repeats: false },
};
/** Spec §8.7.2 and loop §5.2: what applies where the operator says nothing (AUTO-04, DONGLE-04). */
export const DEFAULT_AUTONOMY = Object.freeze({
    maxAutonomousSteps: 10,
    riskTolerance: 'moderate',
    deny: Object.freeze(['drop_*', 'delete_all*', 'rm -rf*', '*_production*']),
    requiresApproval: Object.freeze(['delete_*', '*force*', 'deploy_*', 'git push*']),
    autoApprove: Object.freeze(['read_*', 'list_*', 'get_*', 'search_*']),
});
