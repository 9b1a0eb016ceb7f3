import { fold } from "./search-text.js";
/** What is read of a description at all, and what of it is indexed. */
const LONGEST_READ = 4_000;
const LONGEST_INDEXED = 400;
/** A sentence that more operations share than this says nothing about any of them. */
const COMMON_COUNT = 3;
const COMMON_SHARE = 0.005;
/** The descriptions as they are indexed: without markup, without sentences that many operations share, cut. */
export function indexedProse(descriptions) {
    const sentences = descriptions.map((text) => sentencesOf(withoutMarkup(fold(text.slice(0, LONGEST_READ)))));
    const shared = countShared(sentences);
    const most = Math.max(COMMON_COUNT, descriptions.length * COMMON_SHARE);
    const isOwn = (sentence) => (shared.get(mask(sentence)) ?? 0) <= most;
    return sentences.map((all) => all.filter(isOwn).join(' ').replaceAll('`', '').slice(0, LONGEST_INDEXED));
}
/** Code blocks and addresses go, the words of links and inline code stay; `mask` needs the marks around code. */
function withoutMarkup(text) {
    return text
        .replace(/```[^`]*```/g, ' ')
        .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
        .replace(/<[^<>]*>/g, ' ')
        .replace(/https?:\/\/[^\s<>()]+/g, ' ')
        .replace(/[*_#>|~]{2,}/g, ' ');
}
function sentencesOf(text) {
    return text
        .split(/(?<=[.!?])\s+|\n+/)
        .map((sentence) => sentence.trim())
        .filter((sentence) => sentence !== '');
}
function countShared(texts) {
    const counts = new Map();
    for (const sentences of texts) {
        for (const key of new Set(sentences.map(mask)))
            counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
}
/** Sentences that differ in a number or a quoted name are the same sentence. */
function mask(sentence) {
    return sentence
        .toLowerCase()
        .replace(/\d+/g, '0')
        .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""');
}
