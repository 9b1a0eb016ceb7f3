import { fail } from "../../protocol/errors.js";
import { nearestNames } from "../introspection/search.js";
import { shortenedName } from "./fault-failure.js";
/** Spec §6.2 — the operation exists, and the tool that was called is its own (MODE-07, ERR-27, ERR-30). */
export function route(call, { registry, names }) {
    const target = registry.operations.get(call.operation);
    if (!target)
        return unknown(call.operation, registry, names);
    if (call.family === undefined || call.family === target.endpoint)
        return routed(call, target);
    return fail('VALIDATION_ENDPOINT_MISMATCH', {
        operation: call.operation,
        expected_endpoint: spelled(target.endpoint, registry),
        actual_endpoint: spelled(call.family, registry),
        expected_tool: names.families.get(target.endpoint),
        actual_tool: call.tool,
    });
}
/** Written out: a spread costs more than the rest of this station. */
function routed({ family, tool, session, operation, fields, caller, inBatch }, target) {
    const call = { family, tool, session, operation, fields, caller, target };
    return inBatch ? { ...call, inBatch } : call;
}
/** CRUDE families are upper case in this error, and only here. */
function spelled(family, { profile }) {
    return profile.name === 'crude' ? family.toUpperCase() : family;
}
function unknown(operation, { operations, profile }, names) {
    const suggestions = nearestNames(operation.slice(0, 128), operations.keys(), 3);
    const tool = names.families.get(profile.introspection) ?? names.unified;
    return fail('NOT_FOUND_OPERATION', {
        operation: shortenedName(operation),
        ...(suggestions.length > 0 && { suggestions }),
        hint: `Search with {"operation":"introspect","params":{"query":"search","text":"…"}} on ${tool}.`,
    });
}
