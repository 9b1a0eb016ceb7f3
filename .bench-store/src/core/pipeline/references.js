import { fail } from "../../protocol/errors.js";
import { FORBIDDEN_KEYS } from "../../protocol/request.js";
import { isFailure } from "../../protocol/result.js";
import { isObject } from "../registry/check-value.js";
import { shortened, shortenedName } from "./fault-failure.js";
/**
 * Extension "references in batches": `{"$ref": "0.data.id"}` takes a value from an earlier result of the same batch,
 * `{"$literal": …}` sends such an object as data. Nothing runs for an entry whose reference cannot be resolved.
 */
export function resolveReferences(fields, earlier, where) {
    if (!mentions(fields))
        return fields;
    const resolved = resolve(fields, earlier, where);
    return resolved;
}
/** Most entries have none; they are not copied. */
function mentions(value) {
    if (typeof value !== 'object' || value === null)
        return false;
    if (!Array.isArray(value) && (Object.hasOwn(value, '$ref') || Object.hasOwn(value, '$literal')))
        return true;
    return Object.values(value).some(mentions);
}
function resolve(value, earlier, where) {
    if (typeof value !== 'object' || value === null)
        return value;
    if (Array.isArray(value)) {
        const items = value.map((item, index) => resolve(item, earlier, `${where}[${index}]`));
        return items.find(isFailure) ?? items;
    }
    const keys = Object.keys(value);
    const record = value;
    if (keys.length === 1 && keys[0] === '$ref')
        return follow(record.$ref, earlier, where);
    if (keys.length === 1 && keys[0] === '$literal')
        return record.$literal;
    const entries = [];
    for (const key of keys) {
        const inner = resolve(record[key], earlier, `${where}.${key}`);
        if (isFailure(inner))
            return inner;
        entries.push([key, inner]);
    }
    return Object.fromEntries(entries);
}
function follow(reference, earlier, where) {
    if (typeof reference !== 'string')
        return unresolved(where, 'a reference such as "0.data.id"');
    const [source = '', ...path] = reference.split('.');
    const read = earlier.get(source);
    if (!read)
        return unresolved(where, 'a reference to an earlier entry of this batch, by index or _id');
    const result = read();
    if (!result.success)
        return unresolved(where, `a reference to a successful entry; entry '${source.slice(0, 64)}' failed`);
    let value = result;
    for (const step of path) {
        const found = typeof value === 'object' && value !== null && !FORBIDDEN_KEYS.has(step) && Object.hasOwn(value, step);
        if (!found)
            return unresolved(where, `an existing path; entry '${source.slice(0, 64)}' has ${listKeys(value)}`);
        value = value[step];
    }
    return value;
}
function listKeys(value) {
    if (Array.isArray(value))
        return `a list of ${value.length} there`;
    if (!isObject(value))
        return 'a plain value there';
    return `the keys ${shortened(Object.keys(value)).join(', ')} there`;
}
function unresolved(path, constraint) {
    return fail('VALIDATION_INVALID_VALUE', { param_name: shortenedName(path), constraint });
}
