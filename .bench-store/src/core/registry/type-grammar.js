export const BUILTIN_TYPES = new Set([
    'string',
    'number',
    'integer',
    'boolean',
    'object',
    'array',
    'null',
]);
/** Undefined when the text does not follow the grammar. */
export function parseType(text) {
    const parts = text.split(' | ').map((part) => ALTERNATIVE.exec(part));
    if (parts.some((part) => part === null))
        return undefined;
    return parts.map((part) => ({ base: part?.[1] ?? '', depth: (part?.[2] ?? '').length / 2 }));
}
const ALTERNATIVE = /^([A-Za-z][A-Za-z0-9_]*)((?:\[\])*)$/;
/** The JSON type of a value, as error details name it. */
export function typeName(value) {
    if (value === null)
        return 'null';
    return Array.isArray(value) ? 'array' : typeof value;
}
