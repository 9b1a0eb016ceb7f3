/**
 * Letters that look like ASCII ones and that NFKC leaves alone: Cyrillic, Greek, Armenian, Cherokee and Latin
 * variants, dashes, quotes, slashes. Each row is the ASCII character and what looks like it.
 */
const LOOK_ALIKES = [
    ['a', 'аɑα'],
    ['b', 'ƅьЬᏏ'],
    ['c', 'сϲᴄⅽ'],
    ['d', 'ԁɗⅾᏧ'],
    ['e', 'еҽɛ'],
    ['f', 'ƒẝϝ'],
    ['g', 'ɡցƍ'],
    ['h', 'һհᏂ'],
    ['i', 'іɩιıӏ'],
    ['j', 'јϳ'],
    ['k', 'κкᴋ'],
    ['l', 'ⅼƖǀ'],
    ['m', 'мᴍⅿ'],
    ['n', 'пռη'],
    ['o', 'оοօᴏσ'],
    ['p', 'рρϱ'],
    ['q', 'ԛգ'],
    ['r', 'гᴦꮁɼ'],
    ['s', 'ѕꜱƽ'],
    ['t', 'тτᴛ'],
    ['u', 'υսᴜʋ'],
    ['v', 'νѵᴠⅴ'],
    ['w', 'ѡԝᴡɯ'],
    ['x', 'хχⅹ'],
    ['y', 'уγүʏ'],
    ['z', 'ᴢʐ'],
    ['A', 'АΑᎪ'],
    ['B', 'ВΒᏴ'],
    ['C', 'СϹᏟ'],
    ['D', 'ᎠᗞԀ'],
    ['E', 'ЕΕᎬ'],
    ['F', 'ϜᖴҒ'],
    ['H', 'НΗᎻ'],
    ['I', 'ІΙӀ'],
    ['J', 'ЈᎫ'],
    ['K', 'КΚᏦ'],
    ['L', 'ᏞᒪԼ'],
    ['M', 'МΜᎷ'],
    ['N', 'Ν'],
    ['O', 'ОΟՕ'],
    ['P', 'РΡᏢ'],
    ['R', 'ᎡᖇƦ'],
    ['S', 'ЅᏚՏ'],
    ['T', 'ТΤᎢ'],
    ['U', 'Սᑌ'],
    ['V', 'ѴᏙ'],
    ['W', 'ԜᎳ'],
    ['X', 'ХΧ'],
    ['Y', 'ҮΥ'],
    ['Z', 'ΖᏃ'],
    ['-', '‐‑‒–—―−﹘﹣－ー'],
    ['/', '∕⁄╱⧸'],
    ["'", '‘’ʼ′‚'],
    ['"', '“”″„'],
    ['*', '∗⁎٭'],
    [';', ';︔'],
    [':', '∶ː'],
    ['.', '․'],
    ['|', '∣｜'],
    ['~', '∼˜'],
    ['$', '＄'],
];
const BY_CHARACTER = new Map(LOOK_ALIKES.flatMap(([ascii, looks]) => Array.from(looks, (look) => [look, ascii])));
/** The text with every look-alike as the ASCII character that a reader takes it for. */
export function asciiOf(text) {
    return isAscii(text)
        ? text
        : Array.from(text, (char) => (isAscii(char) ? char : (BY_CHARACTER.get(char) ?? char))).join('');
}
export function isAscii(text) {
    for (let i = 0; i < text.length; i++)
        if (text.charCodeAt(i) > 0x7f)
            return false;
    return true;
}
