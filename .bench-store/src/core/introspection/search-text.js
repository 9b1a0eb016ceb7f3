import { stemmer } from 'stemmer';
import { ABBREVIATIONS, STOP_WORDS } from "./search-vocabulary.js";
/** Longer words are codes, not language: their ending means nothing. */
const LONGEST_STEMMED = 40;
const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)*/gu;
/** One spelling for what reads alike: no accents, no ligatures, plain apostrophes and quotes. */
export function fold(text) {
    if (isAscii(text))
        return text;
    return text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(/[‘’‚′´]/gu, "'")
        .replace(/[“”„«»″]/gu, '"')
        .normalize('NFC');
}
/**
 * The words of a folded text in lower case, camelCase and punctuation taken apart. `whole` is given with the last piece
 * of a word of two humps, so that "GitHub" can be found as "git hub" and as "github".
 */
export function eachWord(text, visit) {
    for (const match of text.match(WORD) ?? []) {
        for (const plain of withoutApostrophe(match))
            eachHump(plain, visit);
    }
}
/** What a word in lower case is indexed and asked under: none for a stop word, several for an abbreviation. */
export function termsOfWord(word) {
    const long = ABBREVIATIONS.get(word);
    if (long !== undefined)
        return long.filter((part) => !STOP_WORDS.has(part)).map(stem);
    return isSilent(word) ? [] : [stem(word)];
}
export function termsOfText(text) {
    const terms = [];
    eachWord(fold(text), (word) => terms.push(...termsOfWord(word)));
    return terms;
}
export function stem(word) {
    return word.length <= LONGEST_STEMMED && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}
export function isNumber(word) {
    return /^\p{N}+$/u.test(word);
}
function isSilent(word) {
    return STOP_WORDS.has(word) || (word.length === 1 && word >= 'a' && word <= 'z');
}
/** "harbor's" is harbor; "don't" and "I've" are function words; "l'état" is two words. */
function withoutApostrophe(word) {
    const at = word.indexOf("'");
    if (at < 0)
        return [word];
    const [tail = ''] = word.slice(at + 1).split("'");
    if (tail === 's' || tail === 'S')
        return [word.slice(0, at)];
    if (/^(?:t|ve|re|ll|d|m)$/i.test(tail))
        return [];
    return word.split("'");
}
function eachHump(word, visit) {
    const humps = humpsOf(word);
    humps.forEach((hump, at) => {
        const closesPair = humps.length === 2 && at === 1;
        if (closesPair)
            visit(hump.toLowerCase(), word.toLowerCase());
        else
            visit(hump.toLowerCase());
    });
}
/** fooBar, FOOBar and s3Bucket have humps; URLs and 2FA have not. */
function humpsOf(word) {
    if (!/\p{Lu}/u.test(word.slice(1)) || /^\p{Lu}+s?$/u.test(word))
        return [word];
    return word
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .replace(/([\p{Lu}\p{N}])(\p{Lu}\p{Ll})/gu, '$1 $2')
        .split(' ');
}
function isAscii(text) {
    for (let at = 0; at < text.length; at++)
        if (text.charCodeAt(at) > 127)
            return false;
    return true;
}
