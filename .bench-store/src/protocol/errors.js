import { failure } from "./result.js";
/**
 * Error codes, one row for each (ERR-20 to ERR-47). A placeholder in `message` names a key that `details` must carry;
 * codes whose message has optional parts build it in `MESSAGES` below.
 */
export const ERRORS = {
    VALIDATION_MISSING_PARAM: row(400, false, "Missing required parameter '{param_name}'"),
    VALIDATION_INVALID_TYPE: row(400, false, "Parameter '{param_name}' expected '{expected_type}', got '{actual_type}'"),
    VALIDATION_INVALID_VALUE: row(400, false, "Parameter '{param_name}' has an invalid value. Expected: {constraint}"),
    VALIDATION_UNKNOWN_PARAM: row(400, false, "Unknown parameter '{unknown_params}' for operation '{operation}'"),
    VALIDATION_UNKNOWN_FIELD: row(400, false, "Unknown field '{unknown_fields}' in input for operation '{operation}'"),
    VALIDATION_READ_ONLY_FIELD: row(400, false, "Field '{field}' is read-only and cannot be updated"),
    VALIDATION_APPEND_ONLY: row(400, false, "Field '{field}' is append-only"),
    VALIDATION_ENDPOINT_MISMATCH: row(400, false, "Operation '{operation}' must use {expected_endpoint} endpoint, not {actual_endpoint}"),
    VALIDATION_INVALID_ENCODING: row(400, false, 'Invalid character encoding in request'),
    VALIDATION_PAYLOAD_TOO_LARGE: row(400, false, 'Payload exceeds {limit_type} limit of {limit_value}'),
    NOT_FOUND_OPERATION: row(404, false, "Unknown operation: '{operation}'"),
    NOT_FOUND_RESOURCE: row(404, false, "Resource '{resource_type}' not found: '{resource_id}'"),
    PERMISSION_DENIED: row(403, false, "Permission denied: '{reason}'"),
    PERMISSION_TRUST_LEVEL_INSUFFICIENT: row(403, false, "Operation '{operation}' requires trust level '{required_trust}', adapter has '{actual_trust}'"),
    PERMISSION_DANGER_LEVEL_DENIED: row(403, false, "Operation '{operation}' (danger: {danger_level}) denied for adapter trust level '{adapter_trust}'"),
    PERMISSION_AGENT_BLOCKED: row(403, false, "Agent '{element_name}' is blocked"),
    PERMISSION_SELF_APPROVAL_DENIED: row(403, false, 'An agent cannot decide on its own request'),
    PERMISSION_VERIFICATION_FAILED: row(403, false, 'Verification failed'),
    CONFIRMATION_REQUIRED: row(403, false, 'This operation requires confirmation'),
    CONFLICT_ALREADY_EXISTS: row(409, false, "{resource_type} '{resource_id}' already exists"),
    CONFLICT_VERSION_MISMATCH: row(409, false, "Version mismatch for '{resource_id}'"),
    CONFLICT_INVALID_STATE: row(409, false, "Operation '{operation}' is not allowed in state '{state}'"),
    RATE_LIMIT_EXCEEDED: row(429, false, 'API rate limit exceeded'),
    RATE_LIMIT_QUOTA_PAUSE: row(429, false, 'Quota pause threshold reached'),
    RATE_LIMIT_QUOTA_EXHAUSTED: row(429, true, 'Quota exhausted'),
    TOKEN_INVALID: row(403, false, 'Invalid confirmation token'),
    TOKEN_EXPIRED: row(403, false, 'Confirmation token has expired'),
    TOKEN_ALREADY_USED: row(403, false, 'Confirmation token has already been used'),
    TOKEN_SCOPE_MISMATCH: row(403, false, 'Confirmation token scope mismatch'),
    INTERNAL_ERROR: row(500, true, "Internal error: '{description}'"),
    INTROSPECTION_ERROR: row(500, true, 'The operation registry could not be read'),
};
/** Categories that the codes of an adapter must begin with (ERR-02). */
export const CODE_PREFIXES = [
    'VALIDATION_',
    'NOT_FOUND_',
    'PERMISSION_',
    'CONFLICT_',
    'RATE_LIMIT_',
    'TOKEN_',
    'INTERNAL_',
];
/** The one way to make a failure from the table. */
export function fail(code, details) {
    return failure({ code, message: messageOf(code, details), ...wireDetails(code, details) });
}
/** An adapter's own code (ERR-02): documented by the adapter, `isError` decided by its category. */
export function failWith(code, message, details) {
    if (!isAdapterCode(code)) {
        throw new TypeError(`Error code ${code} must be UPPER_SNAKE and begin with one of ${CODE_PREFIXES.join(' ')}`);
    }
    return failure({ code, message, ...(details && { details }) });
}
/** ERR-02: the form and the category that a code of an adapter's own must have. */
export function isAdapterCode(code) {
    return /^[A-Z][A-Z0-9_]*$/.test(code) && CODE_PREFIXES.some((prefix) => code.startsWith(prefix));
}
/**
 * ERR-07. True where the agent cannot help itself. A request that failed the shape check before an operation was
 * selected is marked by `shapeFault`.
 */
export function isToolError(result) {
    if (result.success)
        return false;
    const { code } = result.error;
    if (SHAPE_FAULTS.has(result))
        return true;
    const known = ERRORS[code];
    return known ? known.isError : code.startsWith('INTERNAL_');
}
/** Marks a failure of the request's shape (REQ-02, BATCH-02): no operation was selected, so `isError` is true. */
export function shapeFault(made) {
    SHAPE_FAULTS.add(made);
    return made;
}
const SHAPE_FAULTS = new WeakSet();
/** Messages with parts that depend on what is known. The templates above are what they begin with. */
const MESSAGES = {
    VALIDATION_MISSING_PARAM: ({ param_name, operation, expected }) => `Missing required parameter '${param_name}'${operation ? ` for operation '${operation}'` : ''}${expected ? `. Expected: ${expected}` : ''}`,
    VALIDATION_UNKNOWN_PARAM: ({ unknown_params, operation, valid_params }) => `Unknown parameter '${first(unknown_params)}' for operation '${operation}'${others(unknown_params)}. Valid parameters: ${listed(valid_params)}`,
    VALIDATION_UNKNOWN_FIELD: ({ unknown_fields, operation }) => `Unknown field '${first(unknown_fields)}' in input for operation '${operation}'${others(unknown_fields)}`,
    VALIDATION_APPEND_ONLY: ({ field, alternative }) => `Field '${field}' is append-only${alternative ? `; use '${alternative}' instead` : ''}`,
    NOT_FOUND_OPERATION: ({ operation, suggestions, hint }) => `Unknown operation: '${operation}'${listed(suggestions) ? `. Did you mean ${listed(suggestions)}?` : '.'}${hint ? ` ${hint}` : ''}`,
    CONFLICT_ALREADY_EXISTS: ({ resource_type, resource_id }) => `${capital(String(resource_type))} '${resource_id}' already exists`,
    INTROSPECTION_ERROR: ({ reference }) => `The operation registry could not be read${reference ? `, reference ${reference}` : ''}`,
};
/** Keys that only feed the message. */
const MESSAGE_ONLY = {
    VALIDATION_MISSING_PARAM: ['expected'],
    NOT_FOUND_OPERATION: ['hint'],
    INTERNAL_ERROR: ['description'],
    INTROSPECTION_ERROR: ['reference'],
};
function messageOf(code, details) {
    const build = MESSAGES[code];
    return build ? build(details) : ERRORS[code].message.replace(/\{(\w+)\}/g, (_, key) => listed(details[key]));
}
function wireDetails(code, details) {
    const hidden = MESSAGE_ONLY[code];
    const kept = Object.entries(details).filter(([key, value]) => value !== undefined && !hidden?.includes(key));
    return kept.length === 0 ? {} : { details: Object.freeze(Object.fromEntries(kept)) };
}
function first(value) {
    return String([value].flat()[0]);
}
function others(value) {
    const count = [value].flat().length - 1;
    return count > 0 ? ` (and ${count} other(s))` : '';
}
function listed(value) {
    return value === undefined ? '' : [value].flat().join(', ');
}
function capital(word) {
    return word.charAt(0).toUpperCase() + word.slice(1);
}
function row(http, isError, message) {
    return { http, isError, message };
}
