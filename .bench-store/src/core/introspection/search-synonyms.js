import { termsOfWord } from "./search-text.js";
import { SYNONYM_GROUPS } from "./search-vocabulary.js";
const SYNONYMS = synonymsByTerm();
/** The terms that may stand for a term, itself not among them. */
export function synonymsOf(term) {
    return SYNONYMS.get(term) ?? [];
}
/** Words that are several terms (vm: virtual machine) have no synonym of one term and are left out. */
function synonymsByTerm() {
    const found = new Map();
    for (const group of SYNONYM_GROUPS) {
        const terms = new Set(group.map(termsOfWord).flatMap((of) => (of.length === 1 ? of : [])));
        for (const term of terms)
            found.set(term, new Set([...(found.get(term) ?? []), ...terms]));
    }
    return new Map(Array.from(found, ([term, others]) => [term, [...others].filter((other) => other !== term)]));
}
