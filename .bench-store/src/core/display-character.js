import { ALIKE, ALIKE_SIGNS, BLANKS, NAMED_RANGES, NAMES, OWN_MARKS, RIGHT_TO_LEFT, SCRIPTS, TYPOGRAPHY, } from "./display-tables.js";
/** `U+202E`, the way Unicode writes it. */
export function codeOf(letter) {
    return `U+${pointOf(letter).toString(16).toUpperCase().padStart(4, '0')}`;
}
/** The name of a character that cannot be seen for what it is; undefined for all others. */
export function hiddenName(letter) {
    if (isPrintableAscii(letter))
        return undefined;
    const point = pointOf(letter);
    const blank = BLANKS.get(point);
    if (blank !== undefined)
        return blank;
    if (!HIDDEN.test(letter))
        return undefined;
    return NAMES.get(point) ?? rangeName(point);
}
/** The name of a character that only `display()` itself may write plainly. */
export function ownMarkName(letter) {
    return OWN_MARKS.get(pointOf(letter));
}
/** What a sign or a number passes for whatever stands beside it; undefined when it is what it looks like. */
export function standInName(letter) {
    if (isPrintableAscii(letter))
        return undefined;
    const sign = SIGNS.get(letter);
    if (sign !== undefined)
        return `looks like ${sign}`;
    if (/\p{Nd}/u.test(letter))
        return 'a digit of another script';
    if (CONJOINING.test(letter))
        return 'part of a Korean syllable';
    if (TYPOGRAPHY.has(letter))
        return undefined;
    const folded = letter.normalize('NFKC');
    return folded === letter
        ? undefined
        : `another form of ${isPrintableAscii(folded) ? folded : [...folded].map(codeOf).join(' ')}`;
}
export function alikeOf(letter) {
    return ALIKE_LETTERS.get(letter);
}
/** True for letters of a script that has letters in the table: beside ASCII, none of them is above suspicion. */
export function isOfAlikeScript(script) {
    return script !== undefined && ALIKE_SCRIPTS.has(script);
}
/** The script of a letter; undefined for what all scripts share. */
export function scriptOf(letter) {
    if (isPrintableAscii(letter))
        return /[a-z]/i.test(letter) ? 'Latin' : undefined;
    if (SHARED.test(letter))
        return undefined;
    return SCRIPT_TESTS.find(([, test]) => test.test(letter))?.[0] ?? 'Other';
}
export function isRightToLeft(letter) {
    const point = pointOf(letter);
    return point >= 0x590 && RIGHT_TO_LEFT.some(([first, last]) => point >= first && point <= last);
}
/** Letters, digits, marks and the underscore: what makes up one word. Whatever is hidden ends it. */
export function isWordPart(letter) {
    return WORD.test(letter) && hiddenName(letter) === undefined;
}
export function isMark(letter) {
    return MARK.test(letter);
}
/** Marks that attach to any letter of any script and pile up at will. */
export function isSharedMark(letter) {
    return SHARED.test(letter);
}
export function isPrintableAscii(letter) {
    return letter.length === 1 && letter >= ' ' && letter <= '~';
}
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;
const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u;
const WORD = /[\p{L}\p{M}\p{N}_]/u;
const MARK = /\p{M}/u;
const CONJOINING = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;
const SIGNS = new Map(ALIKE_SIGNS.flatMap(([signs, like]) => [...signs].map((sign) => [sign, like])));
const ALIKE_LETTERS = new Map(ALIKE.flatMap(({ script, letters, like, inProse }) => {
    const looks = [...like];
    return [...letters].map((letter, at) => [letter, { script, inProse, like: looks[at] ?? '' }]);
}));
/** Latin is the alphabet of ASCII itself: only the letters of the table are marked. */
const ALIKE_SCRIPTS = new Set(ALIKE.filter(({ script, inProse }) => inProse && script !== 'Latin').map(({ script }) => script));
const SCRIPT_TESTS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')]);
function rangeName(point) {
    if ((point & 0xfffe) === 0xfffe)
        return 'NONCHARACTER';
    const range = NAMED_RANGES.find(([first, last]) => point >= first && point <= last);
    if (!range)
        return OTHER_NAMES.find(([test]) => test.test(String.fromCodePoint(point)))?.[1] ?? 'INVISIBLE';
    const [first, , name] = range;
    return name === 'TAG' && point >= 0xe0020 && point < 0xe007f ? `TAG ${String.fromCodePoint(point - first)}` : name;
}
const OTHER_NAMES = [
    [/\p{Cn}/u, 'UNASSIGNED'],
    [/\p{Zs}/u, 'SPACE'],
    [/\p{Cf}/u, 'FORMAT CONTROL'],
];
function pointOf(letter) {
    return letter.codePointAt(0) ?? 0;
}
