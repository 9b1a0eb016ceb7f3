/** RATE-17: keys that a later version of the specification may give a meaning. */
export const RESERVED_KEYS = new Set([
    'shared_pools',
    'scheduling',
    'alerts',
    'coordination',
    'count_method',
]);
/** An object with known keys only; everything else is said in `errors`. */
export function fieldsOf(value, path, known, errors) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        errors.push(`${path} must be an object with the keys ${known.join(', ')}.`);
        return undefined;
    }
    const fields = Object.create(null);
    for (const [key, member] of Object.entries(value)) {
        if (known.includes(key))
            fields[key] = member;
        else
            errors.push(unknownKey(`${path}.${shown(key)}`, key, known));
    }
    return fields;
}
/** A list of at most `most` entries; `undefined` when it is absent or was refused. */
export function listOf(value, path, most, errors) {
    if (value === undefined)
        return undefined;
    if (Array.isArray(value) && value.length <= most)
        return value;
    errors.push(`${path} must be a list of at most ${most} entries.`);
    return undefined;
}
export function choiceOf(value, path, choices, errors) {
    const choice = choices.find((choice) => choice === value);
    if (choice === undefined)
        errors.push(`${path} must be one of ${choices.join(', ')}.`);
    return choice;
}
/** A text of 1 to 200 characters without control characters. */
export function textOf(value, path, example, errors) {
    if (typeof value === 'string' && value.trim() !== '' && value.length <= 200 && !/\p{Cc}/u.test(value))
        return value;
    errors.push(`${path} must be a text such as "${example}".`);
    return undefined;
}
function unknownKey(path, key, known) {
    return RESERVED_KEYS.has(key)
        ? `${path} is reserved for a later version and not supported: remove it.`
        : `${path} is unknown: use ${known.join(', ')}, or remove it.`;
}
function shown(key) {
    const plain = key.replace(/[^\w-]/g, '?');
    return plain.length <= 40 ? plain : `${plain.slice(0, 40)}…`;
}
