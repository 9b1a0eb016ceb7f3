import { isTooLong } from "./search-tokens.js";
const QUOTED = 0.5;
/** A number is a word only where the catalogue knows it ("oauth 2"). */
export const NUMBER_WEIGHT = 0.3;
const WORD = { weight: 1, values: 0 };
/** Read from the top: the first that fits decides. Each looks at one token of bounded length. */
const KINDS = [
    { fits: (text) => text.includes('://') || text.startsWith('www.'), kind: { weight: 0, values: 1 } },
    { fits: isAddress, kind: { weight: 0, values: 1 } },
    { fits: (text) => isInside(text, '='), kind: { weight: 0.1, values: 1 } },
    { fits: (text) => text.includes('_') && text === text.toUpperCase(), kind: { weight: 0.1, values: 1 } },
    { fits: (text) => isInside(text, '/'), kind: { weight: 0.25, values: 2 } },
    { fits: (text) => /^[\d.,:%-]+$/.test(text), kind: { weight: NUMBER_WEIGHT, values: 1 } },
    { fits: (text) => isInside(text, '.'), kind: { weight: 0.25, values: 1 } },
];
/** Values are recognised token by token: no pattern ever runs over the whole text. */
export function kindOf(token) {
    if (isTooLong(token))
        return { weight: 0, values: 1 };
    const kind = KINDS.find(({ fits }) => fits(token.text))?.kind ?? WORD;
    return token.quotation === undefined ? kind : { weight: Math.min(kind.weight, QUOTED), values: 0 };
}
function isAddress(text) {
    const at = text.indexOf('@');
    return at > 0 && text.indexOf('.', at) > at + 1;
}
function isInside(text, mark) {
    const at = text.indexOf(mark);
    return at > 0 && at < text.length - 1;
}
