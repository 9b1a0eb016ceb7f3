import { parseType } from "../registry/type-grammar.js";
/** Reads a dotted path off stored items. Functions are no data, which also hides what a prototype holds. */
export function readPath(path) {
    const [first = '', ...rest] = path.split('.');
    if (rest.length === 0)
        return (item) => ownData(item[first]);
    return (item) => {
        let value = ownData(item[first]);
        for (const step of rest) {
            if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
                return undefined;
            value = value[step];
        }
        return value;
    };
}
function ownData(value) {
    return typeof value === 'function' ? undefined : value;
}
/** The row that describes a dotted path: undefined where the type has none, `'open'` where it allows anything. */
export function fieldAt(type, path, types) {
    let fields = type.fields;
    let field;
    for (const step of path.split('.')) {
        if (fields === 'open')
            return 'open';
        field = fields && Object.hasOwn(fields, step) ? fields[step] : undefined;
        if (!field)
            return undefined;
        fields = membersOf(field, types);
    }
    return field;
}
/** What is inside a field; a listed type that is out of sight is taken for open. */
function membersOf(field, types) {
    if (field.fields)
        return field.open ? 'open' : field.fields;
    const bases = parseType(field.type)?.map(({ base }) => base) ?? [];
    const [only, ...others] = bases.filter((base) => base !== 'null');
    if (only === 'object' || only === 'array' || others.length > 0)
        return 'open';
    if (only === undefined || SCALARS.has(only))
        return undefined;
    const type = types?.get(only);
    if (!type || type.kind === 'union')
        return 'open';
    return type.kind === 'object' ? type.fields : undefined;
}
const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);
