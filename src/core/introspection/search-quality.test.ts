import { describe, expect, test } from 'vitest'
import { DATA_FOLDER } from '../../../bench/catalogue.ts'
import { githubQuestions, spotifyQuestions, toolQuestions } from '../../../bench/question-sets.ts'
import { createSetIndex, measureQuality } from '../../../bench/search-quality.ts'

const note = DATA_FOLDER === undefined ? ' (SKIPPED: the folder shared/data is not beside the repository)' : ''

describe.skipIf(DATA_FOLDER === undefined)(`design §5 search reaches on public questions${note}`, () => {
  test('StableToolBench: hit@1 .76, recall@5 .75', () => {
    const set = toolQuestions()
    const quality = measureQuality(set, createSetIndex(set), false)
    expect(quality.hit1).toBeGreaterThanOrEqual(0.76)
    expect(quality.recall5).toBeGreaterThanOrEqual(0.75)
  })

  test('RestBench Spotify, category given: recall@5 .78', () => {
    const set = spotifyQuestions()
    expect(measureQuality(set, createSetIndex(set), true).recall5).toBeGreaterThanOrEqual(0.78)
  })

  test('GitHub: hit@1 .62, the right one among five .83; every exact name first', () => {
    const set = githubQuestions()
    const index = createSetIndex(set)
    const quality = measureQuality(set, index, false)
    expect(quality.hit1).toBeGreaterThanOrEqual(0.62)
    expect(quality.any5).toBeGreaterThanOrEqual(0.83)
    const missed = set.operations.filter(({ name }, at) => index.search(name).matches[0]?.document !== at)
    expect(missed).toEqual([])
  })
})
