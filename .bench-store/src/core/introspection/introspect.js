import { CATEGORY_NAMES } from "../../protocol/categories.js";
import { fail } from "../../protocol/errors.js";
import { QUERY_KINDS } from "../../protocol/introspection.js";
import { defineOperation } from "../registry/operation.js";
import { operationDetails, operationInfo, typeDetails, typeInfo } from "./describe.js";
import { findOperations } from "./find-operations.js";
/** Spec §7.2 — an operation like any other; `catalogue` is read at the first call. */
export function introspectOperation(catalogue, hasQuotas) {
    return defineOperation({
        name: 'introspect',
        category: 'READ',
        description: 'Discover operations and types; search for what you need.',
        params: {
            query: {
                type: 'string',
                required: true,
                enum: QUERY_KINDS.filter((kind) => kind !== 'quota_status' || hasQuotas),
                description: 'The kind of answer.',
            },
            name: { type: 'string', description: 'One operation or type in detail; for rest, its handle.' },
            text: {
                type: 'string | string[]',
                description: 'search: what you want to do; several texts at once are cheaper.',
            },
            category: {
                type: 'string',
                enum: [...CATEGORY_NAMES],
                description: 'Narrows search or list; pass it when you know it.',
            },
            limit: {
                type: 'integer',
                minimum: 1,
                maximum: 20,
                description: 'search: matches per text; 5, or 3 for several texts.',
            },
            after: { type: 'string', description: 'Continues a long list: `_protocol.page.next`.' },
        },
        returns: 'object',
        examples: [
            { params: { query: 'search', text: 'what I want to do' } },
            { params: { query: 'operations', name: 'introspect' } },
        ],
        weight: 100,
        handler: (params, context) => answer(params, context, catalogue()),
    });
}
function answer(asked, context, catalogue) {
    const { adapter } = catalogue.registry;
    switch (asked.query) {
        case 'operations':
            return asked.name === undefined ? listOperations(asked, context, catalogue) : oneOperation(asked.name, catalogue);
        case 'types':
            return asked.name === undefined ? listTypes(catalogue) : oneType(asked.name, catalogue);
        case 'search':
            return findOperations(asked, catalogue.finder);
        case 'danger':
            return dangerOf(asked.name, catalogue);
        case 'adapter_info':
            return { name: adapter.name, version: adapter.version ?? '0.0.0', trust: catalogue.trust };
        case 'quota_status':
            return catalogue.gate.quotaStatus();
        case 'rest':
            return readRest(asked.name, context, catalogue);
    }
}
/** INT-03: all of them, or the first page above the limit. */
function listOperations({ category, after }, context, catalogue) {
    const { registry, listPage, gate } = catalogue;
    const all = [...registry.operations.values()].filter((each) => category === undefined || each.category === category);
    const start = after === undefined ? 0 : all.findIndex(({ name }) => name === after) + 1;
    if (after !== undefined && start === 0)
        return badParam('after', 'the next value of the page before');
    const shown = all.slice(start, start + listPage);
    const protocol = { ...catalogue.protocol(context.session), danger: dangerLevels(shown, gate) };
    return {
        _protocol: all.length > listPage ? { ...protocol, page: pageOf(all, shown, start) } : protocol,
        operations: shown.map(operationInfo),
    };
}
function pageOf(all, shown, start) {
    const more = start + shown.length < all.length;
    return {
        total: all.length,
        ...(more && { next: shown.at(-1)?.name }),
        hint: 'Search is cheaper: {"query":"search","text":"what you want to do"}; `after` continues this list.',
    };
}
/** INT-16: an unknown name is a success with null. */
function oneOperation(name, { registry, names, gate }) {
    const operation = registry.operations.get(name);
    return { operation: operation ? operationDetails(operation, names, gate.isGateable(operation)) : null };
}
/** INT-19, DNG-20. */
function dangerOf(name, { registry, gate }) {
    if (name !== undefined) {
        const operation = registry.operations.get(name);
        return { danger: operation ? dangerEntry(operation, gate) : null };
    }
    return {
        danger: Object.fromEntries([...registry.operations.values()].map((each) => [each.name, dangerEntry(each, gate)])),
    };
}
function dangerEntry(operation, gate) {
    const { level, danger, classification } = gate.standing(operation);
    const { confirmationMessage: confirmation_message } = danger;
    return {
        level,
        ...(level !== 'safe' && { reasons: classification.reasons }),
        ...(confirmation_message !== undefined && { confirmation_message }),
    };
}
/** DNG-20: what is not `safe`, by name; whatever is not listed is. */
function dangerLevels(operations, gate) {
    const levels = operations.map((each) => [each.name, gate.standing(each).level]);
    return Object.fromEntries(levels.filter(([, level]) => level !== 'safe'));
}
function listTypes({ registry }) {
    return { types: [...registry.types.values()].map(typeInfo) };
}
function oneType(name, { registry }) {
    const type = registry.types.get(name);
    return { type: type ? typeDetails(type) : null };
}
async function readRest(name, { session }, { rests }) {
    if (name === undefined)
        return fail('VALIDATION_MISSING_PARAM', {
            param_name: 'name',
            operation: 'introspect',
            expected: 'string (the handle of a rest)',
        });
    const rest = await rests.read(session, name);
    return rest ? { rest } : fail('NOT_FOUND_RESOURCE', { resource_type: 'rest', resource_id: name.slice(0, 64) });
}
function badParam(param_name, constraint) {
    return fail('VALIDATION_INVALID_VALUE', { param_name, constraint, operation: 'introspect' });
}
