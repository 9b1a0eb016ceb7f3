import { stemmer } from 'stemmer'
import type { SearchDocument, SearchIndex } from '../src/core/introspection/search.ts'

/** What a search would be without our work: Okapi BM25 over one text per operation, stemmed, without stop words, k1 1.2, b .75. */
export function createPlainIndex(documents: readonly SearchDocument[]): SearchIndex {
  const bags = documents.map((document) => countTerms(termsOf(wholeText(document))))
  const lengths = bags.map((bag) => [...bag.values()].reduce((sum, count) => sum + count, 0))
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const frequency = countTerms(bags.flatMap((bag) => [...bag.keys()]))

  const score = (terms: readonly string[], document: number): number =>
    terms.reduce((sum, term) => {
      const count = bags[document]?.get(term) ?? 0
      if (count === 0) return sum
      const found = frequency.get(term) ?? 0
      const idf = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
      const length = (lengths[document] ?? 0) / average
      return sum + (idf * count * 2.2) / (count + 1.2 * (0.25 + 0.75 * length))
    }, 0)

  return {
    search(text, { category, limit = 5 } = {}) {
      const terms = [...new Set(termsOf(text))]
      const matches = documents
        .map((document, index) => ({ document: index, score: score(terms, index), category: document.category }))
        .filter((match) => match.score > 0 && (category === undefined || match.category === category))
        .sort((a, b) => b.score - a.score || a.document - b.document)
      return { matches: matches.slice(0, limit) }
    },
  }
}

function wholeText({ name, path, summary, description, tags, source, params }: SearchDocument): string {
  const parameters = params.map((param) => `${param.name} ${param.description ?? ''}`)
  return [name, path, summary, description, source, ...(tags ?? []), ...parameters].join(' ')
}

function termsOf(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.filter((word) => !STOP_WORDS.has(word)).map(stemmer)
}

const STOP_WORDS = new Set(
  `a about all also am an and any are as at be been but by can could did do does for from get give had has have help her
  him his how i if in into is it its just like me more most my need no not of on one or our out please provide s she show
  so some such t than that the their them then there these they this those to too up us use using want was we were what
  when where which who why will with would you your`.split(/\s+/),
)

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
