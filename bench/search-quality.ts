import { createSearchIndex, type SearchIndex, type SearchMatch } from '../src/core/introspection/search.ts'
import { toSearchDocument } from './catalogue.ts'
import type { Question, QuestionSet } from './question-sets.ts'

/** Averages over the questions of a set. */
export interface Quality {
  /** A right operation is first. */
  readonly hit1: number
  /** A right operation is among the first five. */
  readonly any5: number
  /** Right ones among the first five, of those that five places can hold. */
  readonly recall5: number
}

const SHOWN = 5

export function createSetIndex({ operations }: QuestionSet): SearchIndex {
  return createSearchIndex(operations.map(toSearchDocument))
}

export function measureQuality(set: QuestionSet, index: SearchIndex, withCategory: boolean): Quality {
  return meanOf(judgeAll(set, index, withCategory))
}

/** Over the questions of several catalogues, each searched by itself. */
export function qualityOfAll(
  sets: readonly QuestionSet[],
  indexOf: (set: QuestionSet) => SearchIndex,
  withCategory: boolean,
): Quality {
  return meanOf(sets.flatMap((set) => judgeAll(set, indexOf(set), withCategory)))
}

function judgeAll(set: QuestionSet, index: SearchIndex, withCategory: boolean): readonly Quality[] {
  return set.questions.map((question) => {
    const found = withCategory
      ? searchByCategory(index, question)
      : index.search(question.text, { limit: SHOWN }).matches
    return judge(
      found.map(({ document }) => set.operations[document]?.id ?? ''),
      question,
    )
  })
}

function meanOf(judged: readonly Quality[]): Quality {
  const mean = (of: (quality: Quality) => number) => judged.reduce((sum, one) => sum + of(one), 0) / judged.length
  return { hit1: mean((one) => one.hit1), any5: mean((one) => one.any5), recall5: mean((one) => one.recall5) }
}

function judge(found: readonly string[], { right }: Question): Quality {
  const count = right.filter((id) => found.includes(id)).length
  return {
    hit1: right.includes(found[0] ?? '') ? 1 : 0,
    any5: count > 0 ? 1 : 0,
    recall5: Math.min(SHOWN, count) / Math.min(SHOWN, right.length),
  }
}

/** One search of five places for each category that the question needs. */
function searchByCategory(index: SearchIndex, { text, categories }: Question): readonly SearchMatch[] {
  return categories.flatMap((category) => index.search(text, { category, limit: SHOWN }).matches)
}
