/** Below this likeness a name is no suggestion. */
const LEAST_LIKENESS = 0.35;
/** Names of more letters are compared by their first ones. */
const LONGEST_COMPARED = 100;
/** Most pairs of other words are not wanted: a glance at a table of this size is quicker than a look into a map. */
const FILTER_SIZE = 4_096;
/** The names that look most like one, best first, in the given order among equals: for "did you mean". */
export function nearestNames(name, names, limit) {
    const likenessOf = likenessTo(plain(name), LEAST_LIKENESS);
    const likely = [];
    for (const candidate of names) {
        const likeness = likenessOf(plain(candidate));
        if (likeness > 0)
            likely.push({ name: candidate, likeness });
    }
    likely.sort((a, b) => b.likeness - a.likeness);
    return likely.slice(0, limit).map((found) => found.name);
}
/**
 * How like a word others are (Dice): twice the pairs of neighbouring letters in common over all pairs. 1 is the same
 * word; what would be under `least` is 0. Nothing is kept of the others, so that many can be tried.
 */
export function likenessTo(word, least) {
    const places = new Map();
    const isLikely = new Uint8Array(FILTER_SIZE);
    const counts = new Uint16Array(Math.max(0, word.length - 1));
    for (let at = 0; at < counts.length; at++) {
        const pair = pairAt(word, at);
        const place = places.get(pair) ?? places.size;
        places.set(pair, place);
        isLikely[filterPlace(pair)] = 1;
        counts[place] = (counts[place] ?? 0) + 1;
    }
    const left = new Uint16Array(counts.length);
    return (other) => {
        const length = Math.max(0, other.length - 1);
        const total = counts.length + length;
        if (length === 0 || 2 * Math.min(counts.length, length) < least * total)
            return 0;
        left.set(counts);
        let common = 0;
        for (let at = 0; at < length; at++) {
            const pair = pairAt(other, at);
            if (isLikely[filterPlace(pair)] === 0)
                continue;
            const place = places.get(pair);
            if (place === undefined || left[place] === 0)
                continue;
            left[place] = (left[place] ?? 0) - 1;
            common++;
        }
        const likeness = (2 * common) / total;
        return likeness < least ? 0 : likeness;
    };
}
function filterPlace(pair) {
    return ((pair >>> 10) ^ pair) & (FILTER_SIZE - 1);
}
function pairAt(word, at) {
    return word.charCodeAt(at) * 65_536 + word.charCodeAt(at + 1);
}
/** One spelling for createIssue, create-issue and create_issue. */
function plain(name) {
    const start = name.slice(0, LONGEST_COMPARED);
    if (/^[a-z0-9_]*$/.test(start))
        return start;
    return start
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
        .replace(/[-\s]/g, '_')
        .toLowerCase();
}
