import { fail } from "../../protocol/errors.js";
import { createSearchIndex, searchTerms } from "./search.js";
import { signatureOf } from "./signature.js";
const MAX_TEXTS = 20;
/** Tokens for a signature: the first match, the others, the best match of several texts. */
const BUDGET = { first: 120, other: 60, several: 70 };
export function createFinder({ operations }) {
    const searchable = [...operations.values()].filter(({ name }) => name !== 'introspect');
    let index;
    return {
        operations: searchable,
        index: () => {
            index ??= createSearchIndex(searchable.map(documentOf));
            return index;
        },
    };
}
/** Extension "search": `matches` for one text, `results` in order for several. */
export function findOperations(question, finder) {
    const { text, category } = question;
    if (text === undefined) {
        return fail('VALIDATION_MISSING_PARAM', {
            param_name: 'text',
            operation: 'introspect',
            expected: 'string | string[] (your aim in a few words)',
        });
    }
    if (typeof text === 'string')
        return matchesFor(text, category, question.limit ?? 5, finder, false);
    if (text.length === 0 || text.length > MAX_TEXTS) {
        return fail('VALIDATION_INVALID_VALUE', {
            param_name: 'text',
            constraint: `1 to ${MAX_TEXTS} texts`,
            operation: 'introspect',
        });
    }
    const limit = question.limit ?? 3;
    return { results: text.map((each) => ({ text: each, ...matchesFor(each, category, limit, finder, true) })) };
}
function matchesFor(text, category, limit, finder, several) {
    const hits = finder.index().search(text, { limit, ...(category && { category }) });
    const terms = searchTerms(text);
    const relevant = (name) => [...searchTerms(name)].some((term) => terms.has(term));
    const matches = hits.matches.map(({ document }, place) => {
        const operation = finder.operations[document]; // the index was built from this very list
        const budget = several ? (place === 0 ? BUDGET.several : undefined) : place === 0 ? BUDGET.first : BUDGET.other;
        return {
            operation: operation.name,
            endpoint: operation.endpoint,
            ...(budget !== undefined && { signature: signatureOf(operation, { budget, relevant }) }),
            description: summaryOf(operation),
        };
    });
    if (matches.length > 0)
        return { matches };
    return { matches, ...(hits.nearest && { nearest: hits.nearest }), ...(hits.tags && { tags: hits.tags.slice(0, 30) }) };
}
/** The summary, or the first sentence of the description, in 80 characters. */
function summaryOf({ definition, description }) {
    const source = (definition.summary ?? description).replace(/\s+/g, ' ').trim();
    const end = source.search(/[.!?](?:\s|$)/);
    const sentence = end < 0 ? source : source.slice(0, end + 1);
    return sentence.length <= 80 ? sentence : `${sentence.slice(0, 79).trimEnd()}…`;
}
function documentOf({ name, category, definition, params, returns, collection }) {
    const { summary, tags, path, deprecated, description } = definition;
    const inPath = new Set([...(path ?? '').matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter));
    return {
        name,
        category,
        description,
        ...(summary && { summary }),
        ...(tags && { tags }),
        ...(path && { path }),
        returns: collection ? collection.type.name : returns.name,
        deprecated: deprecated !== undefined,
        params: params
            .filter((entry) => Object.hasOwn(definition.params ?? {}, entry.name))
            .map(({ name: parameter, param }) => ({
            name: parameter,
            ...(param.description && { description: param.description }),
            ...(param.enum && { enum: param.enum }),
            inPath: inPath.has(parameter),
        })),
    };
}
