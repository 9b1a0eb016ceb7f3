import { known } from "./scope.js";
/** `-rf` is `-r` and `-f`; `valued` names the flags that take the next word, or the rest of theirs. */
export function splitOptions(words, valued = NO_VALUES) {
    const flags = [];
    const values = new Map();
    const operands = [];
    for (let i = 0; i < words.length; i++) {
        const raw = words[i] ?? '';
        const word = known(raw);
        if (word === '--') {
            operands.push(...words.slice(i + 1));
            break;
        }
        if (!word.startsWith('-') || word === '-' || raw.startsWith('\0'))
            operands.push(raw);
        else if (word.startsWith('--')) {
            const at = word.indexOf('=');
            const name = at < 0 ? word : word.slice(0, at);
            flags.push(name);
            if (at >= 0)
                values.set(name, word.slice(at + 1));
            else if (valued.has(name))
                values.set(name, words[++i] ?? '');
        }
        else
            i += cluster(word, words[i + 1], valued, flags, values);
    }
    return { flags, values, operands };
}
/** True when one of the names was given; long names may be cut as GNU allows. */
export function has({ flags }, ...names) {
    return names.some((name) => flags.some((flag) => flag === name || isCutOf(flag, name)));
}
export function optionValue({ values }, ...names) {
    for (const name of names)
        if (values.has(name))
            return values.get(name);
    return undefined;
}
export function words(text) {
    return text.split(/\s+/).filter((word) => word !== '');
}
export function wordSet(text) {
    return new Set(words(text));
}
const NO_VALUES = new Set();
/** How many further words it took. */
function cluster(word, next, valued, flags, values) {
    if (valued.has(word)) {
        flags.push(word);
        values.set(word, next ?? '');
        return 1;
    }
    for (let i = 1; i < word.length; i++) {
        const flag = `-${word[i]}`;
        flags.push(flag);
        if (!valued.has(flag))
            continue;
        const rest = word.slice(i + 1);
        values.set(flag, rest === '' ? (next ?? '') : rest);
        return rest === '' ? 1 : 0;
    }
    if (word.length > 2)
        flags.push(word);
    return 0;
}
function isCutOf(flag, name) {
    return flag.length > 3 && flag.startsWith('--') && name.startsWith(flag);
}
