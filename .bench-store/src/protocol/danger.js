/** Danger levels document §2.1 — five ordered levels of what an operation can do to the world (DNG-01). */
export const DANGER_LEVELS = { safe: 0, reversible: 1, destructive: 2, dangerous: 3, forbidden: 4 };
/** From the mildest to the worst. */
export const DANGER_LEVEL_NAMES = Object.keys(DANGER_LEVELS);
export function isDangerLevel(value) {
    return typeof value === 'string' && Object.hasOwn(DANGER_LEVELS, value);
}
export function higherDanger(a, b) {
    return DANGER_LEVELS[a] >= DANGER_LEVELS[b] ? a : b;
}
/** §3.3, DNG-02: the level of an operation that declares none. Name patterns may raise each of them. */
export const CATEGORY_DANGER = {
    CREATE: 'reversible',
    READ: 'safe',
    UPDATE: 'reversible',
    DELETE: 'destructive',
    EXECUTE: 'reversible',
};
/** DNG-03: neither level nor category is known. */
export const UNKNOWN_DANGER = 'reversible';
/** §8.1, DNG-21: where the risk score of a known operation begins. Context raises it and never lowers it. */
export const BASELINE_RISK = {
    safe: { lowest: 0, highest: 15 },
    reversible: { lowest: 16, highest: 40 },
    destructive: { lowest: 41, highest: 60 },
    dangerous: { lowest: 61, highest: 85 },
    forbidden: { lowest: 86, highest: 100 },
};
/** §5.1 and §6, DNG-07 and DNG-08: names that raise the level, in the document's order. */
export const DANGER_PATTERNS = [
    { pattern: 'force_*', level: 'dangerous', reason: 'it forces what would otherwise be checked or refused' },
    { pattern: '*_permanently', level: 'dangerous', reason: 'what it does cannot be taken back' },
    { pattern: 'bulk_delete*', level: 'dangerous', reason: 'it deletes many things in one call' },
    { pattern: 'override_*', level: 'dangerous', reason: 'it overrides a rule or a protection' },
    { pattern: 'bypass_*', level: 'dangerous', reason: 'it goes around a protection' },
    { pattern: '*_without_backup', level: 'dangerous', reason: 'it leaves no copy to restore from' },
    { pattern: 'purge_*', level: 'dangerous', reason: 'it removes for good what was kept for recovery' },
    { pattern: 'drop_*', level: 'forbidden', reason: 'it drops a whole structure with everything in it' },
    { pattern: 'delete_all*', level: 'forbidden', reason: 'it deletes everything there is' },
    { pattern: 'truncate_*', level: 'forbidden', reason: 'it empties a whole collection' },
    { pattern: 'reset_*', level: 'forbidden', reason: 'it throws the current state away' },
    { pattern: 'destroy_*', level: 'forbidden', reason: 'it destroys a resource with everything in it' },
    { pattern: 'wipe_*', level: 'forbidden', reason: 'it erases without trace' },
    { pattern: '*_production', level: 'forbidden', reason: 'it acts on the production system' },
];
/** §6.3, DNG-10: names that confirm `safe`, and only for reads. */
export const SAFE_PATTERNS = ['get_*', 'list_*', 'search_*', 'count_*', 'check_*', 'introspect*'];
/** §3.2, DNG-04: the keys of the block, and no other. */
export const DANGER_BLOCK_KEYS = [
    'level',
    'reasons',
    'confirmation_message',
    'cooldown_seconds',
    'requires_reauth',
    'audit_context',
];
/** The danger schema's classification object (DNG-05). */
export const DANGER_CLASSIFICATION_KEYS = ['level', 'reason', 'requires_confirmation', 'hook_blockable'];
/** §9, DNG-23: sketched for later; ignoring one would under-classify. What to write today. */
export const SKETCHED_DANGER_KEYS = {
    default_level: 'write `level`',
    conditions: 'write the highest `level` that any call can have, and put conditions into an operation policy',
    approval: 'write `level`, which decides who may approve, and `requires_reauth`',
    escalation: 'write the highest `level`; repeated calls are judged by the safety loop',
    score_factors: 'write `level`; its range of risk scores follows from it',
    computed_level: 'write the highest `level` that any call can have',
};
