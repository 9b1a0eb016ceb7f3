import { createHash } from 'node:crypto';
import { canonicalJson } from "../canonical-json.js";
import { displayText } from "../display.js";
import { isObject } from "../registry/check-value.js";
import { maskText } from "../registry/secrets.js";
/**
 * Danger levels document §3.2, DNG-17: the question that a human reads, ready to be shown. Values are filled in once
 * and never searched for placeholders themselves; what no parameter fills stays as it is written. `secrets` are the
 * sensitive values of the call (VAL-10), the longest first.
 */
export function fillMessage(template, params, secrets) {
    return template
        .split(PLACEHOLDER)
        .map((part, at) => (at % 2 === 0 ? literal(part) : fill(part, params, secrets)))
        .join('');
}
/** Captured, so that `split` returns literal text and names in turn. */
const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/;
/** Characters of a value that are shown. */
const ROOM = 200;
/** One space between a word and a value is no blank at the edge of a text, which `displayText` would mark. */
function literal(part) {
    const before = part.startsWith(' ') ? ' ' : '';
    const after = part.length > 1 && part.endsWith(' ') ? ' ' : '';
    return before + displayText(part.slice(before.length, part.length - after.length)) + after;
}
function fill(name, params, secrets) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    return value === undefined ? `{${name}}` : cut(plain(masked(value, secrets)));
}
/** Different values have different texts: a string that could be read as another value is quoted. */
function plain(value) {
    if (typeof value !== 'string')
        return canonicalJson(value);
    return value === '' || isJson(value) ? JSON.stringify(value) : value;
}
function isJson(text) {
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}
/** No value can forge the mark, since `displayText` escapes its brackets; the digest tells equal beginnings apart. */
function cut(text) {
    const shown = [...text.slice(0, 2 * ROOM)].slice(0, ROOM).join('');
    if (shown.length === text.length)
        return displayText(text);
    const digest = createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 32);
    return `${displayText(shown)}⟨cut: ${text.length - shown.length} more characters, SHA-256 ${digest}⟩`;
}
/** Before anything is escaped or quoted: afterwards a secret might be spelled differently. */
function masked(value, secrets) {
    if (secrets.length === 0)
        return value;
    if (typeof value === 'string')
        return maskText(value, secrets);
    if (typeof value === 'number')
        return secrets.includes(String(value)) ? maskText(String(value), secrets) : value;
    if (Array.isArray(value))
        return value.map((inner) => masked(inner, secrets));
    if (!isObject(value))
        return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [maskText(name, secrets), masked(inner, secrets)]));
}
