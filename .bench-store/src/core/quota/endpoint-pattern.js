import { matchesGlob } from "../registry/glob.js";
/** RATE-03: the API limits that a request counts against. */
export function limitsFor({ apiLimits }, call) {
    return apiLimits.filter((limit) => applies(limit, call));
}
/**
 * RATE-02: a pattern is `METHOD /path`, `/path` or the name of an operation, with `*` and `?`. The path is the one that
 * is sent, without its query: otherwise a parameter would lead past the limit.
 */
export function matchesEndpoint(pattern, { operation, method, path }) {
    if (pattern === '*' || matchesGlob(pattern, operation))
        return true;
    if (path === undefined)
        return false;
    const [bare = ''] = path.split(/[?#]/, 1);
    return matchesGlob(pattern, bare) || (method !== undefined && matchesGlob(pattern, `${method.toUpperCase()} ${bare}`));
}
/** Methods are compared in capitals. */
export function normalisePattern(pattern) {
    const space = pattern.indexOf(' ');
    return space < 0 ? pattern : pattern.slice(0, space).toUpperCase() + pattern.slice(space);
}
/** RATE-16, for sorting: a pattern without wildcards first, then the one with more fixed characters. */
export function bySpecificity(a, b) {
    return Number(isWild(a)) - Number(isWild(b)) || fixedCharacters(b) - fixedCharacters(a);
}
function applies(limit, call) {
    switch (limit.scope) {
        case 'global':
            return true;
        case 'category':
            return limit.category === call.category.toLowerCase();
        case 'endpoint':
            return limit.endpoint !== undefined && matchesEndpoint(limit.endpoint, call);
    }
}
function isWild(pattern) {
    return /[*?]/.test(pattern);
}
function fixedCharacters(pattern) {
    return pattern.replace(/[*?]/g, '').length;
}
