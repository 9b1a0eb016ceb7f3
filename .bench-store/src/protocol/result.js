/**
 * Failures are known by identity, so that a back-end's own `{ success: false }` passes through as the data it is.
 * `fail` in errors.ts is the one way for the outside to make one.
 */
export function failure(error, confirmation) {
    const made = Object.freeze({
        success: false,
        error: Object.freeze(error),
        ...(confirmation && { confirmation }),
    });
    FAILURES.add(made);
    return made;
}
export function isFailure(value) {
    return typeof value === 'object' && value !== null && FAILURES.has(value);
}
const FAILURES = new WeakSet();
