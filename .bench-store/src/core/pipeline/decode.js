import { fail, shapeFault } from "../../protocol/errors.js";
import { LIMITS } from "../../protocol/limits.js";
import { isObject } from "../registry/check-value.js";
import { typeName } from "../registry/type-grammar.js";
import { scanValue } from "./bytes.js";
/** Spec §4.1, REQ-01, REQ-02, BATCH-02 — encoding and limits first, then the shape of the request. */
export function decode(given, { limits, batch, maxBatch }) {
    const fault = checkSize(given, limits);
    if (fault)
        return fault;
    if (!isObject(given))
        return wrongType('arguments', 'object', given);
    const hasOperations = Object.hasOwn(given, 'operations') && batch;
    if (!hasOperations) {
        const operation = operationOf(given, 'operation');
        return typeof operation === 'string' ? { kind: 'single', operation, fields: given } : operation;
    }
    if (Object.hasOwn(given, 'operation')) {
        return invalid('operations', 'either operation or operations, not both');
    }
    return decodeBatch(given, maxBatch);
}
/** DATA-02, DATA-08, DATA-09 for a value that has been parsed. */
export function checkSize(value, limits) {
    const fault = scanValue(value, {
        maxBytes: limits.max_request_size,
        maxDepth: limits.max_nesting_depth,
        maxString: limits.max_string_length,
        maxArray: limits.max_array_elements,
    });
    return fault && byteFailure(fault);
}
function decodeBatch(given, maxBatch) {
    const { operations, parallel = false } = given;
    if (!Array.isArray(operations))
        return wrongType('operations', 'array', operations);
    if (operations.length === 0)
        return invalid('operations', 'one or more entries');
    if (operations.length > maxBatch)
        return invalid('operations', `no more than ${maxBatch} entries`);
    if (typeof parallel !== 'boolean')
        return wrongType('parallel', 'boolean', parallel);
    const entries = [];
    for (const [index, fields] of operations.entries()) {
        if (!isObject(fields))
            return wrongType(`operations[${index}]`, 'object', fields);
        if (typeof fields.operation !== 'string' || !Object.hasOwn(fields, 'operation')) {
            return shapeFault(fail('VALIDATION_MISSING_PARAM', { param_name: `operations[${index}].operation` }));
        }
        const operation = operationOf(fields, `operations[${index}].operation`);
        if (typeof operation !== 'string')
            return operation;
        entries.push({ operation, fields });
    }
    return { kind: 'batch', entries, parallel, fields: given };
}
/** A fault of the byte stage as the failure that the caller sees (ERR-28, ERR-29). */
export function byteFailure(fault) {
    switch (fault.kind) {
        case 'limit':
            return tooLarge(fault.limit, fault.limitValue, fault.actualValue);
        case 'encoding':
            return fail('VALIDATION_INVALID_ENCODING', { location: fault.location, byte_offset: fault.byteOffset });
        case 'duplicate_key':
            return invalid('arguments', 'every key once');
        case 'syntax':
            return invalid('arguments', 'JSON');
    }
}
export function tooLarge(limit_type, limit_value, actual_value) {
    const { unit } = LIMITS[limit_type];
    return fail('VALIDATION_PAYLOAD_TOO_LARGE', { limit_type, limit_value, actual_value, unit });
}
function operationOf(fields, param_name) {
    const operation = Object.hasOwn(fields, 'operation') ? fields.operation : undefined;
    if (operation === undefined) {
        return shapeFault(fail('VALIDATION_MISSING_PARAM', {
            param_name,
            expected: 'string, the name of an operation; introspect lists them',
        }));
    }
    if (typeof operation !== 'string')
        return wrongType(param_name, 'string', operation);
    if (operation === '')
        return invalid(param_name, 'the name of an operation');
    if (Object.hasOwn(fields, 'params') && !isObject(fields.params)) {
        return wrongType(param_name.replace(/operation$/, 'params'), 'object', fields.params);
    }
    return operation;
}
function wrongType(param_name, expected_type, value) {
    return shapeFault(fail('VALIDATION_INVALID_TYPE', { param_name, expected_type, actual_type: typeName(value) }));
}
function invalid(param_name, constraint) {
    return shapeFault(fail('VALIDATION_INVALID_VALUE', { param_name, constraint }));
}
