import { CATEGORY_NAMES } from "../../protocol/categories.js";
import { VERBS } from "./search-vocabulary.js";
/** What every category starts with, and what each sign adds. */
const START = 0.1;
const FIRST_VERB = 1.5;
const LATER_VERB = 1;
const OTHER_VERB = 0.15;
const QUESTION = 1.5;
const NOUN_PHRASE = 0.8;
/** A word that is no known verb but stands like one: "nudge the …". */
const UNKNOWN_VERB = { UPDATE: 0.35, EXECUTE: 0.3, CREATE: 0.2, DELETE: 0.15 };
/** Turns of phrase that show what is wanted, wherever they stand. */
const HINTS = [
    {
        phrases: ['should', 'must', 'needs to', 'has to'],
        adds: { UPDATE: 0.8, CREATE: 0.3, EXECUTE: 0.3, DELETE: 0.2 },
    },
    { phrases: ['no longer', 'any more', 'anymore', "don't need", 'do not need'], adds: { DELETE: 1 } },
    { phrases: ['for good', 'permanently'], adds: { DELETE: 0.7 } },
    { phrases: ['wants to'], adds: { CREATE: 0.4, UPDATE: 0.4 } },
    { phrases: ['i need a', 'i need an', 'we need a', 'we need an'], adds: { CREATE: 1 } },
    { phrases: ['again'], adds: { EXECUTE: 0.4 } },
    { phrases: ['who', 'which', 'how many'], adds: { READ: 1 } },
];
/** What may come before the verb and says nothing. */
const PREAMBLES = [
    ...['can', 'could', 'would', 'will'].flatMap((word) => [
        `${word} you help me to`,
        `${word} you help me`,
        `${word} you`,
    ]),
    ...['i', 'we'].flatMap((who) => [`${who} want to`, `${who} need to`, `${who} would like to`, `${who} have to`]),
    ...[
        "i'd like to",
        "we'd like to",
        'i wish to',
        'i am trying to',
        "i'm trying to",
        'i am looking to',
        "i'm looking to",
    ],
    ...['help me to', 'help me', 'let me', "let's", 'let us', 'go ahead', 'please', 'kindly', 'just', 'now', 'quickly'],
    ...['hey', 'hi', 'hello', 'ok', 'okay', 'also', 'finally', 'next', 'first'],
].map((phrase) => phrase.split(' '));
const GREETINGS = new Set(['please', 'hey', 'hi', 'hello', 'ok', 'okay', 'so', 'and', 'also', 'then']);
const CLAUSE_WORDS = new Set(['and', 'then', 'but', 'so', 'because', 'where', 'that', 'which', 'with', 'without']);
const QUESTION_WORDS = new Set(`who whom whose what when where why which how is are was were am do does did has have had can could will would
   should may might isn't aren't doesn't don't`.split(/\s+/));
const AFTER_A_VERB = new Set('the a an this that these those my our your his her its their it them him me us all every each'.split(' '));
/** What the asker wants to do, guessed from the verbs and turns of phrase. */
export function intentOf(tokens, isAsked) {
    const score = {
        CREATE: START,
        READ: START,
        UPDATE: START,
        DELETE: START,
        EXECUTE: START,
    };
    const add = (signs, times = 1) => {
        for (const category of CATEGORY_NAMES)
            score[category] += (signs[category] ?? 0) * times;
    };
    const own = tokens.filter((token) => token.quotation === undefined);
    const clauses = clausesOf(own);
    let imperative = false;
    clauses.forEach((clause, at) => {
        const [first, second, ...rest] = clause;
        const known = VERBS.get(first ?? '');
        if (known !== undefined) {
            imperative = true;
            add(shared(known), at === 0 ? FIRST_VERB : LATER_VERB);
        }
        else if (at === 0 && isUnknownVerb(first, second)) {
            imperative = true;
            add(UNKNOWN_VERB);
        }
        for (const word of [second ?? '', ...rest])
            add(shared(VERBS.get(word) ?? []), OTHER_VERB);
    });
    if (isQuestion(own, isAsked))
        add({ READ: QUESTION });
    const hints = hintsIn(own);
    for (const hint of hints)
        add(hint);
    if (!imperative && hints.length === 0)
        add({ READ: NOUN_PHRASE });
    const total = CATEGORY_NAMES.reduce((sum, category) => sum + score[category], 0);
    for (const category of CATEGORY_NAMES)
        score[category] /= total;
    return score;
}
/** A verb of several categories says less about each. */
function shared(categories) {
    return Object.fromEntries(categories.map((category) => [category, 1 / Math.sqrt(categories.length)]));
}
/** The words of each clause, without what only leads up to the verb. */
function clausesOf(tokens) {
    const clauses = [];
    let clause = [];
    const close = () => {
        const words = withoutPreamble(clause);
        if (words.length > 0)
            clauses.push(words);
        clause = [];
    };
    for (const { lower, ends } of tokens) {
        if (CLAUSE_WORDS.has(lower))
            close();
        else if (lower !== '')
            clause.push(lower);
        if (ends !== 'nothing')
            close();
    }
    close();
    return clauses;
}
function withoutPreamble(words) {
    let rest = words.slice();
    for (let found = true; found;) {
        const preamble = PREAMBLES.find((phrase) => phrase.every((word, at) => rest[at] === word));
        found = preamble !== undefined;
        rest = rest.slice(preamble?.length ?? 0);
    }
    return rest;
}
function isUnknownVerb(first = '', second = '') {
    return AFTER_A_VERB.has(second) && !QUESTION_WORDS.has(first) && !AFTER_A_VERB.has(first) && /^[a-z]+$/.test(first);
}
/** "can you …?" asks for a deed, not for an answer. */
function isQuestion(tokens, isAsked) {
    const startsAsking = QUESTION_WORDS.has(tokens[0]?.lower ?? '') && !isPolite(tokens, 0);
    const lastSentence = 1 + tokens.findLastIndex((token, at) => token.ends === 'sentence' && at < tokens.length - 1);
    return startsAsking || (isAsked && !isPolite(tokens, lastSentence));
}
function isPolite(tokens, from) {
    let at = from;
    while (GREETINGS.has(tokens[at]?.lower ?? ''))
        at++;
    return tokens[at + 1]?.lower === 'you' && /^(?:can|could|would|will)$/.test(tokens[at]?.lower ?? '');
}
function hintsIn(tokens) {
    const text = ` ${tokens.map((token) => token.lower).join(' ')} `;
    return HINTS.filter(({ phrases }) => phrases.some((phrase) => text.includes(` ${phrase} `))).map(({ adds }) => adds);
}
