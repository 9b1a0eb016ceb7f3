import { fail } from "../../protocol/errors.js";
/** ERR-22 for a control of a collection. `constraint` holds names that the adapter declared, never what was sent. */
export function refuse(param_name, constraint, operation, allowed) {
    return fail('VALIDATION_INVALID_VALUE', { param_name, constraint, allowed, operation });
}
