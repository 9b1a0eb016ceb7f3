import type { SearchDocument } from './search-document.ts'
import { pathWords } from './search-fields.ts'
import { termsOfText } from './search-text.ts'

/** With fewer places than this, none is spared for the step before the deed. */
const FEWEST_PLACES = 3

const SEARCH = 'search'

/** An operation that finds things by name, and the terms of what it finds. */
export interface Lookup {
  readonly document: number
  readonly subject: ReadonlySet<string>
}

/**
 * The lookups of the sources whose operations want ids in their paths: to follow an artist one looks her up first,
 * though the question does not say so.
 */
export function lookupsOf(documents: readonly SearchDocument[]): readonly Lookup[] {
  const withIds = new Set(documents.filter(wantsId).map(({ source }) => source))
  return documents.flatMap((document, at) => {
    if (document.category !== 'READ' || !withIds.has(document.source)) return []
    const subject = titleTerms(document)
    return subject.delete(SEARCH) ? [{ document: at, subject }] : []
  })
}

/**
 * Which lookups a question that names something needs beside the best operations: none if one is among them, the one
 * about the same things as they are otherwise, and all where nothing was found.
 */
export function lookupsBeside(
  best: readonly { readonly document: number; readonly score: number }[],
  lookups: readonly Lookup[],
  documents: readonly SearchDocument[],
  limit: number,
): readonly number[] {
  if (best.length === 0) return lookups.map(({ document }) => document)
  if (limit < FEWEST_PLACES || best.some((match) => lookups.some(({ document }) => document === match.document)))
    return []
  const titles = best.map(({ document, score }) => ({ terms: titleTerms(documents[document]), score }))
  const nearness = ({ subject }: Lookup): number =>
    titles.reduce((sum, { terms, score }) => sum + (score * countShared(subject, terms)) / (1 + subject.size), 0)
  const [nearest] = lookups
    .map((lookup) => ({ document: lookup.document, nearness: nearness(lookup) }))
    .sort((a, b) => b.nearness - a.nearness)
  return nearest === undefined ? [] : [nearest.document]
}

function wantsId({ path, params }: SearchDocument): boolean {
  return path?.includes('{') || params.some((param) => param.inPath)
}

function titleTerms(document: SearchDocument | undefined): Set<string> {
  const { name = '', path, summary = '' } = document ?? {}
  return new Set(termsOfText([name, pathWords(path), summary].join(' ')))
}

function countShared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0
  for (const term of some) if (others.has(term)) count++
  return count
}
