import { nearestNames } from "./letter-pairs.js";
import { buildIndex } from "./search-index.js";
import { createQueryReader } from "./search-query.js";
import { createScorer } from "./search-score.js";
import { termsOfText } from "./search-text.js";
export { nearestNames } from "./letter-pairs.js";
const DEFAULT_LIMIT = 5;
const MOST_TAGS = 50;
/** A longer text is no operation's name. */
const LONGEST_NAME = 500;
/**
 * Extension "Search": operations by what they are for. Words weighted by where they stand, with a guess of what the
 * asker wants to do; no model and no network. The same text always finds the same, ties in catalogue order.
 */
export function createSearchIndex(documents) {
    const index = buildIndex(documents);
    const readQuery = createQueryReader(index);
    const score = createScorer(index);
    const names = documents.map((document) => document.name);
    let tags;
    function search(text, { category, limit = DEFAULT_LIMIT, explain = false } = {}) {
        const scored = score(readQuery(text), category, limit);
        const exact = text.length > LONGEST_NAME ? undefined : index.names.get(text.trim().toLowerCase());
        const matches = exact === undefined ? scored.best : withFirst(exact, scored.best, limit);
        if (matches.length === 0)
            return { matches, ...notFound(text) };
        if (!explain)
            return { matches };
        return { matches: matches.map((match) => ({ ...match, factors: factorsOf(match.document) })) };
        function factorsOf(document) {
            const factors = scored.factorsOf(document);
            return document === exact ? { ...factors, exact: 1 } : factors;
        }
    }
    function notFound(text) {
        tags ??= tagsOf(documents).slice(0, MOST_TAGS);
        return { nearest: nearestNames(text.slice(0, LONGEST_NAME).trim(), names, DEFAULT_LIMIT), tags };
    }
    return { search };
}
/** The terms of a text, so that a signature can put first the parameters that share one with the question. */
export function searchTerms(text) {
    return new Set(termsOfText(text));
}
/** A name that was given exactly comes first, whatever its words would score. */
function withFirst(exact, best, limit) {
    const own = best.find((match) => match.document === exact)?.score ?? 0;
    const others = best.filter((match) => match.document !== exact);
    return [{ document: exact, score: 1 + Math.max(own, best[0]?.score ?? 0) }, ...others].slice(0, limit);
}
function tagsOf(documents) {
    return [
        ...new Set(documents.flatMap(({ tags = [], source = '' }) => (tags.length > 0 || source === '' ? tags : [source]))),
    ];
}
