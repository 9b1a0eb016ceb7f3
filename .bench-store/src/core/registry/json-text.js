import { MAX_SAFE } from "../../protocol/limits.js";
/**
 * Compact JSON of an answer. DATA-06: an integer that a JSON number cannot carry is written as a string; the slow path
 * is taken only where one may be.
 */
export function jsonText(value) {
    let text;
    try {
        text = JSON.stringify(value);
    }
    catch (cause) {
        // A bigint is what JSON.stringify refuses; anything else it refuses, it refuses again below.
        if (!(cause instanceof TypeError))
            throw cause;
    }
    return (text === undefined || LONG_NUMBER.test(text) ? JSON.stringify(value, exact) : text) ?? 'null';
}
/** The value as the caller will read it: what has no JSON form of its own has taken one. */
export function plainJson(value) {
    return JSON.parse(jsonText(value));
}
/** Sixteen digits in a row: perhaps an unsafe integer, perhaps only text. */
const LONG_NUMBER = /[:,[]-?\d{16}|\de\+\d/;
function exact(_, value) {
    if (typeof value === 'bigint')
        return String(value);
    const unsafe = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > MAX_SAFE;
    return unsafe ? BigInt(value).toString() : value;
}
