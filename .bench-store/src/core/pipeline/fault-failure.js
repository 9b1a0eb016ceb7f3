import { fail } from "../../protocol/errors.js";
/** A wrong value as the failure that the caller sees. The value itself is never repeated (VAL-10). */
export function faultFailure(path, fault, operation) {
    const param_name = shortenedName(path);
    switch (fault.kind) {
        case 'type':
            return fail('VALIDATION_INVALID_TYPE', {
                param_name,
                expected_type: fault.expected,
                actual_type: fault.actual,
                operation,
            });
        case 'value':
            return fail('VALIDATION_INVALID_VALUE', {
                param_name,
                constraint: fault.constraint,
                allowed: fault.allowed,
                operation,
            });
        case 'encoding':
            return fail('VALIDATION_INVALID_ENCODING', { location: param_name });
    }
}
/** What the caller invented is repeated, but not without limit. */
export function shortened(names) {
    return names.slice(0, 20).map(shortenedName);
}
export function shortenedName(name) {
    return name.length > 128 ? `${name.slice(0, 128).toWellFormed()}…` : name;
}
