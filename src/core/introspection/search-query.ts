import { likenessTo } from './letter-pairs.ts'
import type { CatalogueIndex } from './search-index.ts'
import { type Intent, intentOf } from './search-intent.ts'
import { synonymsOf } from './search-synonyms.ts'
import { eachWord, isNumber, stem, termsOfWord } from './search-text.ts'
import { type Token, tokensOf } from './search-tokens.ts'
import { kindOf, NUMBER_WEIGHT } from './search-values.ts'
import { ANSWERS, CALENDAR_WORDS, VERBS } from './search-vocabulary.ts'

/** A question as the score reads it. */
export interface Query {
  readonly terms: readonly QueryTerm[]
  readonly pairs: readonly QueryPair[]
  /** How many parts the text falls into. */
  readonly parts: number
  /** Names, numbers and quotations in the text: what may fill an operation's path. */
  readonly values: number
  /** Whether something is called by a name of its own, such as a person's or a film's. */
  readonly names: boolean
  readonly intent: Intent
}

export interface QueryTerm {
  readonly term: string
  /** How much the term says about the operation that is meant: 1, less for parts of a value. */
  readonly weight: number
  /** Occurrences in the whole text, and in each part. */
  readonly count: number
  readonly counts: readonly number[]
  readonly idf: number
  /** What of the catalogue may answer to it. */
  readonly alternatives: readonly Alternative[]
}

export interface Alternative {
  readonly id: number
  readonly likeness: number
}

export interface QueryPair {
  readonly first: number
  readonly second: number
  readonly weight: number
  readonly part: number
}

const MOST_PARTS = 6
const PART_WORDS = new Set(['and', 'then', 'also'])

const SYNONYM = 0.5

/** What a question word says of the answer without naming it. */
const ANSWER = 0.3
const JOINED = 0.7

/** A word that the catalogue does not know may be a misspelt one: letter pairs in common, and how many are tried. */
const MISSPELT = 0.7
const LEAST_LIKENESS = 0.6
const MOST_GUESSES = 3
const MOST_MISSPELT = 16

export function createQueryReader(index: CatalogueIndex): (text: string) => Query {
  const { vocabulary } = index
  const guess = createGuesser(vocabulary)
  const unknownIdf = Math.log(1 + (index.size + 0.5) / 0.5)

  function alternativesOf(term: string, mayGuess: boolean): readonly Alternative[] {
    const found: Alternative[] = []
    const own = vocabulary.get(term)
    if (own !== undefined) found.push({ id: own, likeness: 1 })
    for (const synonym of synonymsOf(term)) {
      const id = vocabulary.get(synonym)
      if (id !== undefined) found.push({ id, likeness: SYNONYM })
    }
    return found.length === 0 && mayGuess && !isNumber(term) ? guess(term) : found
  }

  return (text) => {
    const tokens = tokensOf(text)
    const draft = readTerms(tokens, vocabulary)
    let misspelt = 0
    const terms = draft.terms.map(({ term, weight, counts }): QueryTerm => {
      const id = vocabulary.get(term)
      const alternatives = alternativesOf(term, misspelt < MOST_MISSPELT)
      if (id === undefined) misspelt++
      const count = counts.reduce((sum, some) => sum + some, 0)
      return { term, weight, count, counts, idf: id === undefined ? unknownIdf : (index.idf[id] ?? 0), alternatives }
    })
    return { ...draft, terms, intent: intentOf(tokens, text.trimEnd().endsWith('?')) }
  }
}

interface DraftTerm {
  readonly term: string
  weight: number
  readonly counts: number[]
}

function readTerms(tokens: readonly Token[], vocabulary: ReadonlyMap<string, number>) {
  const terms = new Map<string, DraftTerm>()
  const pairs: QueryPair[] = []
  const quotations = new Set<number>()
  let values = 0
  let names = false
  let beginsSentence = true
  let part = 0
  let partIsEmpty = true
  let previousTerm: { readonly id: number; readonly weight: number } | undefined
  let previousWord: { readonly word: string; readonly weight: number } | undefined

  function add(term: string, weight: number): void {
    const draft = terms.get(term) ?? { term, weight: 0, counts: new Array<number>(MOST_PARTS).fill(0) }
    draft.weight = Math.max(draft.weight, weight)
    draft.counts[part] = (draft.counts[part] ?? 0) + 1
    terms.set(term, draft)
    partIsEmpty = false
  }

  function addWord(word: string, tokenWeight: number): boolean {
    const weight = isNumber(word) ? Math.min(NUMBER_WEIGHT, tokenWeight) : tokenWeight
    const joined = previousWord === undefined ? undefined : stem(previousWord.word + word)
    if (joined !== undefined && vocabulary.has(joined))
      add(joined, JOINED * Math.min(weight, previousWord?.weight ?? 0))
    previousWord = { word, weight }
    for (const term of ANSWERS.get(word) ?? []) if (vocabulary.has(term)) add(term, ANSWER)
    let isKnown = true
    for (const term of termsOfWord(word)) {
      const id = vocabulary.get(term)
      if (id === undefined && isNumber(word)) continue
      add(term, weight)
      if (id !== undefined && previousTerm !== undefined) {
        pairs.push({ first: previousTerm.id, second: id, weight: Math.min(weight, previousTerm.weight), part })
      }
      previousTerm = id === undefined ? undefined : { id, weight }
      if (id === undefined && !VERBS.has(word) && synonymsOf(term).length === 0) isKnown = false
    }
    return isKnown
  }

  function closePart(): void {
    previousTerm = undefined
    previousWord = undefined
    if (partIsEmpty || part === MOST_PARTS - 1) return
    part++
    partIsEmpty = true
  }

  for (const token of tokens) {
    const kind = kindOf(token)
    if (token.quotation === undefined && PART_WORDS.has(token.lower)) closePart()
    values += kind.values
    if (token.quotation !== undefined) quotations.add(token.quotation)
    let isKnown = true
    if (kind.weight > 0) {
      eachWord(token.text, (word, whole) => {
        if (!addWord(word, kind.weight)) isKnown = false
        if (whole !== undefined && vocabulary.has(stem(whole))) add(stem(whole), JOINED * kind.weight)
      })
    } else previousTerm = previousWord = undefined
    if (!isKnown && kind.values === 0 && token.quotation === undefined) {
      values++
      if (!beginsSentence && isProperName(token)) names = true
    }
    beginsSentence = token.ends === 'sentence'
    if (token.ends === 'sentence' && token.quotation === undefined) closePart()
  }
  return {
    terms: [...terms.values()],
    pairs,
    parts: partIsEmpty ? part : part + 1,
    values: values + quotations.size,
    names,
  }
}

/** A capital within a sentence; the days and months have one too, but name nothing. */
function isProperName({ text, lower }: Token): boolean {
  return /^\p{Lu}/u.test(text) && !CALENDAR_WORDS.has(lower)
}

/** Words of the catalogue that look like one which it does not know, among those with the same first letter. */
function createGuesser(vocabulary: ReadonlyMap<string, number>): (term: string) => readonly Alternative[] {
  let byLetter: ReadonlyMap<string, readonly string[]> | undefined
  return (term) => {
    byLetter ??= groupByLetter(vocabulary.keys())
    const likenessOf = likenessTo(term, LEAST_LIKENESS)
    const found: Alternative[] = []
    for (const candidate of byLetter.get(term.charAt(0)) ?? []) {
      const likeness = likenessOf(candidate)
      if (likeness > 0) found.push({ id: vocabulary.get(candidate) ?? 0, likeness: MISSPELT * likeness })
    }
    return found.sort((a, b) => b.likeness - a.likeness || a.id - b.id).slice(0, MOST_GUESSES)
  }
}

function groupByLetter(words: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const byLetter = new Map<string, string[]>()
  for (const word of words) {
    const group = byLetter.get(word.charAt(0)) ?? []
    group.push(word)
    byLetter.set(word.charAt(0), group)
  }
  return byLetter
}
