import { jsonText } from "../registry/json-text.js";
import { estimateTokens } from "./tokens.js";
/** A few rounds suffice: each one cuts the largest part that is left. */
const MOST_CUTS = 8;
/**
 * Extension "answers that fit": cuts the longest lists and texts of an answer until it costs about `budget` tokens.
 * Each cut needs a warning to tell of it, so there are no more cuts than `room` for them.
 */
export function fitAnswer(data, budget, room = MOST_CUTS) {
    const text = jsonText(data);
    if (estimateTokens(text) <= budget)
        return { data, cuts: [] };
    let fitted = JSON.parse(text);
    const cuts = [];
    for (let round = 0; round < Math.min(MOST_CUTS, room); round++) {
        const excess = estimateTokens(JSON.stringify(fitted)) - budget;
        if (excess <= 0)
            break;
        const part = largestPart(fitted, cuts);
        if (!part)
            break;
        const kept = Math.min(part.value.length - 1, keepable(part.value, part.cost - excess));
        const rest = part.value.slice(kept);
        cuts.push({ field: part.path.join('.'), originalCount: part.value.length, kept, rest });
        fitted = replaced(fitted, part.path, part.value.slice(0, kept));
    }
    return { data: fitted, cuts };
}
/** How many leading elements or characters cost no more than `room`; at least one element stays. */
export function keepable(value, room) {
    if (typeof value === 'string')
        return keepableText(value, room);
    let left = room;
    for (const [index, element] of value.entries()) {
        left -= estimateTokens(JSON.stringify(element)) + 1;
        if (left < 0)
            return Math.max(1, index);
    }
    return value.length;
}
function keepableText(text, room) {
    const share = Math.max(0, room) / Math.max(1, estimateTokens(text));
    const length = Math.min(text.length - 1, Math.max(40, Math.floor(text.length * share)));
    // A cut between the halves of a surrogate pair would leave two characters that are none.
    return (text.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length;
}
/** Lists of two or more and texts of some length, the most expensive first; outer ones before inner ones. */
function largestPart(data, cuts) {
    const done = new Set(cuts.map(({ field }) => field));
    let largest;
    const visit = (value, path) => {
        const divisible = Array.isArray(value) ? value.length > 1 : typeof value === 'string' && value.length > 120;
        if (divisible && !done.has(path.join('.'))) {
            const cost = estimateTokens(JSON.stringify(value));
            if (cost > (largest?.cost ?? 0) * 1.25)
                largest = { path, value: value, cost };
            return; // what is inside costs less
        }
        if (typeof value === 'object' && value !== null) {
            for (const [key, inner] of Object.entries(value))
                visit(inner, [...path, key]);
        }
    };
    visit(data, []);
    return largest;
}
function replaced(data, [step, ...path], value) {
    if (step === undefined)
        return value;
    if (Array.isArray(data))
        return data.map((inner, index) => (String(index) === step ? replaced(inner, path, value) : inner));
    const record = data;
    return { ...record, [step]: replaced(record[step], path, value) };
}
