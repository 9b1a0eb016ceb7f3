import { alikeOf, hiddenName, isMark, isOfAlikeScript, isPrintableAscii, isRightToLeft, isSharedMark, isWordPart, ownMarkName, scriptOf, standInName, } from "./display-character.js";
/** Judges a text word by word and sign by sign. */
export function writeText(text, sheet) {
    if (!isPlainLine(text)) {
        writeLetters([...text], sheet);
        return;
    }
    sheet.plain(text);
    const letter = text.search(/[a-z]/i);
    if (letter >= 0)
        sheet.script(text.charAt(letter));
}
/** Most texts are, and need no second look. */
function isPlainLine(text) {
    return /^[\x20-\x7e]*$/.test(text) && !/^ | $| {2}/.test(text);
}
function writeLetters(letters, sheet) {
    let at = 0;
    while (at < letters.length) {
        const end = wordEnd(letters, at);
        if (end > at)
            writeWord(letters.slice(at, end), sheet);
        else
            writeSign(letters, at, sheet);
        at = Math.max(end, at + 1);
    }
}
function writeSign(letters, at, sheet) {
    const letter = letters[at] ?? '';
    if (letter === '\n')
        sheet.mark('↵', 'LINE FEED');
    else if (letter === '\t')
        sheet.mark('⇥', 'TAB');
    else if (letter === ' ' && !isBetweenVisible(letters, at))
        sheet.mark('␠', 'SPACE');
    else if (isPrintableAscii(letter))
        sheet.plain(letter);
    else
        writeForeignSign(letter, sheet);
}
function writeForeignSign(letter, sheet) {
    const hidden = hiddenName(letter);
    const own = ownMarkName(letter);
    const standIn = standInName(letter);
    if (hidden !== undefined)
        sheet.escape(letter, hidden, 'hidden');
    else if (own !== undefined)
        sheet.escape(letter, own);
    else if (standIn !== undefined)
        sheet.alike(letter, standIn);
    else
        writePlain(letter, sheet);
}
function writePlain(letter, sheet) {
    sheet.plain(letter);
    if (isRightToLeft(letter))
        sheet.mark(...RIGHT_TO_LEFT_END);
}
/** Spaces at an edge or in a row cannot be counted by eye. */
function isBetweenVisible(letters, at) {
    return [letters[at - 1], letters[at + 1]].every((beside) => beside !== undefined && !/[ \t\n]/.test(beside));
}
function wordEnd(letters, start) {
    let end = start;
    while (end < letters.length && isWordPart(letters[end] ?? ''))
        end++;
    return end;
}
function writeWord(word, sheet) {
    for (const letter of word)
        sheet.script(letter);
    if (word.every(isPrintableAscii)) {
        sheet.plain(word.join(''));
        return;
    }
    const isSuspect = isSuspectWord(word);
    let isRunRightToLeft = false;
    const endRun = () => {
        if (isRunRightToLeft)
            sheet.mark(...RIGHT_TO_LEFT_END);
        isRunRightToLeft = false;
    };
    for (const [base = '', ...marks] of clusters(word)) {
        const name = isMark(base) ? 'COMBINING' : letterName(base, isSuspect);
        const isPlain = name === undefined && marksAreOrdinary(base, marks);
        if (isPlain) {
            sheet.plain([base, ...marks].join(''));
            isRunRightToLeft ||= isRightToLeft(base);
            continue;
        }
        if (name === undefined)
            sheet.plain(base);
        if (name === undefined && isRightToLeft(base))
            isRunRightToLeft = true;
        endRun();
        if (name !== undefined && isMark(base))
            sheet.escape(base, name, 'alike');
        else if (name !== undefined)
            sheet.alike(base, name);
        for (const mark of marks)
            sheet.escape(mark, 'COMBINING', 'alike');
    }
    endRun();
}
/** What keeps the screen from weaving what follows into a run of right-to-left letters: these letters are not. */
const RIGHT_TO_LEFT_END = ['⟨right-to-left⟩', 'END OF RIGHT-TO-LEFT TEXT'];
/** Why a letter must be marked here; undefined when it may stand as it is. */
function letterName(letter, isSuspect) {
    if (isPrintableAscii(letter))
        return undefined;
    const standIn = standInName(letter);
    if (standIn !== undefined)
        return standIn;
    const alike = alikeOf(letter);
    if (alike && (isSuspect || !alike.inProse))
        return `${alike.script}, looks like ${alike.like}`;
    const script = isSuspect ? scriptOf(letter) : undefined;
    return isOfAlikeScript(script) ? script : undefined;
}
/**
 * A word of one alphabet with a letter of its own cannot be mistaken for ASCII, so prose stays readable. A word that
 * mixes alphabets can, and so can one in which every letter looks like another's.
 */
function isSuspectWord(word) {
    const foreign = word.filter((letter) => !isPrintableAscii(letter) && isOfAlikeScript(scriptOf(letter)));
    if (foreign.length === 0)
        return false;
    if (word.some((letter) => letter !== '_' && isPrintableAscii(letter)))
        return true;
    const scripts = new Set(word.map(scriptOf).filter((script) => script !== undefined));
    return scripts.size > 1 || foreign.every((letter) => alikeOf(letter) !== undefined);
}
/** Two of a script's own marks are writing; more are noise, and one that composes makes an equal out of two texts. */
function marksAreOrdinary(base, marks) {
    if (marks.length === 0)
        return true;
    const cluster = [base, ...marks].join('');
    return marks.length <= 2 && !marks.some(isSharedMark) && cluster.normalize('NFC') === cluster;
}
function clusters(word) {
    const found = [];
    for (const letter of word) {
        if (isMark(letter) && found.length > 0)
            found.at(-1)?.push(letter);
        else
            found.push([letter]);
    }
    return found;
}
