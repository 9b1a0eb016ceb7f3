import { DANGER_PATTERNS } from "../../protocol/danger.js";
import { matchesGlob } from "../registry/glob.js";
import { faultOf, quoted, TEXTS } from "./key-rules.js";
/** DNG-12: entries add to the built-in list; only `remove` takes one of those away. */
export function compilePatterns(settings) {
    const error = faultOf(settings, KEYS, 'danger_patterns') ?? wrongPattern(settings) ?? wrongRemoval(settings);
    if (error !== undefined)
        return { error };
    const { dangerous = [], forbidden = [], remove = [] } = settings;
    const builtIn = DANGER_PATTERNS.filter(({ pattern }) => !remove.includes(pattern));
    const own = [...dangerous.map(ownRow('dangerous')), ...forbidden.map(ownRow('forbidden'))];
    return { patterns: Object.freeze([...builtIn, ...own]) };
}
/**
 * DNG-09, R-12: a pattern that begins with a word is also tried on each remainder after an underscore. One that begins
 * with `*` matches a remainder only where it matches the whole.
 */
export function matchesName(pattern, name, tryRemainders) {
    if (matchesGlob(pattern, name))
        return true;
    if (!tryRemainders)
        return false;
    for (let at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1)) {
        if (matchesGlob(pattern, name.slice(at + 1)))
            return true;
    }
    return false;
}
const KEYS = { dangerous: TEXTS, forbidden: TEXTS, remove: TEXTS };
function ownRow(level) {
    return (pattern) => ({ pattern, level, reason: 'the operator listed names like this one' });
}
/** Another character could never match a name, and a rule that never matches is worse than none. */
function wrongPattern({ dangerous = [], forbidden = [] }) {
    const wrong = [...dangerous, ...forbidden].find((pattern) => !/^[a-z0-9_*?]+$/.test(pattern));
    if (wrong === undefined)
        return undefined;
    return `the danger pattern ${quoted(wrong)} must hold only a-z, 0-9, '_', '*' and '?', as operation names do`;
}
function wrongRemoval({ remove = [] }) {
    const known = DANGER_PATTERNS.map(({ pattern }) => pattern);
    const wrong = remove.find((pattern) => !known.includes(pattern));
    if (wrong === undefined)
        return undefined;
    return `\`danger_patterns.remove\` names ${quoted(wrong)}, which is not built in; there are ${known.join(', ')}`;
}
