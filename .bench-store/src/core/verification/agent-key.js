import { ALIKE } from "../display-tables.js";
/** LOOP-10, R-27: principal and normalised name. The principal alone is the key of a block on all its agents. */
export function agentKey(principal, elementName) {
    return JSON.stringify([principal, normaliseName(elementName)]);
}
/** NFKC, case folded, trimmed, white space collapsed. */
export function normaliseName(elementName) {
    return elementName.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
}
/** BLOCK-04: names that a reader takes for one another have the same one. Not for display. */
export function lookAlike(elementName) {
    const visible = normaliseName(elementName)
        .normalize('NFKD')
        .replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
    const letters = Array.from(visible, (letter) => SAME.get(letter) ?? letter).join('');
    const plain = letters.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    return Array.from(plain, (letter) => SAME.get(letter) ?? letter)
        .join('')
        .replaceAll('rn', 'm')
        .replaceAll('vv', 'w')
        .replaceAll('cl', 'd');
}
/** Digits and letters that pass for one another in most fonts; one of each group stands for all. */
const GROUPS = ['o0', 'l1i|!', 's5$', 'b8', 'z2', 'g9q', 'vu'];
const SAME = new Map([
    ...ALIKE.flatMap(({ letters, like }) => {
        const looks = Array.from(like);
        return Array.from(letters, (letter, at) => [letter, (looks[at] ?? letter).toLowerCase()]);
    }),
    ...GROUPS.flatMap((group) => Array.from(group.slice(1), (letter) => [letter, group.slice(0, 1)])),
]);
