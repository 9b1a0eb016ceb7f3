import { likenessTo } from "./letter-pairs.js";
import { intentOf } from "./search-intent.js";
import { synonymsOf } from "./search-synonyms.js";
import { eachWord, isNumber, stem, termsOfWord } from "./search-text.js";
import { tokensOf } from "./search-tokens.js";
import { kindOf, NUMBER_WEIGHT } from "./search-values.js";
import { VERBS } from "./search-vocabulary.js";
const MOST_PARTS = 6;
const PART_WORDS = new Set(['and', 'then', 'also']);
const SYNONYM = 0.5;
const JOINED = 0.7;
/** A word that the catalogue does not know may be a misspelt one: letter pairs in common, and how many are tried. */
const MISSPELT = 0.7;
const LEAST_LIKENESS = 0.6;
const MOST_GUESSES = 3;
const MOST_MISSPELT = 16;
export function createQueryReader(index) {
    const { vocabulary } = index;
    const guess = createGuesser(vocabulary);
    const unknownIdf = Math.log(1 + (index.size + 0.5) / 0.5);
    function alternativesOf(term, mayGuess) {
        const found = [];
        const own = vocabulary.get(term);
        if (own !== undefined)
            found.push({ id: own, likeness: 1 });
        for (const synonym of synonymsOf(term)) {
            const id = vocabulary.get(synonym);
            if (id !== undefined)
                found.push({ id, likeness: SYNONYM });
        }
        return found.length === 0 && mayGuess && !isNumber(term) ? guess(term) : found;
    }
    return (text) => {
        const tokens = tokensOf(text);
        const draft = readTerms(tokens, vocabulary);
        let misspelt = 0;
        const terms = draft.terms.map(({ term, weight, counts }) => {
            const id = vocabulary.get(term);
            const alternatives = alternativesOf(term, misspelt < MOST_MISSPELT);
            if (id === undefined)
                misspelt++;
            const count = counts.reduce((sum, some) => sum + some, 0);
            return { term, weight, count, counts, idf: id === undefined ? unknownIdf : (index.idf[id] ?? 0), alternatives };
        });
        return { ...draft, terms, intent: intentOf(tokens, text.trimEnd().endsWith('?')) };
    };
}
function readTerms(tokens, vocabulary) {
    const terms = new Map();
    const pairs = [];
    const quotations = new Set();
    let values = 0;
    let part = 0;
    let partIsEmpty = true;
    let previousTerm;
    let previousWord;
    function add(term, weight) {
        const draft = terms.get(term) ?? { term, weight: 0, counts: new Array(MOST_PARTS).fill(0) };
        draft.weight = Math.max(draft.weight, weight);
        draft.counts[part] = (draft.counts[part] ?? 0) + 1;
        terms.set(term, draft);
        partIsEmpty = false;
    }
    function addWord(word, tokenWeight) {
        const weight = isNumber(word) ? Math.min(NUMBER_WEIGHT, tokenWeight) : tokenWeight;
        const joined = previousWord === undefined ? undefined : stem(previousWord.word + word);
        if (joined !== undefined && vocabulary.has(joined))
            add(joined, JOINED * Math.min(weight, previousWord?.weight ?? 0));
        previousWord = { word, weight };
        let isKnown = true;
        for (const term of termsOfWord(word)) {
            const id = vocabulary.get(term);
            if (id === undefined && isNumber(word))
                continue;
            add(term, weight);
            if (id !== undefined && previousTerm !== undefined) {
                pairs.push({ first: previousTerm.id, second: id, weight: Math.min(weight, previousTerm.weight), part });
            }
            previousTerm = id === undefined ? undefined : { id, weight };
            if (id === undefined && !VERBS.has(word) && synonymsOf(term).length === 0)
                isKnown = false;
        }
        return isKnown;
    }
    function closePart() {
        previousTerm = undefined;
        previousWord = undefined;
        if (partIsEmpty || part === MOST_PARTS - 1)
            return;
        part++;
        partIsEmpty = true;
    }
    for (const token of tokens) {
        const kind = kindOf(token);
        if (token.quotation === undefined && PART_WORDS.has(token.lower))
            closePart();
        values += kind.values;
        if (token.quotation !== undefined)
            quotations.add(token.quotation);
        let isKnown = true;
        if (kind.weight > 0) {
            eachWord(token.text, (word, whole) => {
                if (!addWord(word, kind.weight))
                    isKnown = false;
                if (whole !== undefined && vocabulary.has(stem(whole)))
                    add(stem(whole), JOINED * kind.weight);
            });
        }
        else
            previousTerm = previousWord = undefined;
        if (!isKnown && kind.values === 0 && token.quotation === undefined)
            values++;
        if (token.ends === 'sentence' && token.quotation === undefined)
            closePart();
    }
    return {
        terms: [...terms.values()],
        pairs,
        parts: partIsEmpty ? part : part + 1,
        values: values + quotations.size,
    };
}
/** Words of the catalogue that look like one which it does not know, among those with the same first letter. */
function createGuesser(vocabulary) {
    let byLetter;
    return (term) => {
        byLetter ??= groupByLetter(vocabulary.keys());
        const likenessOf = likenessTo(term, LEAST_LIKENESS);
        const found = [];
        for (const candidate of byLetter.get(term.charAt(0)) ?? []) {
            const likeness = likenessOf(candidate);
            if (likeness > 0)
                found.push({ id: vocabulary.get(candidate) ?? 0, likeness: MISSPELT * likeness });
        }
        return found.sort((a, b) => b.likeness - a.likeness || a.id - b.id).slice(0, MOST_GUESSES);
    };
}
function groupByLetter(words) {
    const byLetter = new Map();
    for (const word of words) {
        const group = byLetter.get(word.charAt(0)) ?? [];
        group.push(word);
        byLetter.set(word.charAt(0), group);
    }
    return byLetter;
}
