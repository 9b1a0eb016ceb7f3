/** TOOL-01: the default template. The unified tool drops the endpoint and the underscore before it. */
export const DEFAULT_PATTERN = '{adapter}_mcpaql_{endpoint}';
/** TOOL-02: names that can be asked for in place of a pattern. */
export const NAMED_PATTERNS = Object.freeze({
    classic: 'mcp_aql_{endpoint}',
    bare: 'mcpaql_{endpoint}',
});
const PREFIX = /^[a-z0-9_]*_$/;
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** TOOL-01 to TOOL-04, MULTI-02. Throws with the reason when a name cannot be made. */
export function nameTools(profile, mode, rules) {
    const template = templateOf(rules);
    const fill = (endpoint) => checked(fillIn(template, snakeCase(rules.adapter), endpoint));
    const families = new Map(mode === 'single' ? [] : profile.families.map(({ name }) => [name, fill(name)]));
    const names = { families, ...(mode !== 'semantic' && { unified: fill(undefined) }) };
    const all = [...families.values(), ...(names.unified ? [names.unified] : [])];
    if (new Set(all).size < all.length)
        throw new Error(`Tool names collide: ${all.join(', ')}. Use {endpoint} in the pattern.`);
    return names;
}
function templateOf({ pattern, prefix }) {
    if (prefix === undefined || prefix === '') {
        if (pattern === undefined)
            return DEFAULT_PATTERN;
        return Object.hasOwn(NAMED_PATTERNS, pattern) ? (NAMED_PATTERNS[pattern] ?? pattern) : pattern;
    }
    if (!PREFIX.test(prefix)) {
        throw new Error(`Tool prefix '${prefix}' must be lower-case letters, digits and underscores, and end with one.`);
    }
    return `${prefix}mcp_aql_{endpoint}`;
}
function fillIn(template, adapter, endpoint) {
    const named = template.replaceAll('{adapter}', adapter);
    return endpoint === undefined
        ? named.replaceAll('_{endpoint}', '').replaceAll('{endpoint}_', '').replaceAll('{endpoint}', '')
        : named.replaceAll('{endpoint}', endpoint);
}
function checked(name) {
    if (!TOOL_NAME.test(name))
        throw new Error(`'${name}' is not a tool name: 1 to 128 of A-Z a-z 0-9 _ . -`);
    return name;
}
/** `apple-mail` and `AppleMail` give `apple_mail`. */
export function snakeCase(name) {
    return name
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replace(/[^A-Za-z0-9]+/g, '_')
        .replace(/^_|_$/g, '')
        .toLowerCase();
}
