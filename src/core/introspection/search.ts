import type { SemanticCategory } from '../../protocol/categories.ts'
import { nearestNames } from './letter-pairs.ts'
import type { SearchDocument } from './search-document.ts'
import { buildIndex } from './search-index.ts'
import { lookupsBeside } from './search-lookup.ts'
import { createQueryReader } from './search-query.ts'
import { createScorer, type Scored } from './search-score.ts'
import { termsOfText } from './search-text.ts'
import { LONGEST_TEXT } from './search-tokens.ts'

export { nearestNames } from './letter-pairs.ts'
export type { SearchDocument, SearchParam } from './search-document.ts'

export interface SearchIndex {
  search(text: string, options?: SearchOptions): SearchHits
}

export interface SearchOptions {
  readonly category?: SemanticCategory
  readonly limit?: number
  /** Adds the factors of each score. */
  readonly explain?: boolean
}

export interface SearchHits {
  /** Best first. */
  readonly matches: readonly SearchMatch[]
  /** Only when nothing was found: the names most like the text, and what the catalogue is about. */
  readonly nearest?: readonly string[]
  readonly tags?: readonly string[]
}

export interface SearchMatch {
  /** The position in the list that the index was made from. */
  readonly document: number
  readonly score: number
  /**
   * The score is their product; for an exact name, which has the factor `exact`, it is above all others instead. The
   * factor `lookup` marks an operation that has its place because the question names something.
   */
  readonly factors?: Readonly<Record<string, number>>
}

const DEFAULT_LIMIT = 5
const MOST_TAGS = 50

/** A longer text is no operation's name. */
const LONGEST_NAME = 500

/**
 * Extension "Search": operations by what they are for. Words weighted by where they stand, with a guess of what the
 * asker wants to do; no model and no network. The same text always finds the same, ties in catalogue order.
 */
export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const index = buildIndex(documents)
  const readQuery = createQueryReader(index)
  const score = createScorer(index)
  const names = documents.map((document) => document.name)
  let tags: readonly string[] | undefined

  function search(text: string, { category, limit = DEFAULT_LIMIT, explain = false }: SearchOptions = {}): SearchHits {
    const query = readQuery(text)
    const scored = score(query, category, limit)
    const mayLookUp = query.names && (category === undefined || category === 'READ')
    const lookups = mayLookUp ? lookupsBeside(scored.best, index.lookups, documents, limit) : []
    const best = withLast(scored, lookups, limit)
    const exact = text.length > LONGEST_NAME ? undefined : index.names.get(text.trim().toLowerCase())
    const matches = exact === undefined ? best : withFirst(exact, best, limit)
    if (matches.length === 0) return { matches, ...notFound(text) }
    if (!explain) return { matches }
    return { matches: matches.map((match) => ({ ...match, factors: factorsOf(match.document) })) }

    function factorsOf(document: number): Readonly<Record<string, number>> {
      const factors = scored.factorsOf(document)
      if (document === exact) return { ...factors, exact: 1 }
      return lookups.includes(document) ? { ...factors, lookup: 1 } : factors
    }
  }

  function notFound(text: string) {
    tags ??= tagsOf(documents).slice(0, MOST_TAGS)
    return { nearest: nearestNames(text.slice(0, LONGEST_NAME).trim(), names, DEFAULT_LIMIT), tags }
  }

  return { search }
}

/** The terms of a text, so that a signature can put first the parameters that share one with the question. */
export function searchTerms(text: string): ReadonlySet<string> {
  return new Set(termsOfText(text.slice(0, LONGEST_TEXT)))
}

/** A name that was given exactly comes first, whatever its words would score. */
function withFirst(exact: number, best: readonly SearchMatch[], limit: number): readonly SearchMatch[] {
  const own = best.find((match) => match.document === exact)?.score ?? 0
  const others = best.filter((match) => match.document !== exact)
  return [{ document: exact, score: 1 + Math.max(own, best[0]?.score ?? 0) }, ...others].slice(0, limit)
}

/** What the question needs beforehand comes last, whatever its words would score. */
function withLast({ best, scoreOf }: Scored, lookups: readonly number[], limit: number): readonly SearchMatch[] {
  const added = lookups.slice(0, limit).map((document) => ({ document, score: scoreOf(document) }))
  return added.length === 0 ? best : [...best.slice(0, limit - added.length), ...added]
}

function tagsOf(documents: readonly SearchDocument[]): string[] {
  return [
    ...new Set(documents.flatMap(({ tags = [], source = '' }) => (tags.length > 0 || source === '' ? tags : [source]))),
  ]
}
