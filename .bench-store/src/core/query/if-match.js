import { fail } from "../../protocol/errors.js";
/**
 * Spec §9.3.2 (CONC-03). Call it inside the change that writes, so that check and write are one. Versions are compared
 * by their text, because a counter may have travelled as one.
 */
export function checkVersion(given, stored, type, id) {
    if (given === undefined || type.version === undefined)
        return undefined;
    const actual = Object.hasOwn(stored, type.version) ? stored[type.version] : undefined;
    if (actual !== undefined && actual !== null && String(actual) === String(given))
        return undefined;
    return fail('CONFLICT_VERSION_MISMATCH', {
        resource_type: type.name,
        resource_id: id,
        expected_version: given,
        actual_version: actual ?? 'none',
    });
}
