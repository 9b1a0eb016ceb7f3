/** Spec §6.1 — the five semantic categories, what each one promises, and its canonical verbs (§8.5.1). */
export const CATEGORIES = {
    CREATE: { readOnly: false, destructive: false, verbs: ['create'] },
    READ: { readOnly: true, destructive: false, verbs: ['get', 'list'] },
    UPDATE: { readOnly: false, destructive: true, verbs: ['update'] },
    DELETE: { readOnly: false, destructive: true, verbs: ['delete'] },
    EXECUTE: { readOnly: false, destructive: true, verbs: ['execute', 'cancel'] },
};
/** In the order of §6.1. */
export const CATEGORY_NAMES = Object.keys(CATEGORIES);
export function isCategory(value) {
    return typeof value === 'string' && Object.hasOwn(CATEGORIES, value);
}
